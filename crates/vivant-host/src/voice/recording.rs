//! Uses a recording as a voice.

use super::{Line, Manner, Speech, timing, without_audio};
use crate::disk;
use std::path::Path;
use vivant::speech::pronounce::English;
use vivant::speech::utterance::Utterance;
use vivant_io::audio::{self, Audio};
use vivant_io::{Error, ErrorKind, Result};
use vivant_io::{Warning, WarningCode};

/// Peak level below which a recording counts as silent; 1 is full scale.
const SILENCE_PEAK: f32 = 0.001;
/// Fraction of samples at the peak level above which a loud recording counts as clipped.
const CLIPPED_SHARE: f64 = 0.001;
/// Maximum duration of a recording for alignment, in seconds.
const MAX_SECS: f64 = 1800.0;

/// Reads a recording and aligns the words of the line with it, if the line has words.
pub(super) fn speak(path: &Path, line: &mut Line, manner: Manner<'_>) -> Result<Speech> {
    let name = path.display().to_string();
    if path.extension().is_none() && !path.exists() {
        let message = format!(
            "unknown voice “{name}”; use espeak-ng, espeak-ng:VOICE, none, or a recording (.wav, .flac, .ogg, .mp3)"
        );
        return Err(Error::of(ErrorKind::Invalid, message));
    }
    let audio =
        audio::read(&name, &disk::read(path)?, &mut line.warnings).map_err(|error| error.in_file(&name))?;
    line.warnings.extend(level_warning(&name, &audio));
    if peak(&audio) < SILENCE_PEAK && !line.text.words.is_empty() {
        let speech = without_audio(line, manner);
        return Ok(Speech { secs: speech.secs.max(audio.secs()), audio: Some(audio), ..speech });
    }
    if audio.secs() > MAX_SECS && !line.text.words.is_empty() {
        let message =
            format!("{name}: too long to find the words, the limit is {} minutes; split it", MAX_SECS / 60.0);
        return Err(Error::of(ErrorKind::TooLarge, message));
    }
    let utterance = Utterance::aligned(line.text.clone(), &audio, &English::default(), timing(manner))?;
    Ok(Speech::heard(audio, utterance))
}

/// Returns a warning if a recording is silent or clipped.
#[must_use]
pub fn level_warning(name: &str, audio: &Audio) -> Option<Warning> {
    let what = match peak(audio) {
        soft if soft < SILENCE_PEAK => "the recording is silent; without a text, the mouth does not move",
        loud if is_clipped(audio, loud) => {
            "the recording is clipped, so visemes may be wrong; record it at a lower level"
        }
        _ => return None,
    };
    Some(Warning::new(WarningCode::Guessed, name, what))
}

fn peak(audio: &Audio) -> f32 {
    audio.samples.iter().fold(0.0, |most, sample| most.max(sample.abs()))
}

fn is_clipped(audio: &Audio, peak: f32) -> bool {
    let at_limit = audio.samples.iter().filter(|sample| sample.abs() >= peak * 0.999).count();
    peak > 0.5 && at_limit as f64 > audio.samples.len() as f64 * CLIPPED_SHARE
}
