//! Parts of a thread.

use recount_session::model::Thread;

/// Which turns are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Selection {
    /// From one number to another, both counted from 1 and both included.
    Range(usize, usize),
    /// The turn whose id begins so.
    Id(String),
}

impl Selection {
    /// Reads `3`, `2..5`, `4..`, `..2`, or the beginning of an id.
    pub(crate) fn parse(text: &str) -> Self {
        let number = |t: &str, default| {
            if t.is_empty() { Some(default) } else { t.parse::<usize>().ok() }
        };
        if let Some((from, to)) = text.split_once("..")
            && let (Some(from), Some(to)) =
                (number(from, 1), number(to.trim_start_matches('='), usize::MAX))
        {
            return Self::Range(from, to);
        }
        match text.parse() {
            Ok(n) => Self::Range(n, n),
            Err(_) => Self::Id(text.to_owned()),
        }
    }
}

/// The turns with their numbers, those of the selection only. `Err` says what there is instead.
pub(crate) fn turns(thread: &mut Thread, wanted: Option<&str>) -> Result<Vec<usize>, String> {
    let count = thread.turns.len();
    let numbers: Vec<usize> = match wanted.map(Selection::parse) {
        None => (1..=count).collect(),
        Some(Selection::Range(from, to)) => (from.max(1)..=to.min(count)).collect(),
        Some(Selection::Id(id)) => {
            let exact = thread.turns.iter().position(|t| t.id == id);
            match exact {
                Some(n) => vec![n + 1],
                None => thread
                    .turns
                    .iter()
                    .enumerate()
                    .filter(|(_, t)| t.id.starts_with(&id))
                    .map(|(n, _)| n + 1)
                    .collect(),
            }
        }
    };
    if let Some(wanted) = wanted
        && numbers.is_empty()
    {
        return Err(match count {
            0 => "the session has no turns".to_owned(),
            1 => format!("no turn `{wanted}`: the session has one turn"),
            _ => format!("no turn `{wanted}`: the session has turns 1 to {count}"),
        });
    }
    let mut number = 0;
    thread.turns.retain(|_| {
        number += 1;
        numbers.binary_search(&number).is_ok()
    });
    Ok(numbers)
}

/// The item whose id is or begins with `id`, alone in its turn; gives the turn's number.
pub(crate) fn item(thread: &mut Thread, id: &str) -> Result<Vec<usize>, String> {
    let places = |fits: &dyn Fn(&str) -> bool| -> Vec<(usize, usize)> {
        let turns = thread.turns.iter().enumerate();
        turns
            .flat_map(|(t, turn)| {
                turn.items.iter().enumerate().filter(|(_, i)| fits(&i.id)).map(move |(i, _)| (t, i))
            })
            .collect()
    };
    let mut found = places(&|other| other == id);
    if found.is_empty() {
        found = places(&|other| other.starts_with(id));
    }
    let [(turn, item)] = found[..] else {
        return Err(match found.len() {
            0 => format!("no item `{id}`: `--json` shows the ids of all items"),
            n => format!("`{id}` fits {n} items: give more of the id"),
        });
    };
    let mut kept = thread.turns.swap_remove(turn);
    let one = kept.items.swap_remove(item);
    kept.items = vec![one];
    thread.turns = vec![kept];
    Ok(vec![turn + 1])
}

#[cfg(test)]
mod tests {
    use recount_formats::Harness;
    use recount_session::model::Turn;

    use super::*;

    fn thread() -> Thread {
        let mut thread = Thread::new(Harness::Pi, "t");
        thread.turns = ["aa", "ab", "b"].map(Turn::new).to_vec();
        thread
    }

    #[test]
    fn numbers_ranges_and_ids() {
        let of = |wanted: &str| turns(&mut thread(), Some(wanted));
        assert_eq!(of("2"), Ok(vec![2]));
        assert_eq!(of("2.."), Ok(vec![2, 3]));
        assert_eq!(of("..2"), Ok(vec![1, 2]));
        assert_eq!(of("2..9"), Ok(vec![2, 3]));
        assert_eq!(of("a"), Ok(vec![1, 2]));
        assert_eq!(of("b"), Ok(vec![3]));
        assert_eq!(of("7"), Err("no turn `7`: the session has turns 1 to 3".to_owned()));
        assert!(of("0").is_err());
        assert!(of("5..2").is_err());
        assert_eq!(turns(&mut thread(), None), Ok(vec![1, 2, 3]));
    }
}
