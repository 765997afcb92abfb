//! Colours for dark and light grounds, or none.
//!
//! Text takes the sixteen colours that every terminal lets its user choose, so it fits both grounds; only marked rows have a
//! ground of their own. Without colours, weight and reversal say the same.

use anstyle::{AnsiColor, Color as Ansi, Effects};
use ratatui::style::{Color, Modifier, Style};

/// What the ground is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Light text on dark ground.
    Dark,
    /// Dark text on light ground.
    Light,
    /// No colours.
    Plain,
}

impl Theme {
    /// The next one, for the key that goes through them.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Plain,
            Self::Plain => Self::Dark,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Plain => "without colours",
        }
    }

    /// A style of text. `dim` is a grey that can be read on both grounds.
    pub fn text(self, style: anstyle::Style) -> Style {
        let mut out = Style::new();
        let effects = style.get_effects();
        for (effect, modifier) in [
            (Effects::BOLD, Modifier::BOLD),
            (Effects::ITALIC, Modifier::ITALIC),
            (Effects::UNDERLINE, Modifier::UNDERLINED),
            (Effects::STRIKETHROUGH, Modifier::CROSSED_OUT),
        ] {
            if effects.contains(effect) {
                out = out.add_modifier(modifier);
            }
        }
        if self == Self::Plain {
            return out;
        }
        if effects.contains(Effects::DIMMED) {
            return out.fg(self.dim());
        }
        match style.get_fg_color() {
            Some(Ansi::Ansi(color)) => out.fg(ansi(color)),
            _ => out,
        }
    }

    const fn dim(self) -> Color {
        match self {
            Self::Dark => Color::Indexed(245),
            Self::Light => Color::Indexed(242),
            Self::Plain => Color::Reset,
        }
    }

    /// Less important text.
    pub fn quiet(self) -> Style {
        self.text(anstyle::Style::new().dimmed())
    }

    /// Lines between panes.
    pub const fn rule(self) -> Style {
        match self {
            Self::Dark => Style::new().fg(Color::Indexed(238)),
            Self::Light => Style::new().fg(Color::Indexed(250)),
            Self::Plain => Style::new(),
        }
    }

    /// The row that keys act on.
    pub const fn selected(self, focused: bool) -> Style {
        match (self, focused) {
            (Self::Dark, true) => Style::new().bg(Color::Indexed(238)),
            (Self::Dark, false) => Style::new().bg(Color::Indexed(235)),
            (Self::Light, true) => Style::new().bg(Color::Indexed(253)),
            (Self::Light, false) => Style::new().bg(Color::Indexed(255)),
            (Self::Plain, true) => Style::new().add_modifier(Modifier::REVERSED),
            (Self::Plain, false) => Style::new().add_modifier(Modifier::UNDERLINED),
        }
    }

    /// What was found.
    pub const fn found(self) -> Style {
        match self {
            Self::Dark | Self::Light => Style::new().fg(Color::Black).bg(Color::Yellow),
            Self::Plain => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// The one of what was found that somebody went to.
    pub const fn found_here(self) -> Style {
        match self {
            Self::Dark | Self::Light => Style::new().fg(Color::Black).bg(Color::LightMagenta),
            Self::Plain => Style::new().add_modifier(Modifier::REVERSED.union(Modifier::BOLD)),
        }
    }

    /// A bar along the screen.
    pub const fn bar(self) -> Style {
        match self {
            Self::Dark => Style::new().bg(Color::Indexed(236)),
            Self::Light => Style::new().bg(Color::Indexed(254)),
            Self::Plain => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// A word that is on.
    pub const fn accent(self) -> Style {
        match self {
            Self::Dark | Self::Light => Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD),
            Self::Plain => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    /// Something that lives, or went well.
    pub const fn good(self) -> Style {
        match self {
            Self::Dark | Self::Light => Style::new().fg(Color::Green),
            Self::Plain => Style::new().add_modifier(Modifier::BOLD),
        }
    }
}

const fn ansi(color: AnsiColor) -> Color {
    match color {
        AnsiColor::Black => Color::Black,
        AnsiColor::Red => Color::Red,
        AnsiColor::Green => Color::Green,
        AnsiColor::Yellow => Color::Yellow,
        AnsiColor::Blue => Color::Blue,
        AnsiColor::Magenta => Color::Magenta,
        AnsiColor::Cyan => Color::Cyan,
        AnsiColor::White => Color::Gray,
        AnsiColor::BrightBlack => Color::DarkGray,
        AnsiColor::BrightRed => Color::LightRed,
        AnsiColor::BrightGreen => Color::LightGreen,
        AnsiColor::BrightYellow => Color::LightYellow,
        AnsiColor::BrightBlue => Color::LightBlue,
        AnsiColor::BrightMagenta => Color::LightMagenta,
        AnsiColor::BrightCyan => Color::LightCyan,
        AnsiColor::BrightWhite => Color::White,
    }
}
