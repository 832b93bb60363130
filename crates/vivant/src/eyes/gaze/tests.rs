use super::*;
use proptest::prelude::*;

/// Values of paper 2 computed by hand, on the horizontal meridian: OMR 40°, HMR 75°, resetting 0.5. Columns: head,
/// target and HMF; then NM, HM, H_f and E_f.
const PETERS: [([f64; 3], [f64; 4]); 44] = [
    // Within OMR of a head at the midline: a non-mover's head stays (section 3.1).
    ([0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 0.0]),
    ([0.0, 10.0, 0.0], [0.0, 10.0, 0.0, 10.0]),
    ([0.0, 10.0, 0.25], [0.0, 10.0, 2.5, 7.5]),
    ([0.0, 10.0, 1.0], [0.0, 10.0, 10.0, 0.0]),
    ([0.0, -10.0, 0.5], [0.0, -10.0, -5.0, -5.0]),
    // The five head shares of experiment 2, with its shift of 18°.
    ([0.0, 18.0, 0.0], [0.0, 18.0, 0.0, 18.0]),
    ([0.0, 18.0, 0.25], [0.0, 18.0, 4.5, 13.5]),
    ([0.0, 18.0, 0.5], [0.0, 18.0, 9.0, 9.0]),
    ([0.0, 18.0, 0.75], [0.0, 18.0, 13.5, 4.5]),
    ([0.0, 18.0, 1.0], [0.0, 18.0, 18.0, 0.0]),
    ([0.0, 40.0, 0.0], [0.0, 40.0, 0.0, 40.0]),
    ([0.0, -40.0, 0.5], [0.0, -40.0, -20.0, -20.0]),
    // Beyond OMR: the head must help, as little as possible (Fig. 3, left).
    ([0.0, 50.0, 0.0], [10.0, 50.0, 10.0, 40.0]),
    ([0.0, 50.0, 0.5], [10.0, 50.0, 30.0, 20.0]),
    ([0.0, 50.0, 1.0], [10.0, 50.0, 50.0, 0.0]),
    ([0.0, -60.0, 0.0], [-20.0, -60.0, -20.0, -40.0]),
    ([0.0, -60.0, 0.25], [-20.0, -60.0, -30.0, -30.0]),
    ([0.0, 75.0, 0.0], [35.0, 75.0, 35.0, 40.0]),
    ([0.0, 75.0, 1.0], [35.0, 75.0, 75.0, 0.0]),
    // Beyond HMR: HM stops at its limit, the eyes do the rest (Fig. 3, right).
    ([0.0, 90.0, 0.0], [50.0, 75.0, 50.0, 40.0]),
    ([0.0, 90.0, 0.4], [50.0, 75.0, 60.0, 30.0]),
    ([0.0, 90.0, 1.0], [50.0, 75.0, 75.0, 15.0]),
    ([0.0, -100.0, 0.5], [-60.0, -75.0, -67.5, -32.5]),
    ([0.0, 115.0, 0.3], [75.0, 75.0, 75.0, 40.0]),
    // Beyond HMR + OMR: everything at its limit.
    ([0.0, 130.0, 0.0], [75.0, 75.0, 75.0, 40.0]),
    ([0.0, -150.0, 1.0], [-75.0, -75.0, -75.0, -40.0]),
    // The target is further out than the head, on the same side.
    ([20.0, 50.0, 0.0], [20.0, 50.0, 20.0, 30.0]),
    ([20.0, 50.0, 0.5], [20.0, 50.0, 35.0, 15.0]),
    ([20.0, 70.0, 0.0], [30.0, 70.0, 30.0, 40.0]),
    ([-30.0, -75.0, 0.2], [-35.0, -75.0, -43.0, -32.0]),
    ([60.0, 100.0, 0.0], [60.0, 75.0, 60.0, 40.0]),
    // Midline attraction: the target is between the head and the midline (Fig. 5).
    ([60.0, 50.0, 0.0], [10.0, 50.0, 10.0, 40.0]),
    ([60.0, 50.0, 0.5], [10.0, 50.0, 30.0, 20.0]),
    ([60.0, 50.0, 1.0], [10.0, 50.0, 50.0, 0.0]),
    ([50.0, 30.0, 0.0], [0.0, 30.0, 0.0, 30.0]),
    ([50.0, 30.0, 0.6], [0.0, 30.0, 18.0, 12.0]),
    ([-45.0, -10.0, 0.0], [0.0, -10.0, 0.0, -10.0]),
    ([30.0, 0.0, 0.5], [0.0, 0.0, 0.0, 0.0]),
    // Resetting: the target is on the other side (Fig. 4). The eyes reach the target if the head is at 30 − 40 = −10;
    // NM is half of the way from there to HM.
    ([-30.0, 30.0, 0.0], [10.0, 30.0, 10.0, 20.0]),
    ([-30.0, 30.0, 0.5], [10.0, 30.0, 20.0, 10.0]),
    ([-30.0, 30.0, 1.0], [10.0, 30.0, 30.0, 0.0]),
    // In the next line, the eyes reach the target without head movement; NM is still half of the way to HM.
    ([-20.0, 10.0, 0.0], [-5.0, 10.0, -5.0, 15.0]),
    ([20.0, -60.0, 0.0], [-40.0, -60.0, -40.0, -20.0]),
    ([40.0, -90.0, 0.5], [-62.5, -75.0, -68.75, -21.25]),
];

fn planned(head: f64, target: f64, factor: f64) -> GazePlan {
    let shift = Shift {
        head: Direction::new(head, 0.0),
        preset: GazePreset::Peters,
        ..Shift::to(Direction::new(target, 0.0), factor)
    };
    shift.plan(&Ranges::default())
}

#[test]
fn paper_2_divides_shifts_as_computed_by_hand() {
    for ([head, target, factor], expected) in PETERS {
        let plan = planned(head, target, factor);
        let found = [plan.non_mover, plan.head_mover, plan.head, plan.eye].map(|d| d.yaw_deg);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{head}° to {target}°, {factor}: {plan:?}");
        }
        let reach = (target.abs() - 115.0).max(0.0);
        assert!((plan.shortfall_deg - reach).abs() < 1e-7, "{head}° to {target}°: {plan:?}");
    }
}

/// From the midline to either side, both presets give the same shares at every factor.
#[test]
fn from_the_midline_both_presets_agree() {
    for ([head, target, factor], expected) in PETERS.into_iter().filter(|([head, ..], _)| *head == 0.0) {
        let plan = Shift::to(Direction::new(target, 0.0), factor).plan(&Ranges::default());
        if target.abs() <= 115.0 {
            let off = (plan.head.yaw_deg - expected[2]).abs().max((plan.eye.yaw_deg - expected[3]).abs());
            assert!(off < 1e-7, "{head}° to {target}°, {factor}: {plan:?}");
        }
    }
}

#[test]
fn the_torso_helps_with_targets_out_of_reach() {
    let shift = |yaw: f64| Shift::to(Direction::new(yaw, 0.0), 0.69).plan(&Ranges::default());
    for (yaw, torso) in [(60.0, 0.0), (115.0, 0.0), (-125.0, -15.0), (145.0, 45.0), (160.0, 45.0)] {
        let plan = shift(yaw);
        assert!((plan.torso.yaw_deg - torso).abs() < 1e-9, "{yaw}°: {plan:?}");
        assert_eq!(plan.shortfall_deg, 0.0, "{yaw}°: {plan:?}");
    }
    let behind = shift(-175.0);
    assert!((behind.shortfall_deg - 15.0).abs() < 1e-6, "the reach is 45 + 75 + 40: {behind:?}");
}

/// Kim 2010: 69 % to the side, 52 % up, 8 % down. Small shifts use the eyes alone.
#[test]
fn heads_take_human_shares() {
    let ranges = Ranges::default();
    let plan =
        |yaw: f64, pitch: f64, factor: f64| Shift::to(Direction::new(yaw, pitch), factor).plan(&ranges);
    assert!((plan(0.0, 20.0, 0.69).head.pitch_deg - 0.52 * 20.0).abs() < 1e-4);
    assert!((plan(0.0, -20.0, 0.69).head.pitch_deg + 0.08 * 20.0).abs() < 1e-4);
    assert!((plan(20.0, 0.0, 0.69).head.yaw_deg - 0.69 * 20.0).abs() < 1e-9);
    // Stahl 1999: within a zone the eyes move alone.
    let zoned = |yaw: f64, factor: f64| {
        let shift = Shift { eye_only_deg: EYE_ONLY_DEG, ..Shift::to(Direction::new(yaw, 0.0), factor) };
        shift.plan(&ranges).head.yaw_deg
    };
    assert_eq!(zoned(5.0, 0.69), 0.0);
    assert!((zoned(35.0, 0.69) - (0.69 * 35.0 - 17.9 * 0.31)).abs() < 1e-9);
    assert!((zoned(5.0, 1.0) - 5.0).abs() < 1e-9, "extreme head-movers have no eye-only zone");
}

/// Difference between the presets: with Peters & Qureshi 2010, small shifts in one direction add up until the head
/// points at the target; in people, they do not add up.
#[test]
fn small_shifts_do_not_turn_a_non_mover_into_a_mover() {
    let after = |preset: GazePreset| {
        let mut head = Direction::AHEAD;
        for i in 0..200 {
            let target = Direction::new(20.0 + f64::from(i % 2), -20.0);
            head = Shift { head, preset, ..Shift::to(target, 0.4) }.plan(&Ranges::default()).head;
        }
        head
    };
    let (ours, theirs) = (after(GazePreset::Human), after(GazePreset::Peters));
    assert!(ours.yaw_deg < 0.4 * 21.0 + 1e-9 && ours.pitch_deg > -1.0, "{ours:?}");
    assert!(theirs.yaw_deg > 19.0 && theirs.pitch_deg < -18.0, "{theirs:?}");
}

/// Targets steeply below are reached by nodding and leaning, not by turning towards their yaw.
#[test]
fn heads_nod_to_steep_targets() {
    let plan = Shift::to(Direction::new(120.0, -80.0), 0.69).plan(&Ranges::default());
    assert!(plan.head.yaw_deg.abs() < 30.0 && plan.torso.yaw_deg == 0.0, "{plan:?}");
    assert!(plan.torso.pitch_deg < 0.0 && plan.shortfall_deg < 20.0, "{plan:?}");
}

#[test]
fn ranges_come_from_the_rig() {
    use crate::rig::{Bone, RigParts};
    let place = |bones: &[Bone]| bones.iter().map(|b| (*b, glam::Vec3::Y)).collect::<Vec<_>>();
    let rig = |bones: &[Bone]| Rig::new(RigParts { rest_positions: place(bones), ..RigParts::default() });
    let whole =
        [Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck, Bone::Head, Bone::LeftEye, Bone::RightEye];
    let ranges = Ranges::of(&rig(&whole));
    for (found, expected) in
        [(ranges.eye.up_deg, 20.0), (ranges.head.yaw_deg, 75.0), (ranges.torso.yaw_deg, 45.0)]
    {
        assert!((found - expected).abs() < 1e-4, "{ranges:?}");
    }
    let blind = Ranges::of(&rig(&[Bone::Head]));
    assert_eq!((blind.eye, blind.torso), (Range::NONE, Range::NONE));
    let plan = Shift::to(Direction::new(20.0, 10.0), 0.0).plan(&blind);
    assert!((plan.head - Direction::new(20.0, 10.0)).eccentricity_deg() < 1e-6, "only the head turns");
}

#[test]
fn eyes_reach_an_oval_within_their_range() {
    let range = Ranges::default().eye;
    let oval = Oval::new(&range);
    let Range { yaw_deg, up_deg, down_deg } = range;
    let ends = [(yaw_deg, 0.0), (-yaw_deg, 0.0), (0.0, up_deg), (0.0, -down_deg)];
    for (yaw, pitch) in ends {
        let end = Direction::new(yaw, pitch);
        assert!(oval.contains((end * 0.999_999).to_vector()), "{end:?}");
        let held = Direction::of(oval.clamp((end * 1.5).to_vector()));
        assert!(held.angle_to(end) < 1e-9, "{held:?}");
    }
    assert!(!oval.contains(Direction::new(yaw_deg, up_deg).to_vector()), "corners are out of reach");
    let still = Oval::new(&Range::NONE);
    assert!(angle_between_deg(still.clamp(Direction::new(50.0, -70.0).to_vector()), DVec3::Z) < 1e-5);
}

#[test]
fn heads_start_after_the_eyes_and_move_slower() {
    for (gaze, ms) in [(0.0, 139.0), (10.0, 139.0), (40.0, 50.0), (60.0, 0.0), (110.0, 0.0)] {
        assert!((head_lag_secs(gaze) * 1e3 - ms).abs() < 1e-9, "{gaze}°");
    }
    assert!((head_peak_velocity_deg_per_s(40.0) - 180.0).abs() < 1e-12);
    assert!((head_secs(40.0) - 75.0 / 180.0).abs() < 1e-12);
    assert!((torso_secs(40.0) - 2.0 * head_secs(40.0)).abs() < 1e-12);
}

fn shift() -> impl Strategy<Value = Shift> {
    let direction = |yaw: f64| (-yaw..yaw, -60.0f64..60.0).prop_map(|(y, p)| Direction::new(y, p));
    let nod = (-0.3f64..0.3, -0.3f64..0.3, -0.2f64..0.2);
    (direction(179.0), direction(75.0), 0.0f64..=1.0, any::<bool>(), nod).prop_map(
        |(target, head, factor, literal, nod)| Shift {
            head: Ranges::default().head.clamp(head),
            extra_rotation: DQuat::from_euler(glam::EulerRot::YXZ, nod.0, nod.1, nod.2),
            preset: if literal { GazePreset::Peters } else { GazePreset::Human },
            eye_only_deg: if target.pitch_deg > 20.0 { EYE_ONLY_DEG } else { 0.0 },
            ..Shift::to(target, factor)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Any eye direction is clamped into the oval, no farther out than its longest axis, on the same side, and
    /// without a jump at the edge. If an oval is twice as wide as high, clamping may increase a change of direction
    /// by a quarter.
    #[test]
    fn eyes_are_clamped_to_their_oval_without_a_jump(yaw in -170.0f64..170.0, pitch in -85.0f64..85.0, way in 0.0f64..6.2) {
        const STEP_DEG: f64 = 1e-3;
        let range = Ranges::default().eye;
        let oval = Oval::new(&range);
        let d = Direction::new(yaw, pitch);
        let held = oval.clamp(d.to_vector());
        prop_assert!((held.length() - 1.0).abs() < 1e-12 && oval.contains(held));
        prop_assert!(angle_between_deg(held, DVec3::Z) <= range.yaw_deg + 1e-6);
        prop_assert!(held.x * yaw >= 0.0 && held.y * pitch >= 0.0, "{held}");
        prop_assert!(angle_between_deg(oval.clamp(held), held) < 1e-6, "clamped directions are within the oval");
        let beside = d + Direction::new(STEP_DEG * crate::math::cos(way), STEP_DEG * crate::math::sin(way));
        // Straight behind, all shortest paths to the front are equally long.
        prop_assume!(angle_between_deg(d.to_vector(), DVec3::Z) < 150.0);
        let moved = angle_between_deg(oval.clamp(beside.to_vector()), held);
        let turned = angle_between_deg(beside.to_vector(), d.to_vector());
        prop_assert!(moved <= 1.5 * turned.max(0.01 * STEP_DEG), "{moved}° by {turned}°");
    }

    /// For any input, head and eyes stay within their ranges, and the gaze is on the target or the plan reports the
    /// shortfall.
    #[test]
    fn the_gaze_arrives_or_the_plan_reports_the_shortfall(shift in shift()) {
        let ranges = Ranges::default();
        let plan = shift.plan(&ranges);
        // Eyes that just reach the target are at the limit of their range, up to rounding.
        prop_assert!(Oval::new(&ranges.eye).contains((plan.eye * (1.0 - 1e-9)).to_vector()));
        prop_assert!(ranges.head.contains(plan.head));
        prop_assert!(ranges.torso.contains(plan.torso));
        let head = plan.torso.to_rotation() * plan.head.to_rotation() * shift.extra_rotation;
        let gaze = head * plan.eye.to_vector();
        let off = angle_between_deg(gaze, shift.target.to_vector());
        prop_assert!((off - plan.shortfall_deg).abs() < 1e-6, "{off}°: {plan:?}");
    }

    #[test]
    fn the_head_share_grows_with_the_factor(shift in shift(), more in 0.0f64..=1.0) {
        let shift = Shift { extra_rotation: DQuat::IDENTITY, target: Direction::new(shift.target.yaw_deg, 0.0), ..shift };
        let shift = Shift { head: Direction::new(shift.head.yaw_deg, 0.0), ..shift };
        let higher = shift.head_movement_factor + more * (1.0 - shift.head_movement_factor);
        let share = |factor: f64| {
            let plan = Shift { head_movement_factor: factor, ..shift }.plan(&Ranges::default());
            let way = plan.head_mover.yaw_deg - plan.non_mover.yaw_deg;
            (plan.head.yaw_deg - plan.non_mover.yaw_deg) * way.signum()
        };
        prop_assert!(share(higher) >= share(shift.head_movement_factor) - 1e-9);
    }
}
