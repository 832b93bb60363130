//! What a performer is made of: a body, what it can do, and whose eyes it has.

use crate::error;
use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::eyes::Learned;
use vivant::eyes::texture::Texture;
use vivant_host::files::FileMap;
use vivant_host::{Avatar, Motions};
use vivant_io::json;
use wasm_bindgen::prelude::*;

/// An avatar.
#[wasm_bindgen]
pub struct Body(pub(crate) Avatar);

#[wasm_bindgen]
impl Body {
    /// From a VRM's or GLB's bytes; `name` is for messages.
    ///
    /// # Errors
    /// If it cannot be read, or has no humanoid.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, JsError> {
        Avatar::read(name, bytes).map(Self).map_err(error)
    }

    /// From a list of bones.
    ///
    /// # Errors
    /// If that is none, with everything in it that is wrong.
    #[wasm_bindgen(js_name = ofRig)]
    pub fn of_rig(rig: &str) -> Result<Self, JsError> {
        Avatar::of_rig(rig.as_bytes()).map(Self).map_err(error)
    }
}

/// A whole character: avatar, repertoire, behaviour model, temperament, blink model and eye texture.
#[wasm_bindgen]
#[derive(Default)]
pub struct CharacterFiles(FileMap);

#[wasm_bindgen]
impl CharacterFiles {
    /// Has no files yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file of the character's folder.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.0.insert(name, bytes);
    }

    /// Returns the names of files that belong to the character and are not here yet: what its manifest and its
    /// repertoire name, and the usual names of what they do not name.
    ///
    /// # Errors
    /// If the manifest or the repertoire cannot be read.
    pub fn missing(&self) -> Result<Vec<String>, JsError> {
        vivant_host::character::missing(&self.0).map_err(error)
    }

    /// Reads the character.
    ///
    /// # Errors
    /// With everything that is wrong with it.
    pub fn read(&self) -> Result<Whole, JsError> {
        vivant_host::Character::read(&self.0, &mut |_, _| {}).map(Whole).map_err(error)
    }
}

/// A character that was read.
#[wasm_bindgen]
pub struct Whole(pub(crate) vivant_host::Character);

#[wasm_bindgen]
impl Whole {
    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// Returns the name of its avatar's file.
    #[wasm_bindgen(js_name = avatarFile)]
    #[must_use]
    pub fn avatar_file(&self) -> String {
        self.0.avatar.name().to_owned()
    }

    /// Returns what was dropped or guessed while it was read.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.0.warnings.iter().map(ToString::to_string).collect()
    }
}

/// What a body can do.
#[wasm_bindgen]
pub struct Moves(pub(crate) Motions);

#[wasm_bindgen]
impl Moves {
    /// What the built-in character does.
    #[wasm_bindgen(js_name = builtIn)]
    #[must_use]
    pub fn built_in() -> Self {
        Self(Motions::built_in())
    }

    /// Nothing, until files are added: then their clips, one after another.
    #[must_use]
    pub fn none() -> Self {
        Self(Motions::none())
    }

    /// A character's own; files are added.
    ///
    /// # Errors
    /// If that is no repertoire.
    #[wasm_bindgen(js_name = ofRepertoire)]
    pub fn of_repertoire(repertoire: &str) -> Result<Self, JsError> {
        Motions::of_repertoire(repertoire.as_bytes(), BTreeMap::new()).map(Self).map_err(error)
    }

    /// Adds the clips of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsError> {
        self.0.add_file(name, bytes).map_err(error)
    }

    /// Behaves otherwise where nobody asks.
    ///
    /// # Errors
    /// If that is no behaviour.
    pub fn behave(&mut self, behaviour: &str) -> Result<(), JsError> {
        self.0 = self.0.clone().behaving(behaviour.as_bytes()).map_err(error)?;
        Ok(())
    }
}

/// Makes what the built-in character does ready, a motion at a time, so that a page lives on meanwhile.
#[wasm_bindgen]
#[derive(Default)]
pub struct Making(vivant_host::Making);

#[wasm_bindgen]
impl Making {
    /// With nothing made.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the next motion; says whether all are made.
    #[wasm_bindgen(js_name = makeNext)]
    pub fn make_next(&mut self) -> bool {
        self.0.make_next()
    }
}

/// Somebody's eyes.
#[wasm_bindgen]
#[derive(Default)]
pub struct Eyes(pub(crate) Learned);

#[wasm_bindgen]
impl Eyes {
    /// Nobody's.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Blinks as in a blink model.
    ///
    /// # Errors
    /// If that is none.
    #[wasm_bindgen(js_name = blinkAs)]
    pub fn blink_as(&mut self, model: &[u8]) -> Result<(), JsError> {
        self.0.blinks = Some(Arc::new(json::blink_model::read(model).map_err(error)?));
        Ok(())
    }

    /// Moves as in an eye texture.
    ///
    /// # Errors
    /// If that is none.
    #[wasm_bindgen(js_name = moveAs)]
    pub fn move_as(&mut self, texture: &[u8]) -> Result<(), JsError> {
        let texture = Texture::new(&json::texture::read(texture).map_err(error)?).map_err(error)?;
        self.0.texture = Some(Arc::new(texture));
        Ok(())
    }
}
