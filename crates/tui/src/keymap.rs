//! Keys, as data: what they do, where, and how the help names them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Ends the program.
    Quit,
    /// Shows or hides the help.
    Help,
    /// Goes to the other pane.
    OtherPane,
    /// Goes to the list.
    ToList,
    /// Goes to the conversation.
    ToConversation,
    /// One down.
    Down,
    /// One up.
    Up,
    /// One line down.
    LineDown,
    /// One line up.
    LineUp,
    /// Half a page down.
    HalfDown,
    /// Half a page up.
    HalfUp,
    /// A page down.
    PageDown,
    /// A page up.
    PageUp,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// Opens or closes what is selected.
    Open,
    /// Opens or closes everything.
    OpenAll,
    /// Shows or hides the reasoning.
    Reasoning,
    /// To the next turn.
    NextTurn,
    /// To the turn before.
    PreviousTurn,
    /// Types what is looked for.
    Find,
    /// To the next place that was found.
    FindNext,
    /// To the place before.
    FindPrevious,
    /// Goes through the harnesses.
    Facet,
    /// Shows sub-agents in the list too.
    Subagents,
    /// Picks a branch.
    Branches,
    /// Steps into a sub-agent.
    StepInto,
    /// Steps back.
    Back,
    /// Follows the session while it is written.
    Follow,
    /// Copies what is selected.
    Copy,
    /// Copies the command that goes on with the session.
    CopyResume,
    /// Opens what is selected in an editor.
    Edit,
    /// Goes through the themes.
    Theme,
    /// Hides the list, or shows it.
    Wide,
    /// Lists the sessions anew.
    Refresh,
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

/// A key, what it does, and where. The first entry of an action with words is named in the help.
#[derive(Debug)]
pub struct Binding {
    /// Where it counts.
    pub place: Place,
    /// The key.
    pub code: KeyCode,
    /// Whether the control key is held.
    pub control: bool,
    /// What it does.
    pub action: Action,
    /// How the help names the keys of this action.
    pub keys: &'static str,
    /// What the help says; empty for further keys of the same action.
    pub help: &'static str,
}

const fn key(
    place: Place,
    code: KeyCode,
    action: Action,
    keys: &'static str,
    help: &'static str,
) -> Binding {
    Binding { place, code, control: false, action, keys, help }
}

const fn control(place: Place, c: char, action: Action) -> Binding {
    Binding { place, code: KeyCode::Char(c), control: true, action, keys: "", help: "" }
}

const fn also(place: Place, code: KeyCode, action: Action) -> Binding {
    key(place, code, action, "", "")
}

use Action as A;
use KeyCode as K;
use Place::{Conversation as C, Everywhere as E, List as L};

/// All keys.
pub const BINDINGS: &[Binding] = &[
    key(E, K::Char('j'), A::Down, "j k ↓ ↑", "next, previous"),
    also(E, K::Down, A::Down),
    also(E, K::Char('k'), A::Up),
    also(E, K::Up, A::Up),
    control(E, 'n', A::Down),
    control(E, 'p', A::Up),
    key(C, K::Char('J'), A::LineDown, "J K ^E ^Y", "scroll by a line"),
    also(C, K::Char('K'), A::LineUp),
    control(C, 'e', A::LineDown),
    control(C, 'y', A::LineUp),
    key(E, K::Char('d'), A::HalfDown, "d u ^D ^U", "half a page"),
    also(E, K::Char('u'), A::HalfUp),
    control(E, 'd', A::HalfDown),
    control(E, 'u', A::HalfUp),
    key(E, K::Char(' '), A::PageDown, "Space b", "a page"),
    also(E, K::PageDown, A::PageDown),
    control(E, 'f', A::PageDown),
    also(E, K::Char('b'), A::PageUp),
    also(E, K::PageUp, A::PageUp),
    control(E, 'b', A::PageUp),
    key(E, K::Char('g'), A::First, "g G", "first, last"),
    also(E, K::Home, A::First),
    also(E, K::Char('G'), A::Last),
    also(E, K::End, A::Last),
    key(E, K::Tab, A::OtherPane, "Tab h l", "the other pane"),
    also(E, K::BackTab, A::OtherPane),
    also(E, K::Char('h'), A::ToList),
    also(E, K::Left, A::ToList),
    also(E, K::Char('l'), A::ToConversation),
    also(E, K::Right, A::ToConversation),
    key(E, K::Enter, A::Open, "Enter", "open, close"),
    also(C, K::Char('o'), A::Open),
    key(E, K::Char('/'), A::Find, "/", "filter sessions, find in a session"),
    key(C, K::Char('n'), A::FindNext, "n N", "next, previous find"),
    also(C, K::Char('N'), A::FindPrevious),
    key(C, K::Char('}'), A::NextTurn, "} {", "next, previous turn"),
    also(C, K::Char(']'), A::NextTurn),
    also(C, K::Char('{'), A::PreviousTurn),
    also(C, K::Char('['), A::PreviousTurn),
    key(C, K::Char('O'), A::OpenAll, "O", "open or close everything"),
    key(C, K::Char('r'), A::Reasoning, "r", "reasoning"),
    key(C, K::Char('B'), A::Branches, "B", "branches"),
    key(C, K::Char('s'), A::StepInto, "s", "step into a sub-agent"),
    key(C, K::Backspace, A::Back, "Backspace", "step back"),
    key(E, K::Char('F'), A::Follow, "F", "follow while it is written"),
    key(C, K::Char('y'), A::Copy, "y", "copy"),
    key(E, K::Char('Y'), A::CopyResume, "Y", "copy the command that goes on with it"),
    key(C, K::Char('e'), A::Edit, "e", "open in an editor"),
    key(L, K::Char('f'), A::Facet, "f", "one harness, or all"),
    key(L, K::Char('a'), A::Subagents, "a", "sub-agents and archived ones"),
    key(E, K::Char('R'), A::Refresh, "R", "list anew"),
    key(E, K::Char('w'), A::Wide, "w", "hide or show the list"),
    key(E, K::Char('t'), A::Theme, "t", "dark, light, no colours"),
    key(E, K::Char('?'), A::Help, "?", "this help"),
    also(E, K::F(1), A::Help),
    key(E, K::Char('q'), A::Quit, "q", "quit"),
    control(E, 'c', A::Quit),
];

/// What a key does in a pane.
pub fn action(event: KeyEvent, place: Place) -> Option<Action> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    if event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let fits = |b: &&Binding| {
        b.code == event.code && b.control == control && (b.place == place || b.place == E)
    };
    BINDINGS.iter().find(fits).map(|b| b.action)
}

#[cfg(test)]
mod tests {
    use super::{BINDINGS, Place};

    #[test]
    fn no_key_does_two_things() {
        for (n, a) in BINDINGS.iter().enumerate() {
            for b in &BINDINGS[n + 1..] {
                let meet = a.place == b.place
                    || a.place == Place::Everywhere
                    || b.place == Place::Everywhere;
                assert!(!(meet && a.code == b.code && a.control == b.control), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_help_names_every_action() {
        for binding in BINDINGS {
            let named = |b: &&super::Binding| b.action == binding.action && !b.help.is_empty();
            let opposite = BINDINGS.iter().any(|b| b.help.contains(", ") || b.keys.contains(' '));
            assert!(BINDINGS.iter().any(|b| named(&b)) || opposite, "{binding:?}");
        }
    }
}
