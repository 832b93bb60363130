//! `/api/voice`: lines spoken by espeak-ng, if it is installed.

use super::answer::{Answer, Refused, json, run_blocking};
use crate::fault::Kind;
use crate::voice::{Espeak, Line, Manner, Voice, wav};
use axum::body::Bytes;
use axum::http::StatusCode;
use std::sync::LazyLock;
use tokio::sync::Semaphore;
use vivant_io::json::base64;
use vivant_io::json::intents::wire::Say;
use vivant_io::json::protocol::api::{Speak, Spoken, VoiceInfo, Voices};

/// Limits the number of lines that are spoken at the same time. Further lines wait.
static SPEAKING: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));
/// Maximum length of a line in characters. The `say` intent of the line must fit into one message.
const MAX_LETTERS: usize = 1200;

/// Lists the voices.
pub(super) async fn all() -> Answer {
    run_blocking(|| match Espeak::find("en", 1.0).and_then(|espeak| espeak.voices()) {
        Ok(known) => {
            let voice = |one: crate::voice::VoiceInfo| VoiceInfo { voice: one.language, name: one.name };
            Ok(json(&Voices { voices: known.into_iter().map(voice).collect(), missing: None }))
        }
        Err(fault) => Ok(json(&Voices { voices: Vec::new(), missing: Some(fault.to_string()) })),
    })
    .await
}

/// Speaks a line.
pub(super) async fn speak(body: Bytes) -> Answer {
    let asked = Speak::read(&body).map_err(|error| Refused::bad(error.to_string()))?;
    if asked.text.chars().count() > MAX_LETTERS {
        let message = format!("text: longer than {MAX_LETTERS} letters; send one or two sentences at a time");
        return Err(Refused(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let _permit = SPEAKING.acquire().await;
    run_blocking(move || {
        let mut line = Line::read("text", asked.text.into_bytes())?;
        let manner = Manner { rate: asked.rate.unwrap_or(1.0), language: None };
        let spoken = Voice::Espeak(asked.voice).speak(&mut line, manner, &|_, _| {});
        let speech = spoken.map_err(|fault| match fault.kind() {
            // The URL is valid, but espeak-ng is not installed.
            Kind::NotFound => Refused(StatusCode::SERVICE_UNAVAILABLE, fault.to_string()),
            _ => fault.into(),
        })?;
        let (words, phones) = (speech.words(), speech.phones());
        let say = Say { say: line.written(), words, phones, ..Say::default() };
        let audio = speech.audio.unwrap_or_default();
        Ok(json(&Spoken {
            wav: base64(&wav::bytes(audio.rate_hz, &audio.samples)),
            seconds: speech.secs,
            say,
            warnings: line.warnings.iter().map(ToString::to_string).collect(),
        }))
    })
    .await
}
