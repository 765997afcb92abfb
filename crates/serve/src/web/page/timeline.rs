//! `/s/{id}/timeline`: a session on a time axis; without scripts, a table of its turns.

use std::sync::Arc;

use axum::extract::State;
use recount_export::about;
use recount_export::html::escape::escaped;
use recount_text::time::duration;

use super::frame::{Frame, session, title, when};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::session::{Query, prompt};
use crate::web::query::{Asked, Named, given};
use crate::web::shelf::Volume;

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let page =
        site.work(move |site| Ok(write(&*site.shelf.open(&id, given(query.branch.as_ref()))?)));
    Ok(page.await?)
}

fn write(volume: &Volume) -> Html {
    let thread = &volume.thread;
    let name = about::title(thread);
    let mut frame = Frame::of_session("timeline", "Timeline", &volume.head.id);
    frame.put(format_args!(
        "<h1 dir=auto>{}</h1>\n<p><a href=\"{}\">The session</a></p>\n",
        title(Some(&name)),
        session(&volume.head.id)
    ));
    frame.table("Turns", &["Turn#", "Prompt", "Began", "Took", "Items#"]);
    for (n, turn) in thread.turns.iter().enumerate() {
        let began = turn.started_at.and_then(|s| jiff::Timestamp::from_second(s).ok());
        let began = began.map(|t| t.to_string());
        let seconds = || turn.completed_at?.checked_sub(turn.started_at?)?.checked_mul(1000);
        let took = turn.duration_ms.or_else(seconds).map(duration);
        frame.put(format_args!(
            "<tr><td class=r>{}</td><td dir=auto>{}</td><td>{}</td><td>{}</td><td class=r>{}</td></tr>\n",
            n + 1,
            escaped(&prompt(thread, turn)),
            when(began.as_deref()),
            took.unwrap_or_default(),
            turn.items.len()
        ));
    }
    frame.end_table();
    frame.end()
}
