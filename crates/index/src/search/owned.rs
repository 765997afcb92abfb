//! Which strings of a record are an item's.
//!
//! A record may hold several items, and every record holds ids, times and names beside what it says. A hit is read from its
//! record, so it is kept which strings there say what the item says: those that have a line of its texts. Where its texts are
//! not all found that way, as something was made of them, it is all strings but those of the record's other items.

use std::collections::HashMap;

use super::build::{Place, each_line, hash};
use super::ranges::Ranges;

/// An item that was told.
#[derive(Debug)]
pub(super) struct Told {
    /// The number of its document.
    pub(super) document: usize,
    pub(super) place: Place,
    /// The hashes of the lines of its texts, rising, each once.
    pub(super) hashes: Vec<u64>,
}

/// Finds the strings of items.
#[derive(Debug)]
pub(super) struct Owned {
    told: Vec<Told>,
    /// The lines of the transcript in which items stand, by where they begin, with the numbers of the items.
    lines: HashMap<u64, Line>,
    /// For each item, the lines of its texts that were found, by their number in its hashes.
    found: Vec<Vec<usize>>,
}

#[derive(Debug, Default)]
struct Line {
    items: Vec<usize>,
    /// How many strings it has.
    strings: u64,
    /// The strings of each item.
    own: Vec<Vec<u64>>,
}

impl Owned {
    pub(super) fn new(told: Vec<Told>) -> Self {
        let mut lines: HashMap<u64, Line> = HashMap::new();
        for (n, told) in told.iter().enumerate() {
            for own in &told.place.lines {
                let line = lines.entry(own.at).or_default();
                if line.items.last() != Some(&n) {
                    line.items.push(n);
                    line.own.push(Vec::new());
                }
            }
        }
        let found = vec![Vec::new(); told.len()];
        Self { told, lines, found }
    }

    /// The line that begins there, when an item stands in it.
    pub(super) fn line(&mut self, at: u64) -> Option<OfLine<'_>> {
        let Self { told, lines, found } = self;
        let line = lines.get_mut(&at)?;
        line.strings = 0;
        Some(OfLine { line, told, found })
    }

    /// The documents, and the place of each with its strings.
    pub(super) fn places(mut self) -> impl Iterator<Item = (usize, Place)> {
        let told = std::mem::take(&mut self.told);
        told.into_iter().enumerate().map(move |(n, mut told)| {
            let found = &mut self.found[n];
            found.sort_unstable();
            found.dedup();
            let is_all = !told.hashes.is_empty() && found.len() == told.hashes.len();
            for own in &mut told.place.lines {
                let line = self.lines.get(&own.at).filter(|line| line.strings > 0);
                own.strings = line.and_then(|line| line.strings_of(n, is_all));
            }
            (told.document, told.place)
        })
    }
}

impl Line {
    fn strings_of(&self, item: usize, only: bool) -> Option<Ranges> {
        let mine = self.items.iter().position(|n| *n == item).and_then(|at| self.own.get(at))?;
        if only {
            return Some(Ranges::of(mine.iter().copied()));
        }
        let all = self.own.iter().flatten().copied();
        let mut others: Vec<u64> = all.filter(|n| mine.binary_search(n).is_err()).collect();
        others.sort_unstable();
        others.dedup();
        let left = (0..self.strings).filter(|n| others.binary_search(n).is_err());
        (!others.is_empty()).then(|| Ranges::of(left))
    }
}

/// The strings of one line.
pub(super) struct OfLine<'a> {
    line: &'a mut Line,
    told: &'a [Told],
    found: &'a mut [Vec<usize>],
}

impl OfLine<'_> {
    /// The next string of the line.
    pub(super) fn string(&mut self, text: &str) {
        let number = self.line.strings;
        self.line.strings += 1;
        for hash in each_line(text).map(hash) {
            for (own, item) in self.line.own.iter_mut().zip(&self.line.items) {
                if let Ok(at) = self.told[*item].hashes.binary_search(&hash) {
                    if self.found[*item].last() != Some(&at) {
                        self.found[*item].push(at);
                    }
                    if own.last() != Some(&number) {
                        own.push(number);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::build::Own;

    fn places(items: &[&str], strings: &[&str]) -> Vec<Option<Vec<u64>>> {
        let told = items.iter().enumerate().map(|(document, text)| {
            let lines = vec![Own { at: 7, strings: None }];
            let mut hashes: Vec<u64> = each_line(text).map(hash).collect();
            hashes.sort_unstable();
            Told { document, place: Place { lines, ..Place::default() }, hashes }
        });
        let mut owned = Owned::new(told.collect());
        assert!(owned.line(0).is_none());
        let mut line = owned.line(7).unwrap();
        for text in strings {
            line.string(text);
        }
        let places = owned.places();
        places
            .map(|(_, place)| place.lines[0].strings.as_ref().map(|s| s.numbers().collect()))
            .collect()
    }

    #[test]
    fn each_item_has_its_strings() {
        let strings = ["assistant", "what it says", "id-1", "and\nmore", "what it thinks"];
        assert_eq!(
            places(&["what it says\nmore\nand", "what it thinks"], &strings),
            [Some(vec![1, 3]), Some(vec![4])]
        );
        // Something was made of it: all but what is another's.
        assert_eq!(
            places(&["what it says and", "what it thinks"], &strings),
            [Some(vec![0, 1, 2, 3]), Some(vec![4])]
        );
        assert_eq!(places(&["something else"], &strings), [None]);
    }
}
