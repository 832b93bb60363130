//! Pauses, phrase boundaries and emphasis of a voice, from its spectrum, loudness and pitch alone.
//!
//! Stress shows in loudness, pitch and duration of a syllable relative to its neighbours (Fry 1958; Silipo and
//! Greenberg 2000 found loudness and duration most important). A syllable is a peak of loudness (Mermelstein 1975).
//! It is emphasized if its prominence exceeds a threshold, as in Wang and Narayanan 2007. Prominence is the mean of
//! loudness and pitch, each in standard deviations from the speaker's running mean.

use super::LipSyncFrame;
use crate::math;
use crate::speech::viseme::Class;

/// A prosodic event; times are in seconds since the first sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Start of the voice after silence.
    PhraseStart {
        /// Start time.
        at_secs: f64,
    },
    /// An emphasized syllable.
    Emphasis {
        /// Middle of the syllable.
        at_secs: f64,
        /// Strength from 0 to 1.
        strength: f32,
    },
    /// End of a phrase, reported when the voice has been silent for 150 ms.
    PhraseEnd {
        /// Start of the silence.
        at_secs: f64,
    },
    /// A pause, reported when the voice resumes.
    Pause {
        /// Start of the silence.
        start_secs: f64,
        /// End of the silence.
        end_secs: f64,
    },
}

/// Shortest pause in seconds. Closures of stops are shorter than 150 ms (Goldman-Eisler 1968 uses 250 ms).
const PAUSE_SECS: f64 = 0.15;
/// Probability of silence above which the voice becomes silent. Loudness alone would mistake a breath for voice and
/// miss a soft word in noise.
const SILENT: f32 = 0.6;
/// Probability of silence below which the voice resumes.
const VOICED: f32 = 0.4;
/// Minimum loudness of a syllable.
const SOFTEST: f32 = 0.15;
/// Fall in loudness that ends a peak: 2 dB in a range of about 30 dB, after Mermelstein.
const DIP: f32 = 0.07;
/// Minimum prominence of an emphasized syllable, in standard deviations above the mean.
const EMPHATIC: f32 = 0.8;
/// Number of syllables over which the speaker's mean is taken: about two seconds.
const MEMORY: f32 = 10.0;
/// Minimum time between two emphases in seconds.
const APART_SECS: f64 = 0.2;

/// Exponentially weighted mean and deviation.
#[derive(Clone, Copy, Debug)]
struct Running {
    mean: f32,
    variance: f32,
    count: f32,
}

impl Running {
    const fn new(mean: f32, deviation: f32) -> Self {
        Self { mean, variance: deviation * deviation, count: 1.0 }
    }

    /// Returns the distance of a value from the current mean in standard deviations, then updates the mean.
    fn deviations(&mut self, value: f32) -> f32 {
        let away = value - self.mean;
        let deviations = away / self.variance.sqrt().max(1e-3);
        self.count = (self.count + 1.0).min(MEMORY);
        self.mean += away / self.count;
        self.variance += (away * away - self.variance) / self.count;
        deviations
    }
}

/// A peak of loudness, which may be a syllable.
#[derive(Clone, Copy, Debug)]
struct Peak {
    at_secs: f64,
    loudness: f32,
    semitones: Option<f32>,
}

/// Finds prosodic events in consecutive frames.
#[derive(Clone, Debug)]
pub struct Prosody {
    silent_since_secs: Option<f64>,
    has_ended: bool,
    is_speaking: bool,
    peak: Option<Peak>,
    lowest: f32,
    loudness: Running,
    semitones: Running,
    last_emphasis_secs: f64,
}

impl Default for Prosody {
    fn default() -> Self {
        Self {
            silent_since_secs: None,
            has_ended: true,
            is_speaking: false,
            peak: None,
            lowest: 0.0,
            loudness: Running::new(0.7, 0.15),
            semitones: Running::new(0.0, 3.0),
            last_emphasis_secs: f64::NEG_INFINITY,
        }
    }
}

impl Prosody {
    /// Processes the next frame and returns up to two events, in order of time.
    pub fn follow(&mut self, frame: &LipSyncFrame) -> impl Iterator<Item = Event> + use<> {
        let emphasis = self.syllable(frame);
        let (a, b) = if silence(frame) > SILENT {
            (self.process_silence(frame.at_secs), None)
        } else {
            self.process_voice(frame)
        };
        [emphasis, a, b].into_iter().flatten()
    }

    fn process_silence(&mut self, at_secs: f64) -> Option<Event> {
        let since = *self.silent_since_secs.get_or_insert(at_secs);
        if !self.is_speaking || self.has_ended || at_secs - since < PAUSE_SECS {
            return None;
        }
        self.has_ended = true;
        Some(Event::PhraseEnd { at_secs: since })
    }

    fn process_voice(&mut self, frame: &LipSyncFrame) -> (Option<Event>, Option<Event>) {
        if silence(frame) > VOICED && self.silent_since_secs.is_some() {
            return (None, None);
        }
        let end_secs = frame.at_secs;
        let since = self.silent_since_secs.take();
        let pause = since.filter(|_| self.is_speaking && self.has_ended);
        let starts = self.has_ended;
        (self.is_speaking, self.has_ended) = (true, false);
        (
            pause.map(|start_secs| Event::Pause { start_secs, end_secs }),
            starts.then_some(Event::PhraseStart { at_secs: end_secs }),
        )
    }

    /// Follows the loudness to a peak and returns the emphasis of the peak once the loudness has fallen.
    fn syllable(&mut self, frame: &LipSyncFrame) -> Option<Event> {
        self.lowest = self.lowest.min(frame.loudness);
        let is_higher = |peak: Peak| frame.loudness > peak.loudness;
        if frame.loudness > SOFTEST && self.peak.map_or(frame.loudness > self.lowest + DIP, is_higher) {
            let semitones =
                frame.pitch_hz.map(semitones).or_else(|| self.peak.and_then(|peak| peak.semitones));
            self.peak = Some(Peak { at_secs: frame.at_secs, loudness: frame.loudness, semitones });
        }
        let peak = self.peak.filter(|peak| frame.loudness < peak.loudness - DIP)?;
        (self.peak, self.lowest) = (None, frame.loudness);
        self.emphasis(peak)
    }

    fn emphasis(&mut self, peak: Peak) -> Option<Event> {
        let loud = self.loudness.deviations(peak.loudness);
        let high = peak.semitones.map_or(0.0, |semitones| self.pitch_deviation(semitones));
        let prominence = 0.5 * (loud + high);
        if prominence < EMPHATIC || peak.at_secs - self.last_emphasis_secs < APART_SECS {
            return None;
        }
        self.last_emphasis_secs = peak.at_secs;
        Some(Event::Emphasis {
            at_secs: peak.at_secs,
            strength: (prominence / (3.0 * EMPHATIC)).clamp(0.0, 1.0),
        })
    }

    /// Returns the pitch in standard deviations. The first syllable sets the speaker's mean.
    fn pitch_deviation(&mut self, semitones: f32) -> f32 {
        if self.semitones.count == 1.0 {
            self.semitones.mean = semitones;
        }
        self.semitones.deviations(semitones)
    }
}

/// Returns the probability of silence.
fn silence(frame: &LipSyncFrame) -> f32 {
    frame.class[Class::Silence as usize]
}

/// Returns the pitch in semitones above 100 Hz.
fn semitones(pitch_hz: f32) -> f32 {
    12.0 / std::f32::consts::LN_2 * math::ln32(pitch_hz / 100.0)
}
