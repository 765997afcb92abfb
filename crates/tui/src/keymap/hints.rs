//! What the bar at the bottom says about keys: made from the keys that there are.

use super::{Action as A, Keymap};

/// What keys act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The list.
    List,
    /// A session that stands beside the list.
    Session,
    /// A sub-agent that was stepped into.
    Inside,
    /// The help.
    Help,
    /// Something to pick from.
    Picker,
    /// A picture.
    Picture,
}

/// Of an action there may be no key, and Escape is none that can be another.
enum Hint {
    Keys(&'static [A], &'static str),
    Escape(&'static str),
    Words(&'static str),
}

use Hint::{Escape, Keys, Words};

/// The most important come first; where there is little room the last go.
const fn hints(spot: Spot) -> &'static [Hint] {
    match spot {
        Spot::List => &[
            Keys(&[A::Open], "open"),
            Keys(&[A::Find], "filter"),
            Keys(&[A::Harness], "harness"),
            Keys(&[A::Project], "project"),
            Keys(&[A::CopyResume], "resume"),
        ],
        Spot::Session => &[
            Keys(&[A::Down, A::Up], "move"),
            Keys(&[A::Open], "open"),
            Keys(&[A::ToList], "list"),
            Keys(&[A::NextTurn], "turn"),
            Keys(&[A::Find], "find"),
            Keys(&[A::Copy], "copy"),
            Keys(&[A::Reasoning], "reasoning"),
            Keys(&[A::Follow], "follow"),
            Keys(&[A::StepInto], "sub-agent"),
        ],
        Spot::Inside => &[
            Keys(&[A::Down, A::Up], "move"),
            Keys(&[A::Open], "open"),
            Keys(&[A::Back], "back"),
            Keys(&[A::ToList], "list"),
            Keys(&[A::NextTurn], "turn"),
            Keys(&[A::Find], "find"),
            Keys(&[A::Copy], "copy"),
            Keys(&[A::Reasoning], "reasoning"),
        ],
        Spot::Help => &[Escape("close"), Keys(&[A::Down, A::Up], "scroll")],
        Spot::Picker => &[
            Keys(&[A::Open], "pick"),
            Escape("close"),
            Keys(&[A::Down, A::Up], "choose"),
            Keys(&[A::PageDown, A::PageUp], "page"),
        ],
        Spot::Picture => &[Words("any key closes")],
    }
}

/// These stay when all others have gone.
const ALWAYS: &[Hint] = &[Keys(&[A::Help], "keys"), Keys(&[A::Quit], "quit")];

impl Keymap {
    /// What keys do there, in so many columns.
    pub fn hints(&self, spot: Spot, columns: usize) -> String {
        let of = |hint: &Hint| match hint {
            Keys(actions, what) => {
                let keys: Vec<String> = actions.iter().map(|a| self.first(*a)).collect();
                let some = !keys.iter().any(String::is_empty);
                some.then(|| format!("{} {what}", keys.join(" ")))
            }
            Escape(what) => Some(format!("Esc {what}")),
            Words(words) => Some((*words).to_owned()),
        };
        let mut told: Vec<String> = hints(spot).iter().filter_map(of).collect();
        let over = matches!(spot, Spot::Help | Spot::Picker | Spot::Picture);
        let always: Vec<String> = ALWAYS.iter().filter(|_| !over).filter_map(of).collect();
        loop {
            let all: Vec<&str> = told.iter().chain(&always).map(String::as_str).collect();
            let line = format!(" {}", all.join(" · "));
            if line.chars().count() <= columns || told.pop().is_none() {
                return line;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Spot;
    use crate::keymap::Keymap;

    #[test]
    fn hints_are_those_of_the_keys_that_there_are() {
        let own = |action: &str, keys: &[&str]| {
            let keys = keys.iter().map(|k| (*k).to_owned()).collect();
            Keymap::with(&BTreeMap::from([(action.to_owned(), keys)])).unwrap()
        };
        assert!(own("find", &["ctrl-s"]).hints(Spot::Session, 200).contains("^S find"));
        assert!(!own("find", &[]).hints(Spot::Session, 200).contains("find"));
        // How to get help and out stays longest.
        for columns in 18..120 {
            for spot in [Spot::List, Spot::Session, Spot::Inside] {
                let told = Keymap::default().hints(spot, columns);
                assert!(told.ends_with("? keys · q quit"), "{told}");
                assert!(told.chars().count() <= columns, "{told}");
            }
        }
    }
}
