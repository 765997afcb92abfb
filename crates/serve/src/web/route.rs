//! Every address.

use std::sync::Arc;

use axum::routing::{MethodRouter, get};

use super::{Site, api, assets, page};

/// An address, and who answers there.
#[derive(Debug)]
pub struct Route {
    /// The path; parts in braces stand for something.
    pub path: &'static str,
    pub(super) handler: fn() -> MethodRouter<Arc<Site>>,
}

macro_rules! routes {
    ($($path:literal => $handler:path,)*) => {
        &[$(Route { path: $path, handler: || get($handler) }),*]
    };
}

/// All of them. Those below `/api` stand in `docs/openapi.json`.
pub const ALL: &[Route] = routes![
    "/" => page::sessions::get,
    "/s/{id}" => page::session::get,
    "/s/{id}/timeline" => page::timeline::get,
    "/usage" => page::usage::get,
    "/files" => page::files::get,
    "/formats" => page::formats::all,
    "/formats/{harness}" => page::formats::one,
    "/formats/{harness}/{type}" => page::formats::one_type,
    "/findings" => page::findings::get,
    "/search" => page::search::get,
    "/assets/{*path}" => assets::asset,
    "/api/sessions" => api::sessions::get,
    "/api/sessions/{id}" => api::session::get,
    "/api/sessions/{id}/items" => api::items::get,
    "/api/sessions/{id}/items/{item}" => api::items::one,
    "/api/sessions/{id}/items/{item}/images/{number}" => api::items::picture,
    "/api/sessions/{id}/find" => api::within::get,
    "/api/sessions/{id}/timeline" => api::timeline::get,
    "/api/sessions/{id}/events" => api::events::session,
    "/api/events" => api::events::sessions,
    "/api/search" => api::search::get,
    "/api/usage" => api::usage::get,
    "/api/usage/heatmap" => api::usage::heatmap,
    "/api/files" => api::files::get,
    "/api/formats" => api::formats::all,
    "/api/formats/{harness}/{type}" => api::formats::one,
    "/api/findings" => api::findings::get,
    "/api/openapi.json" => api::openapi,
];
