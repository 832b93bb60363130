//! What bars are called.

use crate::signals::in_words;
use glam::DVec3;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::plan::{Began, Origin};
use vivant::body::repertoire::Kind;
use vivant::eyes::direction::{Direction, angle_between_deg};

/// Who is looked at this closely is looked at.
const ON_TARGET_DEG: f64 = 5.0;
/// How much of a line stands on its bar.
const MAX_LETTERS: usize = 200;

/// Where a gaze goes: “at you”, “20° left and 5° up”.
pub(super) fn gaze(gaze: DVec3, viewer: DVec3, followed: Option<DVec3>) -> String {
    let is_on = |target: DVec3| angle_between_deg(gaze, target) < ON_TARGET_DEG;
    if followed.is_some_and(is_on) {
        return "at what it follows".to_owned();
    }
    if is_on(viewer) {
        return "at you".to_owned();
    }
    let Direction { yaw_deg, pitch_deg } = Direction::of(gaze);
    in_words(Direction::new(yaw_deg.round(), pitch_deg.round()))
}

/// A transition is called by where it leads, which is what matters.
pub(super) fn action(graph: &Graph, action: &ActionNode) -> String {
    match action.kind {
        Kind::Transition => format!("→ {}", graph.stances()[action.ends_in].name),
        _ => action.name.clone(),
    }
}

/// Why an action is there: “by itself, 1 of 12”.
pub(super) fn why(began: &Began) -> String {
    let asked = if began.origin == Origin::Agent { "asked for" } else { "by itself" };
    match (began.is_on_the_way, began.candidates) {
        (true, _) => format!("on the way to what was {asked}").replace("was by itself", "came by itself"),
        (false, 0 | 1) => asked.to_owned(),
        (false, many) => format!("{asked}, 1 of {many}"),
    }
}

pub(super) fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gazes_have_words() {
        let viewer = DVec3::new(0.0, 0.0, 2.0);
        for (yaw, pitch, followed, expected) in [
            (0.0, 0.0, None, "at you"),
            (3.0, 1.0, None, "at you"),
            (20.2, 4.8, None, "20° left and 5° up"),
            (-30.0, 0.2, None, "30° right"),
            (20.0, 0.0, Some((21.0, 1.0)), "at what it follows"),
            (0.0, 0.0, Some((21.0, 1.0)), "at you"),
        ] {
            let followed = followed.map(|(yaw, pitch)| Direction::new(yaw, pitch).to_vector() * 3.0);
            assert_eq!(gaze(Direction::new(yaw, pitch).to_vector(), viewer, followed), expected);
        }
    }

    #[test]
    fn long_lines_are_shortened_between_letters() {
        assert_eq!(shortened("Hallo"), "Hallo");
        assert_eq!(shortened(&"ä".repeat(300)), format!("{}…", "ä".repeat(200)));
    }
}
