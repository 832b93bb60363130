//! A speech line that is built up from text, timings and audio, in any order and any number of pieces.
//!
//! An agent streams its text, and a speech synthesizer provides timings only while it speaks. An [`Utterance`] takes
//! text, timings and audio as they arrive and always has a complete [`Score`]. The score contains known times where
//! they are available, and estimates for the rest.
//!
//! ```
//! use vivant::intent::{SaidWord, Say};
//! use vivant::speech::{pronounce::English, utterance::Utterance};
//!
//! let english = English::default();
//! let mut line = Utterance::default();
//! line.update(&Say { more: true, ..Say::new("Hello the") }, &english)?;
//! line.update(&Say { more: true, ..Say::new("re, how are you? ") }, &english)?;
//! let estimate = line.score().words[2].from;
//!
//! let hello = SaidWord { word: "Hello".into(), start: 0.1, end: Some(0.9) };
//! line.update(&Say { words: vec![hello], ..Say::default() }, &english)?;
//! assert!(line.is_whole());
//! assert_eq!((line.score().words[0].from, line.known_until()), (0.1, 0.9));
//! assert!(line.score().words[2].from > estimate, "estimates follow a slow voice");
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # Precedence
//!
//! - Timed phonemes and visemes are shown as given; if both are given for the same time, phonemes are used.
//! - Timed words keep their times. The phonemes of a word share the time of the word, unless phonemes are timed too.
//!   Timed words correspond to the first words of the text, matched by counting spoken words.
//! - Without timed words, the words of the text are aligned with the timed phonemes, otherwise with the audio. Without
//!   text, the mouth follows the audio alone.
//! - The rest is estimated at the pace of the last known words relative to their estimate, within a factor of two. Once
//!   the text is complete, the pace is determined by a given duration or by the end of the audio instead. Text that
//!   does not fit before the end of the audio counts as not spoken.
//!
//! The same input gives a bit-identical score. The result does not depend on how the input was split, or on the order
//! in which it arrived.

mod align;
mod emphasis;
mod phonemes;
mod piece;
#[cfg(test)]
mod tests;
mod times;
mod voice;
mod words;

use crate::intent::Say;
use crate::speech::audio::{Audio, LipSyncModel};
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Word};
use crate::speech::text::{CONTENT_EMPHASIS, Reader, Tag, Text};
use crate::speech::timing::{Line, TimingOptions, TimingRepair};
use crate::{Error, Result};
use align::Aligner;
use phonemes::TimedPhonemes;
use piece::Piece;
use std::sync::Arc;
use voice::VoiceAnalysis;
use words::Words;

/// Range of the pace relative to the estimate.
const PACES: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// Weight of the usual pace when the pace of a voice is measured, in seconds of speech.
const USUAL_SECS: f64 = 1.0;
/// Minimum duration, in seconds, of the rest of a phoneme after the known part. Shorter rests are dropped, because
/// alignment is only accurate to one or two frames.
const SLIVER_SECS: f64 = 0.03;
/// Range of the factor by which a given duration may stretch the estimate.
const STRETCHES: std::ops::RangeInclusive<f64> = 0.1..=10.0;
/// Number of words over which the pace of a voice is measured.
const PACED_WORDS: usize = 24;

/// Numbers of words, phonemes and pauses.
type Lens = [usize; 3];

fn lens(score: &Score) -> Lens {
    [score.words.len(), score.segments.len(), score.pauses.len()]
}

fn truncate(score: &mut Score, [words, segments, pauses]: Lens) {
    score.words.truncate(words);
    score.segments.truncate(segments);
    score.pauses.truncate(pauses);
}

/// Splits off all entries after the given counts.
fn split_off(score: &mut Score, [words, segments, pauses]: Lens) -> Score {
    Score {
        words: score.words.split_off(words),
        segments: score.segments.split_off(segments),
        pauses: score.pauses.split_off(pauses),
    }
}

/// Returns the number of unchanged entries of the score. `before` contains the previous entries after the counts
/// `from`.
fn unchanged(score: &Score, from: Lens, before: &Score) -> Lens {
    fn same<T: PartialEq>(now: &[T], before: &[T]) -> usize {
        now.iter().zip(before).take_while(|(now, before)| now == before).count()
    }
    [
        from[0] + same(&score.words[from[0]..], &before.words),
        from[1] + same(&score.segments[from[1]..], &before.segments),
        from[2] + same(&score.pauses[from[2]..], &before.pauses),
    ]
}

/// Returns the pace: the spoken duration divided by the estimated duration.
fn pace(said: f64, estimated: f64) -> f64 {
    ((said + USUAL_SECS) / (estimated + USUAL_SECS)).clamp(*PACES.start(), *PACES.end())
}

/// Inputs for building the parts of a line.
struct Context<'a> {
    text: &'a Text,
    line: &'a Line,
    language: &'a dyn Pronounce,
    options: &'a TimingOptions,
    is_whole: bool,
}

/// A warning that a time was invalid and was repaired. See [`timing`](super::timing).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimingWarning {
    /// Name of the list: `words`, `phones` or `visemes`.
    pub list: &'static str,
    /// Index of the repaired entry in the list, and the problem.
    pub repair: TimingRepair,
}

impl std::fmt::Display for TimingWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]: {}", self.list, self.repair.index, self.repair.issue)
    }
}

#[derive(Clone, Debug)]
enum TextSource {
    /// Text that streams in.
    Pieces(Box<Reader>),
    /// Text that is already parsed.
    Whole(Text),
}

impl TextSource {
    fn text(&self) -> &Text {
        match self {
            Self::Pieces(reader) => reader.text(),
            Self::Whole(text) => text,
        }
    }
}

/// Source of the known times of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Source {
    /// Text only; all times are estimated.
    #[default]
    Text,
    /// Timed words.
    Words,
    /// Text aligned with timed phonemes.
    TextInPhonemes,
    /// Text aligned with audio.
    TextInAudio,
    /// Timed phonemes without text.
    Phonemes,
    /// Audio without text.
    Audio,
}

/// Join of the estimate to the known part: the estimated time `base` maps to the time `anchor`, and later times are
/// scaled by `pace`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Join {
    spoken: usize,
    known_until: f64,
    anchor: f64,
    base: f64,
    pace: f64,
    /// True if the audio ended too early for the rest of the text.
    is_end: bool,
}

impl Join {
    fn secs(&self, estimated: f64) -> f64 {
        self.anchor + (estimated - self.base) * self.pace
    }

    /// Returns the mapped pause. A pause directly after the known part starts at the end of the known part.
    fn pause(&self, pause: &Pause) -> Pause {
        let from = if pause.from <= self.base { self.known_until } else { self.secs(pause.from) };
        Pause { from, to: self.secs(pause.to).max(from), ..*pause }
    }
}

/// A line in progress. See the [module](self).
#[derive(Clone, Debug)]
pub struct Utterance {
    options: TimingOptions,
    text_source: TextSource,
    line: Line,
    duration: Option<f64>,
    is_whole: bool,
    /// True if all audio has arrived.
    has_all_audio: bool,
    words: Words,
    phonemes: TimedPhonemes,
    voice: Option<Box<VoiceAnalysis>>,
    lip_sync: Option<Arc<LipSyncModel>>,
    aligner: Aligner,
    /// The score from audio or phonemes without words.
    wordless: Score,
    source: Source,
    join: Join,
    /// Number of entries in the known part of the score.
    known: Lens,
    /// End of the known part of the score in seconds.
    known_until: f64,
    score: Score,
    /// Number of emphasized syllables that are already applied to words.
    stressed: usize,
    /// Time in seconds up to which phonemes have their loudness.
    loud_until: f64,
}

impl Default for Utterance {
    fn default() -> Self {
        Self::new(TimingOptions::default())
    }
}

impl Utterance {
    /// Creates an empty line.
    #[must_use]
    pub fn new(options: TimingOptions) -> Self {
        Self::with_text(TextSource::Pieces(Box::default()), options, false)
    }

    /// Creates a complete line from parsed text.
    #[must_use]
    pub fn of_text(text: Text, language: &dyn Pronounce, options: TimingOptions) -> Self {
        let mut line = Self::with_text(TextSource::Whole(text), options, true);
        line.refresh(language);
        line
    }

    /// Creates a complete line from text and all of its audio; words are aligned with the audio.
    ///
    /// # Errors
    /// If the sampling rate is out of range, or no lip-sync model is [built in](LipSyncModel::built_in).
    pub fn aligned(
        text: Text,
        voice: &Audio,
        language: &dyn Pronounce,
        options: TimingOptions,
    ) -> Result<Self> {
        let mut line = Self::with_text(TextSource::Whole(text), options, true);
        line.ensure_voice(voice.rate_hz)?.push(&voice.samples);
        line.has_all_audio = true;
        line.refresh(language);
        Ok(line)
    }

    /// Creates an empty line for a language that does not use the Latin script; see [`Reader::for_letters`].
    #[must_use]
    pub fn with_reader(reader: Reader, options: TimingOptions) -> Self {
        Self::with_text(TextSource::Pieces(Box::new(reader)), options, false)
    }

    fn with_text(text_source: TextSource, options: TimingOptions, is_whole: bool) -> Self {
        Self {
            options,
            text_source,
            line: Line::new(options),
            duration: None,
            is_whole,
            has_all_audio: false,
            words: Words::default(),
            phonemes: TimedPhonemes::default(),
            voice: None,
            lip_sync: None,
            aligner: Aligner::default(),
            wordless: Score::default(),
            source: Source::Text,
            join: Join::default(),
            known: [0; 3],
            known_until: 0.0,
            score: Score::default(),
            stressed: 0,
            loud_until: f64::NEG_INFINITY,
        }
    }

    /// Adds a piece of text, words, phonemes, visemes or audio. All except text may also arrive after the end of the
    /// text. The start time of the intent is ignored. Returns the times that had to be repaired.
    ///
    /// # Errors
    /// If the duration or the sampling rate is out of range, or if there is more text after the line has ended. In that
    /// case nothing changes.
    pub fn update(&mut self, say: &Say, language: &dyn Pronounce) -> Result<Vec<TimingWarning>> {
        if self.is_whole && !say.say.trim().is_empty() {
            return Err(Error::new(
                "say: the line has ended; start a new line, or set `more` on all pieces but the last",
            ));
        }
        let has_text = *self.text() != Text::default();
        if say.read.is_some() && (say.more || has_text) {
            return Err(Error::new(
                "say: SSML must be a complete line in one piece; use plain text to stream",
            ));
        }
        let piece = Piece::read(say)?;
        if let Some(voice) = &say.voice {
            self.ensure_voice(voice.rate_hz)?;
        }
        if let Some(read) = &say.read {
            self.text_source = TextSource::Whole(read.text.clone());
        }
        if let TextSource::Pieces(reader) = &mut self.text_source {
            reader.push(&say.say);
            if !say.more && !self.is_whole {
                reader.end();
            }
        }
        // Audio that arrives after the end of the text may be followed by more audio.
        let samples_go_on = self.is_whole && say.voice.is_some();
        self.has_all_audio = !say.more && !samples_go_on && self.voice.is_some();
        self.is_whole |= !say.more;
        let warnings = self.add_piece(piece, say.voice.as_ref());
        self.refresh(language);
        Ok(warnings)
    }

    /// Adds the next audio samples.
    ///
    /// # Errors
    /// If the sampling rate is out of range or differs from earlier pieces, or there is no lip-sync model.
    pub fn add_audio(&mut self, voice: &Audio, language: &dyn Pronounce) -> Result<()> {
        self.ensure_voice(voice.rate_hz)?.push(&voice.samples);
        self.refresh(language);
        Ok(())
    }

    /// Sets the current time in seconds from the start of the line. Untimed text that arrives from now on is not spoken
    /// before this time.
    pub fn wait_until(&mut self, secs: f64) {
        let is_timed = self.voice.is_some() || !self.phonemes.is_empty();
        let said = self.secs();
        if let TextSource::Pieces(reader) = &mut self.text_source
            && !is_timed
            && !self.is_whole
            && secs > said
        {
            let pace = if self.source == Source::Text { 1.0 } else { self.join.pace };
            reader.stall((secs - said) / pace);
        }
    }

    /// Marks the line as complete.
    pub fn end(&mut self, language: &dyn Pronounce) {
        if let TextSource::Pieces(reader) = &mut self.text_source {
            reader.end();
        }
        self.is_whole = true;
        self.has_all_audio = self.voice.is_some();
        self.refresh(language);
    }

    /// Returns the pause after a sentence in seconds.
    pub(super) fn sentence_pause_secs(&self) -> f64 {
        self.options.sentence_pause_secs / self.options.safe_rate()
    }

    /// Returns true if no more pieces will follow.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the spoken text and its tags.
    #[must_use]
    pub fn text(&self) -> &Text {
        self.text_source.text()
    }

    /// Returns the current score, with estimates where no times are known.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Returns the end of the line in seconds from its start.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.score.secs()
    }

    /// Returns the duration of the audio received so far, in seconds.
    #[must_use]
    pub fn audio_secs(&self) -> f64 {
        self.voice.as_ref().map_or(0.0, |voice| voice.secs())
    }

    /// Returns the end of the part with known times, in seconds from the start of the line.
    #[must_use]
    pub fn known_until(&self) -> f64 {
        self.known_until
    }

    /// Returns the tags with their times in seconds from the start of the line: the start of the next word, or the
    /// end of the line.
    pub fn tags(&self) -> impl Iterator<Item = (f64, &Tag)> {
        let start = |tag: &Tag| self.word_start(tag.before_word).unwrap_or_else(|| self.secs());
        self.text().tags.iter().map(move |tag| (start(tag), tag))
    }

    /// Returns the start of the word with index `word` in the [text](Self::text), in seconds from the start of the
    /// line.
    #[must_use]
    pub fn word_start(&self, word: usize) -> Option<f64> {
        let place = match self.source {
            Source::Words => match word.checked_sub(self.words.spoken()) {
                None => self.words.word_of(word)?,
                Some(offset) => self.known[0] + offset,
            },
            _ => word,
        };
        self.score.words.get(place).map(|word| word.from)
    }

    /// Returns the times for gesture strokes in seconds from the start of the line, in order, each with its emphasis
    /// from 0.5 to 1. Each time is the middle of a stressed vowel. The result has the most emphasized word of each
    /// phrase, and all stressed words.
    pub fn emphases(&self) -> impl Iterator<Item = (f64, f32)> + '_ {
        self.emphases_from(f64::NEG_INFINITY)
    }

    /// Like [`emphases`](Self::emphases), but starts at `secs`.
    pub fn emphases_from(&self, secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
        let has_words = !self.score.words.is_empty();
        let voice = self.voice.as_ref().filter(|_| self.source == Source::Audio);
        let emphases = voice.map_or(&[][..], |voice| voice.emphases());
        let first = emphases.partition_point(|(at, _)| *at < secs);
        let by_words = has_words.then(|| emphasis::of_words(&self.score, secs));
        let by_phonemes = (!has_words && voice.is_none()).then(|| emphasis::of_phonemes(&self.score, secs));
        let by_voice = emphases[first..].iter().map(|(at, strength)| (*at, word_emphasis(*strength)));
        by_words.into_iter().flatten().chain(by_phonemes.into_iter().flatten()).chain(by_voice)
    }

    /// Returns the loudness of the voice at `secs` from the start of the line, from 0 to 1, where 1 is the loudness
    /// of the voice's own peaks. Returns 1 where there is no audio.
    #[must_use]
    pub fn loudness_at(&self, secs: f64) -> f32 {
        self.voice.as_ref().map_or(1.0, |voice| voice.loudness_at(secs))
    }

    /// Uses this model for audio lip-sync from now on, instead of the [built-in model](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.lip_sync = Some(model);
    }

    fn ensure_voice(&mut self, rate_hz: u32) -> Result<&mut VoiceAnalysis> {
        let voice = match self.voice.take() {
            None => Box::new(self.new_voice(rate_hz)?),
            Some(voice) => voice,
        };
        let known = voice.rate_hz();
        let voice = self.voice.insert(voice);
        if known != rate_hz {
            return Err(Error::new(format!(
                "the audio has {rate_hz} samples per second, but the line started with {known}; use one rate for all pieces"
            )));
        }
        Ok(voice)
    }

    fn new_voice(&self, rate_hz: u32) -> Result<VoiceAnalysis> {
        let model = match &self.lip_sync {
            Some(model) => Arc::clone(model),
            None => Arc::new(LipSyncModel::built_in()?),
        };
        VoiceAnalysis::new(rate_hz, model)
    }

    fn add_piece(&mut self, piece: Piece, voice: Option<&Audio>) -> Vec<TimingWarning> {
        let of = |list: &'static str, repairs: Vec<TimingRepair>| {
            repairs.into_iter().map(move |repair| TimingWarning { list, repair })
        };
        let mut warnings = Vec::new();
        warnings.extend(of("words", self.words.take(piece.words)));
        if !piece.phones.is_empty() {
            warnings.extend(of("phones", self.phonemes.take_phones(piece.phones)));
        }
        if !piece.visemes.is_empty() {
            warnings.extend(of("visemes", self.phonemes.take_visemes(piece.visemes)));
        }
        if let (Some(voice), Some(analysis)) = (voice, &mut self.voice) {
            analysis.push(&voice.samples);
        }
        self.duration = piece.duration.or(self.duration);
        warnings
    }

    /// Returns the best available source of times.
    fn best_source(&self) -> Source {
        let has_text = !self.line.score().words.is_empty();
        match (!self.words.is_empty(), !self.phonemes.is_empty(), self.voice.is_some()) {
            (true, _, _) => Source::Words,
            (_, true, _) if has_text => Source::TextInPhonemes,
            (_, true, _) => Source::Phonemes,
            (_, _, true) if has_text => Source::TextInAudio,
            (_, _, true) => Source::Audio,
            _ => Source::Text,
        }
    }

    /// Updates the score.
    fn refresh(&mut self, language: &dyn Pronounce) {
        let line_kept = self.line.kept();
        self.line.update(self.text_source.text(), language);
        let source = self.best_source();
        let is_other = source != self.source;
        self.source = source;
        if is_other {
            self.aligner = Aligner::default();
            self.wordless = Score::default();
        }
        let mut kept = self.refresh_known(language);
        if is_other {
            kept = [0; 3];
        }
        let join = self.join_of_known();
        let known = lens(self.known_score());
        let is_same = !is_other && join == self.join && kept == known && known == self.known;
        (self.join, self.known) = (join, known);
        let from = self.assemble(kept, is_same.then_some(line_kept));
        self.apply_voice(from);
    }

    /// Updates the known part and returns the number of its unchanged entries.
    fn refresh_known(&mut self, language: &dyn Pronounce) -> Lens {
        let context = Context {
            text: self.text_source.text(),
            line: &self.line,
            language,
            options: &self.options,
            is_whole: self.is_whole,
        };
        match self.source {
            Source::Text => [0; 3],
            Source::Words => self.words.update(&context),
            Source::TextInPhonemes => {
                let mut kept = [usize::MAX; 3];
                if self.phonemes.evidence_kept() < self.aligner.taken() {
                    self.aligner = Aligner::default();
                    kept = [0; 3];
                }
                let evidence = self.phonemes.evidence();
                let ended = self.is_whole.then(|| self.phonemes.until());
                let found = self.aligner.update(&context, evidence, ended);
                std::array::from_fn(|list| kept[list].min(found[list]))
            }
            Source::TextInAudio => {
                let voice = self.voice.as_ref().expect("there is a voice");
                let ended = self.is_whole.then(|| voice.secs());
                self.aligner.update(&context, voice.evidence(), ended)
            }
            Source::Phonemes => self.refresh_phonemes(),
            Source::Audio => self.refresh_voice(),
        }
    }

    fn refresh_phonemes(&mut self) -> Lens {
        let gaps = self.phonemes.gaps().iter().filter(|(from, to)| to - from >= self.options.least_gap_secs);
        let pauses: Vec<_> =
            gaps.map(|(from, to)| Pause { after: Ending::Phrase, from: *from, to: *to }).collect();
        let last = self.phonemes.segments().last().filter(|_| self.is_whole);
        let end = last.map(|last| Pause { after: Ending::Sentence, from: last.to, to: last.to });
        let is_same = self.wordless.pauses.iter().zip(&pauses).take_while(|(old, new)| old == new).count();
        self.wordless.pauses = pauses.into_iter().chain(end).collect();
        [0, 0, is_same.min(self.wordless.pauses.len())]
    }

    fn refresh_voice(&mut self) -> Lens {
        let voice = self.voice.as_ref().expect("there is a voice");
        // Entries that had not ended at the last update may have other ends now.
        let [segments, pauses] = [self.wordless.segments.len(), self.wordless.pauses.len()];
        let [closed_segments, closed_pauses] = voice.closed();
        let kept =
            [0, segments.saturating_sub(1).min(closed_segments), pauses.saturating_sub(1).min(closed_pauses)];
        truncate(&mut self.wordless, kept);
        voice.extend(&mut self.wordless, self.is_whole);
        kept
    }

    fn known_score(&self) -> &Score {
        match self.source {
            Source::Text | Source::Phonemes | Source::Audio => &self.wordless,
            Source::Words => self.words.score(),
            Source::TextInPhonemes | Source::TextInAudio => self.aligner.score(),
        }
    }

    /// Computes the join of the estimate to the known part.
    fn join_of_known(&mut self) -> Join {
        let estimate = &self.line.score().words;
        let found = self.aligner.found();
        let (spoken, pace, not_before) = match self.source {
            Source::Words => (self.words.spoken(), self.words.pace(&self.line), 0.0),
            Source::TextInPhonemes | Source::TextInAudio => {
                (found.words, self.voice_pace(), found.not_before)
            }
            Source::Text | Source::Phonemes | Source::Audio => (0, 1.0, 0.0),
        };
        let until = self.known_score().words.last().map_or(0.0, |word| word.to);
        let is_all = spoken >= estimate.len();
        self.known_until = match self.source {
            Source::Words => until.max(self.phonemes.until()),
            Source::TextInPhonemes | Source::Phonemes => self.phonemes.until(),
            Source::TextInAudio => found.until,
            Source::Audio => self.voice.as_ref().map_or(0.0, |voice| voice.until()),
            Source::Text => 0.0,
        };
        let base = if is_all { estimate.last() } else { spoken.checked_sub(1).map(|last| &estimate[last]) };
        let base = base.map_or(0.0, |word| word.to);
        let mut join = Join { spoken, known_until: until, anchor: until, base, pace, is_end: false };
        if let Some(next) = estimate.get(spoken) {
            join.anchor += (not_before - join.secs(next.from)).max(0.0);
        }
        let spoken_secs = self.has_all_audio.then(|| self.audio_secs());
        if let (Some(secs), true, false) = (self.duration.or(spoken_secs), self.is_whole, is_all) {
            let left = self.line.score().secs() - base;
            let wanted = (secs - join.anchor) / left.max(f64::MIN_POSITIVE);
            join.pace = wanted.clamp(*STRETCHES.start(), *STRETCHES.end());
            join.is_end = self.duration.is_none() && wanted < *PACES.start();
        }
        join
    }

    /// Returns the pace of the last words aligned with the audio.
    fn voice_pace(&self) -> f64 {
        let (found, estimate) = (&self.aligner.score().words, &self.line.score().words);
        let first = found.len().saturating_sub(PACED_WORDS);
        let secs = |words: &[Word]| words.iter().map(|word| word.to - word.from).sum::<f64>();
        pace(
            secs(&found[first..]),
            secs(&estimate[first.min(estimate.len())..found.len().min(estimate.len())]),
        )
    }

    /// Assembles the score from the known part and the estimate. `kept` entries of the known part are unchanged. If the
    /// whole known part is unchanged, `line_kept` entries of the estimate are unchanged too. Returns the number of
    /// entries before the first new entry of the score.
    fn assemble(&mut self, kept: Lens, line_kept: Option<Lens>) -> Lens {
        let join = self.join;
        let tail = if join.is_end { lens(self.line.score()) } else { self.tail(join.spoken) };
        let mut from = std::array::from_fn(|list| match line_kept {
            Some(line_kept) => self.known[list] + line_kept[list].saturating_sub(tail[list]),
            None => kept[list].min(self.known[list]),
        });
        let mut score = std::mem::take(&mut self.score);
        if !self.phonemes.is_empty() {
            from[1] = self.phonemes.kept();
        }
        let now = lens(&score);
        from = std::array::from_fn(|list| from[list].min(now[list]));
        truncate(&mut score, from);
        let known = self.known_score();
        let estimate = self.line.score();
        let skip = |list: usize| from[list].saturating_sub(self.known[list]) + tail[list];
        score.words.extend_from_slice(known.words.get(from[0]..).unwrap_or_default());
        let rest = estimate.words.get(skip(0)..).unwrap_or_default();
        score.words.extend(rest.iter().map(|word| Word {
            from: join.secs(word.from),
            to: join.secs(word.to),
            ..word.clone()
        }));
        score.pauses.extend_from_slice(known.pauses.get(from[2]..).unwrap_or_default());
        let rest = estimate.pauses.get(skip(2)..).unwrap_or_default();
        score.pauses.extend(rest.iter().map(|pause| join.pause(pause)));
        if join.is_end {
            let until = join.known_until;
            score.pauses.push(Pause { after: Ending::Sentence, from: until, to: until });
        }
        let placed = |phoneme: &Segment| Segment {
            from: join.secs(phoneme.from),
            to: join.secs(phoneme.to),
            ..*phoneme
        };
        if self.phonemes.is_empty() {
            score.segments.extend_from_slice(known.segments.get(from[1]..).unwrap_or_default());
            let rest = estimate.segments.get(skip(1)..).unwrap_or_default();
            score.segments.extend(rest.iter().map(placed));
        } else {
            score.segments.extend_from_slice(&self.phonemes.segments()[from[1]..]);
            let rest = estimate.segments.get(tail[1]..).unwrap_or_default();
            let until = self.phonemes.until();
            let first = known.segments.partition_point(|phoneme| phoneme.to <= until);
            let others = known.segments[first..].iter().copied().chain(rest.iter().map(placed));
            let others = others.filter(|phoneme| phoneme.to > until + SLIVER_SECS);
            score.segments.extend(others.map(|phoneme| Segment { from: phoneme.from.max(until), ..phoneme }));
        }
        self.score = score;
        from
    }

    /// Returns the indices in the estimate of the first word, phoneme and pause after the first `spoken` words. The
    /// pause directly after these words is included.
    fn tail(&self, spoken: usize) -> Lens {
        let estimate = self.line.score();
        let spoken_here = spoken.min(estimate.words.len());
        let Some(last) = spoken_here.checked_sub(1) else { return [0; 3] };
        let until = estimate.words[last].to;
        let pauses = if spoken > estimate.words.len() {
            estimate.pauses.len()
        } else {
            estimate.pauses.partition_point(|pause| pause.from < until)
        };
        [spoken_here, self.line.phonemes_before(spoken_here), pauses]
    }

    /// Applies emphasis and loudness of the audio to new words and phonemes, and to older words and phonemes for
    /// which new audio has arrived.
    fn apply_voice(&mut self, from: Lens) {
        let Some(voice) = &self.voice else { return };
        let words = &mut self.score.words;
        let since = words.get(from[0]).map_or(f64::INFINITY, |word| word.from);
        let first_new = voice.emphases().partition_point(|(at, _)| *at < since).min(self.stressed);
        for (at, strength) in &voice.emphases()[first_new..] {
            let place = words.partition_point(|word| word.from <= *at);
            if let Some(word) = words[..place].last_mut().filter(|word| word.to > *at) {
                word.emphasis = word.emphasis.max(word_emphasis(*strength));
            }
        }
        self.stressed = voice.emphases().len();
        let quiet = self.loud_until;
        let segments = &mut self.score.segments;
        let first = segments.partition_point(|phoneme| phoneme.to <= quiet).min(from[1]);
        for phoneme in &mut segments[first..] {
            if phoneme.from > voice.until() + 1.0 {
                break;
            }
            phoneme.loudness = voice.loudness_around(phoneme.from, phoneme.to);
        }
        self.loud_until = voice.loud_until();
    }
}

/// Converts the strength of an emphasized syllable to the emphasis of its word.
fn word_emphasis(strength: f32) -> f32 {
    CONTENT_EMPHASIS + (1.0 - CONTENT_EMPHASIS) * strength
}
