//! Reads SSML (W3C Speech Synthesis Markup Language 1.1), as far as it affects the spoken words and their timing.
//!
//! | Element | Effect |
//! | --- | --- |
//! | `speak`, `p`, `s` | end of a paragraph or sentence |
//! | `break` | a pause by `time` or `strength` |
//! | `emphasis` | emphasis of words by `level` |
//! | `prosody` | speaking rate by `rate`; pitch and volume are ignored |
//! | `mark` | a tag `mark` with its `name` |
//! | `sub` | its `alias` is spoken |
//! | `say-as` | `characters`, `spell-out`, `verbatim`, `digits`, `telephone` are spelled; others are read as text |
//! | `phoneme` | phonemes by `ph` in the `alphabet` `ipa` (the default) or `x-sampa` |
//! | `desc`, `metadata` | not spoken |
//!
//! Text in unsupported elements is spoken, with a warning about the element. Tags in square brackets are supported
//! too.

use super::PROGRAM;
use super::sounds::{all_ipa, sampa_to_ipa};
use crate::eaf::text::{decode, line_at, quote};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader as Xml, XmlVersion};
use vivant::speech::Ending;
use vivant::speech::text::{Reader, Text};

/// Maximum length of a pause in seconds.
const LONGEST_BREAK_SECS: f64 = 60.0;

/// Reads SSML: the spoken words with their tags and pauses.
///
/// # Errors
/// If it is not well formed, not SSML, or exceeds the [limits].
pub fn read(bytes: &[u8]) -> Result<(Text, Vec<Warning>)> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SPEECH_BYTES)?;
    let mut warnings = Vec::new();
    let text = read_text(&decode(bytes, PROGRAM)?, &mut warnings)?;
    Ok((text, warnings))
}

pub(super) fn read_text(text: &str, warnings: &mut Vec<Warning>) -> Result<Text> {
    let mut xml = Xml::from_str(text);
    let mut parser = Parser {
        text,
        offset: 0,
        path: Vec::new(),
        is_done: false,
        reader: Reader::default(),
        inside: None,
        warnings,
    };
    loop {
        parser.offset = xml.buffer_position() as usize;
        let event = xml.read_event().map_err(|error| {
            let offset = (xml.error_position() as usize).max(parser.offset);
            Error::at(line_at(text.as_bytes(), offset), format!("invalid XML: {error}"))
        })?;
        if matches!(event, Event::Eof) {
            return parser.finish();
        }
        parser.event(&event)?;
    }
}

/// An open element, and the emphasis and rate inside it.
struct Open {
    name: String,
    /// Emphasis of words; `None` is the default emphasis.
    emphasis: Option<f32>,
    rate: f64,
}

/// An element whose text is not spoken as written.
struct Inside {
    depth: usize,
    kind: Kind,
    text: String,
}

enum Kind {
    /// Not spoken.
    Silent,
    /// Spoken letter by letter.
    Spelled,
    /// Spoken as these phonemes.
    Sounds(Vec<(vivant::speech::Phone, vivant::speech::Stress)>),
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    path: Vec<Open>,
    is_done: bool,
    reader: Reader,
    inside: Option<Inside>,
    warnings: &'a mut Vec<Warning>,
}

impl Parser<'_> {
    fn here(&self) -> String {
        line_at(self.text.as_bytes(), self.offset)
    }

    fn error_here(&self, message: impl std::fmt::Display) -> Error {
        Error::at(self.here(), message)
    }

    /// Adds a warning unless the same message was already added.
    fn warn(&mut self, code: WarningCode, message: String) {
        if self.warnings.len() < limits::MAX_TAGS
            && self.warnings.iter().all(|warning| warning.message != message)
        {
            let place = self.here();
            self.warnings.push(Warning::new(code, place, message));
        }
    }

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => self.start(tag).map(|()| self.end()),
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::Text(text) => self.words(&text.xml10_content()),
            Event::CData(text) => self.words(&text.xml10_content()),
            Event::GeneralRef(name) => {
                let character = name.resolve_char_ref().ok().flatten().map(String::from);
                let text =
                    character.or_else(|| quick_xml::escape::resolve_xml_entity(name).map(str::to_owned));
                let known = text.ok_or_else(|| {
                    self.error_here(format!("unknown entity &{};; write the character itself", &**name))
                })?;
                self.words(&known)
            }
            Event::DocType(_) => Err(self.error_here("DTDs are not supported; delete the <!DOCTYPE …> line")),
            _ => Ok(()),
        }
    }

    fn words(&mut self, words: &str) -> Result<()> {
        if self.path.is_empty() && !words.trim().is_empty() {
            let place = if self.is_done { "after" } else { "before" };
            return Err(self.error_here(format!("found {} {place} <speak>; delete it", quote(words.trim()))));
        }
        match &mut self.inside {
            Some(inside) => inside.text.push_str(words),
            None => self.reader.push(words),
        }
        Ok(())
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let name = tag.local_name().as_ref().to_owned();
        if self.path.is_empty() && (self.is_done || name != "speak") {
            return Err(
                self.error_here(format!("found <{name}>; SSML must have exactly one root element, <speak>"))
            );
        }
        if self.path.len() >= limits::MAX_DEPTH {
            return Err(self.error_here(format!(
                "elements are nested more than {} deep; flatten them",
                limits::MAX_DEPTH
            )));
        }
        let (emphasis, rate) = self.path.last().map_or((None, 1.0), |open| (open.emphasis, open.rate));
        let mut open = Open { name, emphasis, rate };
        if self.inside.is_none() {
            self.open(tag, &mut open)?;
        }
        self.path.push(open);
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>, open: &mut Open) -> Result<()> {
        match open.name.as_str() {
            "speak" | "p" | "s" => self.reader.pause(Some(Ending::Sentence), None),
            "break" => self.pause(tag)?,
            "mark" => {
                let name = self.attribute(tag, "name")?;
                self.reader.tag("mark", name.as_deref());
            }
            "emphasis" => {
                open.emphasis = self.emphasis(tag)?;
                self.reader.set_emphasis(open.emphasis);
            }
            "prosody" => {
                open.rate *= self.rate(tag)?;
                self.reader.set_rate(open.rate);
            }
            "sub" => {
                let alias = self
                    .attribute(tag, "alias")?
                    .ok_or_else(|| self.error_here("<sub> has no alias; add it"))?;
                self.reader.flush();
                self.reader.push(&alias);
                self.reader.flush();
                self.capture(Kind::Silent);
            }
            "say-as" => {
                let kind = self.attribute(tag, "interpret-as")?.unwrap_or_default();
                if matches!(kind.as_str(), "characters" | "spell-out" | "verbatim" | "digits" | "telephone") {
                    self.capture(Kind::Spelled);
                }
            }
            "phoneme" => self.phoneme(tag)?,
            "desc" | "metadata" | "meta" | "lexicon" | "lookup" => self.capture(Kind::Silent),
            "w" | "token" | "voice" | "lang" => self.reader.flush(),
            other => {
                self.warn(WarningCode::Dropped, format!("<{other}> is not supported; its text is spoken"));
            }
        }
        Ok(())
    }

    fn capture(&mut self, kind: Kind) {
        self.inside = Some(Inside { depth: self.path.len(), kind, text: String::new() });
    }

    fn end(&mut self) {
        let Some(open) = self.path.pop() else { return };
        self.is_done |= self.path.is_empty();
        if let Some(inside) = self.inside.take_if(|inside| inside.depth == self.path.len()) {
            self.say(inside);
        }
        if self.inside.is_some() {
            return;
        }
        let (emphasis, rate) = self.path.last().map_or((None, 1.0), |open| (open.emphasis, open.rate));
        match open.name.as_str() {
            "speak" | "p" | "s" => self.reader.pause(Some(Ending::Sentence), None),
            "emphasis" => self.reader.set_emphasis(emphasis),
            "prosody" => self.reader.set_rate(rate),
            _ => {}
        }
    }

    fn say(&mut self, inside: Inside) {
        let text = inside.text.trim();
        match inside.kind {
            Kind::Silent => {}
            Kind::Spelled => self.reader.spell(text),
            Kind::Sounds(sounds) => self.reader.word(if text.is_empty() { "…" } else { text }, sounds),
        }
    }

    fn finish(self) -> Result<Text> {
        match self.path.last() {
            Some(open) => {
                Err(self.error_here(format!("<{}> is not closed; add </{}>", open.name, open.name)))
            }
            None if !self.is_done => {
                Err(self.error_here("the file has no <speak>; put the text into <speak>"))
            }
            None => Ok(self.reader.finish()),
        }
    }

    fn attribute(&self, tag: &BytesStart<'_>, name: &str) -> Result<Option<String>> {
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.error_here(format!("invalid XML: {error}")))?;
            if attribute.key.local_name().as_ref() == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return value
                    .map(|value| Some(value.trim().to_owned()))
                    .map_err(|error| self.error_here(format!("{name}: invalid XML: {error}")));
            }
        }
        Ok(None)
    }

    fn pause(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let strength = self.attribute(tag, "strength")?.unwrap_or_default();
        let default = match strength.as_str() {
            "none" => return Ok(()),
            "x-weak" => (None, 0.1),
            "weak" => (Some(Ending::Phrase), 0.2),
            "" | "medium" => (Some(Ending::Phrase), 0.4),
            "strong" => (Some(Ending::Sentence), 0.7),
            "x-strong" => (Some(Ending::Sentence), 1.0),
            other => {
                self.warn(
                    WarningCode::Repaired,
                    format!("unknown break strength {}; using medium", quote(other)),
                );
                (Some(Ending::Phrase), 0.4)
            }
        };
        let secs = match self.attribute(tag, "time")? {
            None => default.1,
            Some(time) => match seconds(&time) {
                Some(secs) => secs.min(LONGEST_BREAK_SECS),
                None => {
                    self.warn(
                        WarningCode::Repaired,
                        format!(
                            "invalid break time {}; using {} s. Write it as 500ms or 0.5s",
                            quote(&time),
                            default.1
                        ),
                    );
                    default.1
                }
            },
        };
        self.reader.pause(default.0, Some(secs));
        Ok(())
    }

    fn emphasis(&mut self, tag: &BytesStart<'_>) -> Result<Option<f32>> {
        Ok(match self.attribute(tag, "level")?.as_deref() {
            Some("strong") => Some(1.0),
            None | Some("" | "moderate") => Some(0.8),
            Some("reduced") => Some(0.1),
            Some("none") => None,
            Some(other) => {
                self.warn(
                    WarningCode::Repaired,
                    format!("unknown emphasis level {}; using moderate", quote(other)),
                );
                Some(0.8)
            }
        })
    }

    fn rate(&mut self, tag: &BytesStart<'_>) -> Result<f64> {
        let Some(rate) = self.attribute(tag, "rate")? else { return Ok(1.0) };
        let factor = factor(&rate);
        if factor.is_none() {
            self.warn(
                WarningCode::Repaired,
                format!("invalid rate {}; using 1. Write slow, fast, 80% or 1.2", quote(&rate)),
            );
        }
        Ok(factor.unwrap_or(1.0))
    }

    fn phoneme(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let alphabet = self.attribute(tag, "alphabet")?.unwrap_or_else(|| "ipa".into());
        let ph = self.attribute(tag, "ph")?.ok_or_else(|| self.error_here("<phoneme> has no ph; add it"))?;
        let sounds = match alphabet.to_ascii_lowercase().as_str() {
            "ipa" => all_ipa(&ph),
            "x-sampa" | "xsampa" => all_ipa(&sampa_to_ipa(&ph)),
            _ => None,
        };
        match sounds.filter(|sounds| sounds.len() <= limits::MAX_SOUNDS_IN_WORD) {
            Some(sounds) => self.capture(Kind::Sounds(sounds)),
            None => {
                self.warn(
                    WarningCode::Dropped,
                    format!(
                        "unknown phonemes {} in alphabet {}; the word is spoken as written",
                        quote(&ph),
                        quote(&alphabet)
                    ),
                );
                self.reader.flush();
            }
        }
        Ok(())
    }
}

/// Parses a time such as `500ms` or `0.5s`, in seconds.
fn seconds(time: &str) -> Option<f64> {
    let (number, unit) = match time.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (time.strip_suffix('s')?, 1.0),
    };
    let secs = number.trim().parse::<f64>().ok()? * unit;
    (secs.is_finite() && secs >= 0.0).then_some(secs)
}

/// Parses a rate such as `slow`, `80%`, `+10%` or `1.2`.
fn factor(rate: &str) -> Option<f64> {
    let named = match rate {
        "x-slow" => 0.5,
        "slow" => 0.75,
        "medium" | "default" => 1.0,
        "fast" => 1.35,
        "x-fast" => 1.75,
        _ => {
            let is_change = rate.starts_with(['+', '-']);
            let number: f64 = rate.trim_end_matches('%').parse().ok()?;
            let share = if rate.ends_with('%') { number / 100.0 } else { number };
            if is_change { 1.0 + share } else { share }
        }
    };
    (named.is_finite() && named > 0.0).then(|| named.clamp(0.1, 10.0))
}
