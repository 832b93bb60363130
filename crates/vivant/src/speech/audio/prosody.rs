//! Where a voice pauses, ends a phrase and stresses a syllable, from its spectrum, loudness and pitch alone.
//!
//! Stress shows in how loud, how high and how long a syllable is against its neighbours (Fry 1958; Silipo and Greenberg
//! 2000 found loudness and duration to say most). So a syllable is a peak of loudness (Mermelstein 1975), and it is
//! emphatic if its prominence, the mean of its loudness and its pitch in deviations from the running means of the
//! speaker, is above a threshold, as in Wang and Narayanan 2007.

use super::Heard;
use crate::math;
use crate::speech::viseme::Class;

/// What a voice does at a time, in seconds since the first sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The voice begins after silence.
    PhraseStart {
        /// When it began.
        at_secs: f64,
    },
    /// A syllable stands out.
    Emphasis {
        /// The middle of the syllable.
        at_secs: f64,
        /// From 0, hardly, to 1.
        strength: f32,
    },
    /// The voice has been silent for 150 ms: here the phrase ended.
    PhraseEnd {
        /// When the silence began.
        at_secs: f64,
    },
    /// The voice is back after a pause.
    Pause {
        /// When the silence began.
        start_secs: f64,
        /// When it ended.
        end_secs: f64,
    },
}

/// The shortest silence that is a pause. Closures of stops are shorter: below 150 ms (Goldman-Eisler 1968 even takes 250).
const PAUSE_SECS: f64 = 0.15;
/// The voice is silent if that is so likely by its spectrum, and back if it is less likely than this. Loudness alone takes
/// a breath for a voice, and a soft word in noise for none.
const SILENT: f32 = 0.6;
const BACK: f32 = 0.4;
/// No syllable is softer than this.
const SOFTEST: f32 = 0.15;
/// A peak is one when the loudness has fallen this far from it, Mermelstein's 2 dB of about 30.
const DIP: f32 = 0.07;
/// Deviations above the mean that make a syllable emphatic.
const EMPHATIC: f32 = 0.8;
/// Syllables over which the mean of the speaker is taken: about two seconds.
const MEMORY: f32 = 10.0;
/// Two emphases are at least this far apart.
const APART_SECS: f64 = 0.2;

/// A mean and a deviation that forget.
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

    /// How many deviations a value lies above the mean so far; then takes it in.
    fn deviations(&mut self, value: f32) -> f32 {
        let away = value - self.mean;
        let deviations = away / self.variance.sqrt().max(1e-3);
        self.count = (self.count + 1.0).min(MEMORY);
        self.mean += away / self.count;
        self.variance += (away * away - self.variance) / self.count;
        deviations
    }
}

/// A peak of loudness that may be a syllable.
#[derive(Clone, Copy, Debug)]
struct Peak {
    at_secs: f64,
    loudness: f32,
    semitones: Option<f32>,
}

/// Finds events in frames, one after the other.
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
    /// Takes the next frame, and gives what is known with it: at most two events, in the order of their times.
    pub fn follow(&mut self, heard: &Heard) -> impl Iterator<Item = Event> + use<> {
        let emphasis = self.syllable(heard);
        let (a, b) =
            if silence(heard) > SILENT { (self.silent(heard.at_secs), None) } else { self.sounding(heard) };
        [emphasis, a, b].into_iter().flatten()
    }

    fn silent(&mut self, at_secs: f64) -> Option<Event> {
        let since = *self.silent_since_secs.get_or_insert(at_secs);
        if !self.is_speaking || self.has_ended || at_secs - since < PAUSE_SECS {
            return None;
        }
        self.has_ended = true;
        Some(Event::PhraseEnd { at_secs: since })
    }

    fn sounding(&mut self, heard: &Heard) -> (Option<Event>, Option<Event>) {
        if silence(heard) > BACK && self.silent_since_secs.is_some() {
            return (None, None);
        }
        let end_secs = heard.at_secs;
        let since = self.silent_since_secs.take();
        let pause = since.filter(|_| self.is_speaking && self.has_ended);
        let starts = self.has_ended;
        (self.is_speaking, self.has_ended) = (true, false);
        (
            pause.map(|start_secs| Event::Pause { start_secs, end_secs }),
            starts.then_some(Event::PhraseStart { at_secs: end_secs }),
        )
    }

    /// Follows the loudness up to a peak and down again.
    fn syllable(&mut self, heard: &Heard) -> Option<Event> {
        self.lowest = self.lowest.min(heard.loudness);
        let is_higher = |peak: Peak| heard.loudness > peak.loudness;
        if heard.loudness > SOFTEST && self.peak.map_or(heard.loudness > self.lowest + DIP, is_higher) {
            let semitones =
                heard.pitch_hz.map(semitones).or_else(|| self.peak.and_then(|peak| peak.semitones));
            self.peak = Some(Peak { at_secs: heard.at_secs, loudness: heard.loudness, semitones });
        }
        let peak = self.peak.filter(|peak| heard.loudness < peak.loudness - DIP)?;
        (self.peak, self.lowest) = (None, heard.loudness);
        self.emphasis(peak)
    }

    fn emphasis(&mut self, peak: Peak) -> Option<Event> {
        let loud = self.loudness.deviations(peak.loudness);
        let high = peak.semitones.map_or(0.0, |semitones| self.height(semitones));
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

    /// The first syllable says where the voice lies.
    fn height(&mut self, semitones: f32) -> f32 {
        if self.semitones.count == 1.0 {
            self.semitones.mean = semitones;
        }
        self.semitones.deviations(semitones)
    }
}

/// How likely it is that nobody speaks.
fn silence(heard: &Heard) -> f32 {
    heard.class[Class::Silence as usize]
}

/// Above 100 Hz.
fn semitones(pitch_hz: f32) -> f32 {
    12.0 / std::f32::consts::LN_2 * math::ln32(pitch_hz / 100.0)
}
