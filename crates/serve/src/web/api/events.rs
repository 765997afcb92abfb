//! What changes, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use futures_util::Stream;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use recount_session::model::ThreadStatus;
use serde::Serialize;

use crate::web::Site;
use crate::web::follow::News;
use crate::web::query::{Asked, Named, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// Silence is broken so often, so that both ends know of each other.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A session has changed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Change"))]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// How many items it has now.
    total: usize,
    /// The number of the item from which on they may be others than before. The same as `total` when none is.
    first_changed: usize,
    /// What it is doing.
    status: ThreadStatus,
}

type Events = Sse<KeepAliveStream<BoxStream<'static, Result<Event, Infallible>>>>;

fn events(stream: impl Stream<Item = Event> + Send + 'static) -> Events {
    let stream: BoxStream<'static, _> = stream.map(Ok).boxed();
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// `/api/sessions/{id}/events`
pub(in crate::web) async fn session(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<super::session::Query>,
) -> Result<Events, Refusal> {
    let leaf = given(query.branch.as_ref()).map(str::to_owned);
    // What a page has shown already comes from here, too: what changed since is told at once.
    let name = id.clone();
    let branch = leaf.clone();
    let seen = site.work(move |site| site.shelf.open(&name, branch.as_deref())).await?;
    let followed = site.follow(&id).await?;
    let now = at_branch(&site, &followed.seen, leaf.as_deref()).await?;
    let first = change(&seen, &now);
    let rest = stream::unfold(
        (site, followed, leaf, now),
        |(site, mut followed, leaf, seen)| async move {
            match followed.next().await? {
                News::Changed(now) => {
                    let now = at_branch(&site, &now, leaf.as_deref()).await.ok()?;
                    let after = Arc::clone(&now);
                    // Two states of a large thread are compared beside the messages.
                    let change = site.work(move |_| Ok(change(&seen, &after))).await.ok()?;
                    Some((event("change", &change), (site, followed, leaf, now)))
                }
                News::Gone => {
                    let event = Event::default().event("gone").data("{}");
                    Some((event, (site, followed, leaf, seen)))
                }
            }
        },
    );
    Ok(events(stream::once(async move { event("change", &first) }).chain(rest)))
}

fn event(name: &str, value: &impl Serialize) -> Event {
    Event::default().event(name).data(serde_json::to_string(value).unwrap_or_default())
}

fn change(before: &Volume, now: &Volume) -> Change {
    let first_changed = now.parts_from(before).min(now.len());
    Change { total: now.len(), first_changed, status: now.thread.status }
}

/// `/api/events`
pub(in crate::web) async fn sessions(State(site): State<Arc<Site>>) -> Events {
    let receiver = site.watch_list();
    events(stream::unfold(receiver, |mut receiver| async move {
        receiver.changed().await.ok()?;
        let event = Event::default().event("sessions").data("{}");
        Some((event, receiver))
    }))
}

/// A session that was read, at the branch that somebody looks at.
async fn at_branch(
    site: &Arc<Site>,
    volume: &Arc<Volume>,
    leaf: Option<&str>,
) -> Result<Arc<Volume>, Refusal> {
    let Some(leaf) = leaf.map(str::to_owned) else { return Ok(Arc::clone(volume)) };
    let id = volume.head.id.clone();
    site.work(move |site| site.shelf.open(&id, Some(&leaf))).await
}
