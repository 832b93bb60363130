//! Principal components and splines match scikit-learn and SciPy.
//!
//! `cargo xtask test` installs scikit-learn and sets `VIVANT_SKLEARN`.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use vivant::chance::Chance;
use vivant::math::sin;
use vivant_learn::pca::{Components, Cut, Form};

const NEAR: f64 = 1e-6;

/// Returns the result of Python, or `None` if it is not installed.
fn run_python(asked: &Value) -> Option<Value> {
    let python = vivant_testing::variable("VIVANT_SKLEARN")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/learn/pca.py");
    let mut python_process = Command::new(python);
    let python_process = python_process.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python_process = python_process.spawn().expect("VIVANT_SKLEARN is a Python");
    python_process.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
    let output = python_process.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < NEAR)
}

/// Returns blinks of many depths and lengths with noise, as rows for a model.
fn blinks(count: u64) -> Vec<Vec<f64>> {
    let chance = Chance::new(1, "blinks");
    let cut = |index: u64| {
        let mut draw = chance.event(index);
        let (low, n) = (draw.between(0.0, 0.4), draw.between(18.0, 40.0) as u32);
        let mut value = |u: f64| {
            let down = sin(std::f64::consts::FRAC_PI_2 * u);
            1.0 - (1.0 - low) * down * down + draw.between(-0.01, 0.01)
        };
        let closing = (0..=n).map(|i| value(f64::from(i) / f64::from(n))).collect();
        let opening = (0..=2 * n + 5).map(|i| value(1.0 - f64::from(i) / f64::from(2 * n + 5))).collect();
        Cut { group: index as usize, rate_hz: 240.0, closing, opening }
    };
    let cuts: Vec<Cut> = (0..count).map(cut).collect();
    let form = Form::of(&cuts, 300.0);
    cuts.iter().map(|cut| form.row(cut)).collect()
}

/// Returns matrices with few rows, many rows, and a square one.
fn matrices() -> Vec<(Vec<Vec<f64>>, usize)> {
    let chance = Chance::new(2, "matrix");
    let noise = |rows: u64, columns: usize| {
        let row = |index| {
            let mut draw = chance.event(index);
            (0..columns)
                .map(|column| draw.between(-1.0, 1.0) * 0.8_f64.sqrt() / (1.0 + column as f64))
                .collect()
        };
        (0..rows).map(row).collect()
    };
    vec![(blinks(49), 5), (blinks(12), 5), (blinks(400), 5), (noise(30, 30), 8), (noise(500, 12), 12)]
}

#[test]
fn components_match_scikit_learn_up_to_sign() {
    let matrices = matrices();
    let asked: Vec<Value> =
        matrices.iter().map(|(rows, components)| json!({ "rows": rows, "components": components })).collect();
    let Some(answer) = run_python(&json!({ "matrices": asked, "splines": [] })) else { return };
    for ((rows, count), expected) in matrices.iter().zip(answer["matrices"].as_array().unwrap()) {
        let found = Components::of(rows, *count);
        assert!(near(&found.mean, &numbers(&expected["mean"])));
        assert!(near(&found.variances, &numbers(&expected["variances"])));
        let shares: Vec<f64> = found.variances.iter().map(|variance| variance / found.total).collect();
        assert!(near(&shares, &numbers(&expected["shares"])));
        for (index, vector) in found.vectors.iter().enumerate() {
            let theirs = numbers(&expected["vectors"][index]);
            let negated: Vec<f64> = theirs.iter().map(|number| -number).collect();
            assert!(
                near(vector, &theirs) || near(vector, &negated),
                "{} rows, component {index}",
                rows.len()
            );
        }
    }
}

/// Checks that the phases of a cut are resampled like SciPy's natural cubic splines.
#[test]
fn splines_match_scipy() {
    let chance = Chance::new(3, "samples");
    let cuts: Vec<Cut> = (0..20)
        .map(|index| {
            let mut draw = chance.event(index);
            let mut way = |count: usize| (0..count).map(|_| draw.uniform()).collect::<Vec<f64>>();
            Cut { group: 0, rate_hz: 100.0, closing: way(4 + index as usize), opening: way(30) }
        })
        .collect();
    let form = Form::of(&cuts, 300.0);
    let counts = [form.closing.samples, form.opening.samples];
    let asked: Vec<Value> = cuts
        .iter()
        .flat_map(|cut| [(&cut.closing, counts[0]), (&cut.opening, counts[1])])
        .map(|(samples, count)| json!({ "samples": samples, "count": count }))
        .collect();
    let Some(answer) = run_python(&json!({ "matrices": [], "splines": asked })) else { return };
    let splines = answer["splines"].as_array().unwrap();
    for (cut, expected) in cuts.iter().zip(splines.chunks(2)) {
        let mut both = numbers(&expected[0]);
        both.extend(&numbers(&expected[1])[1..]);
        assert!(near(&form.row(cut)[..form.samples()], &both));
    }
}
