//! Parts of a thread.

use recount_session::model::{Thread, Turn};

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

/// Whether some turns have an item whose id is or begins with `id`.
pub(crate) fn has(turns: &[Turn], id: &str) -> bool {
    turns.iter().flat_map(|turn| &turn.items).any(|item| item.id.starts_with(id))
}

/// The item whose id is or begins with `id`, alone in its turn; gives the turn's number. One record may have made several items,
/// with one id: they are shown together.
pub(crate) fn item(thread: &mut Thread, id: &str) -> Result<Vec<usize>, String> {
    let ids = thread.turns.iter().flat_map(|turn| &turn.items).map(|item| &item.id);
    let mut fitting: Vec<String> = ids.filter(|other| other.starts_with(id)).cloned().collect();
    if fitting.iter().any(|other| other == id) {
        fitting.retain(|other| other == id);
    }
    fitting.sort_unstable();
    fitting.dedup();
    let [whole] = &fitting[..] else {
        return Err(match fitting.len() {
            0 => format!("no item `{id}`: `--json` shows the ids of all items"),
            n => format!("`{id}` fits {n} items: give more of the id"),
        });
    };
    let mut numbers = Vec::new();
    for (n, turn) in thread.turns.iter_mut().enumerate() {
        turn.items.retain(|item| item.id == *whole);
        if !turn.items.is_empty() {
            numbers.push(n + 1);
        }
    }
    thread.turns.retain(|turn| !turn.items.is_empty());
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recount_formats::Harness;
    use recount_session::model::item::ItemKind;
    use recount_session::model::{At, Item};

    fn thread() -> Thread {
        let mut thread = Thread::new(Harness::Pi, "t");
        thread.turns = ["aa", "ab", "b"].map(Turn::new).to_vec();
        thread
    }

    #[test]
    fn items_by_id() {
        let notice = |id: &str| {
            let at = At::Line { source: "s".into(), line: 1, byte: 0 };
            Item::new(id, ItemKind::Sleep { duration_ms: 1 }, at)
        };
        let of = |id: &str| {
            let mut thread = thread();
            thread.turns[0].items = vec![notice("a1"), notice("a12")];
            thread.turns[2].items = vec![notice("b"), notice("c"), notice("b")];
            let has = has(&thread.turns, id);
            item(&mut thread, id).map(|n| (n, thread.turns[0].items.len(), has))
        };
        assert_eq!(of("a1"), Ok((vec![1], 1, true)));
        assert_eq!(of("b"), Ok((vec![3], 2, true)), "one record made both");
        assert_eq!(of("a"), Err("`a` fits 2 items: give more of the id".to_owned()));
        assert!(of("d").is_err_and(|text| text.starts_with("no item `d`")));
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
