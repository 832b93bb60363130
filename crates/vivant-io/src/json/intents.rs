//! Reads and writes intents: one JSON object each, as a line of a script or the arguments of a language model's tool
//! call.
//!
//! The key of an object is its verb: `say`, `act`, `stance`, `be`, `look`, `blink`, `do` or `stop`. Times are in
//! seconds of the performance. [`line()`] reads one intent, [`script`] reads a whole file, and [`write()`] is the inverse
//! of [`line()`].
//!
//! ```
//! use vivant_io::json::intents;
//! let script = intents::script(b"# Greeting\n{\"say\": \"Hello!\"}\n{\"act\": \"gesture\", \"at\": 1.5}\n")?;
//! assert_eq!(script.len(), 2);
//! assert_eq!(script[1].at(), Some(1.5));
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::check::{Check, Shape};
use super::{part, tree, words};
use crate::error::{Error, ErrorList, Result};
use crate::limits;
use crate::speech;
use serde_json::{Map, Value};
use vivant::intent::Intent;

mod names;
pub mod wire;

/// The verbs, which are keys of the objects.
pub(crate) const VERBS: [&str; 8] = ["say", "act", "stance", "be", "look", "blink", "do", "stop"];

/// The verbs with their other fields.
pub(super) const FIELDS: [(&str, &[&str]); 8] = [
    ("say", &["at", "duration", "line", "more", "words", "phones", "visemes", "pcm"]),
    ("act", &["clip", "tags", "hand", "layer", "stance", "at", "strokeAt", "duration", "priority", "resume"]),
    ("stance", &["at", "priority"]),
    ("be", &["mood", "intensity", "at"]),
    ("look", &["at"]),
    ("blink", &["at"]),
    ("do", &["at", "priority"]),
    ("stop", &["layer", "within", "at"]),
];

/// Reads one intent. A field with `null` counts as omitted.
///
/// # Errors
/// If the text is not a JSON object, does not have exactly one verb, has a field that its verb does not support, or
/// has a value out of range.
pub fn line(text: &str) -> Result<Intent> {
    limits::within("line", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
    let value = Value::from(tree::parse(text)?);
    let not_an_object =
        || Error::new("an intent is one object in curly brackets, such as {\"say\": \"Hello\"}");
    let Value::Object(object) = value else { return Err(not_an_object()) };
    self::object(object)
}

/// Reads one intent from parsed JSON.
pub(super) fn object(mut object: Map<String, Value>) -> Result<Intent> {
    let (verb, fields) = verb(&object)?;
    object.retain(|key, value| !(value.is_null() && fields.contains(&key.as_str())));
    let object = Value::Object(object);
    let shape = Shape::of(&object, is_object)?;
    let written = typed(verb, object)?;
    shape.holds()?;
    let faults = check_intent(&written);
    match Intent::try_from(written).and_then(with_ssml) {
        Ok(intent) => faults.or(intent),
        Err(error) => Err(faults.and(error)),
    }
}

fn with_ssml(intent: Intent) -> Result<Intent> {
    match intent {
        Intent::Say(say) => speech::with_ssml(say).map(Intent::Say),
        other => Ok(other),
    }
}

/// Returns true for the paths of objects in an intent.
pub(super) fn is_object(keys: &[&str]) -> bool {
    matches!(keys, [] | ["words" | "phones" | "visemes", "[]"] | ["pcm"])
}

/// Reads a script: one intent per line. Blank lines and lines that start with `//` or `#` are skipped. The order of
/// lines does not matter; `at` sets the time.
///
/// # Errors
/// If any line is invalid. The error lists the first 20 invalid lines with their line numbers.
pub fn script(bytes: &[u8]) -> Result<Vec<Intent>> {
    Ok(lines(bytes)?.into_iter().map(|(_, intent)| intent).collect())
}

/// Like [`script`], but also returns the line number of each intent, from 1.
///
/// # Errors
/// See [`script`].
pub fn lines(bytes: &[u8]) -> Result<Vec<(usize, Intent)>> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SCRIPT_BYTES)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut intents, mut faults) = (Vec::new(), ErrorList::default());
    for (index, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        match read_line(bytes) {
            Ok(intent) => intents.extend(intent.map(|intent| (index + 1, intent))),
            Err(error) => faults.push(at_line(index + 1, &error)),
        }
        limits::within("file", "intents", intents.len(), limits::MAX_INTENTS)?;
        if faults.is_full() {
            break;
        }
    }
    faults.or(intents)
}

/// Writes an intent on one line, without a newline.
#[must_use]
pub fn write(intent: &Intent) -> String {
    serde_json::to_string(&wire::Intent::from(intent)).unwrap_or_default()
}

/// Serialises a list of intents, for `#[serde(serialize_with)]`.
///
/// # Errors
/// If the serializer fails.
pub fn serialize_all<S: serde::Serializer>(intents: &[Intent], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(intents.iter().map(wire::Intent::from))
}

fn read_line(bytes: &[u8]) -> Result<Option<Intent>> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| Error::new("not valid UTF-8; save the file as UTF-8"))?;
    let text = text.trim();
    let is_comment = text.is_empty() || text.starts_with("//") || text.starts_with('#');
    if is_comment { Ok(None) } else { line(text).map(Some) }
}

/// Replaces the parser's line 1 by the line number in the script.
fn at_line(number: usize, error: &Error) -> Error {
    let lines = error.to_string();
    let faults = lines.lines().map(|fault| {
        let fault = fault.strip_prefix("line 1, ").unwrap_or(fault);
        Error::at(format!("line {number}"), fault)
    });
    Error::all(faults).unwrap_or_else(|| Error::at(format!("line {number}"), error))
}

/// Returns the verb of an object and its fields. A verb that is a field of another verb does not count, such as
/// `stance` in an `act`.
fn verb(object: &Map<String, Value>) -> Result<(&'static str, &'static [&'static str])> {
    let there: Vec<_> = FIELDS.into_iter().filter(|(verb, _)| object.contains_key(*verb)).collect();
    let rules = |(verb, fields): &(&str, &[&str])| {
        there.iter().all(|(other, _)| other == verb || fields.contains(other))
    };
    match (there.iter().find(|each| rules(each)), &there[..]) {
        (Some(found), _) => Ok(*found),
        (None, []) => Err(no_verb_error(object, &VERBS)),
        (None, several) => {
            let verbs: Vec<String> = several.iter().map(|(verb, _)| format!("`{verb}`")).collect();
            let message = "an intent has exactly one verb; write separate lines";
            Err(Error::new(format!("{} in one line: {message}", verbs.join(" and "))))
        }
    }
}

/// Returns the error for an object without any of these verbs.
pub(super) fn no_verb_error(object: &Map<String, Value>, verbs: &[&'static str]) -> Error {
    let nearest = |key: &str| words::nearest(key, verbs.iter().copied());
    let guess = object.keys().find_map(|key| Some((key, nearest(key)?)));
    let guess = guess.map(|(key, verb)| format!("; did you mean `{verb}` by `{}`?", words::short(key)));
    let verbs = verbs.join("`, `");
    Error::new(format!("no verb; use one of `{verbs}`{}", guess.unwrap_or_default()))
}

fn typed(verb: &str, object: Value) -> Result<wire::Intent> {
    Ok(match verb {
        "say" => wire::Intent::Say(part(object)?),
        "act" => wire::Intent::Act(part(object)?),
        "stance" => wire::Intent::Stance(part(object)?),
        "be" => wire::Intent::Be(part(object)?),
        "look" => wire::Intent::Look(part(check_look(object)?)?),
        "blink" => wire::Intent::Blink(part(object)?),
        "do" => wire::Intent::Do(part(object)?),
        _ => wire::Intent::Stop(part(object)?),
    })
}

/// Checks `look`, since serde's error for an untagged enum does not say what is wrong.
fn check_look(object: Value) -> Result<Value> {
    const WORDS: [&str; 3] = ["freely", "ahead", "away"];
    let error = |message: String| Err(Error::at("look", message));
    match &object["look"] {
        Value::String(word) if !WORDS.contains(&word.as_str()) => {
            error(format!("unknown look target `{}`; {}", words::short(word), words::hint(word, WORDS)))
        }
        Value::Array(numbers) if numbers.len() != 3 || !numbers.iter().all(Value::is_number) => {
            error("a point is three numbers in metres, such as [0, 1.6, 2]".into())
        }
        Value::String(_) | Value::Array(_) => Ok(object),
        _ => {
            error("give a point in metres, such as [0, 1.6, 2], or \"freely\", \"ahead\" or \"away\"".into())
        }
    }
}

fn check_intent(intent: &wire::Intent) -> ErrorList {
    use wire::Intent;
    let mut check = Check::default();
    if let Some(at) = intent.at() {
        check.number("at", at, 0.0, limits::MAX_AT_SECONDS, "seconds");
    }
    match intent {
        Intent::Say(say) => check_say(&mut check, say),
        Intent::Act(act) => {
            check.word("clip", act.clip.as_deref()).tags(&act.tags).word("stance", act.stance.as_deref());
            check.seconds("duration", act.duration).priority(act.priority);
            if let Some(at) = act.stroke_at {
                check.number("strokeAt", at, 0.0, limits::MAX_AT_SECONDS, "seconds");
            }
        }
        Intent::Stance(stance) => {
            check.word("stance", stance.stance.as_str()).priority(stance.priority);
        }
        Intent::Look(look) => {
            if let wire::LookTarget::Point(point) = look.look {
                for (index, metres) in point.into_iter().enumerate() {
                    let most = limits::MAX_METRES;
                    check.number(&format!("look[{index}]"), metres, -most, most, "metres");
                }
            }
        }
        Intent::Blink(blink) => check_true(&mut check, "blink", blink.blink),
        Intent::Do(action) => {
            check.word("do", action.what.as_str()).priority(action.priority);
        }
        Intent::Stop(stop) => {
            check.seconds("within", stop.within);
            check_true(&mut check, "stop", stop.stop);
        }
        Intent::Be(be) => {
            check.word("mood", be.mood.as_deref());
            if let Some(intensity) = be.intensity {
                check.number("intensity", intensity, 0.0, 1.0, "");
            }
        }
    }
    check.faults
}

/// Checks a line. The text of the line may be empty if the line has times or samples, or if it is sent in pieces.
fn check_say(check: &mut Check, say: &wire::Say) {
    let is_piece = say.more || say.line.is_some();
    let has_times = !say.words.is_empty() || !say.phones.is_empty() || !say.visemes.is_empty();
    if !say.say.trim().is_empty() || !(is_piece || has_times || say.pcm.is_some()) {
        check.text("say", &say.say, limits::MAX_SAID_BYTES);
    }
    check.seconds("duration", say.duration).word("line", say.line.as_deref());
    let words = say.words.iter().map(|said| ("word", &said.word[..], said.start, said.end));
    check_times(check, "words", words);
    let phones = say.phones.iter().map(|said| ("phone", &said.phone[..], said.start, said.end));
    check_times(check, "phones", phones);
    let visemes = say.visemes.iter().map(|said| ("viseme", &said.viseme[..], said.start, said.end));
    check_times(check, "visemes", visemes);
    if let Some(pcm) = &say.pcm {
        let rates = vivant::speech::audio::RATES_HZ;
        let [low, high] = [*rates.start(), *rates.end()].map(f64::from);
        check.number("pcm.rate", pcm.rate.into(), low, high, "samples per second");
        check.length("pcm.data", &pcm.data, limits::MAX_PCM_BYTES);
    }
}

fn check_times<'a>(
    check: &mut Check,
    list: &str,
    times: impl ExactSizeIterator<Item = (&'static str, &'a str, f64, Option<f64>)>,
) {
    check.count(list, list, times.len(), limits::MAX_SAID_TIMES);
    for (index, (field, text, start, end)) in times.enumerate().take(limits::MAX_SAID_TIMES) {
        check.within(format!("{list}[{index}]"));
        check.length(field, text, limits::MAX_WORD_BYTES).seconds("start", start).seconds("end", end);
    }
    check.within("");
}

fn check_true(check: &mut Check, verb: &str, value: bool) {
    if !value {
        check.faults.push(Error::at(verb, "must be true; to do nothing, omit the intent"));
    }
}

#[cfg(test)]
mod tests;
