//! What surrounds every page.

use std::fmt::{self, Write as _};

use recount_export::html::escape::escaped;
use recount_export::time;

use super::Html;
use crate::web::query::encoded;

/// The pages, as the head of each names them.
const PAGES: &[(&str, &str, &str)] = &[
    ("sessions", "/", "Sessions"),
    ("usage", "/usage", "Usage"),
    ("files", "/files", "Files"),
    ("findings", "/findings", "Findings"),
    ("formats", "/formats", "Formats"),
];

/// A page that is being written.
pub(super) struct Frame(String);

impl Frame {
    /// Begins a page. `name` tells scripts which one it is.
    pub(super) fn new(name: &str, title: &str) -> Self {
        Self::searched(name, title, "")
    }

    /// Begins a page with words in its search field.
    pub(super) fn searched(name: &str, title: &str, words: &str) -> Self {
        Self::begin(name, title, words, "")
    }

    /// Begins a page about a session.
    pub(super) fn of_session(name: &str, title: &str, id: &str) -> Self {
        Self::begin(name, title, "", id)
    }

    fn begin(name: &str, title: &str, words: &str, id: &str) -> Self {
        let mut frame = Self(String::new());
        let title = escaped(title);
        let about = if id.is_empty() {
            String::new()
        } else {
            format!(" data-session=\"{}\"", escaped(id))
        };
        frame.put(format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · recount</title>\n\
             <link rel=\"icon\" href=\"/assets/icon.svg\" type=\"image/svg+xml\">\n\
             <link rel=\"stylesheet\" href=\"/assets/app.css\">\n\
             <script src=\"/assets/theme.js\"></script>\n\
             <script type=\"module\" src=\"/assets/app.js\"></script>\n</head>\n\
             <body data-page=\"{name}\"{about}>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
             <header class=\"top\">\n<a class=\"brand\" href=\"/\">recount</a>\n\
             <nav aria-label=\"Pages\">"
        ));
        for (page, address, label) in PAGES {
            let current = if *page == name { " aria-current=\"page\"" } else { "" };
            frame.put(format_args!("<a href=\"{address}\"{current}>{label}</a>"));
        }
        frame.put(format_args!(
            "</nav>\n<form class=\"search\" role=\"search\" action=\"/search\">\
             <input type=\"search\" name=\"q\" aria-label=\"Search in all sessions\" \
             placeholder=\"Search all sessions\" value=\"{}\"></form>\n</header>\n<main id=\"main\">\n",
            escaped(words)
        ));
        frame
    }

    /// Writes HTML. Foreign text comes escaped.
    pub(super) fn put(&mut self, html: fmt::Arguments<'_>) {
        // Writing to memory does not fail.
        let _ = self.0.write_fmt(html);
    }

    /// Begins a table; columns of numbers end with `#`.
    pub(super) fn table(&mut self, caption: &str, columns: &[&str]) {
        self.put(format_args!("<div class=wide><table class=rows>\n"));
        if !caption.is_empty() {
            self.put(format_args!("<caption>{}</caption>\n", escaped(caption)));
        }
        self.put(format_args!("<thead><tr>"));
        for column in columns {
            match column.strip_suffix('#') {
                Some(number) => self.put(format_args!("<th class=r scope=col>{number}</th>")),
                None => self.put(format_args!("<th scope=col>{column}</th>")),
            }
        }
        self.put(format_args!("</tr></thead>\n<tbody>\n"));
    }

    /// Ends a table.
    pub(super) fn end_table(&mut self) {
        self.put(format_args!("</tbody></table></div>\n"));
    }

    /// Says that something is missing yet.
    pub(super) fn indexing(&mut self, indexing: bool) {
        if indexing {
            let text = "Sessions are still being read. What they hold comes later.";
            self.put(format_args!("<p class=note role=status>{text}</p>\n"));
        }
    }

    /// Ends the page.
    pub(super) fn end(mut self) -> Html {
        self.put(format_args!("</main>\n</body>\n</html>\n"));
        Html(self.0)
    }
}

/// A time for people and programs; nothing when it is none.
pub(super) fn when(time: Option<&str>) -> String {
    let Some(parsed) = time.and_then(time::parse) else { return String::new() };
    let zone = jiff::tz::TimeZone::system();
    format!("<time datetime=\"{parsed}\">{}</time>", escaped(&time::day_and_time(parsed, &zone)))
}

/// The address of a session's page.
pub(super) fn session(id: &str) -> String {
    format!("/s/{}", encoded(id))
}

/// A title, or that there is none.
pub(super) fn title(title: Option<&str>) -> String {
    let line = recount_text::text::line(recount_text::text::beginning(title.unwrap_or(""), 300));
    if line.is_empty() { "(no title)".to_owned() } else { escaped(&line).to_string() }
}

/// A cost in US dollars.
pub(super) fn dollars(cost: Option<f64>) -> String {
    match cost {
        None => String::new(),
        Some(cost) if cost >= 1000.0 => format!("${cost:.0}"),
        Some(cost) if cost >= 0.995 || cost == 0.0 => format!("${cost:.2}"),
        Some(cost) => format!("${cost:.4}"),
    }
}

/// Pieces of text, with what was looked for marked.
pub(super) fn marked(pieces: &[crate::web::api::Piece]) -> String {
    pieces.iter().fold(String::new(), |mut html, piece| {
        let text = escaped(&piece.text);
        let _ =
            if piece.mark { write!(html, "<mark>{text}</mark>") } else { write!(html, "{text}") };
        html
    })
}
