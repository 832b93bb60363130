//! `vivant say`: writes a voice and the motion of a character that speaks with this voice, as synchronised files.

use crate::args::say::Say as Args;
use crate::fault::{Fault, Kind, Result};
use crate::output::{self, Format};
use crate::report::{self, Progress, Written};
use crate::stage::{Moment, Stage, clip_of, looks_of};
use crate::voice::{self, Line, Manner, Speech, Voice, wav};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use vivant::clip::Clip;
use vivant_host::Hosted;
use vivant_io::audio::Audio;
use vivant_io::json::intents::wire;
use vivant_io::json::protocol::EventKind;
use vivant_io::{Warning, WarningCode};

/// Start of the voice in the files, in seconds. The character breathes in before it.
const LEAD_SECS: f64 = 0.6;
/// Time after the end of the voice in seconds, in which the character comes to rest.
const TAIL_SECS: f64 = 1.0;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let outputs = Output::all(&args.output)?;
    let (line, speech) = spoken(args, outputs.iter().any(Output::is_voice))?;
    let mut warnings = line.warnings.clone();
    let mut stage = Stage::set(&args.cast, &mut warnings)?;
    let (avatar, rig) = (Arc::clone(&stage.avatar), stage.rig.clone());
    let secs = LEAD_SECS + speech.secs + TAIL_SECS;
    let frames = frames(secs, args.fps)?;
    let (words, phones) = (speech.words(), speech.phones());
    let Speech { audio, utterance, secs: voice_secs } = speech;
    stage.performance.speak(utterance, LEAD_SECS)?;
    warnings.extend(left_out(&mut stage.performance));
    let moments = perform(stage, frames, args.fps);
    let clip = clip_of("say", &rig, args.fps, &moments)?;
    let looks = looks_of(&moments);
    let mut written = Vec::new();
    for output in outputs {
        written.push(match output {
            Output::Voice(path) => written_voice(&path, audio.as_ref(), secs)?,
            Output::Character(path) => {
                output::write(&path, &avatar, std::slice::from_ref(&clip), &looks, false, Vec::new())?
            }
        });
    }
    warnings.extend(written.iter_mut().flat_map(|one| std::mem::take(&mut one.warnings)));
    if args.json {
        let voice = [LEAD_SECS, LEAD_SECS + voice_secs];
        let written = written.iter().map(|one| &*one.written).collect();
        report::json(&Report {
            written,
            seconds: secs,
            voice,
            words: &words,
            phones: &phones,
            warnings: &warnings,
        });
    } else {
        report::warnings(&warnings);
        for one in &written {
            report::line(&format!("{}  {} kB  {secs:.2} s", one.written, one.bytes.div_ceil(1000)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns warnings about parts of the line that the character cannot show.
fn left_out(performance: &mut Hosted) -> Vec<Warning> {
    let warning = |(_, what): (f64, EventKind)| match what {
        EventKind::Dropped { why, .. } => Some(Warning::new(WarningCode::CannotShow, "text", why)),
        _ => None,
    };
    performance.take_events().into_iter().filter_map(warning).collect()
}

/// A file to write.
enum Output {
    Voice(PathBuf),
    Character(PathBuf),
}

impl Output {
    /// Parses output paths. For example, `a.wav+glb` means `a.wav` and `a.glb`.
    fn all(paths: &[PathBuf]) -> Result<Vec<Self>> {
        let mut outputs = Vec::new();
        for path in paths {
            let endings = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            for ending in endings.split('+') {
                outputs.push(Self::of(path.with_extension(ending))?);
            }
        }
        Ok(outputs)
    }

    fn of(path: PathBuf) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match (ending.as_str(), Format::from_ending(&ending)) {
            ("wav", _) => Ok(Self::Voice(path)),
            (_, Some(_)) => Ok(Self::Character(path)),
            _ => Err(Fault::of(
                Kind::Invalid,
                format!(
                    "{}: unknown extension; give .wav, .vrma, .glb, .vrm, .bvh, .csv or .jsonl, or several as in \
                     hello.wav+glb",
                    path.display()
                ),
            )),
        }
    }

    fn is_voice(&self) -> bool {
        matches!(self, Self::Voice(_))
    }
}

/// Speaks the text with the requested voice. The default is espeak-ng, if it is installed.
fn spoken(args: &Args, must_be_heard: bool) -> Result<(Line, Speech)> {
    let mut line = args.words.as_deref().map_or(Ok(Line::default()), Line::given)?;
    let manner = Manner { rate: args.rate, language: args.language.as_deref() };
    let progress = Progress::spinner("speaking");
    let on_phrase =
        |done: usize, of: usize| progress.set_message(&format!("speaking, phrase {} of {of}", done + 1));
    let voice = args.voice.as_deref().map(Voice::named);
    if voice == Some(Voice::Silent) && must_be_heard {
        return Err(Fault::of(
            Kind::Invalid,
            "--voice none has no audio, so no .wav can be written; remove it from -o",
        ));
    }
    let speech = match &voice {
        Some(voice) => voice.speak(&mut line, manner, &on_phrase)?,
        None => match Voice::Espeak(None).speak(&mut line, manner, &on_phrase) {
            Err(fault) if fault.kind() == Kind::NotFound && !must_be_heard => {
                let message = format!("not installed, so times are estimated; install it {}", voice::INSTALL);
                line.warnings.push(Warning::new(WarningCode::Guessed, "espeak-ng", message));
                Voice::Silent.speak(&mut line, manner, &on_phrase)?
            }
            speech => speech?,
        },
    };
    Ok((line, speech))
}

fn frames(secs: f64, fps: f64) -> Result<usize> {
    let frames = (secs * fps).ceil() as usize + 1;
    if frames > Clip::MAX_FRAMES {
        let (limit, minutes) = (Clip::MAX_FRAMES as f64 / fps / 60.0, secs / 60.0);
        let message = format!(
            "the speech takes {minutes:.0} minutes; at {fps} fps at most {limit:.0} can be written; shorten it, or lower --fps"
        );
        return Err(Fault::of(Kind::TooLarge, message));
    }
    Ok(frames)
}

fn perform(mut stage: Stage, frames: usize, fps: f64) -> Vec<Moment> {
    let progress = Progress::bar("performing", frames);
    let moment = |frame: usize| {
        progress.at(frame);
        stage.advance_to(frame as f64 / fps)
    };
    (0..frames).map(moment).collect()
}

/// Writes the voice with silence before and after it, so that it is synchronised with the motion.
fn written_voice(path: &Path, audio: Option<&Audio>, secs: f64) -> Result<Written> {
    let Some(audio) = audio else {
        return Err(Fault::new(format!(
            "{}: there is no audio to write; remove this file from -o",
            path.display()
        )));
    };
    let count = |secs: f64| (secs * f64::from(audio.rate_hz)).round() as usize;
    let mut samples = vec![0.0; count(LEAD_SECS)];
    samples.extend(&audio.samples);
    samples.resize(count(secs), 0.0);
    let bytes = wav::bytes(audio.rate_hz, &samples);
    crate::files::write(path, &bytes)?;
    Ok(Written {
        written: path.display().to_string(),
        bytes: bytes.len(),
        clips: Vec::new(),
        warnings: Vec::new(),
    })
}

/// The report printed by `--json`.
#[derive(Serialize)]
struct Report<'a> {
    written: Vec<&'a str>,
    /// Duration of the files in seconds.
    seconds: f64,
    /// Start and end of the voice in the files, in seconds.
    voice: [f64; 2],
    /// Words, with times in seconds from the start of the voice.
    words: &'a [wire::SaidWord],
    phones: &'a [wire::SaidPhone],
    warnings: &'a [Warning],
}
