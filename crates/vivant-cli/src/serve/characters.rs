//! `/api/characters`: what stays, over HTTP.

use super::House;
use super::answer::{Answer, apart, json};
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

/// How many files may be on their way in at once.
const UPLOADS: usize = 4;
/// How long one may wait to begin.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one may take.
const LONGEST: Duration = Duration::from_secs(600);
static UPLOADING: Semaphore = Semaphore::const_new(UPLOADS);

pub(super) fn routes() -> Router<Arc<House>> {
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

type Shared = State<Arc<House>>;

async fn list(State(house): Shared) -> Answer {
    answer(house, |workspace| Ok(workspace.list())).await
}

async fn create(State(house): Shared, body: Body) -> Answer {
    with_body(house, body, |workspace, body| workspace.create(&wrong(NewCharacter::read(body))?)).await
}

async fn character(State(house): Shared, Path(id): Path<String>) -> Answer {
    answer(house, move |workspace| workspace.character(&id)).await
}

async fn edit(State(house): Shared, Path(id): Path<String>, body: Body) -> Answer {
    with_body(house, body, move |workspace, body| workspace.edit(&id, &wrong(Edit::read(body))?)).await
}

async fn undo(State(house): Shared, Path(id): Path<String>) -> Answer {
    answer(house, move |workspace| workspace.undo(&id)).await
}

async fn redo(State(house): Shared, Path(id): Path<String>) -> Answer {
    answer(house, move |workspace| workspace.redo(&id)).await
}

async fn place(State(house): Shared, Path(id): Path<String>, body: Body) -> Answer {
    with_body(house, body, move |workspace, body| workspace.place(&id, &wrong(Place::read(body))?)).await
}

async fn proposals(State(house): Shared, Path(id): Path<String>) -> Answer {
    answer(house, move |workspace| workspace.proposals(&id)).await
}

/// What a file that is sent is called.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

async fn add_clips(
    State(house): Shared,
    Path(id): Path<String>,
    Query(named): Query<Named>,
    request: Request,
) -> Answer {
    with_file(house, request, move |workspace, bytes| workspace.add_clips(&id, &named.name, bytes)).await
}

async fn set_avatar(
    State(house): Shared,
    Path(id): Path<String>,
    Query(named): Query<Named>,
    request: Request,
) -> Answer {
    with_file(house, request, move |workspace, bytes| workspace.set_avatar(&id, &named.name, bytes)).await
}

/// `GET …/avatar`: what it is shown with. Its revision is its tag, so that it is sent once.
async fn avatar(State(house): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (bytes, revision) = apart(move || Ok(house.workspace.avatar(&id)?)).await?;
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

async fn rig(State(house): Shared, Path(id): Path<String>) -> Answer {
    answer(house, move |workspace| {
        let ready = workspace.ready(&id)?;
        Ok(RigInfo::clone(&ready.info))
    })
    .await
}

/// A moment of a clip.
#[derive(Deserialize)]
struct Moment {
    clip: String,
    #[serde(default)]
    at: f64,
}

async fn pose(State(house): Shared, Path(id): Path<String>, Query(moment): Query<Moment>) -> Answer {
    let frame = apart(move || Ok(house.workspace.pose(&id, &moment.clip, moment.at)?)).await?;
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, frame.to_bytes()).into_response())
}

async fn answer<T: Serialize + Send + 'static>(
    house: Arc<House>,
    work: impl FnOnce(&Workspace) -> Result<T> + Send + 'static,
) -> Answer {
    Ok(json(&apart(move || Ok(work(&house.workspace)?)).await?))
}

async fn with_body<T: Serialize + Send + 'static>(
    house: Arc<House>,
    body: Body,
    work: impl FnOnce(&Workspace, &[u8]) -> Result<T> + Send + 'static,
) -> Answer {
    let too_large = |_| {
        let most = MAX_DOCUMENT_BYTES >> 20;
        Fault::of(Kind::TooLarge, format!("this is larger than {most} MiB, which is the most that is read"))
    };
    let bytes = axum::body::to_bytes(body, MAX_DOCUMENT_BYTES).await.map_err(too_large)?;
    answer(house, move |workspace| work(workspace, &bytes)).await
}

/// Takes a file in, once there is room for it. Who sends many at once waits a little.
async fn with_file<T: Serialize + Send + 'static>(
    house: Arc<House>,
    request: Request,
    work: impl FnOnce(&Workspace, Vec<u8>) -> Result<T> + Send + 'static,
) -> Answer {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse().ok());
    if announced.is_some_and(|bytes: u64| bytes > MAX_UPLOAD_BYTES as u64) {
        return Err(too_large().into());
    }
    let too_many = || {
        let message = format!("{UPLOADS} files are on their way already; send this one again in a moment");
        Fault::of(Kind::TooMany, message)
    };
    let place = tokio::time::timeout(PATIENCE, UPLOADING.acquire()).await;
    let _place = place.ok().and_then(std::result::Result::ok).ok_or_else(too_many)?;
    let bytes = tokio::time::timeout(LONGEST, axum::body::to_bytes(request.into_body(), MAX_UPLOAD_BYTES));
    let bytes =
        bytes.await.map_err(|_| Fault::of(Kind::Invalid, "this file took too long; send it again"))?;
    let bytes = bytes.map_err(|_| too_large())?;
    answer(house, move |workspace| work(workspace, Vec::from(bytes))).await
}

fn wrong<T>(read: vivant_io::Result<T>) -> Result<T> {
    read.map_err(|error| error.of_kind(Kind::Invalid))
}
