//! Bare `vivant`: a page that shows the avatar moving.
//!
//! One task advances the performance on a grid of 60 Hz and keeps the last minute. Whoever watches
//! gets the newest frame through a `watch` channel, so that a slow reader misses frames and nothing
//! piles up. Only this computer may connect, and only pages that this server gave out.

mod characters;
mod guard;
mod live;
mod rig;

use crate::args::Watch;
use crate::fault::{Fault, Result};
use crate::output::{self, Format};
use crate::report;
use crate::stage::{Cue, Stage, clip_of};
use crate::workspace::Workspace;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use live::{Live, MAX_SECONDS, RATE};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The studio as the build script left it; the plain page where there was no Node.js.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/studio/index.html"));
const SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio/studio.js"));
const STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio/studio.css"));
/// Frames a second of an exported file.
const EXPORT_RATE: f64 = 30.0;
/// How long open connections may take to end after Ctrl-C.
const FAREWELL: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Watch) -> Result<ExitCode> {
    guard::loopback_only(args.listen)?;
    let mut warnings = Vec::new();
    let Cue { avatar, rig, stage } = Stage::set(&args.cast, &mut warnings)?;
    report::warnings(&warnings);
    let names = stage.names().to_vec();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Fault::new(format!("no event loop could be started: {e}")))?;
    runtime.block_on(serve(args, Live::new(avatar, rig, names), stage))?;
    Ok(ExitCode::SUCCESS)
}

/// What all connections share.
struct House {
    workspace: Arc<Workspace>,
}

async fn serve(args: &Watch, live: Live, stage: Stage) -> Result<()> {
    let home = std::env::var_os("VIVANT_HOME").map_or_else(|| "characters".into(), std::path::PathBuf::from);
    let house = House { workspace: Arc::new(Workspace::open(home, &args.cast)?) };
    let listener = TcpListener::bind(args.listen).await.map_err(|e| cannot_listen(args.listen, &e))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    announce(args, &format!("http://{address}"));
    let live = Arc::new(live);
    let running = tokio::spawn(Arc::clone(&live).run(stage));
    let server = axum::serve(listener, router(Arc::clone(&live), Arc::new(house))).with_graceful_shutdown(
        async move {
            interrupted().await;
            // With the performance its channel ends, and with that every open page's connection.
            running.abort();
            live.end();
        },
    );
    tokio::select! {
        served = server => served.map_err(|e| Fault::new(format!("the server stopped: {e}"))),
        () = async { interrupted().await; tokio::time::sleep(FAREWELL).await } => Ok(()),
    }
}

fn router(live: Arc<Live>, house: Arc<House>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/studio.js", get(|| async { asset("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/studio.css", get(|| async { asset("text/css; charset=utf-8", STYLE) }))
        .route("/avatar", get(avatar))
        .route("/live", get(watch))
        .route("/{file}", get(export))
        .layer(middleware::from_fn(guard::known_host))
        .with_state(live)
        .merge(characters::routes().with_state(house))
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Fault {
    let why = match error.kind() {
        std::io::ErrorKind::AddrInUse => "another program, perhaps another vivant, listens there".to_owned(),
        _ => error.to_string(),
    };
    let other = address.port().wrapping_add(1).max(1024);
    Fault::new(format!("{address}: {why}; choose another port with --listen {}:{other}", address.ip()))
}

fn announce(args: &Watch, url: &str) {
    if args.json {
        report::json_line(&serde_json::json!({ "listening": url }));
    } else {
        report::line(&format!("Vivant is on {url}  (Ctrl-C ends it)"));
    }
    if !args.no_open && !args.json && std::io::stdout().is_terminal() {
        open(url);
    }
}

/// Opens the page if there is something to open it with; if not, its address has been printed.
fn open(url: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("explorer", &[]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Stdio::null;
    let _ = Command::new(program).args(first).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminated) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

async fn page() -> impl IntoResponse {
    // The plain page has its script within; the studio's textures are blobs that it made itself.
    let script = if SCRIPT.is_empty() { "'unsafe-inline'" } else { "'self'" };
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src 'self' 'unsafe-inline'; connect-src 'self' blob:; \
         img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    ([(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, "no-store".to_owned())], Html(PAGE))
}

fn asset(kind: &'static str, bytes: &'static [u8]) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], bytes)
}

/// `GET /avatar`: the file that the character is shown with.
async fn avatar(State(live): State<Arc<Live>>) -> Response {
    match live.avatar.vrm() {
        Some(bytes) => {
            let headers = [(header::CONTENT_TYPE, "model/gltf-binary"), (header::CACHE_CONTROL, "no-store")];
            (headers, bytes.to_vec()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "this avatar is no VRM file\n").into_response(),
    }
}

/// What a page wants its frames to be.
#[derive(serde::Deserialize)]
struct Watching {
    #[serde(rename = "as", default)]
    form: live::Form,
}

async fn watch(
    State(live): State<Arc<Live>>,
    Query(watching): Query<Watching>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !guard::same_origin(&headers) {
        return (StatusCode::FORBIDDEN, "this page was not given out by this server\n").into_response();
    }
    let Some(seat) = live.seat() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open; close some\n").into_response();
    };
    let form = watching.form;
    upgrade.max_message_size(1024).on_upgrade(move |socket| live::show(live, form, seat, socket))
}

#[derive(serde::Deserialize)]
struct Wanted {
    seconds: Option<f64>,
}

/// `GET /export.vrma?seconds=20`: what was just seen, as a file.
async fn export(
    State(live): State<Arc<Live>>,
    Path(file): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    let Some(format) = file.strip_prefix("export.").and_then(Format::from_ending) else {
        return (
            StatusCode::NOT_FOUND,
            "there are /, /avatar, /live and /export.{vrma,glb,vrm,bvh,csv,jsonl}\n",
        )
            .into_response();
    };
    let seconds = wanted.seconds.unwrap_or(20.0).clamp(0.1, MAX_SECONDS);
    let baked = tokio::task::spawn_blocking(move || bake(&live, format, seconds)).await;
    match baked.unwrap_or_else(|e| Err(Fault::new(e.to_string()))) {
        Ok(bytes) => {
            let name = format!("attachment; filename=\"vivant.{}\"", &file["export.".len()..]);
            let headers = [
                (header::CONTENT_TYPE, format.media_type().to_owned()),
                (header::CONTENT_DISPOSITION, name),
                (header::CACHE_CONTROL, "no-store".to_owned()),
            ];
            (headers, bytes).into_response()
        }
        Err(fault) => (StatusCode::CONFLICT, format!("{fault}\n")).into_response(),
    }
}

fn bake(live: &Live, format: Format, seconds: f64) -> Result<Vec<u8>> {
    let clip = clip_of("performance", &live.rig, RATE, &live.last(seconds))?.resampled(EXPORT_RATE)?;
    output::bytes(format, &live.avatar, &[clip], &mut Vec::new())
}
