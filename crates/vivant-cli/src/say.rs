//! `vivant say`: a voice and who speaks with it, as files that play together.

use crate::args::say::Say as Args;
use crate::fault::{Fault, Kind, Result};
use crate::output::{self, Format};
use crate::report::{self, Progress, Written};
use crate::stage::{Cue, Moment, Stage, clip_of, looks_of};
use crate::voice::{self, Line, Manner, Speech, Voice, wav};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vivant::clip::Clip;
use vivant::intent::{Intent, Pcm, Say};
use vivant_io::audio::Audio;
use vivant_io::json::base64;
use vivant_io::{Warning, WarningCode};

/// When the voice begins: the character breathes in before.
const LEAD_SECS: f64 = 0.6;
/// How long the character goes on when all is said, to come to rest.
const TAIL_SECS: f64 = 1.0;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let outputs = Output::all(&args.output)?;
    let (line, speech) = spoken(args, outputs.iter().any(Output::is_voice))?;
    let mut warnings = line.warnings.clone();
    let Cue { avatar, rig, mut stage } = Stage::set(&args.cast, &mut warnings)?;
    let secs = LEAD_SECS + speech.secs + TAIL_SECS;
    let frames = frames(secs, args.fps)?;
    warnings.extend(stage.say(&Intent::Say(intent(&line, &speech)))?);
    let moments = perform(stage, frames, args.fps);
    let clip = clip_of("say", &rig, args.fps, &moments)?;
    let looks = looks_of(&moments);
    let mut written = Vec::new();
    for output in outputs {
        written.push(match output {
            Output::Voice(path) => written_voice(&path, speech.audio.as_ref(), secs)?,
            Output::Character(path) => {
                output::write(&path, &avatar, std::slice::from_ref(&clip), &looks, false, Vec::new())?
            }
        });
    }
    warnings.extend(written.iter_mut().flat_map(|one| std::mem::take(&mut one.warnings)));
    tell(args.json, &written, secs, &speech, &warnings);
    Ok(ExitCode::SUCCESS)
}

/// A file to write.
enum Output {
    Voice(PathBuf),
    Character(PathBuf),
}

impl Output {
    /// `a.wav+glb` is `a.wav` and `a.glb`.
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
                Kind::Wrong,
                format!(
                    "{}: the ending says what to write; give .wav, .vrma, .glb, .vrm, .bvh, .csv or .jsonl, or several \
                     as in hello.wav+glb",
                    path.display()
                ),
            )),
        }
    }

    fn is_voice(&self) -> bool {
        matches!(self, Self::Voice(_))
    }
}

/// What is said, by the voice that was asked for, or by espeak-ng if it is there.
fn spoken(args: &Args, must_be_heard: bool) -> Result<(Line, Speech)> {
    let mut line = args.words.as_deref().map_or(Ok(Line::default()), Line::given)?;
    let manner = Manner { rate: args.rate, language: args.language.as_deref() };
    let progress = Progress::spinner("speaking");
    let on_phrase = |done: usize, of: usize| progress.tell(&format!("speaking, phrase {} of {of}", done + 1));
    let voice = args.voice.as_deref().map(Voice::named);
    if voice == Some(Voice::Silent) && must_be_heard {
        return Err(Fault::of(
            Kind::Wrong,
            "--voice none cannot be heard, so there is no .wav; leave it out of -o",
        ));
    }
    let speech = match &voice {
        Some(voice) => voice.speak(&mut line, manner, &on_phrase)?,
        None => match Voice::Espeak(None).speak(&mut line, manner, &on_phrase) {
            Err(fault) if fault.kind() == Kind::Unknown && !must_be_heard => {
                let message =
                    format!("is not installed, so times are estimated; install it {}", voice::INSTALL);
                line.warnings.push(Warning::new(WarningCode::Guessed, "espeak-ng", message));
                Voice::Silent.speak(&mut line, manner, &on_phrase)?
            }
            speech => speech?,
        },
    };
    Ok((line, speech))
}

/// What the character is asked for. It also listens to the voice: to how loud it is, and to what it says if nothing else
/// tells that.
fn intent(line: &Line, speech: &Speech) -> Say {
    let pcm = speech.audio.as_ref().map(|audio| Pcm {
        rate: audio.rate_hz,
        data: base64(&wav::pcm(&audio.samples).collect::<Vec<u8>>()),
    });
    Say {
        say: line.written(),
        at: Some(LEAD_SECS),
        words: speech.words.clone(),
        phones: speech.phones.clone(),
        pcm,
        ..Say::default()
    }
}

fn frames(secs: f64, fps: f64) -> Result<usize> {
    let frames = (secs * fps).ceil() as usize + 1;
    if frames > Clip::MAX_FRAMES {
        let (limit, minutes) = (Clip::MAX_FRAMES as f64 / fps / 60.0, secs / 60.0);
        let message = format!(
            "this takes {minutes:.0} minutes to say, and at {fps} fps at most {limit:.0} can be written; cut it, or lower --fps"
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

/// The voice as it is heard while the character performs: silence before and behind it.
fn written_voice(path: &Path, audio: Option<&Audio>, secs: f64) -> Result<Written> {
    let Some(audio) = audio else {
        return Err(Fault::new(format!(
            "{}: nothing was heard, so there is no voice to write",
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

fn tell(as_json: bool, written: &[Written], secs: f64, speech: &Speech, warnings: &[Warning]) {
    #[derive(Serialize)]
    struct Json<'a> {
        written: Vec<&'a str>,
        /// How long the files are.
        seconds: f64,
        /// From when to when there is a voice in them.
        voice: [f64; 2],
        /// From the begin of the voice.
        words: &'a [vivant::intent::SaidWord],
        phones: &'a [vivant::intent::SaidPhone],
        warnings: &'a [Warning],
    }
    if as_json {
        return report::json(&Json {
            written: written.iter().map(|one| &*one.written).collect(),
            seconds: secs,
            voice: [LEAD_SECS, LEAD_SECS + speech.secs],
            words: &speech.words,
            phones: &speech.phones,
            warnings,
        });
    }
    report::warnings(warnings);
    for one in written {
        report::line(&format!("{}  {} kB  {secs:.2} s", one.written, one.bytes.div_ceil(1000)));
    }
}
