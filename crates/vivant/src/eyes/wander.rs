//! Idle gaze: glances and fixations when no target is requested.
//!
//! Eyes that rest on one point look lifeless. People look at the attended person or object, then away for a while, and
//! back. The statistics were measured from video (Lee, Badler & Badler 2002, “Eyes Alive”). A speaking
//! character looks away more often and for longer than a listening one, and a thinking character looks up.
//!
//! ```
//! use vivant::chance::Chance;
//! use vivant::eyes::blinking::Activity;
//! use vivant::eyes::wander::{glance_away, mutual_secs};
//! let mut draw = Chance::new(7, "wander").event(0);
//! let looks_at_you_secs = mutual_secs(&mut draw, Activity::Listening, 0.5);
//! let then = glance_away(&mut draw, Activity::Listening);
//! assert!(looks_at_you_secs > then.dwell_secs);
//! ```

use crate::chance::Draw;
use crate::eyes::blinking::Activity;
use crate::eyes::normal::LogNormal;
use crate::math::{cos, ln, pow, sin};

/// One fixation, as an offset from the attended target; an offset of zero is a fixation on the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glance {
    /// Yaw offset in degrees, positive to the character's left.
    pub yaw_deg: f64,
    /// Pitch offset in degrees, positive up.
    pub pitch_deg: f64,
    /// Duration of the fixation in seconds.
    pub dwell_secs: f64,
}

impl Glance {
    /// Returns a fixation on the attended target.
    const fn on_target(dwell_secs: f64) -> Self {
        Self { yaw_deg: 0.0, pitch_deg: 0.0, dwell_secs }
    }
}

/// Shortest time between two saccades in seconds (Ruhland 2015).
pub const MIN_DWELL_SECS: f64 = 0.15;

/// Returns the amplitude of a saccade in degrees, without a cap, for a uniform random number in [0, 1): A =
/// −6.9·ln(P/15.7) with P uniform in (0, 15] (“Eyes Alive”).
///
/// The paper also states a mean of 15.64° while talking, but its formula has a mean of 7.21°. We use the formula
/// because it is closer to other measurements: 53 % of saccades are below 5°, 83 % are below 15° (Malinov 2000).
#[must_use]
pub fn uncapped_magnitude_deg(u: f64) -> f64 {
    -6.9 * ln(15.0 * (1.0 - u) / 15.7)
}

/// Returns the amplitude of a saccade in degrees for a uniform random number in [0, 1).
///
/// Capped at 27.5° while speaking and 22.7° while listening (“Eyes Alive”); idle eyes use the wider cap (our design).
/// Saccades while reading are 1.4° to 2.6°, except return sweeps (our design: seven to nine letters at arm's length).
/// Thinking characters look away by 8° to 20° (our design: smaller shifts would look like eye contact, and larger ones
/// would turn the head).
#[must_use]
pub fn magnitude_deg(u: f64, activity: Activity) -> f64 {
    match activity {
        Activity::Idle | Activity::Speaking => uncapped_magnitude_deg(u).min(27.5),
        Activity::Listening => uncapped_magnitude_deg(u).min(22.7),
        Activity::Reading => page::STEP_DEG + page::STEP_SPREAD_DEG * (2.0 * u - 1.0),
        Activity::Thinking => 8.0 + 12.0 * u,
    }
}

/// Percentage of saccades per direction, for 0° (right), 45°, 90° (up) and so on (“Eyes Alive”).
const DIRECTIONS: [f64; 8] = [15.54, 6.46, 17.69, 7.44, 16.80, 7.89, 20.38, 7.79];

/// Draws the direction of a saccade in degrees: one of eight directions; 0 is to the character's right, 90 is up.
#[must_use]
pub fn direction_deg(draw: &mut Draw) -> f64 {
    45.0 * draw.weighted(&DIRECTIONS).unwrap_or(0) as f64
}

/// Percentage of saccades per direction while thinking: 70 % up, 20 % down, 10 % to the sides (Andrist
/// 2014). The percentages of oblique directions are our design.
const THINKING_DIRECTIONS: [f64; 8] = [5.0, 20.0, 30.0, 20.0, 5.0, 5.0, 10.0, 5.0];

/// Draws the direction of a saccade while thinking about what to say, like [`direction_deg`]: mostly up.
#[must_use]
pub fn thinking_direction_deg(draw: &mut Draw) -> f64 {
    45.0 * draw.weighted(&THINKING_DIRECTIONS).unwrap_or(0) as f64
}

/// Draws a glance away from the attended target. Uses three draws.
///
/// While reading, the glance goes to a random place on the page; [`reading_fixation`] gives the places in reading
/// order.
#[must_use]
pub fn glance_away(draw: &mut Draw, activity: Activity) -> Glance {
    if activity == Activity::Reading {
        let anywhere = draw.between(0.0, page::FIXATIONS as f64) as u64;
        return reading_fixation(draw, anywhere);
    }
    let size = magnitude_deg(draw.uniform(), activity);
    let direction = match activity {
        Activity::Thinking => thinking_direction_deg(draw),
        _ => direction_deg(draw),
    }
    .to_radians();
    let dwell_secs = away_secs(draw, activity);
    // Yaw is negative to the right.
    Glance { yaw_deg: -size * cos(direction), pitch_deg: size * sin(direction), dwell_secs }
}

/// Distribution of dwell times, in frames at 30 Hz: mean and standard deviation.
#[derive(Clone, Copy)]
struct Dwell {
    mean_frames: f64,
    deviation_frames: f64,
}

/// Dwell times on the other person (mutual gaze) while talking (“Eyes Alive”).
const TALKING_MUTUAL: Dwell = Dwell { mean_frames: 93.9, deviation_frames: 94.9 };
/// Dwell times away from the other person while talking (“Eyes Alive”).
const TALKING_AWAY: Dwell = Dwell { mean_frames: 27.8, deviation_frames: 24.0 };
/// Dwell times on the other person (mutual gaze) while listening (“Eyes Alive”).
const LISTENING_MUTUAL: Dwell = Dwell { mean_frames: 237.5, deviation_frames: 47.1 };
/// Dwell times away from the other person while listening (“Eyes Alive”).
const LISTENING_AWAY: Dwell = Dwell { mean_frames: 13.0, deviation_frames: 7.1 };
/// Dwell times away from the other person while thinking: 3.54 ± 1.26 s, as for cognitive gaze aversions (Andrist
/// 2014).
const THINKING_AWAY: Dwell = Dwell { mean_frames: 106.2, deviation_frames: 37.8 };

impl Dwell {
    /// Draws a dwell time in seconds: the shortest dwell time plus a log-normal value. The sum has the given mean and
    /// deviation.
    ///
    /// The measured deviations are as large as the means, so values of a normal distribution would often be negative. A
    /// log-normal distribution has no negative values, has the long tail of dwell times, and needs one draw. A gamma
    /// distribution needs rejection sampling. Truncating a distribution would shift its mean.
    fn secs(self, u: f64) -> f64 {
        let (mean_secs, deviation_secs) = (self.mean_frames / 30.0, self.deviation_frames / 30.0);
        let above = LogNormal::with_mean_and_deviation(mean_secs - MIN_DWELL_SECS, deviation_secs);
        MIN_DWELL_SECS + above.draw_within(u, 0.0, f64::INFINITY)
    }
}

/// Returns the duration of an idle fixation: from 0.3 to 2.5 s, log-uniform, so short fixations are more frequent (our
/// design). The mean is 1.04 s.
fn idle_secs(u: f64) -> f64 {
    const SHORTEST: f64 = 0.3;
    const LONGEST: f64 = 2.5;
    SHORTEST * pow(LONGEST / SHORTEST, u)
}

fn away_secs(draw: &mut Draw, activity: Activity) -> f64 {
    let u = draw.uniform();
    match activity {
        Activity::Speaking => TALKING_AWAY.secs(u),
        Activity::Listening => LISTENING_AWAY.secs(u),
        Activity::Idle => idle_secs(u),
        Activity::Thinking => THINKING_AWAY.secs(u),
        Activity::Reading => page::dwell_secs(u),
    }
}

/// Draws the time for which the eyes stay on the attended target before they look away, in seconds. Uses one draw.
///
/// The measured dwell times are multiplied by the odds a/(1 − a) of the attentiveness a: 1 at 0.5, 4 at 0.8, 0.25 at
/// 0.2, and infinite at 1 (the eyes never look away). At 0 the dwell time is the minimum (short glances only). The
/// shares of mutual gaze in Argyle & Cook 1976, 41 % while talking and 75 % while listening, correspond to an
/// attentiveness of about 0.14.
///
/// While reading the result is 0: the eyes follow the page and do not look up.
#[must_use]
pub fn mutual_secs(draw: &mut Draw, activity: Activity, attentiveness: f64) -> f64 {
    let u = draw.uniform();
    let preset_secs = match activity {
        Activity::Speaking => TALKING_MUTUAL.secs(u),
        Activity::Listening => LISTENING_MUTUAL.secs(u),
        Activity::Idle | Activity::Thinking => idle_secs(u),
        Activity::Reading => return 0.0,
    };
    // Avoid 0 · ∞, which would be NaN.
    MIN_DWELL_SECS + (preset_secs - MIN_DWELL_SECS).max(f64::MIN_POSITIVE) * odds(attentiveness)
}

/// Returns share/(1 − share): 0 at 0, 1 at 0.5, infinite at 1. NaN counts as 0.5.
fn odds(share: f64) -> f64 {
    let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
    share / (1.0 - share)
}

/// Returns the fixation with this index for idle eyes: alternately on the attended target and away from it, or
/// along the lines of a page while reading.
#[must_use]
pub fn nth_fixation(draw: &mut Draw, activity: Activity, attentiveness: f64, fixation: u64) -> Glance {
    if activity == Activity::Reading {
        return reading_fixation(draw, fixation);
    }
    // Fully attentive eyes never look away.
    if fixation.is_multiple_of(2) || attentiveness >= 1.0 {
        return Glance::on_target(mutual_secs(draw, activity, attentiveness));
    }
    glance_away(draw, activity)
}

/// The page that a reader looks at (our design): a book on the lap.
mod page {
    use crate::math::{ln, pow};

    /// Distance between two fixations on a line, in degrees.
    pub(super) const STEP_DEG: f64 = 2.0;
    /// Largest deviation of the distance between two fixations, in degrees.
    pub(super) const STEP_SPREAD_DEG: f64 = 0.6;
    /// Fixations per line.
    pub(super) const COLUMNS: u64 = 8;
    /// Lines per page.
    pub(super) const LINES: u64 = 12;
    /// Fixations per page.
    pub(super) const FIXATIONS: u64 = COLUMNS * LINES;
    /// Distance between two lines, in degrees.
    pub(super) const LINE_DEG: f64 = 0.6;
    /// Pitch of the middle of the page, in degrees.
    pub(super) const PITCH_DEG: f64 = -20.0;

    /// Returns the duration of a fixation in seconds: about a quarter of a second, rarely less than half of that, and
    /// sometimes much longer on a difficult word (Rayner 1998: 225 to 250 ms on average, from 100 ms to over 500 ms).
    /// The distribution is a shifted Weibull distribution with a standard deviation of 0.4 times its mean.
    pub(super) fn dwell_secs(u: f64) -> f64 {
        (0.11 + 0.14 * pow(-ln(1.0 - u), 0.75)).min(0.6)
    }
}

/// Returns the fixation with this index while reading. Fixations go from left to right along a line; a return sweep
/// leads to the next line, and from the last line to the top of a new page. Uses two draws.
#[must_use]
pub fn reading_fixation(draw: &mut Draw, fixation: u64) -> Glance {
    let (column, line) = (fixation % page::COLUMNS, fixation / page::COLUMNS % page::LINES);
    let from_middle = |index: u64, count: u64| index as f64 - (count - 1) as f64 / 2.0;
    // If each of two fixations deviates by half of the spread, the distance between them deviates by the whole spread.
    let off = page::STEP_SPREAD_DEG * (draw.uniform() - 0.5);
    Glance {
        yaw_deg: off - page::STEP_DEG * from_middle(column, page::COLUMNS),
        pitch_deg: page::PITCH_DEG - page::LINE_DEG * from_middle(line, page::LINES),
        dwell_secs: page::dwell_secs(draw.uniform()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::math::exp;

    const N: u64 = 100_000;

    fn draws(name: &str, draw: impl Fn(&mut Draw) -> f64) -> Vec<f64> {
        let chance = Chance::new(21, name);
        (0..N).map(|i| draw(&mut chance.event(i))).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn deviation(values: &[f64]) -> f64 {
        let mean = mean(values);
        (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / values.len() as f64).sqrt()
    }

    fn share_below(values: &[f64], limit: f64) -> f64 {
        values.iter().filter(|x| **x < limit).count() as f64 / values.len() as f64
    }

    /// The standard deviation of the mean is 6.9°/√n = 0.022°, and of the share 0.10 percentage points. Four standard
    /// deviations cover 99.99 % of runs. (To four digits the values are 7.2147° and 0.8810.)
    #[test]
    fn amplitudes_follow_the_formula() {
        let sizes = draws("sizes", |draw| uncapped_magnitude_deg(draw.uniform()));
        assert!((mean(&sizes) - 7.2147).abs() < 0.088, "{}", mean(&sizes));
        let below = share_below(&sizes, 15.0);
        assert!((below - 0.881).abs() < 0.0041, "{below}");
        assert!(((1.0 - 15.7 / 15.0 * exp(-15.0 / 6.9)) - 0.881).abs() < 5e-4);
        assert!(sizes.iter().all(|x| *x > 0.314));
    }

    /// Malinov 2000: 53 % below 5° and 83 % below 15°. The formula is within 6 percentage points of both.
    #[test]
    fn idle_amplitudes_match_measurements() {
        let sizes = draws("sizes", |draw| magnitude_deg(draw.uniform(), Activity::Idle));
        assert!((share_below(&sizes, 5.0) - 0.53).abs() < 0.06);
        assert!((share_below(&sizes, 15.0) - 0.83).abs() < 0.06);
    }

    #[test]
    fn amplitudes_are_capped() {
        let last = 1.0 - f64::EPSILON / 2.0;
        for (activity, low, high) in [
            (Activity::Speaking, 0.3147, 27.5),
            (Activity::Listening, 0.3147, 22.7),
            (Activity::Idle, 0.3147, 27.5),
            (Activity::Reading, 1.4, 2.6),
            (Activity::Thinking, 8.0, 20.0),
        ] {
            let found = [magnitude_deg(0.0, activity), magnitude_deg(last, activity)];
            assert!((found[0] - low).abs() < 1e-4 && (found[1] - high).abs() < 1e-9, "{activity}: {found:?}");
        }
        assert!(uncapped_magnitude_deg(last) > 200.0);
    }

    /// χ² with seven degrees of freedom exceeds 24.32 with a probability of 0.001.
    #[test]
    fn directions_follow_the_table() {
        let mut counts = [0.0; 8];
        for direction in draws("directions", direction_deg) {
            counts[(direction / 45.0) as usize] += 1.0;
        }
        let [right, up, left, down] = [15.54, 17.69, 16.80, 20.38];
        let table = [right, 6.46, up, 7.44, left, 7.89, down, 7.79];
        let total: f64 = table.iter().sum();
        let wanted = table.map(|percent| percent / total * N as f64);
        let chi: f64 = counts.iter().zip(wanted).map(|(c, w)| (c - w) * (c - w) / w).sum();
        assert!(chi < 24.32, "{chi}: {counts:?}");
        assert!((total - 99.99).abs() < 1e-9);
    }

    /// Binomial with n = 100 000: the standard deviation of a share is at most 0.15 percentage points; the tolerance
    /// is four standard deviations.
    #[test]
    fn thinking_eyes_look_up_more_often_than_down_and_rarely_aside() {
        let glances: Vec<Glance> = {
            let chance = Chance::new(21, "thoughts");
            (0..N).map(|i| glance_away(&mut chance.event(i), Activity::Thinking)).collect()
        };
        let share = |is: fn(&Glance) -> bool| glances.iter().filter(|g| is(g)).count() as f64 / N as f64;
        assert!((share(|g| g.pitch_deg > 1.0) - 0.7).abs() < 0.006);
        assert!((share(|g| g.pitch_deg < -1.0) - 0.2).abs() < 0.006);
        assert!((share(|g| g.pitch_deg.abs() < 1.0) - 0.1).abs() < 0.006);
        assert!(
            (share(|g| g.yaw_deg > 1.0) - share(|g| g.yaw_deg < -1.0)).abs() < 0.012,
            "left and right must be equally likely"
        );
    }

    /// Right in the table is the character's right, where yaw is negative.
    #[test]
    fn glances_follow_their_direction() {
        let chance = Chance::new(22, "away");
        let mut seen = [false; 8];
        for i in 0..1000 {
            let glance = glance_away(&mut chance.event(i), Activity::Speaking);
            let mut again = chance.event(i);
            let size = magnitude_deg(again.uniform(), Activity::Speaking);
            let direction = direction_deg(&mut again);
            seen[(direction / 45.0) as usize] = true;
            let (right, up) = [
                (1.0, 0.0),
                (0.5, 0.5),
                (0.0, 1.0),
                (-0.5, 0.5),
                (-1.0, 0.0),
                (-0.5, -0.5),
                (0.0, -1.0),
                (0.5, -0.5),
            ][(direction / 45.0) as usize];
            let length = f64::sqrt(right * right + up * up);
            assert!((glance.yaw_deg + size * right / length).abs() < 1e-9, "{direction}: {glance:?}");
            assert!((glance.pitch_deg - size * up / length).abs() < 1e-9, "{direction}: {glance:?}");
        }
        assert_eq!(seen, [true; 8]);
    }

    /// Checks mean and deviation within four of their own standard deviations (99.99 % of runs): σ/√n for a mean
    /// and σ·√((k − 1)/4n) for a deviation, with the kurtosis k of the log-normal.
    fn check_dwell(name: &str, frames: f64, deviation_frames: f64, draw: impl Fn(&mut Draw) -> f64) {
        let found = draws(name, draw);
        let (wanted, sigma) = (frames / 30.0, deviation_frames / 30.0);
        let variation = sigma / (wanted - MIN_DWELL_SECS);
        let w = 1.0 + variation * variation;
        let kurtosis = w * w * w * w + 2.0 * w * w * w + 3.0 * w * w - 3.0;
        let n = N as f64;
        assert!((mean(&found) - wanted).abs() < 4.0 * sigma / n.sqrt(), "{name}: mean {}", mean(&found));
        let tolerance = 4.0 * sigma * ((kurtosis - 1.0) / (4.0 * n)).sqrt();
        assert!((deviation(&found) - sigma).abs() < tolerance, "{name}: deviation {}", deviation(&found));
        assert!(found.iter().all(|secs| *secs >= MIN_DWELL_SECS && secs.is_finite()), "{name}");
    }

    #[test]
    fn dwell_times_follow_the_table() {
        let mutual = |activity| move |draw: &mut Draw| mutual_secs(draw, activity, 0.5);
        let gone = |activity| move |draw: &mut Draw| glance_away(draw, activity).dwell_secs;
        check_dwell("talking, mutual", 93.9, 94.9, mutual(Activity::Speaking));
        check_dwell("talking, away", 27.8, 24.0, gone(Activity::Speaking));
        check_dwell("listening, mutual", 237.5, 47.1, mutual(Activity::Listening));
        check_dwell("listening, away", 13.0, 7.1, gone(Activity::Listening));
        // Andrist 2014: 3.54 ± 1.26 s.
        check_dwell("thinking, away", 3.54 * 30.0, 1.26 * 30.0, gone(Activity::Thinking));
    }

    #[test]
    fn idle_fixations_last_from_0_3_to_2_5_seconds() {
        let found = draws("idle", |draw| glance_away(draw, Activity::Idle).dwell_secs);
        assert!(found.iter().all(|secs| (0.3..2.5).contains(secs)));
        // The mean is 2.2/ln(25/3) s and the deviation of a fixation 0.61 s: the limit is four deviations over √n.
        assert!((mean(&found) - 2.2 / ln(25.0 / 3.0)).abs() < 4.0 * 0.61 / (N as f64).sqrt());
    }

    /// Returns the share of time spent on the attended target, from mean dwell times.
    fn looking_share(activity: Activity, attentiveness: f64) -> f64 {
        let at = mean(&draws("at", |draw| mutual_secs(draw, activity, attentiveness)));
        let gone = mean(&draws("away", |draw| glance_away(draw, activity).dwell_secs));
        at / (at + gone)
    }

    /// The dwell times of “Eyes Alive” give 77 % while talking and 95 % while listening. Argyle & Cook 1976 report
    /// 41 % and 75 %. Sampled means are off by 0.1 to 0.4 %, the shares by less than a percentage point.
    #[test]
    fn attentiveness_covers_reported_shares() {
        for (activity, preset, argyle) in
            [(Activity::Speaking, 0.77, 0.41), (Activity::Listening, 0.95, 0.75)]
        {
            assert!((looking_share(activity, 0.5) - preset).abs() < 0.01, "{}", looking_share(activity, 0.5));
            assert!(
                (looking_share(activity, 0.14) - argyle).abs() < 0.03,
                "{}",
                looking_share(activity, 0.14)
            );
        }
    }

    #[test]
    fn more_attentive_eyes_look_longer() {
        let chance = Chance::new(23, "attention");
        for activity in [Activity::Idle, Activity::Speaking, Activity::Listening, Activity::Thinking] {
            for i in 0..200 {
                let secs = |hundredths: u32| {
                    mutual_secs(&mut chance.event(i), activity, f64::from(hundredths) / 100.0)
                };
                assert!((0..100).all(|a| secs(a) < secs(a + 1)));
                assert_eq!((secs(0), secs(100)), (MIN_DWELL_SECS, f64::INFINITY));
                // Continuity: a small step of attentiveness changes the odds by at most the step times 1/(1−a)².
                assert!((0..90).all(|a| secs(a + 1) - secs(a) < 1.1 * secs(50) * 0.01 / 0.0081));
            }
        }
        assert_eq!(TALKING_MUTUAL.secs(0.0), MIN_DWELL_SECS);
        let draw = || chance.event(0);
        let preset = mutual_secs(&mut draw(), Activity::Speaking, 0.5);
        assert_eq!(mutual_secs(&mut draw(), Activity::Speaking, f64::NAN), preset);
        assert_eq!(mutual_secs(&mut draw(), Activity::Speaking, 7.0), f64::INFINITY);
    }

    #[test]
    fn idle_eyes_alternate_and_fully_attentive_eyes_never_look_away() {
        let chance = Chance::new(24, "alone");
        for fixation in 0..1000 {
            let glance = nth_fixation(&mut chance.event(fixation), Activity::Speaking, 0.5, fixation);
            assert_eq!(glance.yaw_deg == 0.0 && glance.pitch_deg == 0.0, fixation % 2 == 0, "{glance:?}");
            let stare = nth_fixation(&mut chance.event(fixation), Activity::Speaking, 1.0, fixation);
            assert_eq!(stare, Glance::on_target(f64::INFINITY));
        }
    }

    #[test]
    fn reading_follows_the_lines_down_the_page() {
        let chance = Chance::new(25, "reading");
        let at = |i: u64| reading_fixation(&mut chance.event(i), i);
        let pitches: Vec<f64> = (0..96).map(|i| at(i).pitch_deg).collect();
        assert!((mean(&pitches) + 20.0).abs() < 1e-9);
        for i in 0..960 {
            let (here, next) = (at(i), at(i + 1));
            let right = here.yaw_deg - next.yaw_deg;
            if i % 8 < 7 {
                assert!((1.4..=2.6).contains(&right) && here.pitch_deg == next.pitch_deg, "{right}");
            } else {
                assert!((-14.6..-13.4).contains(&right), "no return sweep: {right}");
                assert!(i % 96 == 95 || (here.pitch_deg - next.pitch_deg - 0.6).abs() < 1e-9);
            }
            assert!((0.11..=0.6).contains(&here.dwell_secs) && here.yaw_deg.abs() < 7.4);
        }
        let dwells: Vec<f64> = (0..N).map(|i| at(i).dwell_secs).collect();
        let deviation =
            mean(&dwells.iter().map(|secs| secs * secs).collect::<Vec<_>>()) - mean(&dwells) * mean(&dwells);
        assert!((mean(&dwells) - 0.238).abs() < 0.003, "{}", mean(&dwells));
        assert!((deviation.sqrt() - 0.095).abs() < 0.004, "{}", deviation.sqrt());
        assert_eq!(mutual_secs(&mut chance.event(0), Activity::Reading, 1.0), 0.0);
        let anywhere = glance_away(&mut chance.event(3), Activity::Reading);
        assert!((-23.4..-16.6).contains(&anywhere.pitch_deg));
    }
}
