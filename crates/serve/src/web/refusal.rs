//! Errors, as JSON and as pages.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is not answered.
#[derive(Debug)]
pub struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// The shape of every error.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Error"))]
pub struct Body<'a> {
    error: About<'a>,
}

/// What went wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AboutError"))]
pub struct About<'a> {
    /// A short name that stays.
    code: &'a str,
    /// A sentence for a person.
    message: &'a str,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// Nobody knows the one who asks.
    pub(super) fn unknown() -> Self {
        let text = "open the address that `recount serve` printed: it holds the key";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", text)
    }

    /// The one who asks is not to ask.
    pub(super) fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// Something is asked that makes no sense.
    pub(super) fn wrong(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "badRequest", message)
    }

    /// What is asked for is not there.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "notFound", message)
    }

    /// Nothing is changed here.
    pub(super) fn method() -> Self {
        let text = "only GET and HEAD: nothing is changed here";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "methodNotAllowed", text)
    }

    /// It is not the fault of the one who asks.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Body { error: About { code: self.code, message: &self.message } };
        let json = serde_json::to_vec(&body).unwrap_or_default();
        (self.status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
    }
}
