//! Colours by meaning. What they say is readable without them too.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// The styles: only the sixteen colours that every terminal lets its user choose.
pub(crate) mod style {
    use super::{AnsiColor, Style};

    const fn fg(color: AnsiColor) -> Style {
        color.on_default()
    }

    pub(crate) const PLAIN: Style = Style::new();
    pub(crate) const STRONG: Style = Style::new().bold();
    pub(crate) const EMPHASIS: Style = Style::new().italic();
    pub(crate) const DIM: Style = Style::new().dimmed();
    pub(crate) const HEADING: Style = Style::new().bold();
    pub(crate) const PERSON: Style = fg(AnsiColor::Cyan).bold();
    pub(crate) const CODE: Style = fg(AnsiColor::Yellow);
    pub(crate) const LINK: Style = fg(AnsiColor::Blue).underline();
    pub(crate) const NAME: Style = fg(AnsiColor::Blue);
    pub(crate) const ID: Style = fg(AnsiColor::Magenta);
    pub(crate) const GOOD: Style = fg(AnsiColor::Green);
    pub(crate) const BAD: Style = fg(AnsiColor::Red).bold();
    pub(crate) const ADDED: Style = fg(AnsiColor::Green);
    pub(crate) const REMOVED: Style = fg(AnsiColor::Red);
    pub(crate) const HUNK: Style = fg(AnsiColor::Cyan);
    pub(crate) const WARNING: Style = fg(AnsiColor::Yellow);
}

/// Whether colours are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// Text in a style, or as it is.
    pub(crate) fn of<T: Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self.0 { style } else { Style::new() }, text }
    }
}

/// Text in a style.
pub(crate) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
}
