//! Keys by name, as the help and the settings spell them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with the modifiers that tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Whether the control key is held.
    pub control: bool,
}

/// Keys that have names.
const NAMED: &[(&str, &str, KeyCode)] = &[
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("enter", "Enter", KeyCode::Enter),
    ("tab", "Tab", KeyCode::Tab),
    ("shift-tab", "⇧Tab", KeyCode::BackTab),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "⌫", KeyCode::Backspace),
    ("delete", "Del", KeyCode::Delete),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("page-up", "PgUp", KeyCode::PageUp),
    ("page-down", "PgDn", KeyCode::PageDown),
];

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, control: false }
    }

    /// The key of an event; none where another modifier is held.
    pub fn of(event: KeyEvent) -> Option<Self> {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let other = KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META;
        (!event.modifiers.intersects(other)).then_some(Self { code: event.code, control })
    }

    /// The key that the settings name: `j`, `G`, `ctrl-d`, `page-down`, `f1`.
    pub fn parse(name: &str) -> Option<Self> {
        let (control, rest) = match name.strip_prefix("ctrl-") {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, name),
        };
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => KeyCode::Char(if control { c.to_ascii_lowercase() } else { c }),
            _ => match NAMED.iter().find(|(named, ..)| *named == rest) {
                Some((.., code)) => *code,
                None => KeyCode::F(rest.strip_prefix('f')?.parse().ok().filter(|n| *n <= 24)?),
            },
        };
        // Escape leaves whatever was entered: it has no other meaning.
        Some(Self { code, control })
    }

    /// As the help shows it.
    pub fn shown(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(c) if self.control => c.to_uppercase().collect(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::F(n) => format!("F{n}"),
            code => NAMED
                .iter()
                .find(|(.., named)| *named == code)
                .map_or_else(String::new, |(_, shown, _)| (*shown).to_owned()),
        };
        if self.control { format!("^{name}") } else { name }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::Key;

    #[test]
    fn names_are_read_and_shown() {
        let shown = |name| Key::parse(name).map(Key::shown);
        for (name, as_shown) in [
            ("j", "j"),
            ("G", "G"),
            ("-", "-"),
            ("ctrl-D", "^D"),
            ("page-down", "PgDn"),
            ("shift-tab", "⇧Tab"),
            ("ctrl-up", "^↑"),
            ("space", "Space"),
            ("f12", "F12"),
            ("é", "é"),
        ] {
            assert_eq!(shown(name).as_deref(), Some(as_shown), "{name}");
        }
        for name in ["", "jj", "ctrl-", "f99", "escape", "alt-x", "page-sideways"] {
            assert_eq!(shown(name), None, "{name}");
        }
    }

    #[test]
    fn other_modifiers_make_another_key() {
        let event = |m| Key::of(KeyEvent::new(KeyCode::Char('j'), m));
        assert_eq!(event(KeyModifiers::NONE), Key::parse("j"));
        assert_eq!(event(KeyModifiers::CONTROL), Key::parse("ctrl-j"));
        assert_eq!(event(KeyModifiers::ALT), None);
    }
}
