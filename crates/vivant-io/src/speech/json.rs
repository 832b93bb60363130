//! Reads JSON with times: words with or without phonemes, and Rhubarb's mouth shapes.
//!
//! A word is an object with its text (`t`, `text`, `word`, `label`), its start (`b`, `start`, `begin`, `from`), its
//! end (`end`, `to`) or duration (`d`, `duration`), and optionally its phonemes (`w`, `phones`, `phonemes`), which
//! are objects of the same form. Times are in seconds. A file is a list of words, or an object with such a list as
//! `w` or `words`.

use super::ReadOptions;
use super::aligned::{Aligned, Interval};
use super::rhubarb::{self, Cue};
use crate::error::{Error, Result, Warning};
use crate::json;
use crate::limits;
use serde::Deserialize;
use vivant::speech::Score;

#[derive(Deserialize)]
struct Entry {
    #[serde(alias = "text", alias = "word", alias = "label", alias = "phone")]
    t: String,
    #[serde(alias = "start", alias = "begin", alias = "from")]
    b: f64,
    #[serde(alias = "duration", alias = "dur")]
    d: Option<f64>,
    #[serde(alias = "to", alias = "stop")]
    end: Option<f64>,
    #[serde(default, alias = "phones", alias = "phonemes")]
    w: Vec<Entry>,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(alias = "words")]
    w: Option<Vec<Entry>>,
    #[serde(rename = "mouthCues")]
    mouth_cues: Option<Vec<Cue>>,
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let entries = if text.trim_start().starts_with('[') {
        json::typed::<Vec<Entry>>(text)?
    } else {
        let whole: Whole = json::typed(text)?;
        match (whole.w, whole.mouth_cues) {
            (_, Some(cues)) => return rhubarb::read_cues(&cues, options, warnings),
            (Some(entries), None) => entries,
            (None, None) => {
                return Err(Error::new("this JSON has no words with times; add a list called w or words"));
            }
        }
    };
    aligned(entries)?.score(options, warnings)
}

fn aligned(entries: Vec<Entry>) -> Result<Aligned> {
    let mut aligned = Aligned::default();
    for (index, entry) in entries.into_iter().enumerate() {
        let place = format!("words[{index}]");
        for (inner, phone) in entry.w.iter().enumerate() {
            aligned.phones.push(interval(phone, &format!("{place}.phones[{inner}]"))?);
        }
        aligned.words.push(interval(&entry, &place)?);
        limits::within(&place, "sounds", aligned.phones.len(), limits::MAX_ANNOTATIONS)?;
        limits::within(&place, "words", aligned.words.len(), limits::MAX_ANNOTATIONS)?;
    }
    Ok(aligned)
}

fn interval(entry: &Entry, place: &str) -> Result<Interval> {
    let to = entry.end.or(entry.d.map(|length| entry.b + length));
    let missing = "the word has no end and no duration; add `end`, `to`, `d` or `duration`";
    let to = to.ok_or_else(|| Error::at(place, missing))?;
    Ok(Interval { from: entry.b, to, label: entry.t.clone() })
}
