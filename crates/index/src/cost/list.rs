//! The prices of the models that the usual providers sell, as text that was made when recount was.
//!
//! To decode the price data takes longer than to scan a hundred megabytes, and to ask it for each day's prices as long again.
//! `cargo xtask generate` asks it once for all; `prices.tsv` has a line a model, sorted: provider, name, and for each time from
//! which prices hold a cell: the second, a colon, and steps by size of the input, each `UPTO=INPUT,CACHED,WRITE,WRITE_1H,OUTPUT`
//! in US dollars a token. What is not in it, other spellings of a name for instance, is asked of the price data itself.

use std::fmt::Write as _;

use super::Rates;
use super::model::Model;

const LIST: &str = include_str!("prices.tsv");

/// A model whose prices are in the list.
pub(super) fn model(provider: &str, name: &str) -> Option<Model> {
    let mut rest = LIST;
    // A binary search over lines of text: nothing is decoded but the line that is wanted.
    let line = loop {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let middle = bytes.len() / 2;
        let start = memchr::memrchr(b'\n', &bytes[..middle]).map_or(0, |n| n + 1);
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |n| start + n);
        let line = rest.get(start..end)?;
        let mut cells = line.splitn(3, '\t');
        match (cells.next()?, cells.next()?).cmp(&(provider, name)) {
            std::cmp::Ordering::Equal => break cells.next()?,
            std::cmp::Ordering::Greater => rest = rest.get(..start)?,
            std::cmp::Ordering::Less => rest = rest.get((end + 1).min(bytes.len())..)?,
        }
    };
    let all = line.split('\t').map(cell).collect::<Option<Vec<_>>>()?;
    Some(Model::listed(name, all))
}

fn cell(text: &str) -> Option<(i64, Vec<(u64, Rates)>)> {
    let (second, steps) = text.split_once(':')?;
    let steps = steps.split(';').map(step).collect::<Option<_>>()?;
    Some((second.parse().ok()?, steps))
}

fn step(text: &str) -> Option<(u64, Rates)> {
    let (upto, rates) = text.split_once('=')?;
    let mut numbers = rates.split(',').map(|n| n.parse().ok());
    let mut next = || numbers.next().flatten();
    let rates = Rates {
        input: next()?,
        cached: next()?,
        cache_write: next()?,
        cache_write_1h: next()?,
        output: next()?,
    };
    Some((upto.parse().ok()?, rates))
}

/// Makes the list from the price data: for these providers and names, with all seconds at which any price may change.
/// Names that the data does not know, and prices that depend on the time of the day, are left out.
pub fn generate<'a>(
    names: impl IntoIterator<Item = (&'a str, &'a str)>,
    seconds: &[i64],
) -> String {
    let mut lines = Vec::new();
    for (provider, name) in names {
        let mut model = Model::of(Some(provider), name);
        if name.contains(['\t', '\n']) || model.ask_all(seconds).is_none() {
            continue;
        }
        let mut line = format!("{provider}\t{name}");
        for (second, table) in &model.since {
            let Some(table) = model.tables.get(*table) else { continue };
            let steps = table.steps.iter().map(|(upto, r)| {
                let Rates { input, cached, cache_write, cache_write_1h, output } = r;
                format!("{upto}={input},{cached},{cache_write},{cache_write_1h},{output}")
            });
            let steps: Vec<String> = steps.collect();
            let _ = write!(line, "\t{second}:{}", steps.join(";"));
        }
        lines.push(((provider, name), line));
    }
    lines.sort_unstable_by_key(|(key, _)| *key);
    lines.dedup();
    lines.into_iter().map(|(_, line)| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use recount_session::usage::{Key, Origin, Response, Tokens};

    use super::*;

    #[test]
    fn every_line_is_found_and_whole() {
        let mut found = 0;
        for line in LIST.lines() {
            let mut cells = line.split('\t');
            let (provider, name) = (cells.next().unwrap(), cells.next().unwrap());
            let model = model(provider, name).unwrap();
            assert_eq!(model.since.len(), cells.count(), "{line}");
            assert!(model.tables.iter().all(|t| !t.steps.is_empty()), "{line}");
            found += 1;
        }
        assert!(found > 100);
        for name in ["", "a", "claude", "claude-sonnet-4-5x", "zzz"] {
            assert!(model("anthropic", name).is_none() && model("zzz", name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_list_says_what_the_price_data_says() {
        let mut compared = 0;
        // Every eleventh line: the data takes its time without optimization. All were asked when the list was made.
        for line in LIST.lines().step_by(11) {
            let mut cells = line.split('\t');
            let (provider, name) = (cells.next().unwrap(), cells.next().unwrap());
            let mut listed = model(provider, name).unwrap();
            let mut asked = Model::of(Some(provider), name);
            for time in ["2025-06-01T00:00:00Z", "2026-10-18T23:59:59Z", "2026-12-01T12:00:00Z"] {
                for input in [10, 150_000, 200_001, 300_000] {
                    let tokens = Tokens { input, output: 5, total: input + 5, ..Tokens::default() };
                    let response = Response {
                        key: Key::NONE,
                        counter: Key::NONE,
                        time: time.parse::<jiff::Timestamp>().unwrap().as_millisecond(),
                        tokens,
                        cost: None,
                        model: 0,
                        thread: 0,
                        origin: Origin::Own,
                        byte: 0,
                    };
                    let (want, _) = asked.rates(&response);
                    assert_eq!(listed.rates(&response), (want, false), "{name} {time} {input}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 100);
    }
}
