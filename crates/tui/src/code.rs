//! Colours for code.

use anstyle::{AnsiColor, Style};
use recount_text::flow::Line;
use recount_text::highlight::{self, Kind};
use recount_text::paint::style;

/// Code as one line for each of its lines, or nothing for a language that is not known. The code is harmless already.
pub fn lines(language: &str, code: &str) -> Option<Vec<Line>> {
    let lines = highlight::lines(language, code)?.into_iter().map(|tokens| {
        let mut line = Line::default();
        for token in tokens {
            line.push(styled(token.kind), token.text);
        }
        line
    });
    Some(lines.collect())
}

const fn styled(kind: Kind) -> Style {
    match kind {
        Kind::Plain => style::PLAIN,
        Kind::Keyword => AnsiColor::Magenta.on_default(),
        Kind::String => AnsiColor::Green.on_default(),
        Kind::Comment => style::DIM,
        Kind::Number => AnsiColor::Cyan.on_default(),
    }
}
