//! Analysis of the audio of a line, as far as it has arrived.
//!
//! If a line has audio but no times, the audio shows when the voice speaks, pauses and stresses. `VoiceAnalysis::push`
//! takes samples in chunks of any size and stores evidence per frame, loudness, emphases and pauses. `evidence` serves
//! to align the text; `extend` creates a score from the audio alone, for lines without text. Visemes shorter than 30 ms
//! are ignored. Audio does not reveal the stress of a vowel, so secondary stress is assumed.

use super::align::Evidence;
use crate::Result;
use crate::speech::audio::{
    Event, FIRST_FRAME_SECS, FRAMES_PER_SEC, LipSyncFrame, LipSyncModel, Listener, Prosody,
};
use crate::speech::score::{Ending, Pause, Score, Segment, Stress};
use crate::speech::timing::phone_of_visemes;
use crate::speech::viseme::Viseme;
use std::sync::Arc;

/// Minimum duration of a viseme in frames (30 ms); shorter visemes are ignored.
const MIN_FRAMES: usize = 3;
/// Range around a phoneme in which its loudness is measured, in seconds. A quiet consonant belongs to a louder
/// syllable.
const AROUND_SECS: f64 = 0.1;

/// Analyses audio and stores the results.
#[derive(Clone)]
pub(super) struct VoiceAnalysis {
    listener: Listener,
    prosody: Prosody,
    rate_hz: u32,
    samples: u64,
    evidence: Vec<Evidence>,
    loudness: Vec<f32>,
    /// Emphasized syllables with their strength.
    emphases: Vec<(f64, f32)>,
    /// Pauses within the audio.
    pauses: Vec<Pause>,
    /// Start of the current silence in seconds, if any.
    silent_since: Option<f64>,
    runs: Runs,
}

impl std::fmt::Debug for VoiceAnalysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VoiceAnalysis of {} samples at {} Hz", self.samples, self.rate_hz)
    }
}

/// Runs of frames with the same viseme.
#[derive(Clone, Debug, Default)]
struct Runs {
    closed: Vec<Segment>,
    /// The current viseme with its first frame.
    now: Option<(Viseme, usize)>,
    /// A candidate for the next viseme, with its first frame and its number of frames.
    next: Option<(Viseme, usize, usize)>,
}

impl Runs {
    fn push(&mut self, frame: usize, viseme: Viseme) {
        let Some((now, since)) = self.now else {
            self.now = Some((viseme, frame));
            return;
        };
        if viseme == now {
            self.next = None;
            return;
        }
        let (first, count) = match self.next {
            Some((next, first, count)) if next == viseme => (first, count + 1),
            Some((_, first, _)) => (first, 1),
            None => (frame, 1),
        };
        self.next = Some((viseme, first, count));
        if count >= MIN_FRAMES {
            self.closed.extend(segment(now, since, start_secs(first)));
            (self.now, self.next) = (Some((viseme, first)), None);
        }
    }
}

/// Returns the start of a frame in seconds.
fn start_secs(frame: usize) -> f64 {
    (FIRST_FRAME_SECS + (frame as f64 - 0.5) / FRAMES_PER_SEC).max(0.0)
}

fn segment(viseme: Viseme, since: usize, to: f64) -> Option<Segment> {
    let phone = phone_of_visemes(&[viseme]);
    // The stress of a vowel is unknown, so secondary stress is used.
    let stress = if phone.is_vowel() { Stress::Secondary } else { Stress::None };
    let from = start_secs(since);
    (viseme != Viseme::Sil && to > from).then_some(Segment { phone, stress, from, to, loudness: 1.0 })
}

/// Returns the most likely viseme of the most likely class.
fn most_likely(frame: &LipSyncFrame) -> Viseme {
    let class = frame.most_likely();
    let of_class = Viseme::ALL.into_iter().filter(|viseme| viseme.class() == class);
    let weight = |viseme: &Viseme| frame.visemes[*viseme as usize];
    of_class
        .reduce(|best, viseme| if weight(&viseme) > weight(&best) { viseme } else { best })
        .unwrap_or_default()
}

impl VoiceAnalysis {
    /// Creates an analysis of audio at the given rate.
    ///
    /// # Errors
    /// If the sampling rate is not supported.
    pub(super) fn new(rate_hz: u32, model: Arc<LipSyncModel>) -> Result<Self> {
        Ok(Self {
            listener: Listener::with_model(rate_hz, model)?,
            prosody: Prosody::default(),
            rate_hz,
            samples: 0,
            evidence: Vec::new(),
            loudness: Vec::new(),
            emphases: Vec::new(),
            pauses: Vec::new(),
            silent_since: None,
            runs: Runs::default(),
        })
    }

    pub(super) fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    pub(super) fn push(&mut self, samples: &[f32]) {
        self.samples += samples.len() as u64;
        let Self { listener, prosody, evidence, loudness, emphases, pauses, silent_since, runs, .. } = self;
        for frame in listener.process(samples) {
            runs.push(evidence.len(), most_likely(&frame));
            evidence.push(Evidence::of_frame(&frame));
            loudness.push(frame.loudness);
            for event in prosody.follow(&frame) {
                match event {
                    Event::Emphasis { at_secs, strength } => emphases.push((at_secs, strength)),
                    Event::PhraseEnd { at_secs } => *silent_since = Some(at_secs),
                    Event::Pause { start_secs, end_secs } => {
                        pauses.push(Pause { after: Ending::Phrase, from: start_secs, to: end_secs });
                    }
                    Event::PhraseStart { .. } => *silent_since = None,
                }
            }
        }
    }

    /// Returns the duration of the samples in seconds.
    pub(super) fn secs(&self) -> f64 {
        self.samples as f64 / f64::from(self.rate_hz)
    }

    /// Returns the end of the analysed frames.
    pub(super) fn until(&self) -> f64 {
        start_secs(self.evidence.len()).min(self.secs())
    }

    pub(super) fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// Returns emphasized syllables with their strength from 0 to 1.
    pub(super) fn emphases(&self) -> &[(f64, f32)] {
        &self.emphases
    }

    /// Appends the phonemes and pauses that the score does not have yet.
    pub(super) fn extend(&self, score: &mut Score, is_whole: bool) {
        score.segments.extend_from_slice(&self.runs.closed[score.segments.len()..]);
        let until = if is_whole { self.secs() } else { self.until() };
        score.segments.extend(self.runs.now.and_then(|(viseme, since)| segment(viseme, since, until)));
        score.pauses.extend_from_slice(&self.pauses[score.pauses.len()..]);
        let end = score.segments.last().map_or(0.0, |segment| segment.to);
        let silent_since = self.silent_since.or((is_whole && end > 0.0).then_some(end));
        let after = if is_whole { Ending::Sentence } else { Ending::Phrase };
        score.pauses.extend(silent_since.map(|from| Pause { after, from, to: from }));
    }

    /// Returns the numbers of phonemes and pauses that are final.
    pub(super) fn closed(&self) -> [usize; 2] {
        [self.runs.closed.len(), self.pauses.len()]
    }

    /// Returns the loudness at `secs` from 0 to 1; 1 where there is no audio yet.
    pub(super) fn loudness_at(&self, secs: f64) -> f32 {
        let place = (secs - FIRST_FRAME_SECS) * FRAMES_PER_SEC;
        let (frame, part) =
            (place.max(0.0) as usize, (place - place.max(0.0).floor()).clamp(0.0, 1.0) as f32);
        match (self.loudness.get(frame), self.loudness.get(frame + 1)) {
            (Some(now), Some(next)) => now + (next - now) * part,
            (Some(now), None) => *now,
            _ => 1.0,
        }
    }

    /// Returns the peak loudness around the time span from `from` to `to`, from 0 to 1; 1 where there is no audio
    /// yet.
    pub(super) fn loudness_around(&self, from: f64, to: f64) -> f32 {
        let frame = |secs: f64| ((secs - FIRST_FRAME_SECS) * FRAMES_PER_SEC).max(0.0) as usize;
        let [first, last] = [frame(from - AROUND_SECS), frame(to + AROUND_SECS)];
        let around = self.loudness.get(first..(last + 1).min(self.loudness.len())).unwrap_or_default();
        around.iter().copied().reduce(f32::max).unwrap_or(1.0)
    }

    /// Returns the time up to which the loudness around phonemes is final.
    pub(super) fn loud_until(&self) -> f64 {
        self.until() - AROUND_SECS - 2.0 / FRAMES_PER_SEC
    }
}
