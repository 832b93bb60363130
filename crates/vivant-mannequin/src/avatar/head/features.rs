//! Eyebrows.

use super::shape::Head;
use super::{Patch, Place, SIDES, Spot};
use glam::Vec3;
use vivant::math::{cos32, pow32, sin32};

/// Builds the brows. Each is a flat rod that is thick towards the nose and pointed at the temple.
pub(super) fn brows(head: &Head) -> Patch {
    let mut patch = Patch::default();
    for side in SIDES {
        brow(head, side, &mut patch);
    }
    patch
}

fn brow(head: &Head, side: f32, patch: &mut Patch) {
    const STEPS: usize = 12;
    const ROUND: usize = 8;
    let rings: Vec<Vec<u32>> = (0..=STEPS)
        .map(|i| {
            let share = i as f32 / STEPS as f32;
            let along = share * share * (1.6 - 0.6 * share); // denser where it is round
            let x = 0.0165 + 0.05 * along;
            let y = 1.6135 + 0.0088 * sin32(std::f32::consts::PI * (0.12 + 0.72 * along)) - 0.004 * along;
            let middle = head.seen_at(x, y);
            // Brows are round at the nose and tapered towards the temple.
            let thick = pow32((along / 0.12 + 0.02).min(1.0), 0.5) * pow32(1.0 - 0.97 * along, 0.62);
            let ring = (0..ROUND).map(|k| {
                let turn = k as f32 / ROUND as f32 * std::f32::consts::TAU;
                let (up, out) = (0.0047 * thick * sin32(turn), 0.0024 * thick * cos32(turn));
                let at = (middle + Vec3::new(0.25 * up, up, out + 0.0006)) * Vec3::new(side, 1.0, 1.0);
                Spot { at, place: Place::Free }
            });
            patch.ring(ring)
        })
        .collect();
    for pair in rings.windows(2) {
        if side > 0.0 { patch.strip(&pair[1], &pair[0]) } else { patch.strip(&pair[0], &pair[1]) }
    }
}
