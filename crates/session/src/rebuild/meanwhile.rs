//! Two things at once.

use std::thread;

/// For less than this, a thread is not worth its start.
const MUCH: usize = 2 << 20;

/// Does something else with so many bytes while the work goes on.
pub(super) fn meanwhile<O: Send, R>(
    bytes: usize,
    other: impl Fn() -> O + Sync,
    work: impl FnOnce() -> R,
) -> (O, R) {
    if bytes < MUCH {
        let result = work();
        return (other(), result);
    }
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, &other);
        let result = work();
        let other = match started.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(other)) => other,
            Ok(Err(panicked)) => std::panic::resume_unwind(panicked),
            // The system has no thread to give.
            Err(_) => other(),
        };
        (other, result)
    })
}

#[cfg(test)]
mod tests {
    use super::{MUCH, meanwhile};

    #[test]
    fn both_are_done() {
        for bytes in [0, MUCH] {
            let mut done = 0;
            let both = meanwhile(bytes, || bytes + 1, || done += 1);
            assert_eq!((both, done), ((bytes + 1, ()), 1));
        }
    }
}
