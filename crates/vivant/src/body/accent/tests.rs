use super::*;
use crate::body::test_rig;
use crate::math::rotation_vector;
use crate::rig::RigParts;
use proptest::prelude::*;

fn accents() -> Accents {
    Accents::new(&test_rig::rig(), 7)
}

/// An accent: seconds after the previous one, kind, strength, and seconds from the request to the accent.
type AccentStep = (f64, u8, f64, f64);

fn steps() -> impl Strategy<Value = Vec<AccentStep>> {
    prop::collection::vec((0.0f64..1.0, 0_u8..5, 0.0f64..1.2, -0.3f64..0.6), 1..40)
}

/// Adds the accents in order; kind 4 cancels accents instead. Calls `between` before each accent. Returns a time at
/// which all accents are over.
fn apply(accents: &mut Accents, list: &[AccentStep], mut between: impl FnMut(&Accents, f64)) -> f64 {
    let mut now = 0.0;
    for (after, what, strength, notice) in list {
        now += after;
        between(accents, now);
        match what {
            0 | 1 => accents.nod(now, now + notice, *strength),
            2 => accents.brows(now, now + notice, *strength, 0.3),
            3 => accents.tilt(now, now + notice, *strength, None),
            _ => accents.cancel_after(now),
        }
    }
    now + 3.0
}

#[test]
fn a_nod_is_lowest_at_the_word_and_short() {
    for strength in [0.1, 0.5, 1.0] {
        let mut accents = accents();
        accents.nod(0.0, 1.0, strength);
        let deepest = accents.pitch_deg(1.0);
        assert!((1.9..6.0).contains(&deepest), "{deepest}°");
        let times = (0..2000).map(|i| f64::from(i) * 0.001);
        let seen: Vec<f64> = times.filter(|t| accents.pitch_deg(*t) != 0.0).collect();
        let secs = seen[seen.len() - 1] - seen[0];
        assert!((0.33..0.61).contains(&secs), "{secs} s");
        assert!((0..2000).all(|i| accents.pitch_deg(f64::from(i) * 0.001) <= deepest + 1e-9));
    }
}

#[test]
fn brows_rise_just_before_the_word_and_are_held() {
    let parts = RigParts {
        channels: ["happy", "browInnerUp", "browOuterUpLeft", "browOuterUpRight"]
            .map(|name| Channel::from(name.to_owned()))
            .to_vec(),
        ..RigParts::default()
    };
    let mut accents = Accents::new(&Rig::new(parts), 7);
    accents.brows(0.0, 1.0, 1.0, 0.5);
    let shown = |t: f64| {
        let (mut rotations, mut weights) = (Rotations::IDENTITY, [0.5, 0.0, 0.0, 1.0]);
        accents.add(t, &mut rotations, &mut weights);
        weights
    };
    assert_eq!(shown(0.93), [0.5, 0.0, 0.0, 1.0]);
    assert!(shown(1.0)[1] > 0.0);
    let [other, inner, outer, full] = shown(1.4);
    assert!((0.3..0.46).contains(&inner) && inner == outer, "{inner}");
    assert_eq!((other, full), (0.5, 1.0), "other expressions are unchanged, full weights stay at 1");
    assert_eq!(shown(1.0 + 0.5 + 0.18 + 0.3), [0.5, 0.0, 0.0, 1.0]);
    // An avatar without brows can still nod.
    let mut plain = Accents::new(&test_rig::rig(), 7);
    plain.brows(0.0, 1.0, 1.0, 0.5);
    let mut rotations = Rotations::IDENTITY;
    plain.add(1.4, &mut rotations, &mut []);
    assert_eq!(rotations, Rotations::IDENTITY);
}

#[test]
fn neck_and_head_share_the_nod() {
    let mut accents = accents();
    accents.nod(0.0, 1.0, 1.0);
    accents.tilt(0.0, 1.0, 1.0, None);
    let mut rotations = Rotations::IDENTITY;
    accents.add(1.0, &mut rotations, &mut []);
    let turned = [Bone::Neck, Bone::Head].map(|bone| rotation_vector(rotations.get(bone)));
    let pitch: f32 = turned.iter().map(|r| r.x.to_degrees()).sum();
    let roll: f32 = turned.iter().map(|r| r.z.to_degrees()).sum();
    assert!((f64::from(pitch) - accents.pitch_deg(1.0)).abs() < 0.05, "{pitch}");
    assert!((f64::from(roll) - accents.roll_deg(1.0)).abs() < 0.05, "{roll}");
    assert!(turned[0].x > 0.0 && turned[1].x > turned[0].x, "down is positive");
    assert_eq!(rotations.get(Bone::Chest), glam::Quat::IDENTITY);
}

#[test]
fn invalid_accents_are_ignored_and_memory_is_bounded() {
    let mut accents = accents();
    accents.nod(f64::NAN, 1.0, 1.0);
    accents.nod(0.0, f64::INFINITY, 1.0);
    accents.nod(0.0, 1.0, f64::NAN);
    accents.nod(0.0, 1.0, 0.0);
    accents.nod(0.0, 1.0, -3.0);
    accents.cancel_after(f64::NAN);
    assert!(!accents.is_active_after(0.0));
    for i in 0..10_000 {
        accents.nod(0.0, f64::from(i), 1.0);
    }
    assert_eq!((accents.pulses.len(), accents.pulses.capacity()), (MAX_ACCENTS, MAX_ACCENTS));
    for i in 0..10_000 {
        accents.nod(f64::from(i), f64::from(i) + 0.5, 1.0);
    }
    assert_eq!(accents.pulses.capacity(), MAX_ACCENTS, "the capacity did not grow");
    assert!(accents.is_active_after(9_999.0) && !accents.is_active_after(10_002.0));
}

#[test]
fn a_barge_in_ends_accents_within_150_ms() {
    for at in [0.8, 0.9, 0.95, 1.0, 1.05, 1.1] {
        let mut accents = accents();
        accents.nod(0.0, 1.0, 1.0);
        accents.brows(0.0, 1.0, 1.0, 2.0);
        accents.nod(0.0, 2.0, 1.0);
        accents.cancel_after(at);
        for i in 0..200 {
            let t = at + CANCEL_SECS + 1e-9 + f64::from(i) * 0.01;
            assert_eq!(
                (accents.pitch_deg(t), accents.brows_weight(t)),
                (0.0, 0.0),
                "at {t}, stopped at {at}"
            );
        }
    }
}

proptest! {
    /// A single nod is no faster than 6° · 1.875 / 0.18 s. The speeds of overlapping and cancelled accents may add
    /// up.
    #[test]
    fn accents_never_jump_and_stay_bounded(list in steps()) {
        const STEP: f64 = 1e-3;
        let (mut accents, mut last) = (accents(), [0.0; 3]);
        let mut t = 0.0;
        let mut check = |accents: &Accents, until: f64| {
            while t < until {
                let now = [accents.pitch_deg(t), accents.roll_deg(t), accents.brows_weight(t) * 10.0];
                for (before, now) in last.iter().zip(now) {
                    assert!((now - before).abs() / STEP < 400.0, "{before} to {now} at {t}");
                }
                assert!(now[0].abs() < MAX_NOD_DEG && now[1].abs() < MAX_TILT_DEG && now[2] < MAX_BROWS * 10.0);
                (last, t) = (now, t + STEP);
            }
        };
        let end = apply(&mut accents, &list, &mut check);
        check(&accents, end + 1.0);
        prop_assert_eq!([accents.pitch_deg(end), accents.roll_deg(end), accents.brows_weight(end)], [0.0; 3]);
    }

    /// Position and velocity are continuous at every change, and a single pulse has no kink.
    #[test]
    fn velocities_have_no_steps(strength in 0.01f64..1.0, cut in 0.6f64..1.6) {
        let mut accents = accents();
        accents.nod(0.0, 1.0, strength);
        accents.cancel_after(cut);
        let h = 1e-4;
        let velocity = |t: f64| (accents.pitch_deg(t + h) - accents.pitch_deg(t - h)) / (2.0 * h);
        for i in 0..1600 {
            let t = 0.6 + f64::from(i) * 1e-3;
            // 6° within 0.075 s each way: accelerations of 5.77 · 6 / 0.15², plus inherited motion.
            let acceleration = (velocity(t + 1e-3) - velocity(t)) / 1e-3;
            prop_assert!(acceleration.abs() < 6_000.0, "{} deg/s² at {}", acceleration, t);
        }
    }

    #[test]
    fn accents_do_not_depend_on_the_frame_rate(list in steps(), rate in 10.0f64..500.0) {
        let mut each = [accents(), accents()];
        let [seen, blind] = &mut each;
        let mut t = 0.0;
        let end = apply(seen, &list, |accents, until| {
            while t < until {
                let mut rotations = Rotations::IDENTITY;
                accents.add(t, &mut rotations, &mut []);
                t += 1.0 / rate;
            }
        });
        apply(blind, &list, |_, _| {});
        for i in 0..100 {
            let t = end - 3.0 + f64::from(i) * 0.03;
            let [mut a, mut b] = [Rotations::IDENTITY; 2];
            seen.add(t, &mut a, &mut []);
            blind.add(t, &mut b, &mut []);
            prop_assert_eq!(a, b);
        }
    }
}
