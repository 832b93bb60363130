//! Streams a line to a running server as a realtime voice does: tokens and samples in pieces of any size, whenever they
//! come. Copy from it what your client needs.
//!
//! ```sh
//! vivant serve &
//! cargo run -p vivant-cli --example stream -- "Hello there! [nod] It is nice to see you."
//! ```
//!
//! The voice is espeak-ng's, or a hum where that is not installed. A real client would also play it: from when the
//! performer's clock, which is the time in its frames, shows the time that the line was asked for.

#![allow(clippy::print_stdout, reason = "an example that tells what it does")]

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

/// From the first piece to the first sound, in seconds: for the way to the server, and to breathe in.
const LEAD_SECS: f64 = 0.8;

#[tokio::main]
#[allow(dead_code, reason = "a test runs the rest without it")]
async fn main() -> Result<()> {
    let words = std::env::args().nth(1).unwrap_or_else(|| "Hello there! [nod] It is nice to see you.".into());
    let told = stream("ws://127.0.0.1:7878", &words, 7).await?;
    let [begun, ended] = [told.begun - told.asked, told.ended - told.asked].map(|secs| 1000.0 * secs);
    println!("begun {begun:.0} ms after it was asked for, and ended after {ended:.0} ms");
    println!("the voice takes {:.0} ms", 1000.0 * told.voice_secs);
    Ok(())
}

/// What became of a line, in seconds of the performer's clock.
#[derive(Debug)]
pub(crate) struct Told {
    /// When it was asked to begin, and when it did.
    pub(crate) asked: f64,
    pub(crate) begun: f64,
    /// When the performer was done with it.
    pub(crate) ended: f64,
    /// How long the voice is.
    pub(crate) voice_secs: f64,
}

/// Streams a line, and waits until it is said.
pub(crate) async fn stream(server: &str, words: &str, seed: u64) -> Result<Told> {
    let voice = voice(words)?;
    let address = format!("{server}/live?events=true&fps=30");
    let (socket, _) = connect_async(address).await?;
    let (mut send, mut receive) = socket.split();
    let asked = loop {
        if let Message::Binary(frame) = receive.next().await.ok_or("the server is gone")?? {
            break f64::from_le_bytes(frame[8..16].try_into()?) + LEAD_SECS;
        }
    };
    let mut told = Told { asked, begun: f64::NAN, ended: f64::NAN, voice_secs: voice.secs() };
    let begin = Instant::now();
    let mut pieces = pieces(words, &voice, asked, &mut Chance(seed)).into_iter().peekable();
    while told.ended.is_nan() {
        let due = pieces.peek().map_or(f64::from(u16::MAX), |(secs, _)| *secs);
        tokio::select! {
            () = sleep_until(begin + Duration::from_secs_f64(due)) => {
                let (_, piece) = pieces.next().ok_or("nothing came back")?;
                send.send(Message::text(piece.to_string())).await?;
            }
            message = receive.next() => told.take(&message.ok_or("the server is gone")??)?,
        }
    }
    Ok(told)
}

impl Told {
    /// Takes note of what the server tells.
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

/// The pieces of a line and when they are sent, in seconds from the first: tokens as a language model thinks of them, and
/// samples as a voice makes them, a little faster than they are heard.
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
    // Samples have an order, and so have tokens: what is late holds up the rest.
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

/// What is heard: the words without their tags.
fn voice(words: &str) -> Result<Audio> {
    let parts = words.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind));
    let spoken: String = parts.collect();
    match Command::new("espeak-ng").args(["-v", "en-us", "--stdout", &spoken]).output() {
        Ok(wave) if wave.status.success() => Ok(read("voice.wav", &wave.stdout, &mut Vec::new())?),
        _ => Ok(hum(0.07 * spoken.len() as f64)),
    }
}

/// Syllables of nothing in particular.
fn hum(secs: f64) -> Audio {
    let rate_hz = 16_000;
    let sample = |n: usize| {
        let buzz = (n % 133) as f32 / 133.0 - 0.5;
        if n % 4000 < 2800 { 0.5 * buzz } else { 0.0 }
    };
    Audio { rate_hz, samples: (0..(secs * f64::from(rate_hz)) as usize).map(sample).collect() }
}

/// Chance enough for an example.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count) as usize
    }
}
