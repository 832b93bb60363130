//! The voice of a line, as far as its samples have come.

use super::align::Evidence;
use crate::Result;
use crate::speech::audio::{Event, FIRST_FRAME_SECS, FRAMES_PER_SEC, Heard, LipSyncModel, Listener, Prosody};
use crate::speech::score::{Ending, Pause, Score, Segment, Stress};
use crate::speech::timing::phone_of_visemes;
use crate::speech::viseme::Viseme;
use std::sync::Arc;

/// What is shorter is a blip: 30 ms.
const LEAST_FRAMES: usize = 3;
/// How far around a sound its loudness is looked for: a sound that is quiet by itself belongs to a syllable.
const AROUND_SECS: f64 = 0.1;

/// Hears a voice and keeps what it heard.
#[derive(Clone)]
pub(super) struct HeardVoice {
    listener: Listener,
    prosody: Prosody,
    rate_hz: u32,
    samples: u64,
    evidence: Vec<Evidence>,
    loudness: Vec<f32>,
    /// Syllables that stand out, and by how much.
    emphases: Vec<(f64, f32)>,
    /// Silences within the voice, and when it fell silent, if it is.
    pauses: Vec<Pause>,
    silent_since: Option<f64>,
    runs: Runs,
}

impl std::fmt::Debug for HeardVoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HeardVoice of {} samples at {} Hz", self.samples, self.rate_hz)
    }
}

/// Frames with the same shape.
#[derive(Clone, Debug, Default)]
struct Runs {
    closed: Vec<Segment>,
    /// The present shape and its first frame, and what may come next, with its first frame and how many there are.
    now: Option<(Viseme, usize)>,
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
        if count >= LEAST_FRAMES {
            self.closed.extend(segment(now, since, begin_secs(first)));
            (self.now, self.next) = (Some((viseme, first)), None);
        }
    }
}

/// When a frame begins.
fn begin_secs(frame: usize) -> f64 {
    (FIRST_FRAME_SECS + (frame as f64 - 0.5) / FRAMES_PER_SEC).max(0.0)
}

fn segment(viseme: Viseme, since: usize, to: f64) -> Option<Segment> {
    let phone = phone_of_visemes(&[viseme]);
    // Nobody knows whether a vowel is stressed, so it is as large as between both.
    let stress = if phone.is_vowel() { Stress::Secondary } else { Stress::None };
    let from = begin_secs(since);
    (viseme != Viseme::Sil && to > from).then_some(Segment { phone, stress, from, to, loudness: 1.0 })
}

/// The likeliest shape of the likeliest class.
fn likeliest(heard: &Heard) -> Viseme {
    let class = heard.most_likely();
    let of_class = Viseme::ALL.into_iter().filter(|viseme| viseme.class() == class);
    let weight = |viseme: &Viseme| heard.visemes[*viseme as usize];
    of_class
        .reduce(|best, viseme| if weight(&viseme) > weight(&best) { viseme } else { best })
        .unwrap_or_default()
}

impl HeardVoice {
    /// # Errors
    /// If the rate is none that can be heard.
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

    pub(super) fn hear(&mut self, samples: &[f32]) {
        self.samples += samples.len() as u64;
        let Self { listener, prosody, evidence, loudness, emphases, pauses, silent_since, runs, .. } = self;
        for heard in listener.hear(samples) {
            runs.push(evidence.len(), likeliest(&heard));
            evidence.push(Evidence::of_heard(&heard));
            loudness.push(heard.loudness);
            for event in prosody.follow(&heard) {
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

    /// How long the samples last.
    pub(super) fn secs(&self) -> f64 {
        self.samples as f64 / f64::from(self.rate_hz)
    }

    /// Until when frames are heard.
    pub(super) fn until(&self) -> f64 {
        begin_secs(self.evidence.len()).min(self.secs())
    }

    pub(super) fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// When syllables stand out, and by how much, from 0 to 1.
    pub(super) fn emphases(&self) -> &[(f64, f32)] {
        &self.emphases
    }

    /// Puts what is heard behind what a score has of it already; of it so much stays.
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

    /// How many sounds and pauses stay.
    pub(super) fn closed(&self) -> [usize; 2] {
        [self.runs.closed.len(), self.pauses.len()]
    }

    /// How loud the voice is at a time; 1 where it is not heard yet.
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

    /// The loudest that it is around a time; 1 where it is not heard yet.
    pub(super) fn loudness_around(&self, from: f64, to: f64) -> f32 {
        let frame = |secs: f64| ((secs - FIRST_FRAME_SECS) * FRAMES_PER_SEC).max(0.0) as usize;
        let [first, last] = [frame(from - AROUND_SECS), frame(to + AROUND_SECS)];
        let heard = self.loudness.get(first..(last + 1).min(self.loudness.len())).unwrap_or_default();
        heard.iter().copied().reduce(f32::max).unwrap_or(1.0)
    }

    /// Until when the loudness around sounds stays as it is.
    pub(super) fn loud_until(&self) -> f64 {
        self.until() - AROUND_SECS - 2.0 / FRAMES_PER_SEC
    }
}
