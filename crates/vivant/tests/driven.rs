//! Eyes driven by samples: the classifier on synthetic traces with known events.
#![allow(clippy::print_stdout, reason = "tests print tables")]

#[path = "driven/synthetic.rs"]
mod synthetic;

use proptest::prelude::*;
use synthetic::{Trace, gaussian, pursuit, rest_and_jumps, sample};
use vivant::chance::Chance;
use vivant::eyes::driven::{Classifier, EyeSample, Movement, Thresholds, Verdict};

fn classify(samples: &[EyeSample]) -> Vec<Verdict> {
    let mut classifier = Classifier::new(Thresholds::default());
    samples.iter().map(|sample| classifier.push(sample)).collect()
}

fn began(verdicts: &[Verdict]) -> Vec<usize> {
    (0..verdicts.len()).filter(|i| verdicts[*i].saccade_began).collect()
}

/// Detection results for the saccades of a trace.
#[derive(Debug, Default)]
struct Score {
    found: f64,
    false_per_minute: f64,
    /// Mean number of samples from the first sample that shows a saccade to its detection.
    mean_delay: f64,
    /// Maximum number of these samples.
    most_delay: f64,
    /// Mean delay from the true onset in ms.
    mean_ms: f64,
    /// Share of detected saccades whose amplitude is within 10 % and three standard deviations of the noise.
    sized: f64,
}

fn score(trace: &Trace, noise_deg: f64) -> Score {
    let verdicts = classify(&trace.samples);
    let began = began(&verdicts);
    let (mut score, mut found) = (Score::default(), 0.0_f64);
    for jump in &trace.jumps {
        let within = jump.onset_sample..jump.last_sample + trace.slack;
        let Some(&i) = began.iter().find(|i| within.contains(i)) else { continue };
        found += 1.0;
        let delay = i.saturating_sub(jump.first_sample) as f64;
        score.mean_delay += delay;
        score.most_delay = score.most_delay.max(delay);
        score.mean_ms += 1e3 * (trace.samples[i].secs - jump.secs);
        let size = verdicts[i..].iter().find_map(|v| v.saccade_ended).map_or(0.0, |size| size.amplitude_deg);
        let off = (size - jump.amplitude_deg).abs();
        score.sized += f64::from(off <= 0.1 * jump.amplitude_deg + 3.0 * noise_deg);
    }
    score.found = found / trace.jumps.len() as f64;
    score.false_per_minute = (began.len() as f64 - found) / (trace.secs() / 60.0);
    score.mean_delay /= found.max(1.0);
    score.mean_ms /= found.max(1.0);
    score.sized /= found.max(1.0);
    score
}

const SMALL: [f64; 2] = [1.0, 3.0];
const LARGE: [f64; 2] = [3.0, 30.0];

type Row = (f64, f64, [f64; 2], f64, f64, f64);

/// Rate in Hz, noise in degrees, amplitudes; minimum share detected; maximum mean and greatest delay, in samples
/// after the first that shows a saccade. Detection takes longer if noise hides the change between two samples: six
/// standard deviations of 0.1° noise are 0.85° from one sample to the next.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    (30.0, 0.02, SMALL, 0.85, 0.1, 1.0), (30.0, 0.02, LARGE, 1.0, 0.1, 1.0),
    (30.0, 0.1, SMALL, 0.8, 0.1, 1.0), (30.0, 0.1, LARGE, 1.0, 0.1, 1.0),
    (30.0, 0.3, LARGE, 0.95, 0.4, 1.0),
    (60.0, 0.02, SMALL, 1.0, 0.1, 1.0), (60.0, 0.02, LARGE, 1.0, 0.1, 1.0),
    (60.0, 0.1, SMALL, 0.95, 0.2, 1.0), (60.0, 0.1, LARGE, 1.0, 0.2, 1.0),
    (60.0, 0.3, LARGE, 1.0, 0.7, 1.0),
    (120.0, 0.02, SMALL, 1.0, 0.1, 1.0), (120.0, 0.02, LARGE, 1.0, 0.1, 1.0),
    (120.0, 0.1, SMALL, 1.0, 0.8, 2.0), (120.0, 0.1, LARGE, 1.0, 0.5, 1.0),
    (120.0, 0.3, LARGE, 1.0, 1.5, 2.0),
    (250.0, 0.02, SMALL, 1.0, 0.6, 1.0), (250.0, 0.02, LARGE, 1.0, 0.3, 1.0),
    (250.0, 0.1, SMALL, 1.0, 2.2, 4.0), (250.0, 0.1, LARGE, 1.0, 1.5, 2.0),
    (250.0, 0.3, LARGE, 1.0, 3.0, 4.0),
    (500.0, 0.02, SMALL, 1.0, 1.6, 2.0), (500.0, 0.02, LARGE, 1.0, 1.0, 2.0),
    (500.0, 0.1, SMALL, 1.0, 3.3, 7.0), (500.0, 0.1, LARGE, 1.0, 2.5, 4.0),
    (500.0, 0.3, SMALL, 0.85, 7.5, 13.0), (500.0, 0.3, LARGE, 1.0, 5.0, 7.0),
    (1000.0, 0.02, SMALL, 1.0, 2.5, 4.0), (1000.0, 0.02, LARGE, 1.0, 1.3, 3.0),
    (1000.0, 0.1, SMALL, 1.0, 4.7, 9.0), (1000.0, 0.1, LARGE, 1.0, 3.7, 6.0),
    (1000.0, 0.3, SMALL, 0.98, 12.0, 19.0), (1000.0, 0.3, LARGE, 1.0, 8.5, 13.0),
    (2000.0, 0.1, LARGE, 1.0, 6.0, 10.0),
];

#[test]
fn saccades_are_detected_within_few_samples() {
    println!("  rate  noise  sizes    found  false/min  delay mean  most  from onset ms  sized");
    for &(rate, noise, sizes, found, mean_delay, most_delay) in TABLE {
        let got = score(&rest_and_jumps(7, rate, noise, sizes, 100), noise);
        let Score {
            found: share,
            false_per_minute: wrong,
            mean_delay: mean,
            most_delay: most,
            mean_ms,
            sized,
        } = got;
        let [small, large] = sizes;
        println!(
            "{rate:6} {noise:6} {small:3}–{large:<3}° {share:6.2} {wrong:10.2} {mean:11.2} {most:5} {mean_ms:14.1} {sized:6.2}"
        );
        assert!(share >= found, "{rate} Hz, {noise}°: {got:?}");
        assert!(mean <= mean_delay && most <= most_delay, "{rate} Hz, {noise}°: {got:?}");
        assert!(wrong <= 1.0 && sized >= 0.93, "{rate} Hz, {noise}°: {got:?}");
    }
}

#[test]
fn fixations_have_no_false_saccades() {
    for rate in [30.0, 60.0, 120.0, 250.0, 500.0, 1000.0] {
        for noise in [0.0, 0.02, 0.1, 0.3, 1.0] {
            let chance = Chance::new(3, "noise");
            let samples: Vec<EyeSample> = (0..(60.0 * rate) as u64)
                .map(|i| sample(i as f64 / rate, [5.0, -5.0], noise, &mut chance.event(i)))
                .collect();
            let verdicts = classify(&samples);
            // The first second is used to learn the noise. Six standard deviations are then exceeded by chance once
            // in 7·10⁷ samples; the noise estimate itself is off by 10–20 %.
            let jumps = began(&verdicts).into_iter().filter(|i| *i as f64 > rate).count();
            assert!(jumps <= 1, "{rate} Hz, {noise}°: {jumps}");
            let moving = verdicts.iter().filter(|v| v.movement != Some(Movement::Fixation)).count();
            assert!((moving as f64) < 0.005 * verdicts.len() as f64, "{rate} Hz, {noise}°: {moving}");
        }
    }
}

/// Eyes that accelerate to 40°/s in 0.1 s first look like a small saccade; people also start such a pursuit with one
/// (Schalén 1980: large saccades during pursuit occur mostly above 30°/s).
#[test]
fn smooth_movement_is_classified_as_pursuit() {
    println!("  rate  noise  °/s  recognised after ms  pursuit  saccades");
    for rate in [30.0, 60.0, 120.0, 250.0, 1000.0] {
        for (noise, speeds) in [(0.02, [5.0, 10.0, 20.0, 30.0, 40.0]), (0.1, [10.0, 15.0, 20.0, 30.0, 40.0])]
        {
            for speed in speeds {
                let samples = pursuit(rate, noise, speed, 5);
                let verdicts = classify(&samples);
                let is = |from: f64, to: f64, movement: Movement| {
                    let within = (0..samples.len()).filter(|i| (from..to).contains(&samples[*i].secs));
                    within.clone().filter(|i| verdicts[*i].movement == Some(movement)).count() as f64
                        / within.count() as f64
                };
                let first = (0..samples.len()).find(|i| verdicts[*i].movement == Some(Movement::Pursuit));
                let after = first.map_or(f64::INFINITY, |i| 1e3 * (samples[i].secs - 1.0));
                let (smooth, jumps) = (is(1.25, 2.0, Movement::Pursuit), began(&verdicts).len());
                println!("{rate:6} {noise:6} {speed:4} {after:20.0} {smooth:8.2} {jumps:9}");
                let most_jumps = usize::from(speed > 25.0);
                assert!(
                    smooth > 0.85 && jumps <= most_jumps,
                    "{rate} Hz, {noise}°, {speed}°/s: {smooth}, {jumps}"
                );
                assert!(
                    after <= if speed > 25.0 { 350.0 } else { 210.0 },
                    "{rate} Hz, {noise}°, {speed}°/s: after {after} ms"
                );
                assert!(is(0.2, 1.0, Movement::Fixation) > 0.99 && is(2.35, 3.0, Movement::Fixation) > 0.95);
            }
        }
    }
}

/// Both eyes at one direction for some samples, or lost.
#[derive(Clone, Copy)]
enum Part {
    At(f64, f64, u32),
    Lost(u32),
    /// No samples at all.
    Hole(u32),
}
use Part::{At, Hole, Lost};

/// Converts parts to samples at 100 Hz.
fn parts(parts: &[Part]) -> Vec<EyeSample> {
    let (mut samples, mut i) = (Vec::new(), 0);
    for part in parts {
        let (eye, count) = match *part {
            At(yaw, pitch, count) => (Some([yaw, pitch]), count),
            Lost(count) | Hole(count) => (None, count),
        };
        for _ in 0..count {
            if !matches!(part, Hole(_)) {
                samples.push(EyeSample { left: eye, right: eye, ..EyeSample::at(0.01 * f64::from(i)) });
            }
            i += 1;
        }
    }
    samples
}

/// Returns saccades as first sample, last sample, amplitude and vertical component.
fn events(verdicts: &[Verdict]) -> Vec<(usize, usize, f64, f64)> {
    let mut events = Vec::new();
    for i in began(verdicts) {
        let ended = (i..verdicts.len()).find_map(|j| verdicts[j].saccade_ended.map(|size| (j, size)));
        let (j, size) = ended.unwrap();
        events.push((i, j, size.amplitude_deg, size.vertical_deg));
    }
    events
}

#[test]
fn jumps_over_gaps_are_completed_saccades() {
    for (input, expected) in [
        (vec![At(0.0, 0.0, 50), At(3.0, -4.0, 50)], vec![(50, 51, 5.0, -4.0)]),
        (vec![At(0.0, 0.0, 50), Lost(20), At(3.0, -4.0, 50)], vec![(70, 70, 5.0, -4.0)]),
        (vec![At(0.0, 0.0, 50), Hole(20), At(3.0, -4.0, 50)], vec![(50, 50, 5.0, -4.0)]),
        (vec![At(0.0, 0.0, 50), Lost(20), At(0.2, 0.0, 50)], vec![]),
        // One lost sample is bridged.
        (vec![At(0.0, 0.0, 50), Lost(1), At(10.0, 0.0, 50)], vec![(51, 52, 10.0, 0.0)]),
        // Lost during the saccade: the first part ends there, and the rest is found after the gap.
        (
            vec![At(0.0, 0.0, 50), At(6.0, 0.0, 1), Lost(20), At(9.0, 0.0, 50)],
            vec![(50, 53, 6.0, 0.0), (71, 71, 3.0, 0.0)],
        ),
        (vec![Lost(20), At(9.0, 0.0, 50)], vec![]),
    ] {
        let samples = parts(&input);
        let verdicts = classify(&samples);
        let got = events(&verdicts);
        assert_eq!(got.len(), expected.len(), "{got:?}, expected {expected:?}");
        for (got, want) in got.iter().zip(&expected) {
            assert!(
                (got.0, got.1) == (want.0, want.1)
                    && (got.2 - want.2).abs() < 0.01
                    && (got.3 - want.3).abs() < 0.01,
                "{got:?}, expected {want:?}"
            );
        }
        for (sample, verdict) in samples.iter().zip(&verdicts) {
            let lost = sample.left.is_none();
            assert_eq!(
                (verdict.is_gap, verdict.movement.is_none(), verdict.gaze.is_none()),
                (lost, lost, lost)
            );
        }
    }
}

#[test]
fn malformed_samples_change_nothing_or_are_gaps() {
    let good = |i: u32| EyeSample {
        left: Some([1.0, 2.0]),
        right: Some([1.0, 2.0]),
        ..EyeSample::at(0.01 * f64::from(i))
    };
    let both = |eye: [f64; 2]| EyeSample { left: Some(eye), right: Some(eye), ..EyeSample::at(0.5) };
    for (bad, is_gap) in [
        (EyeSample { secs: f64::NAN, ..good(50) }, false),
        (EyeSample { secs: f64::NEG_INFINITY, ..good(50) }, false),
        (EyeSample { secs: 0.3, ..both([20.0, 0.0]) }, false),
        (EyeSample { secs: 0.49, ..both([20.0, 0.0]) }, false),
        (both([f64::NAN, 0.0]), true),
        (both([0.0, f64::INFINITY]), true),
        (both([1e300, 0.0]), true),
        (EyeSample::at(0.5), true),
        (EyeSample { openness: Some([f64::NAN, f64::NEG_INFINITY]), ..both([1.0, 2.0]) }, false),
    ] {
        let samples: Vec<EyeSample> = (0..50).map(good).chain([bad]).chain((51..100).map(good)).collect();
        let verdicts = classify(&samples);
        assert_eq!(verdicts[50].is_gap, is_gap, "{bad:?}");
        let quiet =
            |v: &Verdict| !v.saccade_began && v.saccade_ended.is_none() && !v.blink_began && !v.blink_ended;
        assert!(verdicts.iter().all(quiet), "{bad:?}");
        assert!((0..100).filter(|i| *i != 50).all(|i| verdicts[i].gaze == Some([1.0, 2.0])), "{bad:?}");
    }
}

#[test]
fn losing_one_eye_moves_neither_gaze_nor_vergence() {
    let eyes = |left: bool, right: bool, i: u32| EyeSample {
        left: left.then_some([-3.0, 1.0]),
        right: right.then_some([5.0, 1.0]),
        ..EyeSample::at(0.01 * f64::from(i))
    };
    let samples: Vec<EyeSample> =
        (0..200).map(|i| eyes(!(50..100).contains(&i), !(120..150).contains(&i), i)).collect();
    for (i, verdict) in classify(&samples).iter().enumerate() {
        let [yaw, pitch] = verdict.gaze.unwrap();
        assert!((yaw - 1.0).abs() < 1e-9 && (pitch - 1.0).abs() < 1e-9, "{i}: {verdict:?}");
        assert!((verdict.vergence_deg + 8.0).abs() < 1e-9 && !verdict.saccade_began, "{i}: {verdict:?}");
    }
    let alone = classify(&[eyes(true, false, 0), eyes(true, false, 1)])[1];
    assert_eq!((alone.gaze, alone.vergence_deg), (Some([-3.0, 1.0]), 0.0));
}

#[test]
fn labels_of_the_source_take_precedence() {
    let mut samples = parts(&[At(0.0, 0.0, 20), At(0.2, 0.1, 2), At(0.3, 0.2, 20), At(20.0, 0.0, 20)]);
    for (i, sample) in samples.iter_mut().enumerate() {
        sample.movement = Some(match i {
            20..22 => Movement::Saccade,
            30..42 => Movement::Pursuit,
            _ => Movement::Fixation,
        });
    }
    let verdicts = classify(&samples);
    assert!(verdicts.iter().zip(&samples).all(|(verdict, sample)| verdict.movement == sample.movement));
    let [(20, 22, amplitude, vertical)] = events(&verdicts)[..] else { panic!("{:?}", events(&verdicts)) };
    assert!((amplitude - 0.13_f64.sqrt()).abs() < 1e-9 && (vertical - 0.2).abs() < 1e-9);
}

#[test]
fn gaze_during_blinks_is_ignored() {
    let mut samples = parts(&[At(0.0, 0.0, 50), At(0.0, -15.0, 20), At(0.0, 0.0, 50)]);
    for sample in &mut samples[48..72] {
        sample.blink = Some(true);
    }
    let edges = |verdicts: &[Verdict]| {
        let at = |edge: fn(&Verdict) -> bool| {
            (0..verdicts.len()).filter(|i| edge(&verdicts[*i])).collect::<Vec<_>>()
        };
        (at(|v| v.blink_began), at(|v| v.blink_ended), at(|v| v.saccade_began))
    };
    // No lid signal after sample 71: the lids open half a second later …
    let verdicts = classify(&samples);
    assert_eq!(edges(&verdicts), (vec![48], vec![], vec![]));
    // … or when the source reports it.
    samples[72..].iter_mut().for_each(|sample| sample.blink = Some(false));
    assert_eq!(edges(&classify(&samples)), (vec![48], vec![72], vec![]));
    let mut seeing = Classifier::new(Thresholds { sees_through_lids: true, ..Thresholds::default() });
    let verdicts: Vec<Verdict> = samples.iter().map(|sample| seeing.push(sample)).collect();
    assert_eq!(edges(&verdicts), (vec![48], vec![72], vec![50, 70]));
}

#[test]
fn jitter_and_rate_changes_cause_no_saccades() {
    let chance = Chance::new(11, "jitter");
    let (mut secs, mut samples) = (1e6, Vec::new());
    for i in 0..6000_u64 {
        let mut draw = chance.event(i);
        let period = [0.001, 0.008, 0.033, 0.004][(i / 1500) as usize];
        // Half a period of jitter, and sometimes two samples with nearly the same timestamp.
        secs += if i % 40 == 0 { 1e-7 } else { period * (0.5 + draw.uniform()) };
        samples.push(sample(secs, [3.0 + 0.05 * gaussian(&mut draw), 0.0], 0.05, &mut draw));
    }
    let verdicts = classify(&samples);
    assert!(began(&verdicts).len() <= 1, "{:?}", began(&verdicts));
    for (i, period) in [(1499, 0.001), (2999, 0.008), (4499, 0.033), (5999, 0.004)] {
        let got = verdicts[i].period_secs;
        assert!((got / period - 1.0_f64).abs() < 0.35, "{got}, expected {period}");
    }
}

fn hostile() -> impl Strategy<Value = EyeSample> {
    let number = prop_oneof![4 => -40.0..40.0, 1 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(1e308)];
    let eye = proptest::option::weighted(0.8, prop::array::uniform2(number.clone()));
    let secs = prop_oneof![8 => 0.0..2.0, 1 => any::<f64>()];
    let label = prop_oneof![
        6 => Just(None), 1 => Just(Some(Movement::Fixation)), 1 => Just(Some(Movement::Saccade)), 1 => Just(Some(Movement::Pursuit))
    ];
    let open = proptest::option::of(prop::array::uniform2(prop_oneof![3 => 0.0..1.0, 1 => any::<f64>()]));
    (secs, eye.clone(), eye, label, proptest::option::of(any::<bool>()), open).prop_map(
        |(secs, left, right, movement, blink, openness)| EyeSample {
            secs,
            left,
            right,
            movement,
            blink,
            openness,
        },
    )
}

fn thresholds() -> impl Strategy<Value = Thresholds> {
    (any::<[f64; 4]>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(n, gap_is_blink, sees_through_lids, odd)| {
            let flags = Thresholds { gap_is_blink, sees_through_lids, ..Thresholds::default() };
            if !odd {
                return flags;
            }
            Thresholds {
                saccade_deg_per_s: n[0],
                pursuit_deg_per_s: n[1],
                small_deg: n[2],
                noise_factor: n[3],
                ..flags
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Time steps are mostly forward, since most samples would be ignored otherwise.
    #[test]
    fn any_samples_give_finite_verdicts_with_alternating_edges(
        samples in prop::collection::vec((hostile(), 0.0..0.05f64, any::<u8>()), 1..300), thresholds in thresholds()
    ) {
        let mut secs = 0.0;
        let samples: Vec<EyeSample> = samples.into_iter().map(|(sample, step, odd)| {
            secs += step;
            if odd < 230 { EyeSample { secs, ..sample } } else { sample }
        }).collect();
        let run = || {
            let mut classifier = Classifier::new(thresholds);
            samples.iter().map(|sample| classifier.push(sample)).collect::<Vec<_>>()
        };
        let (mut jumping, mut blinking) = (false, false);
        let verdicts = run();
        prop_assert_eq!(&verdicts, &run());
        for verdict in verdicts {
            prop_assert!(verdict.period_secs > 0.0 && verdict.period_secs <= 0.5);
            prop_assert!(verdict.vergence_deg.is_finite() && verdict.gaze.is_none_or(|g| g.iter().all(|x| x.is_finite())));
            prop_assert_eq!(verdict.is_gap, verdict.movement.is_none());
            if let Some(size) = verdict.saccade_ended {
                prop_assert!(size.amplitude_deg.is_finite() && size.vertical_deg.is_finite() && size.secs >= 0.0 && size.secs.is_finite());
            }
            for (state, began, ended) in [
                (&mut jumping, verdict.saccade_began, verdict.saccade_ended.is_some()),
                (&mut blinking, verdict.blink_began, verdict.blink_ended),
            ] {
                prop_assert!(!(*state && began), "started twice");
                prop_assert!(*state || began || !ended, "ended without a start");
                *state = (*state || began) && !ended;
            }
        }
    }
}
