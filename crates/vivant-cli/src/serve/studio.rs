//! The studio as built by the build script. If Node.js was not available, it is a plain page.

use super::ServerState;
use super::answer::{Answer, Refused, run_blocking};
use super::mediapipe::{self, FACE_MESH, HANDS, POSE, SCRIPT, packed};
use crate::files;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::path::PathBuf;
use std::sync::Arc;

macro_rules! built {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/studio/", $file))
    };
}
pub(crate) use built;

/// Source of the studio's files.
pub(crate) struct Studio {
    /// A folder for development. Its files are read again for every request.
    folder: Option<PathBuf>,
}

impl Studio {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    pub(crate) fn is_plain(&self) -> bool {
        match &self.folder {
            None => ASSETS[0].2.is_empty(),
            Some(folder) => !folder.join(ASSETS[0].0).exists(),
        }
    }
}

/// A file of the studio: its name, media type and embedded bytes.
pub(crate) type Asset = (&'static str, &'static str, &'static [u8]);

pub(crate) const INDEX: Asset = ("index.html", "text/html; charset=utf-8", built!("index.html"));
pub(crate) const ASSETS: [Asset; 2] = [
    ("studio.js", SCRIPT, built!("studio.js")),
    ("studio.css", "text/css; charset=utf-8", built!("studio.css")),
];
/// The worker that detects a person in images.
const PERSON: Asset = ("person.js", SCRIPT, built!("person.js"));

pub(super) fn routes() -> Router<Arc<ServerState>> {
    let router = Router::new().route("/", get(page)).route("/person.js", get(person));
    let router = ASSETS.into_iter().fold(router, |router, asset| {
        let serve = async move |State(state): State<Arc<ServerState>>| file(&state.studio, asset).await;
        router.route(&format!("/{}", asset.0), get(serve))
    });
    FACE_MESH.into_iter().chain(HANDS).chain(POSE).fold(router, |router, part| {
        let serve = async move |State(state): State<Arc<ServerState>>| packed(&state.studio, part).await;
        router.route(&format!("/{}", part.0), get(serve))
    })
}

async fn page(State(state): State<Arc<ServerState>>) -> Answer {
    // The plain page has an inline script; the studio creates its textures and films as blobs.
    let script = if state.studio.is_plain() { "'unsafe-inline'" } else { "'self'" };
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src 'self' 'unsafe-inline'; connect-src 'self' blob:; \
         img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let page = file(&state.studio, INDEX).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// Serves the worker with its own policy. The policy of the page does not apply to workers.
async fn person(State(state): State<Arc<ServerState>>) -> Answer {
    let script = file(&state.studio, PERSON).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, mediapipe::POLICY)], script).into_response())
}

/// Serves a file of the studio, from the development folder if there is one, otherwise from the embedded files.
pub(crate) async fn file(
    studio: &Studio,
    (name, kind, built_in): (&str, &'static str, &'static [u8]),
) -> Answer {
    let bytes = match studio.folder.as_ref().map(|folder| folder.join(name)) {
        None => Bytes::from_static(built_in),
        Some(path) => {
            run_blocking(move || {
                Ok(files::read(&path).map_err(|f| Refused::not_found(f.to_string()))?.into())
            })
            .await?
        }
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], bytes).into_response())
}
