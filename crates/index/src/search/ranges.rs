//! Numbers of documents, as ranges: those of a session lie side by side.

use serde::{Deserialize, Serialize};

/// Numbers in ascending order, without gaps between the ends of a range: first number and length of each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ranges(pub(crate) Vec<(u64, u64)>);

impl Ranges {
    /// Of numbers in ascending order.
    pub(crate) fn of(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut all: Vec<(u64, u64)> = Vec::new();
        for number in numbers {
            match all.last_mut() {
                Some((first, length)) if *first + *length == number => *length += 1,
                _ => all.push((number, 1)),
            }
        }
        Self(all)
    }

    /// The numbers, in ascending order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|&(first, length)| first..first.saturating_add(length))
    }

    /// Whether a number is among them.
    pub(crate) fn has(&self, number: u64) -> bool {
        let at = self.0.partition_point(|&(first, _)| first <= number);
        let before = at.checked_sub(1).and_then(|n| self.0.get(n));
        before.is_some_and(|&(first, length)| number - first < length)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_back() {
        let numbers = [3, 4, 5, 9, 11, 12];
        let ranges = Ranges::of(numbers);
        assert_eq!(ranges.0, [(3, 3), (9, 1), (11, 2)]);
        assert_eq!(ranges.numbers().collect::<Vec<_>>(), numbers);
        let found: Vec<u64> = (0..20).filter(|n| ranges.has(*n)).collect();
        assert_eq!(found, numbers);
        assert!(!Ranges::default().has(0));
    }
}
