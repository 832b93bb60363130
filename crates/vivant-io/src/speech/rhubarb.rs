//! What Rhubarb Lip Sync writes: mouth shapes from A to H and X.

use super::ReadOptions;
use super::aligned::tell;
use crate::eaf::text::{line_at, shown};
use crate::error::{Error, Result, Warning};
use crate::limits;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use serde::Deserialize;
use vivant::speech::timing::{TimedViseme, score_of_visemes};
use vivant::speech::{Score, Viseme};

/// Shapes that sounds have, so that a slice of one can be borrowed for ever.
fn shape(letter: &str, place: &str) -> Result<&'static [Viseme]> {
    let mut letters = letter.trim().chars();
    let viseme = letters.next().filter(|_| letters.next().is_none()).and_then(Viseme::rhubarb);
    let index = viseme.and_then(|viseme| Viseme::ALL.iter().position(|one| *one == viseme));
    index.map(|index| &ALL[index..=index]).ok_or_else(|| {
        Error::at(place, format!("{} is no mouth shape of Rhubarb's, which are A to H and X", shown(letter)))
    })
}

static ALL: [Viseme; Viseme::COUNT] = Viseme::ALL;

/// Whether a text begins with a time and a shape.
pub(super) fn is_tsv(begin: &str) -> bool {
    let mut words = begin.lines().next().unwrap_or_default().split_whitespace();
    let is_time = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
    is_time
        && words
            .next()
            .is_some_and(|word| word.len() == 1 && word.chars().all(|letter| letter.is_ascii_uppercase()))
        && words.next().is_none()
}

/// A line has a begin and a shape, which lasts until the next; the last one ends where it begins.
pub(super) fn read_tsv(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let mut cues: Vec<TimedViseme> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", number + 1);
        let mut words = line.split_whitespace();
        let (time, letter) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let from = time.parse().map_err(|_| {
            Error::at(&place, format!("{} should be a time in seconds, with a shape behind it", shown(time)))
        })?;
        if let Some(last) = cues.last_mut() {
            last.to = from;
        }
        cues.push(TimedViseme { visemes: shape(letter, &place)?, from, to: from });
        limits::within(&place, "shapes", cues.len(), limits::MAX_ANNOTATIONS)?;
    }
    Ok(scored(&cues, options, warnings))
}

fn scored(cues: &[TimedViseme], options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Score {
    let (score, [mends, _]) = score_of_visemes(cues, &[], &options.timing);
    tell("shape", &mends, warnings);
    score
}

/// A cue as JSON has it.
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
    Ok(scored(&cues, options, warnings))
}

/// Whether XML is Rhubarb's.
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
                format!("this is no XML: {error}"),
            )
        })?;
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth > limits::MAX_DEPTH {
                    return Err(Error::at(
                        place(),
                        format!("more than {} elements within each other", limits::MAX_DEPTH),
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
                return Err(Error::at(place(), "has a DTD, which is refused; delete the <!DOCTYPE …> line"));
            }
            Event::Eof if depth > 0 => {
                return Err(Error::at(place(), "the file ends within an element; it was cut off"));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    limits::within("file", "shapes", cues.len(), limits::MAX_ANNOTATIONS)?;
    Ok(scored(&cues, options, warnings))
}

/// A time of a cue.
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
                "<mouthCue> should have a {name} in seconds and has {}",
                shown(&value.unwrap_or_default())
            ),
        )
    })
}
