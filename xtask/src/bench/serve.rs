//! `cargo xtask bench serve`: measures the live server under load. The clients run on the same machine.
//!
//! There are two scenes at 60 Hz. In the first scene, 200 viewers and one viewer that never reads watch one
//! performer. In the second scene, each of 200 performers has one viewer. The viewers run in one thread of this
//! program, so their processor time is also known.

mod process;
mod sleeper;
mod viewers;

use crate::{Done, target};
use process::Server;
use sleeper::Sleeper;
use std::time::{Duration, Instant};
use viewers::Seen;

const FPS: f64 = 60.0;
const MANY: usize = 200;
/// Maximum lateness of 99 % of the frames in milliseconds. If the lateness of a sleeping thread is larger on this
/// machine, that value is the limit.
const MAX_LATE_MS: f64 = 2.0;
/// Maximum growth of memory from the first minute to the end, as a fraction.
const MAX_GROWTH: f64 = 0.05;
/// Maximum fraction of frames that the other viewers lose while one viewer never reads.
const MAX_LOST: f64 = 0.01;
/// Time before the measurement, for connecting and casting.
const WARM_UP: Duration = Duration::from_secs(5);
/// Minimum duration of a long run in seconds.
const LONG: u64 = 300;
/// Time before the measurement in long runs, after which the two minutes of stored past of each performer are full.
const LONG_WARM_UP: Duration = Duration::from_secs(130);
/// Time after which the viewer that never reads connects again. The server would disconnect it after half a minute.
const COMES_AGAIN: Duration = Duration::from_secs(20);

/// A scene of the benchmark.
#[derive(Clone, Copy, PartialEq)]
enum Scene {
    /// Many viewers of one performer.
    Viewers { with_one_that_never_reads: bool },
    /// Many performers with one viewer each.
    Performers,
}

/// Measures both scenes.
pub(crate) fn run(options: &[String]) -> Done {
    let seconds = seconds_of(options)?;
    let binary = process::binary(&target())?;
    println!("the live server under load: {seconds} s per scene at {FPS} Hz\n");
    let control =
        measure(&binary, Scene::Viewers { with_one_that_never_reads: false }, (seconds / 4).clamp(5, 30))?;
    let viewers = measure(&binary, Scene::Viewers { with_one_that_never_reads: true }, seconds)?;
    let performers = measure(&binary, Scene::Performers, seconds)?;
    judge(&[("viewers", &viewers), ("performers", &performers)])?;
    let (without, with) = (control.seen.least_share(), viewers.seen.least_share());
    if with < without - MAX_LOST {
        return Err(format!(
            "viewers get {with:.4} of all frames with one that never reads, {without:.4} without"
        ));
    }
    Ok(())
}

fn seconds_of(options: &[String]) -> Result<u64, String> {
    match options {
        [] => Ok(600),
        [flag, number] if flag == "--seconds" => {
            let seconds = number.parse().ok().filter(|seconds| (5..=86_400).contains(seconds));
            seconds.ok_or_else(|| format!("--seconds {number}: give a whole number from 5 to 86400"))
        }
        _ => Err("bench serve has one option: --seconds N".into()),
    }
}

/// Results of a scene.
struct Measured {
    late_ms: [f64; 3],
    /// Lateness of a thread that only sleeps, in milliseconds.
    machine_ms: [f64; 3],
    skipped: u64,
    seen: Seen,
    seconds: u64,
    /// Memory of the server: times in seconds, and sizes in bytes.
    memory: Vec<(f64, f64)>,
}

fn measure(binary: &std::path::Path, scene: Scene, seconds: u64) -> Result<Measured, String> {
    let server = Server::start(binary)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let measured = runtime.block_on(perform(&server, scene, seconds))?;
    let cpu = (server.cpu_seconds(), process::own_cpu_seconds());
    drop(runtime);
    print_results(scene, seconds, &measured, cpu);
    Ok(measured)
}

async fn perform(server: &Server, scene: Scene, seconds: u64) -> Result<Measured, String> {
    let names: Vec<String> = match scene {
        Scene::Viewers { .. } => vec!["main".into(); MANY],
        Scene::Performers => (0..MANY).map(|number| format!("p{number}")).collect(),
    };
    if scene == Scene::Performers {
        viewers::cast(&server.address, &names).await?;
    }
    let crowd = viewers::Crowd::gather(&server.address, &names).await?;
    let still = scene == Scene::Viewers { with_one_that_never_reads: true };
    let still = still.then(|| tokio::spawn(never_read(server.address.clone())));
    tokio::time::sleep(if seconds < LONG { WARM_UP } else { LONG_WARM_UP }).await;
    server.stats(true).await?;
    let sleeper = Sleeper::start(FPS);
    crowd.begin();
    let memory = watch_memory(server, seconds).await?;
    let stats = server.stats(false).await?;
    let (machine_ms, seen) = (sleeper.end(), crowd.end().await?);
    if let Some(failed) = still.filter(tokio::task::JoinHandle::is_finished) {
        return Err(failed.await.unwrap_or_else(|error| error.to_string()));
    }
    Ok(Measured { late_ms: stats.late_ms, machine_ms, skipped: stats.skipped, seen, seconds, memory })
}

/// Connects again and again without ever reading. Returns the error if it cannot connect.
async fn never_read(address: String) -> String {
    loop {
        match viewers::connect(&address, "main").await {
            Ok(_socket) => tokio::time::sleep(COMES_AGAIN).await,
            Err(error) => return error,
        }
    }
}

/// Records the memory of the server every few seconds, for the given number of seconds.
async fn watch_memory(server: &Server, seconds: u64) -> Result<Vec<(f64, f64)>, String> {
    let begin = Instant::now();
    let mut memory = Vec::new();
    while begin.elapsed() < Duration::from_secs(seconds) {
        let left = Duration::from_secs(seconds).saturating_sub(begin.elapsed());
        tokio::time::sleep(left.min(Duration::from_secs(2))).await;
        if let Some(bytes) = server.stats(false).await?.resident_bytes {
            memory.push((begin.elapsed().as_secs_f64(), bytes as f64));
        }
    }
    Ok(memory)
}

impl Measured {
    /// Returns the memory after a minute and at the end. For a shorter run, the first value is after a quarter of the
    /// run.
    fn memory_ends(&self) -> Option<(f64, f64)> {
        let last = self.memory.last()?;
        let early = self.memory.iter().find(|(at, _)| *at >= 60_f64.min(last.0 / 4.0))?;
        Some((early.1, last.1))
    }

    /// Returns the growth of memory in bytes per second, by linear regression.
    fn memory_slope(&self) -> f64 {
        let count = self.memory.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.memory.iter().map(of).sum::<f64>() / count;
        let (at, bytes) = (mean(|one| one.0), mean(|one| one.1));
        let both: f64 = self.memory.iter().map(|one| (one.0 - at) * (one.1 - bytes)).sum();
        both / self.memory.iter().map(|one| (one.0 - at) * (one.0 - at)).sum::<f64>()
    }
}

fn print_results(scene: Scene, seconds: u64, it: &Measured, (server, client): (Option<f64>, Option<f64>)) {
    let what = match scene {
        Scene::Viewers { with_one_that_never_reads: false } => "200 viewers of one performer",
        Scene::Viewers { with_one_that_never_reads: true } => {
            "200 viewers of one performer, and one that never reads"
        }
        Scene::Performers => "200 performers with one viewer each",
    };
    let [half, most, all] = it.late_ms;
    let seen = &it.seen;
    println!("{what}, {seconds} s");
    println!(
        "  frames are ready after their time by  p50 {half:.3} ms  p99 {most:.3} ms  max {all:.3} ms; {} skipped",
        it.skipped
    );
    let [half, most, all] = it.machine_ms;
    println!("  a thread that only sleeps is late by  p50 {half:.3} ms  p99 {most:.3} ms  max {all:.3} ms");
    println!(
        "  frames that viewers get               p1 {:.4} of all, {:.4} on average",
        seen.least_share(),
        seen.mean_share()
    );
    let [half, most, all] = seen.gaps_ms();
    println!("  from frame to frame at viewers        p50 {half:.2} ms  p99 {most:.2} ms  max {all:.2} ms");
    if let Some((early, late)) = it.memory_ends() {
        let grown = 100.0 * (late / early - 1.0);
        println!(
            "  memory                                {:.1} MB early, {:.1} MB at the end ({grown:+.2} %), {:+.1} kB/min",
            early / 1e6,
            late / 1e6,
            it.memory_slope() * 60.0 / 1e3
        );
    }
    let shown = |cpu: Option<f64>| cpu.map_or_else(|| "?".into(), |seconds| format!("{seconds:.1} s"));
    println!(
        "  processor time                        server {}, this program so far {}\n",
        shown(server),
        shown(client)
    );
}

fn judge(scenes: &[(&str, &Measured)]) -> Done {
    let mut wrong = Vec::new();
    for (name, it) in scenes {
        let allowed = MAX_LATE_MS.max(it.machine_ms[1]);
        if it.late_ms[1] > allowed {
            wrong.push(format!(
                "{name}: p99 is {:.3} ms late, but at most {allowed:.3} ms is allowed",
                it.late_ms[1]
            ));
        }
        // In a short run, the stored past of the performers still grows.
        let ends = it.memory_ends().filter(|_| it.seconds >= LONG);
        if let Some((early, late)) = ends.filter(|(early, late)| late / early > 1.0 + MAX_GROWTH) {
            wrong.push(format!("{name}: memory grew by {:.1} %", 100.0 * (late / early - 1.0)));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}
