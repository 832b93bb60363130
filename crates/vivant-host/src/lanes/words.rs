//! The labels of bars.

use crate::signals::in_words;
use glam::DVec3;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::plan::{Began, Origin};
use vivant::body::repertoire::Kind;
use vivant::eyes::direction::{Direction, angle_between_deg};

/// Maximum angle between gaze and target at which the performer counts as looking at the target, in degrees.
const ON_TARGET_DEG: f64 = 5.0;
/// Maximum length of a line's label in characters.
const MAX_CHARS: usize = 200;

/// Describes a gaze direction: “at you”, “20° left and 5° up”.
pub(super) fn gaze(gaze: DVec3, viewer: DVec3, followed: Option<DVec3>) -> String {
    let is_on = |target: DVec3| angle_between_deg(gaze, target) < ON_TARGET_DEG;
    if followed.is_some_and(is_on) {
        return "at the target".to_owned();
    }
    if is_on(viewer) {
        return "at you".to_owned();
    }
    let Direction { yaw_deg, pitch_deg } = Direction::of(gaze);
    in_words(Direction::new(yaw_deg.round(), pitch_deg.round()))
}

/// Returns the name of an action, or of the target stance if the action is a transition.
pub(super) fn action(graph: &Graph, action: &ActionNode) -> String {
    match action.kind {
        Kind::Transition => format!("→ {}", graph.stances()[action.ends_in].name),
        _ => action.name.clone(),
    }
}

/// Explains why an action was chosen: “by itself, 1 of 12”.
pub(super) fn why(began: &Began) -> String {
    let asked = if began.origin == Origin::Agent { "requested" } else { "by itself" };
    match (began.is_inserted_transition, began.candidates) {
        (true, _) => format!("transition for the {asked} action").replace("by itself", "idle"),
        (false, 0 | 1) => asked.to_owned(),
        (false, many) => format!("{asked}, 1 of {many}"),
    }
}

pub(super) fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaze_directions_are_described() {
        let viewer = DVec3::new(0.0, 0.0, 2.0);
        for (yaw, pitch, followed, expected) in [
            (0.0, 0.0, None, "at you"),
            (3.0, 1.0, None, "at you"),
            (20.2, 4.8, None, "20° left and 5° up"),
            (-30.0, 0.2, None, "30° right"),
            (20.0, 0.0, Some((21.0, 1.0)), "at the target"),
            (0.0, 0.0, Some((21.0, 1.0)), "at you"),
        ] {
            let followed = followed.map(|(yaw, pitch)| Direction::new(yaw, pitch).to_vector() * 3.0);
            assert_eq!(gaze(Direction::new(yaw, pitch).to_vector(), viewer, followed), expected);
        }
    }

    #[test]
    fn long_lines_are_cut_at_character_boundaries() {
        assert_eq!(shortened("Hallo"), "Hallo");
        assert_eq!(shortened(&"ä".repeat(300)), format!("{}…", "ä".repeat(200)));
    }
}
