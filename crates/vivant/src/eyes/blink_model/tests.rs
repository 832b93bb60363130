use super::*;
use crate::chance::Chance;
use proptest::prelude::*;

/// A small model with two known components: the amplitude of the lid movement, and the durations.
fn model() -> BlinkModel {
    let profile = |apex: f64| vec![1.0, 0.8, apex, 0.6, 1.0];
    let component = |sd, profile, closing, opening| Component { sd, share: 0.5, profile, closing, opening };
    BlinkModel {
        version: VERSION,
        origin: "a test".into(),
        blinks: 9,
        closure: Closure::Natural,
        closing: BlinkPhase { mean_secs: 0.1, sd_secs: 0.02, samples: 3 },
        opening: BlinkPhase { mean_secs: 0.2, sd_secs: 0.05, samples: 3 },
        mean: profile(0.2),
        components: vec![
            component(0.1, vec![0.0, 0.0, 1.0, 0.0, 0.0], 0.0, 0.0),
            component(1.0, vec![0.0; 5], 1.0, 1.0),
        ],
        exemplars: vec![Exemplar { closing_secs: 0.09, opening_secs: 0.3, profile: profile(0.1) }],
    }
}

fn generated(model: &BlinkModel, count: u64) -> Vec<BlinkCurve> {
    let chance = Chance::new(1, "blinks");
    (0..count).map(|index| model.generate(&mut chance.event(index))).collect()
}

#[test]
fn coefficients_become_shape_and_lengths() {
    let check = |coefficients: &[f64], apex: f64, secs: [f64; 2]| {
        let curve = model().curve(coefficients).unwrap();
        assert!((curve.openness(curve.closing_secs()) - apex).abs() < 1e-7, "{coefficients:?}");
        let took = [curve.closing_secs(), curve.opening_secs()];
        assert!(took.iter().zip(secs).all(|(a, b)| (a - b).abs() < 1e-12), "{coefficients:?}: {took:?}");
        assert!((curve.amplitude() - (1.0 - apex)).abs() < 1e-7);
    };
    check(&[], 0.2, [0.1, 0.2]);
    check(&[0.1], 0.3, [0.1, 0.2]);
    check(&[-0.1, 2.0], 0.1, [0.14, 0.3]);
}

#[test]
fn impossible_blinks_are_rejected() {
    for (coefficients, why) in [
        ([-0.23, 0.0], "the openness is negative"),
        ([0.75, 0.0], "the lid hardly moves"),
        ([0.45, 0.0], "the openness is lower elsewhere"),
        ([0.0, -5.0], "closing takes no time"),
        ([f64::NAN, 0.0], "not a number"),
    ] {
        assert_eq!(model().curve(&coefficients), None, "{why}");
    }
    // Small deviations count as noise and are clamped.
    let curve = model().curve(&[-0.21]).unwrap();
    assert_eq!(curve.openness(curve.closing_secs()), 0.0);
}

#[test]
fn impossible_blinks_are_sampled_again_up_to_a_limit() {
    let mut some = model();
    some.components[0].sd = 0.5;
    for curve in generated(&some, 1000) {
        let samples = (0..=300).map(|i| curve.openness(curve.duration_secs() * f64::from(i) / 300.0));
        assert!(samples.min_by(f64::total_cmp).unwrap() >= 0.0);
    }
    let mut never = model();
    never.components[0].sd = 1e-3;
    never.components[0].profile[2] = 1e6;
    assert_eq!(generated(&never, 1), [never.mean_curve()]);
    never.mean.clear();
    assert_eq!(generated(&never, 1), [BlinkCurve::default()]);
}

/// Uniform within one standard deviation. Kolmogorov–Smirnov: D·√n stays under 1.95 in 99.9 % of runs.
#[test]
fn coefficients_are_uniform_within_one_standard_deviation() {
    let curves = generated(&model(), 20_000);
    let check = |mut values: Vec<f64>, low: f64, high: f64| {
        values.sort_by(f64::total_cmp);
        let n = values.len() as f64;
        let off = |(i, x): (usize, &f64)| ((x - low) / (high - low) - (i as f64 + 0.5) / n).abs();
        let distance = values.iter().enumerate().map(off).fold(0.0, f64::max);
        assert!(distance * n.sqrt() < 1.95, "D = {distance}");
    };
    check(curves.iter().map(BlinkCurve::amplitude).collect(), 0.7, 0.9);
    check(curves.iter().map(BlinkCurve::duration_secs).collect(), 0.3 - 0.07, 0.3 + 0.07);
}

#[test]
fn the_same_draw_gives_the_same_blink() {
    let model = BlinkModel::standard();
    assert_eq!(generated(&model, 50), generated(&model, 50));
    let [first, second] = generated(&model, 2)[..] else { unreachable!() };
    assert_ne!(first, second);
}

#[test]
fn both_closures_follow_the_paper() {
    let profile = [0.9, 0.7, 0.1, 0.5, 0.8];
    let natural = BlinkCurve::new(&profile, 3, [0.1, 0.2]).unwrap();
    let full = natural.with_closure(Closure::Full);
    assert_eq!(natural.with_closure(Closure::Natural), natural);
    for (index, d) in profile.into_iter().enumerate() {
        let secs = if index < 2 { 0.05 * index as f64 } else { 0.1 + 0.1 * (index - 2) as f64 };
        assert!((natural.openness(secs) - d / 0.9).abs() < 1e-6, "{index}");
        assert!((full.openness(secs) - (d - 0.1) / (0.9 - 0.1)).abs() < 1e-6, "{index}");
    }
    assert_eq!((full.openness(0.1), full.amplitude()), (0.0, 1.0));
}

#[test]
fn a_curve_is_small_enough_to_be_copied() {
    assert!(size_of::<BlinkCurve>() <= 1024, "{} bytes", size_of::<BlinkCurve>());
}

#[test]
fn recorded_blinks_are_unchanged() {
    let model = model();
    let real = model.random_exemplar(&mut Chance::new(1, "blinks").event(0)).unwrap();
    assert_eq!([real.closing_secs(), real.opening_secs()], [0.09, 0.3]);
    assert!((real.amplitude() - 0.9).abs() < 1e-7);
    let without = BlinkModel { exemplars: Vec::new(), ..model };
    assert_eq!(without.random_exemplar(&mut Chance::new(1, "blinks").event(0)), None);
}

#[test]
fn the_standard_model_is_valid_and_human() {
    let model = BlinkModel { closure: Closure::Natural, ..BlinkModel::standard() };
    model.check().unwrap();
    for curve in generated(&model, 2000) {
        let (secs, share) = (curve.duration_secs(), curve.closing_secs() / curve.duration_secs());
        // From 213 ms (paper 1, E5 + E6 at 20°) to 572 ms (Kwon 2013, voluntary), and closing is faster than opening.
        assert!((0.1..0.7).contains(&secs) && share < 0.6, "{secs} s, {share} of it closing");
        assert!(curve.amplitude() > 0.4, "{}", curve.amplitude());
    }
}

#[test]
fn invalid_models_are_rejected_with_field_and_reason() {
    let check = |words: &str, spoil: fn(&mut BlinkModel)| {
        let mut model = model();
        spoil(&mut model);
        let message = model.check().expect_err(words).to_string();
        assert!(message.contains(words), "{message}\n  does not contain {words}");
    };
    check("version: unsupported version 2; use 1", |m| m.version = 2);
    check("closing.meanSecs: 0 is out of range", |m| m.closing.mean_secs = 0.0);
    check("opening.meanSecs: NaN is out of range", |m| m.opening.mean_secs = f64::NAN);
    check("opening.sdSecs: -1 is out of range", |m| m.opening.sd_secs = -1.0);
    check("closing.samples: 1 samples; give 2 to 128", |m| m.closing.samples = 1);
    check("closing.samples: 4294967295", |m| m.closing.samples = u32::MAX);
    check("mean: 5 values for 4 closing and 3 opening samples, which share one; give 6", |m| {
        m.closing.samples = 4;
    });
    check("at most 128 in total are allowed", |m| (m.closing.samples, m.opening.samples) = (100, 100));
    check("mean[1]: inf is out of range", |m| m.mean[1] = f64::INFINITY);
    check("mean: physically impossible blink", |m| m.mean[2] = 0.9);
    check("components: 0 components; give 1 to 16", |m| m.components.clear());
    check("components: 17 components", |m| m.components = vec![m.components[0].clone(); 17]);
    check("components[1].profile: 0 values", |m| m.components[1].profile.clear());
    check("components[0].sd: -1 is out of range", |m| m.components[0].sd = -1.0);
    check("components[0].share: 2 is out of range", |m| m.components[0].share = 2.0);
    check("components[0].closing: NaN", |m| m.components[0].closing = f64::NAN);
    check("exemplars: 25 exemplars; at most 24 are allowed", |m| {
        m.exemplars = vec![m.exemplars[0].clone(); 25];
    });
    check("exemplars[0].openingSecs: 0 is out of range", |m| m.exemplars[0].opening_secs = 0.0);
    check("exemplars[0]: physically impossible blink", |m| m.exemplars[0].profile[2] = 0.99);
    check("exemplars[0].profile: 1 values", |m| m.exemplars[0].profile = vec![1.0]);
    model().check().unwrap();
}

/// Generates valid curves: random samples with the lowest point at the end of the closing phase.
fn curves() -> impl Strategy<Value = BlinkCurve> {
    let samples = || prop::collection::vec(0.1..1.0_f64, 1..40);
    (samples(), samples(), 0.0..0.1_f64, 0.02..0.5_f64, 0.02..0.8_f64).prop_filter_map(
        "it moves",
        |(mut profile, opening, apex, closing_secs, opening_secs)| {
            let closing = profile.len() + 1;
            profile.push(apex);
            profile.extend(opening);
            BlinkCurve::new(&profile, closing, [closing_secs, opening_secs])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_curve_is_smooth_and_stays_within_its_samples(curve in curves(), at in 0.0..1.0_f64) {
        let secs = at * curve.duration_secs();
        let (value, h) = (curve.openness(secs), 1e-6 * curve.duration_secs());
        prop_assert!((1.0 - curve.amplitude() - 1e-9..=1.0 + 1e-9).contains(&value), "{value}");
        let slope = (curve.openness(secs + h) - curve.openness(secs - h)) / (2.0 * h);
        prop_assert!((slope - curve.openness_per_sec(secs)).abs() < 1e-2 * (1.0 + slope.abs()));
    }

    #[test]
    fn shares_go_from_0_to_1_with_zero_slope_at_both_ends(curve in curves(), at in 0.0..1.0_f64) {
        let [closing, opening] = [curve.closing_secs(), curve.opening_secs()];
        prop_assert_eq!((curve.closing_share(0.0), curve.closing_share(closing)), (0.0, 1.0));
        prop_assert_eq!((curve.opening_share(0.0), curve.opening_share(opening + 1e-12)), (0.0, 1.0));
        for level in [0.0, -1.0, closing, closing + 1.0] {
            prop_assert_eq!(curve.closing_share_per_sec(level), 0.0);
        }
        prop_assert!(curve.opening_share_per_sec(1e-12).abs() < 1e-3);
        prop_assert!(curve.opening_share_per_sec(opening * (1.0 - 1e-12)).abs() < 1e-3);
        let (secs, h) = (at * opening, 1e-6 * opening);
        let slope = (curve.opening_share(secs + h) - curve.opening_share(secs - h)) / (2.0 * h);
        let near_start = secs < h;
        prop_assert!(near_start || (slope - curve.opening_share_per_sec(secs)).abs() < 1e-2 * (1.0 + slope.abs()));
    }

    #[test]
    fn closure_starts_and_ends_at_zero_and_its_velocity_is_its_slope(curve in curves(), at in 0.0..1.0_f64) {
        let total = curve.duration_secs();
        prop_assert_eq!((curve.closure(0.0), curve.closure(-1.0), curve.closure(total + 1.0)), (0.0, 0.0, 0.0));
        prop_assert!((curve.closure(curve.closing_secs()) - curve.amplitude()).abs() < 1e-9);
        let (secs, h) = (at * total, 1e-7 * total);
        let slope = (curve.closure(secs + h) - curve.closure(secs - h)) / (2.0 * h);
        prop_assert!((slope - curve.closure_per_sec(secs)).abs() < 1e-2 * (1.0 + slope.abs()));
    }

    #[test]
    fn stretching_only_changes_the_time_scale(
        curve in curves(), secs in 0.05..3.0_f64, at in 0.0..1.0_f64
    ) {
        let stretched = curve.stretched(secs);
        prop_assert!((stretched.duration_secs() - secs).abs() < 1e-12);
        let [here, there] = [curve.openness(at * curve.duration_secs()), stretched.openness(at * secs)];
        prop_assert!((here - there).abs() < 1e-9, "{here} {there}");
    }
}
