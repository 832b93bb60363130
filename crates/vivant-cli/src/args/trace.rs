//! Arguments of `vivant trace`.

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

/// Write the motion of eyes, lids and head as a table or a plot
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace saccade --amplitude 15
  vivant trace lid-saccade --from 10 --to -20 --rate 300 -o lid.csv
  vivant trace blink --profile symmetric-linear --duration 0.3 --plot textbook.png
  vivant trace blink --profile pca --seed 3 --model blinks.model.json --plot mine.png
  vivant trace blink --profile real --rate 30 --shutter 360      with motion blur, as in a film
  vivant trace gaze-shift --to 50,0 --hmf 0.3 --plot shift.svg
  vivant trace gaze-shift --from -30,0 --to 30,10 --hmf 0 --preset peters -o shift.csv
  vivant trace eyes --seconds 600 --seed 7 --rate 60 -o eyes.csv
  vivant trace eyes --seconds 20 --state speaking --plot speaking.png

Units are degrees and seconds; the character's left and up are positive. eye_… are the rotations of
the eyes in the head, gaze_… is the common gaze direction, head_… is the rotation of the head including
the torso; a positive roll tilts the head to the right. With the eyes straight ahead lid_… is 0 and
aperture_… is 1; a closed eye has an aperture of 0. Without -o and --plot, the table is printed as CSV.")]
pub(crate) struct Trace {
    #[command(subcommand)]
    pub(crate) kind: TraceKind,
    /// Samples per second, from 1 to a million; by default 1000, or the frame rate of the texture
    #[arg(long, value_name = "HZ", value_parser = sample_rate, allow_negative_numbers = true, display_order = 101, global = true)]
    pub(crate) rate: Option<f64>,
    /// Motion blur: shutter angle from 0 to 720 degrees; each row is the mean over the time the shutter is open.
    /// Trutoiu 2011 uses 360 at 30 samples per second
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = shutter, display_order = 101, global = true)]
    pub(crate) shutter: f64,
    /// The CSV file to write
    #[arg(short, long, value_name = "FILE", display_order = 102, global = true)]
    pub(crate) output: Option<PathBuf>,
    /// The plot to write: .svg or .png
    #[arg(long, value_name = "FILE", display_order = 103, global = true)]
    pub(crate) plot: Option<PathBuf>,
    /// Print the table as JSON: {"title", "columns", "rows"}, with measured values
    #[arg(long, display_order = 104, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceKind {
    /// A saccade, by the main sequence
    Saccade {
        /// Amplitude in degrees; positive is to the left
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        amplitude: f64,
        /// The source of the relation between duration and amplitude
        #[arg(long, default_value = "collewijn")]
        main_sequence: MainSequenceName,
    },
    /// A lid saccade, which follows the gaze (Steptoe 2010, E1 to E4)
    LidSaccade {
        /// Start angle of the lid in degrees; negative is below its position in primary gaze
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        from: f64,
        /// End angle of the lid in degrees
        #[arg(long, value_name = "DEGREES", value_parser = angle, allow_hyphen_values = true)]
        to: f64,
        /// The velocity profile: as measured in people, or exactly as in Steptoe 2010, with one row per frame
        #[arg(long, default_value = "evinger")]
        profile: LidShape,
    },
    Blink(TraceBlink),
    /// A gaze shift of eyes, head and lids from one direction to another (Peters & Qureshi 2010, section 3)
    GazeShift(GazeShift),
    /// Idle eyes, which glance, fixate and blink by themselves
    Eyes(IdleEyes),
}

/// A blink (Steptoe 2010, E5 to E8; Trutoiu 2011, section 3.3)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace blink --plot measured.png                         as measured in people
  vivant trace blink --profile pca --seed 3                      a random blink of the standard model
  vivant trace blink --profile pca --model blinks.model.json --duration 0.3 --closure natural
  vivant trace blink --profile real --model blinks.model.json    a recorded blink
  vivant trace blink --profile pca --rate 30 --shutter 360 --plot film.png

`vivant learn blinks` makes models from recordings; see docs/reference/blink-model.md.")]
pub(crate) struct TraceBlink {
    /// Amplitude of the upper lid in degrees; 35 closes the eye. For a blink that closes the eye only partly, give
    /// the amplitude of a full blink
    #[arg(long, value_name = "DEGREES", default_value = "35", value_parser = positive_angle, allow_negative_numbers = true)]
    pub(crate) amplitude: f64,
    /// The shape: measured in people, a textbook curve, or learned from recordings
    #[arg(long, default_value = "evinger")]
    pub(crate) profile: BlinkShape,
    /// Total duration in seconds; by default that of a measured blink of this amplitude, or that of the model
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// With --profile pca or real: the model, made by `vivant learn blinks`; by default the standard model
    #[arg(long, value_name = "FILE.json")]
    pub(crate) model: Option<PathBuf>,
    /// With --profile pca or real: random seed; the same seed gives the same blink
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// With --profile pca or real: depth of the blink; by default as the model specifies
    #[arg(long, value_name = "NAME")]
    pub(crate) closure: Option<ClosureArg>,
}

/// A gaze shift from one direction to another, until everything is at rest.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace gaze-shift --to 50,0 --hmf 0 --preset peters      the head turns 10° of it
  vivant trace gaze-shift --from -30,0 --to 30,0 --plot shift.svg
  vivant trace gaze-shift --to 60,-20 --strategy pge --seed 3    possibly with a blink

When the trace starts, the character is at rest and looks in the first direction; at 0 s the gaze shift
to the second one starts. If the target is out of reach, the gaze goes as far as it can; the remaining
angle is reported, with --json as shortfall_deg.")]
pub(crate) struct GazeShift {
    /// Start direction: yaw,pitch in degrees; left and up are positive
    #[arg(long, value_name = "YAW,PITCH", default_value = "0,0", value_parser = direction, allow_hyphen_values = true)]
    pub(crate) from: Direction,
    /// Target direction: yaw,pitch in degrees
    #[arg(long, value_name = "YAW,PITCH", value_parser = direction, allow_hyphen_values = true)]
    pub(crate) to: Direction,
    #[command(flatten)]
    pub(crate) person: Person,
    /// The blink strategy. Only gaze-evoked blinks occur here, so strategies without them have the same effect as nb
    #[arg(long, value_name = "NAME", default_value = "nb", value_parser = strategy(), ignore_case = true)]
    pub(crate) strategy: BlinkStrategy,
    /// Amount of random variation, from 0 (the pure model) to 1: undershoots with corrections, overshoots, and the
    /// small eye movement during a blink
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share, allow_negative_numbers = true)]
    pub(crate) liveliness: f64,
    /// With --preset human: half-width in degrees of the zone in which people with an HMF of 0 move only the eyes;
    /// about 18 in people
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = positive_angle, allow_negative_numbers = true)]
    pub(crate) eye_only: f64,
    /// Reaction time of the eyes in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = latency, allow_negative_numbers = true)]
    pub(crate) latency: f64,
}

/// Idle eyes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant trace eyes --seconds 600 --seed 7 --rate 60 -o eyes.csv
  vivant trace eyes --seconds 20 --state speaking --plot speaking.png
  vivant trace eyes --seconds 60 --strategy r+pge --evoked peters --preset peters
  vivant trace eyes --texture eyes.texture --seconds 60 --plot eyes.png
  vivant trace eyes --texture eyes.texture --seconds 30 --look-ahead 5..20 --blink-at 12.5
  vivant trace eyes --texture eyes.texture --seconds 60 --avoid left --corpus calm:2 --corpus tired

With --texture, the motion is synthesized from a person's recorded eyes (Deng 2005), without a head and with
aperture_… as recorded. Requests that could not be met are reported.

The same seed gives the same motion at any sampling rate. The title of the plot has the rates of blinks and gaze
shifts; with --json they are blinks_per_minute, gaze_shifts_per_minute and mean_gaze_shift_deg.")]
pub(crate) struct IdleEyes {
    /// Duration in seconds
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) textured: Textured,
    #[command(flatten)]
    pub(crate) person: Person,
    /// The blink strategy
    #[arg(long, value_name = "NAME", default_value = "natural", value_parser = strategy(), ignore_case = true)]
    pub(crate) strategy: BlinkStrategy,
    /// The activity of the character
    #[arg(long, value_name = "NAME", default_value = "idle", value_parser = named::<Activity>(ACTIVITIES), ignore_case = true)]
    pub(crate) state: Activity,
    /// Liveliness from 0 (still) to 1 (as in people)
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share, allow_negative_numbers = true)]
    pub(crate) liveliness: f64,
    /// Tendency of the eyes to look ahead, from 0 (only short glances) to 1 (always); 0.5 is as in people
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share, allow_negative_numbers = true)]
    pub(crate) attentiveness: f64,
    /// Spontaneous blinks per minute; by default as in people with this activity
    #[arg(long, value_name = "N", value_parser = blink_rate, allow_negative_numbers = true)]
    pub(crate) blink_rate: Option<f64>,
}

/// Parameters of the person.
#[derive(Debug, Args)]
pub(crate) struct Person {
    /// The head-movement factor (HMF), from 0 (the head moves only if necessary) to 1 (the head does everything)
    #[arg(long, value_name = "FACTOR", default_value_t = Temperament::default().head_movement_factor, value_parser = share, allow_negative_numbers = true)]
    pub(crate) hmf: f64,
    /// The rules that divide a gaze shift between eyes, head and torso
    #[arg(long, value_name = "NAME", default_value = "human", value_parser = gaze_preset(), ignore_case = true)]
    pub(crate) preset: GazePreset,
    /// The source of the probability of gaze-evoked blinks; by default peters with --preset peters, else evinger
    #[arg(long, value_name = "NAME", value_parser = named::<EvokedPreset>(EVOKED), ignore_case = true)]
    pub(crate) evoked: Option<EvokedPreset>,
    /// Random seed: the same seed gives the same trace
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
    /// Exactly as in Steptoe 2010, which uses the peak velocity in every frame and therefore overshoots
    Steptoe,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BlinkShape {
    Evinger,
    /// Exactly as in Steptoe 2010, which uses the peak velocity in every frame and therefore overshoots
    Steptoe,
    SymmetricLinear,
    AsymmetricLinear,
    SymmetricEase,
    AsymmetricEase,
    /// A random blink of a model learned from recordings (Trutoiu 2011, section 3.3.2)
    Pca,
    /// A recorded blink stored in the model (Trutoiu 2011, section 3.3.1)
    Real,
}

pub(super) const ACTIVITIES: &[&str] = &["idle", "speaking", "listening", "reading", "thinking"];
const EVOKED: &[&str] = &["peters", "evinger"];

/// Parses one of the given names with the engine's own parser.
pub(super) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = vivant::Error> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// Parses a blink strategy: a short name of Peters & Qureshi 2010, or a long name as in the engine's files.
fn strategy() -> impl TypedValueParser<Value = BlinkStrategy> {
    let known = [
        ("nb", "none", "no blinks"),
        ("ru", "regular", "every 3 s"),
        ("ge", "gaze-evoked", "with every gaze shift"),
        (
            "pge",
            "probabilistic-gaze-evoked",
            "with gaze shifts; larger ones are more likely to evoke a blink",
        ),
        ("r+pge", "regular-probabilistic", "every 3 s, and with gaze shifts as for pge"),
        ("natural", "natural", "at intervals as in people, and with gaze shifts by their amplitude"),
    ];
    let names = known.map(|(short, long, help)| PossibleValue::new(short).alias(long).help(help));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<BlinkStrategy>())
}

fn gaze_preset() -> impl TypedValueParser<Value = GazePreset> {
    let human = PossibleValue::new("human").help("shares measured in people for each axis, with the torso");
    let peters =
        PossibleValue::new("peters").help("exactly as in Peters & Qureshi 2010, with eyes and head only");
    PossibleValuesParser::new([human, peters])
        .map(|name| if name.eq_ignore_ascii_case("peters") { GazePreset::Peters } else { GazePreset::Human })
}

fn sample_rate(text: &str) -> Result<f64, String> {
    within(text, 1.0, 1_000_000.0, "samples per second")
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
    within(text, 0.0, 120.0, "blinks per minute")
}

/// Parses yaw and pitch, separated by a comma.
fn direction(text: &str) -> Result<Direction, String> {
    let advice = || "give yaw and pitch in degrees, separated by a comma, as in 30,-10".to_owned();
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
