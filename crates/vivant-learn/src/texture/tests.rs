use super::*;
use crate::recording::{Aperture, Gaze, Span, Unit};
use vivant::chance::Chance;
use vivant::eyes::blink::Blink;

const RATE_HZ: f64 = 120.0;

/// Returns a recording of synthetic eyes: a gaze shift every 0.4, 0.6 or 0.8 s, and a blink every 2.5 s.
fn recording(secs: f64) -> Recording {
    let count = (secs * RATE_HZ) as usize;
    let chance = Chance::new(1, "eyes");
    let blink = Blink::new(35.0);
    let (mut yaw, mut pitch, mut until) = (0.0, 0.0, 0.0);
    let mut gaze = Gaze::default();
    let mut openness = Vec::new();
    for i in 0..count {
        let (t, mut draw) = (i as f64 / RATE_HZ, chance.event(i as u64));
        if t >= until {
            (yaw, pitch) = (draw.between(-20.0, 20.0), draw.between(-10.0, 10.0));
            until = t + [0.4, 0.6, 0.8][draw.bits() as usize % 3];
        }
        gaze.yaw_deg.push(yaw + draw.between(-0.1, 0.1));
        gaze.pitch_deg.push(pitch + draw.between(-0.1, 0.1));
        let open = 9.0 * (1.0 + 0.01 * pitch) * (1.0 - blink.closure(t % 2.5));
        openness.push(open + draw.between(-0.02, 0.02));
    }
    let aperture = Aperture { unit: Some(Unit::Millimetres), left: openness.clone(), right: openness };
    Recording {
        name: "a.csv".into(),
        times: (0..count).map(|i| i as f64 / RATE_HZ).collect(),
        aperture: Some(aperture),
        gaze: Some(gaze),
        ..Recording::default()
    }
}

fn learned(recording: Recording) -> Learned {
    let material = Material { name: "calm".into(), recordings: vec![recording] };
    learn(&[material], &Options::default()).unwrap()
}

#[test]
fn lids_and_gaze_become_a_texture_with_its_blinks() {
    let learned = learned(recording(60.0));
    let texture = &learned.texture;
    let corpus = &texture.corpora[0];
    assert_eq!((texture.rate_hz, corpus.runs.len()), (120.0, 1));
    assert!((corpus.runs[0].openness.len() as i64 - 7200).abs() <= 1);
    let blinks = corpus.runs[0].blinks.len();
    assert!((22..=24).contains(&blinks), "{blinks} blinks");
    let apex = corpus.runs[0].blinks[5] as usize;
    assert!(corpus.runs[0].openness[apex] < 0.1);
    // Lids follow by 1 % per degree.
    assert!((corpus.open_level - 1.0).abs() < 0.05, "{}", corpus.open_level);
    assert!((corpus.open_per_deg / corpus.open_level - 0.01).abs() < 0.002, "{}", corpus.open_per_deg);
    assert!(learned.warnings.is_empty(), "{:?}", learned.warnings);
    let [patch, boundary] = texture.frames();
    assert_eq!(boundary, (patch as f64 / 5.0).round() as usize);
}

#[test]
fn patch_size_is_the_knee_of_the_intervals() {
    let found = learned(recording(60.0)).patch_size;
    // Shifts come every 0.4, 0.6 and 0.8 s, and blinks every 2.5 s; there is nothing between.
    assert!((found.patch_secs - 0.8).abs() < 0.07, "{}", found.patch_secs);
    // Shifts that are too small or hidden by a blink merge two intervals into one.
    let shifts =
        (found.intervals_secs.len() - found.blink_intervals) as f64 / found.intervals_secs.len() as f64;
    assert!((0.8 * shifts..=shifts).contains(&found.covered), "{} of {shifts}", found.covered);
    assert!((21..=23).contains(&found.blink_intervals), "{}", found.blink_intervals);
    assert!(found.covered_at(0.5) < 0.5 && found.covered_at(60.0) == 1.0);
}

#[test]
fn too_few_movements_give_the_papers_patch_and_a_warning() {
    let learned = learned(recording(6.0));
    assert!((learned.texture.patch_secs - 0.667).abs() < 0.01);
    assert!(learned.warnings[0].to_string().contains("too few to determine"), "{:?}", learned.warnings);
}

#[test]
fn outliers_are_removed_short_gaps_filled_and_long_gaps_end_a_run() {
    let mut spoilt = recording(30.0);
    let gaze = spoilt.gaze.as_mut().unwrap();
    (gaze.yaw_deg[500], gaze.pitch_deg[900]) = (55.0, -200.0);
    gaze.yaw_deg[1200..1206].fill(f64::NAN);
    gaze.yaw_deg[2000..2060].fill(f64::NAN);
    let learned = learned(spoilt);
    let used = &learned.used[0];
    assert_eq!((used.runs, used.outliers), (2, 2));
    assert!((29.3..29.6).contains(&used.used_secs), "{}", used.used_secs);
    let run = &learned.texture.corpora[0].runs[0];
    assert!((1995..=2001).contains(&run.openness.len()));
    assert!(run.yaw_deg.iter().all(|yaw| yaw.abs() < 21.0) && run.pitch_deg.iter().all(|p| p.abs() < 11.0));
}

#[test]
fn the_gaze_of_closed_eyes_is_held_and_steps_in_the_middle() {
    let mut shut = recording(20.0);
    // The blink at 5 s, with a gap that is longer than what is filled while eyes are open.
    let gaze = shut.gaze.as_mut().unwrap();
    let gap = 603..617;
    gaze.yaw_deg[gap.clone()].fill(f64::NAN);
    let [before, after] = [602, 617].map(|i| gaze.yaw_deg[i] as f32);
    let learned = learned(shut);
    let run = &learned.texture.corpora[0].runs[0];
    assert_eq!(learned.used[0].runs, 1);
    assert!(gap.into_iter().all(|i| (run.yaw_deg[i] - if i < 610 { before } else { after }).abs() < 0.02));
}

#[test]
fn device_blinks_are_converted_to_lids() {
    let mut blind = recording(30.0);
    blind.aperture = None;
    let spans = (0..9).map(|i| f64::from(i) * 3.0 + 1.0);
    blind.blinks = Some(spans.map(|from_secs| Span { from_secs, to_secs: from_secs + 0.3 }).collect());
    let learned = learned(blind);
    let run = &learned.texture.corpora[0].runs[0];
    assert_eq!((learned.used[0].lids, run.blinks.len()), (LidSource::Events, 9));
    let apex = run.blinks[2] as usize;
    assert!((120 * 7..120 * 7 + 36).contains(&apex) && run.openness[apex] < 0.05);
    assert!(learned.warnings[0].to_string().contains("shape of Vivant's blinks"));
}

#[test]
fn unusable_recordings_are_errors() {
    let check = |recording: Recording, options: Options, words: &str| {
        let material = Material { name: "calm".into(), recordings: vec![recording] };
        let message = learn(&[material], &options).expect_err(words).to_string();
        assert!(message.contains(words), "{message}\n  lacks {words}");
    };
    let blind = Recording { gaze: None, ..recording(5.0) };
    check(blind, Options::default(), "a.csv: no gaze was recorded");
    check(recording(0.5), Options::default(), "no recording has 1.3 s without a gap");
    let mut slow = recording(9.0);
    slow.times.iter_mut().for_each(|t| *t *= 30.0);
    check(slow, Options::default(), "a sampling rate of 4.0 Hz is too low");
    let options = Options { onto: Some(learned(recording(5.0)).texture), ..Options::default() };
    check(recording(5.0), options, "“calm” is already used");
}

#[test]
fn corpora_are_added_to_a_texture_at_its_rate() {
    let first = learned(recording(30.0)).texture;
    let [patch_secs, rate_hz] = [first.patch_secs, first.rate_hz];
    let material = Material { name: "tired".into(), recordings: vec![recording(12.0), recording(9.0)] };
    let both = learn(&[material], &Options { onto: Some(first), ..Options::default() }).unwrap().texture;
    assert_eq!((both.patch_secs, both.rate_hz), (patch_secs, rate_hz));
    let runs: Vec<usize> = both.corpora.iter().map(|corpus| corpus.runs.len()).collect();
    assert_eq!(runs, [1, 2]);
    assert_eq!(both.origin, "calm: a.csv; tired: a.csv, a.csv");
}
