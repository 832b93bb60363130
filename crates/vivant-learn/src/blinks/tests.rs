mod made;
mod odd;
mod recorded;

use super::*;
use made::{Scene, gaussian};
use proptest::prelude::*;
use vivant::chance::Chance;
use vivant::eyes::blink::Blink;

/// Five frames of the paper's film at 300 fps, in seconds.
const FIVE_FRAMES_SECS: f64 = 5.0 / 300.0;

/// Result of labelling a scene.
#[derive(Default)]
struct Score {
    blinks: usize,
    found: usize,
    /// Blinks without another lid movement at the same time.
    alone: usize,
    on_time: usize,
    false_alarms: Vec<Event>,
}

fn score(events: &[Event], scene: &Scene, onset_secs: f64) -> Score {
    let mut left = events.to_vec();
    let mut score = Score { blinks: scene.blinks.len(), ..Score::default() };
    for truth in &scene.blinks {
        let hit = left.iter().position(|event| truth.apex_is(event.apex_secs)).map(|i| left.remove(i));
        let is_on_time = hit.is_some_and(|event| (event.onset_secs - truth.onset_secs).abs() <= onset_secs);
        score.found += usize::from(hit.is_some());
        score.alone += usize::from(!truth.is_mixed);
        score.on_time += usize::from(!truth.is_mixed && is_on_time);
    }
    score.false_alarms = left;
    score
}

#[test]
fn blinks_are_found_despite_noise_drift_and_downward_gaze() {
    for rate in [60.0, 90.0, 120.0, 200.0, 240.0, 300.0, 500.0, 1000.0] {
        let (mut blinks, mut found, mut alone, mut on_time) = (0, 0, 0, 0);
        for seed in 0..12 {
            let scene = Scene::new(seed, rate, 60.0);
            let events = label(&scene.openness, rate, &Options::default());
            // The tolerance is at least one sample.
            let score = score(&events, &scene, FIVE_FRAMES_SECS.max(1.5 / rate) + 1e-9);
            assert!(score.false_alarms.is_empty(), "{seed} at {rate} Hz: {:?}", score.false_alarms);
            blinks += score.blinks;
            found += score.found;
            alone += score.alone;
            on_time += score.on_time;
        }
        assert!(blinks > 150 && found as f64 >= 0.98 * blinks as f64, "{rate} Hz: {found} of {blinks}");
        assert!(on_time as f64 >= 0.98 * alone as f64, "{rate} Hz: {on_time} of {alone} onsets");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn scenes_have_no_false_alarms_and_few_missed_blinks(
        seed in 0u64..1 << 40,
        rate in prop::sample::select(vec![60.0, 120.0, 240.0, 300.0, 1000.0]),
    ) {
        let scene = Scene::new(seed, rate, 60.0);
        let score = score(&label(&scene.openness, rate, &Options::default()), &scene, FIVE_FRAMES_SECS);
        prop_assert!(score.false_alarms.is_empty(), "{:?}", score.false_alarms);
        prop_assert!(score.found + 2 >= score.blinks, "{} of {}", score.found, score.blinks);
    }

    #[test]
    fn the_unit_does_not_matter(seed in 0u64..1 << 40, scale in 1e-3..1e3f64) {
        let scene = Scene::new(seed, 120.0, 20.0);
        let events = label(&scene.openness, 120.0, &Options::default());
        let scaled: Vec<f64> = scene.openness.iter().map(|x| x * scale).collect();
        let again = label(&scaled, 120.0, &Options::default());
        prop_assert_eq!(events.len(), again.len());
        for (one, other) in events.iter().zip(&again) {
            prop_assert_eq!((one.onset_secs, one.offset_secs, one.kind), (other.onset_secs, other.offset_secs, other.kind));
            prop_assert!((one.amplitude * scale - other.amplitude).abs() <= 1e-9 * scale);
        }
    }

    #[test]
    fn events_are_ordered_and_within_the_signal_for_any_input(
        signal in prop::collection::vec(prop_oneof![8 => -2.0..12.0f64, 1 => Just(f64::NAN), 1 => Just(f64::INFINITY)], 0..400),
        rate in 0.1..3000.0f64,
        arbitrary in any::<bool>(),
    ) {
        let zero = if arbitrary { Zero::Arbitrary } else { Zero::Shut };
        let last = signal.len() as f64 / rate;
        let mut before = 0.0;
        for end in [End::Gradient, End::VanderWerf95] {
            for event in label_with_gaze(&signal, &signal, rate, &Options { end, zero }) {
                prop_assert!(event.onset_secs <= event.apex_secs && event.apex_secs <= event.offset_secs, "{event:?}");
                prop_assert!(event.onset_secs >= before && event.offset_secs <= last, "{event:?}");
                prop_assert!((0.0..=1.0).contains(&event.completeness), "{event:?}");
                before = event.offset_secs - 1e-9;
            }
            before = 0.0;
        }
    }
}

/// Returns a signal of four seconds with a blink at two seconds. The eye stays closed for an additional `hold_secs`.
fn held(size: f64, hold_secs: f64, rate: f64) -> Vec<f64> {
    let blink = Blink::new(40.0);
    let top = blink.closed_at_secs();
    let closure = |t: f64| match t {
        t if t < top => blink.closure(t),
        t if t < top + hold_secs => 1.0,
        t => blink.closure(t - hold_secs),
    };
    let count = ((4.0 + hold_secs) * rate) as usize;
    (0..count).map(|i| 1.0 - size * closure(i as f64 / rate - 2.0)).collect()
}

fn noisy(signal: &[f64], sigma: f64, seed: u64) -> Vec<f64> {
    let mut draw = Chance::new(seed, "noise").event(0);
    signal.iter().map(|x| x + sigma * gaussian(&mut draw)).collect()
}

#[test]
fn kinds_depend_on_depth_and_duration() {
    let check = |size: f64, hold_secs: f64, kind: Option<Kind>| {
        for rate in [60.0, 120.0, 240.0, 1000.0] {
            let signal = noisy(&held(size, hold_secs, rate), 0.01, 3);
            let kinds: Vec<Kind> =
                label(&signal, rate, &Options::default()).iter().map(|event| event.kind).collect();
            assert_eq!(kinds, Vec::from_iter(kind), "{size} for {hold_secs} s at {rate} Hz");
        }
    };
    check(1.0, 0.0, Some(Kind::Blink));
    check(0.8, 0.0, Some(Kind::Blink));
    check(0.5, 0.0, Some(Kind::Partial));
    check(0.3, 0.0, Some(Kind::Partial));
    check(0.1, 0.0, None);
    check(1.0, 0.2, Some(Kind::Blink));
    check(1.0, 0.7, Some(Kind::Long));
    check(1.0, 3.0, Some(Kind::Long));
    check(0.65, 0.9, Some(Kind::Squint));
    check(0.4, 0.6, None);
    check(0.3, 2.0, None);
}

/// Eyes that are narrower for a second after a blink do not squint.
#[test]
fn narrower_eyes_after_a_blink_are_not_a_squint() {
    for rate in [24.0, 60.0, 240.0] {
        let narrower = |secs: f64| match secs {
            t if t < 3.2 => 1.0 - 0.35 * (t - 2.1).clamp(0.0, 0.1) / 0.1,
            _ => 1.0,
        };
        let open = held(1.0, 0.0, rate);
        let signal: Vec<f64> =
            open.iter().enumerate().map(|(i, x)| x.min(narrower(i as f64 / rate))).collect();
        let kinds: Vec<Kind> =
            label(&signal, rate, &Options::default()).iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [Kind::Blink], "{rate} Hz");
    }
}

#[test]
fn lowered_lids_are_a_squint_unless_the_gaze_is_lowered() {
    let rate = 120.0;
    let signal = noisy(&held(0.6, 1.0, rate), 0.01, 5);
    let pitch = |lowered: f64| -> Vec<f64> {
        signal.iter().enumerate().map(|(i, _)| if (240..370).contains(&i) { -lowered } else { 0.0 }).collect()
    };
    let kinds = |pitch: &[f64]| -> Vec<Kind> {
        label_with_gaze(&signal, pitch, rate, &Options::default()).iter().map(|event| event.kind).collect()
    };
    assert_eq!(kinds(&pitch(25.0)), []);
    assert_eq!(kinds(&pitch(0.0)), [Kind::Squint]);
    assert_eq!(kinds(&[]), [Kind::Squint]);
}

#[test]
fn vanderwerf_end_is_at_95_percent_opening() {
    let signal = held(1.0, 0.0, 300.0);
    let events = label(&signal, 300.0, &Options { end: End::VanderWerf95, ..Options::default() });
    let end = (events[0].offset_secs * 300.0).round() as usize;
    assert!((signal[end] - 0.95).abs() < 0.02, "{}", signal[end]);
    let gradient = label(&signal, 300.0, &Options::default());
    assert!(events[0].offset_secs < gradient[0].offset_secs);
}

#[test]
fn literal_and_general_labels_agree_at_300_fps() {
    // An eye of 30 pixels height at 300 fps: 0.1 pixels per frame are one aperture per second.
    let scene = Scene::new(11, literal::RATE_HZ, 60.0);
    let pixels: Vec<f64> = scene.still.iter().map(|x| 30.0 * x).collect();
    let ours = label(&pixels, literal::RATE_HZ, &Options::default());
    let papers = literal::label(&pixels);
    let deep: Vec<_> = ours.iter().filter(|event| event.kind == Kind::Blink).collect();
    assert!(deep.len() > 5);
    for event in deep {
        let [onset, apex, offset] = [event.onset_secs, event.apex_secs, event.offset_secs]
            .map(|secs| (secs * 300.0).round() as usize);
        let near = papers.iter().find(|paper| paper.apex.abs_diff(apex) <= 10);
        let near = near.unwrap_or_else(|| panic!("{event:?} is not in {papers:?}"));
        assert!(near.onset.abs_diff(onset) <= 12 && near.offset.abs_diff(offset) <= 15, "{near:?} {event:?}");
    }
}

#[test]
fn long_closures_are_one_event_only_in_the_general_labels() {
    // DIFFERENCE: the paper's baseline lies around the minimum, and its search ends after 300 frames.
    let pixels: Vec<f64> =
        noisy(&held(1.0, 3.0, literal::RATE_HZ), 0.01, 9).iter().map(|x| 30.0 * x).collect();
    let ours = label(&pixels, literal::RATE_HZ, &Options::default());
    assert_eq!(ours.iter().map(|event| event.kind).collect::<Vec<_>>(), [Kind::Long]);
    assert!(ours[0].duration_secs() > 3.0);
    let is_whole = |paper: &literal::Frames| paper.offset - paper.onset > 900;
    assert!(!literal::label(&pixels).iter().any(is_whole));
}

#[test]
fn velocities_match_the_curve() {
    let rate = 1000.0;
    let signal = held(1.0, 0.0, rate);
    let event = label(&signal, rate, &Options::default())[0];
    let steepest = |sign: f64| signal.windows(2).map(|w| sign * (w[1] - w[0]) * rate).fold(0.0, f64::max);
    assert!((event.peak_closing_per_s / steepest(-1.0) - 1.0).abs() < 0.15, "{event:?}");
    assert!((event.peak_opening_per_s / steepest(1.0) - 1.0).abs() < 0.15, "{event:?}");
    assert!((event.amplitude - 1.0).abs() < 0.1 && event.completeness > 0.9, "{event:?}");
    let blink = Blink::new(40.0);
    assert!(event.closing_secs < blink.closed_at_secs() && event.closing_secs > 0.5 * blink.closed_at_secs());
}
