//! `vivant` and `vivant serve`: the studio, and the server behind it.
//!
//! A [clock] of its own lets all performers make their frames; the event loop only moves bytes. Connections
//! meet the clock in the [hub]: requests are taken at the next tick, and whoever watches gets the newest
//! frame. What stays (characters, clips, repertoires) is the workspace's.

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
use answer::{Answer, Refused, apart, json};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use casting::Manner;
use guard::Door;
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

/// How long open connections may take to end after Ctrl-C.
pub(crate) const FAREWELL: Duration = Duration::from_millis(1500);

/// What all requests share.
pub(crate) struct House {
    pub(crate) workspace: Arc<Workspace>,
    hub: Arc<Hub>,
    manner: Manner,
    studio: Studio,
    /// Changes of characters, for all who want to know.
    changes: broadcast::Sender<Changed>,
}

pub(crate) fn run(args: &Watch) -> Result<ExitCode> {
    let door = Door::new(args.listen, args.token.clone(), &args.allow_host)?;
    let house = Arc::new(House::open(args)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Fault::new(format!("no event loop could be started: {e}")))?;
    let served = runtime.block_on(serve(args, Arc::new(door), house));
    // Who still reads a file or a performer's past does not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map(|()| ExitCode::SUCCESS)
}

impl House {
    fn open(args: &Watch) -> Result<Self> {
        let folder = args.characters.clone().unwrap_or_else(usual_folder);
        let workspace = Arc::new(Workspace::open(folder, &first(&args.cast))?);
        let changes = broadcast::Sender::new(64);
        let sender = changes.clone();
        // Nobody may be listening.
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

/// The folder `Vivant` in the home directory, or here if there is none.
fn usual_folder() -> PathBuf {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).unwrap_or_default().join("Vivant")
}

async fn serve(args: &Watch, door: Arc<Door>, house: Arc<House>) -> Result<()> {
    let listener = TcpListener::bind(args.listen).await.map_err(|e| cannot_listen(args.listen, &e))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    let lines = Lines::open(&args.vmc).await?;
    let clock = begin(&house, args.cast.seed).await?;
    tokio::spawn(keep_up(Arc::clone(&house)));
    announce(args, address, &lines);
    lines.run(&house);
    let hub = Arc::clone(&house.hub);
    let server = axum::serve(listener, router(house, door)).with_graceful_shutdown(async move {
        interrupted().await;
        hub.end();
    });
    let served = tokio::select! {
        served = server => served.map_err(|e| Fault::new(format!("the server stopped: {e}"))),
        () = async { interrupted().await; tokio::time::sleep(FAREWELL).await } => Ok(()),
    };
    let _ = clock.join();
    served
}

/// Starts the clock, and `main` with it.
async fn begin(house: &Arc<House>, seed: u64) -> Result<std::thread::JoinHandle<()>> {
    let clock = clock::start(Arc::clone(&house.hub))?;
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
    casting::cast(house, vec![main], None).await.map_err(|refused| Fault::new(refused.1))?;
    Ok(clock)
}

/// Lets performers go on with characters that were edited.
async fn keep_up(house: Arc<House>) {
    let mut changes = house.changes.subscribe();
    loop {
        let ids = match changes.recv().await {
            Ok(changed) => vec![changed.character],
            // Some changes were missed: look at all that are played.
            Err(RecvError::Lagged(_)) => house.hub.characters(),
            Err(RecvError::Closed) => return,
        };
        for id in ids {
            let workspace = Arc::clone(&house.workspace);
            // Who cannot be read goes on as before; the studio tells what is wrong.
            if let Ok(ready) = apart(move || Ok(workspace.ready(&id)?)).await {
                house.hub.order(hub::Order::Adopt(ready));
            }
        }
    }
}

fn router(house: Arc<House>, door: Arc<Door>) -> Router {
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
        .fallback(async || Refused::not_found("there is no such address; docs/protocol.md has them all"))
        .method_not_allowed_fallback(async || {
            let message = "this address does not take that method; docs/protocol.md says what it takes";
            Refused(axum::http::StatusCode::METHOD_NOT_ALLOWED, message.into())
        })
        .layer(middleware::from_fn_with_state(door, guard::ask))
        .with_state(house)
}

pub(crate) fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Fault {
    let why = match error.kind() {
        std::io::ErrorKind::AddrInUse => "another program, perhaps another vivant, listens there".to_owned(),
        _ => error.to_string(),
    };
    let other = address.port().wrapping_add(1).max(1024);
    Fault::new(format!("{address}: {why}; choose another port with --listen {}:{other}", address.ip()))
}

fn announce(args: &Watch, address: SocketAddr, lines: &Lines) {
    let url = format!("http://{address}");
    if args.json {
        let mut told = serde_json::json!({ "listening": url });
        lines.told().into_iter().for_each(|vmc| told["vmc"] = vmc);
        return report::json_line(&told);
    }
    let here = here(address);
    let token = args.token.as_ref().map_or(String::new(), |token| format!("/?token={token}"));
    report::line(&format!("Vivant is on {here}{token}  (Ctrl-C ends it)"));
    lines.sentences().iter().for_each(|sentence| report::line(sentence));
    if !args.no_open && std::io::stdout().is_terminal() {
        open(&format!("{here}{token}"));
    }
}

/// The address under which this computer finds itself.
pub(crate) fn here(address: SocketAddr) -> String {
    let ip = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    format!("http://{}", SocketAddr::new(ip, address.port()))
}

/// Opens the page if there is something to open it with; if not, its address has been printed.
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

async fn about(State(house): State<Arc<House>>) -> Response {
    json(&api::About {
        protocol: VERSION,
        vivant: env!("CARGO_PKG_VERSION").to_owned(),
        fps: house.hub.fps,
        folder: house.workspace.home().display().to_string(),
        max_upload_bytes: MAX_UPLOAD_BYTES as u64,
    })
}

/// `GET /api/stats`; with `?reset` they begin anew.
async fn statistics(
    State(house): State<Arc<House>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let (hub, stats) = (&house.hub, &house.hub.stats);
    let told = api::Stats {
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
    json(&told)
}

async fn schema_of(Path(name): Path<String>) -> Answer {
    let known = || format!("there is no schema `{name}`; there are {}", schema::NAMES.join(", "));
    schema::of(&name).map(|schema| json(&schema)).ok_or_else(|| Refused::not_found(known()))
}

/// `GET /api/presets`: temperaments that people were asked about.
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
