//! Motion as tables: CSV and JSON Lines.
use vivant::clip::Clip;
use vivant::rig::Rig;

/// A CSV of a clip that was fitted to the rig.
#[must_use]
pub fn csv(_rig: &Rig, _clip: &Clip) -> String {
    unimplemented!()
}

/// JSON Lines of a clip that was fitted to the rig.
#[must_use]
pub fn json_lines(_rig: &Rig, _clip: &Clip) -> String {
    unimplemented!()
}
