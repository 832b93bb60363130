//! What can be typed after `vivant trace`.

pub(crate) mod texture;

use super::learn::ClosureArg;
use super::{seconds, shutter, within};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;
use texture::Textured;
use vivant::eyes::Temperament;
use vivant::eyes::blinking::{Activity, BlinkStrategy, EvokedPreset};
use vivant::eyes::direction::Direction;
use vivant::eyes::gaze::GazePreset;
use vivant::eyes::saccade::MainSequence;

/// Show how eyes, lids and head move, as numbers or as a picture
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace saccade --amplitude 15
  vivant trace lid-saccade --from 10 --to -20 --rate 300 -o lid.csv
  vivant trace blink --profile symmetric-linear --duration 0.3 --plot textbook.png
  vivant trace blink --profile pca --seed 3 --model blinks.model.json --plot mine.png
  vivant trace blink --profile real --rate 30 --shutter 360      as a film would show it
  vivant trace gaze-shift --to 50,0 --hmf 0.3 --plot shift.svg
  vivant trace gaze-shift --from -30,0 --to 30,10 --hmf 0 --preset peters -o shift.csv
  vivant trace eyes --seconds 600 --seed 7 --rate 60 -o eyes.csv
  vivant trace eyes --seconds 20 --state speaking --plot speaking.png

Degrees and seconds; the character's left and up are positive. eye_… are the eyes in the head,
gaze_… is where both look together, head_… is the head with the torso's turn; a positive roll
tilts it to the right. lid_… is 0 and aperture_… is 1 when the eyes look straight ahead; a closed
eye has an aperture of 0. Without -o and --plot the table goes to standard output as CSV.")]
pub(crate) struct Trace {
    #[command(subcommand)]
    pub(crate) kind: TraceKind,
    /// Samples a second, from 1 to a million; by default 1000, or as many as the texture has
    #[arg(long, value_name = "HZ", value_parser = sample_rate, allow_negative_numbers = true, display_order = 101, global = true)]
    pub(crate) rate: Option<f64>,
    /// Motion blur: for how much of a turn from sample to sample a shutter is open, 0 to 720 degrees; each row is
    /// the mean over that time. Paper 3 has 360 at 30 samples a second
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = shutter, display_order = 101, global = true)]
    pub(crate) shutter: f64,
    /// The CSV to write
    #[arg(short, long, value_name = "FILE", display_order = 102, global = true)]
    pub(crate) output: Option<PathBuf>,
    /// The picture to draw: .svg or .png
    #[arg(long, value_name = "FILE", display_order = 103, global = true)]
    pub(crate) plot: Option<PathBuf>,
    /// Print the table as JSON: {"title", "columns", "rows"}, and what was found out
    #[arg(long, display_order = 104, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceKind {
    /// A jump of the eyes, by the main sequence
    Saccade {
        /// How far, in degrees; positive is to the left
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        amplitude: f64,
        /// Whose line of duration against amplitude
        #[arg(long, default_value = "collewijn")]
        main_sequence: MainSequenceName,
    },
    /// A lid that follows the gaze (paper 1, E1 to E4)
    LidSaccade {
        /// Where the lid begins, in degrees; negative is below its place in primary gaze
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        from: f64,
        /// Where it ends
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        to: f64,
        /// As measured in people, or paper 1 to the letter, a row a frame
        #[arg(long, default_value = "evinger")]
        profile: LidShape,
    },
    Blink(TraceBlink),
    /// Eyes, head and lids from one direction to another (paper 2, section 3)
    GazeShift(GazeShift),
    /// Eyes that are left alone: they glance, fixate and blink by themselves
    Eyes(EyesAlone),
}

/// A blink (paper 1, E5 to E8; paper 3, section 3.3)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace blink --plot measured.png                         as physiology has it
  vivant trace blink --profile pca --seed 3                      a new one of the standard model
  vivant trace blink --profile pca --model blinks.model.json --duration 0.3 --closure natural
  vivant trace blink --profile real --model blinks.model.json    one that was recorded
  vivant trace blink --profile pca --rate 30 --shutter 360 --plot film.png

`vivant learn blinks` makes models of recordings; docs/blink-model.md says what they are.")]
pub(crate) struct TraceBlink {
    /// How far the upper lid goes down, in degrees; 35 closes the eye. Of a blink that does not close it fully,
    /// what a full one would have
    #[arg(long, value_name = "DEGREES", default_value = "35", value_parser = positive_angle, allow_negative_numbers = true)]
    pub(crate) amplitude: f64,
    /// As measured in people, as textbooks have it, or learned from recordings
    #[arg(long, default_value = "evinger")]
    pub(crate) profile: BlinkShape,
    /// How long it takes in all, in seconds; by default as long as a measured blink of this size, or as the model
    /// has it
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// With --profile pca or real: the model, from `vivant learn blinks`; by default the standard one
    #[arg(long, value_name = "FILE.json")]
    pub(crate) model: Option<PathBuf>,
    /// With --profile pca or real, chance: the same seed gives the same blink
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// With --profile pca or real: how far the eye closes; by default as the model says
    #[arg(long, value_name = "NAME")]
    pub(crate) closure: Option<ClosureArg>,
}

/// From one direction to another, until all is at rest.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace gaze-shift --to 50,0 --hmf 0 --preset peters      the head does 10° of it
  vivant trace gaze-shift --from -30,0 --to 30,0 --plot shift.svg
  vivant trace gaze-shift --to 60,-20 --strategy pge --seed 3    perhaps a blink

Before the trace begins the character has come to rest with its eyes on the first direction; at
0 s it is asked to look in the second. It looks at a target out of reach as far as it can; by how
much the gaze falls short is told, and with --json it is shortfall_deg.")]
pub(crate) struct GazeShift {
    /// Where the eyes are at first: yaw,pitch in degrees, left and up are positive
    #[arg(long, value_name = "YAW,PITCH", default_value = "0,0", value_parser = direction, allow_hyphen_values = true)]
    pub(crate) from: Direction,
    /// Where they go, likewise
    #[arg(long, value_name = "YAW,PITCH", value_parser = direction, allow_hyphen_values = true)]
    pub(crate) to: Direction,
    #[command(flatten)]
    pub(crate) person: Person,
    /// When the gaze shift evokes a blink. By default never: nothing blinks of itself here, so only
    /// strategies with gaze-evoked blinks differ from nb
    #[arg(long, value_name = "NAME", default_value = "nb", value_parser = strategy(), ignore_case = true)]
    pub(crate) strategy: BlinkStrategy,
    /// How much chance there is in it, from 0, the pure model, to 1: undershoots that are corrected,
    /// overshoots, the eyes' dip in a blink
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share, allow_negative_numbers = true)]
    pub(crate) liveliness: f64,
    /// With --preset human, half the width of the zone that a non-mover leaves to the eyes alone; people
    /// have about 18 degrees
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = positive_angle, allow_negative_numbers = true)]
    pub(crate) eye_only: f64,
    /// How long the eyes take to react, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = latency, allow_negative_numbers = true)]
    pub(crate) latency: f64,
}

/// Eyes that nobody tells anything.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace eyes --seconds 600 --seed 7 --rate 60 -o eyes.csv
  vivant trace eyes --seconds 20 --state speaking --plot speaking.png
  vivant trace eyes --seconds 60 --strategy r+pge --evoked peters --preset peters
  vivant trace eyes --texture eyes.texture --seconds 60 --plot eyes.png
  vivant trace eyes --texture eyes.texture --seconds 30 --look-ahead 5..20 --blink-at 12.5
  vivant trace eyes --texture eyes.texture --seconds 60 --avoid left --corpus calm:2 --corpus tired

With --texture, someone's recorded eyes are sewn together anew (paper 5): raw, without head, aperture_… as
recorded. What was wished for and could not be had is told.

The same seed gives the same eyes, at any rate. How often they blink and shift is in the plot's
title; with --json it is blinks_per_minute, gaze_shifts_per_minute and mean_gaze_shift_deg.")]
pub(crate) struct EyesAlone {
    /// How long
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) textured: Textured,
    #[command(flatten)]
    pub(crate) person: Person,
    /// When they blink
    #[arg(long, value_name = "NAME", default_value = "natural", value_parser = strategy(), ignore_case = true)]
    pub(crate) strategy: BlinkStrategy,
    /// What the character is doing
    #[arg(long, value_name = "NAME", default_value = "idle", value_parser = named::<Activity>(ACTIVITIES), ignore_case = true)]
    pub(crate) state: Activity,
    /// How much happens, from 0, which is still, to 1, as in people
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share, allow_negative_numbers = true)]
    pub(crate) liveliness: f64,
    /// How much the eyes stay ahead, from 0 through 0.5, as people do, to 1, always
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share, allow_negative_numbers = true)]
    pub(crate) attentiveness: f64,
    /// Spontaneous blinks a minute; by default as in people in this state
    #[arg(long, value_name = "N", value_parser = blink_rate, allow_negative_numbers = true)]
    pub(crate) blink_rate: Option<f64>,
}

/// Who looks.
#[derive(Debug, Args)]
pub(crate) struct Person {
    /// The head-movement factor, from 0, whose head moves only if it must, to 1, whose head does all
    #[arg(long, value_name = "FACTOR", default_value_t = Temperament::default().head_movement_factor, value_parser = share, allow_negative_numbers = true)]
    pub(crate) hmf: f64,
    /// Whose rules share a gaze shift out: as in people, or as paper 2 has it
    #[arg(long, value_name = "NAME", default_value = "human", value_parser = gaze_preset(), ignore_case = true)]
    pub(crate) preset: GazePreset,
    /// Whose numbers say when a gaze shift evokes a blink; by default peters with --preset peters,
    /// else evinger
    #[arg(long, value_name = "NAME", value_parser = named::<EvokedPreset>(EVOKED), ignore_case = true)]
    pub(crate) evoked: Option<EvokedPreset>,
    /// Chance: the same seed gives the same trace
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MainSequenceName {
    Collewijn,
    EyesAlive,
    Carpenter,
}

impl From<MainSequenceName> for MainSequence {
    fn from(name: MainSequenceName) -> Self {
        match name {
            MainSequenceName::Collewijn => Self::Collewijn,
            MainSequenceName::EyesAlive => Self::EyesAlive,
            MainSequenceName::Carpenter => Self::Carpenter,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LidShape {
    Evinger,
    /// Paper 1 to the letter: it takes the greatest velocity for that of every frame, and ends beyond
    Steptoe,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BlinkShape {
    Evinger,
    /// Paper 1 to the letter: it takes the greatest velocity for that of every frame, and ends beyond
    Steptoe,
    SymmetricLinear,
    AsymmetricLinear,
    SymmetricEase,
    AsymmetricEase,
    /// A new blink of a model that was learned from recordings (paper 3, section 3.3.2)
    Pca,
    /// A recorded blink that the model keeps (paper 3, section 3.3.1)
    Real,
}

pub(super) const ACTIVITIES: &[&str] = &["idle", "speaking", "listening", "reading", "thinking"];
const EVOKED: &[&str] = &["peters", "evinger"];

/// Names that the engine knows, too.
pub(super) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = vivant::Error> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// The paper's short names, and the long ones of the engine's files.
fn strategy() -> impl TypedValueParser<Value = BlinkStrategy> {
    let known = [
        ("nb", "none", "no blinks"),
        ("ru", "regular", "every 3 s"),
        ("ge", "gaze-evoked", "with every gaze shift"),
        ("pge", "probabilistic-gaze-evoked", "with gaze shifts, the likelier the larger they are"),
        ("r+pge", "regular-probabilistic", "both of these: every 3 s, and with gaze shifts by their size"),
        ("natural", "natural", "at intervals as people have them, and with gaze shifts by their size"),
    ];
    let names = known.map(|(short, long, help)| PossibleValue::new(short).alias(long).help(help));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<BlinkStrategy>())
}

fn gaze_preset() -> impl TypedValueParser<Value = GazePreset> {
    let human = PossibleValue::new("human").help("measured shares for each axis, and the torso helps");
    let peters = PossibleValue::new("peters").help("paper 2 to the letter: eyes and head alone");
    PossibleValuesParser::new([human, peters])
        .map(|name| if name.eq_ignore_ascii_case("peters") { GazePreset::Peters } else { GazePreset::Human })
}

fn sample_rate(text: &str) -> Result<f64, String> {
    within(text, 1.0, 1_000_000.0, "samples a second")
}

fn angle(text: &str) -> Result<f64, String> {
    within(text, -90.0, 90.0, "degrees")
}

fn positive_angle(text: &str) -> Result<f64, String> {
    within(text, 0.0, 90.0, "degrees")
}

fn share(text: &str) -> Result<f64, String> {
    within(text, 0.0, 1.0, "")
}

fn latency(text: &str) -> Result<f64, String> {
    within(text, 0.0, 10.0, "seconds")
}

fn blink_rate(text: &str) -> Result<f64, String> {
    within(text, 0.0, 120.0, "blinks a minute")
}

/// Two angles with a comma between them.
fn direction(text: &str) -> Result<Direction, String> {
    let advice = || "give yaw and pitch in degrees with a comma between them, as in 30,-10".to_owned();
    let (yaw, pitch) = text.split_once(',').ok_or_else(advice)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (yaw, pitch) = number(yaw).zip(number(pitch)).ok_or_else(advice)?;
    if yaw.abs() > 180.0 || pitch.abs() > 90.0 {
        return Err("give a yaw from -180 to 180 and a pitch from -90 to 90 degrees".into());
    }
    Ok(Direction::new(yaw, pitch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_two_angles_with_a_comma() {
        for (text, expected) in [
            ("30,-10", (30.0, -10.0)),
            ("-30, 10", (-30.0, 10.0)),
            ("0,0", (0.0, 0.0)),
            ("1e1,.5", (10.0, 0.5)),
        ] {
            assert_eq!(direction(text), Ok(Direction::new(expected.0, expected.1)), "{text}");
        }
        for (text, advice) in [
            ("abc", "comma"),
            ("1", "comma"),
            ("1,2,3", "as in 30,-10"),
            (",", "comma"),
            ("nan,0", "comma"),
            ("181,0", "-180 to 180"),
            ("0,-91", "-90 to 90"),
        ] {
            assert!(direction(text).unwrap_err().contains(advice), "{text}");
        }
    }
}
