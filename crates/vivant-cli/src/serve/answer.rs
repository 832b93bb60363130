//! HTTP responses in JSON. Errors are also JSON.

use crate::fault::{Fault, Kind};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use vivant_io::json::protocol::api;

/// An HTTP error: the status code, and a message that says how to solve the problem.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) StatusCode, pub(crate) String);

pub(crate) type Answer<T = Response> = Result<T, Refused>;

impl Refused {
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self(StatusCode::NOT_FOUND, message.into())
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, message.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = json(&api::Refusal { error: self.1 });
        *response.status_mut() = self.0;
        response
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        let status = match fault.kind() {
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::ReadOnly => StatusCode::FORBIDDEN,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, fault.to_string())
    }
}

/// Creates a JSON response that must not be cached.
pub(crate) fn json(value: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_vec(value) {
        Ok(bytes) => (headers, bytes).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, headers, format!("{{\"error\": \"{error}\"}}"))
            .into_response(),
    }
}

/// Runs work that may take long or read files, on a thread for blocking tasks.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let broken = |e| Refused(StatusCode::INTERNAL_SERVER_ERROR, format!("internal error: {e}"));
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}
