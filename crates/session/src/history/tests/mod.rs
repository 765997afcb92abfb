//! The history state as a whole.

mod events;
mod snapshots;
mod threads;
