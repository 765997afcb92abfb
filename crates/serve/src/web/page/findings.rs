//! `/findings`: what is damaged or unknown in sessions.

use std::sync::Arc;

use axum::extract::State;
use recount_export::html::escape::escaped;
use recount_text::amount;

use super::frame::{Frame, session};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::findings::{self, Query};
use crate::web::query::Asked;

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let answer = findings::find(&site, query).await?;
    let mut frame = Frame::new("findings", "Findings");
    frame.put(format_args!("<h1>Findings</h1>\n"));
    if answer.partial {
        let text = "Not all sessions were read.";
        frame.put(format_args!("<p class=note role=status>{text}</p>\n"));
    }
    if answer.total == 0 {
        frame.put(format_args!("<p class=empty>Nothing is damaged or unknown.</p>\n"));
        return Ok(frame.end());
    }
    let mut caption = amount::plural(answer.total, "finding", "findings");
    if answer.findings.len() < answer.total {
        caption = format!("The first {} of {caption}", answer.findings.len());
    }
    frame.table(&caption, &["Severity", "Code", "What", "Session", "Place"]);
    for row in &answer.findings {
        let line = if row.line > 0 { format!(":{}", row.line) } else { String::new() };
        frame.put(format_args!(
            "<tr class={0}><td>{0}</td><td><code>{1}</code></td><td dir=auto>{2}</td>\
             <td><a href=\"{3}\">{4}</a></td><td><code>{5}{line}</code></td></tr>\n",
            row.severity,
            escaped(&row.code),
            escaped(&row.message),
            session(&row.session_id),
            escaped(&row.session_id),
            escaped(&row.source)
        ));
    }
    frame.end_table();
    Ok(frame.end())
}
