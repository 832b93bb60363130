//! `vivant visemes`: mouth shapes over time, from whatever is known of speech.

use crate::args::visemes::{Set, Visemes};
use crate::fault::{Fault, Kind, Result};
use crate::files::Tabular;
use crate::trace::table::Table;
use crate::voice::{self, Line};
use crate::{files, plot, report};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use vivant::rig::{Channel, Rig, RigParts};
use vivant::speech::audio::{Heard, Listener};
use vivant::speech::mouth::{Mouth, MouthRig, Shape};
use vivant::speech::pronounce::{Dictionary, English};
use vivant::speech::timing::{TimingOptions, score};
use vivant::speech::{Score, Viseme};
use vivant_io::{Warning, audio, speech};

/// After the last sound, for the mouth to come to rest.
const TAIL_SECS: f64 = 0.2;
/// Endings of files that are listened to.
const SOUND: [&str; 6] = ["wav", "flac", "ogg", "oga", "mp3", "wave"];

pub(crate) fn run(args: &Visemes) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let output = Tabular::wanted(args.output.as_deref(), "visemes")?;
    let mut warnings = Vec::new();
    let speech = Speech::of(args, &mut warnings)?;
    let spoken = Spoken { table: table(&speech, args.set, args.fps)?, events: speech.events() };
    if let Some((path, format)) = plot {
        files::write(path, &plot::visemes(&picture(args, &speech, &spoken.table), format)?)?;
    }
    if let Some((path, format)) = output {
        files::write(path, &spoken.bytes(format, &warnings))?;
    }
    if args.json {
        report::json_line(&spoken.json(&warnings));
    } else {
        report::warnings(&warnings);
        if output.is_none() && plot.is_none() {
            report::line(String::from_utf8_lossy(&spoken.table.csv()).trim_end());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is known of speech.
enum Speech {
    Said { score: Score, mouth: Box<Mouth> },
    Heard(Vec<Heard>),
}

impl Speech {
    fn of(args: &Visemes, warnings: &mut Vec<Warning>) -> Result<Self> {
        let language = English::new(dictionary(args.dictionary.as_deref(), warnings)?);
        if let Some(text) = &args.text {
            let line = Line::read("--text", text.as_bytes().to_vec())?;
            warnings.extend(line.warnings);
            return Self::said(score(&line.text, &language, &TimingOptions::default()));
        }
        let path = args.file.as_deref().ok_or_else(|| Fault::new("give a file, or --text"))?;
        let (name, bytes) = (path.display().to_string(), files::read(path)?);
        if is_sound(path) {
            let audio = audio::read(&name, &bytes, warnings).map_err(|error| error.in_file(&name))?;
            warnings.extend(voice::level_warning(&name, &audio));
            return Ok(Self::Heard(heard(&audio)?));
        }
        let options = speech::ReadOptions {
            language: &language,
            timing: TimingOptions::default(),
            words_tier: None,
            phones_tier: None,
        };
        let (score, told) = speech::read_with(&name, &bytes, &options)?;
        warnings.extend(told);
        Self::said(score)
    }

    fn said(score: Score) -> Result<Self> {
        if score.segments.is_empty() {
            return Err(Fault::of(Kind::Wrong, "there is nothing to say: no word and no sound is in it"));
        }
        let mut mouth = Box::new(Mouth::default());
        mouth.say(f64::MIN, 0.0, 0, &score.segments);
        Ok(Self::Said { score, mouth })
    }

    fn secs(&self) -> f64 {
        match self {
            Self::Said { score, .. } => score.secs() + TAIL_SECS,
            Self::Heard(heard) => heard.last().map_or(0.0, |last| last.at_secs),
        }
    }

    fn shape(&self, t: f64) -> Shape {
        match self {
            Self::Said { mouth, .. } => mouth.shape(t),
            Self::Heard(heard) => between(heard, t),
        }
    }

    /// One shape after another, as other programs take them.
    fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        let mut add = |viseme: Viseme, from: f64, to: f64| match events.last_mut() {
            Some(last) if last.viseme == viseme.name() && from - last.to < 1e-6 => last.to = rounded(to),
            _ => events.push(Event { viseme: viseme.name(), from: rounded(from), to: rounded(to) }),
        };
        match self {
            Self::Said { score, .. } => {
                for segment in &score.segments {
                    let visemes = segment.phone.visemes();
                    let part = (segment.to - segment.from) / visemes.len() as f64;
                    for (place, viseme) in visemes.iter().enumerate() {
                        let from = segment.from + place as f64 * part;
                        add(*viseme, from, from + part);
                    }
                }
            }
            Self::Heard(heard) => {
                let half = 0.5 / vivant::speech::audio::FRAMES_PER_SEC;
                for frame in heard {
                    add(Viseme::ALL[largest(&frame.visemes)], frame.at_secs - half, frame.at_secs + half);
                }
            }
        }
        events
    }
}

fn dictionary(path: Option<&Path>, warnings: &mut Vec<Warning>) -> Result<Dictionary> {
    let Some(path) = path else { return Ok(Dictionary::default()) };
    let (dictionary, told) =
        speech::dictionary::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))?;
    warnings.extend(told);
    Ok(dictionary)
}

fn is_sound(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    SOUND.contains(&ending.as_str())
}

fn heard(audio: &audio::Audio) -> Result<Vec<Heard>> {
    let mut listener = Listener::new(audio.rate_hz).map_err(|error| Fault::new(error.to_string()))?;
    let mut heard: Vec<Heard> = listener.hear(&audio.samples).collect();
    heard.extend(listener.finish());
    Ok(heard)
}

/// Between two frames that were heard.
fn between(heard: &[Heard], t: f64) -> Shape {
    let next = heard.partition_point(|frame| frame.at_secs <= t);
    let (Some(a), Some(b)) = (next.checked_sub(1).and_then(|i| heard.get(i)), heard.get(next)) else {
        return Shape::REST;
    };
    let share = ((t - a.at_secs) / (b.at_secs - a.at_secs)) as f32;
    Shape::of(std::array::from_fn(|i| a.visemes[i] + share * (b.visemes[i] - a.visemes[i])))
}

fn largest(weights: &[f32]) -> usize {
    (0..weights.len()).fold(0, |most, i| if weights[i] > weights[most] { i } else { most })
}

fn rounded(secs: f64) -> f64 {
    (secs * 1e6).round() / 1e6
}

/// A shape and its time.
#[derive(Serialize)]
struct Event {
    viseme: &'static str,
    from: f64,
    to: f64,
}

struct Spoken {
    table: Table,
    events: Vec<Event>,
}

impl Spoken {
    fn bytes(&self, format: Tabular, warnings: &[Warning]) -> Vec<u8> {
        match format {
            Tabular::Csv => self.table.csv(),
            Tabular::Json => serde_json::to_vec(&self.json(warnings)).unwrap_or_default(),
        }
    }

    fn json(&self, warnings: &[Warning]) -> impl Serialize {
        #[derive(Serialize)]
        struct Json<'a, T: Serialize> {
            #[serde(flatten)]
            table: T,
            events: &'a [Event],
            warnings: Vec<String>,
        }
        let warnings = warnings.iter().map(ToString::to_string).collect();
        Json { table: self.table.json(), events: &self.events, warnings }
    }
}

/// The shapes of each set, behind the time.
const OCULUS: &[&str] =
    &["t", "sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];
const VRM: &[&str] = &["t", "aa", "ih", "ou", "ee", "oh"];
#[rustfmt::skip]
const ARKIT: &[&str] = &[
    "t", "jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthUpperUpLeft", "mouthUpperUpRight", "mouthPressLeft", "mouthPressRight", "mouthRollLower", "mouthRollUpper",
    "mouthSmileLeft", "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "tongueOut",
];

fn columns(set: Set) -> &'static [&'static str] {
    match set {
        Set::Oculus => OCULUS,
        Set::Vrm => VRM,
        Set::Arkit => ARKIT,
    }
}

/// A row a frame.
fn table(speech: &Speech, set: Set, fps: f64) -> Result<Table> {
    let columns = columns(set);
    // An avatar that has these and nothing else.
    let channel = |name: &&str| Channel::from((*name).to_owned());
    let rig = MouthRig::new(&Rig::new(RigParts {
        channels: columns[1..].iter().map(channel).collect(),
        ..RigParts::default()
    }));
    let mut weights = vec![0.0; columns.len() - 1];
    Table::sampled(columns, speech.secs(), fps, |t, row| {
        let shape = speech.shape(t);
        match set {
            Set::Oculus => weights.copy_from_slice(shape.weights()),
            _ => rig.weigh(&shape, &mut weights),
        }
        row.extend(weights.iter().map(|weight| f64::from(*weight)));
    })
}

fn picture(args: &Visemes, speech: &Speech, table: &Table) -> plot::VisemePlot {
    let name = args.file.as_ref().map_or_else(|| "text".into(), |path| path.display().to_string());
    let (how, words) = match speech {
        Speech::Said { score, .. } => ("By the times of its sounds.", &score.words[..]),
        Speech::Heard(_) => ("By listening.", &[][..]),
    };
    let caption =
        |word: &vivant::speech::Word| plot::Caption { from: word.from, to: word.to, text: word.text.clone() };
    plot::VisemePlot {
        title: format!("Mouth: {name}\n{how} Darker is more."),
        names: table.columns[1..].iter().map(|name| (*name).to_owned()).collect(),
        fps: args.fps,
        frames: table.rows().map(|row| row[1..].iter().map(|weight| *weight as f32).collect()).collect(),
        words: words.iter().map(caption).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::Expression;
    use vivant::speech::text::Text;

    #[test]
    fn every_column_of_every_set_is_an_expression_that_speech_moves() {
        for set in [Set::Vrm, Set::Arkit] {
            for name in &columns(set)[1..] {
                assert!(Expression::all().any(|expression| expression.name() == *name), "{name}");
            }
        }
        let text = Text::read("No: pay the fish, she thought, you who saw a big white jar.");
        let said = Speech::said(score(&text, &English::default(), &TimingOptions::default())).unwrap();
        for set in [Set::Oculus, Set::Vrm, Set::Arkit] {
            let table = table(&said, set, 60.0).unwrap();
            for (column, name) in table.columns.iter().enumerate().skip(1) {
                let most = table.rows().map(|row| row[column]).fold(0.0, f64::max);
                assert!(most > 0.05, "{name}: {most}");
            }
        }
    }
}
