//! What the label view asks for.

use super::View;
use crate::fault::Result;
use crate::serve::answer::{Answer, Refused, apart, json};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivant_host::label::Kept;
use vivant_learn::film::Image;
use vivant_learn::film::labels::{self, LabelledFrame};

/// Labels of ten thousand frames are some four megabytes.
const MAX_LABELS_BYTES: usize = 32 << 20;
/// How many frames are suggested: as many as paper 3 labelled (3.1).
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

/// What there is to know of the film before the first frame.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'a> {
    name: &'a str,
    width: usize,
    height: usize,
    secs: &'a [f64],
    labels_file: String,
    /// Whether it is a film of which the points are known.
    is_drawn: bool,
    /// For the addresses of frames: the next film may listen at the same place, and browsers keep pictures.
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
    /// The most pixels in a row: for small pictures.
    width: Option<usize>,
}

/// `GET /api/frames/12.png`: a frame, as it is or small.
async fn frame(
    State(desk): State<Arc<View>>,
    Path(name): Path<String>,
    Query(sized): Query<Sized>,
) -> Answer {
    let number = name.strip_suffix(".png").and_then(|number| number.parse().ok());
    let number = number.ok_or_else(|| Refused::not_found("ask for a frame by its number, as in 12.png"))?;
    let bytes = apart(move || {
        let width = sized.width.unwrap_or(usize::MAX);
        let small = desk.reel.small_photograph(number, width);
        let image = small.map_or_else(|| desk.reel.photograph(number), Ok)?;
        Ok(picture(&image, width)?)
    })
    .await?;
    let keep = "private, max-age=3600, immutable";
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, keep)];
    Ok((headers, bytes).into_response())
}

/// A picture as PNG, halved until it is narrow enough.
fn picture(image: &Image, width: usize) -> Result<Vec<u8>> {
    if image.width > width.max(1) && image.width > 1 {
        return picture(&image.halved(), width);
    }
    let planes: [&[u8]; 3] = std::array::from_fn(|channel| image.plane(channel.min(image.channels - 1)));
    let pixels = (0..image.width * image.height).flat_map(|pixel| planes.map(|plane| plane[pixel]));
    crate::plot::photograph(image.width, image.height, pixels.collect())
}

async fn kept(State(desk): State<Arc<View>>) -> Answer {
    let kept: Kept = apart(move || Ok(desk.store.get()?)).await?;
    Ok(json(&kept))
}

#[derive(Deserialize)]
struct From {
    /// The revision that was changed.
    revision: u64,
}

/// `PUT /api/labels?revision=3`: keeps all labels; gives the new revision.
async fn keep(State(desk): State<Arc<View>>, Query(from): Query<From>, body: Bytes) -> Answer {
    let revision = apart(move || {
        let labels = labels::read("labels", &body)
            .map_err(|error| Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
        Ok(desk.store.put(from.revision, labels)?)
    })
    .await?;
    Ok(json(&serde_json::json!({ "revision": revision })))
}

/// `GET /api/suggestions`: the frames that differ most, most telling first.
async fn suggestions(State(desk): State<Arc<View>>) -> Answer {
    let frames = apart(move || Ok(desk.suggestions(SUGGESTED)?)).await?;
    Ok(json(&frames))
}

/// `POST /api/guess/12`: where a model of all other labelled frames finds the points in this one.
async fn guess(State(desk): State<Arc<View>>, Path(frame): Path<usize>) -> Answer {
    let guess = apart(move || Ok(desk.guess(frame)?)).await?;
    Ok(json(&guess))
}

/// `POST /api/track`: the points in every frame, or null where the model is not sure.
async fn track(State(desk): State<Arc<View>>) -> Answer {
    let found = apart(move || Ok(desk.track()?)).await?;
    Ok(json(&found))
}

/// `DELETE /api/track`: who asked for it has given up.
async fn stop(State(desk): State<Arc<View>>) -> Response {
    desk.stop();
    json(&serde_json::json!({}))
}

/// `GET /api/underway`: how far it is with looking about for suggestions, and with tracking.
async fn underway(State(desk): State<Arc<View>>) -> Response {
    json(&desk.underway())
}

/// `GET /api/truth/12`: where the points of a frame are that was drawn, and where its eyes look.
async fn truth(State(desk): State<Arc<View>>, Path(frame): Path<usize>) -> Answer {
    let truth = apart(move || {
        let unknown = || Refused::not_found("nobody knows where the points of this frame are");
        desk.reel.truth(frame).ok_or_else(unknown)
    })
    .await?;
    let points = LabelledFrame::new(frame, 0.0, &truth.points).points;
    let [yaw_deg, pitch_deg] = truth.gaze_deg;
    Ok(json(&serde_json::json!({ "points": points, "yawDeg": yaw_deg, "pitchDeg": pitch_deg })))
}
