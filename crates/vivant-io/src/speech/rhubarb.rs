//! Reads Rhubarb Lip Sync output: mouth shapes A to H and X.
//!
//! Rhubarb recognises mouth shapes and no phonemes, so its files give visemes directly, with nine shapes instead of
//! fifteen. It writes three formats: [`read_tsv`], [`read_xml`] and [`read_cues`] (JSON) return the same [`Score`].
//! [`is_tsv`] and [`is_xml`] detect the format from the text. Shapes that overlap or end before they start are repaired
//! with warnings; unknown letters and invalid times are errors with a place.

use super::ReadOptions;
use super::aligned::warn_about_repairs;
use crate::eaf::text::{line_at, quote};
use crate::error::{Error, Result, Warning};
use crate::limits;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use serde::Deserialize;
use vivant::speech::timing::{TimedViseme, score_of_visemes};
use vivant::speech::{Score, Viseme};

/// Returns the viseme of a mouth shape as a static slice.
fn shape(letter: &str, place: &str) -> Result<&'static [Viseme]> {
    let mut letters = letter.trim().chars();
    let viseme = letters.next().filter(|_| letters.next().is_none()).and_then(Viseme::rhubarb);
    let index = viseme.and_then(|viseme| Viseme::ALL.iter().position(|one| *one == viseme));
    index.map(|index| &ALL[index..=index]).ok_or_else(|| {
        Error::at(place, format!("{} is not a Rhubarb mouth shape; use A to H or X", quote(letter)))
    })
}

static ALL: [Viseme; Viseme::COUNT] = Viseme::ALL;

/// Returns true if the text starts with a time and a mouth shape.
pub(super) fn is_tsv(start: &str) -> bool {
    let mut words = start.lines().next().unwrap_or_default().split_whitespace();
    let is_time = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
    is_time
        && words
            .next()
            .is_some_and(|word| word.len() == 1 && word.chars().all(|letter| letter.is_ascii_uppercase()))
        && words.next().is_none()
}

/// Reads TSV: each line has a start and a shape, which lasts until the next line. The shape of the last line has no
/// duration.
pub(super) fn read_tsv(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let mut cues: Vec<TimedViseme> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", number + 1);
        let mut words = line.split_whitespace();
        let (time, letter) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let from = time.parse().map_err(|_| {
            Error::at(
                &place,
                format!("{} should be a time in seconds, followed by a mouth shape", quote(time)),
            )
        })?;
        if let Some(last) = cues.last_mut() {
            last.to = from;
        }
        cues.push(TimedViseme { visemes: shape(letter, &place)?, from, to: from });
        limits::within(&place, "shapes", cues.len(), limits::MAX_ANNOTATIONS)?;
    }
    Ok(score_cues(&cues, options, warnings))
}

fn score_cues(cues: &[TimedViseme], options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Score {
    let (score, [repairs, _]) = score_of_visemes(cues, &[], &options.timing);
    warn_about_repairs("shape", &repairs, warnings);
    score
}

/// A mouth cue in JSON.
#[derive(Deserialize)]
pub(super) struct Cue {
    start: f64,
    end: f64,
    value: String,
}

pub(super) fn read_cues(
    cues: &[Cue],
    options: &ReadOptions<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Score> {
    limits::within("mouthCues", "shapes", cues.len(), limits::MAX_ANNOTATIONS)?;
    let timed = |(index, cue): (usize, &Cue)| {
        let visemes = shape(&cue.value, &format!("mouthCues[{index}].value"))?;
        Ok(TimedViseme { visemes, from: cue.start, to: cue.end })
    };
    let cues = cues.iter().enumerate().map(timed).collect::<Result<Vec<_>>>()?;
    Ok(score_cues(&cues, options, warnings))
}

/// Returns true if the XML is from Rhubarb.
pub(super) fn is_xml(text: &str) -> bool {
    text.contains("<rhubarbResult")
}

pub(super) fn read_xml(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let mut reader = Reader::from_str(text);
    let mut cues: Vec<TimedViseme> = Vec::new();
    let mut open: Option<(f64, f64, String)> = None;
    let mut depth = 0_usize;
    loop {
        let offset = reader.buffer_position() as usize;
        let place = || line_at(text.as_bytes(), offset);
        let event = reader.read_event().map_err(|error| {
            Error::at(
                line_at(text.as_bytes(), reader.error_position() as usize),
                format!("invalid XML: {error}"),
            )
        })?;
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth > limits::MAX_DEPTH {
                    return Err(Error::at(
                        place(),
                        format!("elements are nested more than {} deep; flatten them", limits::MAX_DEPTH),
                    ));
                }
                if tag.name().as_ref() == "mouthCue" {
                    open = Some((time(&tag, "start", &place)?, time(&tag, "end", &place)?, String::new()));
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let Some((from, to, letter)) = open.take() {
                    cues.push(TimedViseme { visemes: shape(&letter, &place())?, from, to });
                }
            }
            Event::Text(inside) => {
                if let Some((.., letter)) = &mut open {
                    letter.push_str(&inside.xml10_content());
                }
            }
            Event::DocType(_) => {
                return Err(Error::at(place(), "DTDs are not supported; delete the <!DOCTYPE …> line"));
            }
            Event::Eof if depth > 0 => {
                return Err(Error::at(
                    place(),
                    "the file is truncated: it ends within an element; export it again",
                ));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    limits::within("file", "shapes", cues.len(), limits::MAX_ANNOTATIONS)?;
    Ok(score_cues(&cues, options, warnings))
}

/// Reads a time attribute of a cue.
fn time(tag: &quick_xml::events::BytesStart<'_>, name: &str, place: &dyn Fn() -> String) -> Result<f64> {
    let found = tag
        .attributes()
        .find_map(|attribute| attribute.ok().filter(|attribute| attribute.key.as_ref() == name));
    let value = found.and_then(|attribute| {
        attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
    });
    value.as_deref().unwrap_or_default().trim().parse().map_err(|_| {
        Error::at(
            place(),
            format!(
                "attribute {name} of <mouthCue> should be a time in seconds, but is {}",
                quote(&value.unwrap_or_default())
            ),
        )
    })
}
