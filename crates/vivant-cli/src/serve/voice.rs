//! `/api/voice`: lines that are spoken by espeak-ng, where it is installed.

use super::answer::{Answer, Refused, apart, json};
use crate::fault::Kind;
use crate::voice::{Espeak, Line, Manner, Voice, wav};
use axum::body::Bytes;
use axum::http::StatusCode;
use std::sync::LazyLock;
use tokio::sync::Semaphore;
use vivant_io::json::base64;
use vivant_io::json::intents::wire::Say;
use vivant_io::json::protocol::api::{Speak, Spoken, VoiceInfo, Voices};

/// How many lines are spoken at once; others wait.
static MOUTHS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));
/// The longest line, in letters: the `say` that goes with it has to fit into one message.
const MOST_LETTERS: usize = 1200;

/// Who can speak.
pub(super) async fn all() -> Answer {
    apart(|| match Espeak::find("en", 1.0).and_then(|espeak| espeak.voices()) {
        Ok(known) => {
            let voice = |one: crate::voice::Known| VoiceInfo { voice: one.language, name: one.name };
            Ok(json(&Voices { voices: known.into_iter().map(voice).collect(), missing: None }))
        }
        Err(fault) => Ok(json(&Voices { voices: Vec::new(), missing: Some(fault.to_string()) })),
    })
    .await
}

/// Speaks a line.
pub(super) async fn speak(body: Bytes) -> Answer {
    let asked = Speak::read(&body).map_err(|error| Refused::bad(error.to_string()))?;
    if asked.text.chars().count() > MOST_LETTERS {
        let message = format!(
            "text: at most {MOST_LETTERS} letters are spoken at once; send a sentence or two at a time"
        );
        return Err(Refused(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let _mouth = MOUTHS.acquire().await;
    apart(move || {
        let mut line = Line::read("text", asked.text.into_bytes())?;
        let manner = Manner { rate: asked.rate.unwrap_or(1.0), language: None };
        let spoken = Voice::Espeak(asked.voice).speak(&mut line, manner, &|_, _| {});
        let speech = spoken.map_err(|fault| match fault.kind() {
            // The address is there; what is behind it is not.
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
