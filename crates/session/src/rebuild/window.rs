//! How full the context was at the last response, for harnesses that tell it with the usage of each.

use std::collections::HashMap;

use crate::model::thread::ContextTokens;
use crate::model::{At, ItemKind, Thread};
use crate::usage::Tokens;

/// The tokens of the last response on the branch, as `used` counts them. Nothing after a compaction: what is left of the context
/// is told by the next response.
pub(super) fn last(thread: &Thread, used: impl Fn(&Tokens) -> u64) -> Option<ContextTokens> {
    let told = |tokens: &Tokens| {
        let used_tokens = used(tokens);
        (used_tokens > 0).then_some(ContextTokens { used_tokens, max_tokens: None })
    };
    let by_place: HashMap<u64, &Tokens> =
        thread.responses.iter().map(|(_, response)| (response.byte, &response.tokens)).collect();
    let items = || thread.turns.iter().rev().flat_map(|turn| turn.items.iter().rev());
    let mut in_database = false;
    for item in items() {
        if matches!(item.kind, ItemKind::ContextCompaction { .. }) {
            return None;
        }
        for at in std::iter::once(&item.at).chain(&item.also_at) {
            match at {
                At::Line { byte, .. } => {
                    if let Some(context) = by_place.get(byte).and_then(|tokens| told(tokens)) {
                        return Some(context);
                    }
                }
                At::Row { .. } | At::Blob { .. } => in_database = true,
            }
        }
        // Rows are not told apart by bytes; what was rewound is gone from them.
        if in_database {
            break;
        }
    }
    let mut responses = thread.responses.iter().rev().filter(|_| in_database);
    responses.find_map(|(_, response)| told(&response.tokens))
}

#[cfg(test)]
mod tests {
    use recount_formats::Harness;

    use super::last;
    use crate::model::{At, Item, ItemKind, Responses, Thread, Turn};
    use crate::usage::{Key, NO_TIME, Origin, Response, Tokens};

    fn response(byte: u64, total: u64) -> Response {
        Response {
            key: Key::NONE,
            counter: Key::NONE,
            time: NO_TIME,
            tokens: Tokens { input: total, total, ..Tokens::default() },
            cost: None,
            model: 0,
            thread: 0,
            origin: Origin::Own,
            byte,
        }
    }

    /// A thread with items at these places, and responses at others.
    fn thread(items: &[(At, ItemKind)], responses: &[(u64, u64)]) -> Thread {
        let mut thread = Thread::new(Harness::Pi, "t");
        let mut turn = Turn::new("1");
        turn.items =
            items.iter().map(|(at, kind)| Item::new("i", kind.clone(), at.clone())).collect();
        thread.turns.push(turn);
        let mut all = Responses::default();
        for (byte, total) in responses {
            all.add("m", response(*byte, *total));
        }
        thread.bill(all);
        thread
    }

    fn used(thread: &Thread) -> Option<u64> {
        last(thread, |tokens| tokens.total).map(|c| c.used_tokens)
    }

    #[test]
    fn the_last_response_of_the_branch_counts() {
        let at = |byte| At::Line { source: "a".into(), line: 1, byte };
        let row = || At::Row { source: "a".into(), row: "part/1".into() };
        let said = || ItemKind::Plan { text: String::new() };
        let short = || ItemKind::ContextCompaction { summary: None, trigger: None };
        let two = [(at(10), said()), (at(20), said())];
        // What stands last in the file lies on another branch, and a response without tokens tells nothing.
        assert_eq!(used(&thread(&two, &[(10, 5), (20, 7), (30, 9)])), Some(7));
        assert_eq!(used(&thread(&two, &[(10, 5), (20, 0)])), Some(5));
        assert_eq!(used(&thread(&two, &[])), None);
        assert_eq!(used(&thread(&[(at(10), said()), (at(20), short())], &[(10, 5)])), None);
        assert_eq!(used(&thread(&[(row(), said())], &[(1, 5), (2, 6)])), Some(6));
        assert_eq!(thread(&two, &[(10, 5), (20, 7)]).usage.total_tokens, 12);
    }
}
