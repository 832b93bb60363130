//! A recording as the voice.

use super::{Line, Manner, Speech, timing, unheard};
use crate::disk;
use std::path::Path;
use vivant::speech::pronounce::English;
use vivant::speech::utterance::Utterance;
use vivant_io::audio::{self, Audio};
use vivant_io::{Error, ErrorKind, Result};
use vivant_io::{Warning, WarningCode};

/// A recording whose loudest sample is softer than this is silent.
const SILENT: f32 = 0.001;
/// A recording is clipped if so many of its samples are at the limit.
const CLIPPED_SHARE: f64 = 0.001;
/// The longest recording whose words are looked for, in seconds.
const LONGEST_SECS: f64 = 1800.0;

/// A recording, with the times of the words if they were given.
pub(super) fn speak(path: &Path, line: &mut Line, manner: Manner<'_>) -> Result<Speech> {
    let name = path.display().to_string();
    if path.extension().is_none() && !path.exists() {
        let message = format!(
            "there is no voice “{name}”; give espeak-ng, espeak-ng:VOICE, none, or a recording (.wav, .flac, .ogg, .mp3)"
        );
        return Err(Error::of(ErrorKind::Invalid, message));
    }
    let audio =
        audio::read(&name, &disk::read(path)?, &mut line.warnings).map_err(|error| error.in_file(&name))?;
    line.warnings.extend(level_warning(&name, &audio));
    if loudest(&audio) < SILENT && !line.text.words.is_empty() {
        let speech = unheard(line, manner);
        return Ok(Speech { secs: speech.secs.max(audio.secs()), audio: Some(audio), ..speech });
    }
    if audio.secs() > LONGEST_SECS && !line.text.words.is_empty() {
        let message =
            format!("{name}: words are found in recordings of up to {} minutes; cut it", LONGEST_SECS / 60.0);
        return Err(Error::of(ErrorKind::TooLarge, message));
    }
    let utterance = Utterance::aligned(line.text.clone(), &audio, &English::default(), timing(manner))?;
    Ok(Speech::heard(audio, utterance))
}

/// Returns a warning if a recording is silent or clipped.
#[must_use]
pub fn level_warning(name: &str, audio: &Audio) -> Option<Warning> {
    let what = match loudest(audio) {
        soft if soft < SILENT => "is silent, so the mouth moves only with the words, if there are any",
        loud if is_clipped(audio, loud) => {
            "is clipped: record it at a lower level, or sounds are taken for others"
        }
        _ => return None,
    };
    Some(Warning::new(WarningCode::Guessed, name, what))
}

fn loudest(audio: &Audio) -> f32 {
    audio.samples.iter().fold(0.0, |most, sample| most.max(sample.abs()))
}

fn is_clipped(audio: &Audio, loudest: f32) -> bool {
    let at_limit = audio.samples.iter().filter(|sample| sample.abs() >= loudest * 0.999).count();
    loudest > 0.5 && at_limit as f64 > audio.samples.len() as f64 * CLIPPED_SHARE
}
