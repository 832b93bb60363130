//! How a performer begins.

use crate::ask::temper;
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::eyes::{Learned, Target};
use vivant::performer::Performer;
use vivant::rig::{Bone, Rig};
use vivant_io::json::role::Role;

/// Who performs: a body with its motions, what it does by itself, and what was learned of someone's eyes.
#[derive(Clone)]
pub struct Cast {
    /// Its body, and what it can do.
    pub library: Arc<Library>,
    /// What it does where nobody asks; `None` plays one clip after another.
    pub behaviour: Option<Arc<Behaviour>>,
    /// Whose eyes it has.
    pub learned: Learned,
}

impl Cast {
    /// A performer whose time has not begun: what it is told before it is first advanced may lie at any time. The same role gives the same performance.
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
