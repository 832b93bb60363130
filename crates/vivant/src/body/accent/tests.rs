use super::*;
use crate::body::stand_in;
use crate::math::rotation_vector;
use crate::rig::RigParts;
use proptest::prelude::*;

fn accents() -> Accents {
    Accents::new(&stand_in::rig(), 7)
}

/// An accent: how long after the last one, what, how strongly, and how late it is told.
type Told = (f64, u8, f64, f64);

fn told() -> impl Strategy<Value = Vec<Told>> {
    prop::collection::vec((0.0f64..1.0, 0_u8..5, 0.0f64..1.2, -0.3f64..0.6), 1..40)
}

/// Tells all accents in order; a fifth of them is a revision.
fn tell(accents: &mut Accents, list: &[Told], mut between: impl FnMut(&Accents, f64)) -> f64 {
    let mut now = 0.0;
    for (after, what, strength, notice) in list {
        now += after;
        between(accents, now);
        match what {
            0 | 1 => accents.nod(now, now + notice, *strength),
            2 => accents.brows(now, now + notice, *strength, 0.3),
            3 => accents.tilt(now, now + notice, *strength, None),
            _ => accents.forget_after(now),
        }
    }
    now + 3.0
}

#[test]
fn a_nod_is_lowest_with_the_word_and_over_within_a_moment() {
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
    assert_eq!((other, full), (0.5, 1.0), "nothing else, and nothing beyond its end");
    assert_eq!(shown(1.0 + 0.5 + 0.18 + 0.3), [0.5, 0.0, 0.0, 1.0]);
    // An avatar without brows nods all the same.
    let mut plain = Accents::new(&stand_in::rig(), 7);
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
fn what_is_no_accent_is_ignored_and_memory_is_bounded() {
    let mut accents = accents();
    accents.nod(f64::NAN, 1.0, 1.0);
    accents.nod(0.0, f64::INFINITY, 1.0);
    accents.nod(0.0, 1.0, f64::NAN);
    accents.nod(0.0, 1.0, 0.0);
    accents.nod(0.0, 1.0, -3.0);
    accents.forget_after(f64::NAN);
    assert!(!accents.is_any(0.0));
    for i in 0..10_000 {
        accents.nod(0.0, f64::from(i), 1.0);
    }
    assert_eq!((accents.pulses.len(), accents.pulses.capacity()), (MOST, MOST));
    for i in 0..10_000 {
        accents.nod(f64::from(i), f64::from(i) + 0.5, 1.0);
    }
    assert_eq!(accents.pulses.capacity(), MOST, "it did not grow");
    assert!(accents.is_any(9_999.0) && !accents.is_any(10_002.0));
}

#[test]
fn a_barge_in_ends_it_within_150_ms() {
    for at in [0.8, 0.9, 0.95, 1.0, 1.05, 1.1] {
        let mut accents = accents();
        accents.nod(0.0, 1.0, 1.0);
        accents.brows(0.0, 1.0, 1.0, 2.0);
        accents.nod(0.0, 2.0, 1.0);
        accents.forget_after(at);
        for i in 0..200 {
            let t = at + FORGET_SECS + 1e-9 + f64::from(i) * 0.01;
            assert_eq!(
                (accents.pitch_deg(t), accents.brows_weight(t)),
                (0.0, 0.0),
                "at {t}, stopped at {at}"
            );
        }
    }
}

proptest! {
    /// No nod alone is faster than 6° · 1.875 / 0.18 s. Overlaps and revisions may be as fast as several.
    #[test]
    fn nothing_jumps_and_all_stays_bounded(list in told()) {
        const STEP: f64 = 1e-3;
        let (mut accents, mut last) = (accents(), [0.0; 3]);
        let mut t = 0.0;
        let mut check = |accents: &Accents, until: f64| {
            while t < until {
                let now = [accents.pitch_deg(t), accents.roll_deg(t), accents.brows_weight(t) * 10.0];
                for (before, now) in last.iter().zip(now) {
                    assert!((now - before).abs() / STEP < 400.0, "{before} to {now} at {t}");
                }
                assert!(now[0].abs() < MOST_NOD_DEG && now[1].abs() < MOST_TILT_DEG && now[2] < MOST_BROWS * 10.0);
                (last, t) = (now, t + STEP);
            }
        };
        let end = tell(&mut accents, &list, &mut check);
        check(&accents, end + 1.0);
        prop_assert_eq!([accents.pitch_deg(end), accents.roll_deg(end), accents.brows_weight(end)], [0.0; 3]);
    }

    /// Where something is told, position and velocity go on, and a pulse by itself has no kink anywhere.
    #[test]
    fn velocities_have_no_steps(strength in 0.01f64..1.0, cut in 0.6f64..1.6) {
        let mut accents = accents();
        accents.nod(0.0, 1.0, strength);
        accents.forget_after(cut);
        let h = 1e-4;
        let velocity = |t: f64| (accents.pitch_deg(t + h) - accents.pitch_deg(t - h)) / (2.0 * h);
        for i in 0..1600 {
            let t = 0.6 + f64::from(i) * 1e-3;
            // 6° within 0.075 s each way: accelerations of 5.77 · 6 / 0.15² and what is carried on.
            let acceleration = (velocity(t + 1e-3) - velocity(t)) / 1e-3;
            prop_assert!(acceleration.abs() < 6_000.0, "{} deg/s² at {}", acceleration, t);
        }
    }

    #[test]
    fn frames_do_not_matter(list in told(), rate in 10.0f64..500.0) {
        let mut each = [accents(), accents()];
        let [seen, blind] = &mut each;
        let mut t = 0.0;
        let end = tell(seen, &list, |accents, until| {
            while t < until {
                let mut rotations = Rotations::IDENTITY;
                accents.add(t, &mut rotations, &mut []);
                t += 1.0 / rate;
            }
        });
        tell(blind, &list, |_, _| {});
        for i in 0..100 {
            let t = end - 3.0 + f64::from(i) * 0.03;
            let [mut a, mut b] = [Rotations::IDENTITY; 2];
            seen.add(t, &mut a, &mut []);
            blind.add(t, &mut b, &mut []);
            prop_assert_eq!(a, b);
        }
    }
}
