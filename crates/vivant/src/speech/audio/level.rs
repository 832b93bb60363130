//! Tracks the levels of a voice and of the background noise, so that quiet and loud speakers give the same result.
//!
//! Levels of microphones differ by tens of decibels, and a fixed threshold would make one speaker mute and open the
//! mouth of another on noise. `Level::follow` tracks the peak of the voice and the floor of the noise; `is_voice` and
//! `share` then judge a level relative to both. `Level::with_quick_floor` adapts to new noise within 2 s by the minimum
//! of this time, at the price that it mistakes a long steady voice for noise; `Level::new` adapts more slowly in both
//! cases.

/// Minimum of a level over the last 2 s, as in minimum statistics (Martin 2001): even in speech without pauses, the
/// mouth closes at least every 2 s, and then only noise remains. The time constants are our design.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    /// Level smoothed over about 30 ms. Noise fluctuates, and its lowest frame is below its mean level.
    smooth: Option<f32>,
    /// Minimum of each of the last five stretches of 0.4 s, newest first.
    stretches: [f32; STRETCHES],
    frames: u32,
}

const STRETCHES: usize = 5;
const STRETCH_FRAMES: u32 = 40;
/// Weight of a new level in the smoothed level.
const SMOOTHING: f32 = 0.4;

impl Default for Minimum {
    fn default() -> Self {
        Self { smooth: None, stretches: [f32::INFINITY; STRETCHES], frames: 0 }
    }
}

impl Minimum {
    /// Adds the next level and returns the minimum.
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
/// The peak follows the level upwards within 30 ms and falls slowly. The floor falls quickly and rises slowly, or
/// follows the [minimum](Minimum) of the last 2 s. The minimum adapts to noise sooner, but mistakes a long steady voice
/// for noise. The time constants are those of a level meter; they are not from a paper.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) peak: f32,
    pub(super) floor: f32,
    minimum: Option<Minimum>,
    quiet_frames: u32,
}

/// Share of the distance to a higher peak or a lower floor that is covered per frame.
const CATCH: f32 = 0.3;
/// Decay of the peak per 10 ms frame within a phrase: 2 dB/s.
const FALL: f32 = 0.005;
/// Decay of the peak after a pause: 13 dB/s, so that a quieter second speaker is recognized soon.
const FALL_IN_PAUSE: f32 = 0.03;
const PAUSE_FRAMES: u32 = 150;
/// Rise of the floor per 10 ms frame: 2 dB/s.
const RISE: f32 = 0.005;
/// Share of the distance to the minimum by which the floor rises per frame.
const RISE_TO_MINIMUM: f32 = 0.05;
/// Minimum distance of peak and floor in nepers of power: 17 dB. With a smaller distance, noise alone would count as a
/// voice.
const MIN_CONTRAST: f32 = 4.0;
/// Distance below the peak, in nepers of power, up to which a frame counts as voice: 17 dB.
const VOICE: f32 = 4.0;

impl Level {
    /// Creates a tracker that starts with the given peak level.
    pub(super) fn new(peak: f32) -> Self {
        Self { peak, floor: peak - 2.0 * MIN_CONTRAST, minimum: None, quiet_frames: 0 }
    }

    /// Creates a tracker that starts with the given peak level and whose floor adapts quickly to noise.
    pub(super) fn with_quick_floor(peak: f32) -> Self {
        Self { floor: peak - MIN_CONTRAST, minimum: Some(Minimum::default()), ..Self::new(peak) }
    }

    pub(super) fn follow(&mut self, level: f32) {
        self.quiet_frames = if level > self.peak - VOICE { 0 } else { self.quiet_frames.saturating_add(1) };
        let fall = if self.quiet_frames < PAUSE_FRAMES { FALL } else { FALL_IN_PAUSE };
        self.peak += if level > self.peak { CATCH * (level - self.peak) } else { -fall };
        self.floor += match &mut self.minimum {
            None if level < self.floor => CATCH * (level - self.floor),
            None => RISE,
            Some(minimum) => {
                let above = minimum.follow(level) - self.floor;
                above * if above < 0.0 { CATCH } else { RISE_TO_MINIMUM }
            }
        };
        self.floor = self.floor.min(self.peak - 0.5 * MIN_CONTRAST);
        self.peak = self.peak.max(self.floor + MIN_CONTRAST);
    }

    /// Returns true if the level belongs to the voice rather than to the background.
    pub(super) fn is_voice(&self, level: f32) -> bool {
        level > self.peak - VOICE && level > self.floor + 0.35 * (self.peak - self.floor)
    }

    /// Maps a level to a value from 0 (noise) to 1 (peaks). The map is linear in decibels, over at most 40 dB.
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
    fn adapts_to_voices_40_db_softer_within_seconds() {
        for gain in [-9.2, 0.0, 9.2] {
            let mut level = Level::new(-4.0);
            (0..3).for_each(|_| speech(&mut level, -4.0 + gain));
            assert!(level.share(-4.0 + gain) > 0.8, "{gain}: {level:?}");
            assert!(level.share(-11.0 + gain) < 0.35, "{gain}: {level:?}");
        }
    }

    #[test]
    fn noise_alone_does_not_count_as_voice() {
        for mut level in [Level::new(-4.0), Level::with_quick_floor(-4.0)] {
            (0..6000).for_each(|n| level.follow(-9.0 + if n % 2 == 0 { 0.5 } else { -0.5 }));
            assert!(!level.is_voice(-8.5) && level.share(-8.5) == 0.0, "{level:?}");
        }
    }

    /// New noise becomes the floor within two seconds; when it stops, the floor falls at once.
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
