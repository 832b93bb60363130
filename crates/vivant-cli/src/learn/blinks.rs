//! `vivant learn blinks`: recordings of lids to a model of blinks.

use crate::args::learn::{EyesArg, LearnBlinks};
use crate::fault::Result;
use crate::plot::{self, Profiles, Sheaf};
use crate::report::Progress;
use crate::{files, recordings, report};
use serde::Serialize;
use std::process::ExitCode;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{BlinkCurve, BlinkModel};
use vivant_io::{Warning, json};
use vivant_learn::pca::{self, Cut, Eyes, Form, Found, Gathered, Learned, LeftOut, Options, Wanted, Which};

/// The result as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    origin: &'a str,
    recordings: &'a [Found],
    left_out: LeftOut,
    #[serde(flatten)]
    model: &'a pca::Report,
    warnings: &'a [Warning],
}

pub(super) fn run(args: &LearnBlinks, json: bool) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let mut warnings = Vec::new();
    // What the reader left out may be why.
    let gathered = gathered(args, &mut warnings).inspect_err(|_| report::warnings(&warnings))?;
    let learned = {
        let _progress = Progress::spinner("learning");
        pca::learn(&gathered.cuts, &options(args), &gathered.origin())?
    };
    if let Some((path, format)) = plot {
        files::write(path, &plot::profiles(&picture(&gathered.cuts, &learned), format)?)?;
    }
    if let Some(path) = &args.output {
        files::write(path, json::blink_model::write(&learned.model).as_bytes())?;
    }
    let written = args.output.as_ref().map(|path| path.display().to_string());
    let Learned { model, report: about, .. } = &learned;
    if json {
        let (origin, left_out) = (model.origin.as_str(), gathered.left_out);
        let (recordings, warnings) = (gathered.found.as_slice(), warnings.as_slice());
        report::json(&Report { written, origin, recordings, left_out, model: about, warnings });
    } else {
        report::warnings(&warnings);
        gathered.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
        lines(&gathered, about, written.as_deref()).iter().for_each(|line| report::line(line));
    }
    Ok(ExitCode::SUCCESS)
}

fn gathered(args: &LearnBlinks, warnings: &mut Vec<Warning>) -> Result<Gathered> {
    let options = recordings::options(&args.how)?;
    let progress = Progress::bar("reading", args.recordings.len());
    let mut all = Vec::new();
    for (index, path) in args.recordings.iter().enumerate() {
        progress.at(index);
        all.push(recordings::read(path, &options, warnings)?);
    }
    Ok(pca::gather(&all, &Which { eyes: args.eyes.into(), partial: args.partial })?)
}

fn options(args: &LearnBlinks) -> Options {
    let components = args.variance.map_or(Wanted::Count(args.components.into()), Wanted::Variance);
    Options { components, closure: args.closure.into(), ..Options::default() }
}

impl From<EyesArg> for Eyes {
    fn from(eyes: EyesArg) -> Self {
        match eyes {
            EyesArg::Both => Self::Both,
            EyesArg::Each => Self::Each,
            EyesArg::Left => Self::Left,
            EyesArg::Right => Self::Right,
        }
    }
}

fn lines(gathered: &Gathered, about: &pca::Report, written: Option<&str>) -> Vec<String> {
    let mut lines: Vec<String> = written.iter().map(|path| (*path).to_owned()).collect();
    for Found { name, rate_hz, labelled, cuts } in &gathered.found {
        lines.push(format!("  {name}: {cuts} blinks at {rate_hz:.0} Hz; {labelled} events were labelled"));
    }
    lines.extend(left_out(gathered.left_out));
    let count = about.shares.len();
    lines.push(format!(
        "  {count} components explain {} of {} blinks",
        percent(about.explained),
        about.blinks
    ));
    lines.extend(about.held_out.map(|held_out| {
        format!(
            "  of blinks that were held out they explain {}; of the lid's movement {}, to {:.3} of the aperture",
            percent(held_out.variance),
            percent(held_out.movement),
            held_out.rms_openness
        )
    }));
    let ms = |spread: pca::Spread| format!("{:.0} ± {:.0} ms", spread.mean * 1e3, spread.sd * 1e3);
    lines.push(format!(
        "  they take {} (closing {}, opening {}) and close {} ± {} of the eye",
        ms(about.duration_secs),
        ms(about.closing_secs),
        ms(about.opening_secs),
        percent(about.amplitude.mean),
        percent(about.amplitude.sd),
    ));
    lines.push(format!(
        "  {} of what is drawn a lid can do; the rest is drawn again",
        percent(about.possible)
    ));
    lines
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// What was not learned from, if anything.
fn left_out(LeftOut { other_kinds, gaps, slow, flat }: LeftOut) -> Option<String> {
    let reasons = [
        (other_kinds, "no spontaneous blinks"),
        (gaps, "with gaps"),
        (slow, "with too few samples"),
        (flat, "that do not come back"),
    ];
    let told: Vec<String> =
        reasons.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    (!told.is_empty()).then(|| format!("  left out: {}", told.join(", ")))
}

/// The most curves of a panel.
const MOST_CURVES: usize = 60;
/// How many new blinks are drawn, as many as paper 3's actor had.
const NEW: u64 = 49;

/// Paper 3's Figure 7: blinks as they were, brought to one length, and new ones.
fn picture(cuts: &[Cut], learned: &Learned) -> Profiles {
    let (model, form) = (&learned.model, &learned.analysis.form);
    let every = cuts.len().div_ceil(MOST_CURVES);
    let recorded = cuts.iter().step_by(every).map(recorded).collect();
    let normalised = |row: &Vec<f64>| at_percent(&row[..form.samples()], form);
    let chance = Chance::new(1, "blinks");
    let new: Vec<BlinkCurve> = (0..NEW).map(|index| model.generate(&mut chance.event(index))).collect();
    let mean = model.mean_curve();
    let sheaf =
        |name: &str, across, curves, mean, is_new| Sheaf { name: name.into(), across, curves, mean, is_new };
    const MS: &str = "milliseconds from the lowest point";
    const SHARE: &str = "closing from −1 to 0, opening from 0 to 1";
    Profiles {
        title: title(learned),
        panels: vec![
            sheaf("(a) recorded", MS, recorded, in_time(&natural_mean(model)), false),
            sheaf(
                "(b) brought to one length",
                SHARE,
                learned.analysis.rows.iter().step_by(every).map(normalised).collect(),
                at_percent(&model.mean, form),
                false,
            ),
            sheaf("(c) new, of one length", SHARE, new.iter().map(in_share).collect(), in_share(&mean), true),
            sheaf("(d) new", MS, new.iter().map(in_time).collect(), in_time(&mean), true),
        ],
    }
}

fn title(learned: &Learned) -> String {
    let report = &learned.report;
    let held_out = report
        .held_out
        .map_or(String::new(), |held_out| format!("; of blinks held out {}", percent(held_out.variance)));
    format!(
        "A model of {} blinks\nHow open the eye is. {} components explain {} of the variance{held_out}.\n\
         {NEW} new blinks within one standard deviation. Strong lines are the mean blink.",
        report.blinks,
        report.shares.len(),
        percent(report.explained),
    )
}

fn natural_mean(model: &BlinkModel) -> BlinkCurve {
    model.curve(&[]).unwrap_or_default()
}

/// A recorded blink over time.
fn recorded(cut: &Cut) -> Vec<(f64, f64)> {
    let ms = 1e3 / cut.rate_hz;
    let first = -(cut.closing.len() as f64 - 1.0);
    let samples = cut.closing.iter().chain(&cut.opening[1..]);
    samples.enumerate().map(|(index, openness)| ((first + index as f64) * ms, *openness)).collect()
}

/// A profile, closing from −1 to 0, opening from 0 to 1.
fn at_percent(profile: &[f64], form: &Form) -> Vec<(f64, f64)> {
    let [closing, opening] = [form.closing.samples, form.opening.samples].map(|n| f64::from(n) - 1.0);
    let place = |index: usize| {
        let from_apex = index as f64 - closing;
        from_apex / if from_apex < 0.0 { closing } else { opening }
    };
    profile.iter().enumerate().map(|(index, openness)| (place(index), *openness)).collect()
}

const STEPS: i32 = 60;

fn in_share(curve: &BlinkCurve) -> Vec<(f64, f64)> {
    let place = |step: i32| f64::from(step) / f64::from(STEPS);
    (-STEPS..=STEPS).map(place).map(|share| (share, curve.openness(secs_at(curve, share)))).collect()
}

fn in_time(curve: &BlinkCurve) -> Vec<(f64, f64)> {
    let from_apex = |share: f64| (secs_at(curve, share) - curve.closing_secs()) * 1e3;
    in_share(curve).into_iter().map(|(share, openness)| (from_apex(share), openness)).collect()
}

fn secs_at(curve: &BlinkCurve, share: f64) -> f64 {
    let way = if share < 0.0 { curve.closing_secs() } else { curve.opening_secs() };
    curve.closing_secs() + share * way
}
