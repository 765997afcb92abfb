//! `/`: all sessions.

use std::sync::Arc;

use axum::extract::State;
use recount_export::html::escape::escaped;
use recount_text::amount;

use super::frame::{Frame, dollars, session, title, when};
use super::{Failed, Html};
use crate::web::Site;
use crate::web::api::sessions::{self, Query};
use crate::web::query::{Asked, encoded, given, is_on};

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Html, Failed> {
    let answer = sessions::find(&site, query.clone()).await?;
    let mut frame = Frame::new("sessions", "Sessions");
    frame.put(format_args!("<h1>Sessions</h1>\n"));
    filters(&mut frame, &query, &answer);
    frame.indexing(answer.indexing);
    if answer.total == 0 {
        frame.put(format_args!("<p class=empty>No sessions fit.</p>\n"));
        return Ok(frame.end());
    }
    let last = answer.offset + answer.sessions.len();
    let caption = match (answer.offset, answer.sessions.len()) {
        (0, all) if all == answer.total => amount::plural(all, "session", "sessions"),
        (first, _) => format!("{} to {last} of {} sessions", first + 1, answer.total),
    };
    let columns =
        ["Title", "Harness", "Project", "Model", "Last written", "Turns#", "Tokens#", "Cost#"];
    frame.table(&caption, &columns);
    for row in &answer.sessions {
        let mark = match (row.live, row.is_subagent, row.archived) {
            (true, ..) => " <span class=live>live</span>",
            (_, true, _) => " <span class=fact>sub-agent</span>",
            (_, _, true) => " <span class=fact>archived</span>",
            _ => "",
        };
        frame.put(format_args!(
            "<tr><td dir=auto><a href=\"{}\">{}</a>{mark}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td class=r>{}</td><td class=r>{}</td><td class=r>{}</td></tr>\n",
            session(&row.id),
            title(row.title.as_deref()),
            row.harness,
            escaped(row.cwd.as_deref().unwrap_or("")),
            escaped(row.model.as_deref().unwrap_or("")),
            when(row.updated_at.as_deref()),
            row.turns.map(|n| n.to_string()).unwrap_or_default(),
            row.total_tokens.map(amount::count).unwrap_or_default(),
            dollars(row.cost_usd),
        ));
    }
    frame.end_table();
    let limit = query.limit.unwrap_or(answer.sessions.len()).max(1);
    let page = |offset: usize| {
        let mut parts = vec![format!("offset={offset}"), format!("limit={limit}")];
        for (name, value) in [
            ("q", &query.q),
            ("harness", &query.harness),
            ("project", &query.project),
            ("model", &query.model),
            ("since", &query.since),
            ("until", &query.until),
            ("all", &query.all),
        ] {
            parts.extend(given(value.as_ref()).map(|value| format!("{name}={}", encoded(value))));
        }
        format!("/?{}", parts.join("&amp;"))
    };
    if answer.offset == 0 && last == answer.total {
        return Ok(frame.end());
    }
    frame.put(format_args!("<nav class=pager aria-label=Parts>"));
    if answer.offset > 0 {
        let before = page(answer.offset.saturating_sub(limit));
        frame.put(format_args!("<a rel=prev href=\"{before}\">Newer</a> "));
    }
    if last < answer.total {
        frame.put(format_args!("<a rel=next href=\"{}\">Older</a>", page(last)));
    }
    frame.put(format_args!("</nav>\n"));
    Ok(frame.end())
}

fn filters(frame: &mut Frame, query: &Query, answer: &sessions::Answer) {
    let value = |text: &Option<String>| escaped(given(text.as_ref()).unwrap_or("")).to_string();
    frame.put(format_args!(
        "<form class=filters action=\"/\">\n<label>Words <input type=search name=q value=\"{}\"></label>\n",
        value(&query.q)
    ));
    for (name, label, chosen, facets) in [
        ("harness", "Harness", &query.harness, &answer.facets.harness),
        ("project", "Project", &query.project, &answer.facets.project),
        ("model", "Model", &query.model, &answer.facets.model),
    ] {
        frame.put(format_args!(
            "<label>{label} <select name={name}><option value=\"\">all</option>"
        ));
        for facet in facets.iter().take(200) {
            let selected =
                if given(chosen.as_ref()) == Some(facet.value.as_str()) { " selected" } else { "" };
            let shown = escaped(&facet.value);
            frame.put(format_args!(
                "<option value=\"{shown}\"{selected}>{shown} ({})</option>",
                facet.count
            ));
        }
        frame.put(format_args!("</select></label>\n"));
    }
    let checked = if is_on(query.all.as_ref()) { " checked" } else { "" };
    frame.put(format_args!(
        "<label>Since <input name=since size=10 placeholder=3d value=\"{}\"></label>\n\
         <label><input type=checkbox name=all value=1{checked}> sub-agents and archived</label>\n\
         <button>Show</button>\n</form>\n",
        value(&query.since)
    ));
}
