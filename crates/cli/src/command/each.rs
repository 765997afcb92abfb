//! Many sessions, a few at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use recount_store::SessionHead;

/// Does something with each session on a few cores, and gives each result to `done` in this thread; ends early when `done`
/// says so. At most as many sessions as cores are in memory.
pub(super) fn each<'a, R: Send>(
    sessions: &[&'a SessionHead],
    work: impl Fn(&'a SessionHead) -> R + Sync,
    mut done: impl FnMut(&'a SessionHead, R) -> bool,
) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(workers);
        for _ in 0..workers.min(sessions.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(session) = sessions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((*session, work(session))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (session, result) in results {
            if !done(session, result) {
                next.store(sessions.len(), Ordering::Relaxed);
                break;
            }
        }
    });
}
