//! Files of the label view, with the content security policy of each page.
//!
//! MediaPipe's face mesh creates functions from text, which our policy forbids. It therefore runs in a separate
//! hidden frame, which receives images and returns points by messages. The policy of the view stays as strict as the
//! policy of the studio.

use super::View;
use crate::serve::answer::Answer;
use crate::serve::mediapipe::{self, FACE_MESH, SCRIPT, packed};
use crate::serve::studio::{ASSETS, Asset, INDEX, built, file};
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use std::sync::Arc;

const MESH_PAGE: Asset = ("mesh.html", "text/html; charset=utf-8", built!("mesh.html"));
const MESH_SCRIPT: Asset = ("mesh.js", SCRIPT, built!("mesh.js"));

/// Policy of the view. It allows images from this server, and the frame of the face mesh.
const VIEW_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; img-src 'self' data: blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

pub(super) fn routes() -> Router<Arc<View>> {
    let router = Router::new()
        .route("/", get(async || Redirect::temporary("/label")))
        .route("/label", get(async |State(desk)| page(desk, INDEX, VIEW_POLICY).await))
        .route("/mesh.html", get(async |State(desk)| page(desk, MESH_PAGE, mediapipe::POLICY).await));
    let plain = ASSETS.into_iter().chain([MESH_SCRIPT]);
    let router = plain.fold(router, |router, asset| {
        let serve = async move |State(desk): State<Arc<View>>| file(&desk.studio, asset).await;
        router.route(&format!("/{}", asset.0), get(serve))
    });
    FACE_MESH.into_iter().fold(router, |router, part| {
        let serve = async move |State(desk): State<Arc<View>>| packed(&desk.studio, part).await;
        router.route(&format!("/{}", part.0), get(serve))
    })
}

async fn page(desk: Arc<View>, page: Asset, policy: &'static str) -> Answer {
    let page = file(&desk.studio, page).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}
