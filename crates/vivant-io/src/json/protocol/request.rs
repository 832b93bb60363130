//! Requests from a client to the server.
//!
//! [`Request::read`] reads one text message. The message is an object with one verb, such as `say` or `cast`, and
//! optionally with the performers and an id. Clients are not trusted: unknown fields, several verbs, invalid names and
//! values out of range are errors that the server sends back, so it can execute the returned [`RequestKind`] without
//! further checks of ranges. Verbs that are intents are read by the same code as scripts. The `Written` types at the
//! end exist only for the JSON Schema.

use crate::character::check_temperament;
use crate::error::{Error, ErrorList, Result};
use crate::json::check::{Check, Shape};
use crate::json::sighting::Sighting;
use crate::json::{intents, part, tree, words};
use crate::limits;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vivant::eyes::Temperament;
use vivant::intent::Intent;
use vivant::mimicry::Manner;

/// A request with its performers and id.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Id of the request, which is returned in the answer. Requests without an id get an answer only if they fail.
    pub id: Option<u64>,
    /// Names of the performers; by default [`MAIN`](super::MAIN).
    pub performers: Vec<String>,
    /// The request itself.
    pub what: RequestKind,
}

/// Kinds of requests.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestKind {
    /// An intent.
    Intent(Intent),
    /// Changes which performers are sent to this connection, and how.
    Watch(Watch),
    /// Starts performers, all at the same time. Running performers with the same names are replaced.
    Cast(Vec<Cast>),
    /// Ends performers.
    Dismiss(Vec<String>),
    /// Changes the temperament.
    Temperament(Box<Temperament>),
    /// Position of a person in metres; the eyes attend to the person and follow movements.
    Attend([f64; 3]),
    /// Position in metres that the gaze follows; `None` stops following it.
    Follow(Option<[f64; 3]>),
    /// Mirrors a person in the given manner; `None` ends the mirroring.
    Mimic(Option<Manner>),
    /// Landmarks of the mirrored person from a camera.
    See(Box<Sighting>),
}

/// The performers that are sent to a connection, and the form in which they are sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Watch {
    /// Names of the performers. Default: only `main`.
    pub performers: Vec<String>,
    /// Format of frames.
    pub frames: Frames,
    /// Maximum frames per second. Default: all frames.
    pub fps: Option<f64>,
    /// True to receive plans when they change.
    pub plan: bool,
    /// True to receive events: actions, blinks, lines.
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

/// Format of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Frames {
    /// Little-endian numbers: see [`frame`](super::frame).
    #[default]
    Binary,
    /// JSON.
    Json,
    /// No frames, for clients that only send requests.
    Off,
}

/// A performer to start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cast {
    /// Name: letters, digits, `-`, `_` and `.`.
    pub performer: String,
    /// Id of the character. Default: the character of `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Random seed: the same seed and the same requests give the same performance.
    #[serde(default = "default_seed", skip_serializing_if = "is_default_seed")]
    pub seed: u64,
    /// Temperament. Default: that of the character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// True if the performer acts on its own when there are no requests. Default: true.
    #[serde(default = "default_true", skip_serializing_if = "is_true")]
    pub unasked: bool,
    /// Plays only this clip in a loop, as a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipPart>,
    /// True if the performer ends when this connection closes. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// Intents that it gets before it starts, as in a script for `vivant perform`.
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
    /// Clip reference as in the repertoire.
    pub clip: String,
    /// Start in the clip in seconds.
    #[serde(default)]
    pub start: f64,
    /// End in the clip in seconds. Default: end of the clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// The verbs that are not intents.
const VERBS: [&str; 8] = ["watch", "cast", "dismiss", "temperament", "attend", "follow", "mimic", "see"];
/// Maximum number of performers in one request.
pub(crate) const MAX_NAMED: usize = 256;
/// Maximum length of a performer's name in bytes.
pub(crate) const MAX_NAME: usize = 64;

impl Request {
    /// Reads one text message.
    ///
    /// # Errors
    /// If it is not a JSON object, does not have exactly one verb, has an unknown field, or has a value out of range.
    pub fn read(text: &str) -> Result<Self> {
        limits::within("message", "bytes", text.len(), limits::MAX_LINE_BYTES)?;
        let value = Value::from(tree::parse(text)?);
        let not_an_object =
            || Error::new("a message is one object in curly brackets, such as {\"say\": \"Hello\"}");
        let Value::Object(mut object) = value else { return Err(not_an_object()) };
        let id = object.remove("id").map(id).transpose()?.flatten();
        let performers = performers(object.remove("performer"))?;
        Ok(Self { id, performers, what: RequestKind::of(object)? })
    }
}

fn id(value: Value) -> Result<Option<u64>> {
    match (&value, value.as_u64()) {
        (Value::Null, _) => Ok(None),
        // The largest integer that JavaScript represents exactly.
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
            [] => Err(intents::no_verb_error(&object, &all)),
            [verb] if VERBS.contains(&verb) => Self::control(verb, object),
            // An act may have a stance, so its reader counts the verbs.
            _ if there.iter().all(|verb| !VERBS.contains(verb)) => intents::object(object).map(Self::Intent),
            _ => Err(Error::new(format!(
                "`{}` in one message; send one verb per message",
                there.join("` and `")
            ))),
        }
    }

    fn control(verb: &str, mut object: Map<String, Value>) -> Result<Self> {
        let value = object.remove(verb).unwrap_or_default();
        if let Some((key, _)) = object.iter().next() {
            let message = format!("unknown field `{}` in a `{verb}` request", words::short(key));
            return Err(Error::new(format!("{message}; allowed are `performer` and `id`")));
        }
        let in_verb = |error: Error| error.within(verb);
        let what = match verb {
            "watch" => Self::Watch(read_shaped(value, |keys| keys.is_empty()).map_err(in_verb)?),
            "cast" => Self::Cast(read_shaped(to_list(value), is_cast).map_err(in_verb)?),
            "dismiss" => Self::Dismiss(part(to_list(value)).map_err(in_verb)?),
            "temperament" => {
                Self::Temperament(Box::new(read_shaped(value, is_temperament).map_err(in_verb)?))
            }
            "attend" => Self::Attend(point(value).map_err(in_verb)?),
            "mimic" if value.is_null() => Self::Mimic(None),
            "mimic" => Self::Mimic(Some(read_shaped(value, |keys| keys.is_empty()).map_err(in_verb)?)),
            "see" => Self::See(Box::new(Sighting::read(value).map_err(in_verb)?)),
            _ if value.is_null() => Self::Follow(None),
            _ => Self::Follow(Some(point(value).map_err(in_verb)?)),
        };
        check_request(&what).or(what)
    }
}

/// Converts a single value to a list.
fn to_list(value: Value) -> Value {
    if value.is_array() { value } else { Value::Array(vec![value]) }
}

fn is_cast(keys: &[&str]) -> bool {
    match keys {
        ["[]"] | ["[]", "clip"] => true,
        ["[]", "script", "[]", rest @ ..] => intents::is_object(rest),
        ["[]", "temperament", rest @ ..] => is_temperament(rest),
        _ => false,
    }
}

pub(crate) fn is_temperament(keys: &[&str]) -> bool {
    keys.is_empty() || keys == ["evoked"]
}

fn read_shaped<T: serde::de::DeserializeOwned>(value: Value, is_object: fn(&[&str]) -> bool) -> Result<T> {
    let shape = Shape::of(&value, is_object)?;
    let read = part(value)?;
    shape.holds()?;
    Ok(read)
}

fn point(value: Value) -> Result<[f64; 3]> {
    let invalid = || Error::new("give a point in metres, such as [0, 1.6, 2]");
    let Value::Array(list) = value else { return Err(invalid()) };
    let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    if list.len() == 3 { <[f64; 3]>::try_from(numbers).map_err(|_| invalid()) } else { Err(invalid()) }
}

fn check_request(what: &RequestKind) -> ErrorList {
    let mut check = Check::default();
    match what {
        RequestKind::Watch(watch) => {
            check_names(&mut check, "watch.performers", &watch.performers);
            if let Some(fps) = watch.fps {
                check.number("watch.fps", fps, 0.1, 1000.0, "frames per second");
            }
        }
        RequestKind::Cast(all) => check_cast(&mut check, all),
        RequestKind::Dismiss(names) => check_names(&mut check, "dismiss", names),
        RequestKind::Temperament(temperament) => check_temperament(check.within("temperament"), temperament),
        RequestKind::Attend(place) => check_position_in(&mut check, "attend", place),
        RequestKind::Follow(Some(place)) => check_position_in(&mut check, "follow", place),
        RequestKind::Mimic(Some(manner)) => {
            check.number("mimic.amount", manner.amount, 0.0, 1.0, "");
            check.number("mimic.delay", manner.delay, 0.0, 60.0, "seconds");
            check.within("mimic").priority(manner.priority);
        }
        // A sighting was checked when it was read.
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

/// Checks a position in metres.
///
/// # Errors
/// If a coordinate is not finite or exceeds [`MAX_METRES`](limits::MAX_METRES).
pub fn check_position(field: &str, place: &[f64; 3]) -> Result<()> {
    let mut check = Check::default();
    check_position_in(&mut check, field, place);
    check.faults.or(())
}

pub(crate) fn check_position_in(check: &mut Check, field: &str, place: &[f64; 3]) {
    for (index, metres) in place.iter().enumerate() {
        let most = limits::MAX_METRES;
        check.number(&format!("{field}[{index}]"), *metres, -most, most, "metres");
    }
}

/// Checks names, which are used in URLs and file names.
fn check_names(check: &mut Check, field: &str, names: &[String]) {
    check.count(field, "performers", names.len(), MAX_NAMED);
    if names.is_empty() {
        check.text(field, "", 1);
    }
    for name in names.iter().take(MAX_NAMED) {
        if !is_plain(name) {
            let message = "use at most 64 letters, digits, `-`, `_` and `.`";
            let named = format!("invalid name `{}`; {message}", words::short(name));
            check.faults.push(Error::at(field, named));
        }
    }
}

/// Returns true if a name has only letters, digits, `-`, `_` and `.`, and does not start with a dot.
#[must_use]
pub(crate) fn is_plain(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('.')
}

const fn default_seed() -> u64 {
    1
}

fn is_default_seed(number: &u64) -> bool {
    *number == 1
}

const fn default_true() -> bool {
    true
}

fn is_true(is: &bool) -> bool {
    *is
}

/// The JSON form of a request, as [`Request::read`] reads it, for the schema.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Request")]
#[serde(rename_all = "camelCase", untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(super) enum Written {
    /// An intent with its performers.
    Intent(Addressed<intents::wire::Intent>),
    /// Changes which performers are sent to this connection, and how.
    Watch(Addressed<WatchRequest>),
    /// Starts performers, all at the same time.
    Cast(Addressed<CastRequest>),
    /// Ends performers.
    Dismiss(Addressed<DismissRequest>),
    /// Changes the temperament.
    Temperament(Addressed<TemperamentRequest>),
    /// Position of a person in metres.
    Attend(Addressed<AttendRequest>),
    /// Position in metres that the gaze follows.
    Follow(Addressed<FollowRequest>),
    /// Starts or stops mirroring a person.
    Mimic(Addressed<MimicRequest>),
    /// Landmarks of a person from a camera.
    See(Addressed<SeeRequest>),
}

#[cfg(feature = "schema")]
mod written {
    #![allow(dead_code, reason = "only their schemas are used")]
    use super::{Cast, Manner, Sighting, Temperament, Watch};
    use schemars::JsonSchema;

    /// Fields of every request.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "AddressedTo{T}")]
    pub(in super::super) struct Addressed<T> {
        /// Returned in the answer.
        id: Option<u64>,
        /// Names of the performers. Default: `main`.
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
        /// Position in metres; `null` ends following.
        follow: Option<[f64; 3]>,
    }
    #[derive(JsonSchema)]
    pub(in super::super) struct MimicRequest {
        /// Manner of mirroring; `null` ends the mirroring.
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
