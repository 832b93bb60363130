//! The standard blink model is learned from the recordings that it names.
//!
//! They are in `VIVANT_DATA`. `VIVANT_UPDATE=1` updates the engine's file.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use std::fmt::Write;
use std::path::Path;
use vivant::eyes::blink_model::{BlinkModel, Closure, Component, Exemplar};
use vivant_learn::pca::{BlinkSelection, Eyes, Learned, Options, gather, learn};
use vivant_learn::recording::{self, ReadOptions, Recording, Source};

/// One minute of one person at 240 fps (MIT licence). Paper 3's model is of one person, too.
const RECORDINGS: [&[&str]; 1] = [&["ear/jefapato_240fps_60s.csv"]];

const ORIGIN: &str =
    "both eyes in 6 spontaneous blinks of one person, eye aspect ratio at 240 fps (JeFaPaTo, MIT licence)";

fn recording(folder: &Path, files: &[&str]) -> Recording {
    let source = |file: &&str| Source {
        name: Path::new(file).file_name().unwrap().to_string_lossy().into_owned(),
        bytes: std::fs::read(folder.join("eye").join(file)).unwrap(),
    };
    let sources: Vec<Source> = files.iter().map(source).collect();
    recording::read(&sources, &ReadOptions::default()).unwrap().0
}

fn learned() -> Option<Learned> {
    let folder = vivant_testing::data("")?;
    let recordings: Vec<Recording> = RECORDINGS.iter().map(|files| recording(&folder, files)).collect();
    let gathered = gather(&recordings, &BlinkSelection { eyes: Eyes::Each, partial: false }).unwrap();
    println!("{:#?}\n{:?}", gathered.found, gathered.left_out);
    let learned = learn(&gathered.cuts, &Options::default(), ORIGIN).unwrap();
    println!("{:#?}", learned.report);
    Some(learned)
}

#[test]
fn the_standard_model_matches_its_recordings() {
    let Some(learned) = learned() else { return };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vivant/src/eyes/blink_model/standard.rs");
    if std::env::var_os("VIVANT_UPDATE").is_some() {
        std::fs::write(&file, source(&learned.model)).unwrap();
        println!("{} updated; run the test again", file.display());
        return;
    }
    let (ours, again) = (BlinkModel::standard(), learned.model);
    let advice = "VIVANT_UPDATE=1 cargo test -p vivant-learn --test standard_blinks updates the file";
    assert_eq!(
        (ours.blinks, &ours.origin, ours.closure),
        (again.blinks, &again.origin, again.closure),
        "{advice}"
    );
    let (ours, again) = (numbers(&ours), numbers(&again));
    assert_eq!(ours.len(), again.len(), "{advice}");
    let off = ours.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-6, "a number is {off} off; {advice}");
}

/// Checks that five components explain 98 % of the variance if each blink, with both eyes, is held out in turn.
#[test]
fn five_components_explain_held_out_blinks() {
    let Some(Learned { report, .. }) = learned() else { return };
    let held_out = report.held_out.unwrap();
    assert_eq!((report.shares.len(), held_out.folds), (5, 6));
    assert!(report.explained >= 0.98 && held_out.variance >= 0.98, "{report:?}");
}

/// Returns all numbers of a model in order.
fn numbers(model: &BlinkModel) -> Vec<f64> {
    let mut all = Vec::new();
    for way in [model.closing, model.opening] {
        all.extend([way.mean_secs, way.sd_secs, f64::from(way.samples)]);
    }
    all.extend(&model.mean);
    for Component { sd, share, profile, closing, opening } in &model.components {
        all.extend([sd, share, closing, opening]);
        all.extend(profile);
    }
    for Exemplar { closing_secs, opening_secs, profile } in &model.exemplars {
        all.extend([closing_secs, opening_secs]);
        all.extend(profile);
    }
    all
}

/// Returns the source of the engine's file.
fn source(model: &BlinkModel) -> String {
    let BlinkModel { blinks, closing, opening, .. } = model;
    let way = |way: &vivant::eyes::blink_model::BlinkPhase| {
        format!(
            "BlinkPhase {{ mean_secs: {:.7}, sd_secs: {:.7}, samples: {} }}",
            way.mean_secs, way.sd_secs, way.samples
        )
    };
    let closure = match model.closure {
        Closure::Full => "Full",
        Closure::Natural => "Natural",
    };
    let samples = model.mean.len();
    let mut text = format!(
        "//! The standard blink model. This file is generated from recordings under the MIT licence, which
//! `docs/science/blink-model.md` lists: `VIVANT_UPDATE=1 cargo test -p vivant-learn --test standard_blinks`. Without
//! `VIVANT_UPDATE` the same test checks that it is up to date.

use super::{{BlinkModel, BlinkPhase, Closure, Component, Exemplar, VERSION}};

pub(super) fn model() -> BlinkModel {{
    let component = |([sd, share, closing, opening], profile): &([f64; 4], [f64; {samples}])| Component {{
        sd: *sd,
        share: *share,
        profile: profile.to_vec(),
        closing: *closing,
        opening: *opening,
    }};
    let exemplar = |([closing_secs, opening_secs], profile): &([f64; 2], [f64; {samples}])| Exemplar {{
        closing_secs: *closing_secs,
        opening_secs: *opening_secs,
        profile: profile.to_vec(),
    }};
    BlinkModel {{
        version: VERSION,
        origin: \"{}\".into(),
        blinks: {blinks},
        closure: Closure::{closure},
        closing: {},
        opening: {},
        mean: MEAN.to_vec(),
        components: COMPONENTS.iter().map(component).collect(),
        exemplars: EXEMPLARS.iter().map(exemplar).collect(),
    }}
}}

",
        model.origin,
        way(closing),
        way(opening),
    );
    let _ = write!(
        text,
        "/// Openness of the eye in the mean blink.\n#[rustfmt::skip]\nconst MEAN: [f64; {samples}] = {};\n\n",
        list(&model.mean)
    );
    let _ = write!(
        text,
        "/// Standard deviation, share of the variance, changes of closing and opening, and the profile of each component.\n#[rustfmt::skip]\nconst COMPONENTS: [([f64; 4], [f64; {samples}]); {}] = [\n",
        model.components.len()
    );
    for Component { sd, share, closing, opening, profile } in &model.components {
        let _ = writeln!(text, "({}, {}),", list(&[*sd, *share, *closing, *opening]), list(profile));
    }
    let _ = write!(
        text,
        "];\n\n/// Durations of closing and opening in seconds, and the profile of each recorded blink.\n#[rustfmt::skip]\nconst EXEMPLARS: [([f64; 2], [f64; {samples}]); {}] = [\n",
        model.exemplars.len()
    );
    for Exemplar { closing_secs, opening_secs, profile } in &model.exemplars {
        let _ = writeln!(text, "({}, {}),", list(&[*closing_secs, *opening_secs]), list(profile));
    }
    text.push_str("];\n");
    text
}

/// Formats numbers with seven decimals, as many per line as fit.
fn list(numbers: &[f64]) -> String {
    const COLUMNS: usize = 108;
    let written: Vec<String> = numbers.iter().map(|number| format!("{:.7}", number + 0.0)).collect();
    if written.len() <= 4 {
        return format!("[{}]", written.join(", "));
    }
    let (mut text, mut column) = ("[".to_owned(), COLUMNS);
    for number in written {
        if column + number.len() + 2 > COLUMNS {
            text.push_str("\n   ");
            column = 3;
        }
        let _ = write!(text, " {number},");
        column += number.len() + 2;
    }
    text + "\n]"
}
