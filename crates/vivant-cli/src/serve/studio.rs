//! The studio as the build script left it; the plain page where there was no Node.js.

use super::House;
use super::answer::{Answer, Refused, apart};
use crate::files;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::path::PathBuf;
use std::sync::Arc;

const PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio/index.html"));
const SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio/studio.js"));
const STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio/studio.css"));

/// Where the studio's files come from.
pub(crate) struct Studio {
    /// For who works on it: a folder, which is read again for every request.
    folder: Option<PathBuf>,
}

impl Studio {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    pub(crate) fn is_plain(&self) -> bool {
        match &self.folder {
            None => SCRIPT.is_empty(),
            Some(folder) => !folder.join(ASSETS[0].0).exists(),
        }
    }
}

/// A file of the studio: its name, what browsers are told that it is, and what is built in.
pub(crate) type Asset = (&'static str, &'static str, &'static [u8]);

pub(crate) const INDEX: Asset = ("index.html", "text/html; charset=utf-8", PAGE);
pub(crate) const ASSETS: [Asset; 2] = [
    ("studio.js", "text/javascript; charset=utf-8", SCRIPT),
    ("studio.css", "text/css; charset=utf-8", STYLE),
];

pub(super) fn routes() -> Router<Arc<House>> {
    let router = Router::new().route("/", get(page));
    ASSETS.into_iter().fold(router, |router, asset| {
        router.route(
            &format!("/{}", asset.0),
            get(async move |State(house): State<Arc<House>>| file(&house.studio, asset).await),
        )
    })
}

async fn page(State(house): State<Arc<House>>) -> Answer {
    // The plain page has its script within; the studio's textures are blobs that it made itself.
    let script = if house.studio.is_plain() { "'unsafe-inline'" } else { "'self'" };
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src 'self' 'unsafe-inline'; connect-src 'self' blob:; \
         img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let page = file(&house.studio, INDEX).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// A file of the studio: from the folder where there is one, else as it was built in.
pub(crate) async fn file(studio: &Studio, (name, kind, built_in): Asset) -> Answer {
    let bytes = match studio.folder.as_ref().map(|folder| folder.join(name)) {
        None => Bytes::from_static(built_in),
        Some(path) => {
            apart(move || Ok(files::read(&path).map_err(|f| Refused::not_found(f.to_string()))?.into()))
                .await?
        }
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], bytes).into_response())
}
