//! RequestKind travels between the live server and whoever watches or drives it: version 1.
//!
//! Over the WebSocket a client [asks](Request) and is [told](Message); every text message is one JSON object
//! whose verb is a key, as intents are, and an intent is a request as it stands. Frames come as
//! [binary](frame) or as JSON. The [HTTP API](api) speaks of what stays: characters, clips, repertoires.
//! `docs/protocol.md` is this for people who write clients.
//!
//! ```
//! use vivant_io::json::protocol::{Request, RequestKind};
//! let request = Request::read(r#"{"say": "Hello!", "performer": "eve", "id": 7}"#)?;
//! assert_eq!((request.performers, request.id), (vec!["eve".to_owned()], Some(7)));
//! assert!(matches!(request.what, RequestKind::Intent(_)));
//! # Ok::<(), vivant_io::Error>(())
//! ```

pub mod api;
pub mod frame;
mod message;
mod request;

pub use message::{
    Bar, BarKind, Changed, Done, Event, Gone, Happening, Lane, Message, Noticed, PerformerInfo, Plan,
    Problem, Welcome,
};
pub use request::{Cast, ClipPart, Frames, Request, RequestKind, Watch, check_place};
#[cfg(feature = "schema")]
pub(crate) use request::{MAX_NAME, MAX_NAMED};
pub(crate) use request::{is_temper, place_within};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// Who is meant where nobody is named.
pub const MAIN: &str = "main";

/// All that goes over the wire: the root of `protocol.schema.json`, of which programs make types.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
#[schemars(rename_all = "camelCase")]
pub(crate) struct Protocol {
    request: request::Written,
    message: Message,
    about: api::About,
    characters: Vec<api::CharacterSummary>,
    new_character: api::NewCharacter,
    character: api::Character,
    edit: api::Edit,
    place: api::Place,
    placed: api::Placed,
    uploaded: api::Uploaded,
    proposals: Vec<api::Proposal>,
    rig: api::RigInfo,
    presets: Vec<api::Preset>,
    voices: api::Voices,
    speak: api::Speak,
    spoken: api::Spoken,
    stats: api::Stats,
    refusal: api::Refusal,
}
