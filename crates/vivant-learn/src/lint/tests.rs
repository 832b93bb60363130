//! Realistic traces pass, and each single defect is found by its check.

mod defects;
mod people;
mod synthetic;

use super::*;
use crate::recording::Gaze;
use proptest::prelude::*;
use synthetic::Person;

/// Returns the check with the given id.
fn of<'a>(lint: &'a Lint, id: &str) -> &'a Check {
    lint.checks.iter().find(|check| check.id == id).unwrap()
}

/// Returns odd and wrong checks with their values, for messages.
fn remarks(lint: &Lint) -> Vec<String> {
    let is_remark = |check: &&Check| matches!(check.verdict, Verdict::Odd | Verdict::Wrong);
    lint.checks
        .iter()
        .filter(is_remark)
        .map(|check| format!("{} {} {:?}", check.id, check.verdict.name(), check.value))
        .collect()
}

#[test]
fn realistic_traces_pass_all_checks() {
    for (seed, rate_hz) in [(1, 120.0), (2, 120.0), (3, 60.0), (4, 1000.0), (5, 90.0), (6, 30.0)] {
        let lint = lint(&Person { seed, rate_hz, ..Person::default() }.trace()).unwrap();
        assert!(remarks(&lint).is_empty(), "{rate_hz} Hz: {:?}", remarks(&lint));
        let checked = lint.checks.iter().filter(|check| check.verdict == Verdict::Human).count();
        assert!(checked >= if rate_hz >= 60.0 { 28 } else { 22 }, "{rate_hz} Hz: {checked}");
        assert_eq!(lint.score, 100.0, "{rate_hz} Hz");
    }
}

#[test]
fn measured_values_match_the_generated_ones() {
    let lint = lint(&Person { rate_hz: 1000.0, secs: 300.0, ..Person::default() }.trace()).unwrap();
    let close = |id: &str, expected: f64, by: f64| {
        let value = of(&lint, id).value.unwrap();
        assert!((value - expected).abs() <= by, "{id}: {value} instead of {expected}");
    };
    // The parameters of the synthetic person: see `Person`.
    close("head.vor", 1.0, 0.03);
    close("lids.follow", 1.5, 0.2);
    close("lids.lag", 5.0, 2.0);
    close("saccades.duration", 0.0, 12.0);
    close("saccades.speed", 1.0, 0.2);
    close("saccades.skew", 0.45, 0.08);
    close("blinks.asymmetry", 2.4, 0.8);
    close("head.vergence", 3.0, 0.1);
    close("conversation.aversions", 2.0, 0.6);
}

#[test]
fn short_traces_get_the_benefit_of_the_doubt() {
    // 20 s without a blink can happen by chance, ten minutes cannot.
    let stare = |secs: f64| {
        let person = Person { secs, blinks_per_min: 0.0, ..Person::default() };
        lint(&Trace { activity: None, ..person.trace() }).unwrap()
    };
    assert_eq!(of(&stare(25.0), "blinks.rate").verdict, Verdict::Human);
    assert_eq!(of(&stare(600.0), "blinks.rate").verdict, Verdict::Wrong);
}

#[test]
fn ranges_depend_on_the_activity() {
    let trace = |activity| Trace {
        activity: Some(activity),
        ..Person { blinks_per_min: 33.0, ..Person::default() }.trace()
    };
    let verdict = |activity| of(&lint(&trace(activity)).unwrap(), "blinks.rate").verdict;
    assert_eq!(verdict(Activity::Speaking), Verdict::Human);
    assert_eq!(verdict(Activity::Reading), Verdict::Odd);
}

#[test]
fn one_good_channel_does_not_give_a_full_score() {
    let whole = Person::default().trace();
    // A trace with good blinks, but without gaze and head.
    let lids = Trace { gaze: None, eyes: None, head: None, looks: None, ..whole.clone() };
    assert!(lint(&lids).unwrap().score <= 92.0);
    // A trace with everything except lid motion.
    let frozen = Trace { openness: vec![vec![1.0; whole.len()]; 2], ..whole };
    assert!(lint(&frozen).unwrap().score < 60.0);
}

#[test]
fn invalid_traces_are_errors() {
    let broken = |change: fn(&mut Trace)| {
        let mut trace = Person { secs: 30.0, ..Person::default() }.trace();
        change(&mut trace);
        lint(&trace).unwrap_err().to_string()
    };
    assert!(broken(|t| t.rate_hz = 0.0).contains("set a sampling rate"));
    assert!(broken(|t| t.rate_hz = f64::NAN).contains("set a sampling rate"));
    assert!(broken(|t| t.openness[1].truncate(7)).contains("7 samples"));
    assert!(broken(|t| *t = Trace { rate_hz: 60.0, ..Trace::default() }).contains("neither lids nor gaze"));
    assert!(
        broken(|t| *t = Trace { rate_hz: 60.0, openness: vec![vec![1.0; 20]], ..Trace::default() })
            .contains("at least 1 s")
    );
}

#[test]
fn only_gaps_are_not_enough_data() {
    let nan = vec![f64::NAN; 3000];
    let gaze = Gaze { yaw_deg: nan.clone(), pitch_deg: nan.clone() };
    let trace = Trace { rate_hz: 100.0, gaze: Some(gaze), openness: vec![nan], ..Trace::default() };
    let lint = lint(&trace).unwrap();
    assert!(lint.checks.iter().all(|check| check.verdict == Verdict::NotEnoughData), "{:?}", remarks(&lint));
    assert_eq!(lint.score, 0.0);
}

/// Returns a row of the table in `docs/reference/lint.md`.
fn row(check: &Check) -> String {
    let [low, high] = check.human;
    format!("| `{}` | {} | {low} to {high} {} | {} |", check.id, check.title, check.unit, check.source)
}

#[test]
fn docs_page_lists_every_check() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/lint.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let trace = Trace { activity: None, ..Person { secs: 30.0, ..Person::default() }.trace() };
    let lint = lint(&trace).unwrap();
    let missing: Vec<String> =
        lint.checks.iter().map(row).filter(|row| !page.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/reference/lint.md lacks\n{}", missing.join("\n"));
}

#[test]
fn docs_page_names_the_origin_of_recordings() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/lint.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut persons = std::collections::BTreeSet::new();
    for recorded in &People::standard().recordings {
        let origin = recorded.origin.rsplit('/').next().unwrap();
        let named = page.lines().any(|line| line.contains(origin) && line.ends_with("| MIT |"));
        assert!(named && recorded.licence.starts_with("MIT"), "{recorded:?}");
        persons.insert(&recorded.person);
    }
    assert_eq!(persons.len(), 15, "{persons:?}");
}

/// Returns valid and invalid values.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -60.0..60.0f64,
        2 => Just(0.0),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(-1e300),
        1 => Just(1e300),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The linter handles any input, and the score is within its range.
    #[test]
    fn any_trace_can_be_linted(
        values in prop::collection::vec(any_value(), 1..40), rate_hz in 5.0..400.0f64, secs in 1.0..40.0f64,
        has_gaze: bool, has_eyes: bool, has_head: bool, lids in 0..3usize, is_recorded: bool, is_held: bool,
    ) {
        let count = (secs * rate_hz) as usize + 1;
        let step = if is_held { 7 } else { 1 };
        let channel = |shift: usize| -> Vec<f64> { (0..count).map(|i| values[(i / step + shift) % values.len()]).collect() };
        let gaze = |shift: usize| Gaze { yaw_deg: channel(shift), pitch_deg: channel(shift + 1) };
        let trace = Trace {
            rate_hz,
            gaze: has_gaze.then(|| gaze(0)),
            eyes: (has_gaze && has_eyes).then(|| [gaze(1), gaze(2)]),
            head: (has_gaze && has_head).then(|| gaze(3)),
            openness: (0..lids).map(|side| channel(side + 4)).collect(),
            looks: Some((0..count).map(|i| values[i % values.len()] > 0.0).collect()),
            is_recorded,
            ..Trace::default()
        };
        match lint(&trace) {
            Ok(lint) => prop_assert!((0.0..=100.0).contains(&lint.score), "{}", lint.score),
            Err(error) => prop_assert!(!has_gaze && lids == 0, "{error}"),
        }
    }
}
