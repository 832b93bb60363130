//! Parts of a performer: avatar, motions, character and eye models.

use crate::error;
use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::eyes::EyeModels;
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
    /// Reads an avatar from the bytes of a VRM or GLB; `name` is used in messages.
    ///
    /// # Errors
    /// If the file cannot be read, or has no humanoid.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, JsError> {
        Avatar::read(name, bytes).map(Self).map_err(error)
    }

    /// Creates an avatar from a list of bones as JSON.
    ///
    /// # Errors
    /// If the list is invalid; the message contains all errors.
    #[wasm_bindgen(js_name = ofRig)]
    pub fn of_rig(rig: &str) -> Result<Self, JsError> {
        Avatar::of_rig(rig.as_bytes()).map(Self).map_err(error)
    }
}

/// The files of a character: avatar, repertoire, behaviour model, temperament, blink model and eye texture.
#[wasm_bindgen]
#[derive(Default)]
pub struct CharacterFiles(FileMap);

#[wasm_bindgen]
impl CharacterFiles {
    /// Creates an empty set of files.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file of the character's folder.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.0.insert(name, bytes);
    }

    /// Returns the names of files that belong to the character and were not added yet: files that its manifest and
    /// repertoire name, and the default names of all other files.
    ///
    /// # Errors
    /// If the manifest or the repertoire cannot be read.
    pub fn missing(&self) -> Result<Vec<String>, JsError> {
        vivant_host::character::missing(&self.0).map_err(error)
    }

    /// Reads the character.
    ///
    /// # Errors
    /// If the character is invalid; the message contains all errors.
    pub fn read(&self) -> Result<Whole, JsError> {
        vivant_host::Character::read(&self.0, &mut |_, _| {}).map(Whole).map_err(error)
    }
}

/// A character.
#[wasm_bindgen]
pub struct Whole(pub(crate) vivant_host::Character);

#[wasm_bindgen]
impl Whole {
    /// Returns the name of the character.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// Returns the file name of the character's avatar.
    #[wasm_bindgen(js_name = avatarFile)]
    #[must_use]
    pub fn avatar_file(&self) -> String {
        self.0.avatar.name().to_owned()
    }

    /// Returns warnings about data that was dropped or guessed while reading.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.0.warnings.iter().map(ToString::to_string).collect()
    }
}

/// Motions of a performer.
#[wasm_bindgen]
pub struct Moves(pub(crate) Motions);

#[wasm_bindgen]
impl Moves {
    /// Returns the motions of the built-in character.
    #[wasm_bindgen(js_name = builtIn)]
    #[must_use]
    pub fn built_in() -> Self {
        Self(Motions::built_in())
    }

    /// Creates an empty set of motions. Clips of added files are played one after another.
    #[must_use]
    pub fn none() -> Self {
        Self(Motions::none())
    }

    /// Creates the motions of a repertoire, given as JSON. Then add the files of the repertoire with `addFile`.
    ///
    /// # Errors
    /// If the repertoire is invalid.
    #[wasm_bindgen(js_name = ofRepertoire)]
    pub fn of_repertoire(repertoire: &str) -> Result<Self, JsError> {
        Motions::of_repertoire(repertoire.as_bytes(), BTreeMap::new()).map(Self).map_err(error)
    }

    /// Adds the clips of a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsError> {
        self.0.add_file(name, bytes).map_err(error)
    }

    /// Sets the behaviour model for improvisation.
    ///
    /// # Errors
    /// If the behaviour model is invalid.
    pub fn behave(&mut self, behaviour: &str) -> Result<(), JsError> {
        self.0 = self.0.clone().with_behaviour_json(behaviour.as_bytes()).map_err(error)?;
        Ok(())
    }
}

/// Generates the motions of the built-in character one at a time, so that a page stays responsive.
#[wasm_bindgen]
#[derive(Default)]
pub struct Making(vivant_host::MotionBuilder);

#[wasm_bindgen]
impl Making {
    /// Starts with no motions.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Generates the next motion; returns true if all are done.
    #[wasm_bindgen(js_name = makeNext)]
    pub fn make_next(&mut self) -> bool {
        self.0.make_next()
    }
}

/// Learned eye models of a person.
#[wasm_bindgen]
#[derive(Default)]
pub struct Eyes(pub(crate) EyeModels);

#[wasm_bindgen]
impl Eyes {
    /// Creates an empty set of models.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the blink model.
    ///
    /// # Errors
    /// If the blink model is invalid.
    #[wasm_bindgen(js_name = blinkAs)]
    pub fn blink_as(&mut self, model: &[u8]) -> Result<(), JsError> {
        self.0.blinks = Some(Arc::new(json::blink_model::read(model).map_err(error)?));
        Ok(())
    }

    /// Sets the eye texture.
    ///
    /// # Errors
    /// If the eye texture is invalid.
    #[wasm_bindgen(js_name = moveAs)]
    pub fn move_as(&mut self, texture: &[u8]) -> Result<(), JsError> {
        let texture = Texture::new(&json::texture::read(texture).map_err(error)?).map_err(error)?;
        self.0.texture = Some(Arc::new(texture));
        Ok(())
    }
}
