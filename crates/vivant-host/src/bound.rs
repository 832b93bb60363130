//! How a performer begins.

use crate::ask::temper;
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::eyes::{Learned, Target, Temperament};
use vivant::performer::Performer;
use vivant::rig::{Bone, Rig};
use vivant_io::Result;
use vivant_io::json::role::Role;

/// A character that is bound to its body: all that its performers share.
#[derive(Clone)]
pub struct BoundCharacter {
    /// The avatar's rig, and what it can do.
    pub library: Arc<Library>,
    /// The behaviour model; `None` plays one clip after another.
    pub behaviour: Option<Arc<Behaviour>>,
    /// The blink model and the eye texture.
    pub learned: Learned,
    /// How eyes, lids and head behave, unless a role says otherwise.
    pub temperament: Temperament,
}

impl BoundCharacter {
    /// Reads a role from JSON. What it leaves out of its temperament is the character's; an empty text is the default.
    ///
    /// # Errors
    /// If it is not a role, with everything that is wrong with it.
    pub fn role(&self, json: &str) -> Result<Role> {
        Role::read_for(json, &self.temperament)
    }

    /// Returns a performer that has not begun: intents may lie at any time before it is first advanced. The same role
    /// gives the same performance.
    #[must_use]
    pub fn performer(&self, role: &Role) -> Performer {
        let mut performer = Performer::new(Arc::clone(&self.library), role.seed);
        match (role.unasked, &self.behaviour) {
            (true, None) => performer.improvise(0.0),
            (true, Some(behaviour)) => performer.behave(0.0, Arc::clone(behaviour)),
            (false, _) => {}
        }
        if role.lives {
            performer.eyes().learn(&self.learned);
            temper(&mut performer, 0.0, &role.temperament);
            let ahead = || someone_ahead(self.library.rig());
            let eyes = performer.eyes();
            eyes.attend(0.0, Target::Point(role.attend.unwrap_or_else(ahead)));
            eyes.live(0.0);
        }
        performer
    }
}

/// Where the eyes are of someone of the same height, who stands two metres ahead.
#[must_use]
pub fn someone_ahead(rig: &Rig) -> [f64; 3] {
    let eyes = rig.rest_position(Bone::Head) + rig.look_at().offset_from_head;
    [0.0, f64::from(eyes.y), 2.0]
}
