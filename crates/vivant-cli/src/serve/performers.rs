//! `/api/performers`: performers, their intents, and their past.
//!
//! These routes serve clients that do not keep a WebSocket open, for example scripts. [`routes`] returns the router.
//! Requests are parsed by the same rules as on the WebSocket, so that both accept the same JSON and give the same
//! errors. Exports and traces are computed on request from the performer's [`Recording`], at any rate; nothing is
//! captured in advance. Computations run on blocking threads, so that the server stays responsive.

use super::ServerState;
use super::answer::{Answer, Refused, json, run_blocking};
use super::casting;
use super::hub::{ENDING, Order, PerformerRequest, PerformerSlot, Results};
use super::past::Recording;
use crate::fault::Kind;
use crate::output::{self, Format};
use crate::stage::{Moment, clip_of, looks_of};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json as object};
use std::sync::Arc;
use tokio::sync::oneshot;
use vivant_host::trace::{IDLE_COLUMNS, Table};
use vivant_host::{Command, signals};
use vivant_io::json::protocol::{Cast, PerformerInfo, Request, RequestKind};

/// Frames per second of an exported file.
const EXPORT_RATE: f64 = 30.0;
/// Default rows per second of a trace.
const TRACE_RATE: f64 = 60.0;
/// Default duration of an export in seconds.
const EXPORT_SECS: f64 = 20.0;
/// Maximum number of intents per request.
const MAX_INTENTS: usize = 256;

pub(super) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/api/performers", get(all).post(cast))
        .route("/api/performers/{name}", get(one).delete(dismiss))
        .route("/api/performers/{name}/intents", post(intend))
        .route("/api/performers/{name}/{what}", get(past))
}

impl ServerState {
    fn slot(&self, name: &str) -> Answer<Arc<PerformerSlot>> {
        self.hub.performer(name).map_err(Refused::not_found)
    }
}

fn info(slot: &PerformerSlot) -> Option<PerformerInfo> {
    slot.newest().map(|newest| newest.performer())
}

async fn all(State(state): State<Arc<ServerState>>) -> Response {
    json(&state.hub.performers().values().filter_map(|slot| info(slot)).collect::<Vec<_>>())
}

async fn one(State(state): State<Arc<ServerState>>, Path(name): Path<String>) -> Answer {
    let info = info(&*state.slot(&name)?);
    info.map(|info| json(&info))
        .ok_or_else(|| Refused::not_found(format!("`{name}` has not started; try again in a moment")))
}

async fn cast(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    let value: Value =
        serde_json::from_slice(&body).map_err(|e| Refused::bad(format!("invalid JSON: {e}")))?;
    let infos = casting::cast(&state, casts(&value)?, None).await?;
    Ok((StatusCode::CREATED, json(&infos)).into_response())
}

/// Parses cast requests by the same rules as on the WebSocket.
fn casts(value: &Value) -> Answer<Vec<Cast>> {
    match request(&object!({ "cast": value }))?.what {
        RequestKind::Cast(all) => Ok(all),
        _ => Err(Refused::bad("give a list of performers, such as [{\"performer\": \"eve\"}]")),
    }
}

fn request(value: &Value) -> Answer<Request> {
    Request::read(&value.to_string()).map_err(|error| Refused::bad(error.to_string()))
}

async fn dismiss(State(state): State<Arc<ServerState>>, Path(name): Path<String>) -> Answer {
    state.slot(&name)?;
    let (reply, answer) = oneshot::channel();
    state.hub.order(Order::Dismiss { performers: vec![name], reply });
    let answer = answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()));
    answer.map_err(|message| Refused(StatusCode::CONFLICT, message))?;
    Ok(json(&object!({})))
}

async fn intend(State(state): State<Arc<ServerState>>, Path(name): Path<String>, body: Bytes) -> Answer {
    state.slot(&name)?;
    let value: Value =
        serde_json::from_slice(&body).map_err(|e| Refused::bad(format!("invalid JSON: {e}")))?;
    let list = if let Value::Array(list) = value { list } else { vec![value] };
    if list.len() > MAX_INTENTS {
        let message =
            format!("{} intents in one request are too many; send at most {MAX_INTENTS}", list.len());
        return Err(Refused::bad(message));
    }
    let asks = list.iter().map(intent).collect::<Answer<Vec<_>>>()?;
    let busy = |message| Refused(StatusCode::TOO_MANY_REQUESTS, message);
    let asked = asks
        .into_iter()
        .map(|ask| state.hub.ask(vec![name.clone()], PerformerRequest::Ask(ask)).map_err(busy));
    let asked = asked.collect::<Answer<Vec<_>>>()?;
    let mut results: Results = Vec::new();
    for answer in asked {
        let answer = answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()));
        results.extend(answer.map_err(|message| Refused(StatusCode::UNPROCESSABLE_ENTITY, message))?);
    }
    let intents: Vec<Option<u64>> = results.iter().map(|accepted| accepted.intent).collect();
    let at: Vec<Option<f64>> = results.iter().map(|accepted| accepted.at).collect();
    Ok(json(&object!({ "intents": intents, "at": at })))
}

fn intent(value: &Value) -> Answer<Command> {
    match request(value)?.what {
        RequestKind::Intent(intent) => Ok(Command::Intent(Arc::new(intent))),
        _ => Err(Refused::bad("only intents are accepted here: say, act, stance, be, look, blink or stop")),
    }
}

/// The requested part of the past.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stretch {
    from: Option<f64>,
    to: Option<f64>,
    seconds: Option<f64>,
    rate: Option<f64>,
    #[serde(rename = "token")]
    _token: Option<String>,
}

async fn past(
    State(state): State<Arc<ServerState>>,
    Path((name, what)): Path<(String, String)>,
    Query(stretch): Query<Stretch>,
) -> Answer {
    state.slot(&name)?;
    let recall = async || state.hub.recall(&name).await.map_err(Refused::not_found);
    match what.as_str() {
        "plan" => Ok(json(&state.hub.plan(&name).await.map_err(Refused::not_found)?)),
        "trace" => {
            let recording = recall().await?;
            run_blocking(move || Ok(json(&crate::trace::json(&trace(&recording, &stretch)?)))).await
        }
        "trace.csv" => {
            let recording = recall().await?;
            let csv = run_blocking(move || Ok(trace(&recording, &stretch)?.csv())).await?;
            Ok(file(Format::Csv, &format!("{name}.csv"), csv))
        }
        other => {
            let ending = other.strip_prefix("export.").unwrap_or_default().to_owned();
            let Some(format) = Format::from_ending(&ending) else {
                return Err(Refused::not_found(
                    "there is no such file; use plan, trace, trace.csv or export.{vrma,glb,vrm,bvh,csv,jsonl}",
                ));
            };
            let recording = recall().await?;
            let bytes = run_blocking(move || export(&recording, &stretch, format)).await?;
            Ok(file(format, &format!("{name}.{ending}"), bytes))
        }
    }
}

fn file(format: Format, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}

/// Returns the motion of eyes, lids and head, with the columns of `vivant trace eyes`.
fn trace(recording: &Recording, wanted: &Stretch) -> Answer<Table> {
    let secs = wanted.seconds.unwrap_or(EXPORT_SECS);
    let stretch = recording.stretch(wanted.from, wanted.to, secs)?;
    let mut values = Vec::new();
    recording.play(stretch, wanted.rate.unwrap_or(TRACE_RATE), |t, performer| {
        values.push(t);
        values.extend(signals::of(performer));
        values.push(f64::from(u8::from(performer.is_attending().unwrap_or(false))));
    })?;
    Ok(Table::of(IDLE_COLUMNS, values).titled(recording.ready.name.clone()))
}

fn export(recording: &Recording, wanted: &Stretch, format: Format) -> Answer<Vec<u8>> {
    let secs = wanted.seconds.unwrap_or(EXPORT_SECS);
    let stretch = recording.stretch(wanted.from, wanted.to, secs)?;
    let (ready, rate) = (&recording.ready, wanted.rate.unwrap_or(EXPORT_RATE));
    let mut moments = Vec::new();
    recording.play(stretch, rate, |_, performer| moments.push(Moment::of(performer)))?;
    let clip = clip_of("performance", ready.rig(), rate, &moments)?;
    let bytes = output::bytes(format, &ready.avatar, &[clip], &looks_of(&moments), &mut Vec::new());
    // For example a .vrm of an avatar that is not a VRM.
    Ok(bytes.map_err(|fault| fault.of_kind(Kind::Invalid))?)
}
