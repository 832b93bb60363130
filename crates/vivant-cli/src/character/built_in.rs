//! What the built-in character can do.

use crate::material::BUILT_IN;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Action, Repertoire, Stance};

/// One stance, with the starter clips as its gestures and fidgets.
pub(super) fn repertoire() -> Repertoire {
    let mut standing = Stance::new("standing", None);
    standing.gestures = vec![
        action("wave", Layer::Arms, &[]),
        action("shrug", Layer::Arms, &[]),
        action("explain", Layer::Arms, &[]),
        action("nod", Layer::Head, &["positive"]),
        action("shake", Layer::Head, &["negative"]),
    ];
    standing.fidgets = vec![
        action("chin_touch", Layer::Arms, &[]),
        action("stretch", Layer::Arms, &[]),
        action("look_around", Layer::Head, &[]),
        action("weight_shift_left", Layer::Body, &[]),
        action("weight_shift_right", Layer::Body, &[]),
    ];
    Repertoire { stances: vec![standing], ..Repertoire::default() }
}

fn action(clip: &str, layer: Layer, tags: &[&str]) -> Action {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Action { layers: vec![layer], tags, ..Action::new(format!("{BUILT_IN}#{clip}")) }
}
