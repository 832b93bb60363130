//! What a client asks for over the socket.

use crate::character::check_temperament;
use crate::error::{Error, Faults, Result};
use crate::json::check::{Check, Shape};
use crate::json::sighting::Sighting;
use crate::json::{intents, part, tree, words};
use crate::limits;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vivant::eyes::Temperament;
use vivant::intent::Intent;
use vivant::mimicry::Manner;

/// One request, of whom, and the number by which the answer speaks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Given back in the answer; without one only errors are answered.
    pub id: Option<u64>,
    /// Whom it is for; nobody named means [`MAIN`](super::MAIN).
    pub performers: Vec<String>,
    /// What is asked.
    pub what: RequestKind,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestKind {
    /// Act, speak, look, blink, stop.
    Intent(Intent),
    /// See other performers, or see them otherwise.
    Watch(Watch),
    /// Let performers begin, all at the same instant. One of the same name makes room.
    Cast(Vec<Cast>),
    /// Let performers end.
    Dismiss(Vec<String>),
    /// Be another kind of person from now on.
    Temperament(Box<Temperament>),
    /// Someone is here, in metres: the eyes attend to them, and follow when they move.
    Attend([f64; 3]),
    /// Keep looking at this place, which may move; `None` looks where it likes again.
    Follow(Option<[f64; 3]>),
    /// Mirror a person, in this manner; `None` no longer.
    Mimic(Option<Manner>),
    /// A camera saw this of the person who is mirrored.
    See(Box<Sighting>),
}

/// Which performers a connection sees, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Watch {
    /// Their names; by default only `main`.
    pub performers: Vec<String>,
    /// How frames come.
    pub frames: Frames,
    /// The most frames a second; by default as many as there are.
    pub fps: Option<f64>,
    /// Whether plans are told when they change.
    pub plan: bool,
    /// Whether it is told what happens: actions, blinks, lines.
    pub events: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            performers: vec![super::MAIN.to_owned()],
            frames: Frames::Binary,
            fps: None,
            plan: false,
            events: false,
        }
    }
}

/// How frames come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Frames {
    /// As little-endian numbers: see [`frame`](super::frame).
    #[default]
    Binary,
    /// As JSON.
    Json,
    /// Not at all: for who only drives.
    Off,
}

/// A performer that is to begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cast {
    /// Its name: letters, digits, `-`, `_` and `.`.
    pub performer: String,
    /// Whom it plays, by the character's id; by default whom `main` plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Chance: the same seed and the same requests give the same performance.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seed: u64,
    /// What kind of person; by default as the character is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// Whether it acts by itself where nobody asks for anything.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub unasked: bool,
    /// Only plays this clip, again and again: a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipPart>,
    /// Whether it ends with the connection that asked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// Intents that it gets before it begins, as in a script for `vivant perform`.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "intents::serialize_all",
        deserialize_with = "script"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<intents::wire::Intent>"))]
    pub script: Vec<Intent>,
}

/// Reads intents by the rules of a script.
fn script<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Intent>, D::Error> {
    let list = Option::<Vec<Map<String, Value>>>::deserialize(deserializer)?.unwrap_or_default();
    let intent =
        |(index, object)| intents::object(object).map_err(|error: Error| error.within(&format!("[{index}]")));
    list.into_iter().enumerate().map(intent).collect::<Result<_>>().map_err(serde::de::Error::custom)
}

/// A clip of a character, or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClipPart {
    /// As the repertoire spells it.
    pub clip: String,
    /// Where to begin, in seconds.
    #[serde(default)]
    pub start: f64,
    /// Where to end, in seconds; by default its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// The verbs that are no intents.
const VERBS: [&str; 8] = ["watch", "cast", "dismiss", "temperament", "attend", "follow", "mimic", "see"];
/// The most performers that one request speaks of.
pub(crate) const MAX_NAMED: usize = 256;
/// The longest name of a performer, in bytes.
pub(crate) const MAX_NAME: usize = 64;

impl Request {
    /// Reads one text message.
    ///
    /// # Errors
    /// If it is no JSON object, has no verb or two, a field that is not known, or a value out of range.
    pub fn read(text: &str) -> Result<Self> {
        limits::within("message", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
        let value = Value::from(tree::parse(text)?);
        let wrong = || Error::new("a message is one object in curly brackets, such as {\"say\": \"Hello\"}");
        let Value::Object(mut object) = value else { return Err(wrong()) };
        let id = object.remove("id").map(id).transpose()?.flatten();
        let performers = performers(object.remove("performer"))?;
        Ok(Self { id, performers, what: RequestKind::of(object)? })
    }
}

fn id(value: Value) -> Result<Option<u64>> {
    match (&value, value.as_u64()) {
        (Value::Null, _) => Ok(None),
        // What a browser's number can hold exactly.
        (_, Some(id)) if id < 1 << 53 => Ok(Some(id)),
        _ => Err(Error::at("id", "must be a whole number from 0 to 2⁵³ − 1")),
    }
}

fn performers(value: Option<Value>) -> Result<Vec<String>> {
    let names = match value {
        None | Some(Value::Null) => return Ok(vec![super::MAIN.to_owned()]),
        Some(Value::String(name)) => vec![name],
        Some(list @ Value::Array(_)) => part::<Vec<String>>(list).map_err(|e| e.within("performer"))?,
        Some(_) => return Err(Error::at("performer", "give a name, or a list of names")),
    };
    let mut check = Check::default();
    check_names(&mut check, "performer", &names);
    check.faults.or(names)
}

impl RequestKind {
    fn of(object: Map<String, Value>) -> Result<Self> {
        let all = [&intents::VERBS[..], &VERBS].concat();
        let there: Vec<&str> = all.iter().copied().filter(|verb| object.contains_key(*verb)).collect();
        match there[..] {
            [] => Err(intents::no_verb(&object, &all)),
            [verb] if VERBS.contains(&verb) => Self::control(verb, object),
            // An act may be in a stance, so its reader tells how many verbs there are.
            _ if there.iter().all(|verb| !VERBS.contains(verb)) => intents::object(object).map(Self::Intent),
            _ => Err(Error::new(format!(
                "`{}` are in one message; send them one by one",
                there.join("` and `")
            ))),
        }
    }

    fn control(verb: &str, mut object: Map<String, Value>) -> Result<Self> {
        let value = object.remove(verb).unwrap_or_default();
        if let Some((key, _)) = object.iter().next() {
            let message = format!("unknown field `{}` beside `{verb}`", words::short(key));
            return Err(Error::new(format!("{message}; there are `performer` and `id`")));
        }
        let in_verb = |error: Error| error.within(verb);
        let what = match verb {
            "watch" => Self::Watch(shaped(value, |keys| keys.is_empty()).map_err(in_verb)?),
            "cast" => Self::Cast(shaped(listed(value), is_cast).map_err(in_verb)?),
            "dismiss" => Self::Dismiss(part(listed(value)).map_err(in_verb)?),
            "temperament" => Self::Temperament(Box::new(shaped(value, is_temper).map_err(in_verb)?)),
            "attend" => Self::Attend(point(value).map_err(in_verb)?),
            "mimic" if value.is_null() => Self::Mimic(None),
            "mimic" => Self::Mimic(Some(shaped(value, |keys| keys.is_empty()).map_err(in_verb)?)),
            "see" => Self::See(Box::new(Sighting::read(value).map_err(in_verb)?)),
            _ if value.is_null() => Self::Follow(None),
            _ => Self::Follow(Some(point(value).map_err(in_verb)?)),
        };
        checked(&what).or(what)
    }
}

/// One thing is a list of one.
fn listed(value: Value) -> Value {
    if value.is_array() { value } else { Value::Array(vec![value]) }
}

fn is_cast(keys: &[&str]) -> bool {
    match keys {
        ["[]"] | ["[]", "clip"] => true,
        ["[]", "script", "[]", rest @ ..] => intents::is_object(rest),
        ["[]", "temperament", rest @ ..] => is_temper(rest),
        _ => false,
    }
}

pub(crate) fn is_temper(keys: &[&str]) -> bool {
    keys.is_empty() || keys == ["evoked"]
}

fn shaped<T: serde::de::DeserializeOwned>(value: Value, is_object: fn(&[&str]) -> bool) -> Result<T> {
    let shape = Shape::of(&value, is_object)?;
    let read = part(value)?;
    shape.holds()?;
    Ok(read)
}

fn point(value: Value) -> Result<[f64; 3]> {
    let wrong = || Error::new("give a point in metres, as in [0, 1.6, 2]");
    let Value::Array(list) = value else { return Err(wrong()) };
    let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    if list.len() == 3 { <[f64; 3]>::try_from(numbers).map_err(|_| wrong()) } else { Err(wrong()) }
}

fn checked(what: &RequestKind) -> Faults {
    let mut check = Check::default();
    match what {
        RequestKind::Watch(watch) => {
            check_names(&mut check, "watch.performers", &watch.performers);
            if let Some(fps) = watch.fps {
                check.number("watch.fps", fps, 0.1, 1000.0, "frames a second");
            }
        }
        RequestKind::Cast(all) => check_cast(&mut check, all),
        RequestKind::Dismiss(names) => check_names(&mut check, "dismiss", names),
        RequestKind::Temperament(temperament) => check_temperament(check.within("temperament"), temperament),
        RequestKind::Attend(place) => place_within(&mut check, "attend", place),
        RequestKind::Follow(Some(place)) => place_within(&mut check, "follow", place),
        RequestKind::Mimic(Some(manner)) => {
            check.number("mimic.amount", manner.amount, 0.0, 1.0, "");
            check.number("mimic.delay", manner.delay, 0.0, 60.0, "seconds");
            check.within("mimic").priority(manner.priority);
        }
        // A sighting was looked at when it was read.
        RequestKind::Intent(_)
        | RequestKind::Follow(None)
        | RequestKind::Mimic(None)
        | RequestKind::See(_) => {}
    }
    check.faults
}

fn check_cast(check: &mut Check, all: &[Cast]) {
    let names: Vec<String> = all.iter().map(|cast| cast.performer.clone()).collect();
    check_names(check, "cast", &names);
    check.once("cast", &names);
    for (index, cast) in all.iter().enumerate().take(MAX_NAMED) {
        check.within(format!("cast[{index}]")).word("character", cast.character.as_deref());
        if let Some(clip) = &cast.clip {
            check.word("clip.clip", clip.clip.as_str()).seconds("clip.start", clip.start);
            check.seconds("clip.end", clip.end);
        }
        if let Some(temperament) = &cast.temperament {
            check_temperament(check.within(format!("cast[{index}].temperament")), temperament);
        }
    }
    check.within("");
}

/// Whether something can be at a place, in metres.
///
/// # Errors
/// If it is too far away, or no place at all.
pub fn check_place(field: &str, place: &[f64; 3]) -> Result<()> {
    let mut check = Check::default();
    place_within(&mut check, field, place);
    check.faults.or(())
}

pub(crate) fn place_within(check: &mut Check, field: &str, place: &[f64; 3]) {
    for (index, metres) in place.iter().enumerate() {
        let most = limits::MAX_METRES;
        check.number(&format!("{field}[{index}]"), *metres, -most, most, "metres");
    }
}

/// Names go into addresses and files, so they are plain.
fn check_names(check: &mut Check, field: &str, names: &[String]) {
    check.count(field, "performers", names.len(), MAX_NAMED);
    if names.is_empty() {
        check.text(field, "", 1);
    }
    for name in names.iter().take(MAX_NAMED) {
        if !is_plain(name) {
            let message = "letters, digits, `-`, `_` and `.`, and at most 64 of them";
            let named = format!("`{}` is no name: {message}", words::short(name));
            check.faults.push(Error::at(field, named));
        }
    }
}

/// Whether a name is of letters, digits, `-`, `_` and `.`, and is no path.
#[must_use]
pub(crate) fn is_plain(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('.')
}

const fn one() -> u64 {
    1
}

fn is_one(number: &u64) -> bool {
    *number == 1
}

const fn yes() -> bool {
    true
}

fn is_yes(is: &bool) -> bool {
    *is
}

/// A request as it is written: what [`Request::read`] takes, for the schema.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Request")]
#[serde(rename_all = "camelCase", untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(super) enum Written {
    /// An intent, with whom it is for.
    Intent(Addressed<intents::wire::Intent>),
    /// See other performers, or see them otherwise.
    Watch(Addressed<WatchRequest>),
    /// Let performers begin, all at the same instant.
    Cast(Addressed<CastRequest>),
    /// Let performers end.
    Dismiss(Addressed<DismissRequest>),
    /// Be another kind of person from now on.
    Temperament(Addressed<TemperamentRequest>),
    /// Someone is here, in metres.
    Attend(Addressed<AttendRequest>),
    /// Keep looking at this place, which may move.
    Follow(Addressed<FollowRequest>),
    /// Mirror a person, or no longer.
    Mimic(Addressed<MimicRequest>),
    /// A camera saw a person.
    See(Addressed<SeeRequest>),
}

#[cfg(feature = "schema")]
mod written {
    #![allow(dead_code, reason = "only their schemas are used")]
    use super::{Cast, Manner, Sighting, Temperament, Watch};
    use schemars::JsonSchema;

    /// Beside every verb.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "AddressedTo{T}")]
    pub(in super::super) struct Addressed<T> {
        /// Given back in the answer.
        id: Option<u64>,
        /// Whom it is for; by default `main`.
        performer: Option<Performers>,
        #[serde(flatten)]
        what: T,
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    pub(in super::super) enum Performers {
        One(String),
        Several(Vec<String>),
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    pub(in super::super) enum Casts {
        One(Box<Cast>),
        Several(Vec<Cast>),
    }

    #[derive(JsonSchema)]
    pub(in super::super) struct WatchRequest {
        watch: Watch,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct CastRequest {
        cast: Casts,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct DismissRequest {
        dismiss: Performers,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct TemperamentRequest {
        temperament: Temperament,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct AttendRequest {
        attend: [f64; 3],
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct FollowRequest {
        /// `null` looks where it likes again.
        follow: Option<[f64; 3]>,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct MimicRequest {
        /// How; `null` no longer mirrors anybody.
        mimic: Option<Manner>,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct SeeRequest {
        see: Sighting,
    }
}
#[cfg(feature = "schema")]
use written::{
    Addressed, AttendRequest, CastRequest, DismissRequest, FollowRequest, MimicRequest, SeeRequest,
    TemperamentRequest, WatchRequest,
};

#[cfg(test)]
mod tests;
