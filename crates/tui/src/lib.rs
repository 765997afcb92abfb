//! Sessions on a terminal.
//!
//! Written as state, update, view: [`state`] is all there is to see, [`update`] changes it by what happens and asks for what
//! takes time, `view` draws it and changes nothing but caches. Only [`terminal`], [`signals`], [`worker`] and [`mod@run`] touch the
//! outside.
//!
//! - [`state`]: the list, the conversation, what lies over them
//! - [`conversation`]: records as cells, laid out as far as they are seen
//! - [`update`]: what keys, the mouse and the workers do
//! - [`keymap`]: keys, as data
//! - `view`: drawing
//! - [`cell`]: one record as lines
//! - [`words`]: one record as plain text, for finding and copying
//! - [`code`]: colours for code
//! - [`picture`]: pictures, read and drawn
//! - [`theme`]: colours for dark and light grounds, or none
//! - [`worker`]: listing, opening and following on other threads
//! - [`terminal`]: taking the terminal over, and giving it back whatever happens
//! - [`signals`]: ending, stopping and going on when the system says so

pub mod cell;
pub mod code;
pub mod conversation;
pub mod keymap;
pub mod picture;
pub mod run;
pub mod signals;
pub mod state;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;
pub mod words;
pub mod worker;

#[cfg(test)]
mod tests;

pub use keymap::Keymap;
pub use run::{Options, run};
pub use theme::Theme;
