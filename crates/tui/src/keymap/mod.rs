//! Keys, as data: what they do, where, and how the help names them.

use std::collections::BTreeMap;

use ratatui::crossterm::event::KeyCode;

mod hints;
mod key;

pub use hints::Spot;
pub use key::Key;

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident = $name:literal,)*) => {
        /// What a key does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action {
            $($(#[$doc])* $action,)*
        }

        impl Action {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$action),*];

            /// The name that the settings know it by.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$action => $name,)*
                }
            }
        }
    };
}

actions! {
    /// Ends the program.
    Quit = "quit",
    /// Shows or hides the help.
    Help = "help",
    /// Goes to the other pane.
    OtherPane = "other-pane",
    /// Goes to the list.
    ToList = "to-list",
    /// Goes to the conversation.
    ToConversation = "to-session",
    /// One down.
    Down = "down",
    /// One up.
    Up = "up",
    /// One line down.
    LineDown = "line-down",
    /// One line up.
    LineUp = "line-up",
    /// Half a page down.
    HalfDown = "half-page-down",
    /// Half a page up.
    HalfUp = "half-page-up",
    /// A page down.
    PageDown = "page-down",
    /// A page up.
    PageUp = "page-up",
    /// To the beginning.
    First = "first",
    /// To the end.
    Last = "last",
    /// Opens or closes what is selected.
    Open = "open",
    /// Opens or closes everything.
    OpenAll = "open-all",
    /// Shows or hides the reasoning.
    Reasoning = "reasoning",
    /// To the next turn.
    NextTurn = "next-turn",
    /// To the turn before.
    PreviousTurn = "previous-turn",
    /// Types what is looked for.
    Find = "find",
    /// To the next place that was found.
    FindNext = "find-next",
    /// To the place before.
    FindPrevious = "find-previous",
    /// Goes through the harnesses.
    Harness = "harness",
    /// Picks a project.
    Project = "project",
    /// Shows sub-agents in the list too.
    Subagents = "sub-agents",
    /// Picks a branch.
    Branches = "branches",
    /// Steps into a sub-agent.
    StepInto = "step-into",
    /// Steps back.
    Back = "back",
    /// Follows the session while it is written.
    Follow = "follow",
    /// Copies what is selected.
    Copy = "copy",
    /// Copies the command that goes on with the session.
    CopyResume = "copy-resume",
    /// Opens what is selected in an editor.
    Edit = "edit",
    /// Goes through the themes.
    Theme = "theme",
    /// Hides the list, or shows it.
    Wide = "wide",
    /// Lists the sessions anew.
    Refresh = "refresh",
    /// Draws the whole screen anew.
    Redraw = "redraw",
    /// Stops the program until its shell goes on with it.
    Suspend = "suspend",
}

/// Where a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Everywhere.
    Everywhere,
    /// In the list.
    List,
    /// In the conversation.
    Conversation,
}

use Action as A;
use KeyCode as K;
use Place::{Conversation as C, Everywhere as E, List as L};

/// Keys, what they do, and where. The order is that of the help.
const DEFAULTS: &[(Place, Key, Action)] = &[
    (E, key('j'), A::Down),
    (E, key('k'), A::Up),
    (E, named(K::Down), A::Down),
    (E, named(K::Up), A::Up),
    (E, control('n'), A::Down),
    (E, control('p'), A::Up),
    (C, key('J'), A::LineDown),
    (C, key('K'), A::LineUp),
    (C, control('e'), A::LineDown),
    (C, control('y'), A::LineUp),
    (E, key('d'), A::HalfDown),
    (E, key('u'), A::HalfUp),
    (E, control('d'), A::HalfDown),
    (E, control('u'), A::HalfUp),
    (E, key(' '), A::PageDown),
    (E, key('b'), A::PageUp),
    (E, named(K::PageDown), A::PageDown),
    (E, named(K::PageUp), A::PageUp),
    (E, control('f'), A::PageDown),
    (E, control('b'), A::PageUp),
    (C, key('f'), A::PageDown),
    (E, key('g'), A::First),
    (E, key('G'), A::Last),
    (E, named(K::Home), A::First),
    (E, named(K::End), A::Last),
    (E, key('<'), A::First),
    (E, key('>'), A::Last),
    (E, named(K::Tab), A::OtherPane),
    (E, named(K::BackTab), A::OtherPane),
    (E, key('h'), A::ToList),
    (E, named(K::Left), A::ToList),
    (E, key('l'), A::ToConversation),
    (E, named(K::Right), A::ToConversation),
    (E, named(K::Enter), A::Open),
    (C, key('o'), A::Open),
    (E, key('/'), A::Find),
    (C, key('n'), A::FindNext),
    (C, key('N'), A::FindPrevious),
    (C, key('}'), A::NextTurn),
    (C, key('{'), A::PreviousTurn),
    (C, key(']'), A::NextTurn),
    (C, key('['), A::PreviousTurn),
    (C, key('O'), A::OpenAll),
    (C, key('r'), A::Reasoning),
    (C, key('B'), A::Branches),
    (C, key('s'), A::StepInto),
    (C, named(K::Backspace), A::Back),
    (E, key('F'), A::Follow),
    (C, key('y'), A::Copy),
    (E, key('Y'), A::CopyResume),
    (C, key('e'), A::Edit),
    (L, key('f'), A::Harness),
    (L, key('p'), A::Project),
    (L, key('a'), A::Subagents),
    (E, key('w'), A::Wide),
    (E, key('t'), A::Theme),
    (E, key('R'), A::Refresh),
    (E, control('r'), A::Refresh),
    (E, control('l'), A::Redraw),
    (E, control('z'), A::Suspend),
    (E, key('?'), A::Help),
    (E, named(K::F(1)), A::Help),
    (E, key('q'), A::Quit),
    (E, control('c'), A::Quit),
];

/// The rows of the help: actions that belong together, and what they do.
const HELP: &[(&[Action], &str)] = &[
    (&[A::Down, A::Up], "next, previous"),
    (&[A::LineDown, A::LineUp], "scroll by a line"),
    (&[A::HalfDown, A::HalfUp], "half a page"),
    (&[A::PageDown, A::PageUp], "a page"),
    (&[A::First, A::Last], "first, last"),
    (&[A::OtherPane, A::ToList, A::ToConversation], "the other pane"),
    (&[A::Open], "open, close"),
    (&[A::Find], "filter sessions, find in a session"),
    (&[A::FindNext, A::FindPrevious], "next, previous find"),
    (&[A::NextTurn, A::PreviousTurn], "next, previous turn"),
    (&[A::OpenAll], "open or close everything"),
    (&[A::Reasoning], "reasoning"),
    (&[A::Branches], "branches"),
    (&[A::StepInto], "step into a sub-agent"),
    (&[A::Back], "step back"),
    (&[A::Follow], "follow while it is written"),
    (&[A::Copy], "copy"),
    (&[A::CopyResume], "copy the command that goes on with it"),
    (&[A::Edit], "open in an editor"),
    (&[A::Harness], "one harness, or all"),
    (&[A::Project], "one project, or all"),
    (&[A::Subagents], "sub-agents and archived ones"),
    (&[A::Wide], "hide or show the list"),
    (&[A::Theme], "dark, light, no colours"),
    (&[A::Refresh], "list anew"),
    (&[A::Redraw], "draw anew"),
    (&[A::Suspend], "back to the shell, until `fg`"),
    (&[], ESCAPE),
    (&[A::Help], "this help"),
    (&[A::Quit], "quit"),
];

/// What Escape does, which is no action: it leaves whatever was entered.
const ESCAPE: &str = "out of what was entered last";

/// So many columns the help has for keys.
pub const KEYS_COLUMNS: usize = 16;

const fn key(c: char) -> Key {
    Key::plain(K::Char(c))
}

const fn named(code: KeyCode) -> Key {
    Key::plain(code)
}

const fn control(c: char) -> Key {
    Key { code: K::Char(c), control: true }
}

/// A row of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    /// The keys.
    pub keys: String,
    /// What they do.
    pub what: &'static str,
    /// Where they count.
    pub place: Place,
}

/// What keys do.
#[derive(Debug, Clone)]
pub struct Keymap(Vec<(Place, Key, Action)>);

impl Default for Keymap {
    fn default() -> Self {
        Self(DEFAULTS.to_vec())
    }
}

impl Keymap {
    /// The keys as they are, but for those of the actions that a person named. A key that does something new does nothing else
    /// any more.
    pub fn with(own: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        let mut map = Self::default();
        for (name, keys) in own {
            let action = Action::ALL
                .iter()
                .copied()
                .find(|action| action.name() == name)
                .ok_or_else(|| format!("`{name}` is nothing that a key can do"))?;
            let place =
                DEFAULTS.iter().find(|(.., a)| *a == action).map_or(E, |(place, ..)| *place);
            map.0.retain(|(.., a)| *a != action);
            for spelled in keys {
                let key = Key::parse(spelled).ok_or_else(|| {
                    format!(
                        "`{spelled}` is no key; keys are such as `j`, `ctrl-d`, `page-down`, `f1`"
                    )
                })?;
                map.0.retain(|(p, k, _)| *k != key || !meet(*p, place));
                map.0.push((place, key, action));
            }
        }
        Ok(map)
    }

    /// What a key does in a pane.
    pub fn action(&self, key: Key, place: Place) -> Option<Action> {
        let fits = |(p, k, _): &&(Place, Key, Action)| *k == key && meet(*p, place);
        self.0.iter().find(fits).map(|(.., action)| *action)
    }

    /// The first key of an action, as the help shows it.
    pub fn first(&self, action: Action) -> String {
        self.0.iter().find(|(.., a)| *a == action).map_or_else(String::new, |(_, k, _)| k.shown())
    }

    /// The help.
    pub fn help(&self) -> Vec<HelpRow> {
        HELP.iter()
            .filter_map(|(actions, what)| {
                if actions.is_empty() {
                    return Some(HelpRow { keys: "Esc".to_owned(), what, place: E });
                }
                let of = |a: &Action| {
                    let own = self.0.iter().filter(|(.., b)| b == a);
                    own.map(|(_, k, _)| k.shown()).collect::<Vec<_>>()
                };
                let each: Vec<Vec<String>> = actions.iter().map(of).collect();
                let most = each.iter().map(Vec::len).max().unwrap_or(0);
                // The first key of each, then the second of each, as many as there is room for.
                let mut keys = String::new();
                for n in 0..most {
                    let next: Vec<&str> =
                        each.iter().filter_map(|k| k.get(n)).map(String::as_str).collect();
                    let more = if keys.is_empty() {
                        next.join(" ")
                    } else {
                        format!(" {}", next.join(" "))
                    };
                    if !keys.is_empty()
                        && (keys.chars().count() + more.chars().count()) >= KEYS_COLUMNS
                    {
                        break;
                    }
                    keys.push_str(&more);
                }
                let place = self.0.iter().find(|(.., a)| actions.contains(a))?.0;
                Some(HelpRow { keys, what, place })
            })
            .collect()
    }
}

/// Whether two places have a pane in common.
fn meet(a: Place, b: Place) -> bool {
    a == b || a == E || b == E
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Action, DEFAULTS, HELP, KEYS_COLUMNS, Key, Keymap, Place, meet};

    #[test]
    fn no_key_does_two_things() {
        for (n, a) in DEFAULTS.iter().enumerate() {
            for b in &DEFAULTS[n + 1..] {
                assert!(!(meet(a.0, b.0) && a.1 == b.1), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_action_has_a_key_and_a_row_in_the_help() {
        for action in Action::ALL {
            assert!(DEFAULTS.iter().any(|(.., a)| a == action), "{action:?}");
            assert!(HELP.iter().any(|(actions, _)| actions.contains(action)), "{action:?}");
        }
        let rows = Keymap::default().help();
        assert_eq!(rows.len(), HELP.len());
        assert_eq!(rows[0].keys, "j k ↓ ↑ ^N ^P");
        assert!(rows.iter().all(|r| r.keys.chars().count() < KEYS_COLUMNS), "{rows:?}");
    }

    #[test]
    fn a_person_has_keys_of_their_own() {
        let own = |action: &str, keys: &[&str]| {
            let keys = keys.iter().map(|k| (*k).to_owned()).collect();
            Keymap::with(&BTreeMap::from([(action.to_owned(), keys)]))
        };
        let key = |name: &str| Key::parse(name).unwrap();
        let map = own("down", &["ctrl-j", "q"]).unwrap();
        for place in [Place::List, Place::Conversation] {
            assert_eq!(map.action(key("q"), place), Some(Action::Down));
            assert_eq!(map.action(key("j"), place), None);
            assert_eq!(map.action(key("k"), place), Some(Action::Up));
        }
        assert_eq!(map.first(Action::Down), "^J");
        // What counts in one pane takes nothing from the other.
        let map = own("harness", &["r"]).unwrap();
        assert_eq!(map.action(key("r"), Place::List), Some(Action::Harness));
        assert_eq!(map.action(key("r"), Place::Conversation), Some(Action::Reasoning));
        assert!(
            own("harness", &[]).unwrap().help().iter().all(|r| r.what != "one harness, or all")
        );
        assert!(own("fly", &["x"]).unwrap_err().contains("`fly`"));
        assert!(own("down", &["xx"]).unwrap_err().contains("`xx`"));
    }
}
