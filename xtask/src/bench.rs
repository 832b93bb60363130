//! `cargo xtask bench`: workload H55, and beside it three.js and the lower bound, where they can be had;
//! how fast ELAN files are read beside pympi; what eyes, lids and head cost, and a whole character with its
//! plan; how fast a voice is heard. `bench serve` is the live server under load, which takes its time and is
//! measured only when asked for.

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

/// Characters, frames and repeats.
const RUNS: [[usize; 3]; 2] = [[1, 600, 50], [1000, 60, 5]];

/// What H55 asks for: times the bound, instructions a character and frame, metres off the bound's joints.
const MOST_TIMES: f64 = 2.0;
const MOST_INSTRUCTIONS: f64 = 7000.0;
const MOST_METRES: f64 = 5e-4;
/// What eyes, lids, head and blinks may take: instructions a character and frame, left alone. By the
/// bound's instructions a nanosecond this is less than 200 ns.
const MOST_FOR_EYES: f64 = 1400.0;
/// What a whole character may take: instructions a frame, whatever the size of its repertoire and the length
/// of its performance; nanoseconds a frame; milliseconds to plan an hour; and the share of one core that a
/// thousand of them take at 60 Hz.
const MOST_FOR_CHARACTER: f64 = 9500.0;
const MOST_NANOSECONDS: f64 = 2500.0;
const MOST_PLANNING_MS: f64 = 100.0;
const MOST_OF_REAL_TIME: f64 = 50.0;
/// How many times as long a character of a crowd of a thousand may take as one alone.
const MOST_TIMES_ALONE: f64 = 1.5;
/// What mouth and conversation may add, in nanoseconds a frame.
const MOST_FOR_TALK_NS: f64 = 300.0;
/// What a new blink of a model may take.
const MOST_FOR_A_BLINK_NS: f64 = 2000.0;
/// How many times as long as ours pympi's parse of 10,000 annotations has to take.
const LEAST_TIMES_PYMPI: f64 = 10.0;
/// How many times faster than real time a voice has to be heard on one core.
const LEAST_TIMES_REAL_TIME: f64 = 50.0;
/// A busy machine gets a few chances.
const TRIES: usize = 3;

/// The command and our tools as people get them: tests build them with more checks, which cost time.
const BINARIES: &str = "cargo build --release --locked -p vivant-cli -p vivant-tools";

/// One of [`BINARIES`].
fn binary(name: &str) -> PathBuf {
    target().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// All of it, or only what is asked for by name.
pub(crate) fn run(only: Option<&str>, options: &[String]) -> Done {
    match only {
        None => all(),
        Some("elan") => elan(),
        Some("blinks") => blinks(),
        Some("character") => character(),
        Some("hearing") => hearing(),
        Some("aam") => aam::speed(),
        Some("texture") => texture::speed(),
        Some("texture-judge") => texture::judge(),
        Some("npm") => npm::run(),
        Some("peers") => peers::run(),
        Some("serve") => serve::run(options),
        Some("track") => track::run(options),
        Some(other) => Err(format!(
            "“{other}” is no benchmark; leave it out for all, or give aam, elan, blinks, character, hearing, \
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
    hearing()?;
    texture::speed()?;
    aam::speed()?;
    instructions(bound.as_ref())
}

/// A new blink of the standard model; and five components of 49 blinks beside scikit-learn's in the same run.
fn blinks() -> Done {
    within_tries("cargo bench --quiet --locked -p vivant --bench blinks --", "best ", MOST_FOR_A_BLINK_NS)?;
    execute(&mut command("cargo bench --quiet --locked -p vivant-learn --bench pca"))?;
    let program = std::env::var_os("VIVANT_BENCH").map(|folder| PathBuf::from(folder).join("pca49.py"));
    let Some(program) = program.filter(|program| program.exists()) else {
        println!("there is no pca49.py in VIVANT_BENCH: principal components are not compared");
        return Ok(());
    };
    let Some(python) = SKLEARN.ready()? else { return Ok(()) };
    execute(Command::new(python).arg(program))
}

/// A whole character, a crowd of them, one who talks, and an hour of planning.
fn character() -> Done {
    let bench = "cargo bench --quiet --locked -p vivant --bench character --";
    within_tries(&format!("{bench} 1 120 5 many"), "best ", MOST_NANOSECONDS)?;
    within_tries(&format!("{bench} 1000 2 3 many"), "characters: ", MOST_OF_REAL_TIME)?;
    within_tries(&format!("{bench} 1000 2 5 crowd"), "crowd: best ", MOST_TIMES_ALONE)?;
    within_tries(&format!("{bench} 1 120 9 talk"), "best ", MOST_FOR_TALK_NS)?;
    within_tries(&format!("{bench} 1 1 5 plan"), "best ", MOST_PLANNING_MS)?;
    if exists("valgrind --version") {
        let program = executable("character")?;
        for scene in ["few", "many", "late"] {
            let count = |seconds: &str| counted(&program, &["1", seconds, "1", scene]);
            let each = (count("60")? - count("30")?) / 1800.0;
            allowed(&format!("character {scene}"), each, MOST_FOR_CHARACTER)?;
        }
    }
    Ok(())
}

/// How fast a voice is heard, and with how many instructions a second of it at each rate.
fn hearing() -> Done {
    let text = output(&mut command("cargo bench --quiet --locked -p vivant --bench hearing -- 5"))?;
    print!("{text}");
    for line in text.lines() {
        let times =
            line.split("best ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        let times = times.ok_or_else(|| format!("no “best … ×” in “{line}”"))?;
        if times < LEAST_TIMES_REAL_TIME {
            return Err(format!("{line}, and at least {LEAST_TIMES_REAL_TIME} × are asked for"));
        }
    }
    if !exists("valgrind --version") {
        println!("valgrind is not installed: instructions are not counted");
        return Ok(());
    }
    let program = executable("hearing")?;
    for rate_hz in ["16000", "48000"] {
        // What hears 4 s twice does all that what hears them once does, and hears 4 s more.
        let count = |repeats: &str| counted(&program, &[repeats, "4", rate_hz]);
        let each = (count("2")? - count("1")?) / 4.0;
        println!("hearing at {rate_hz} Hz: {:.1} million instructions per second of audio", each / 1e6);
    }
    Ok(())
}

/// Runs a benchmark until the number that it prints behind some words is small enough, a few times at most.
fn within_tries(line: &str, words: &str, most: f64) -> Done {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let text = output(&mut command(line))?;
        print!("{text}");
        let number = text.split(words).nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        least = least.min(number.ok_or_else(|| format!("no number behind “{words}” in:\n{text}"))?);
        if least <= most {
            return Ok(());
        }
    }
    Err(format!("{line}: {least}, and at most {most} are allowed"))
}

/// The same workload in three.js, with the packages that `cargo xtask test` installs.
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

/// 10,000 annotations, from the disk to every annotation's time, and pympi's parse of the same file in the
/// same run. The program of the folder `VIVANT_BENCH` makes the file.
fn elan() -> Done {
    let program = std::env::var_os("VIVANT_BENCH").map(|folder| PathBuf::from(folder).join("elan.py"));
    let Some(program) = program.filter(|program| program.exists()) else {
        println!("there is no elan.py in VIVANT_BENCH: reading ELAN files is not compared");
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
        if most >= LEAST_TIMES_PYMPI {
            return Ok(());
        }
    }
    Err(format!("pympi takes {most:.1} × as long, and has to take at least {LEAST_TIMES_PYMPI} ×"))
}

/// The number in the line `name … best N ms …`.
fn best_ms(program: &mut Command, name: &str) -> Result<f64, String> {
    let text = output(program)?;
    print!("{text}");
    let line = text.lines().find(|line| line.starts_with(name));
    let number = line.and_then(|line| line.split("best ").nth(1)?.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("no “{name} … best … ms” in:\n{text}"))
}

/// Ours and the bound, one right after the other, until ours is within its limit.
fn compare(bound: &PathBuf, numbers: [usize; 3]) -> Done {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let ours = measured(&mut bench(numbers))?;
        let limit = measured(Command::new(bound).args(numbers.map(|n| n.to_string())))?;
        let off = ours.joints.iter().zip(&limit.joints).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if ours.joints.len() != limit.joints.len() || off > MOST_METRES {
            return Err(format!("a joint is {off} m off the bound's, and at most {MOST_METRES} are allowed"));
        }
        least = least.min(ours.nanoseconds / limit.nanoseconds);
        println!("  → {least:.2} × the bound with N = {}; joints within {off:.0e} m\n", numbers[0]);
        if least <= MOST_TIMES {
            return Ok(());
        }
    }
    Err(format!("{least:.2} × the bound, and at most {MOST_TIMES} × are allowed"))
}

fn build() -> Done {
    execute(&mut command("cargo bench --locked -p vivant --bench h55 --no-run"))
}

fn bench([characters, frames, repeats]: [usize; 3]) -> Command {
    command(&format!("cargo bench --quiet --locked -p vivant --bench h55 -- {characters} {frames} {repeats}"))
}

/// The program of the lower bound, compiled now, from the folder `VIVANT_BENCH`.
fn bound() -> Result<Option<PathBuf>, String> {
    let Some(folder) = std::env::var_os("VIVANT_BENCH").map(PathBuf::from) else {
        println!("VIVANT_BENCH is not set: there is nothing to compare with");
        return Ok(None);
    };
    let (source, program) = (folder.join("h55_limit.c"), target().join("h55_limit"));
    let mut gcc = command("gcc -O3 -march=x86-64-v3 -ffast-math");
    execute(gcc.arg(&source).args(["-lm", "-o"]).arg(&program))?;
    Ok(Some(program))
}

/// What a run of the workload printed.
struct Measured {
    nanoseconds: f64,
    joints: Vec<f64>,
}

/// Runs a program that says “best N ns” and where two joints are.
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

/// Instructions a character and frame: the difference of two run lengths under callgrind.
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
        let most = if name == "vivant" { MOST_INSTRUCTIONS } else { f64::INFINITY };
        allowed(name, each, most)?;
    }
    let eyes = executable("eyes")?;
    for (scene, most) in [("alone", MOST_FOR_EYES), ("speaking", MOST_FOR_EYES), ("led", f64::INFINITY)] {
        let count = |seconds: &str| counted(&eyes, &[seconds, "1", scene]);
        let each = (count("120")? - count("60")?) / 3600.0;
        allowed(&format!("eyes {scene}"), each, most)?;
    }
    Ok(())
}

fn allowed(name: &str, each: f64, most: f64) -> Done {
    println!("{name}: {each:.0} instructions per character and frame");
    if each > most {
        return Err(format!("{name}: at most {most} instructions are allowed"));
    }
    Ok(())
}

/// Where Cargo put the benchmark.
fn executable(bench: &str) -> Result<PathBuf, String> {
    let messages = output(&mut command(&format!(
        "cargo bench --quiet --locked -p vivant --bench {bench} --no-run --message-format json",
    )))?;
    let artifact = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_it = value["target"]["name"] == bench;
        is_it.then(|| value["executable"].as_str().map(PathBuf::from)).flatten()
    };
    messages.lines().find_map(artifact).ok_or_else(|| "cargo did not say where the benchmark is".into())
}

fn counted(program: &PathBuf, arguments: &[&str]) -> Result<f64, String> {
    let mut valgrind = command("valgrind --tool=callgrind --callgrind-out-file=/dev/null");
    let output = valgrind.arg(program).args(arguments).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = text.lines().find_map(|line| line.split("Collected :").nth(1));
    collected.and_then(|n| n.trim().parse().ok()).ok_or_else(|| format!("callgrind counted nothing:\n{text}"))
}
