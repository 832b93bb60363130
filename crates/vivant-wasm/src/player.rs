//! A performer, with its last frame at a fixed address.

use crate::body::{Body, Eyes, Moves, Whole};
use crate::{LipSync, error};
use serde_json::{Value, json};
use std::sync::Arc;
use vivant::frame::Frame;
use vivant::pose::LANES;
use vivant_host::signals::SIGNALS;
use vivant_host::{Character, Hosted, Role};
use vivant_io::json::protocol::EventKind;
use wasm_bindgen::prelude::*;

/// A frame in the layout for JavaScript. It is boxed, so that its address is fixed.
#[derive(Clone)]
struct Shown {
    rotations: [[f32; 4]; LANES],
    root: [f32; 3],
    signals: [f32; SIGNALS.len()],
    weights: Vec<f32>,
}

impl Shown {
    fn new(hosted: &Hosted) -> Box<Self> {
        let weights = vec![0.0; hosted.info().channels.len()];
        let mut shown = Box::new(Self {
            rotations: [[0.0, 0.0, 0.0, 1.0]; LANES],
            root: [0.0; 3],
            signals: [0.0; SIGNALS.len()],
            weights,
        });
        shown.lay_out(hosted.frame());
        shown
    }

    fn lay_out(&mut self, frame: &Frame) {
        frame.rotations().interleave(&mut self.rotations);
        self.root = frame.root().to_array();
        self.weights.copy_from_slice(frame.weights());
    }
}

/// A performer.
#[wasm_bindgen]
pub struct Player {
    hosted: Hosted,
    shown: Box<Shown>,
}

impl Player {
    fn of(hosted: Hosted) -> Self {
        let shown = Shown::new(&hosted);
        Self { hosted, shown }
    }
}

#[wasm_bindgen]
impl Player {
    /// Creates a performer.
    ///
    /// # Errors
    /// If the role or the repertoire is invalid; the message contains all errors.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &Body, moves: &Moves, eyes: &Eyes, role: &str) -> Result<Self, JsError> {
        let role = Role::read(role).map_err(error)?;
        let (avatar, motions) = (body.0.clone(), moves.0.clone());
        let character = Character::of(avatar.name().to_owned(), avatar, motions);
        let character = Character { learned: eyes.0.clone(), ..character };
        Hosted::of_character(&character, &role).map(Self::of).map_err(error)
    }

    /// Creates a performer of a character, with everything in its folder.
    ///
    /// # Errors
    /// If the role or the repertoire is invalid; the message contains all errors.
    #[wasm_bindgen(js_name = ofCharacter)]
    pub fn of_character(character: &Whole, role: &str) -> Result<Self, JsError> {
        let role = character.0.role(role).map_err(error)?;
        Hosted::of_character(&character.0, &role).map(Self::of).map_err(error)
    }

    /// Creates another performer with the same avatar, motions and eye models.
    ///
    /// # Errors
    /// If the role is invalid.
    pub fn another(&self, role: &str) -> Result<Self, JsError> {
        Ok(Self::of(self.hosted.another(&self.hosted.role(role).map_err(error)?)))
    }

    /// Sends a request as JSON, and returns the id that events use for this request.
    ///
    /// # Errors
    /// If the request is invalid or cannot be met.
    pub fn tell(&mut self, json: &str) -> Result<Option<f64>, JsError> {
        let intent = self.hosted.tell(json).map_err(error)?;
        Ok(intent.map(|intent| intent as f64))
    }

    /// Sets the model for audio lip-sync.
    #[wasm_bindgen(js_name = setLipSync)]
    pub fn set_lip_sync(&mut self, model: &LipSync) {
        self.hosted.set_lip_sync(Arc::clone(&model.0));
    }

    /// Sends a speech line with the next samples of its voice.
    ///
    /// # Errors
    /// If the request is not a speech line, is invalid or cannot be met.
    #[wasm_bindgen(js_name = tellWithVoice)]
    pub fn tell_with_voice(
        &mut self,
        json: &str,
        rate_hz: u32,
        samples: &[i16],
    ) -> Result<Option<f64>, JsError> {
        let intent = self.hosted.tell_with_voice(json, rate_hz, samples).map_err(error)?;
        Ok(intent.map(|intent| intent as f64))
    }

    /// Sets the point that the eyes attend to, in metres.
    ///
    /// # Errors
    /// If a coordinate is not finite or too large.
    pub fn attend(&mut self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.hosted.attend([x, y, z]).map_err(error)
    }

    /// Keeps the gaze on a point in metres.
    ///
    /// # Errors
    /// If a coordinate is not finite or too large.
    pub fn follow(&mut self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.hosted.follow(Some([x, y, z])).map_err(error)
    }

    /// Ends `follow`: the gaze is free again.
    ///
    /// # Errors
    /// Never.
    #[wasm_bindgen(js_name = lookFreely)]
    pub fn look_freely(&mut self) -> Result<(), JsError> {
        self.hosted.follow(None).map_err(error)
    }

    /// Advances to `t` in seconds, and stores the frame at `t`.
    #[wasm_bindgen(js_name = advanceTo)]
    pub fn advance_to(&mut self, t: f64) {
        self.hosted.advance_to(t);
        self.shown.lay_out(self.hosted.frame());
    }

    /// Turns events on or off.
    pub fn watch(&mut self, watches: bool) {
        self.hosted.watch(watches);
    }

    /// Takes the events since the last call, as JSON.
    #[wasm_bindgen(js_name = takeEvents)]
    pub fn take_events(&mut self) -> String {
        let event = |(at, what): (f64, EventKind)| json!({ "at": at, "what": what });
        Value::Array(self.hosted.take_events().into_iter().map(event).collect()).to_string()
    }

    /// Returns the bones and expressions of the avatar as JSON, with the nodes of its file that show them.
    #[must_use]
    pub fn info(&self) -> String {
        json!(self.hosted.info()).to_string()
    }

    /// Returns warnings about data that was dropped or guessed.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.hosted.warnings().iter().map(ToString::to_string).collect()
    }

    /// Returns the time of the frame in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.hosted.frame().time()
    }

    /// Returns the address of the rotations: x, y, z and w of each bone.
    #[must_use]
    pub fn rotations(&self) -> *const f32 {
        self.shown.rotations.as_ptr().cast()
    }

    /// Returns the address of the position of the hips: x, y and z in metres.
    #[must_use]
    pub fn root(&self) -> *const f32 {
        self.shown.root.as_ptr()
    }

    /// Computes the signals of the frame and returns their address, which is always the same. Signals are computed
    /// only by this call, because few pages need them.
    pub fn signals(&mut self) -> *const f32 {
        self.shown.signals = self.hosted.signals().map(|signal| signal as f32);
        self.shown.signals.as_ptr()
    }

    /// Returns the address of the expression weights from 0 to 1.
    #[must_use]
    pub fn weights(&self) -> *const f32 {
        self.shown.weights.as_ptr()
    }
}
