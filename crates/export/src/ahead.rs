//! Items written ahead on several cores, and handed out in order.
//!
//! Most of the time that an export takes goes into items, and how one is written depends on no other.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

/// Fewer jobs are done where they are wanted: another core is not worth the way.
const FEW: usize = 512;
/// So many bytes are made ahead at most, and what each core is at when they are.
const ROOM: usize = 4 << 20;
/// So many jobs are taken at once.
const TAKEN: usize = 16;

/// What the next job wrote.
pub(crate) type Next<'a> = dyn FnMut() -> io::Result<Vec<u8>> + 'a;

/// Gives what each job writes, in order, where there are many and several cores. Made to be called once for each job.
pub(crate) fn of<'a, J: Sync + 'a>(
    jobs: Vec<J>,
    write: impl Fn(&J, &mut Vec<u8>) -> io::Result<()> + Sync + 'a,
) -> Option<Box<Next<'a>>> {
    if jobs.len() < FEW || rayon::current_num_threads() < 2 {
        return None;
    }
    let mut at = 0;
    let mut ready = VecDeque::new();
    Some(Box::new(move || {
        if ready.is_empty() {
            let rest = jobs.get(at..).unwrap_or_default();
            let made = round(rest, &write, rayon::current_num_threads())?;
            at += made.len();
            ready.extend(made);
        }
        Ok(ready.pop_front().unwrap_or_default())
    }))
}

/// Does as many of the first jobs as there is room for.
fn round<J: Sync>(
    jobs: &[J],
    write: &(impl Fn(&J, &mut Vec<u8>) -> io::Result<()> + Sync),
    cores: usize,
) -> io::Result<Vec<Vec<u8>>> {
    let (next, filled) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // What is taken is done, so that what is done has no gaps.
    let work = || {
        let mut made: Vec<(usize, Vec<u8>)> = Vec::new();
        while filled.load(Ordering::Relaxed) < ROOM {
            let from = next.fetch_add(TAKEN, Ordering::Relaxed);
            let Some(rest) = jobs.get(from..).filter(|rest| !rest.is_empty()) else { break };
            for (n, job) in rest.iter().take(TAKEN).enumerate() {
                let mut out = Vec::new();
                write(job, &mut out)?;
                filled.fetch_add(out.len(), Ordering::Relaxed);
                made.push((from + n, out));
            }
        }
        io::Result::Ok(made)
    };
    let made: Vec<_> = (0..cores).into_par_iter().map(|_| work()).collect::<io::Result<_>>()?;
    let mut made: Vec<(usize, Vec<u8>)> = made.into_iter().flatten().collect();
    made.sort_unstable_by_key(|(n, _)| *n);
    Ok(made.into_iter().map(|(_, out)| out).collect())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::{FEW, ROOM, of, round};

    #[test]
    fn everything_comes_in_order_however_large_it_is() {
        let jobs: Vec<usize> = (0..FEW * 3).collect();
        let large = |n: usize| if n % 700 == 3 { ROOM } else { 0 };
        let write = |n: &usize, out: &mut Vec<u8>| {
            out.resize(large(*n), b'0');
            write!(out, "{n}")
        };
        for cores in [1, 2, 5] {
            let mut at = 0;
            while at < jobs.len() {
                let made = round(&jobs[at..], &write, cores).unwrap();
                assert!(!made.is_empty());
                for out in made {
                    assert_eq!(String::from_utf8(out).unwrap().parse::<usize>().unwrap(), at);
                    at += 1;
                }
            }
        }
        if let Some(mut next) = of(jobs.clone(), write) {
            for n in &jobs {
                assert!(next().unwrap().ends_with(n.to_string().as_bytes()));
            }
            assert!(next().unwrap().is_empty());
        }
        assert!(of(jobs[1..FEW].to_vec(), write).is_none());
    }

    #[test]
    fn an_error_is_told() {
        let write = |n: &usize, _: &mut Vec<u8>| match n {
            40 => Err(io::Error::other("no room")),
            _ => Ok(()),
        };
        let jobs: Vec<usize> = (0..100).collect();
        assert_eq!(round(&jobs, &write, 2).unwrap_err().to_string(), "no room");
    }
}
