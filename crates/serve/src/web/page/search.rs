//! `/search`: words of all sessions.

use std::sync::Arc;

use axum::extract::State;
use recount_export::html::escape::escaped;
use recount_text::amount;

use super::frame::{Frame, marked, session, title, when};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::search::{self, HitRow, Query};
use crate::web::query::{Asked, encoded, given};

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let words = given(query.q.as_ref()).unwrap_or("").to_owned();
    let offset = query.offset.unwrap_or(0);
    let answer = search::find(&site, query).await?;
    let mut frame =
        Frame::searched("search", if words.is_empty() { "Search" } else { &words }, &words);
    frame.put(format_args!("<h1>Search</h1>\n"));
    frame.indexing(answer.indexing);
    if let Some(error) = &answer.error {
        frame.put(format_args!("<p class=\"notice error\">{}</p>\n", escaped(error)));
    } else if answer.total == 0 && !words.is_empty() {
        frame.put(format_args!("<p class=empty>Nothing found, nor anything like it.</p>\n"));
    } else if !words.is_empty() {
        let near = if answer.fuzzy { "Nothing has just that. Near it: " } else { "" };
        let count =
            amount::plural(usize::try_from(answer.all).unwrap_or(usize::MAX), "hit", "hits");
        frame.put(format_args!("<p>{near}{count}</p>\n"));
    }
    let mut last = "";
    frame.put(format_args!("<div class=hits>\n"));
    for (n, hit) in answer.hits.iter().enumerate() {
        if last != hit.id {
            last = &hit.id;
            frame.put(format_args!(
                "<h2 dir=auto><a href=\"{}\">{}</a> <small>{} {}</small></h2>\n",
                session(&hit.id),
                title(hit.title.as_deref()),
                escaped(&hit.harness),
                escaped(hit.project.as_deref().unwrap_or(""))
            ));
        }
        frame.put(format_args!(
            "<p class=hit dir=auto><a href=\"{}\">{}</a> {} {}</p>\n",
            place(hit),
            escaped(hit.tool.as_deref().unwrap_or(hit.role)),
            marked(&hit.snippet),
            when(hit.time.as_deref())
        ));
        if answer.hits.get(n + 1).is_none_or(|next| next.id != hit.id) {
            let begun = answer.hits[..=n].iter().rposition(|other| other.id != hit.id);
            let shown = n - begun.map_or(0, |n| n + 1) + 1;
            if hit.in_session > shown as u64 {
                frame.put(format_args!(
                    "<p class=note>{shown} of {} hits in this session</p>\n",
                    hit.in_session
                ));
            }
        }
    }
    frame.put(format_args!("</div>\n"));
    let next = offset + answer.hits.len();
    if next < answer.total && !answer.hits.is_empty() {
        let words = encoded(&words);
        frame.put(format_args!(
            "<nav class=pager aria-label=Parts><a rel=next href=\"/search?q={words}&amp;offset={next}\">More</a></nav>\n"
        ));
    }
    Ok(frame.end())
}

/// Where a hit stands.
fn place(hit: &HitRow) -> String {
    let page = session(&hit.id);
    let branch = hit.branch.as_deref().map(|leaf| format!("branch={}&amp;", encoded(leaf)));
    match hit.item_id.as_deref().map(encoded) {
        Some(item) => format!("{page}?{}item={item}#item-{item}", branch.unwrap_or_default()),
        None => page,
    }
}
