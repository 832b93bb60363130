//! One performer, and its last frame where a page can see it.

use crate::body::{Body, Eyes, Moves, Whole};
use crate::{LipSync, error};
use serde_json::{Value, json};
use std::sync::Arc;
use vivant::frame::Frame;
use vivant::pose::LANES;
use vivant_host::signals::SIGNALS;
use vivant_host::{Character, Hosted, Role};
use vivant_io::json::protocol::Happening;
use wasm_bindgen::prelude::*;

/// A frame as JavaScript wants it. It is boxed, so that it stays where it is.
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
    /// Lets a performer begin.
    ///
    /// # Errors
    /// If role or repertoire are wrong, with everything that is wrong with them.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &Body, moves: &Moves, eyes: &Eyes, role: &str) -> Result<Self, JsError> {
        let role = Role::read(role).map_err(error)?;
        let (avatar, motions) = (body.0.clone(), moves.0.clone());
        let character = Character::of(avatar.name().to_owned(), avatar, motions);
        let character = Character { learned: eyes.0.clone(), ..character };
        Hosted::of_character(&character, &role).map(Self::of).map_err(error)
    }

    /// Creates a performer of a character, with everything that lies in its folder.
    ///
    /// # Errors
    /// If role or repertoire are wrong, with everything that is wrong with them.
    #[wasm_bindgen(js_name = ofCharacter)]
    pub fn of_character(character: &Whole, role: &str) -> Result<Self, JsError> {
        let role = character.0.role(role).map_err(error)?;
        Hosted::of_character(&character.0, &role).map(Self::of).map_err(error)
    }

    /// Another one with the same body, motions and eyes.
    ///
    /// # Errors
    /// If the role is none.
    pub fn another(&self, role: &str) -> Result<Self, JsError> {
        Ok(Self::of(self.hosted.another(&self.hosted.role(role).map_err(error)?)))
    }

    /// Tells it something.
    ///
    /// # Errors
    /// If it cannot be understood or done.
    pub fn tell(&mut self, json: &str) -> Result<Option<f64>, JsError> {
        let wish = self.hosted.tell(json).map_err(error)?;
        Ok(wish.map(|wish| wish as f64))
    }

    /// Shows voices by this model from now on.
    #[wasm_bindgen(js_name = setLipSync)]
    pub fn set_lip_sync(&mut self, model: &LipSync) {
        self.hosted.set_lip_sync(Arc::clone(&model.0));
    }

    /// Tells it a line together with the next samples of its voice.
    ///
    /// # Errors
    /// If it is no line, or cannot be understood or done.
    #[wasm_bindgen(js_name = tellWithVoice)]
    pub fn tell_with_voice(
        &mut self,
        json: &str,
        rate_hz: u32,
        samples: &[i16],
    ) -> Result<Option<f64>, JsError> {
        let wish = self.hosted.tell_with_voice(json, rate_hz, samples).map_err(error)?;
        Ok(wish.map(|wish| wish as f64))
    }

    /// Someone is here, in metres.
    ///
    /// # Errors
    /// If that is no place.
    pub fn attend(&mut self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.hosted.attend([x, y, z]).map_err(error)
    }

    /// Look there, in metres.
    ///
    /// # Errors
    /// If that is no place.
    pub fn follow(&mut self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.hosted.follow(Some([x, y, z])).map_err(error)
    }

    /// Look where it likes.
    ///
    /// # Errors
    /// Never.
    #[wasm_bindgen(js_name = lookFreely)]
    pub fn look_freely(&mut self) -> Result<(), JsError> {
        self.hosted.follow(None).map_err(error)
    }

    /// Lets all happen that is due until `t`, in seconds, and shows the frame at `t`.
    #[wasm_bindgen(js_name = advanceTo)]
    pub fn advance_to(&mut self, t: f64) {
        self.hosted.advance_to(t);
        self.shown.lay_out(self.hosted.frame());
    }

    /// Lets it watch itself, so that there are events.
    pub fn watch(&mut self, watches: bool) {
        self.hosted.watch(watches);
    }

    /// What has happened since this was last asked, as JSON.
    #[wasm_bindgen(js_name = takeEvents)]
    pub fn take_events(&mut self) -> String {
        let told = |(at, what): (f64, Happening)| json!({ "at": at, "what": what });
        Value::Array(self.hosted.take_events().into_iter().map(told).collect()).to_string()
    }

    /// Bones, expressions, and the avatar's own nodes that show them, as JSON.
    #[must_use]
    pub fn info(&self) -> String {
        json!(self.hosted.info()).to_string()
    }

    /// What was dropped or guessed, a text each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.hosted.warnings().iter().map(ToString::to_string).collect()
    }

    /// The instant of the frame, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.hosted.frame().time()
    }

    /// Where the frame's rotations are: x, y, z and w of each bone.
    #[must_use]
    pub fn rotations(&self) -> *const f32 {
        self.shown.rotations.as_ptr().cast()
    }

    /// Where the place of the hips is.
    #[must_use]
    pub fn root(&self) -> *const f32 {
        self.shown.root.as_ptr()
    }

    /// Works the frame's signals out, which few pages look at, and says where they are: always at the same place.
    pub fn signals(&mut self) -> *const f32 {
        self.shown.signals = self.hosted.signals().map(|signal| signal as f32);
        self.shown.signals.as_ptr()
    }

    /// Where the weights of expressions are.
    #[must_use]
    pub fn weights(&self) -> *const f32 {
        self.shown.weights.as_ptr()
    }
}
