//! The label view's files, and what each page of it may do.
//!
//! MediaPipe's face mesh makes functions from text, which no page of ours may. So it runs in a frame of its own, that
//! shows nothing, and takes pictures and gives points by messages; the view itself stays as strict as the studio.

use super::desk::Desk;
use crate::serve::answer::{Answer, Refused};
use crate::serve::studio::{ASSETS, Asset, INDEX, file};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use std::sync::Arc;

macro_rules! built {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/studio/", $file))
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const BINARY: &str = "application/octet-stream";

const MESH_PAGE: Asset = ("mesh.html", "text/html; charset=utf-8", built!("mesh.html"));
const MESH_SCRIPT: Asset = ("mesh.js", SCRIPT, built!("mesh.js"));

/// The face mesh as its package has it, packed by gzip: 10 MB are 5.5.
const MESH_PARTS: [Asset; 6] = [
    ("face_mesh/face_mesh.js.gz", SCRIPT, built!("face_mesh/face_mesh.js.gz")),
    ("face_mesh/face_mesh.binarypb.gz", BINARY, built!("face_mesh/face_mesh.binarypb.gz")),
    (
        "face_mesh/face_mesh_solution_packed_assets.data.gz",
        BINARY,
        built!("face_mesh/face_mesh_solution_packed_assets.data.gz"),
    ),
    (
        "face_mesh/face_mesh_solution_packed_assets_loader.js.gz",
        SCRIPT,
        built!("face_mesh/face_mesh_solution_packed_assets_loader.js.gz"),
    ),
    (
        "face_mesh/face_mesh_solution_simd_wasm_bin.js.gz",
        SCRIPT,
        built!("face_mesh/face_mesh_solution_simd_wasm_bin.js.gz"),
    ),
    (
        "face_mesh/face_mesh_solution_simd_wasm_bin.wasm.gz",
        "application/wasm",
        built!("face_mesh/face_mesh_solution_simd_wasm_bin.wasm.gz"),
    ),
];

/// The view: pictures from here, and the frame in which the face mesh runs.
const VIEW_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; img-src 'self' data: blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The face mesh: it may make code, and nothing but ask this server for its own parts.
const MESH_POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

pub(super) fn routes() -> Router<Arc<Desk>> {
    let router = Router::new()
        .route("/", get(async || Redirect::temporary("/label")))
        .route("/label", get(async |State(desk)| page(desk, INDEX, VIEW_POLICY).await))
        .route("/mesh.html", get(async |State(desk)| page(desk, MESH_PAGE, MESH_POLICY).await));
    let plain = ASSETS.into_iter().chain([MESH_SCRIPT]);
    let router = plain.fold(router, |router, asset| {
        let serve = async move |State(desk): State<Arc<Desk>>| file(&desk.studio, asset).await;
        router.route(&format!("/{}", asset.0), get(serve))
    });
    MESH_PARTS.into_iter().fold(router, |router, part| {
        let serve = async move |State(desk): State<Arc<Desk>>| packed(&desk, part).await;
        router.route(&format!("/{}", part.0.trim_end_matches(".gz")), get(serve))
    })
}

async fn page(desk: Arc<Desk>, page: Asset, policy: &'static str) -> Answer {
    let page = file(&desk.studio, page).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// A file that browsers unpack, as all of them can.
async fn packed(desk: &Desk, part: Asset) -> Answer {
    if desk.studio.is_plain() {
        return Err(Refused::not_found(
            "this vivant was built without Node.js, and so without the face mesh",
        ));
    }
    let mut response = file(&desk.studio, part).await?;
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(response)
}
