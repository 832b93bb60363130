//! Command-line arguments of all commands, with their help texts.

pub(crate) mod blinks;
pub(crate) mod label;
pub(crate) mod learn;
pub(crate) mod lint;
pub(crate) mod mannequin;
pub(crate) mod mimic;
pub(crate) mod recordings;
pub(crate) mod repertoire;
pub(crate) mod say;
pub(crate) mod schema;
pub(crate) mod trace;
pub(crate) mod track;
pub(crate) mod visemes;
pub(crate) mod vmc;

use blinks::Blinks;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use label::Label;
use learn::Learn;
use lint::Lint;
use mannequin::Mannequin;
use mimic::Mimic;
use repertoire::Repertoire;
use say::Say;
use schema::Schema;
use std::net::SocketAddr;
use std::path::PathBuf;
use trace::Trace;
use track::Track;
use visemes::Visemes;
use vivant::eyes::Temperament;
use vivant::eyes::presets::{find, presets};
use vmc::Vmc;

/// Makes a virtual character look alive.
///
/// Without a command, vivant runs `vivant serve`: it opens the studio in your browser, with the built-in character or
/// your own.
#[derive(Debug, Parser)]
#[command(name = "vivant", version, args_conflicts_with_subcommands = true, after_help = WATCH_EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<Serve>),
    Inspect(Inspect),
    Convert(Convert),
    Perform(Perform),
    Plan(Plan),
    Trace(Trace),
    Learn(Learn),
    Blinks(Blinks),
    Lint(Lint),
    Mimic(Box<Mimic>),
    Label(Box<Label>),
    Track(Box<Track>),
    Visemes(Visemes),
    Say(Box<Say>),
    Mannequin(Box<Mannequin>),
    Schema(Schema),
    Repertoire(Repertoire),
}

const WATCH_EXAMPLES: &str = "\
Examples:
  vivant                                          the built-in character, on http://127.0.0.1:7878
  vivant --character me.vrm                       an avatar, with the built-in repertoire
  vivant --avatar me.vrm --clips walk.bvh wave.fbx
  vivant inspect me.vrm                           show the contents of a file
  vivant convert walk.bvh walk.vrma               convert a motion to another format
  vivant perform --seconds 30 -o show.glb         write thirty seconds of improvisation
  vivant say \"Hello there\" -o hello.wav+glb       write a voice and a character that speaks with it
  vivant trace eyes --seconds 60 --plot eyes.png  plot the motion of eyes, lids and head
  vivant mannequin -o avatar.vrm                  write the built-in character
  vivant schema --tools builtin                   print tools for a language model

Any input file can be `builtin`: the built-in character with its starter clips.
Exit status: 0 success, 1 failure, 2 invalid command line.
With --json, an error is printed as {\"error\": \"…\"} on standard output.";

/// Options for the character that performs.
#[derive(Debug, Args)]
pub(crate) struct Cast {
    /// The character: a folder with character.toml, avatar, repertoire.json and clips; an avatar file, which gets the
    /// built-in repertoire; or `builtin`
    #[arg(long, value_name = "DIR|FILE", conflicts_with_all = ["avatar", "clips"])]
    pub(crate) character: Option<PathBuf>,
    /// The avatar: VRM, GLB, glTF or FBX
    #[arg(long, value_name = "FILE", default_value = "builtin")]
    pub(crate) avatar: PathBuf,
    /// The clips to improvise with: VRMA, BVH, FBX, GLB or glTF. By default the clips in the avatar's file, or the
    /// built-in repertoire if there are none
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) clips: Vec<PathBuf>,
    /// Random seed: the same seed gives the same performance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Strength of the generated motion of eyes, lids and head, from 0 (only the clips) to 1
    #[arg(long, value_name = "L", default_value = "1", value_parser = share)]
    pub(crate) liveliness: f64,
    /// The point that the eyes attend to, in metres: +X is the character's left, +Y up, +Z ahead. By default eye
    /// height, two metres ahead
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub(crate) attend: Option<[f64; 3]>,
}

/// Options of `vivant` without a command and of `vivant serve`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) cast: Cast,
    /// Address to listen on. An address that other computers can reach needs a --token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// Access token: only clients that send it may connect
    #[arg(long, value_name = "T", value_parser = token)]
    pub(crate) token: Option<String>,
    /// Frames per second
    #[arg(long, value_name = "N", default_value = "60", value_parser = live_rate)]
    pub(crate) fps: f64,
    /// Don't open the page in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Print the page's address and the addresses for VMC as JSON: {"listening": "http://…", …}
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder in which the studio keeps characters; by default the folder Vivant in your home directory
    #[arg(long, value_name = "DIR")]
    pub(crate) characters: Option<PathBuf>,
    /// Host names under which other computers may reach this one, in addition to its addresses
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) allow_host: Vec<String>,
    /// For development of the studio: serve index.html, studio.js and studio.css from this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) studio: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) vmc: Vmc,
}

/// Open the studio and serve characters live to other programs (the default command)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant serve                                    the studio, on http://127.0.0.1:7878
  vivant serve --character eve --listen 127.0.0.1:0 --json --no-open
  vivant serve --listen 0.0.0.0:7878 --token swordfish --allow-host studio.local
  vivant serve --vmc 39539                        send to VSeeFace, Warudo, Unity or Unreal on this computer
  vivant serve --vmc 192.168.1.20:39539 --vmc-rate 30
  vivant serve --vmc-in 39540 --vmc 39539         receive a tracked performer, add eyes and lids, send it on
    websocat 'ws://127.0.0.1:7878/live?frames=json'   then type {\"say\": \"Hello\"}

UDP has no tokens: VMC is accepted from this computer only, and from addresses given with --vmc-from.
A program sends the token as `Authorization: Bearer T` or as ?token=T; a browser opens /?token=T once.
docs/reference/protocol.md describes the messages; `vivant schema protocol` prints their types.")]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) watch: Watch,
}

/// Show the contents of a file: format, bones, expressions, abilities and clips, or the quality of an eye recording
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant inspect me.vrm
  vivant inspect --json me.vrm | jq .humanoid
  vivant inspect clips/*.bvh
  vivant inspect builtin
  vivant inspect P1_squints.tsv                an eye recording: device, sampling rate, gaps, channels

With --json, one file gives one object with the keys kind, humanoid {bone: node}, expressions, morphs,
abilities, clips [{name, seconds, rate}] and warnings. Several files give JSON Lines: one object per line,
with the key file; a file that cannot be read has the key error instead, and the exit status is 1.
An eye recording has the keys kind, device, duration_secs, timing, aperture_unit, channels,
device_blinks and warnings; docs/reference/recordings.md lists the supported devices.")]
pub(crate) struct Inspect {
    /// The files to inspect
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) recording: recordings::RecordingArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Convert a motion to another format, and fit it to an avatar
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant convert walk.bvh walk.vrma                    for every VRM avatar
  vivant convert wave.fbx wave.glb --avatar me.vrm     a copy of the avatar that waves
  vivant convert walk.vrma walk.bvh --fps 60
  vivant convert dance.glb dance.csv --clip Samba
  vivant convert builtin wave.vrma --clip wave
  vivant convert walk.bvh walk.jsonl --positions       with the position of every joint, in metres
  vivant convert walk.vrma walk.curves.csv             readable curves in degrees and centimetres

The extension of OUT selects the format: .vrma, .glb, .vrm (a copy of a VRM avatar), .bvh, .csv, .curves.csv
or .jsonl. Without --avatar the motion keeps its own skeleton.")]
pub(crate) struct Convert {
    /// The file with the motion
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write. An existing file is replaced only if the conversion succeeds
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The avatar to fit the motion to
    #[arg(long, value_name = "FILE")]
    pub(crate) avatar: Option<PathBuf>,
    /// Frames per second; by default those of IN
    #[arg(long, value_name = "N", value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// The clip of IN to convert, by name or by index from 0. By default all clips if OUT can hold them, else the first
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) clip: Option<String>,
    /// In .jsonl, add the position of each joint in metres: "positions": {bone: [x, y, z]}
    #[arg(long)]
    pub(crate) positions: bool,
    /// Print the result as JSON: {"written", "bytes", "clips", "warnings"}
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write a character's performance of a script, or its improvisation, to a file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant perform script.jsonl --character eve --seconds 60 -o show.vrma
  vivant perform --avatar me.vrm --clips walk.bvh wave.fbx --seconds 60 --fps 30 -o show.vrma
  vivant perform --avatar me.vrm --clips clips/*.fbx --seconds 20 --seed 7 -o show.glb
  vivant perform --seconds 30 -o show.bvh              the built-in character improvises
  vivant perform --seconds 20 --shutter 180 -o film.glb  with motion blur of lids and limbs
  vivant perform --seconds 60 --preset Friendly -o show.vrma

A script is JSON Lines, one intent per line, with `at` in seconds:
  {\"at\": 0.5, \"say\": \"Hello, nice to see you.\"}
  {\"at\": 1, \"act\": \"gesture\", \"hand\": \"R\"}
  {\"at\": 4, \"be\": \"listening\"}
  {\"at\": 9, \"stop\": true}
`vivant schema intent` describes all intents; `vivant plan` shows the plan for a script.
The same seed, script, avatar and clips give the same file, bit for bit.")]
pub(crate) struct Perform {
    /// The script: intents as JSON Lines. Without it the character improvises
    #[arg(value_name = "SCRIPT.jsonl")]
    pub(crate) script: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cast: Cast,
    /// A temperament from a perception study, by its name in the studio, such as Friendly or "9 frames". By default the
    /// character's own
    #[arg(long, value_name = "NAME", value_parser = preset(), ignore_case = true, hide_possible_values = true)]
    pub(crate) preset: Option<Temperament>,
    /// Duration in seconds
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) seconds: f64,
    /// Frames per second
    #[arg(long, value_name = "F", default_value = "30", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// Motion blur: shutter angle from 0 to 720 degrees. At 360 the shutter is open for the whole frame interval; at 0
    /// there is no blur. Expressions, rotations and the position of the hips are averaged
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = shutter)]
    pub(crate) shutter: f64,
    /// The file to write: .vrma, .glb, .vrm, .bvh, .csv, .curves.csv (degrees and centimetres) or .jsonl.
    /// docs/guides/export.md compares the formats
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// In .jsonl, add the position of each joint in metres: "positions": {bone: [x, y, z]}
    #[arg(long)]
    pub(crate) positions: bool,
    /// Print the result as JSON: {"written", "bytes", "clips", "warnings"}
    #[arg(long)]
    pub(crate) json: bool,
}

/// Show the plan for a script: the timeline of each layer, the chosen actions and the reasons
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant plan script.jsonl --character eve
  vivant plan script.jsonl --character eve --json | jq .layers.arms
  vivant plan --seconds 300 --plot plan.svg            the built-in character improvises
")]
pub(crate) struct Plan {
    /// The script: intents as JSON Lines. Without it the character improvises
    #[arg(value_name = "SCRIPT.jsonl")]
    pub(crate) script: Option<PathBuf>,
    /// The character: a folder with character.toml, repertoire.json and clips, or `builtin`
    #[arg(long, value_name = "DIR", default_value = "builtin")]
    pub(crate) character: PathBuf,
    /// Duration in seconds; by default until ten seconds after the last intent of the script
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Random seed: the same seed gives the same plan
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plan only the intents of the script, without improvisation
    #[arg(long)]
    pub(crate) only_script: bool,
    /// Choose actions exactly as in Borer 2019, without Vivant's changes
    #[arg(long)]
    pub(crate) literal: bool,
    /// The plot to write, with a lane for each layer: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Print JSON: {"layers": {"body": […], …}, "dropped": […], "states": […]}
    #[arg(long)]
    pub(crate) json: bool,
}

impl Command {
    /// Returns true if the command prints its result as JSON.
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Serve(args) => args.watch.json,
            Self::Inspect(args) => args.json,
            Self::Convert(args) => args.json,
            Self::Perform(args) => args.json,
            Self::Plan(args) => args.json,
            Self::Trace(args) => args.json,
            Self::Learn(args) => args.json,
            Self::Blinks(args) => args.json,
            Self::Lint(args) => args.json,
            Self::Mimic(args) => args.json,
            Self::Label(args) => args.json,
            Self::Track(args) => args.json,
            Self::Visemes(args) => args.json,
            Self::Say(args) => args.json,
            Self::Mannequin(args) => args.json,
            Self::Schema(args) => args.json,
            Self::Repertoire(args) => args.json,
        }
    }
}

fn frame_rate(text: &str) -> Result<f64, String> {
    within(text, 1.0, 1000.0, "frames per second")
}

fn live_rate(text: &str) -> Result<f64, String> {
    within(text, 1.0, 240.0, "frames per second")
}

/// Parses a token. Its characters need no escaping in a URL or an HTTP header.
fn token(text: &str) -> Result<String, String> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~');
    match (1..=256).contains(&text.len()) && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("use letters, digits, `-`, `_`, `.` and `~`, at most 256 of them".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let wrong = || "give three numbers from -1000 to 1000 metres, as in 0,1.6,2".to_owned();
    let is_near = numbers.iter().all(|number| number.abs() <= 1000.0);
    <[f64; 3]>::try_from(numbers).ok().filter(|_| is_near && text.matches(',').count() == 2).ok_or_else(wrong)
}

fn shutter(text: &str) -> Result<f64, String> {
    within(text, 0.0, 720.0, "degrees")
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, 0.01, 36_000.0, "seconds")
}

fn within(text: &str, least: f64, most: f64, unit: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("give a number from {least} to {most} {unit}").trim_end().to_owned()),
    }
}

fn preset() -> impl TypedValueParser<Value = Temperament> {
    let names = presets().into_iter().map(|preset| preset.name);
    PossibleValuesParser::new(names).try_map(|name| find(&name).map(|preset| preset.temperament))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        let mut command = Cli::command();
        let helps =
            command.get_subcommands_mut().map(|sub| sub.render_help().to_string()).collect::<Vec<_>>();
        for help in helps.into_iter().chain([Cli::command().render_help().to_string()]) {
            assert!(help.contains("Examples:\n  vivant") && help.contains("--json"), "{help}");
        }
    }

    #[test]
    fn a_point_is_three_numbers() {
        assert_eq!(point("0, 1.6,-2"), Ok([0.0, 1.6, -2.0]));
        for text in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,1e9", "1,,2,3"] {
            assert!(point(text).unwrap_err().contains("three numbers"), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_the_range() {
        for text in ["0", "-3", "nan", "inf", "1e9", "x"] {
            assert!(frame_rate(text).unwrap_err().contains("1 to 1000"), "{text}");
        }
        assert_eq!(frame_rate("29.97"), Ok(29.97));
    }
}
