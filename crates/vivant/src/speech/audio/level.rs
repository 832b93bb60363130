//! Where a voice and the noise under it lie, so that a quiet speaker and a loud one are heard alike.

/// The least of the last 2 s of a level, as in Martin's minimum statistics (2001): even who speaks without a pause closes
/// the mouth that often, and then only noise is left. The times are ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    /// The level over about 30 ms: noise is uneven, and its lowest frame is not its level.
    smooth: Option<f32>,
    /// The least of each of the last stretches, newest first.
    stretches: [f32; STRETCHES],
    frames: u32,
}

const STRETCHES: usize = 5;
const STRETCH_FRAMES: u32 = 40;
/// How much of a new level is taken in a frame.
const SMOOTHING: f32 = 0.4;

impl Default for Least {
    fn default() -> Self {
        Self { smooth: None, stretches: [f32::INFINITY; STRETCHES], frames: 0 }
    }
}

impl Least {
    /// Takes the next level in, and gives the least.
    pub(super) fn follow(&mut self, level: f32) -> f32 {
        let before = self.smooth.unwrap_or(level);
        let smooth = before + SMOOTHING * (level - before);
        self.smooth = Some(smooth);
        if self.frames.is_multiple_of(STRETCH_FRAMES) {
            self.stretches.rotate_right(1);
            self.stretches[0] = smooth;
        }
        self.frames = self.frames.wrapping_add(1);
        self.stretches[0] = self.stretches[0].min(smooth);
        self.stretches.iter().copied().fold(f32::INFINITY, f32::min)
    }
}

/// A running peak and floor of a level in nepers of power (1 is 4.34 dB).
///
/// A peak is followed within 30 ms and forgotten slowly; the floor the other way round, or it is the [least](Least) of the
/// last 2 s, which follows noise sooner but takes a long steady voice for noise. The time constants are those of a level
/// meter, not of any paper.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) peak: f32,
    pub(super) floor: f32,
    least: Option<Least>,
    quiet_frames: u32,
}

/// How much of a new peak or floor is taken in one frame.
const CATCH: f32 = 0.3;
/// Forgetting of the peak in a frame of 10 ms: 2 dB/s, within a phrase.
const FALL: f32 = 0.005;
/// And after a pause: 13 dB/s, so that a second speaker who is quieter is heard soon.
const FALL_IN_PAUSE: f32 = 0.03;
const PAUSE_FRAMES: u32 = 150;
/// The floor rises by 2 dB/s,
const RISE: f32 = 0.005;
/// or by so much of the way to the least.
const RISE_TO_LEAST: f32 = 0.05;
/// The voice stands at least 17 dB above the floor: else noise alone would become a voice.
const LEAST_CONTRAST: f32 = 4.0;
/// As far below the peak, 17 dB, a frame still is of the voice.
const VOICE: f32 = 4.0;

impl Level {
    /// Begins where speech at a usual level lies.
    pub(super) fn new(peak: f32) -> Self {
        Self { peak, floor: peak - 2.0 * LEAST_CONTRAST, least: None, quiet_frames: 0 }
    }

    /// One whose floor follows the noise soon.
    pub(super) fn with_quick_floor(peak: f32) -> Self {
        Self { floor: peak - LEAST_CONTRAST, least: Some(Least::default()), ..Self::new(peak) }
    }

    pub(super) fn follow(&mut self, level: f32) {
        self.quiet_frames = if level > self.peak - VOICE { 0 } else { self.quiet_frames.saturating_add(1) };
        let fall = if self.quiet_frames < PAUSE_FRAMES { FALL } else { FALL_IN_PAUSE };
        self.peak += if level > self.peak { CATCH * (level - self.peak) } else { -fall };
        self.floor += match &mut self.least {
            None if level < self.floor => CATCH * (level - self.floor),
            None => RISE,
            Some(least) => {
                let above = least.follow(level) - self.floor;
                above * if above < 0.0 { CATCH } else { RISE_TO_LEAST }
            }
        };
        self.floor = self.floor.min(self.peak - 0.5 * LEAST_CONTRAST);
        self.peak = self.peak.max(self.floor + LEAST_CONTRAST);
    }

    /// Whether a level is of the voice rather than of what is under it.
    pub(super) fn is_voice(&self, level: f32) -> bool {
        level > self.peak - VOICE && level > self.floor + 0.35 * (self.peak - self.floor)
    }

    /// 0 in the noise, 1 at the peaks: linear in decibels over at most 40 dB.
    pub(super) fn share(&self, level: f32) -> f32 {
        let foot = (self.floor + 0.25 * (self.peak - self.floor)).max(self.peak - 9.2);
        ((level - foot) / (self.peak - foot)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four seconds of syllables at 5 Hz, with 30 dB between them.
    fn speech(level: &mut Level, peak: f32) {
        for n in 0..400 {
            level.follow(if n % 20 < 12 { peak } else { peak - 7.0 });
        }
    }

    #[test]
    fn a_voice_40_db_softer_is_as_loud_after_some_seconds() {
        for gain in [-9.2, 0.0, 9.2] {
            let mut level = Level::new(-4.0);
            (0..3).for_each(|_| speech(&mut level, -4.0 + gain));
            assert!(level.share(-4.0 + gain) > 0.8, "{gain}: {level:?}");
            assert!(level.share(-11.0 + gain) < 0.35, "{gain}: {level:?}");
        }
    }

    #[test]
    fn noise_alone_is_no_voice() {
        for mut level in [Level::new(-4.0), Level::with_quick_floor(-4.0)] {
            (0..6000).for_each(|n| level.follow(-9.0 + if n % 2 == 0 { 0.5 } else { -0.5 }));
            assert!(!level.is_voice(-8.5) && level.share(-8.5) == 0.0, "{level:?}");
        }
    }

    /// Noise that begins is the floor two seconds later, and after it the floor falls at once.
    #[test]
    fn a_quick_floor_follows_noise_both_ways() {
        let mut level = Level::with_quick_floor(-4.0);
        let mut after = |secs: u32, noise: f32| {
            (0..100 * secs).for_each(|n| level.follow(if n % 20 < 12 { -2.0 } else { noise }));
            level.floor
        };
        assert!((after(3, -12.0) + 12.0).abs() < 0.5);
        assert!((after(5, -7.0) + 7.0).abs() < 0.5);
        assert!((after(1, -12.0) + 12.0).abs() < 1.0);
    }
}
