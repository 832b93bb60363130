//! What is answered over HTTP: JSON, also where something is wrong.

use crate::fault::{Fault, Kind};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use vivant_io::json::protocol::api;

/// Why a request was not carried out: a status, and a sentence with the way out.
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

/// JSON that nobody keeps: it may be another in a moment.
pub(crate) fn json(value: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_vec(value) {
        Ok(bytes) => (headers, bytes).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, headers, format!("{{\"error\": \"{error}\"}}"))
            .into_response(),
    }
}

/// Runs what may take a while, or read files, where it holds up nobody.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let broken = |e| Refused(StatusCode::INTERNAL_SERVER_ERROR, format!("this went wrong: {e}"));
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}
