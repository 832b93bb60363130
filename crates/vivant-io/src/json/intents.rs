//! Intents: one JSON object each, a line of a script or the arguments of a language model's call.

use super::check::{Check, Shape};
use super::{part, tree, words};
use crate::error::{Error, Faults, Result};
use crate::limits;
use crate::speech;
use serde_json::{Map, Value};
use vivant::intent::Intent;

mod names;
pub mod wire;

/// The verbs, as the keys of their objects.
pub(crate) const VERBS: [&str; 8] = ["say", "act", "stance", "be", "look", "blink", "do", "stop"];

/// The verbs, each with the fields that it may have besides.
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

/// Reads one intent. A field that is `null` is as good as left out.
///
/// # Errors
/// If it is no JSON object, has no verb or two, a field that its verb does not know, or a value out of
/// range.
pub fn line(text: &str) -> Result<Intent> {
    limits::within("line", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
    let value = Value::from(tree::parse(text)?);
    let wrong = || Error::new("an intent is one object in curly brackets, such as {\"say\": \"Hello\"}");
    let Value::Object(object) = value else { return Err(wrong()) };
    self::object(object)
}

/// Reads one intent that is JSON already.
pub(super) fn object(mut object: Map<String, Value>) -> Result<Intent> {
    let (verb, fields) = verb(&object)?;
    object.retain(|key, value| !(value.is_null() && fields.contains(&key.as_str())));
    let object = Value::Object(object);
    let shape = Shape::of(&object, is_object)?;
    let written = typed(verb, object)?;
    shape.holds()?;
    let faults = checked(&written);
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

/// Where objects belong in an intent.
pub(super) fn is_object(keys: &[&str]) -> bool {
    matches!(keys, [] | ["words" | "phones" | "visemes", "[]"] | ["pcm"])
}

/// Reads a script: an intent a line. Blank lines are skipped, and so are lines that begin with `//` or
/// `#`. They may stand in any order; `at` says when.
///
/// # Errors
/// If any line is wrong; the error tells of the first 20, each with its number.
pub fn script(bytes: &[u8]) -> Result<Vec<Intent>> {
    Ok(lines(bytes)?.into_iter().map(|(_, intent)| intent).collect())
}

/// Reads a script as [`script`] does, and gives the number of each intent's line, from 1.
///
/// # Errors
/// As [`script`].
pub fn lines(bytes: &[u8]) -> Result<Vec<(usize, Intent)>> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SCRIPT_BYTES)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut intents, mut faults) = (Vec::new(), Faults::default());
    for (index, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        match numbered(bytes) {
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

/// Writes an intent on one line, without the line's end.
#[must_use]
pub fn write(intent: &Intent) -> String {
    serde_json::to_string(&wire::Intent::from(intent)).unwrap_or_default()
}

/// Serialises a list of intents, for `#[serde(serialize_with)]`.
///
/// # Errors
/// As the serialiser.
pub fn serialize_all<S: serde::Serializer>(intents: &[Intent], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(intents.iter().map(wire::Intent::from))
}

fn numbered(bytes: &[u8]) -> Result<Option<Intent>> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| Error::new("this is no UTF-8; save the file as UTF-8"))?;
    let text = text.trim();
    let is_remark = text.is_empty() || text.starts_with("//") || text.starts_with('#');
    if is_remark { Ok(None) } else { line(text).map(Some) }
}

/// A line of JSON is line 1 to its parser.
fn at_line(number: usize, error: &Error) -> Error {
    let lines = error.to_string();
    let faults = lines.lines().map(|fault| {
        let fault = fault.strip_prefix("line 1, ").unwrap_or(fault);
        Error::at(format!("line {number}"), fault)
    });
    Error::all(faults).unwrap_or_else(|| Error::at(format!("line {number}"), error))
}

/// What the object's verb is, and its fields. A verb that is another one's field is not meant: a stance
/// in an act.
fn verb(object: &Map<String, Value>) -> Result<(&'static str, &'static [&'static str])> {
    let there: Vec<_> = FIELDS.into_iter().filter(|(verb, _)| object.contains_key(*verb)).collect();
    let rules = |(verb, fields): &(&str, &[&str])| {
        there.iter().all(|(other, _)| other == verb || fields.contains(other))
    };
    match (there.iter().find(|each| rules(each)), &there[..]) {
        (Some(found), _) => Ok(*found),
        (None, []) => Err(no_verb(object, &VERBS)),
        (None, several) => {
            let verbs: Vec<String> = several.iter().map(|(verb, _)| format!("`{verb}`")).collect();
            let message = "an intent has one verb; make them lines of their own";
            Err(Error::new(format!("{} are in one line: {message}", verbs.join(" and "))))
        }
    }
}

/// None of these verbs is in an object.
pub(super) fn no_verb(object: &Map<String, Value>, verbs: &[&'static str]) -> Error {
    let nearest = |key: &str| words::nearest(key, verbs.iter().copied());
    let guess = object.keys().find_map(|key| Some((key, nearest(key)?)));
    let guess = guess.map(|(key, verb)| format!("; did you mean `{verb}` by `{}`?", words::short(key)));
    let verbs = verbs.join("`, `");
    Error::new(format!("there is no verb: have one of `{verbs}`{}", guess.unwrap_or_default()))
}

fn typed(verb: &str, object: Value) -> Result<wire::Intent> {
    Ok(match verb {
        "say" => wire::Intent::Say(part(object)?),
        "act" => wire::Intent::Act(part(object)?),
        "stance" => wire::Intent::Stance(part(object)?),
        "be" => wire::Intent::Be(part(object)?),
        "look" => wire::Intent::Look(part(looking(object)?)?),
        "blink" => wire::Intent::Blink(part(object)?),
        "do" => wire::Intent::Do(part(object)?),
        _ => wire::Intent::Stop(part(object)?),
    })
}

/// The same object, if its `look` is a place: of two ways to say one thing serde says only that none fits.
fn looking(object: Value) -> Result<Value> {
    const WORDS: [&str; 3] = ["freely", "ahead", "away"];
    let wrong = |message: String| Err(Error::at("look", message));
    match &object["look"] {
        Value::String(word) if !WORDS.contains(&word.as_str()) => {
            wrong(format!("`{}` is no place to look; {}", words::short(word), words::hint(word, WORDS)))
        }
        Value::Array(numbers) if numbers.len() != 3 || !numbers.iter().all(Value::is_number) => {
            wrong("a point is three numbers in metres, as in [0, 1.6, 2]".into())
        }
        Value::String(_) | Value::Array(_) => Ok(object),
        _ => wrong("give a point in metres, as in [0, 1.6, 2], or \"freely\", \"ahead\" or \"away\"".into()),
    }
}

fn checked(intent: &wire::Intent) -> Faults {
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
        Intent::Blink(blink) => only_true(&mut check, "blink", blink.blink),
        Intent::Do(deed) => {
            check.word("do", deed.what.as_str()).priority(deed.priority);
        }
        Intent::Stop(stop) => {
            check.seconds("within", stop.within);
            only_true(&mut check, "stop", stop.stop);
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

/// A line without a word is one of which something else is told.
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
        check.number("pcm.rate", pcm.rate.into(), low, high, "samples a second");
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

fn only_true(check: &mut Check, verb: &str, value: bool) {
    if !value {
        check.faults.push(Error::at(verb, "can only be true; leave the line out instead"));
    }
}

#[cfg(test)]
mod tests;
