//! Tests of eyes with learned models.

use super::*;
use crate::chance::Chance;
use crate::eyes::blink_model::BlinkCurve;
use crate::eyes::texture::{Corpus, PatchConstraints, Run, Synthesis, TextureDef};
use std::sync::OnceLock;

const RATE: f64 = 60.0;

/// One minute of glances, each with a saccade of two frames, and of blinks that take a quarter of a second.
fn run(seed: u64, far_deg: f64) -> Run {
    let frames = 60 * RATE as usize;
    let chance = Chance::new(seed, "corpus");
    let mut run = Run { openness: vec![1.0; frames], ..Run::default() };
    let [mut gaze, mut until] = [[0.0; 2], [0.0; 2]];
    for frame in 0..frames {
        let mut draw = chance.event(frame as u64);
        if frame as f64 >= until[0] {
            until[0] = frame as f64 + draw.between(0.3, 1.5) * RATE;
            gaze = [draw.between(-far_deg, far_deg), draw.between(-0.5, 0.5) * far_deg];
        }
        run.yaw_deg.push(gaze[0] as f32);
        run.pitch_deg.push(gaze[1] as f32);
        if frame as f64 >= until[1] {
            until[1] = frame as f64 + draw.between(1.5, 4.0) * RATE;
            for (i, openness) in
                [0.8, 0.5, 0.2, 0.0, 0.1, 0.3, 0.5, 0.65, 0.8, 0.9, 0.95].into_iter().enumerate()
            {
                if let Some(value) = run.openness.get_mut(frame + i) {
                    *value = openness;
                }
            }
            run.blinks.extend((frame + 3 < frames).then_some(frame as u32 + 3));
        }
    }
    run
}

fn texture() -> Arc<Texture> {
    static TEXTURE: OnceLock<Arc<Texture>> = OnceLock::new();
    let corpus = |name: &str, seed, far_deg| Corpus {
        name: name.into(),
        open_level: 1.0,
        open_per_deg: 0.0,
        runs: vec![run(seed, far_deg)],
    };
    let corpora = vec![corpus("calm", 1, 8.0), corpus("bored", 2, 16.0)];
    let def = TextureDef { rate_hz: RATE, corpora, ..TextureDef::default() };
    Arc::clone(TEXTURE.get_or_init(|| Arc::new(Texture::new(&def).unwrap())))
}

pub(super) fn learned() -> EyeModels {
    EyeModels { blinks: Some(Arc::new(BlinkModel::standard())), texture: Some(texture()) }
}

/// Largest lid velocity of a blink of the blink model in the widest eye, in degrees per second. The duration of
/// learned blinks does not depend on the amplitude.
pub(super) fn peak_lid() -> f64 {
    const WIDEST_DEG: f64 = 55.0;
    static PEAK: OnceLock<f64> = OnceLock::new();
    *PEAK.get_or_init(|| {
        let (model, chance) = (BlinkModel::standard(), Chance::new(1, "peaks"));
        let curves = (0..5000).map(|i| model.generate(&mut chance.event(i)));
        let steepest = |curve: BlinkCurve| {
            let times = (0..=400).map(move |i| curve.duration_secs() * f64::from(i) / 400.0);
            times
                .map(|t| curve.closing_share_per_sec(t).abs().max(curve.opening_share_per_sec(t).abs()))
                .fold(0.0, f64::max)
        };
        WIDEST_DEG * curves.map(steepest).fold(0.0, f64::max)
    })
}

/// Creates idle eyes whose movements come from a texture.
fn texture_eyes(seed: u64) -> Eyes {
    let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), seed);
    eyes.set_models(&learned());
    eyes.start_idle_behaviour(0.0);
    eyes
}

/// Returns the frames from `from` to `to` with their times in seconds.
fn frames_between(eyes: &mut Eyes, from: f64, to: f64) -> Vec<(f64, EyeFrame)> {
    let frames = (from * RATE) as u32..(to * RATE) as u32;
    frames.map(|i| f64::from(i) / RATE).map(|t| (t, eyes.advance_to(t, standing))).collect()
}

#[test]
fn lids_and_gaze_follow_the_texture() {
    let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 7);
    eyes.set_models(&learned());
    eyes.set_mood(0.0, Some("calm")).unwrap();
    eyes.start_idle_behaviour(0.0);
    let mut alone = Synthesis::new(texture(), 7);
    let mut weights = [0.0; crate::eyes::texture::MAX_CORPORA];
    weights[0] = 1.0;
    let constraints = PatchConstraints { weights, ..PatchConstraints::default() };
    let mut samples = Vec::new();
    while samples.len() < 3000 {
        samples.extend_from_slice(alone.next_patch(&constraints));
    }
    let usual = playback::CorpusBaseline::of(&texture(), 0).gaze;
    let mut on_it = 0;
    let frames = frames_between(&mut eyes, 1.0, 45.0);
    for (t, frame) in &frames {
        let sample = &samples[(t * RATE).round() as usize];
        let (openness, aperture) = (f64::from(sample.openness), frame.lids[0].aperture);
        // The gaze also changes the aperture: by at most three quarters of its four degrees, and 44 degrees close an
        // eye.
        assert!((aperture - openness).abs() < 0.1 * openness + 1e-6, "{aperture} for {openness} at {t} s");
        let gaze = glam::DVec2::new(f64::from(sample.yaw_deg), f64::from(sample.pitch_deg)) - usual;
        let eye = Direction::of(frame.eye);
        on_it += usize::from(glam::DVec2::new(eye.yaw_deg, eye.pitch_deg).distance(gaze) < 2.5);
    }
    // Saccades take time, undershoot and are corrected.
    assert!(on_it as f64 > 0.85 * frames.len() as f64, "{on_it} of {}", frames.len());
}

#[test]
fn a_look_takes_over_eyes_and_lids_and_returns_them() {
    let still = Temperament { blinks: BlinkStrategy::None, ..Temperament::default() };
    let mut eyes = Eyes::new(Ranges::default(), still, 3);
    eyes.set_models(&learned());
    eyes.start_idle_behaviour(0.0);
    eyes.look(Look { at: 20.0, secs: Some(20.0), ..Look::towards(12.0, 0.0) });
    let blinks = |frames: &[(f64, EyeFrame)]| {
        frames.windows(2).filter(|w| !w[0].1.is_blinking[0] && w[1].1.is_blinking[0]).count()
    };
    let (free, led, again) = (
        frames_between(&mut eyes, 0.0, 20.0),
        frames_between(&mut eyes, 20.0, 41.0),
        frames_between(&mut eyes, 41.0, 61.0),
    );
    assert!(blinks(&free) >= 3 && blinks(&again) >= 3, "{} and {}", blinks(&free), blinks(&again));
    let led: Vec<_> = led.into_iter().filter(|(t, _)| (21.0..40.0).contains(t)).collect();
    assert_eq!(blinks(&led), 0, "with this strategy only the texture blinks");
    for (t, frame) in &led {
        let yaw = Direction::of(frame.gaze).yaw_deg;
        assert!((yaw - 12.0).abs() < 1.5, "{yaw}° at {t} s");
    }
    let moves = |frames: &[(f64, EyeFrame)]| {
        frames.windows(2).filter(|w| angle_between_deg(w[0].1.gaze, w[1].1.gaze) > 1.0).count()
    };
    assert!(moves(&again) > 10, "{}", moves(&again));
}

/// A requested blink happens whatever the texture does.
#[test]
fn requested_blinks_are_added_to_a_texture() {
    let mut eyes = texture_eyes(5);
    for i in 0..10 {
        eyes.blink(BlinkIntent { at: f64::from(i), hold_secs: Some(0.3), ..BlinkIntent::default() });
    }
    for i in 0..10 {
        let frame = eyes.advance_to(f64::from(i) + 0.25, standing);
        assert!(frame.lids.iter().all(|lids| lids.aperture < 1e-9), "{i}: {:?}", frame.lids);
    }
}

#[test]
fn a_mood_selects_a_corpus_and_unknown_moods_are_errors() {
    let spread = |mood: Option<&str>| {
        let mut eyes = texture_eyes(11);
        eyes.set_mood(0.0, mood).unwrap();
        let frames = frames_between(&mut eyes, 5.0, 65.0);
        frames.iter().map(|(_, frame)| Direction::of(frame.eye).yaw_deg.abs()).sum::<f64>()
            / frames.len() as f64
    };
    let [calm, bored] = [spread(Some("calm")), spread(Some("bored"))];
    assert!(bored > 1.4 * calm, "{calm}° and {bored}°");
    let error = texture_eyes(1).set_mood(0.0, Some("bord")).unwrap_err().to_string();
    assert!(error.contains("unknown mood “bord”; use one of calm, bored"), "{error}");
    let plain = Eyes::new(Ranges::default(), Temperament::default(), 1).set_mood(0.0, Some("calm"));
    assert!(plain.unwrap_err().to_string().contains("the eyes have no texture"));
}

#[test]
fn eyes_stay_within_a_region_as_long_as_requested() {
    let mut eyes = texture_eyes(13);
    let ahead = crate::eyes::texture::GazeRegion::ahead(6.0);
    eyes.keep_within(10.0, ahead, 15.0);
    let far = |frames: &[(f64, EyeFrame)]| {
        frames.iter().map(|(_, frame)| Direction::of(frame.eye).eccentricity_deg()).fold(0.0, f64::max)
    };
    let [before, kept, after] =
        [(0.0, 10.0), (13.0, 25.0), (27.0, 40.0)].map(|(from, to)| far(&frames_between(&mut eyes, from, to)));
    assert!(kept < 8.5 && before > 8.5 && after > 8.5, "{before}°, {kept}° and {after}°");
}

#[test]
fn removing_a_texture_does_not_make_lids_jump() {
    let mut eyes = texture_eyes(17);
    let shut = (0..6000)
        .map(|i| f64::from(i) / 100.0)
        .find(|t| eyes.advance_to(*t, standing).lids[0].aperture < 0.1);
    let shut = shut.expect("no blink in a minute");
    let before = eyes.advance_to(shut, standing);
    eyes.set_models(&EyeModels::default());
    let after = eyes.advance_to(shut, standing);
    assert!(largest_difference(&before, &after) < 1e-9);
    assert!(eyes.advance_to(shut + 1.0, standing).lids[0].aperture > 0.7);
}
