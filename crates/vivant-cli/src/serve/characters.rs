//! `/api/characters`: stored characters over HTTP.
//!
//! [`routes`] returns the router. Each handler reads its input, calls one method of the [`Workspace`] on a blocking
//! thread and returns the result, mostly as JSON; rules about characters belong to the workspace. Avatars and clips may
//! be large, so only a few uploads run at the same time; further ones wait for a moment and are then refused. The
//! avatar has an `ETag`, so that browsers download it only once.

use super::ServerState;
use super::answer::{Answer, json, run_blocking};
use crate::fault::{Fault, Kind, Result};
use crate::workspace::{MAX_UPLOAD_BYTES, Workspace, too_large};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use vivant_io::json::protocol::api::{Edit, NewCharacter, Place, RigInfo};
use vivant_io::limits::MAX_DOCUMENT_BYTES;

/// Maximum number of simultaneous uploads.
const UPLOADS: usize = 4;
/// Maximum time that an upload waits to start.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum duration of an upload.
const LONGEST: Duration = Duration::from_secs(600);
static UPLOADING: Semaphore = Semaphore::const_new(UPLOADS);

pub(super) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/api/characters", get(list).post(create))
        .route("/api/characters/{id}", get(character).put(edit))
        .route("/api/characters/{id}/place", post(place))
        .route("/api/characters/{id}/proposals", get(proposals))
        .route("/api/characters/{id}/undo", post(undo))
        .route("/api/characters/{id}/redo", post(redo))
        .route("/api/characters/{id}/clips", post(add_clips))
        .route("/api/characters/{id}/avatar", get(avatar).post(set_avatar))
        .route("/api/characters/{id}/rig", get(rig))
        .route("/api/characters/{id}/pose", get(pose))
}

type Shared = State<Arc<ServerState>>;

async fn list(State(state): Shared) -> Answer {
    answer(state, |workspace| Ok(workspace.list())).await
}

async fn create(State(state): Shared, body: Body) -> Answer {
    with_body(state, body, |workspace, body| workspace.create(&as_invalid(NewCharacter::read(body))?)).await
}

async fn character(State(state): Shared, Path(id): Path<String>) -> Answer {
    answer(state, move |workspace| workspace.character(&id)).await
}

async fn edit(State(state): Shared, Path(id): Path<String>, body: Body) -> Answer {
    with_body(state, body, move |workspace, body| workspace.edit(&id, &as_invalid(Edit::read(body))?)).await
}

async fn undo(State(state): Shared, Path(id): Path<String>) -> Answer {
    answer(state, move |workspace| workspace.undo(&id)).await
}

async fn redo(State(state): Shared, Path(id): Path<String>) -> Answer {
    answer(state, move |workspace| workspace.redo(&id)).await
}

async fn place(State(state): Shared, Path(id): Path<String>, body: Body) -> Answer {
    with_body(state, body, move |workspace, body| workspace.place(&id, &as_invalid(Place::read(body))?)).await
}

async fn proposals(State(state): Shared, Path(id): Path<String>) -> Answer {
    answer(state, move |workspace| workspace.proposals(&id)).await
}

/// Name of an uploaded file.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

async fn add_clips(
    State(state): Shared,
    Path(id): Path<String>,
    Query(named): Query<Named>,
    request: Request,
) -> Answer {
    with_file(state, request, move |workspace, bytes| workspace.add_clips(&id, &named.name, bytes)).await
}

async fn set_avatar(
    State(state): Shared,
    Path(id): Path<String>,
    Query(named): Query<Named>,
    request: Request,
) -> Answer {
    with_file(state, request, move |workspace, bytes| workspace.set_avatar(&id, &named.name, bytes)).await
}

/// `GET …/avatar`: the avatar's GLB. The revision of the avatar is the `ETag`, so that browsers download it only
/// once.
async fn avatar(State(state): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (bytes, revision) = run_blocking(move || Ok(state.workspace.avatar(&id)?)).await?;
    let tag = format!("\"{revision}\"");
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [
        (header::CONTENT_TYPE, "model/gltf-binary".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    Ok(if is_known {
        (StatusCode::NOT_MODIFIED, about).into_response()
    } else {
        (about, Bytes::from_owner(bytes)).into_response()
    })
}

async fn rig(State(state): Shared, Path(id): Path<String>) -> Answer {
    answer(state, move |workspace| {
        let ready = workspace.ready(&id)?;
        Ok(RigInfo::clone(&ready.info))
    })
    .await
}

/// A time in a clip.
#[derive(Deserialize)]
struct Moment {
    clip: String,
    #[serde(default)]
    at: f64,
}

async fn pose(State(state): Shared, Path(id): Path<String>, Query(moment): Query<Moment>) -> Answer {
    let frame = run_blocking(move || Ok(state.workspace.pose(&id, &moment.clip, moment.at)?)).await?;
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, frame.to_bytes()).into_response())
}

async fn answer<T: Serialize + Send + 'static>(
    state: Arc<ServerState>,
    work: impl FnOnce(&Workspace) -> Result<T> + Send + 'static,
) -> Answer {
    Ok(json(&run_blocking(move || Ok(work(&state.workspace)?)).await?))
}

async fn with_body<T: Serialize + Send + 'static>(
    state: Arc<ServerState>,
    body: Body,
    work: impl FnOnce(&Workspace, &[u8]) -> Result<T> + Send + 'static,
) -> Answer {
    let too_large = |_| {
        let most = MAX_DOCUMENT_BYTES >> 20;
        Fault::of(
            Kind::TooLarge,
            format!("the request is larger than the limit of {most} MiB; send a smaller one"),
        )
    };
    let bytes = axum::body::to_bytes(body, MAX_DOCUMENT_BYTES).await.map_err(too_large)?;
    answer(state, move |workspace| work(workspace, &bytes)).await
}

/// Receives a file. If there are too many uploads at the same time, the upload waits.
async fn with_file<T: Serialize + Send + 'static>(
    state: Arc<ServerState>,
    request: Request,
    work: impl FnOnce(&Workspace, Vec<u8>) -> Result<T> + Send + 'static,
) -> Answer {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse().ok());
    if announced.is_some_and(|bytes: u64| bytes > MAX_UPLOAD_BYTES as u64) {
        return Err(too_large().into());
    }
    let too_many = || {
        let message = format!("{UPLOADS} uploads are already running; send this file again in a moment");
        Fault::of(Kind::TooMany, message)
    };
    let place = tokio::time::timeout(TIMEOUT, UPLOADING.acquire()).await;
    let _place = place.ok().and_then(std::result::Result::ok).ok_or_else(too_many)?;
    let bytes = tokio::time::timeout(LONGEST, axum::body::to_bytes(request.into_body(), MAX_UPLOAD_BYTES));
    let bytes =
        bytes.await.map_err(|_| Fault::of(Kind::Invalid, "the upload took too long; send the file again"))?;
    let bytes = bytes.map_err(|_| too_large())?;
    answer(state, move |workspace| work(workspace, Vec::from(bytes))).await
}

fn as_invalid<T>(read: vivant_io::Result<T>) -> Result<T> {
    read.map_err(|error| error.of_kind(Kind::Invalid))
}
