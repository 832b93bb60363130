//! Streams a speech line to a running server like a realtime voice: tokens and samples in pieces of any size, at any
//! time. Copy the parts that your client needs.
//!
//! ```sh
//! vivant serve &
//! cargo run -p vivant-cli --example stream -- "Hello there! [nod] It is nice to see you."
//! ```
//!
//! The voice is espeak-ng, or a hum if that is not installed. A real client would also play it, starting when the
//! performer's clock (the time in its frames) reaches the requested start time of the line.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::error::Error;
use std::process::Command;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use vivant_io::audio::{Audio, read};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Seconds from the first piece to the first sound: time for the network, and for the performer to breathe in.
const LEAD_SECS: f64 = 0.8;

#[tokio::main]
#[allow(dead_code, reason = "a test runs the rest without it")]
async fn main() -> Result<()> {
    let words = std::env::args().nth(1).unwrap_or_else(|| "Hello there! [nod] It is nice to see you.".into());
    let times = stream("ws://127.0.0.1:7878", &words, 7).await?;
    let [begun, ended] = [times.begun - times.asked, times.ended - times.asked].map(|secs| 1000.0 * secs);
    println!("started {begun:.0} ms after the requested time, ended after {ended:.0} ms");
    println!("duration of the voice: {:.0} ms", 1000.0 * times.voice_secs);
    Ok(())
}

/// Times of a line, in seconds of the performer's clock.
#[derive(Debug)]
pub(crate) struct LineTimes {
    /// Requested start in seconds.
    pub(crate) asked: f64,
    /// Actual start in seconds.
    pub(crate) begun: f64,
    /// End of the line in seconds.
    pub(crate) ended: f64,
    /// Duration of the voice in seconds.
    pub(crate) voice_secs: f64,
}

/// Streams a line, and waits until it has been spoken.
pub(crate) async fn stream(server: &str, words: &str, seed: u64) -> Result<LineTimes> {
    let voice = voice(words)?;
    let address = format!("{server}/live?events=true&fps=30");
    let (socket, _) = connect_async(address).await?;
    let (mut send, mut receive) = socket.split();
    let asked = loop {
        if let Message::Binary(frame) = receive.next().await.ok_or("the server is gone")?? {
            break f64::from_le_bytes(frame[8..16].try_into()?) + LEAD_SECS;
        }
    };
    let mut times = LineTimes { asked, begun: f64::NAN, ended: f64::NAN, voice_secs: voice.secs() };
    let begin = Instant::now();
    let mut pieces = pieces(words, &voice, asked, &mut Chance(seed)).into_iter().peekable();
    while times.ended.is_nan() {
        let due = pieces.peek().map_or(f64::from(u16::MAX), |(secs, _)| *secs);
        tokio::select! {
            () = sleep_until(begin + Duration::from_secs_f64(due)) => {
                let (_, piece) = pieces.next().ok_or("nothing came back")?;
                send.send(Message::text(piece.to_string())).await?;
            }
            message = receive.next() => times.take(&message.ok_or("the server is gone")??)?,
        }
    }
    Ok(times)
}

impl LineTimes {
    /// Updates the times with a message of the server.
    fn take(&mut self, message: &Message) -> Result<()> {
        let Message::Text(text) = message else { return Ok(()) };
        let message: Value = serde_json::from_str(text)?;
        if let Some(problem) = message["error"]["message"].as_str() {
            return Err(problem.into());
        }
        let (at, what) = (message["event"]["at"].as_f64(), &message["event"]["what"]);
        match (at, what["state"]["be"].as_str()) {
            (Some(at), _) if what.get("line").is_some() => self.begun = at,
            (Some(at), Some(state)) if state != "speaking" && self.begun <= at => self.ended = at,
            _ => {}
        }
        Ok(())
    }
}

/// Splits a line into pieces with the times to send them, in seconds from the first: tokens at the pace of a language
/// model, and samples at the pace of a voice, a little faster than real time.
fn pieces(words: &str, voice: &Audio, asked: f64, chance: &mut Chance) -> Vec<(f64, Value)> {
    let mut all = vec![(0.0, json!({ "say": "", "at": asked }))];
    let (mut letters, mut at) = (words.chars().peekable(), 0.0);
    while letters.peek().is_some() {
        let token: String = letters.by_ref().take(1 + chance.below(8)).collect();
        at += 0.001 * chance.below(90) as f64;
        all.push((at, json!({ "say": token })));
    }
    let (mut samples, mut at) = (&voice.samples[..], 0.0);
    while !samples.is_empty() {
        let secs = 0.02 + 0.001 * chance.below(280) as f64;
        let (piece, rest) = samples.split_at(samples.len().min((secs * f64::from(voice.rate_hz)) as usize));
        all.push((
            at + 0.001 * chance.below(150) as f64,
            json!({ "say": "", "pcm": pcm(voice.rate_hz, piece) }),
        ));
        (samples, at) = (rest, at + 0.8 * secs);
    }
    // Samples must stay in order, as must tokens: a late piece delays the following ones.
    let mut latest = 0.0_f64;
    for (at, _) in all.iter_mut().filter(|(_, piece)| piece.get("pcm").is_some()) {
        latest = latest.max(*at);
        *at = latest;
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = all.last().map_or(0.0, |(at, _)| *at);
    all.push((last, json!({ "say": "" })));
    let count = all.len();
    for (n, (_, piece)) in all.iter_mut().enumerate() {
        piece["line"] = "stream".into();
        piece["more"] = (n + 1 < count).into();
    }
    all
}

fn pcm(rate: u32, samples: &[f32]) -> Value {
    let sample = |sample: &f32| ((sample * 32_767.0).clamp(-32_768.0, 32_767.0) as i16).to_le_bytes();
    let bytes: Vec<u8> = samples.iter().flat_map(sample).collect();
    json!({ "rate": rate, "data": data_encoding::BASE64.encode(&bytes) })
}

/// Synthesizes the voice: the words without their tags.
fn voice(words: &str) -> Result<Audio> {
    let parts = words.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind));
    let spoken: String = parts.collect();
    match Command::new("espeak-ng").args(["-v", "en-us", "--stdout", &spoken]).output() {
        Ok(wave) if wave.status.success() => Ok(read("voice.wav", &wave.stdout, &mut Vec::new())?),
        _ => Ok(hum(0.07 * spoken.len() as f64)),
    }
}

/// Generates meaningless syllables.
fn hum(secs: f64) -> Audio {
    let rate_hz = 16_000;
    let sample = |n: usize| {
        let buzz = (n % 133) as f32 / 133.0 - 0.5;
        if n % 4000 < 2800 { 0.5 * buzz } else { 0.0 }
    };
    Audio { rate_hz, samples: (0..(secs * f64::from(rate_hz)) as usize).map(sample).collect() }
}

/// A small random number generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count) as usize
    }
}
