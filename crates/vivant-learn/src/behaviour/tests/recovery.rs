//! Learning from a sampled model recovers the model.

use super::*;
use vivant::chance::Chance;

/// Standard score of the confidence intervals: two-sided, 99 % for all 81 entries together (Bonferroni: 1 − 0.01 / 81
/// for each).
const Z: f64 = 3.84;
const ACTIONS: u64 = 100_000;

/// Returns a chain of nine states with very different rows, some entries 0.
fn known() -> Chain {
    let mut chain = Behaviour::standard().speaking.unwrap().arms;
    for (row, shares) in chain.matrix.iter_mut().enumerate() {
        let weights: Vec<f64> = (0..9).map(|column| ((row * 5 + column * 7) % 10) as f64).collect();
        let sum: f64 = weights.iter().sum();
        *shares = weights.iter().map(|weight| weight / sum).collect();
    }
    chain
}

/// Samples actions and annotates them: actions of both arms on both tiers, slightly shifted.
fn sampled(chain: &Chain, seed: u64) -> AnnotatedVideo {
    let [mut left, mut right] = [Vec::new(), Vec::new()];
    let (mut now, mut last) = (0.0, None);
    for event in 0..ACTIONS {
        let mut draw = Chance::new(seed, "recovery").event(event);
        last = chain.next(last, &mut draw);
        let state = &chain.states[last.unwrap()];
        let end = now + state.duration.sample(&mut draw);
        let later = 0.1 * (end - now);
        let value = state.kind.name().to_owned();
        let add = |tier: &mut Vec<Annotation>, start, end| {
            let value = value.clone();
            tier.push(Annotation {
                id: event.to_string(),
                start,
                end,
                value,
                timing: Timing::Own,
                refers_to: None,
            });
        };
        if state.name.starts_with('L') {
            add(&mut left, now, end);
        }
        if state.name.contains('R') {
            add(&mut right, now + later, end);
        }
        now = end + state.gap.sample(&mut draw);
    }
    let tier = |name: &str, annotations| Tier { name: name.into(), annotations, ..Tier::default() };
    let tiers = vec![tier("L", left), tier("R", right)];
    AnnotatedVideo { name: "sampled".into(), annotations: Annotations { version: String::new(), tiers } }
}

#[test]
fn a_sampled_chain_is_recovered_within_99_percent_intervals() {
    let chain = known();
    for seed in 1..=3 {
        let (learned, _) = learned("", &[sampled(&chain, seed)]);
        let counts = &learned.counts[0];
        assert_eq!(counts.occurrences.iter().sum::<u64>(), ACTIONS);
        for (row, (expected, found)) in chain.matrix.iter().zip(&counts.matrix).enumerate() {
            let visits = counts.transitions[row].iter().sum::<u64>() as f64;
            for (column, (p, estimate)) in expected.iter().zip(found).enumerate() {
                let half = Z * (p * (1.0 - p) / visits).sqrt();
                let (from, to) = (&counts.states[row], &counts.states[column]);
                assert!((p - estimate).abs() <= half, "{from}→{to}: {estimate} instead of {p} ± {half}");
            }
        }
    }
}

#[test]
fn a_slightly_different_chain_is_detected() {
    let mut other = known();
    // Twice the half-width of the interval at 10,000 visits: intervals that are too wide would fail here.
    other.matrix[3][0] += 0.04;
    other.matrix[3][1] -= 0.04;
    let (learned, _) = learned("", &[sampled(&other, 1)]);
    let visits = learned.counts[0].transitions[3].iter().sum::<u64>() as f64;
    let p = known().matrix[3][0];
    assert!((learned.counts[0].matrix[3][0] - p).abs() > Z * (p * (1.0 - p) / visits).sqrt());
}

/// Medians match within 5 % (the standard error of a median of thousands is below 2 %).
#[test]
fn durations_are_recovered() {
    let chain = known();
    let (learned, _) = learned("", &[sampled(&chain, 1)]);
    for (known, found) in chain.states.iter().zip(&learned.behaviour.always.arms.states) {
        // Annotations of the right arm alone start 10 % late.
        let share = if known.name.starts_with('R') { 0.9 } else { 1.0 };
        let (expected, median) = (share * known.duration.0[1], found.duration.0[10]);
        assert!((median / expected - 1.0).abs() < 0.05, "{}: {median} s instead of {expected} s", known.name);
    }
}
