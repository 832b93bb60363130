use super::*;
use crate::chance::Chance;
use proptest::prelude::*;
use std::sync::Arc;

const RATE_HZ: f64 = 30.0;

fn def(runs: Vec<Run>) -> TextureDef {
    let corpus = Corpus { name: "calm".into(), open_level: 1.0, runs, ..Corpus::default() };
    TextureDef { rate_hz: RATE_HZ, corpora: vec![corpus], ..TextureDef::default() }
}

/// Random fixations with occasional blinks.
fn run(frames: usize, seed: u64) -> Run {
    let chance = Chance::new(seed, "run");
    let (mut yaw, mut pitch) = (0.0, 0.0);
    let mut run = Run::default();
    for i in 0..frames {
        let mut draw = chance.event(i as u64);
        if draw.uniform() < 0.06 {
            (yaw, pitch) = (draw.between(-20.0, 20.0), draw.between(-10.0, 10.0));
        }
        if draw.uniform() < 0.02 && i > 3 {
            run.blinks.push(i as u32);
        }
        let since = run.blinks.last().map_or(9, |apex| i as u32 - apex);
        run.openness.push(if since < 5 { since as f32 * 0.2 } else { 1.0 });
        run.yaw_deg.push((yaw + draw.between(-0.2, 0.2)) as f32);
        run.pitch_deg.push((pitch + draw.between(-0.2, 0.2)) as f32);
    }
    run
}

fn squared(x: f64) -> f64 {
    x * x
}

/// Computes the equations of Deng 2005 with f64, one window after the other.
fn naive(def: &TextureDef, overlap: &[Sample]) -> (Vec<usize>, Vec<usize>) {
    let channels = |s: &Sample| [s.openness, s.yaw_deg, s.pitch_deg].map(f64::from);
    let all = Texture::new(def).unwrap().samples(0).iter().map(channels).collect::<Vec<_>>();
    let n = all.len() as f64;
    let mean = |c: usize| all.iter().map(|t| t[c]).sum::<f64>() / n;
    let variance = |c: usize| all.iter().map(|t| squared(t[c] - mean(c))).sum::<f64>() / (n - 1.0);
    let variances = [0, 1, 2].map(variance);
    // A constant channel is ignored.
    let varies = |c: &usize| variances[*c] > 1e-12;
    let d_tex = |a: [f64; 3], b: [f64; 3]| {
        (0..3).filter(varies).map(|c| squared(a[c] - b[c]) / variances[c]).sum::<f64>()
    };
    let of_form = |d: f64| if def.tolerance.form == Form::Literal { squared(d) } else { d };
    let rms = |of: &dyn Fn(usize) -> f64| {
        ((0..overlap.len()).map(|k| of_form(of(k))).sum::<f64>() / overlap.len() as f64).sqrt()
    };
    let tail = overlap.iter().map(channels).collect::<Vec<_>>();
    let most = (def.tolerance.epsilon * rms(&|k| d_tex(tail[k], [0.0; 3]))).max(def.tolerance.floor);
    let patch = def.frames()[0];
    let (mut first, mut fit, mut doubtful) = (0, Vec::new(), Vec::new());
    for run in &def.corpora[0].runs {
        for start in first..=first + run.openness.len() - patch {
            let distance = rms(&|k| d_tex(tail[k], all[start + k]));
            if (distance - most).abs() < 1e-5 * most {
                doubtful.push(start);
            } else if distance < most {
                fit.push(start);
            }
        }
        first += run.openness.len();
    }
    (fit, doubtful)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn candidates_match_a_naive_scan(
        seed in 0_u64..1000, lengths in prop::collection::vec(40_usize..200, 1..4), at in 0_usize..16,
        is_literal: bool, epsilon in 0.02_f64..0.6, floor in 0.0_f64..0.3,
    ) {
        let form = if is_literal { Form::Literal } else { Form::Liang };
        let runs = lengths.iter().zip(seed..).map(|(frames, seed)| run(*frames, seed)).collect();
        let def = TextureDef { tolerance: Tolerance { form, epsilon, floor }, ..def(runs) };
        let texture = Texture::new(&def).unwrap();
        let overlap = &texture.samples(0)[at..at + texture.boundary_frames()];
        let (fit, doubtful) = naive(&def, overlap);
        let mut found = texture.candidates(0, overlap);
        prop_assert!(found.contains(&at), "an overlap must match its own position");
        found.retain(|start| !doubtful.contains(start));
        prop_assert_eq!(found, fit);
    }

    #[test]
    fn the_inside_of_every_patch_is_verbatim(
        seed in 0_u64..1000, lengths in prop::collection::vec(20_usize..120, 1..4), epsilon in 0.0_f64..0.6,
    ) {
        let runs: Vec<Run> = lengths.iter().zip(seed..).map(|(frames, seed)| run(*frames, seed)).collect();
        let def = TextureDef { tolerance: Tolerance { epsilon, ..Tolerance::default() }, ..def(runs) };
        let texture = Arc::new(Texture::new(&def).unwrap());
        let mut eyes = Synthesis::new(Arc::clone(&texture), seed);
        for _ in 0..60 {
            let frames = eyes.next_patch(&PatchConstraints::default()).to_vec();
            let start = eyes.last().unwrap().start;
            let [from, to] = [texture.boundary_frames(), texture.step_frames()];
            prop_assert_eq!(&frames[from..], &texture.samples(0)[start + from..start + to]);
            let mut first = 0;
            let is_within_a_run = lengths.iter().any(|frames| {
                let run = first..first + frames;
                first += frames;
                run.contains(&start) && start + texture.patch_frames() <= run.end
            });
            prop_assert!(is_within_a_run, "{start}");
        }
    }
}

fn eyes(def: &TextureDef, seed: u64) -> Synthesis {
    Synthesis::new(Arc::new(Texture::new(def).unwrap()), seed)
}

fn frames(eyes: &mut Synthesis, patches: usize, constraints: &PatchConstraints) -> Vec<Sample> {
    (0..patches).flat_map(|_| eyes.next_patch(constraints).to_vec()).collect()
}

/// Pearson's χ² of choices among n matches has n − 1 degrees of freedom. For large n, χ² is normally distributed. It
/// is more than four standard deviations above the mean once in 30,000 times.
fn assert_uniform(counts: &[u32]) {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let chi2: f64 = counts.iter().map(|n| squared(f64::from(*n) - expected) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    assert!((chi2 - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "χ² = {chi2} of {freedom}: {counts:?}");
}

#[test]
fn all_matching_patches_are_equally_likely() {
    // If there are many matches, trying random windows finds one; if there are few, all windows are compared.
    for (epsilon, frames, is_rare) in [(0.3, 400, false), (0.05, 3000, true)] {
        let def = TextureDef {
            tolerance: Tolerance { epsilon, ..Tolerance::default() },
            ..def(vec![run(frames, 5), run(frames / 2, 6)])
        };
        let texture = Texture::new(&def).unwrap();
        let overlap = &texture.samples(0)[40..44];
        let fit = texture.candidates(0, overlap);
        assert!(fit.len() > 5, "{}", fit.len());
        let mut normal = [const { Vec::new() }; 3];
        texture.corpora[0].normalise(overlap, &mut normal);
        let query = search::Query::new(&texture.corpora[0], &normal, def.tolerance);
        let (mut by_draw, mut by_comparing) = (vec![0; fit.len()], vec![0; fit.len()]);
        for i in 0..20_000 {
            let mut draw = Chance::new(3, "choice").event(i);
            let place = |found: Option<search::Found>| fit.binary_search(&found.unwrap().start).unwrap();
            by_draw[place(query.draw(&mut draw, &mut Vec::new()))] += 1;
            if is_rare {
                by_comparing[place(query.draw_comparing(&mut draw, &mut Vec::new()))] += 1;
            }
        }
        assert_uniform(&by_draw);
        if is_rare {
            assert_uniform(&by_comparing);
        }
    }
}

#[test]
fn a_periodic_recording_stays_periodic() {
    const PERIOD: usize = 23;
    let wave = |i: usize| (crate::math::sin(i as f64 * std::f64::consts::TAU / PERIOD as f64)) as f32;
    let run = Run {
        openness: (0..10 * PERIOD).map(|i| 0.6 + 0.4 * wave(i % PERIOD)).collect(),
        yaw_deg: (0..10 * PERIOD).map(|i| 15.0 * wave((i + 4) % PERIOD)).collect(),
        pitch_deg: (0..10 * PERIOD).map(|i| 5.0 * wave((i + 9) % PERIOD)).collect(),
        ..Run::default()
    };
    let tolerance = Tolerance { epsilon: 0.05, ..Tolerance::default() };
    let mut eyes = eyes(&TextureDef { tolerance, ..def(vec![run]) }, 4);
    let all = frames(&mut eyes, 200, &PatchConstraints::default());
    for (one, later) in all.iter().zip(&all[PERIOD..]) {
        assert!((one.openness - later.openness).abs() < 1e-5 && one.gaze_apart_deg(later) < 1e-4);
    }
}

#[test]
fn seeds_determine_the_motion() {
    let def = def(vec![run(900, 1)]);
    let of = |seed| frames(&mut eyes(&def, seed), 100, &PatchConstraints::default());
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    let mut original = eyes(&def, 1);
    frames(&mut original, 17, &PatchConstraints::default());
    let mut copy = original.clone();
    assert_eq!(
        frames(&mut original, 20, &PatchConstraints::default()),
        frames(&mut copy, 20, &PatchConstraints::default()),
        "a copy must continue like the original"
    );
}

#[test]
fn the_recording_is_followed_no_longer_than_allowed() {
    for (longest_run_secs, epsilon) in [(2.0, 0.0), (4.0, 0.0), (4.0, 0.2), (0.7, 0.2)] {
        let tolerance = Tolerance { epsilon, ..Tolerance::default() };
        let def = TextureDef { longest_run_secs, tolerance, ..def(vec![run(1500, 8)]) };
        let mut eyes = eyes(&def, 3);
        let (mut followed, mut longest, mut last) = (0, 0, usize::MAX - 100);
        for _ in 0..3000 {
            let step = eyes.next_patch(&PatchConstraints::default()).len();
            let start = eyes.last().unwrap().start;
            followed = if start == last + step { followed + step } else { step };
            (longest, last) = (longest.max(followed), start);
        }
        let most = (longest_run_secs * RATE_HZ) as usize;
        assert!(longest <= most.max(16), "{longest} of {most}");
        // Without the limit, the nearest patch is always the one that follows in the recording.
        assert!(epsilon > 0.0 || 2 * longest > most - 32, "{longest} of {most}");
    }
}

#[test]
fn every_part_of_a_recording_is_used() {
    // Only the continuation of the recording matches: always taking the nearest would loop over a few places.
    let tolerance = Tolerance { epsilon: 0.001, ..Tolerance::default() };
    let mut eyes = eyes(&TextureDef { tolerance, ..def(vec![run(400, 3), run(150, 4), run(90, 5)]) }, 2);
    let mut times = [0; 640];
    for _ in 0..4000 {
        eyes.next_patch(&PatchConstraints::default());
        let start = eyes.last().unwrap().start;
        times[start..start + 20].iter_mut().for_each(|times| *times += 1);
    }
    let never = times.iter().filter(|times| **times == 0).count();
    assert!(never < 32, "{never} of 640 frames are never used");
}

#[test]
fn the_gaze_stays_in_the_requested_region() {
    let def = def(vec![run(6000, 11)]);
    let avoid_left = GazeRegion::Box { yaw_deg: [-90.0, 5.0], pitch_deg: [-90.0, 90.0] };
    for within in [avoid_left, GazeRegion::ahead(12.0)] {
        let mut eyes = eyes(&def, 5);
        frames(&mut eyes, 10, &PatchConstraints::default());
        let constraints = PatchConstraints { gaze: Some(within), ..PatchConstraints::default() };
        let boundary = eyes.texture().boundary_frames();
        for patch in 0..100 {
            let outside = eyes.next_patch(&constraints).iter().rposition(|frame| !within.contains(frame));
            assert!(eyes.last().unwrap().satisfied.gaze);
            // The first overlap is with a patch without constraints.
            let may_be = if patch == 0 { Some(boundary - 1) } else { None };
            assert!(outside <= may_be, "patch {patch}: frame {outside:?}");
        }
    }
    let nowhere = GazeRegion::Box { yaw_deg: [80.0, 81.0], pitch_deg: [0.0, 1.0] };
    let mut eyes = eyes(&def, 5);
    eyes.next_patch(&PatchConstraints { gaze: Some(nowhere), ..PatchConstraints::default() });
    let satisfied = eyes.last().unwrap().satisfied;
    assert_eq!(satisfied, Satisfied { tolerance: true, gaze: false, blink: true });
}

#[test]
fn a_blink_comes_at_the_requested_frame() {
    let def = def(vec![run(6000, 12)]);
    let mut eyes = eyes(&def, 6);
    let [patch, boundary, step] =
        [eyes.texture().patch_frames(), eyes.texture().boundary_frames(), eyes.texture().step_frames()];
    for at in boundary..patch {
        frames(&mut eyes, 7, &PatchConstraints::default());
        let constraints = PatchConstraints { blink_at: Some(at), ..PatchConstraints::default() };
        let mut frames = eyes.next_patch(&constraints).to_vec();
        let choice = *eyes.last().unwrap();
        assert!(
            choice.satisfied.blink && def.corpora[0].runs[0].blinks.contains(&((choice.start + at) as u32))
        );
        frames.extend(eyes.next_patch(&PatchConstraints::default()));
        let is_feathered = at >= step;
        assert!(frames[at].openness < if is_feathered { 0.5 } else { 1e-6 }, "{at}: {}", frames[at].openness);
    }
    eyes.next_patch(&PatchConstraints { blink_at: Some(boundary - 1), ..PatchConstraints::default() });
    assert!(!eyes.last().unwrap().satisfied.blink, "the overlap belongs to the previous patch");
    eyes.next_patch(&PatchConstraints { blink_at: Some(patch), ..PatchConstraints::default() });
    assert!(!eyes.last().unwrap().satisfied.blink, "the frame is beyond this patch");
}

#[test]
fn corpora_get_their_share_of_time() {
    let mut def = def(vec![run(900, 1)]);
    for (index, name) in ["nervous", "tired"].into_iter().enumerate() {
        let runs = vec![run(600, 20 + index as u64)];
        def.corpora.push(Corpus { name: name.into(), open_level: 1.0, runs, ..Corpus::default() });
    }
    let mut eyes = eyes(&def, 9);
    let mut weights = [0.0; MAX_CORPORA];
    weights[..3].copy_from_slice(&[1.0, 3.0, 0.0]);
    let (mut counts, mut changes, mut last) = ([0_u32; 3], 0, 9);
    const PATCHES: u32 = 40_000;
    for _ in 0..PATCHES {
        eyes.next_patch(&PatchConstraints { weights, ..PatchConstraints::default() });
        let corpus = eyes.last().unwrap().corpus;
        counts[corpus] += 1;
        changes += u32::from(corpus != last);
        last = corpus;
    }
    assert_eq!(counts[2], 0);
    // One patch in 7.5 draws a new corpus. With that many independent draws, the standard deviation of the share is
    // 0.6 percentage points. The tolerance is four standard deviations.
    let share = f64::from(counts[1]) / f64::from(PATCHES);
    assert!((share - 0.75).abs() < 0.026, "{counts:?}");
    assert!(changes < PATCHES / 10, "{changes}");
}

#[test]
fn invalid_textures_are_rejected_with_their_path() {
    type Invalidate = fn(&mut TextureDef);
    let cases: [(Invalidate, &str); 19] = [
        (|d| d.version = 2, "version: unsupported version 2; use 1"),
        (|d| d.rate_hz = 0.0, "rateHz: 0 is out of range"),
        (|d| d.rate_hz = f64::NAN, "rateHz"),
        (|d| d.patch_secs = 1e9, "patchSecs"),
        (|d| d.boundary_secs = 0.4, "boundarySecs: a boundary of 12 frames"),
        (|d| d.boundary_secs = 0.0, "boundarySecs: a boundary of 0 frames"),
        (|d| d.tolerance.epsilon = -0.1, "tolerance.epsilon"),
        (|d| d.tolerance.floor = f64::INFINITY, "tolerance.floor"),
        (|d| d.longest_run_secs = 0.5, "longestRunSecs: the longest run is shorter than a patch"),
        (|d| d.corpora.clear(), "corpora: 0 corpora"),
        (|d| d.corpora.push(d.corpora[0].clone()), "corpora[1].name: the name “calm” is already used"),
        (|d| d.corpora[0].name.clear(), "corpora[0].name"),
        (|d| d.corpora[0].open_level = -1.0, "corpora[0].openLevel"),
        (|d| d.corpora[0].runs.clear(), "corpora[0].runs"),
        (|d| d.corpora[0].runs[0].yaw_deg.truncate(99), "corpora[0].runs[0].yawDeg: 99 values for 100"),
        (|d| d.corpora[0].runs[0].openness[7] = f32::NAN, "corpora[0].runs[0].openness[7]: NaN"),
        (|d| d.corpora[0].runs[0].pitch_deg[3] = 91.0, "corpora[0].runs[0].pitchDeg[3]: 91 is out of range"),
        (|d| d.corpora[0].runs[0].blinks = vec![5, 4], "corpora[0].runs[0].blinks"),
        (|d| d.corpora[0].runs[0] = run(19, 1), "corpora[0].runs[0].openness: 19 frames are too few"),
    ];
    for (spoil, words) in cases {
        let mut spoilt = def(vec![run(100, 1)]);
        assert_eq!(spoilt.check(), Ok(()));
        spoil(&mut spoilt);
        let message = Texture::new(&spoilt).expect_err(words).to_string();
        assert!(message.contains(words), "{message}\n  does not contain {words}");
    }
}
