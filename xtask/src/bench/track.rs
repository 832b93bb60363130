//! `cargo xtask bench track`: measures speed and memory of `vivant track`. A long film with the size of the paper's
//! film is sent through a pipe.
//!
//! Only a few seconds of the film are generated. They are played forwards and backwards.

use crate::steps::{command, execute, output};
use crate::{Done, target};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Number of frames of the film: 22 minutes at 300 frames per second.
const FRAMES: usize = 400_000;
/// Number of generated frames.
const DRAWN: usize = 150;
const SIZE: [usize; 2] = [512, 384];
/// Maximum memory in megabytes.
const MAX_MB: f64 = 500.0;

/// Tracks all frames, or the number in the option `--frames N`.
pub(crate) fn run(options: &[String]) -> Done {
    let frames = match options {
        [] => FRAMES,
        [flag, number] if flag == "--frames" => {
            number.parse().map_err(|_| format!("--frames {number}: give a number"))?
        }
        _ => return Err("bench track has one option: --frames N".into()),
    };
    let folder = target().join("bench-track");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let vivant = prepared(&folder)?;
    let film = fs::read(folder.join("film.gray")).map_err(|error| error.to_string())?;
    for jobs in [1, 2] {
        tracked(&vivant, &folder, &film, jobs, (frames / 20).max(1000))?;
    }
    let memory = tracked(&vivant, &folder, &film, 0, frames)?;
    if memory > MAX_MB {
        return Err(format!("{memory:.0} MB of memory, but at most {MAX_MB} MB is allowed"));
    }
    Ok(())
}

/// Builds the program, a film and a model of its eyes.
fn prepared(folder: &Path) -> Result<PathBuf, String> {
    execute(&mut command("cargo build --quiet --locked --release -p vivant-cli"))?;
    let mut draw = command("cargo run --quiet --locked --release -p vivant-tools --bin drawn-film --");
    execute(draw.arg(folder).arg(DRAWN.to_string()))?;
    let vivant = target().join("release").join(if cfg!(windows) { "vivant.exe" } else { "vivant" });
    let mut model = Command::new(&vivant);
    model
        .current_dir(folder)
        .args("track film.y4m --labels film.labels.json --save-model film.aam --json -o film.csv".split(' '));
    print!("{}", output(&mut model)?);
    Ok(vivant)
}

/// Tracks a number of frames, and returns the peak memory in megabytes. If `jobs` is 0, the default number of jobs is
/// used.
fn tracked(vivant: &Path, folder: &Path, film: &[u8], jobs: usize, frames: usize) -> Result<f64, String> {
    let mut command = Command::new(vivant);
    command
        .current_dir(folder)
        .args("track - --raw 512x384@300 --model film.aam -o long.csv --restart --json".split(' '));
    if jobs > 0 {
        command.args(["--jobs", &jobs.to_string()]);
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let memory = feed(&mut child, film, frames)?;
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("vivant track ended with {}", output.status));
    }
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let (took, found) = (begin.elapsed().as_secs_f64(), report["found"].as_u64().unwrap_or(0));
    let jobs = &report["jobs"];
    println!(
        "track {frames} frames with {jobs} jobs: {:.0} frames per second, {found} found, {memory:.0} MB",
        frames as f64 / took
    );
    if report["frames"].as_u64() != Some(frames as u64) {
        return Err(format!("{} of {frames} frames were tracked", report["frames"]));
    }
    Ok(memory)
}

/// Writes the film forwards and backwards, and checks the memory from time to time.
fn feed(child: &mut Child, film: &[u8], frames: usize) -> Result<f64, String> {
    let mut input = child.stdin.take().ok_or("standard input is missing")?;
    let size = SIZE[0] * SIZE[1];
    let drawn = film.len() / size;
    let (mut most, mut looked) = (0.0_f64, Instant::now());
    for number in 0..frames {
        let at = number % (2 * drawn - 2);
        let at = if at < drawn { at } else { 2 * drawn - 2 - at };
        input.write_all(&film[at * size..][..size]).map_err(|error| format!("frame {number}: {error}"))?;
        if looked.elapsed() > Duration::from_millis(500) || number + 1 == frames {
            (most, looked) = (most.max(peak_mb(child.id())), Instant::now());
        }
    }
    Ok(most)
}

/// Returns the peak memory of a process in megabytes; 0 if the system does not report it.
fn peak_mb(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
