//! `/formats`: what harnesses write, from the catalogue.

use recount_export::html::escape::escaped;
use recount_formats::Harness;
use recount_formats::catalogue::Catalogue;

use super::frame::Frame;
use super::{Failed, Html};
use crate::web::api::formats::{Found, format, formats, harness};
use crate::web::query::{Named, encoded};
use crate::web::refusal::Refusal;

/// `/formats`
pub(in crate::web) async fn all() -> Html {
    let mut frame = Frame::new("formats", "Formats");
    frame.put(format_args!("<h1>Formats</h1>\n"));
    frame.table("", &["Harness", "What it is", "Types#"]);
    for format in formats() {
        frame.put(format_args!(
            "<tr><th scope=row><a href=\"/formats/{0}\">{0}</a></th><td>{1}</td><td class=r>{2}</td></tr>\n",
            format.harness,
            code(format.summary),
            format.types.len()
        ));
    }
    frame.end_table();
    frame.end()
}

/// `/formats/{harness}`
pub(in crate::web) async fn one(Named(name): Named<String>) -> Result<Html, Failed> {
    let harness = harness(&name)?;
    let catalogue = Catalogue::of(harness);
    if catalogue.records.is_empty() {
        return Err(Refusal::missing(format!("the format of {harness} is not described")).into());
    }
    let format = format(harness);
    let mut frame = Frame::new("formats", format.title);
    frame.put(format_args!(
        "<p><a href=\"/formats\">Formats</a></p>\n<h1>{}</h1>\n<p>{}</p>\n",
        escaped(format.title),
        code(format.summary)
    ));
    for (heading, text) in [
        ("How it is stored", &catalogue.container),
        ("What tells records apart", &catalogue.discriminator),
        ("Versions", &catalogue.versioning),
    ] {
        if !text.is_empty() {
            frame.put(format_args!("<h2>{heading}</h2>\n<p>{}</p>\n", code(text)));
        }
    }
    for (caption, block) in [("Types of records", false), ("Blocks in records", true)] {
        if format.types.iter().all(|t| t.block != block) {
            continue;
        }
        frame.table(caption, &["Type", "Means", "What it is"]);
        for t in format.types.iter().filter(|t| t.block == block) {
            frame.put(format_args!(
                "<tr><th scope=row><a href=\"/formats/{harness}/{}\">{}</a></th><td>{}</td><td>{}</td></tr>\n",
                encoded(t.r#type),
                escaped(t.r#type),
                escaped(t.concept),
                code(t.summary)
            ));
        }
        frame.end_table();
    }
    if !catalogue.gotchas.is_empty() {
        frame.put(format_args!("<h2>What surprises</h2>\n<ul>\n"));
        for gotcha in &catalogue.gotchas {
            frame.put(format_args!("<li>{}</li>\n", code(&gotcha.text)));
        }
        frame.put(format_args!("</ul>\n"));
    }
    Ok(frame.end())
}

/// `/formats/{harness}/{type}`
pub(in crate::web) async fn one_type(
    Named((name, r#type)): Named<(String, String)>,
) -> Result<Html, Failed> {
    let harness = harness(&name)?;
    let found = Found::named(harness, &r#type)?;
    let mut frame = Frame::new("formats", &r#type);
    frame.put(format_args!(
        "<p><a href=\"/formats\">Formats</a> › <a href=\"/formats/{harness}\">{harness}</a></p>\n\
         <h1>{}</h1>\n{}",
        escaped(&r#type),
        explained(harness, &found)
    ));
    Ok(frame.end())
}

/// A type of record or block as HTML, without its name.
pub(in crate::web) fn explained(harness: Harness, found: &Found) -> String {
    use std::fmt::Write as _;
    let catalogue = Catalogue::of(harness);
    let (about, topics, notes, example) = match found {
        Found::Record(r) => {
            let tags = r.tag.iter().map(|tag| format!("`{tag}`")).collect::<Vec<_>>().join(" and ");
            let about = [
                ("", r.summary.clone()),
                ("Means", r.concept.clone()),
                ("Written", r.when.clone()),
                ("Kept", r.persisted.clone().unwrap_or_default()),
                (
                    "Versions",
                    versions(r.since.as_deref(), r.until.as_deref(), r.versions.as_deref()),
                ),
                ("Told by", tags),
                ("Counting", r.usage.clone().unwrap_or_default()),
            ];
            (about, &r.rules, &r.notes, &r.example)
        }
        Found::Block(b) => {
            let key = b.key.as_deref().unwrap_or("type");
            let tags = b.tag.split('|').filter(|tag| !tag.is_empty());
            let tags = tags.map(|tag| format!("`{key}={tag}`")).collect::<Vec<_>>().join(" or ");
            let about = [
                ("", b.summary.clone()),
                ("Means", b.concept.clone()),
                ("Written", b.when.clone()),
                ("Kept", b.persisted.clone().unwrap_or_default()),
                (
                    "Versions",
                    versions(b.since.as_deref(), b.until.as_deref(), b.versions.as_deref()),
                ),
                ("Told by", tags),
                ("Counting", b.usage.clone().unwrap_or_default()),
            ];
            (about, &b.rules, &b.notes, &b.example)
        }
    };
    let mut html = String::new();
    // Writing to memory does not fail.
    let put = |html: &mut String, text: std::fmt::Arguments<'_>| {
        let _ = html.write_fmt(text);
    };
    put(&mut html, format_args!("<p>{}</p>\n<dl class=facts>\n", code(&about[0].1)));
    for (name, text) in about.iter().skip(1).filter(|(_, text)| !text.is_empty()) {
        put(&mut html, format_args!("<dt>{name}</dt><dd>{}</dd>\n", code(text)));
    }
    put(&mut html, format_args!("</dl>\n"));
    let fields = found.fields(harness);
    if !fields.is_empty() {
        put(
            &mut html,
            format_args!(
                "<div class=wide><table class=rows>\n<caption>Fields</caption>\n<thead><tr><th scope=col>Name</th>\
             <th scope=col>Type</th><th scope=col>There</th><th scope=col>What it holds</th></tr></thead>\n<tbody>\n"
            ),
        );
        for field in fields {
            put(
                &mut html,
                format_args!(
                    "<tr><th scope=row><code>{}</code></th><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
                    escaped(field.name),
                    escaped(&field.types.replace('|', " | ")),
                    if field.required { "always" } else { "sometimes" },
                    code(field.text)
                ),
            );
        }
        put(&mut html, format_args!("</tbody></table></div>\n"));
    }
    if !notes.is_empty() {
        put(&mut html, format_args!("<h2>Notes</h2>\n<ul>\n"));
        for note in notes {
            put(&mut html, format_args!("<li>{}</li>\n", code(note)));
        }
        put(&mut html, format_args!("</ul>\n"));
    }
    let rules: Vec<_> =
        catalogue.rules.iter().filter(|rule| topics.contains(&rule.topic)).collect();
    if !rules.is_empty() {
        put(&mut html, format_args!("<h2>How it hangs together</h2>\n<dl>\n"));
        for rule in rules {
            let (topic, text) = (escaped(&rule.topic), code(&rule.text));
            put(&mut html, format_args!("<dt>{topic}</dt><dd>{text}</dd>\n"));
        }
        put(&mut html, format_args!("</dl>\n"));
    }
    if !example.is_empty() {
        let value = serde_json::from_str::<serde_json::Value>(example).ok();
        let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
        let text = pretty.as_deref().unwrap_or(example);
        put(
            &mut html,
            format_args!("<h2>Example</h2>\n<pre><code>{}</code></pre>\n", escaped(text)),
        );
    }
    html
}

fn versions(since: Option<&str>, until: Option<&str>, more: Option<&str>) -> String {
    let span = match (since, until) {
        (Some(since), Some(until)) => format!("{since} to {until}. "),
        (Some(since), None) => format!("From {since} on. "),
        (None, Some(until)) => format!("Up to {until}. "),
        (None, None) => String::new(),
    };
    format!("{span}{}", more.unwrap_or("")).trim().to_owned()
}

/// A text of the catalogue: what stands between backticks is code.
fn code(text: &str) -> String {
    let mut html = String::new();
    for (n, piece) in text.split('`').enumerate() {
        let piece = escaped(piece).to_string();
        if n % 2 == 1 {
            html.push_str("<code>");
            html.push_str(&piece);
            html.push_str("</code>");
        } else {
            html.push_str(&piece);
        }
    }
    html
}
