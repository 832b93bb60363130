//! Joins a patch to the previous patch. Lids are cross-faded. A cross-faded gaze would be smeared, so the gaze switches
//! at one frame.
//!
//! DIFFERENCE: paper 5 does not say how patches are joined; Liang's patches are feathered. Eyes move in saccades, and
//! viewers would notice a smeared saccade.

use super::{GazeRegion, Sample};

/// Joins the end of the previous patch, `old`, with the start of a patch, `new`.
pub(super) fn join(
    out: &mut [Sample],
    old: &[Sample],
    new: &[Sample],
    usual_step_deg: f32,
    within: Option<GazeRegion>,
) {
    let cut = cut(old, new, usual_step_deg, within);
    let count = old.len().min(new.len());
    for (j, (out, (old, new))) in out.iter_mut().zip(old.iter().zip(new)).enumerate() {
        let share = feather(j, count);
        let gaze = if j < cut { old } else { new };
        *out = Sample { openness: old.openness + (new.openness - old.openness) * share, ..*gaze };
    }
}

/// Returns the weight of the new patch at frame `j` of the overlap (Liang 2001).
fn feather(j: usize, count: usize) -> f32 {
    (j + 1) as f32 / (count + 1) as f32
}

/// Returns the first frame whose gaze is taken from the new patch. At this frame, the switch is smallest relative to
/// the eyes' own movement. So the two patches are closest there, or the switch is hidden in a saccade. The number of
/// frames outside the requested region is minimised first.
fn cut(old: &[Sample], new: &[Sample], usual_step_deg: f32, within: Option<GazeRegion>) -> usize {
    let outside = |sample: &Sample| u32::from(within.is_some_and(|within| !within.contains(sample)));
    // Start with all frames from the new patch, then move the cut forward frame by frame.
    let mut outside_at: u32 = new.iter().map(outside).sum();
    let (mut best, mut least) = (0, (u32::MAX, f32::INFINITY));
    for j in 0..old.len() {
        let cost = (outside_at, change(old, new, j, usual_step_deg));
        if cost < least {
            (best, least) = (j, cost);
        }
        outside_at = outside_at + outside(&old[j]) - outside(&new[j]);
    }
    if outside_at < least.0 { old.len() } else { best }
}

fn change(old: &[Sample], new: &[Sample], j: usize, usual_step_deg: f32) -> f32 {
    let step = |frames: &[Sample]| match frames {
        [before, after, ..] => before.gaze_apart_deg(after),
        _ => 0.0,
    };
    let from = j.saturating_sub(1);
    let steps = step(&old[from..]).max(step(&new[from..]));
    old[j].gaze_apart_deg(&new[j]) / (usual_step_deg + steps).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gaze(yaws: &[f32]) -> Vec<Sample> {
        yaws.iter().map(|yaw| Sample { openness: 1.0, yaw_deg: *yaw, pitch_deg: 0.0 }).collect()
    }

    #[test]
    fn the_gaze_switches_where_it_is_closest_or_in_a_saccade() {
        let right = GazeRegion::Box { yaw_deg: [-90.0, 0.0], pitch_deg: [-90.0, 90.0] };
        for (old, new, within, expected) in [
            ([0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.1, 1.0], None, 2),
            ([0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], None, 0),
            // The eyes jump by 10°: another 0.5° is not visible.
            ([0.0, 0.0, 10.0, 10.0], [0.5, 0.5, 10.5, 10.5], None, 2),
            ([0.0, 0.0, 0.0, 10.0], [0.2, 0.2, 0.2, 0.2], None, 3),
            // Staying in the region matters more than an invisible join.
            ([-1.0, -1.0, -1.0, -1.0], [0.1, -9.0, -9.0, -9.0], Some(right), 1),
            ([-1.0, -1.0, -1.0, -1.0], [0.1, 0.1, 0.1, 0.1], Some(right), 4),
            ([5.0, 5.0, 5.0, 5.0], [-1.0, -5.0, -5.0, -5.0], Some(right), 0),
        ] {
            assert_eq!(cut(&gaze(&old), &gaze(&new), 0.1, within), expected, "{old:?} {new:?}");
        }
    }

    proptest! {
        #[test]
        fn lids_are_cross_faded_and_gaze_is_taken_from_one_patch(
            frames in prop::collection::vec(prop::array::uniform6(-1.0_f32..1.0), 1..12)
        ) {
            let side = |at: usize| frames.iter().map(move |f| Sample {
                openness: f[at], yaw_deg: 30.0 * f[at + 1], pitch_deg: 30.0 * f[at + 2],
            }).collect::<Vec<_>>();
            let (old, new) = (side(0), side(3));
            let mut out = vec![Sample::default(); old.len()];
            join(&mut out, &old, &new, 0.1, None);
            let mut has_changed = false;
            for ((out, old), new) in out.iter().zip(&old).zip(&new) {
                let (low, high) = (old.openness.min(new.openness), old.openness.max(new.openness));
                prop_assert!((low - 1e-6..=high + 1e-6).contains(&out.openness));
                let is_new = (out.yaw_deg, out.pitch_deg) == (new.yaw_deg, new.pitch_deg);
                prop_assert!(is_new || (out.yaw_deg, out.pitch_deg) == (old.yaw_deg, old.pitch_deg));
                prop_assert!(is_new || !has_changed, "the gaze returns to the old patch");
                has_changed |= is_new && new.gaze_apart_deg(old) > 0.0;
            }
        }
    }
}
