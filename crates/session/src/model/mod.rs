//! The model: one thread, whatever the harness.
//!
//! - [`thread`], [`turn`], [`item`]: what a person saw (the display view)
//! - [`context`]: what the model had in front of it (the model view)
//! - [`branch`], [`lineage`]: paths through a tree, and relations between threads
//! - [`usage`]: tokens and cost
//!
//! The vocabulary of items is Codex's `ThreadItem`; names and fields are spelled as its protocol spells them.

pub mod branch;
pub mod context;
pub mod item;
pub mod lineage;
pub(crate) mod looking;
pub mod thread;
pub mod turn;
pub mod usage;

pub use branch::{Aside, Branch};
pub use context::{Block, Message, ModelView, Role};
pub use item::{At, Item, ItemKind};
pub use lineage::{Lineage, Subagent};
pub use thread::{Thread, ThreadStatus};
pub use turn::{Turn, TurnError, TurnStatus};
pub use usage::{Responses, Usage};
