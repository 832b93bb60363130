//! The protocol between the live server and its clients, version 1.
//!
//! Over the WebSocket a client sends [requests](Request) and receives [messages](Message). Every text message is one
//! JSON object whose verb is a key, like intents; an intent is itself a request. Frames are sent as [binary](frame)
//! or JSON. The [HTTP API](api) manages stored data: characters, clips, repertoires. `docs/reference/protocol.md`
//! documents it for authors of clients.
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
    Bar, BarKind, Changed, Done, Event, EventKind, Gone, Lane, Message, Noticed, PerformerInfo, Plan,
    Problem, Welcome,
};
pub use request::{Cast, ClipPart, Frames, Request, RequestKind, Watch, check_position};
#[cfg(feature = "schema")]
pub(crate) use request::{MAX_NAME, MAX_NAMED};
pub(crate) use request::{check_position_in, is_temperament};

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// Name of the default performer.
pub const MAIN: &str = "main";

/// Everything that is sent over the wire: the root of `protocol.schema.json`, from which types are generated.
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
