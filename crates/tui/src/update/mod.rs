//! What keys, the mouse and the workers do.
//!
//! - `keys`: what a key does, wherever it is pressed
//! - `list`: in the list
//! - `session`: in the conversation, and stepping between them
//! - `over`: in what lies over the panes
//! - `typing`: while something is typed
//! - `mouse`: what the mouse does

use jiff::Timestamp;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use recount_session::history::thread::{Follower, Mapped};
use recount_store::SessionHead;

use crate::conversation::{Conversation, Loaded};
use crate::picture::Picture;
use crate::state::{Overlay, State, Way};
use crate::worker::PicturePlace;
use crate::worker::bill::Bill;
use crate::worker::seek::Sought;

mod keys;
mod list;
mod mouse;
mod over;
mod session;
mod typing;

/// Something that happened.
#[derive(Debug)]
pub enum Message {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The screen has another size.
    Resize(u16, u16),
    /// Time went by.
    Tick(Timestamp),
    /// The sessions as the index remembers them: to be shown until the stores are read.
    Remembered(Vec<SessionHead>),
    /// The stores were read.
    Listed(Vec<SessionHead>),
    /// The newest turns of a session that is still being read.
    First(u64, Box<Loaded<Follower>>),
    /// A session was read.
    Opened(u64, Box<Loaded<Follower>>),
    /// A session could not be read.
    Failed(u64, String),
    /// The open session was written and read again.
    Grown(u64, Box<Loaded<Mapped>>),
    /// What the open session cost.
    Billed(u64, Bill),
    /// The index says something about a query.
    Sought(String, Sought),
    /// A picture was read, or not.
    Pictured(u64, Result<Box<Picture>, String>),
    /// Something that was asked for is done.
    Done(String),
}

/// Something that is asked for.
#[derive(Debug)]
pub enum Effect {
    /// Ends the program.
    Quit,
    /// Reads the stores.
    List,
    /// Reads a session.
    Open {
        /// Its number, by which the answer is known.
        ticket: u64,
        /// The session, or only its id.
        session: Result<Box<SessionHead>, String>,
        /// The branch.
        leaf: Option<String>,
    },
    /// Looks whether the open session grows, or no longer.
    Follow(bool),
    /// Looks for words in all sessions.
    Seek(String),
    /// Reads a picture of the open session.
    Picture {
        /// The number of the session.
        ticket: u64,
        /// Where it is.
        place: PicturePlace,
    },
    /// Draws the whole screen anew.
    Redraw,
    /// Puts text on the clipboard.
    Copy(String),
    /// Opens text in an editor.
    Edit(String),
}

/// Lets something happen.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Key(key) if key.kind != KeyEventKind::Release => {
            state.status = None;
            keys::pressed(state, key, &mut effects);
        }
        Message::Pictured(ticket, picture) if state.ticket == ticket => match picture {
            Ok(picture) => {
                state.status = None;
                state.overlay = Some(Overlay::Picture(picture));
            }
            Err(why) => state.status = Some(why),
        },
        // The end of a key; a picture of a session that was left.
        Message::Key(_) | Message::Pictured(..) => {}
        Message::Mouse(mouse) => mouse::used(state, mouse, &mut effects),
        Message::Paste(text) => {
            if state.input.is_some() {
                for c in text.chars().filter(|c| !c.is_control()) {
                    typing::typed(
                        state,
                        KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE),
                        &mut effects,
                    );
                }
            }
        }
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            state.fit();
        }
        Message::Tick(now) => state.now = now,
        Message::Remembered(heads) => {
            if !state.list.listed {
                state.list.take(heads, state.now);
            }
        }
        Message::Listed(heads) => {
            let first = !std::mem::replace(&mut state.list.listed, true);
            state.list.take(heads, state.now);
            // The newest session stands beside the list at once.
            if first && state.is_split() && state.conversation.is_none() {
                list::open_selected(state, &mut effects);
            }
        }
        Message::First(ticket, loaded) => {
            if state.opening.as_ref().is_some_and(|(n, _)| *n == ticket) {
                let mut conversation = Conversation::new(*loaded, state.layout());
                conversation.partial = true;
                show(state, ticket, conversation);
            }
        }
        Message::Opened(ticket, loaded) => {
            if state.opening.as_ref().is_some_and(|(n, _)| *n == ticket) {
                state.opening = None;
                let conversation = Conversation::new(*loaded, state.layout());
                show(state, ticket, conversation);
                list::show_found(state);
                effects.push(Effect::Follow(true));
            }
        }
        Message::Failed(ticket, why) => {
            if state.opening.as_ref().is_some_and(|(n, _)| *n == ticket) {
                state.opening = None;
                state.way = Way::Anew;
                state.status = Some(why);
                // Its newest turns may stand there: nothing more of it comes.
                if let Some(shown) = state.conversation.as_mut().filter(|_| state.ticket == ticket)
                {
                    shown.partial = false;
                }
            }
        }
        Message::Grown(ticket, loaded) => {
            if let Some(conversation) =
                state.conversation.as_mut().filter(|_| state.ticket == ticket)
            {
                state.list.touch(&loaded.head, state.now);
                conversation.grow(*loaded);
            }
        }
        Message::Billed(ticket, bill) => {
            if let Some(conversation) =
                state.conversation.as_mut().filter(|_| state.ticket == ticket)
            {
                conversation.info.bill = Some(bill);
            }
        }
        Message::Sought(query, sought) => state.list.take_sought(&query, sought),
        Message::Done(what) => state.status = Some(what),
    }
    effects
}

/// Shows a session that was asked for; its newest turns may stand there already.
fn show(state: &mut State, ticket: u64, conversation: Conversation) {
    let old = state.conversation.replace(conversation);
    if std::mem::replace(&mut state.ticket, ticket) == ticket {
        return;
    }
    match std::mem::take(&mut state.way) {
        Way::Anew => state.stack.clear(),
        Way::Into => state.stack.extend(old),
        Way::Across => {}
    }
}
