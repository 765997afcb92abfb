//! `/files`: who touched a file.

use std::sync::Arc;

use axum::extract::State;
use recount_export::html::escape::escaped;

use super::frame::{Frame, session, title, when};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::files::{self, Query};
use crate::web::query::{Asked, encoded};

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let answer = files::find(&site, query).await?;
    let path = answer.path.as_deref().unwrap_or("");
    let mut frame = Frame::new("files", if path.is_empty() { "Files" } else { path });
    frame.put(format_args!(
        "<h1>Files</h1>\n<form class=filters action=\"/files\"><label>File or folder \
         <input type=search name=path size=40 value=\"{}\"></label> <button>Show</button></form>\n",
        escaped(path)
    ));
    frame.indexing(answer.indexing);
    if let Some(sessions) = &answer.sessions {
        if sessions.is_empty() {
            frame.put(format_args!(
                "<p class=empty>No session touched <code>{}</code>.</p>\n",
                escaped(path)
            ));
        } else {
            frame.table(
                &format!("Sessions that touched {path}"),
                &["Session", "Harness", "Did", "File", "Last written"],
            );
        }
        for row in sessions {
            let item = row.item_id.as_deref();
            let place = item.map(|item| format!("?item={0}#item-{0}", encoded(item)));
            frame.put(format_args!(
                "<tr><td dir=auto><a href=\"{}{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                session(&row.id),
                place.unwrap_or_default(),
                title(row.title.as_deref()),
                escaped(&row.harness),
                row.action,
                escaped(&row.file),
                when(row.time.as_deref())
            ));
        }
        if !sessions.is_empty() {
            frame.end_table();
        }
    }
    if let Some(files) = &answer.files {
        frame.table("Files that were changed most", &["File", "Sessions#", "Changed in#", "Last"]);
        for file in files {
            frame.put(format_args!(
                "<tr><td><a href=\"/files?path={}\">{}</a></td><td class=r>{}</td><td class=r>{}</td><td>{}</td></tr>\n",
                encoded(&file.path),
                escaped(&file.path),
                file.sessions,
                file.changes,
                when(file.last_time.as_deref())
            ));
        }
        frame.end_table();
    }
    Ok(frame.end())
}
