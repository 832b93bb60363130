//! What finds people in pictures: MediaPipe's packages as the build script packed them, for the label view's frame and
//! the studio's worker.
//!
//! They make functions from text, which no page of ours may. So they run apart, in a frame and in a worker, each with a
//! policy of its own; the pages stay strict.

use super::answer::{Answer, Refused};
use super::studio::{Asset, Studio, file};
use axum::http::{HeaderValue, header};

/// A part as its package has it, packed by gzip.
macro_rules! part {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_bytes!(concat!(env!("OUT_DIR"), "/studio/", $name, ".gz")))
    };
}

pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
const BINARY: &str = "application/octet-stream";
const WASM: &str = "application/wasm";

/// The points of a face: 10 MB are 5.5.
pub(crate) const FACE_MESH: [Asset; 6] = [
    part!("face_mesh/face_mesh.js", SCRIPT),
    part!("face_mesh/face_mesh.binarypb", BINARY),
    part!("face_mesh/face_mesh_solution_packed_assets.data", BINARY),
    part!("face_mesh/face_mesh_solution_packed_assets_loader.js", SCRIPT),
    part!("face_mesh/face_mesh_solution_simd_wasm_bin.js", SCRIPT),
    part!("face_mesh/face_mesh_solution_simd_wasm_bin.wasm", WASM),
];

/// The points of hands: 13 MB are 7.6. Of the two models the small one: the other finds no more, and takes longer.
pub(crate) const HANDS: [Asset; 7] = [
    part!("hands/hands.js", SCRIPT),
    part!("hands/hands.binarypb", BINARY),
    part!("hands/hand_landmark_lite.tflite", BINARY),
    part!("hands/hands_solution_packed_assets.data", BINARY),
    part!("hands/hands_solution_packed_assets_loader.js", SCRIPT),
    part!("hands/hands_solution_simd_wasm_bin.js", SCRIPT),
    part!("hands/hands_solution_simd_wasm_bin.wasm", WASM),
];

/// The points of a body: 16 MB are 10.3.
pub(crate) const POSE: [Asset; 7] = [
    part!("pose/pose.js", SCRIPT),
    part!("pose/pose_web.binarypb", BINARY),
    part!("pose/pose_landmark_full.tflite", BINARY),
    part!("pose/pose_solution_packed_assets.data", BINARY),
    part!("pose/pose_solution_packed_assets_loader.js", SCRIPT),
    part!("pose/pose_solution_simd_wasm_bin.js", SCRIPT),
    part!("pose/pose_solution_simd_wasm_bin.wasm", WASM),
];

/// It may make code, and nothing but ask this server for its own parts.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// A part, which browsers unpack, as all of them can.
pub(crate) async fn packed(studio: &Studio, (name, kind, bytes): Asset) -> Answer {
    if studio.is_plain() {
        return Err(Refused::not_found(
            "this vivant was built without Node.js, and so without what finds people in pictures",
        ));
    }
    let mut response = file(studio, (&format!("{name}.gz"), kind, bytes)).await?;
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(response)
}
