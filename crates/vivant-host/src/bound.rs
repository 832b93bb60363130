//! A character bound to its avatar, for creating performers.
//!
//! Binding a repertoire to a rig takes time and memory. It is therefore done once, and all performers of a character
//! share the result in a [`BoundCharacter`]. [`BoundCharacter::role`] reads a role from JSON, with the temperament of
//! the character as the default. [`BoundCharacter::performer`] then returns a new performer for the role. Apart from
//! the role, performers of one character start identically, so the same role gives the same performance.

use crate::command::set_temperament;
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::eyes::{EyeModels, Target, Temperament};
use vivant::performer::Performer;
use vivant::rig::{Bone, Rig};
use vivant_io::Result;
use vivant_io::json::role::Role;

/// A character bound to its avatar: everything that its performers share.
#[derive(Clone)]
pub struct BoundCharacter {
    /// The avatar's rig and the bound repertoire.
    pub library: Arc<Library>,
    /// The behaviour model. Without a model, clips are played one after another.
    pub behaviour: Option<Arc<Behaviour>>,
    /// The blink model and the eye texture.
    pub learned: EyeModels,
    /// The temperament that applies unless a role sets another one.
    pub temperament: Temperament,
}

impl BoundCharacter {
    /// Reads a role from JSON. Temperament fields that the role leaves out are taken from the character. An empty
    /// text gives the default role.
    ///
    /// # Errors
    /// If the text is not a valid role; the error lists all problems.
    pub fn role(&self, json: &str) -> Result<Role> {
        Role::read_for(json, &self.temperament)
    }

    /// Returns a performer that has not started. Until it is first advanced, it accepts intents for any time. The
    /// same role gives the same performance.
    #[must_use]
    pub fn performer(&self, role: &Role) -> Performer {
        let mut performer = Performer::new(Arc::clone(&self.library), role.seed);
        match (role.unasked, &self.behaviour) {
            (true, None) => performer.improvise(0.0),
            (true, Some(behaviour)) => performer.set_behaviour(0.0, Arc::clone(behaviour)),
            (false, _) => {}
        }
        if role.lives {
            performer.eyes().set_models(&self.learned);
            set_temperament(&mut performer, 0.0, &role.temperament);
            let ahead = || default_viewer_position(self.library.rig());
            let eyes = performer.eyes();
            eyes.attend(0.0, Target::Point(role.attend.unwrap_or_else(ahead)));
            eyes.start_idle_behaviour(0.0);
        }
        performer
    }
}

/// Returns the eye position of a viewer who is as tall as the avatar and stands two metres in front of it, in metres
/// in humanoid space.
#[must_use]
pub fn default_viewer_position(rig: &Rig) -> [f64; 3] {
    let eyes = rig.rest_position(Bone::Head) + rig.look_at().offset_from_head;
    [0.0, f64::from(eyes.y), 2.0]
}
