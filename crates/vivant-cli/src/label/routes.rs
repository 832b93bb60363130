//! HTTP API of the label view.

use super::View;
use crate::fault::Result;
use crate::serve::answer::{Answer, Refused, json, run_blocking};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivant_host::label::StoredLabels;
use vivant_learn::film::Image;
use vivant_learn::film::labels::{self, LabelledFrame};

/// Maximum size of the labels in bytes. Labels of ten thousand frames need about four megabytes.
const MAX_LABELS_BYTES: usize = 32 << 20;
/// Number of suggested frames. Paper 3 labelled the same number (3.1).
const SUGGESTED: usize = 20;

pub(super) fn routes() -> Router<Arc<View>> {
    Router::new()
        .route("/api/film", get(film))
        .route("/api/frames/{frame}", get(frame))
        .route("/api/labels", get(kept).put(keep).layer(DefaultBodyLimit::max(MAX_LABELS_BYTES)))
        .route("/api/suggestions", get(suggestions))
        .route("/api/guess/{frame}", post(guess))
        .route("/api/track", post(track).delete(stop))
        .route("/api/underway", get(underway))
        .route("/api/truth/{frame}", get(truth))
}

/// Properties of the film.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'a> {
    name: &'a str,
    width: usize,
    height: usize,
    secs: &'a [f64],
    labels_file: String,
    /// True for a generated film. The true points of such a film are known.
    is_drawn: bool,
    /// A part of the URLs of frames. It differs for each film, since browsers cache images by URL.
    id: u64,
}

async fn film(State(desk): State<Arc<View>>) -> Response {
    let reel = &desk.reel;
    json(&Facts {
        name: &reel.name,
        width: reel.width,
        height: reel.height,
        secs: &reel.secs,
        labels_file: desk.store.path().display().to_string(),
        is_drawn: reel.truth(0).is_some(),
        id: desk.id,
    })
}

#[derive(Deserialize)]
struct Sized {
    /// Maximum width of a thumbnail in pixels; `None` for the full size.
    width: Option<usize>,
}

/// `GET /api/frames/12.png`: a frame at its full size, or a thumbnail.
async fn frame(
    State(desk): State<Arc<View>>,
    Path(name): Path<String>,
    Query(sized): Query<Sized>,
) -> Answer {
    let number = name.strip_suffix(".png").and_then(|number| number.parse().ok());
    let number =
        number.ok_or_else(|| Refused::not_found("invalid frame; give a frame number, as in 12.png"))?;
    let bytes = run_blocking(move || {
        let width = sized.width.unwrap_or(usize::MAX);
        let small = desk.reel.thumbnail(number, width);
        let image = small.map_or_else(|| desk.reel.colour_frame(number), Ok)?;
        Ok(picture(&image, width)?)
    })
    .await?;
    let keep = "private, max-age=3600, immutable";
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, keep)];
    Ok((headers, bytes).into_response())
}

/// Encodes an image as PNG. The image is halved until it is at most this wide.
fn picture(image: &Image, width: usize) -> Result<Vec<u8>> {
    if image.width > width.max(1) && image.width > 1 {
        return picture(&image.halved(), width);
    }
    let planes: [&[u8]; 3] = std::array::from_fn(|channel| image.plane(channel.min(image.channels - 1)));
    let pixels = (0..image.width * image.height).flat_map(|pixel| planes.map(|plane| plane[pixel]));
    crate::plot::encode_rgb(image.width, image.height, pixels.collect())
}

async fn kept(State(desk): State<Arc<View>>) -> Answer {
    let kept: StoredLabels = run_blocking(move || Ok(desk.store.get()?)).await?;
    Ok(json(&kept))
}

#[derive(Deserialize)]
struct From {
    /// The revision that the client edited.
    revision: u64,
}

/// `PUT /api/labels?revision=3`: saves all labels and returns the new revision.
async fn keep(State(desk): State<Arc<View>>, Query(from): Query<From>, body: Bytes) -> Answer {
    let revision = run_blocking(move || {
        let labels = labels::read("labels", &body)
            .map_err(|error| Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
        Ok(desk.store.put(from.revision, labels)?)
    })
    .await?;
    Ok(json(&serde_json::json!({ "revision": revision })))
}

/// `GET /api/suggestions`: the frames that differ most from each other, the most informative frame first.
async fn suggestions(State(desk): State<Arc<View>>) -> Answer {
    let frames = run_blocking(move || Ok(desk.suggestions(SUGGESTED)?)).await?;
    Ok(json(&frames))
}

/// `POST /api/guess/12`: the points of a frame, predicted by a model of all other labelled frames.
async fn guess(State(desk): State<Arc<View>>, Path(frame): Path<usize>) -> Answer {
    let guess = run_blocking(move || Ok(desk.guess(frame)?)).await?;
    Ok(json(&guess))
}

/// `POST /api/track`: the points in every frame, or null for frames in which the model is not confident.
async fn track(State(desk): State<Arc<View>>) -> Answer {
    let found = run_blocking(move || Ok(desk.track()?)).await?;
    Ok(json(&found))
}

/// `DELETE /api/track`: cancels tracking.
async fn stop(State(desk): State<Arc<View>>) -> Response {
    desk.stop();
    json(&serde_json::json!({}))
}

/// `GET /api/underway`: the progress of suggestions and of tracking.
async fn underway(State(desk): State<Arc<View>>) -> Response {
    json(&desk.progress())
}

/// `GET /api/truth/12`: the true points and gaze of a generated frame.
async fn truth(State(desk): State<Arc<View>>, Path(frame): Path<usize>) -> Answer {
    let truth = run_blocking(move || {
        let unknown = || {
            Refused::not_found("the true points of this frame are not known; only generated videos have them")
        };
        desk.reel.truth(frame).ok_or_else(unknown)
    })
    .await?;
    let points = LabelledFrame::new(frame, 0.0, &truth.points).points;
    let [yaw_deg, pitch_deg] = truth.gaze_deg;
    Ok(json(&serde_json::json!({ "points": points, "yawDeg": yaw_deg, "pitchDeg": pitch_deg })))
}
