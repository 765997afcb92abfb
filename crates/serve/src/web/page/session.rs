//! `/s/{id}`: a session, a page of items at a time.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use recount_export::about;
use recount_export::html::escape::escaped;
use recount_session::model::Turn;
use recount_text::amount;
use serde::Deserialize;

use super::frame::{Frame, session, title};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::items;
use crate::web::api::session::context_window;
use crate::web::query::{Asked, Named, encoded, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// So many items stand on a page at most.
const PAGE: usize = 100;

/// Which part of a session.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Query {
    branch: Option<String>,
    page: Option<usize>,
    /// An item, whose page is shown.
    item: Option<String>,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Failed> {
    let page = site.work(move |site| {
        let volume = match site.shelf.open(&id, given(query.branch.as_ref())) {
            Ok(volume) => volume,
            Err(refusal) => return whole(site, &id).ok_or(refusal),
        };
        let number = match given(query.item.as_ref()) {
            None => query.page.unwrap_or(1).max(1),
            Some(item) => match volume.find(item) {
                Some(index) => index / PAGE + 1,
                None => return Err(Refusal::missing(format!("no item `{item}` in this branch"))),
            },
        };
        Ok(write(&volume, number).into_response())
    });
    Ok(page.await?)
}

/// Leads on from the beginning of an id, as people copy it from lists, to the session.
fn whole(site: &Site, id: &str) -> Option<Response> {
    const SHORTEST: usize = 4;
    if id.len() < SHORTEST {
        return None;
    }
    let head = site.stores.beginning_with(id).filter(|head| head.id != id)?;
    Some(Redirect::to(&session(&head.id)).into_response())
}

fn write(volume: &Volume, page: usize) -> Html {
    let thread = &volume.thread;
    let name = about::title(thread);
    let heading = if name.is_empty() { "Session" } else { &name };
    let mut frame = Frame::of_session("session", heading, &volume.head.id);
    head(&mut frame, volume);
    let last = volume.len().div_ceil(PAGE).max(1);
    let page = page.min(last);
    let from = (page - 1) * PAGE;
    frame.put(format_args!("<div class=items>\n"));
    let mut at = from;
    let mut shown = None;
    // Large items come in several parts.
    while at < (from + PAGE).min(volume.len()) {
        let part = items::page(volume, at, from + PAGE - at);
        if part.items.is_empty() {
            break;
        }
        at += part.items.len();
        for row in part.items {
            if shown != Some(row.turn) {
                shown = Some(row.turn);
                turn(&mut frame, volume, row.turn);
            }
            frame.put(format_args!(
                "<article class=item id=\"item-{}\">\n{}</article>\n",
                escaped(&row.id),
                row.html
            ));
            if let Some(agent) = &row.subagent_id {
                frame.put(format_args!(
                    "<p class=note><a href=\"{}\">The session of this sub-agent</a></p>\n",
                    session(agent)
                ));
            }
        }
    }
    frame.put(format_args!("</div>\n"));
    pages(&mut frame, volume, page, last);
    frame.end()
}

fn head(frame: &mut Frame, volume: &Volume) {
    let thread = &volume.thread;
    let zone = jiff::tz::TimeZone::system();
    let name = about::title(thread);
    frame.put(format_args!(
        "<header class=about>\n<h1 dir=auto>{}</h1>\n<dl class=facts>",
        title(Some(&name))
    ));
    for (label, value) in about::facts(thread, &zone, "", false) {
        let value = match label {
            "parent" => format!("<a href=\"{}\">{}</a>", session(&value), escaped(&value)),
            _ => escaped(&value).to_string(),
        };
        frame.put(format_args!("<dt>{label}</dt><dd>{value}</dd>"));
    }
    if let Some(context) = context_window(thread).filter(|_| thread.context.is_none()) {
        frame.put(format_args!("<dt>context</dt><dd>{}</dd>", context.words()));
    }
    let address = session(&volume.head.id);
    frame.put(format_args!("</dl>\n<p><a href=\"{address}/timeline\">Timeline</a></p>\n"));
    if thread.branches.len() > 1 {
        frame.put(format_args!("<nav aria-label=Branches><ul class=branches>\n"));
        for branch in &thread.branches {
            let shown = volume.leaf.as_ref().map_or(branch.active, |leaf| *leaf == branch.leaf);
            let current = if shown { " aria-current=page" } else { "" };
            let about = match branch.abandoned_prompts.first() {
                _ if branch.active => "the active branch".to_owned(),
                Some(prompt) => title(Some(prompt)),
                None => escaped(&branch.leaf).to_string(),
            };
            let leaf = encoded(&branch.leaf);
            frame.put(format_args!(
                "<li><a href=\"{address}?branch={leaf}\"{current} dir=auto>{about}</a></li>\n"
            ));
        }
        frame.put(format_args!("</ul></nav>\n"));
    }
    if !thread.findings.is_empty() {
        let count = amount::plural(thread.findings.len(), "finding", "findings");
        let id = encoded(&volume.head.id);
        frame.put(format_args!("<p><a href=\"/findings?id={id}\">{count}</a></p>\n"));
    }
    frame.put(format_args!("</header>\n"));
}

fn turn(frame: &mut Frame, volume: &Volume, number: usize) {
    let Some(turn): Option<&Turn> = volume.thread.turns.get(number) else { return };
    frame.put(format_args!(
        "<h2 class=turn id=\"turn-{0}\"><a href=\"#turn-{0}\">Turn {0}</a> <small>{1}</small></h2>\n",
        number + 1,
        escaped(&about::turn(turn, &jiff::tz::TimeZone::system()))
    ));
    if let Some(error) = &turn.error {
        let message = escaped(error.message.trim());
        frame.put(format_args!("<p class=\"notice error\" dir=auto>✗ {message}</p>\n"));
    }
}

fn pages(frame: &mut Frame, volume: &Volume, page: usize, last: usize) {
    if last == 1 {
        return;
    }
    let address = session(&volume.head.id);
    let leaf = volume.leaf.as_deref().map(|leaf| format!("branch={}&amp;", encoded(leaf)));
    let leaf = leaf.unwrap_or_default();
    frame.put(format_args!("<nav class=pager aria-label=Parts>"));
    if page > 1 {
        frame.put(format_args!(
            "<a rel=prev href=\"{address}?{leaf}page={}\">Previous</a> ",
            page - 1
        ));
    }
    frame.put(format_args!("Page {page} of {last} "));
    if page < last {
        frame.put(format_args!("<a rel=next href=\"{address}?{leaf}page={}\">Next</a>", page + 1));
    }
    frame.put(format_args!("</nav>\n"));
}
