//! Colours by meaning. What they say is readable without them too.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// The styles: only the sixteen colours that every terminal lets its user choose.
pub mod style {
    use super::{AnsiColor, Style};

    const fn fg(color: AnsiColor) -> Style {
        color.on_default()
    }

    /// Ordinary text.
    pub const PLAIN: Style = Style::new();
    /// Strong text.
    pub const STRONG: Style = Style::new().bold();
    /// Stressed text.
    pub const EMPHASIS: Style = Style::new().italic();
    /// What matters less.
    pub const DIM: Style = Style::new().dimmed();
    /// Headings.
    pub const HEADING: Style = Style::new().bold();
    /// What a person said.
    pub const PERSON: Style = fg(AnsiColor::Cyan).bold();
    /// Code.
    pub const CODE: Style = fg(AnsiColor::Yellow);
    /// Links.
    pub const LINK: Style = fg(AnsiColor::Blue).underline();
    /// Names.
    pub const NAME: Style = fg(AnsiColor::Blue);
    /// Ids.
    pub const ID: Style = fg(AnsiColor::Magenta);
    /// It went well.
    pub const GOOD: Style = fg(AnsiColor::Green);
    /// It failed.
    pub const BAD: Style = fg(AnsiColor::Red).bold();
    /// Lines that came.
    pub const ADDED: Style = fg(AnsiColor::Green);
    /// Lines that went.
    pub const REMOVED: Style = fg(AnsiColor::Red);
    /// Heads of hunks.
    pub const HUNK: Style = fg(AnsiColor::Cyan);
    /// Something to look at.
    pub const WARNING: Style = fg(AnsiColor::Yellow);
    /// What was looked for.
    pub const MATCH: Style = fg(AnsiColor::Red).bold();
}

/// Whether colours are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// Text in a style, or as it is.
    pub fn of<T: Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self.0 { style } else { Style::new() }, text }
    }
}

/// Text in a style.
#[derive(Debug)]
pub struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
}
