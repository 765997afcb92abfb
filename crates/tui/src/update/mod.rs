//! What keys, the mouse and the workers do.
//!
//! - `keys`: what a key does, wherever it is pressed
//! - `list`: in the list
//! - `session`: in the conversation, and stepping between them
//! - `over`: in what lies over the panes
//! - `typing`: while something is typed
//! - `mouse`: what the mouse does

use jiff::Timestamp;
use ratatui::crossterm::event::{KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};
use recount_session::history::thread::{Follower, Mapped};
use recount_store::SessionHead;

use crate::conversation::{Conversation, Loaded};
use crate::picture::Picture;
use crate::state::{Focus, Overlay, State, Way};
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
    /// A session was named when the program began: its id, or the beginning of it.
    Named(String),
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
    /// Stops the program until its shell goes on with it.
    Suspend,
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
        Message::Mouse(mouse) => {
            // The mouse says where it is all the time.
            if mouse.kind != MouseEventKind::Moved {
                state.status = None;
            }
            mouse::used(state, mouse, &mut effects);
        }
        Message::Paste(text) => {
            typing::pasted(state, &text, &mut effects);
        }
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            state.fit();
        }
        Message::Tick(now) => {
            state.now = now;
            if let Some(conversation) = &mut state.conversation {
                conversation.alive = conversation.is_alive(now);
            }
        }
        Message::Named(id) => {
            session::open(state, Err(id), None, Way::Anew, &mut effects);
            state.focus = Focus::Conversation;
            state.named = true;
        }
        Message::Remembered(heads) => {
            if !state.list.listed {
                state.list.take(heads, state.now);
            }
        }
        Message::Listed(heads) => {
            let first = !std::mem::replace(&mut state.list.listed, true);
            if state.status.as_deref() == Some(keys::LISTING) {
                state.status = None;
            }
            let before = state.list.place();
            state.list.take(heads, state.now);
            match &state.conversation {
                // What was named is there before the list is.
                Some(shown) if first => state.list.select(Some(&shown.session())),
                // The newest session stands beside the list at once, unless another one was named.
                None if first && state.opening.is_none() => list::settle(state, &mut effects),
                // Whoever reads is left alone.
                Some(_) if state.focus == Focus::List && before != state.list.place() => {
                    list::settle(state, &mut effects);
                }
                _ => {}
            }
        }
        Message::First(ticket, loaded) => {
            let whole = |shown: &Conversation| shown.is_of(&loaded.head, None) && !shown.partial;
            if is_awaited(state, ticket) && !state.conversation.as_ref().is_some_and(whole) {
                let mut conversation = Conversation::new(*loaded, state.layout());
                conversation.partial = true;
                show(state, ticket, conversation);
            }
        }
        Message::Opened(ticket, loaded) => {
            if is_awaited(state, ticket) {
                state.opening = None;
                let mut conversation = Conversation::new(*loaded, state.layout());
                let is = |shown: &&mut Conversation| {
                    shown.is_of(&conversation.head, conversation.leaf.as_deref())
                };
                // Whoever reads on in it meanwhile stays where they are.
                let kept = match state.conversation.as_mut().filter(is) {
                    Some(shown) => conversation.take_place(shown),
                    None => false,
                };
                effects.push(Effect::Follow(conversation.follow));
                if std::mem::take(&mut state.named) {
                    state.list.select(Some(&conversation.session()));
                }
                show(state, ticket, conversation);
                if !kept {
                    list::show_found(state);
                }
            }
        }
        Message::Failed(ticket, why) => {
            if is_awaited(state, ticket) {
                state.opening = None;
                state.way = Way::Anew;
                state.status = Some(why);
                // Its newest turns may stand there: nothing more of it comes.
                if let Some(shown) = state.conversation.as_mut().filter(|_| state.ticket == ticket)
                {
                    shown.partial = false;
                }
                // The list is what there is instead of a session that there is not.
                if std::mem::take(&mut state.named) && state.conversation.is_none() {
                    state.focus = Focus::List;
                    if state.list.listed {
                        list::settle(state, &mut effects);
                    }
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
        Message::Sought(query, sought) => {
            let before = state.list.place();
            state.list.take_sought(&query, sought);
            if state.focus == Focus::List && before != state.list.place() {
                list::settle(state, &mut effects);
            }
        }
        Message::Done(what) => state.status = Some(what),
    }
    effects
}

/// Whether the answer with this number is waited for.
fn is_awaited(state: &State, ticket: u64) -> bool {
    state.opening.as_ref().is_some_and(|opening| opening.ticket == ticket)
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
