//! Two things at once.

/// For less than this, another core is not worth the way.
const MUCH: usize = 2 << 20;

/// Does something else with so many bytes while the work goes on.
pub(super) fn meanwhile<O: Send, R: Send>(
    bytes: usize,
    other: impl FnOnce() -> O + Send,
    work: impl FnOnce() -> R + Send,
) -> (O, R) {
    if bytes < MUCH { (other(), work()) } else { rayon::join(other, work) }
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
