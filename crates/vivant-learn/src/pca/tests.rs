use super::*;
use vivant::chance::Draw;
use vivant::eyes::blink_model::BlinkCurve;
use vivant::math::{cos, ln};

/// Returns a normally distributed number (Box & Muller).
fn normal(draw: &mut Draw) -> f64 {
    (-2.0 * ln(1.0 - draw.uniform())).sqrt() * cos(std::f64::consts::TAU * draw.uniform())
}

/// Returns blinks with random depth, opening shape and durations.
fn blinks(count: u64) -> Vec<Cut> {
    let chance = Chance::new(3, "blinks");
    (0..count).map(|index| blink(index as usize, &mut chance.event(index))).collect()
}

fn blink(group: usize, draw: &mut Draw) -> Cut {
    const RATE_HZ: f64 = 1000.0;
    let [low, bend, closing, opening] = [(); 4].map(|()| normal(draw));
    let low = 0.2 + 0.03 * low;
    let ease = |u: f64| u * u * (3.0 - 2.0 * u);
    let bent = |u: f64| u + 0.1 * (2.0 + bend) * u * (1.0 - u);
    let way = |secs: f64| {
        let steps = (secs * RATE_HZ).round();
        (0..=steps as u32).map(move |step| f64::from(step) / steps)
    };
    Cut {
        group,
        rate_hz: RATE_HZ,
        closing: way(0.1 + 0.012 * closing).map(|u| 1.0 - (1.0 - low) * ease(u)).collect(),
        opening: way(0.2 + 0.02 * opening).map(|u| low + (1.0 - low) * ease(bent(u))).collect(),
    }
}

fn learned(count: u64, components: ComponentChoice) -> Learned {
    learn(&blinks(count), &Options { components, ..Options::default() }, "a test").unwrap()
}

#[test]
fn four_independent_variations_give_four_components() {
    let Learned { report, model, .. } = learned(200, ComponentChoice::Variance(0.999));
    assert_eq!((model.components.len(), report.blinks), (4, 200), "{report:?}");
    assert!(report.explained >= 0.999 && report.possible > 0.99, "{report:?}");
    assert!((report.closing_secs.mean - 0.1).abs() < 0.003 && (report.opening_secs.sd - 0.02).abs() < 0.003);
    assert!((report.amplitude.mean - 0.8).abs() < 0.01, "{report:?}");
    assert!(report.held_out.unwrap().variance > 0.998, "{report:?}");
}

#[test]
fn the_requested_number_of_components_is_kept() {
    for (blinks, wanted, count) in [
        (50, ComponentChoice::Count(2), 2),
        (50, ComponentChoice::Variance(0.01), 1),
        (4, ComponentChoice::Count(5), 3),
        (60, ComponentChoice::Count(4), 4),
    ] {
        let learned = learned(blinks, wanted);
        assert_eq!(learned.model.components.len(), count, "{blinks} blinks, {wanted:?}");
        assert_eq!(learned.report.shares.len(), count);
    }
}

#[test]
fn a_model_reconstructs_its_own_blinks() {
    let Learned { model, analysis, .. } = learned(40, ComponentChoice::Count(16));
    for row in &analysis.rows {
        let curve = model.curve(&analysis.components.coefficients(row)).unwrap();
        let samples = analysis.form.samples();
        let lengths = [
            model.closing.mean_secs + model.closing.sd_secs * row[samples],
            model.opening.mean_secs + model.opening.sd_secs * row[samples + 1],
        ];
        let own = BlinkCurve::new(&row[..samples], model.closing.samples as usize, lengths).unwrap();
        assert!((own.duration_secs() - curve.duration_secs()).abs() < 1e-6);
        for step in 0..=50 {
            let at = |curve: &BlinkCurve| curve.openness(curve.duration_secs() * f64::from(step) / 50.0);
            assert!((at(&own) - at(&curve)).abs() < 1e-4);
        }
    }
}

#[test]
fn too_few_or_identical_blinks_are_errors() {
    let check = |cuts: &[Cut], words: &str| {
        let message = learn(cuts, &Options::default(), "a test").unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    check(&[], "0 blinks given, but a model needs 4");
    check(&blinks(3), "use more or longer recordings");
    check(&vec![blinks(1).remove(0); 5], "all blinks are the same");
}

#[test]
fn up_to_24_recorded_blinks_are_kept() {
    for (count, kept) in [(5, 5), (24, 24), (100, 24)] {
        assert_eq!(learned(count, ComponentChoice::Count(3)).model.exemplars.len(), kept);
    }
}

/// If only one of two identical cuts is held out, the other one predicts it exactly.
#[test]
fn both_eyes_of_a_blink_are_held_out_together() {
    let mut shaky = blinks(8);
    let mut draw = Chance::new(4, "noise").event(0);
    for cut in &mut shaky {
        cut.opening[1..].iter_mut().for_each(|value| *value += draw.between(0.0, 0.05));
    }
    let twice: Vec<Cut> = shaky.into_iter().flat_map(|cut| [cut.clone(), cut]).collect();
    let apart: Vec<Cut> = twice.iter().enumerate().map(|(group, cut)| Cut { group, ..cut.clone() }).collect();
    let variance = |cuts: &[Cut]| {
        let options = Options { components: ComponentChoice::Count(16), ..Options::default() };
        learn(cuts, &options, "a test").unwrap().report.held_out.unwrap()
    };
    let (together, apart) = (variance(&twice), variance(&apart));
    assert_eq!((together.folds, apart.folds), (8, 16));
    assert!(apart.variance > 0.999_999 && together.variance < 0.9999, "{together:?} {apart:?}");
}

/// Returns the compared values: duration, amplitude, and closing duration divided by opening duration.
fn measures(curves: &[BlinkCurve]) -> [Vec<f64>; 3] {
    let of = |measure: fn(&BlinkCurve) -> f64| curves.iter().map(measure).collect();
    [
        of(BlinkCurve::duration_secs),
        of(BlinkCurve::amplitude),
        of(|curve| curve.closing_secs() / curve.opening_secs()),
    ]
}

/// Returns the largest distance between two distributions, scaled so that it exceeds 1.63 in 1 % of samples from one
/// distribution (Kolmogorov–Smirnov).
fn kolmogorov_smirnov(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let below = |all: &[f64], x: f64| all.partition_point(|value| *value <= x) as f64 / all.len() as f64;
    let distance = a.iter().chain(&b).map(|x| (below(&a, *x) - below(&b, *x)).abs()).fold(0.0, f64::max);
    let (n, m) = (a.len() as f64, b.len() as f64);
    distance * (n * m / (n + m)).sqrt()
}

/// Compares with the learned blinks whose coefficients are all within one standard deviation, because generation is
/// limited to those.
#[test]
fn generated_blinks_match_learned_blinks_within_one_standard_deviation() {
    let Learned { mut model, analysis, .. } = learned(600, ComponentChoice::Count(4));
    model.closure = Closure::Natural;
    let within = |coefficients: &Vec<f64>| {
        coefficients
            .iter()
            .zip(&model.components)
            .all(|(coefficient, component)| coefficient.abs() <= component.sd)
    };
    let rows = analysis.rows.iter().map(|row| analysis.components.coefficients(row)).filter(within);
    let truncated: Vec<BlinkCurve> = rows.filter_map(|coefficients| model.curve(&coefficients)).collect();
    let chance = Chance::new(5, "blinks");
    let generated: Vec<BlinkCurve> =
        (0..5000).map(|index| model.generate(&mut chance.event(index))).collect();
    assert!(truncated.len() > 100, "{}", truncated.len());
    for (ours, theirs) in measures(&generated).into_iter().zip(measures(&truncated)) {
        let distance = kolmogorov_smirnov(ours, theirs);
        assert!(distance < 1.63, "{distance}");
    }
}
