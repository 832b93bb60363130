//! Many viewers in one thread, with statistics of the received frames.

use super::FPS;
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(super) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Resolution of the histogram of times between frames, in milliseconds. The histogram ends at one second.
const STEP_MS: f64 = 0.05;
const STEPS: usize = 20_000;
/// State of the viewers before the measurement.
const WAITING: u8 = 0;
/// State of the viewers during the measurement. Viewers count frames only in this state.
const COUNTING: u8 = 1;
/// State of the viewers after the measurement.
const OVER: u8 = 2;

pub(super) async fn connect(address: &str, performer: &str) -> Result<Socket, String> {
    let url = format!("ws://{address}/live?performer={performer}");
    Ok(connect_async(&url).await.map_err(|error| format!("{url}: {error}"))?.0)
}

/// Casts performers with the given names.
pub(super) async fn cast(address: &str, names: &[String]) -> Result<(), String> {
    let mut socket = connect(address, "main").await?;
    let all: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(seed, name)| serde_json::json!({ "performer": name, "seed": seed }))
        .collect();
    let request = serde_json::json!({ "cast": all, "id": 1 }).to_string();
    socket.send(Message::text(request)).await.map_err(|error| error.to_string())?;
    while let Some(message) = socket.next().await {
        match message.map_err(|error| error.to_string())? {
            Message::Text(text) if text.starts_with("{\"done\"") => return Ok(()),
            Message::Text(text) if text.starts_with("{\"error\"") => return Err(text.to_string()),
            _ => {}
        }
    }
    Err("the server closed the connection".into())
}

/// A group of connected viewers.
pub(super) struct Crowd {
    state: Arc<AtomicU8>,
    tasks: Vec<JoinHandle<Result<One, String>>>,
}

impl Crowd {
    /// Connects one viewer for each name.
    pub(super) async fn gather(address: &str, names: &[String]) -> Result<Self, String> {
        let state = Arc::new(AtomicU8::new(WAITING));
        let mut tasks = Vec::new();
        for name in names {
            let socket = connect(address, name).await?;
            tasks.push(tokio::spawn(view(socket, state.clone())));
        }
        Ok(Self { state, tasks })
    }

    pub(super) fn begin(&self) {
        self.state.store(COUNTING, Ordering::Relaxed);
    }

    pub(super) async fn end(self) -> Result<Seen, String> {
        self.state.store(OVER, Ordering::Relaxed);
        let mut seen = Seen { shares: Vec::new(), gaps: vec![0; STEPS] };
        for task in self.tasks {
            seen.add(&task.await.map_err(|error| error.to_string())??);
        }
        seen.shares.sort_by(f64::total_cmp);
        Ok(seen)
    }
}

/// Statistics of one viewer.
struct One {
    frames: u64,
    /// Times of the first and of the last frame, in seconds of the performance.
    times: Option<(f64, f64)>,
    /// Histogram of the times between frames; see [`Seen::gaps`].
    gaps: Vec<u32>,
}

async fn view(mut socket: Socket, state: Arc<AtomicU8>) -> Result<One, String> {
    let mut one = One { frames: 0, times: None, gaps: vec![0; STEPS] };
    let mut last: Option<Instant> = None;
    while let Some(message) = socket.next().await {
        let Message::Binary(bytes) = message.map_err(|error| error.to_string())? else { continue };
        match state.load(Ordering::Relaxed) {
            WAITING => continue,
            COUNTING => {}
            _ => return Ok(one),
        }
        let (now, time) = (Instant::now(), time_of(&bytes).ok_or("a frame is too short")?);
        one.frames += 1;
        one.times = Some((one.times.map_or(time, |(first, _)| first), time));
        if let Some(last) = last.replace(now) {
            let step = ((now - last).as_secs_f64() * 1e3 / STEP_MS) as usize;
            one.gaps[step.min(STEPS - 1)] += 1;
        }
    }
    Err("the server closed a viewer's connection".into())
}

fn time_of(frame: &[u8]) -> Option<f64> {
    frame.get(8..16)?.try_into().ok().map(f64::from_le_bytes)
}

/// Statistics of all viewers.
pub(super) struct Seen {
    /// Fraction of the performer's frames that each viewer received, in ascending order.
    shares: Vec<f64>,
    /// Histogram of the time between frames, in steps of [`STEP_MS`].
    gaps: Vec<u64>,
}

impl Seen {
    fn add(&mut self, one: &One) {
        let expected = one.times.map_or(f64::INFINITY, |(first, last)| (last - first) * FPS + 1.0);
        self.shares.push(one.frames as f64 / expected);
        self.gaps.iter_mut().zip(&one.gaps).for_each(|(all, one)| *all += u64::from(*one));
    }

    /// Returns the fraction of frames that a viewer received, as the first percentile over all viewers.
    pub(super) fn least_share(&self) -> f64 {
        self.shares.get(self.shares.len() / 100).copied().unwrap_or_default()
    }

    pub(super) fn mean_share(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.shares.len() as f64
    }

    /// Returns the time between frames in milliseconds: median, 99th percentile, maximum.
    pub(super) fn gaps_ms(&self) -> [f64; 3] {
        let all: u64 = self.gaps.iter().sum();
        [0.5, 0.99, 1.0].map(|share| {
            let wanted = (share * all as f64) as u64;
            let mut so_far = 0;
            let step = self.gaps.iter().position(|count| {
                so_far += count;
                so_far >= wanted
            });
            (step.unwrap_or_default() + 1) as f64 * STEP_MS
        })
    }
}
