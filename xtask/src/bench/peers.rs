//! `cargo xtask bench peers`: compares other programs, people and Vivant by the results of `vivant lint`.
//!
//! Writes the results to `docs/science/comparison.md`, between its markers, and plots them in
//! `docs/science/comparison.svg`.

use super::binary;
use crate::steps::{command, execute, output};
use crate::{Done, root, target};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const SECONDS: &str = "600";
/// Activities in which Vivant is measured.
const STATES: [&str; 4] = ["idle", "speaking", "listening", "reading"];
/// Temperaments of `vivant::eyes::presets` that are measured.
const PRESETS: [&str; 24] = [
    "Still",
    "NB",
    "RU",
    "GE",
    "PGE",
    "R+PGE",
    "Model",
    "Asymmetric ease",
    "Symmetric ease",
    "Asymmetric linear",
    "Linear",
    "7 frames",
    "9 frames",
    "11 frames",
    "13 frames",
    "Full",
    "Partial",
    "HMF 0",
    "HMF 0.25",
    "HMF 0.5",
    "HMF 0.75",
    "HMF 1",
    "Intelligent",
    "Inactive",
];
const MARKS: [&str; 2] = ["<!-- measured -->", "<!-- end -->"];
const PRESET_MARKS: [&str; 2] = ["<!-- presets -->", "<!-- end of presets -->"];

/// Source of a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Person,
    Vivant,
    Peer,
}

/// The results for one trace.
struct Row {
    name: String,
    whose: Whose,
    score: f64,
    judged: usize,
    wrong: Vec<String>,
    odd: Vec<String>,
    /// Classifier AUC of two-second windows against windows of people, first for lids and then for eyes.
    auc: [Option<f64>; 2],
}

/// Makes traces, checks them, and writes table and plot.
pub(crate) fn run() -> Done {
    let folder = target().join("peers");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    execute(&mut command("cargo build --quiet --locked --release -p vivant-cli"))?;
    let tests = root().join("tests/js");
    if !tests.join("node_modules/three").exists() {
        execute(command("npm ci --no-audit --no-fund --loglevel=error").current_dir(&tests))?;
    }
    let mut peers = command("node --no-warnings benches/peers/run.mjs");
    execute(peers.current_dir(root()).env("VIVANT", binary("vivant")).arg(&folder).arg(SECONDS))?;
    let people = people()?;
    let mut rows = Vec::new();
    for path in &people {
        // Files that are not eye recordings are skipped.
        let options = beside(&people, Some(path));
        rows.extend(row(format!("a person ({})", stem(path)), Whose::Person, path, &options).ok());
    }
    let beside = beside(&people, None);
    for state in STATES {
        rows.push(vivant(&folder, format!("Vivant, {state}"), state, &[], &beside)?);
    }
    let mut presets = Vec::new();
    for preset in PRESETS {
        presets.push(vivant(&folder, preset.to_owned(), "idle", &["--preset", preset], &beside)?);
    }
    presets.sort_by(|a, b| b.score.total_cmp(&a.score));
    let is_trace = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl") && !is_own(path);
    let mut files: Vec<PathBuf> = found(&folder)?.into_iter().filter(is_trace).collect();
    files.sort();
    for path in files {
        rows.push(row(stem(&path), Whose::Peer, &path, &beside)?);
    }
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    for (rows, marks) in [(&rows, MARKS), (&presets, PRESET_MARKS)] {
        print!("{}", table(rows));
        write_page(rows, marks)?;
    }
    let picture = root().join("docs/science/comparison.svg");
    fs::write(&picture, svg(&rows)).map_err(|error| format!("{}: {error}", picture.display()))
}

fn is_own(path: &Path) -> bool {
    stem(path).starts_with("Vivant")
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn found(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| error.to_string())).collect()
}

/// Returns the recordings of people, each once. The list is empty without `VIVANT_DATA`.
fn people() -> Result<Vec<PathBuf>, String> {
    const PARTS: [&str; 5] = ["_imu", "_blinks", "imudata", "metrics", "labels"];
    let Some(data) = std::env::var_os("VIVANT_DATA").map(PathBuf::from) else {
        println!("VIVANT_DATA is not set: people are left out");
        return Ok(Vec::new());
    };
    let mut files = Vec::new();
    for folder in [".", "eyedentify3d", "ear", "tobii_fusion_openness", "eog"] {
        let is_sample =
            |path: &PathBuf| path.is_file() && !PARTS.iter().any(|part| stem(path).contains(part));
        files.extend(found(&data.join("eye").join(folder))?.into_iter().filter(is_sample));
    }
    files.sort();
    Ok(files)
}

/// Parts of the names of recordings that are not used: unusual blinks on request, too short, too low sampling rate,
/// or too noisy.
const ODD: [&str; 7] =
    ["P1_long", "P1_very", "P1_slow", "P1_partial", "trampoline", "TESTNA10", "jefapato_30fps"];

/// Returns the options with the recordings of people to compare with, except the recording `but`. So a recording of a
/// person is compared with other people, which shows how well the classifier separates people from each other.
fn beside(people: &[PathBuf], but: Option<&Path>) -> Vec<String> {
    let is_odd = |path: &Path| ODD.iter().any(|odd| stem(path).contains(odd));
    if but.is_some_and(is_odd) {
        return Vec::new();
    }
    let person = |path: &Path| {
        let name = stem(path);
        let known = ["TESTNA01", "TESTNA05", "jefapato"].into_iter().find(|person| name.contains(person));
        known.map_or(name, str::to_owned)
    };
    let own = but.map(person);
    let others = people.iter().filter(|path| !is_odd(path) && own.as_ref() != Some(&person(path)));
    others.flat_map(|path| ["--beside".to_owned(), format!("{}={}", person(path), path.display())]).collect()
}

/// Measures Vivant with an activity, and optionally with a preset.
fn vivant(
    folder: &Path,
    name: String,
    state: &str,
    preset: &[&str],
    beside: &[String],
) -> Result<Row, String> {
    let (script, trace) = (folder.join("script.txt"), folder.join("Vivant.jsonl"));
    fs::write(&script, format!("{{\"at\": 0, \"be\": \"{state}\"}}\n")).map_err(|error| error.to_string())?;
    let mut perform = std::process::Command::new(binary("vivant"));
    perform
        .arg("perform")
        .arg(&script)
        .args(["--seconds", SECONDS, "--fps", "60", "-o"])
        .arg(&trace)
        .args(preset);
    output(&mut perform)?;
    let options = [&["--state".to_owned(), state.to_owned()], beside].concat();
    row(name, Whose::Vivant, &trace, &options)
}

fn row(name: String, whose: Whose, path: &Path, options: &[String]) -> Result<Row, String> {
    let mut lint = std::process::Command::new(binary("vivant"));
    lint.arg("lint").arg(path).arg("--json").args(options);
    let text = output(&mut lint)?;
    let found: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let checks = found["checks"].as_array().cloned().unwrap_or_default();
    let of = |verdict: &str| -> Vec<String> {
        let meant = checks.iter().filter(|check| check["verdict"] == verdict);
        meant.filter_map(|check| check["id"].as_str().map(str::to_owned)).collect()
    };
    let (wrong, odd) = (of("wrong"), of("odd"));
    let judged = of("human").len() + wrong.len() + odd.len();
    let auc = ["lids", "eyes"].map(|by| found["likeness"][by]["auc"].as_f64());
    Ok(Row { name, whose, score: found["score"].as_f64().unwrap_or(0.0), judged, wrong, odd, auc })
}

fn table(rows: &[Row]) -> String {
    let mut text = "| trace | score | checks | AUC by lids | AUC by eyes | wrong | odd |\n\
                    | --- | ---: | ---: | ---: | ---: | --- | --- |\n"
        .to_owned();
    for Row { name, score, judged, wrong, odd, whose, auc } in rows {
        let name = if *whose == Whose::Vivant { format!("**{name}**") } else { name.clone() };
        let [lids, eyes] = auc.map(|auc| auc.map_or_else(|| "–".to_owned(), |auc| format!("{auc:.2}")));
        let (wrong, odd) = (wrong.join(", "), odd.join(", "));
        // Writing into a String cannot fail.
        let _ = writeln!(text, "| {name} | {score:.0} | {judged} | {lids} | {eyes} | {wrong} | {odd} |");
    }
    text
}

fn write_page(rows: &[Row], marks: [&str; 2]) -> Done {
    let path = root().join("docs/science/comparison.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (Some(from), Some(to)) = (page.find(marks[0]), page.find(marks[1])) else {
        return Err(format!("{}: {} and {} are missing", path.display(), marks[0], marks[1]));
    };
    let page = format!("{}\n{}{}", &page[..from + marks[0].len()], table(rows), &page[to..]);
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}

/// Draws a bar for each trace. The best trace comes first.
fn svg(rows: &[Row]) -> String {
    const LEFT: f64 = 330.0;
    const HIGH: f64 = 19.0;
    let height = HIGH * rows.len() as f64 + 34.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {height}\" font-family=\"sans-serif\" font-size=\"12\">\
         <rect width=\"800\" height=\"{height}\" fill=\"#fff\"/><text x=\"10\" y=\"18\" font-size=\"14\" font-weight=\"600\">Score of `vivant lint`</text>"
    );
    for (i, Row { name, whose, score, .. }) in rows.iter().enumerate() {
        let y = 28.0 + HIGH * i as f64;
        let colour = match whose {
            Whose::Person => "#008a64",
            Whose::Vivant => "#0072b2",
            Whose::Peer => "#d59a5e",
        };
        let _ = write!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text><rect x=\"{LEFT}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{}\">{score:.0}</text>",
            LEFT - 8.0,
            y + 13.0,
            y + 2.0,
            4.2 * score,
            HIGH - 4.0,
            LEFT + 4.2 * score + 6.0,
            y + 13.0
        );
    }
    text + "</svg>\n"
}
