//! What pages load: styles, scripts, a picture. They are part of the program.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use twox_hash::XxHash3_64;

use super::query::Named;
use super::refusal::Refusal;

static ASSETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/web/assets");

/// Where assets are read from while somebody works on them.
#[cfg(debug_assertions)]
const FOLDER: &str = "RECOUNT_WEB_ASSETS";

/// `/assets/…`
pub(super) async fn asset(
    Named(path): Named<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let content = content(&path).ok_or_else(|| Refusal::missing(format!("no asset `{path}`")))?;
    let tag = format!("\"{:016x}\"", XxHash3_64::oneshot(&content));
    // Asked for each time, and sent when it is another one than that which is known.
    let about = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    Ok((about, [(header::CONTENT_TYPE, kind_of(&path))], content.into_owned()).into_response())
}

fn content(path: &str) -> Option<Cow<'static, [u8]>> {
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os(FOLDER) {
        let inside = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
        let file = std::path::Path::new(&folder).join(path);
        return inside.then(|| std::fs::read(file).ok())?.map(Cow::Owned);
    }
    ASSETS.get_file(path).map(|file| Cow::Borrowed(file.contents()))
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
