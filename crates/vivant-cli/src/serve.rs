//! `vivant` and `vivant serve`: the studio, and its server.
//!
//! A [clock] thread computes the frames of all performers; the event loop only transfers bytes. Connections and the
//! clock share the [hub]. Requests are processed at the next tick, and viewers get the newest frame. The workspace
//! stores characters, clips and repertoires.

pub(crate) mod answer;
mod board;
mod casting;
mod characters;
mod clock;
pub(crate) mod guard;
mod hub;
pub(crate) mod mediapipe;
mod pace;
mod past;
mod performers;
mod show;
mod socket;
mod stats;
pub(crate) mod studio;
mod vmc;
mod voice;

use crate::args::{self, Watch};
use crate::fault::{Fault, Result};
use crate::report;
use crate::workspace::{self, MAX_UPLOAD_BYTES, Workspace};
use answer::{Answer, Refused, json, run_blocking};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use casting::Manner;
use guard::AccessGuard;
use hub::Hub;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use studio::Studio;
use tokio::net::TcpListener;
use tokio::sync::broadcast::{self, error::RecvError};
use vivant::eyes::presets::Preset;
use vivant_io::json::protocol::{Cast, Changed, MAIN, VERSION, api};
use vivant_io::json::schema;
use vmc::Lines;

/// Time in which open connections must end after Ctrl-C.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_millis(1500);

/// State shared by all requests.
pub(crate) struct ServerState {
    pub(crate) workspace: Arc<Workspace>,
    hub: Arc<Hub>,
    manner: Manner,
    studio: Studio,
    /// Broadcasts changes of characters.
    changes: broadcast::Sender<Changed>,
}

pub(crate) fn run(args: &Watch) -> Result<ExitCode> {
    let access = AccessGuard::new(args.listen, args.token.clone(), &args.allow_host)?;
    let state = Arc::new(ServerState::open(args)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| {
        Fault::new(format!("cannot start the event loop: {e}; close other programs and try again"))
    })?;
    let served = runtime.block_on(serve(args, Arc::new(access), state));
    // Do not wait for tasks that still read a file or replay the past of a performer.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map(|()| ExitCode::SUCCESS)
}

impl ServerState {
    fn open(args: &Watch) -> Result<Self> {
        let folder = args.characters.clone().unwrap_or_else(usual_folder);
        let workspace = Arc::new(Workspace::open(folder, &first(&args.cast))?);
        let changes = broadcast::Sender::new(64);
        let sender = changes.clone();
        // Sending fails if there are no receivers, which is not an error.
        workspace.on_change(move |changed| drop(sender.send(changed.clone())));
        let manner = Manner { liveliness: args.cast.liveliness, attend: args.cast.attend };
        let studio = Studio::new(args.studio.clone());
        Ok(Self { workspace, hub: Arc::new(Hub::new(args.fps)), manner, studio, changes })
    }
}

fn first(cast: &args::Cast) -> workspace::FirstCharacter {
    let args::Cast { character, avatar, clips, .. } = cast;
    workspace::FirstCharacter { character: character.clone(), avatar: avatar.clone(), clips: clips.clone() }
}

/// Returns the folder `Vivant` in the home directory. Without a home directory, it is in the current folder.
fn usual_folder() -> PathBuf {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).unwrap_or_default().join("Vivant")
}

async fn serve(args: &Watch, access: Arc<AccessGuard>, state: Arc<ServerState>) -> Result<()> {
    let listener = TcpListener::bind(args.listen).await.map_err(|e| cannot_listen(args.listen, &e))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    let lines = Lines::open(&args.vmc).await?;
    let clock = start_clock(&state, args.cast.seed).await?;
    tokio::spawn(keep_up(Arc::clone(&state)));
    announce(args, address, &lines);
    lines.run(&state);
    let hub = Arc::clone(&state.hub);
    let server = axum::serve(listener, router(state, access)).with_graceful_shutdown(async move {
        interrupted().await;
        hub.end();
    });
    let served = tokio::select! {
        served = server => served.map_err(|e| Fault::new(format!("the server stopped: {e}; start it again"))),
        () = async { interrupted().await; tokio::time::sleep(CLOSE_TIMEOUT).await } => Ok(()),
    };
    let _ = clock.join();
    served
}

/// Starts the clock, and adds the performer `main`.
async fn start_clock(state: &Arc<ServerState>, seed: u64) -> Result<std::thread::JoinHandle<()>> {
    let clock = clock::start(Arc::clone(&state.hub))?;
    let main = Cast {
        performer: MAIN.to_owned(),
        character: None,
        seed,
        temperament: None,
        unasked: true,
        clip: None,
        mine: false,
        script: Vec::new(),
    };
    casting::cast(state, vec![main], None).await.map_err(|refused| Fault::new(refused.1))?;
    Ok(clock)
}

/// Updates performers when their characters are edited.
async fn keep_up(state: Arc<ServerState>) {
    let mut changes = state.changes.subscribe();
    loop {
        let ids = match changes.recv().await {
            Ok(changed) => vec![changed.character],
            // Some changes were missed, so the characters of all performers are updated.
            Err(RecvError::Lagged(_)) => state.hub.characters(),
            Err(RecvError::Closed) => return,
        };
        for id in ids {
            let workspace = Arc::clone(&state.workspace);
            // If a character cannot be read, its performers keep the old version, and the studio shows the error.
            if let Ok(ready) = run_blocking(move || Ok(workspace.ready(&id)?)).await {
                state.hub.order(hub::Order::Adopt(ready));
            }
        }
    }
}

fn router(state: Arc<ServerState>, access: Arc<AccessGuard>) -> Router {
    Router::new()
        .merge(studio::routes())
        .merge(performers::routes())
        .merge(characters::routes())
        .route("/live", get(socket::live))
        .route("/api", get(about))
        .route("/api/presets", get(presets))
        .route("/api/stats", get(statistics))
        .route("/api/voice", get(voice::all).post(voice::speak))
        .route("/api/schema/{name}", get(schema_of))
        .fallback(async || {
            Refused::not_found("there is no such address; docs/reference/protocol.md lists all addresses")
        })
        .method_not_allowed_fallback(async || {
            let message = "this address does not accept that method; see docs/reference/protocol.md";
            Refused(axum::http::StatusCode::METHOD_NOT_ALLOWED, message.into())
        })
        .layer(middleware::from_fn_with_state(access, guard::check_access))
        .with_state(state)
}

pub(crate) fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Fault {
    let why = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "the port is in use by another program, perhaps another vivant".to_owned()
        }
        _ => error.to_string(),
    };
    let other = address.port().wrapping_add(1).max(1024);
    Fault::new(format!("{address}: {why}; choose another port with --listen {}:{other}", address.ip()))
}

fn announce(args: &Watch, address: SocketAddr, lines: &Lines) {
    let url = format!("http://{address}");
    if args.json {
        let mut value = serde_json::json!({ "listening": url });
        lines.json().into_iter().for_each(|vmc| value["vmc"] = vmc);
        return report::json_line(&value);
    }
    let here = here(address);
    let token = args.token.as_ref().map_or(String::new(), |token| format!("/?token={token}"));
    report::line(&format!("Vivant is on {here}{token}  (Ctrl-C ends it)"));
    lines.sentences().iter().for_each(|sentence| report::line(sentence));
    if !args.no_open && std::io::stdout().is_terminal() {
        open(&format!("{here}{token}"));
    }
}

/// Returns the URL of the server for browsers on this computer.
pub(crate) fn here(address: SocketAddr) -> String {
    let ip = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    format!("http://{}", SocketAddr::new(ip, address.port()))
}

/// Opens the page in the browser, if possible. The address of the page is printed in any case.
pub(crate) fn open(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = Stdio::null;
    let _ = Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

pub(crate) async fn interrupted() {
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

async fn about(State(state): State<Arc<ServerState>>) -> Response {
    json(&api::About {
        protocol: VERSION,
        vivant: env!("CARGO_PKG_VERSION").to_owned(),
        fps: state.hub.fps,
        folder: state.workspace.home().display().to_string(),
        max_upload_bytes: MAX_UPLOAD_BYTES as u64,
    })
}

/// `GET /api/stats`: statistics of the server. `?reset` sets them to zero afterwards.
async fn statistics(
    State(state): State<Arc<ServerState>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let (hub, stats) = (&state.hub, &state.hub.stats);
    let stats_now = api::Stats {
        seconds: hub.started.elapsed().as_secs_f64(),
        performers: hub.performers().len(),
        viewers: hub.viewers(),
        frames: stats.frames(),
        late_ms: stats.late_ms(),
        skipped: stats.skipped(),
        resident_bytes: stats::resident_bytes(),
    };
    if query.contains_key("reset") {
        stats.reset();
    }
    json(&stats_now)
}

async fn schema_of(Path(name): Path<String>) -> Answer {
    let known = || format!("there is no schema `{name}`; use one of {}", schema::NAMES.join(", "));
    schema::of(&name).map(|schema| json(&schema)).ok_or_else(|| Refused::not_found(known()))
}

/// `GET /api/presets`: temperaments from perception studies.
async fn presets() -> Response {
    let preset = |preset: Preset| api::Preset {
        name: preset.name.to_owned(),
        finding: preset.finding.to_owned(),
        group: preset.group.to_owned(),
        temperament: preset.temperament,
    };
    json(&vivant::eyes::presets::presets().into_iter().map(preset).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
