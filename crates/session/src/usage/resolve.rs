//! Copies across transcripts: each response counts once, for the thread that made it.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::{Key, KeyMap, Origin, Transcript};

/// A response of some transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    /// Which transcript.
    pub transcript: u32,
    /// Which of its responses.
    pub response: u32,
}

/// What became of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It counts, for the thread that its transcript names.
    Counted,
    /// It counts, though only a copy of it is left: for the first of its transcript's sources.
    CountedForSource,
    /// It repeats another one.
    CopyOf(Pointer),
}

/// What became of all responses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resolved {
    /// By transcript and response.
    pub verdicts: Vec<Vec<Verdict>>,
}

impl Resolved {
    /// The thread that a counted response belongs to; nothing for a copy.
    pub fn thread_of<'t>(
        &self,
        transcripts: &'t [impl AsRef<Transcript>],
        at: Pointer,
    ) -> Option<&'t str> {
        let transcript = transcripts.get(at.transcript as usize)?.as_ref();
        let response = transcript.responses.get(at.response as usize)?;
        match self.verdicts.get(at.transcript as usize)?.get(at.response as usize)? {
            Verdict::Counted => Some(transcript.name_of(response.thread)),
            Verdict::CountedForSource => {
                Some(transcript.sources.first().map_or(transcript.thread.as_str(), String::as_str))
            }
            Verdict::CopyOf(_) => None,
        }
    }
}

impl AsRef<Self> for Transcript {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Decides for each response whether it counts.
///
/// The order of transcripts does not matter, but where nothing else tells a source from its copy (files that
/// begin at the same time): then the first one is the source.
pub fn resolve(transcripts: &[impl AsRef<Transcript>]) -> Resolved {
    let mut verdicts: Vec<Vec<Verdict>> =
        transcripts.iter().map(|t| vec![Verdict::Counted; t.as_ref().responses.len()]).collect();
    let order = order(transcripts);
    by_identity(transcripts, &order, &mut verdicts);
    by_counter(transcripts, &order, &mut verdicts);
    Resolved { verdicts }
}

/// The transcripts by the time at which they begin. Claude Code's `--fork-session` copies lines with their
/// times and without a pointer, but the file's own first line is younger than the source's.
fn order(transcripts: &[impl AsRef<Transcript>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..transcripts.len() as u32).collect();
    order.sort_by_key(|&n| transcripts[n as usize].as_ref().first_time.unwrap_or(i64::MAX));
    order
}

/// Of the responses with one identity the one with the best origin counts, of several the one in the oldest transcript.
fn by_identity(
    transcripts: &[impl AsRef<Transcript>],
    order: &[u32],
    verdicts: &mut [Vec<Verdict>],
) {
    let responses: usize = verdicts.iter().map(Vec::len).sum();
    let mut best: KeyMap<(Origin, Pointer)> =
        KeyMap::with_capacity_and_hasher(responses, BuildHasherDefault::default());
    for &transcript in order {
        let responses = &transcripts[transcript as usize].as_ref().responses;
        for (response, r) in responses.iter().enumerate().filter(|(_, r)| !r.key.is_none()) {
            let here = Pointer { transcript, response: response as u32 };
            let known = best.entry(r.key).or_insert((r.origin, here));
            if known.1 == here {
                continue;
            }
            let loser = if r.origin < known.0 {
                let old = std::mem::replace(known, (r.origin, here));
                old.1
            } else {
                here
            };
            verdicts[loser.transcript as usize][loser.response as usize] = Verdict::CopyOf(known.1);
        }
    }
    // One that lost to a loser points to the winner.
    for &transcript in order {
        let responses = &transcripts[transcript as usize].as_ref().responses;
        for (r, verdict) in responses.iter().zip(&mut verdicts[transcript as usize]) {
            if let (Verdict::CopyOf(winner), Some((_, best))) = (&mut *verdict, best.get(&r.key)) {
                *winner = *best;
            }
        }
    }
}

/// Codex's copies of counters: equal numbers in a source, from the beginning of the copy on.
fn by_counter(
    transcripts: &[impl AsRef<Transcript>],
    order: &[u32],
    verdicts: &mut [Vec<Verdict>],
) {
    let may_be_copy =
        |origin: Origin| matches!(origin, Origin::Copied | Origin::Inherited | Origin::Suspect);
    let copying: Vec<u32> = order
        .iter()
        .copied()
        .filter(|&n| {
            let t = transcripts[n as usize].as_ref();
            t.responses.iter().any(|r| !r.counter.is_none() && may_be_copy(r.origin))
        })
        .collect();
    if copying.is_empty() {
        return;
    }
    let mut by_thread: HashMap<&str, Vec<u32>> = HashMap::new();
    for &n in order {
        by_thread.entry(&transcripts[n as usize].as_ref().thread).or_default().push(n);
    }
    // What was already found out about copies whose source is not there: the first one counts.
    let mut orphans: HashMap<(&str, Key), Pointer> = HashMap::new();
    for &n in &copying {
        let transcript = transcripts[n as usize].as_ref();
        let ancestors = ancestors(transcripts, &by_thread, transcript);
        let mut originals: KeyMap<Pointer> = KeyMap::default();
        for &ancestor in &ancestors {
            for (response, r) in
                transcripts[ancestor as usize].as_ref().responses.iter().enumerate()
            {
                if !r.counter.is_none() {
                    originals
                        .entry(r.counter)
                        .or_insert(Pointer { transcript: ancestor, response: response as u32 });
                }
            }
        }
        let mut in_prefix = true;
        for (response, r) in transcript.responses.iter().enumerate() {
            let counted = verdicts[n as usize][response] == Verdict::Counted;
            if r.counter.is_none()
                || !may_be_copy(r.origin)
                || !counted
                || !r.key.is_none() && r.origin == Origin::Copied
            {
                continue;
            }
            let here = Pointer { transcript: n, response: response as u32 };
            let original = originals.get(&r.counter).filter(|_| in_prefix).map(|&o| match verdicts
                [o.transcript as usize][o.response as usize]
            {
                Verdict::CopyOf(source) => source,
                _ => o,
            });
            let verdict = &mut verdicts[n as usize][response];
            if let Some(original) = original {
                *verdict = Verdict::CopyOf(original);
                continue;
            }
            let certain = match r.origin {
                Origin::Copied => true,
                Origin::Inherited => ancestors.is_empty(),
                _ => false,
            };
            if !certain {
                in_prefix = false;
                continue;
            }
            let source = transcript.sources.first().map_or("", String::as_str);
            *verdict = if let Some(&first) = orphans.get(&(source, r.counter)) {
                Verdict::CopyOf(first)
            } else {
                orphans.insert((source, r.counter), here);
                Verdict::CountedForSource
            };
        }
    }
}

/// The transcripts of the threads that one was made from, and of those before them; the nearest first.
fn ancestors(
    transcripts: &[impl AsRef<Transcript>],
    by_thread: &HashMap<&str, Vec<u32>>,
    transcript: &Transcript,
) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen: HashSet<&str> = HashSet::from([transcript.thread.as_str()]);
    let mut next: Vec<&str> = transcript.sources.iter().map(String::as_str).collect();
    // Cycles of forks end at what was seen.
    while let Some(thread) = (!next.is_empty()).then(|| next.remove(0)) {
        let Some(files) = by_thread.get_key_value(thread) else { continue };
        if !seen.insert(files.0) {
            continue;
        }
        for &n in files.1 {
            found.push(n);
            let parent = transcripts[n as usize].as_ref();
            for source in &parent.sources {
                if let Some((known, _)) = by_thread.get_key_value(source.as_str())
                    && !seen.contains(known)
                {
                    next.push(known);
                }
            }
        }
    }
    found
}
