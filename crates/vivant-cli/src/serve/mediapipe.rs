//! MediaPipe's packages, which detect people in images. The build script compresses them. They are used by the frame
//! of the label view and by the worker of the studio.
//!
//! The packages create functions from text, which the policy of our pages forbids. So they run separately, in a frame
//! and in a worker that have their own policies. The policy of the pages stays strict.

use super::answer::{Answer, Refused};
use super::studio::{Asset, Studio, file};
use axum::http::{HeaderValue, header};

/// A file of a package, compressed with gzip.
macro_rules! part {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_bytes!(concat!(env!("OUT_DIR"), "/studio/", $name, ".gz")))
    };
}

pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
const BINARY: &str = "application/octet-stream";
const WASM: &str = "application/wasm";

/// Face landmarks: 10 MB, compressed 5.5 MB.
pub(crate) const FACE_MESH: [Asset; 6] = [
    part!("face_mesh/face_mesh.js", SCRIPT),
    part!("face_mesh/face_mesh.binarypb", BINARY),
    part!("face_mesh/face_mesh_solution_packed_assets.data", BINARY),
    part!("face_mesh/face_mesh_solution_packed_assets_loader.js", SCRIPT),
    part!("face_mesh/face_mesh_solution_simd_wasm_bin.js", SCRIPT),
    part!("face_mesh/face_mesh_solution_simd_wasm_bin.wasm", WASM),
];

/// Hand landmarks: 13 MB, compressed 7.6 MB. This is the smaller of two models. The larger model finds no more hands
/// and is slower.
pub(crate) const HANDS: [Asset; 7] = [
    part!("hands/hands.js", SCRIPT),
    part!("hands/hands.binarypb", BINARY),
    part!("hands/hand_landmark_lite.tflite", BINARY),
    part!("hands/hands_solution_packed_assets.data", BINARY),
    part!("hands/hands_solution_packed_assets_loader.js", SCRIPT),
    part!("hands/hands_solution_simd_wasm_bin.js", SCRIPT),
    part!("hands/hands_solution_simd_wasm_bin.wasm", WASM),
];

/// Body landmarks: 16 MB, compressed 10.3 MB.
pub(crate) const POSE: [Asset; 7] = [
    part!("pose/pose.js", SCRIPT),
    part!("pose/pose_web.binarypb", BINARY),
    part!("pose/pose_landmark_full.tflite", BINARY),
    part!("pose/pose_solution_packed_assets.data", BINARY),
    part!("pose/pose_solution_packed_assets_loader.js", SCRIPT),
    part!("pose/pose_solution_simd_wasm_bin.js", SCRIPT),
    part!("pose/pose_solution_simd_wasm_bin.wasm", WASM),
];

/// Policy that allows the code to create functions from text, and to load files only from this server.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Serves a compressed file. All browsers can decompress it.
pub(crate) async fn packed(studio: &Studio, (name, kind, bytes): Asset) -> Answer {
    if studio.is_plain() {
        return Err(Refused::not_found(
            "this vivant was built without Node.js and MediaPipe; install Node.js and build it again",
        ));
    }
    let mut response = file(studio, (&format!("{name}.gz"), kind, bytes)).await?;
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(response)
}
