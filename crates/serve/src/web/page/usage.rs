//! `/usage`: tokens and cost; without scripts, a table for each question.

use std::sync::Arc;

use axum::extract::State;
use recount_export::html::escape::escaped;
use recount_text::amount;

use super::frame::{Frame, dollars};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::usage::{self, Answer, Query, Row};
use crate::web::query::{Asked, given};

/// What a page counts by where nothing is said.
const TABLES: &[(&str, &str)] = &[
    ("day", "By day"),
    ("model", "By model"),
    ("project", "By project"),
    ("harness", "By harness"),
    ("hour-block", "By blocks of five hours"),
];
/// So many rows of a table are shown; the largest or the latest.
const ROWS: usize = 100;

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let page = site.work(move |site| {
        let mut frame = Frame::new("usage", "Usage");
        frame.put(format_args!("<h1>Usage</h1>\n"));
        let asked = given(query.by.as_ref()).map(|by| vec![(by, "")]);
        for (n, (by, name)) in asked.as_deref().unwrap_or(TABLES).iter().enumerate() {
            let query = Query { by: Some((*by).to_owned()), ..query.clone() };
            let answer = usage::answer(site, &query)?;
            if n == 0 {
                summary(&mut frame, &answer);
            }
            table(&mut frame, if name.is_empty() { by } else { name }, &answer, by);
        }
        Ok(frame.end())
    });
    Ok(page.await?)
}

fn summary(frame: &mut Frame, answer: &Answer) {
    let total = &answer.total;
    let usage = &total.usage;
    frame.put(format_args!(
        "<p class=sum><b>{}</b> tokens, <b>{}</b>, in {}.</p>\n",
        amount::count(usage.total_tokens),
        dollars(Some(usage.cost_usd.unwrap_or(0.0))),
        amount::plural(usage.responses as usize, "response", "responses")
    ));
    if !answer.unpriced_models.is_empty() {
        let names = answer.unpriced_models.join(", ");
        frame.put(format_args!("<p class=note>No price is known for {}.</p>\n", escaped(&names)));
    }
    for note in &answer.notes {
        frame.put(format_args!("<p class=note>{}</p>\n", escaped(note)));
    }
}

fn table(frame: &mut Frame, name: &str, answer: &Answer, by: &str) {
    let columns = ["", "Responses#", "Input#", "Cached#", "Written#", "Output#", "Total#", "Cost#"];
    frame.table(name, &columns);
    let is_time = ["day", "week", "month", "hour-block"].iter().any(|time| by.starts_with(time));
    let rows: Box<dyn Iterator<Item = &Row>> =
        if is_time { Box::new(answer.rows.iter().rev()) } else { Box::new(answer.rows.iter()) };
    for row in rows.take(ROWS) {
        put(frame, &row.key, row);
    }
    put(frame, "total", &answer.total);
    frame.end_table();
    if answer.rows.len() > ROWS {
        let left = answer.rows.len() - ROWS;
        frame.put(format_args!("<p class=note>{left} more rows are not shown.</p>\n"));
    }
}

fn put(frame: &mut Frame, key: &str, row: &Row) {
    let usage = &row.usage;
    frame.put(format_args!(
        "<tr><th scope=row>{}</th><td class=r>{}</td>",
        escaped(key),
        usage.responses
    ));
    for tokens in [
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.cache_write_tokens,
        usage.output_tokens,
        usage.total_tokens,
    ] {
        frame.put(format_args!("<td class=r>{}</td>", amount::count(tokens)));
    }
    frame.put(format_args!("<td class=r>{}</td></tr>\n", dollars(usage.cost_usd)));
}
