//! `cargo xtask bench texture`: measures the speed of eye texture synthesis, compared with numpy and the lower bound
//! in C. `cargo xtask bench texture-judge`: checks that classifiers cannot separate synthesized eyes from recorded
//! ones.

use super::binary;
use crate::python::SKLEARN;
use crate::steps::{command, execute, output};
use crate::{Done, root, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Required frames per second on one core.
const MIN_FRAMES_PER_S: f64 = 800_000.0;
/// Maximum classifier AUC of synthesized against recorded eyes.
const MAX_AUC: f64 = 0.60;
/// Minimum classifier AUC of random eyes against recorded ones.
const MIN_AUC_OF_CHANCE: f64 = 0.90;
/// Seconds synthesized from each recording.
const SECONDS: &str = "600";
const TRIES: usize = 3;

/// Recordings with lids and gaze: the device, the folder in the test data, and the start of the file names.
const RECORDINGS: [(&str, &str, &str); 2] =
    [("htc", "eye/eyedentify3d", "HTC_"), ("tobii", "eye/tobii_fusion_openness", "P1_")];

/// Measures our program, numpy and the lower bound, one after the other.
pub(crate) fn speed() -> Done {
    let folder = std::env::var_os("VIVANT_BENCH").map(PathBuf::from);
    let of = |name: &str| folder.as_ref().map(|folder| folder.join(name)).filter(|file| file.exists());
    let mut best = 0.0_f64;
    for _ in 0..TRIES {
        let text = output(&mut command("cargo bench --quiet --locked -p vivant --bench texture"))?;
        print!("{text}");
        best = best.max(number_after(&text, "best ").ok_or_else(|| format!("no “best …” in:\n{text}"))?);
        if best >= MIN_FRAMES_PER_S {
            break;
        }
    }
    match of("texture_limit.c") {
        Some(source) => bound(&source)?,
        None => println!("texture_limit.c is not in VIVANT_BENCH: the bound is not measured"),
    }
    match (of("texsynth.py"), SKLEARN.ready()?) {
        (Some(program), Some(python)) => execute(Command::new(python).arg(program).args(["16500", "5"]))?,
        _ => println!("texsynth.py is not in VIVANT_BENCH, or Python is missing: numpy is not measured"),
    }
    if best < MIN_FRAMES_PER_S {
        return Err(format!("{best:.0} frames/s, but at least {MIN_FRAMES_PER_S} is required"));
    }
    Ok(())
}

fn bound(source: &Path) -> Done {
    let program = target().join("texture_limit");
    let mut gcc = command("gcc -O3 -march=x86-64-v3 -ffast-math");
    execute(gcc.arg(source).arg("-o").arg(&program).arg("-lm"))?;
    execute(&mut Command::new(program))
}

fn number_after(text: &str, words: &str) -> Option<f64> {
    text.split(words).nth(1)?.split_whitespace().next()?.parse().ok()
}

/// Learns a texture from each recording, synthesizes ten minutes from each texture, and runs the classifiers.
pub(crate) fn judge() -> Done {
    let Some(data) = std::env::var_os("VIVANT_DATA").map(PathBuf::from) else {
        println!("VIVANT_DATA is not set: there are no recordings to compare with");
        return Ok(());
    };
    let Some(python) = SKLEARN.ready()? else {
        println!("Python is not installed: the classifiers are skipped");
        return Ok(());
    };
    execute(&mut command("cargo build --quiet --release --locked -p vivant-cli"))?;
    let work = target().join("texture-judge");
    std::fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let mut judge = Command::new(python);
    judge.arg(root().join("tests/texture/judge.py"));
    for (device, folder, prefix) in RECORDINGS {
        for recording in recordings(&data.join(folder), prefix)? {
            judge.arg(synthesized(device, &recording, &work)?);
        }
    }
    let text = output(&mut judge)?;
    print!("{text}");
    verdict(&text)
}

fn recordings(folder: &Path, prefix: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    files.sort();
    Ok(files)
}

/// Synthesizes eyes from a recording, and returns the argument for the classifiers: `device=name:texture:trace`.
fn synthesized(device: &str, recording: &Path, work: &Path) -> Result<String, String> {
    let name = recording.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (texture, trace) = (work.join(format!("{name}.texture")), work.join(format!("{name}.csv")));
    output(Command::new(binary("vivant")).args(["learn", "eyes"]).arg(recording).arg("-o").arg(&texture))?;
    let mut trace_eyes = Command::new(binary("vivant"));
    trace_eyes.args(["trace", "eyes", "--seconds", SECONDS, "--texture"]).arg(&texture);
    output(trace_eyes.arg("-o").arg(&trace))?;
    Ok(format!("{device}={name}:{}:{}", texture.display(), trace.display()))
}

/// Checks the last line of the output, which is JSON with the AUC of each classifier by device. No classifier may
/// separate synthesized eyes from recorded ones, and every classifier must separate random eyes from recorded ones.
fn verdict(text: &str) -> Done {
    let last = text.lines().last().unwrap_or_default();
    let report: serde_json::Value = serde_json::from_str(last).map_err(|error| format!("{error}: {last}"))?;
    let mut faults = Vec::new();
    for (device, results) in report.as_object().into_iter().flatten() {
        for (classifier, auc) in results.as_object().into_iter().flatten() {
            let auc = auc.as_f64().unwrap_or(f64::NAN);
            let is_chance = classifier.ends_with("by chance");
            let is_fine = if is_chance { auc >= MIN_AUC_OF_CHANCE } else { auc <= MAX_AUC };
            if !is_fine {
                faults.push(format!("{device}, {classifier}: {auc:.3}"));
            }
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "an AUC of at most {MAX_AUC} for synthesized and at least {MIN_AUC_OF_CHANCE} for random eyes is required: {}",
            faults.join("; ")
        ))
    }
}
