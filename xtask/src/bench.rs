//! `cargo xtask bench` measures several workloads: H55 (characters with 55 bones), compared with three.js and the
//! lower bound if they are available; reading of ELAN files, compared with pympi; the cost of eyes, lids and head,
//! and of a whole character with its plan; and the speed of audio lip-sync. `bench serve` measures the live server
//! under load; it takes long and runs only on request.

mod aam;
mod npm;
mod peers;
mod serve;
mod texture;
mod track;

use crate::python::{PYMPI, SKLEARN};
use crate::steps::{command, execute, exists, output};
use crate::{Done, root, target};
use std::path::PathBuf;
use std::process::Command;

/// Number of characters, of frames and of repeats in each run.
const RUNS: [[usize; 3]; 2] = [[1, 600, 50], [1000, 60, 5]];

/// Maximum time of workload H55, relative to the lower bound.
const MAX_TIMES: f64 = 2.0;
/// Maximum instructions of workload H55 per character and frame.
const MAX_INSTRUCTIONS: f64 = 7000.0;
/// Maximum distance of joints from those of the lower bound, in metres.
const MAX_METRES: f64 = 5e-4;
/// Maximum instructions per character and frame for idle eyes, lids, head and blinks. At the instruction rate of the
/// lower bound, this is less than 200 ns.
const MAX_FOR_EYES: f64 = 1400.0;
/// Maximum instructions of a whole character per frame, for any size of its repertoire and any length of its
/// performance.
const MAX_FOR_CHARACTER: f64 = 9500.0;
/// Maximum nanoseconds of a whole character per frame.
const MAX_NANOSECONDS: f64 = 2500.0;
/// Maximum milliseconds to plan an hour.
const MAX_PLANNING_MS: f64 = 100.0;
/// Maximum percent of one core for a thousand characters at 60 Hz.
const MAX_OF_REAL_TIME: f64 = 50.0;
/// Maximum time per character in a crowd of a thousand, relative to a single character.
const MAX_TIMES_ALONE: f64 = 1.5;
/// Maximum additional nanoseconds per frame for mouth and conversation.
const MAX_FOR_TALK_NS: f64 = 300.0;
/// Maximum nanoseconds for a random blink of a model.
const MAX_FOR_A_BLINK_NS: f64 = 2000.0;
/// Required speed-up over pympi for 10,000 annotations.
const MIN_TIMES_PYMPI: f64 = 10.0;
/// Required speed of audio lip-sync relative to real time on one core.
const MIN_TIMES_REAL_TIME: f64 = 50.0;
/// Maximum number of attempts, since the machine may be busy.
const TRIES: usize = 3;

/// Builds the command and our tools in release mode. Tests build them with additional checks, which cost time.
const BINARIES: &str = "cargo build --release --locked -p vivant-cli -p vivant-tools";

/// Returns the path of a program that [`BINARIES`] builds.
fn binary(name: &str) -> PathBuf {
    target().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs all benchmarks, or one by its name.
pub(crate) fn run(only: Option<&str>, options: &[String]) -> Done {
    match only {
        None => all(),
        Some("elan") => elan(),
        Some("blinks") => blinks(),
        Some("character") => character(),
        Some("lip_sync") => lip_sync(),
        Some("aam") => aam::speed(),
        Some("texture") => texture::speed(),
        Some("texture-judge") => texture::judge(),
        Some("npm") => npm::run(),
        Some("peers") => peers::run(),
        Some("serve") => serve::run(options),
        Some("track") => track::run(options),
        Some(other) => Err(format!(
            "unknown benchmark “{other}”; leave it out for all, or give aam, elan, blinks, character, lip_sync, \
                 npm, peers, texture, texture-judge, serve or track"
        )),
    }
}

fn all() -> Done {
    build()?;
    let bound = bound()?;
    for numbers in RUNS {
        match &bound {
            None => drop(measured(&mut bench(numbers))?),
            Some(bound) => compare(bound, numbers)?,
        }
    }
    peer()?;
    elan()?;
    blinks()?;
    execute(&mut command("cargo bench --quiet --locked -p vivant --bench eyes"))?;
    character()?;
    lip_sync()?;
    texture::speed()?;
    aam::speed()?;
    instructions(bound.as_ref())
}

/// Measures a random blink of the standard model, and the computation of five components of 49 blinks, which is
/// compared with scikit-learn.
fn blinks() -> Done {
    within_tries("cargo bench --quiet --locked -p vivant --bench blinks --", "best ", MAX_FOR_A_BLINK_NS)?;
    execute(&mut command("cargo bench --quiet --locked -p vivant-learn --bench pca"))?;
    let program = std::env::var_os("VIVANT_BENCH").map(|folder| PathBuf::from(folder).join("pca49.py"));
    let Some(program) = program.filter(|program| program.exists()) else {
        println!("pca49.py is not in VIVANT_BENCH: principal components are not compared");
        return Ok(());
    };
    let Some(python) = SKLEARN.ready()? else { return Ok(()) };
    execute(Command::new(python).arg(program))
}

/// Measures a whole character, a crowd, a speaking character, and an hour of planning.
fn character() -> Done {
    let bench = "cargo bench --quiet --locked -p vivant --bench character --";
    within_tries(&format!("{bench} 1 120 5 many"), "best ", MAX_NANOSECONDS)?;
    within_tries(&format!("{bench} 1000 2 3 many"), "characters: ", MAX_OF_REAL_TIME)?;
    within_tries(&format!("{bench} 1000 2 5 crowd"), "crowd: best ", MAX_TIMES_ALONE)?;
    within_tries(&format!("{bench} 1 120 9 talk"), "best ", MAX_FOR_TALK_NS)?;
    within_tries(&format!("{bench} 1 1 5 plan"), "best ", MAX_PLANNING_MS)?;
    if exists("valgrind --version") {
        let program = executable("character")?;
        for scene in ["few", "many", "late"] {
            let count = |seconds: &str| counted(&program, &["1", seconds, "1", scene]);
            let each = (count("60")? - count("30")?) / 1800.0;
            allowed(&format!("character {scene}"), each, MAX_FOR_CHARACTER)?;
        }
    }
    Ok(())
}

/// Measures the speed of audio lip-sync, and its instructions per second of audio at each sampling rate.
fn lip_sync() -> Done {
    let text = output(&mut command("cargo bench --quiet --locked -p vivant --bench lip_sync -- 5"))?;
    print!("{text}");
    for line in text.lines() {
        let times =
            line.split("best ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        let times = times.ok_or_else(|| format!("no “best … ×” in “{line}”"))?;
        if times < MIN_TIMES_REAL_TIME {
            return Err(format!("{line}, but at least {MIN_TIMES_REAL_TIME} × is required"));
        }
    }
    if !exists("valgrind --version") {
        println!("valgrind is not installed: instructions are not counted");
        return Ok(());
    }
    let program = executable("lip_sync")?;
    for rate_hz in ["16000", "48000"] {
        // The count is the difference between two runs: 4 s of audio once and twice.
        let count = |repeats: &str| counted(&program, &[repeats, "4", rate_hz]);
        let each = (count("2")? - count("1")?) / 4.0;
        println!("lip-sync at {rate_hz} Hz: {:.1} million instructions per second of audio", each / 1e6);
    }
    Ok(())
}

/// Runs a benchmark until the number after `words` in its output is at most `most`. Fails after a few attempts.
fn within_tries(line: &str, words: &str, most: f64) -> Done {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let text = output(&mut command(line))?;
        print!("{text}");
        let number = text.split(words).nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        least = least.min(number.ok_or_else(|| format!("no number after “{words}” in:\n{text}"))?);
        if least <= most {
            return Ok(());
        }
    }
    Err(format!("{line}: “{words}” gives {least}, but at most {most} is allowed"))
}

/// Runs the same workload in three.js, with the packages that `cargo xtask test` installs.
fn peer() -> Done {
    let folder = root().join("tests/js");
    if !folder.join("node_modules/three").exists() {
        println!("three.js is not installed: run cargo xtask test once to compare with it");
        return Ok(());
    }
    let ours = measured(&mut bench(RUNS[0]))?;
    let theirs = measured(command("node bench-h55.mjs").current_dir(folder))?;
    println!("  → three.js takes {:.0} × as long\n", theirs.nanoseconds / ours.nanoseconds);
    Ok(())
}

/// Reads 10,000 annotations with their times from a file, and compares the time with pympi in the same run. A program
/// in `VIVANT_BENCH` makes the file.
fn elan() -> Done {
    let program = std::env::var_os("VIVANT_BENCH").map(|folder| PathBuf::from(folder).join("elan.py"));
    let Some(program) = program.filter(|program| program.exists()) else {
        println!("elan.py is not in VIVANT_BENCH: reading ELAN files is not compared");
        return Ok(());
    };
    let Some(python) = PYMPI.ready()? else { return Ok(()) };
    let file = target().join("elan-10000.eaf");
    let mut most = 0.0_f64;
    for _ in 0..TRIES {
        let theirs = best_ms(Command::new(&python).arg(&program).arg(&file).arg("10"), "pympi Eaf(path)")?;
        let mut bench = command("cargo bench --quiet --locked -p vivant-io --bench eaf --");
        most = most.max(theirs / best_ms(bench.arg(&file), "vivant")?);
        println!("  → pympi takes {most:.1} × as long\n");
        if most >= MIN_TIMES_PYMPI {
            return Ok(());
        }
    }
    Err(format!("pympi takes {most:.1} × as long, but at least {MIN_TIMES_PYMPI} × is required"))
}

/// Returns the number in the line `name … best N ms …`.
fn best_ms(program: &mut Command, name: &str) -> Result<f64, String> {
    let text = output(program)?;
    print!("{text}");
    let line = text.lines().find(|line| line.starts_with(name));
    let number = line.and_then(|line| line.split("best ").nth(1)?.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("no “{name} … best … ms” in:\n{text}"))
}

/// Measures our program and the lower bound, one after the other, until our program is within its limit.
fn compare(bound: &PathBuf, numbers: [usize; 3]) -> Done {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let ours = measured(&mut bench(numbers))?;
        let limit = measured(Command::new(bound).args(numbers.map(|n| n.to_string())))?;
        let off = ours.joints.iter().zip(&limit.joints).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if ours.joints.len() != limit.joints.len() || off > MAX_METRES {
            return Err(format!(
                "a joint is {off} m away from its position in the lower bound; at most {MAX_METRES} m is allowed"
            ));
        }
        least = least.min(ours.nanoseconds / limit.nanoseconds);
        println!("  → {least:.2} × the bound with N = {}; joints within {off:.0e} m\n", numbers[0]);
        if least <= MAX_TIMES {
            return Ok(());
        }
    }
    Err(format!(
        "a frame takes {least:.2} × the time of the lower bound, but at most {MAX_TIMES} × is allowed"
    ))
}

fn build() -> Done {
    execute(&mut command("cargo bench --locked -p vivant --bench h55 --no-run"))
}

fn bench([characters, frames, repeats]: [usize; 3]) -> Command {
    command(&format!("cargo bench --quiet --locked -p vivant --bench h55 -- {characters} {frames} {repeats}"))
}

/// Compiles the program of the lower bound from `VIVANT_BENCH`.
fn bound() -> Result<Option<PathBuf>, String> {
    let Some(folder) = std::env::var_os("VIVANT_BENCH").map(PathBuf::from) else {
        println!("VIVANT_BENCH is not set: nothing is compared");
        return Ok(None);
    };
    let (source, program) = (folder.join("h55_limit.c"), target().join("h55_limit"));
    let mut gcc = command("gcc -O3 -march=x86-64-v3 -ffast-math");
    execute(gcc.arg(&source).args(["-lm", "-o"]).arg(&program))?;
    Ok(Some(program))
}

/// Output of a run of the workload.
struct Measured {
    nanoseconds: f64,
    joints: Vec<f64>,
}

/// Runs a program that prints “best N ns” and the positions of two joints.
fn measured(program: &mut Command) -> Result<Measured, String> {
    let text = output(program)?;
    print!("{text}");
    let number = |word: &str| word.parse::<f64>().ok();
    let best = text.split("best ").nth(1).and_then(|rest| rest.split_whitespace().find_map(number));
    let places = text.lines().filter_map(|line| line.split(" pos ").nth(1));
    let joints = places.flat_map(|place| place.split_whitespace().filter_map(number)).collect();
    let nanoseconds = best.ok_or_else(|| format!("no “best … ns” in:\n{text}"))?;
    Ok(Measured { nanoseconds, joints })
}

/// Counts instructions per character and frame: the difference of two run lengths under callgrind.
fn instructions(bound: Option<&PathBuf>) -> Done {
    if !exists("valgrind --version") {
        println!("valgrind is not installed: instructions are not counted");
        return Ok(());
    }
    let ours = executable("h55")?;
    for (name, program) in [("vivant", Some(&ours)), ("bound", bound)] {
        let Some(program) = program else { continue };
        let count = |frames: &str| counted(program, &["1", frames, "1"]);
        let each = (count("300")? - count("100")?) / 200.0;
        let most = if name == "vivant" { MAX_INSTRUCTIONS } else { f64::INFINITY };
        allowed(name, each, most)?;
    }
    let eyes = executable("eyes")?;
    for (scene, most) in [("alone", MAX_FOR_EYES), ("speaking", MAX_FOR_EYES), ("led", f64::INFINITY)] {
        let count = |seconds: &str| counted(&eyes, &[seconds, "1", scene]);
        let each = (count("120")? - count("60")?) / 3600.0;
        allowed(&format!("eyes {scene}"), each, most)?;
    }
    Ok(())
}

fn allowed(name: &str, each: f64, most: f64) -> Done {
    println!("{name}: {each:.0} instructions per character and frame");
    if each > most {
        return Err(format!("{name}: more than {most} instructions"));
    }
    Ok(())
}

/// Returns the path of the benchmark's executable.
fn executable(bench: &str) -> Result<PathBuf, String> {
    let messages = output(&mut command(&format!(
        "cargo bench --quiet --locked -p vivant --bench {bench} --no-run --message-format json",
    )))?;
    let artifact = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_it = value["target"]["name"] == bench;
        is_it.then(|| value["executable"].as_str().map(PathBuf::from)).flatten()
    };
    messages.lines().find_map(artifact).ok_or_else(|| "cargo did not report the path of the benchmark".into())
}

fn counted(program: &PathBuf, arguments: &[&str]) -> Result<f64, String> {
    let mut valgrind = command("valgrind --tool=callgrind --callgrind-out-file=/dev/null");
    let output = valgrind.arg(program).args(arguments).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = text.lines().find_map(|line| line.split("Collected :").nth(1));
    collected.and_then(|n| n.trim().parse().ok()).ok_or_else(|| format!("callgrind counted nothing:\n{text}"))
}
