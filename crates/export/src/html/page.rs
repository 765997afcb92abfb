//! The frame of a page: its policy, style and script.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::escape::escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Begins a page.
pub(crate) fn begin(out: &mut dyn Write, title: &str) -> io::Result<()> {
    write!(
        out,
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=referrer content=no-referrer>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <title>{}</title>\n<style>{STYLE}</style></head>\n<body>\n\
         <a class=skip href=\"#main\">Skip to the content</a>\n",
        hash(STYLE),
        hash(SCRIPT),
        escaped(title)
    )
}

/// Ends a page.
pub(crate) fn end(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<script>{SCRIPT}</script>\n</body></html>\n")
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
