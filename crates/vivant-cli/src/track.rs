//! `vivant track`: tracks the eyelids in a film.

mod stop;

use crate::args::track::Track;
use crate::fault::{Fault, Result};
use crate::film::{self, Film, STDIN};
use crate::report::Progress;
use crate::{files, plot, report};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use vivant_host::track::chunks::Cut;
use vivant_host::track::{self, Earlier, Eyes, Output, Overlay, Report, Sink, Speed, TrackFile};
use vivant_io::Warning;

pub(crate) fn run(args: &Track) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let out = args.output.as_deref().filter(|path| *path != Path::new(STDIN));
    if args.json && out.is_none() {
        return Err(Fault::new("with --json standard output is for JSON; give a file for the track with -o"));
    }
    let overlay = args.overlay.as_deref().map(Overlay::new).transpose()?;
    let options = film::Options { raw: args.raw, fps: args.fps, colour: args.colour };
    let mut warnings = Vec::new();
    let eyes = eyes(args, &options, &mut warnings)?;
    let options = film::Options { colour: eyes.has_colour(), ..options };
    let mut film = film::open(&args.film, &options)?;
    let channels = film.peek().map_or(1, |(_, image)| image.channels);
    let cut = Cut::of(film.width * film.height * channels).with_frames(args.chunk.map(NonZeroUsize::get));
    let (output, earlier) = output(args, out, &options, &eyes, (&mut film, cut))?;
    let sink = Sink::new(output, earlier, overlay, &eyes, plot.is_some());
    let stop = stop::on_ctrl_c();
    let mut done = Done { sink, film, jobs: jobs(args), start: Instant::now() };
    done.track(&eyes, cut, &stop)?;
    warnings.extend(done.film.warnings());
    done.finish(args, plot, warnings, stop.load(Ordering::Relaxed))
}

/// Returns the given model, or trains a model on the labels.
fn eyes(args: &Track, options: &film::Options, warnings: &mut Vec<Warning>) -> Result<Eyes> {
    let Some(labels) = &args.labels else {
        let model = args.model.as_deref();
        return Eyes::read(
            model.ok_or_else(|| Fault::new("give a model with --model, or labels with --labels"))?,
        );
    };
    if args.film == Path::new(STDIN) {
        return Err(Fault::new(
            "standard input: labels need a video that can be read twice; give its file, or make the model first with --save-model and use it with --model",
        ));
    }
    let _progress = Progress::spinner(format!("making a model of the eyes in {}", args.film.display()));
    let eyes = Eyes::labelled(labels, &args.film, options, warnings)?;
    if let Some(save) = &args.save_model {
        files::write(save, &eyes.model().to_bytes())?;
    }
    Ok(eyes)
}

fn jobs(args: &Track) -> usize {
    args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Opens the output. Rows of an earlier run are reused.
fn output(
    args: &Track,
    out: Option<&Path>,
    options: &film::Options,
    eyes: &Eyes,
    (film, cut): (&mut Film, Cut),
) -> Result<(Output, Option<Earlier>)> {
    let has_gaze = eyes.gaze().is_some();
    let Some(out) = out else {
        return Ok((Output::stream("standard output", Box::new(std::io::stdout()), has_gaze), None));
    };
    let key = track::key(&args.film, options, eyes, film, cut);
    let (part, earlier, why) = TrackFile::open(out, &key, has_gaze, cut.frames, args.restart)?;
    if let Some(why) = why {
        report::note(&format!("note: {} {why}", part.path().display()));
    } else if earlier.rows > 0 {
        let rows = earlier.rows;
        report::note(&format!(
            "resuming {} after {rows} frames (use --restart to start again)",
            part.path().display()
        ));
    }
    Ok((Output::File(part), Some(earlier)))
}

/// A film that is being tracked, and its output.
struct Done {
    sink: Sink,
    film: Film,
    jobs: usize,
    start: Instant,
}

impl Done {
    fn track(&mut self, eyes: &Eyes, cut: Cut, stop: &AtomicBool) -> Result<()> {
        let Self { sink, film, jobs, .. } = self;
        let progress = Progress::frames(format!("tracking {}", film.name), film.frame_count);
        track::track(film, eyes, sink, (cut, *jobs), stop, &mut |frames| progress.at(frames))
    }

    /// Completes the output, draws the plot and prints the report.
    fn finish(
        self,
        args: &Track,
        plot: Option<(&Path, plot::Format)>,
        warnings: Vec<Warning>,
        is_stopped: bool,
    ) -> Result<ExitCode> {
        let Self { sink, film, jobs, start } = self;
        let speed = Speed { jobs, frames: sink.tracked(), secs: start.elapsed().as_secs_f64() };
        let summary = sink.finish(is_stopped)?;
        if let Some((path, format)) = plot.filter(|_| summary.frames > 0) {
            files::write(path, &plot::track(&summary.plot(&film.name), format)?)?;
        }
        let nothing = (summary.found == 0 && !is_stopped).then(|| format!(
            "{}: no eyes found in {} frames; the video must show the labelled person at a similar size and brightness",
            film.name, summary.frames
        ));
        let output = args.output.as_deref().filter(|path| *path != Path::new(STDIN));
        let mut report = Report::of(output, &film, &summary, speed, &warnings, is_stopped);
        if args.json {
            report.error.clone_from(&nothing);
            report::json(&report);
        } else {
            report::warnings(&warnings);
            let print = if output.is_some() { report::line } else { report::note };
            report.lines().iter().for_each(|line| print(line));
        }
        match nothing {
            _ if is_stopped => Ok(ExitCode::from(stop::STATUS)),
            Some(_) if args.json => Ok(ExitCode::FAILURE),
            Some(message) => Err(Fault::new(message)),
            None => Ok(ExitCode::SUCCESS),
        }
    }
}
