//! A line while it is being told: text, times and samples, in any order and any number of pieces.
//!
//! An agent streams what it says, and a voice knows its times only when it speaks. An [`Utterance`] takes all of that as it
//! comes and always has a whole [`Score`]: what is known as it is known, and the rest estimated behind it.
//!
//! ```
//! use vivant::intent::{SaidWord, Say};
//! use vivant::speech::{pronounce::English, utterance::Utterance};
//!
//! let english = English::default();
//! let mut line = Utterance::default();
//! line.tell(&Say { more: true, ..Say::new("Hello the") }, &english)?;
//! line.tell(&Say { more: true, ..Say::new("re, how are you? ") }, &english)?;
//! let estimate = line.score().words[2].from;
//!
//! let hello = SaidWord { word: "Hello".into(), start: 0.1, end: Some(0.9) };
//! line.tell(&Say { words: vec![hello], ..Say::default() }, &english)?;
//! assert!(line.is_whole());
//! assert_eq!((line.score().words[0].from, line.known_until()), (0.1, 0.9));
//! assert!(line.score().words[2].from > estimate, "a slow voice will go on slowly");
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # What wins
//!
//! - Sounds and mouth shapes with times are shown as they are; where there are both, sounds.
//! - Words with times have these, and their sounds share them, if there are none with times. They are the first of the
//!   text, matched by counting what is spoken.
//! - Without words with times, the words of the text are looked for in the sounds, or else in the voice; without text, the
//!   mouth shows what is heard.
//! - What follows is estimated, at the pace that the last words showed against their estimate, within half and twice.
//!   Once all of the text is there, a told duration decides instead, or the end of the voice: what it cannot have said in
//!   the time that is left, it has not said.
//!
//! The same knowledge gives the same score to the bit, however it was cut and whatever came first.

mod align;
mod emphasis;
mod heard;
mod piece;
mod sounds;
#[cfg(test)]
mod tests;
mod times;
mod words;

use crate::intent::Say;
use crate::speech::audio::{Audio, LipSyncModel};
use crate::speech::pronounce::Pronounce;
use crate::speech::score::{Ending, Pause, Score, Segment, Word};
use crate::speech::text::{CONTENT_EMPHASIS, Reader, Tag, Text};
use crate::speech::timing::{Line, Mend, TimingOptions};
use crate::{Error, Result};
use align::Aligner;
use heard::HeardVoice;
use piece::Piece;
use sounds::Sounds;
use std::sync::Arc;
use words::Words;

/// How far a pace may be from the estimate.
const PACES: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// A pace is believed as much as this many seconds at the usual one.
const USUAL_SECS: f64 = 1.0;
/// What would be left of a sound that is known to have ended is no sound if it is shorter than this: words are found to the
/// nearest frame or two.
const SLIVER_SECS: f64 = 0.03;
/// How far a told duration may stretch the estimate.
const STRETCHES: std::ops::RangeInclusive<f64> = 0.1..=10.0;
/// Words over which the pace of a voice is taken.
const PACED_WORDS: usize = 24;

/// How many words, sounds and pauses.
type Lens = [usize; 3];

fn lens(score: &Score) -> Lens {
    [score.words.len(), score.segments.len(), score.pauses.len()]
}

fn truncate(score: &mut Score, [words, segments, pauses]: Lens) {
    score.words.truncate(words);
    score.segments.truncate(segments);
    score.pauses.truncate(pauses);
}

/// Takes off what is not to stay.
fn split_off(score: &mut Score, [words, segments, pauses]: Lens) -> Score {
    Score {
        words: score.words.split_off(words),
        segments: score.segments.split_off(segments),
        pauses: score.pauses.split_off(pauses),
    }
}

/// How much of a score is as before, where behind a place something else was.
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

/// How long was said for what was estimated so long.
fn pace(said: f64, estimated: f64) -> f64 {
    ((said + USUAL_SECS) / (estimated + USUAL_SECS)).clamp(*PACES.start(), *PACES.end())
}

/// What the parts of a line are made with.
struct Context<'a> {
    text: &'a Text,
    line: &'a Line,
    language: &'a dyn Pronounce,
    options: &'a TimingOptions,
    is_whole: bool,
}

/// That a time was told that cannot be, and was mended. See [`timing`](super::timing).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The list that it is in: `words`, `phones` or `visemes`.
    pub list: &'static str,
    /// Its place in that list, and what was wrong.
    pub mend: Mend,
}

impl std::fmt::Display for Mended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]: {}", self.list, self.mend.index, self.mend.fault)
    }
}

#[derive(Clone, Debug)]
enum Written {
    /// As it streams in.
    Pieces(Box<Reader>),
    /// As somebody else has read it.
    Whole(Text),
}

impl Written {
    fn text(&self) -> &Text {
        match self {
            Self::Pieces(reader) => reader.text(),
            Self::Whole(text) => text,
        }
    }
}

/// What a line's times are known from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Source {
    /// From nothing but its text.
    #[default]
    Text,
    /// From words with times.
    Words,
    /// From the words of the text in sounds with times.
    TextInSounds,
    /// From the words of the text in the voice.
    TextInVoice,
    /// From sounds with times.
    Sounds,
    /// From the voice.
    Voice,
}

/// Where the estimate goes on behind what is known: at `anchor` for `base`, so many times as long.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Join {
    spoken: usize,
    known_until: f64,
    anchor: f64,
    base: f64,
    pace: f64,
    /// Whether the voice has ended before it could have said the rest.
    is_end: bool,
}

impl Join {
    fn secs(&self, estimated: f64) -> f64 {
        self.anchor + (estimated - self.base) * self.pace
    }

    /// A pause right behind what is known begins there.
    fn pause(&self, pause: &Pause) -> Pause {
        let from = if pause.from <= self.base { self.known_until } else { self.secs(pause.from) };
        Pause { from, to: self.secs(pause.to).max(from), ..*pause }
    }
}

/// A line while it is being told. See the [module](self).
#[derive(Clone, Debug)]
pub struct Utterance {
    options: TimingOptions,
    written: Written,
    line: Line,
    duration: Option<f64>,
    is_whole: bool,
    /// Whether the voice is known to have said all that it will.
    has_spoken: bool,
    words: Words,
    sounds: Sounds,
    voice: Option<Box<HeardVoice>>,
    lip_sync: Option<Arc<LipSyncModel>>,
    aligner: Aligner,
    /// What is heard or sounds without words.
    wordless: Score,
    source: Source,
    join: Join,
    /// How much of the score is known.
    known: Lens,
    known_until: f64,
    score: Score,
    /// Syllables of the voice that words know of, and until when sounds know its loudness.
    stressed: usize,
    loud_until: f64,
}

impl Default for Utterance {
    fn default() -> Self {
        Self::new(TimingOptions::default())
    }
}

impl Utterance {
    /// A line of which nothing is known yet.
    #[must_use]
    pub fn new(options: TimingOptions) -> Self {
        Self::of_written(Written::Pieces(Box::default()), options, false)
    }

    /// A line whose text somebody has read, all of it.
    #[must_use]
    pub fn of_text(text: Text, language: &dyn Pronounce, options: TimingOptions) -> Self {
        let mut line = Self::of_written(Written::Whole(text), options, true);
        line.refresh(language);
        line
    }

    /// A whole line and the whole of its voice: the words of the text are found in the samples.
    ///
    /// # Errors
    /// If the sampling rate is out of range, or no lip-sync model is [built in](LipSyncModel::built_in).
    pub fn aligned(
        text: Text,
        voice: &Audio,
        language: &dyn Pronounce,
        options: TimingOptions,
    ) -> Result<Self> {
        let mut line = Self::of_written(Written::Whole(text), options, true);
        line.listen(voice.rate_hz)?.hear(&voice.samples);
        line.has_spoken = true;
        line.refresh(language);
        Ok(line)
    }

    /// A line in a language with other letters than Latin ones; see [`Reader::for_letters`].
    #[must_use]
    pub fn with_reader(reader: Reader, options: TimingOptions) -> Self {
        Self::of_written(Written::Pieces(Box::new(reader)), options, false)
    }

    fn of_written(written: Written, options: TimingOptions, is_whole: bool) -> Self {
        Self {
            options,
            written,
            line: Line::new(options),
            duration: None,
            is_whole,
            has_spoken: false,
            words: Words::default(),
            sounds: Sounds::default(),
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

    /// Takes what an intent tells of it: the next text, and words, sounds, shapes and samples, which may also come when
    /// the text has ended. When it is said is not looked at. Gives the times that had to be mended.
    ///
    /// # Errors
    /// If the duration or the sampling rate is out of range, or there is more text although the line has ended; then
    /// nothing of it is taken.
    pub fn tell(&mut self, say: &Say, language: &dyn Pronounce) -> Result<Vec<Mended>> {
        if self.is_whole && !say.say.trim().is_empty() {
            return Err(Error::new(
                "say: the line has ended; begin another one, or tell all of its text but the last with `more`",
            ));
        }
        let has_text = *self.text() != Text::default();
        if say.read.is_some() && (say.more || has_text) {
            return Err(Error::new("say: SSML is a line of its own, in one piece; or tell plain text"));
        }
        let piece = Piece::read(say)?;
        if let Some(voice) = &say.voice {
            self.listen(voice.rate_hz)?;
        }
        if let Some(read) = &say.read {
            self.written = Written::Whole(read.text.clone());
        }
        if let Written::Pieces(reader) = &mut self.written {
            reader.push(&say.say);
            if !say.more && !self.is_whole {
                reader.end();
            }
        }
        // Samples that come when the text has ended long since may be followed by more.
        let samples_go_on = self.is_whole && say.voice.is_some();
        self.has_spoken = !say.more && !samples_go_on && self.voice.is_some();
        self.is_whole |= !say.more;
        let mends = self.take(piece, say.voice.as_ref());
        self.refresh(language);
        Ok(mends)
    }

    /// Takes the next samples of the voice.
    ///
    /// # Errors
    /// If the sampling rate is out of range or not the same as before, or there is no lip-sync model.
    pub fn hear(&mut self, voice: &Audio, language: &dyn Pronounce) -> Result<()> {
        self.listen(voice.rate_hz)?.hear(&voice.samples);
        self.refresh(language);
        Ok(())
    }

    /// It is so many seconds since the begin of the line: what comes now and has no times of its own is not said before.
    pub fn wait_until(&mut self, secs: f64) {
        let is_timed = self.voice.is_some() || !self.sounds.is_empty();
        let said = self.secs();
        if let Written::Pieces(reader) = &mut self.written
            && !is_timed
            && !self.is_whole
            && secs > said
        {
            let pace = if self.source == Source::Text { 1.0 } else { self.join.pace };
            reader.stall((secs - said) / pace);
        }
    }

    /// Nothing more will be told of it.
    pub fn end(&mut self, language: &dyn Pronounce) {
        if let Written::Pieces(reader) = &mut self.written {
            reader.end();
        }
        self.is_whole = true;
        self.has_spoken = self.voice.is_some();
        self.refresh(language);
    }

    /// Seconds of the pause after a sentence.
    pub(super) fn sentence_pause_secs(&self) -> f64 {
        self.options.sentence_pause_secs / self.options.safe_rate()
    }

    /// Whether nothing more will be told of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What of its text is spoken, with the tags.
    #[must_use]
    pub fn text(&self) -> &Text {
        self.written.text()
    }

    /// The line as it is known now: where no times are known, with estimates.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// When all is said, in seconds from the begin of the line.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.score.secs()
    }

    /// How long the voice is that was heard so far, in seconds.
    #[must_use]
    pub fn heard_secs(&self) -> f64 {
        self.voice.as_ref().map_or(0.0, |voice| voice.secs())
    }

    /// Until when times are known and not estimated, in seconds from the begin of the line.
    #[must_use]
    pub fn known_until(&self) -> f64 {
        self.known_until
    }

    /// The tags, each with its time in seconds from the begin of the line: when the next word begins, or all is said.
    pub fn tags(&self) -> impl Iterator<Item = (f64, &Tag)> {
        let begins = |tag: &Tag| self.begin_of(tag.before_word).unwrap_or_else(|| self.secs());
        self.text().tags.iter().map(move |tag| (begins(tag), tag))
    }

    /// When a word of the [text](Self::text) begins, in seconds from the begin of the line.
    #[must_use]
    pub fn begin_of(&self, word: usize) -> Option<f64> {
        let place = match self.source {
            Source::Words => match word.checked_sub(self.words.spoken()) {
                None => self.words.word_of(word)?,
                Some(behind) => self.known[0] + behind,
            },
            _ => word,
        };
        self.score.words.get(place).map(|word| word.from)
    }

    /// The moments where the stroke of a gesture belongs, in order: seconds from the begin of the line, and how much the
    /// moment stands out, from 0.5 to 1. They are the middles of stressed vowels: of each phrase in the word that stands out
    /// most, and in all words that are stressed.
    pub fn emphases(&self) -> impl Iterator<Item = (f64, f32)> + '_ {
        self.emphases_from(f64::NEG_INFINITY)
    }

    /// The same, from a time on; what is before it is not looked at.
    pub fn emphases_from(&self, secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
        let has_words = !self.score.words.is_empty();
        let voice = self.voice.as_ref().filter(|_| self.source == Source::Voice);
        let heard = voice.map_or(&[][..], |voice| voice.emphases());
        let first = heard.partition_point(|(at, _)| *at < secs);
        let by_words = has_words.then(|| emphasis::of_words(&self.score, secs));
        let by_sounds = (!has_words && voice.is_none()).then(|| emphasis::of_sounds(&self.score, secs));
        let by_voice = heard[first..].iter().map(|(at, strength)| (*at, raised(*strength)));
        by_words.into_iter().flatten().chain(by_sounds.into_iter().flatten()).chain(by_voice)
    }

    /// How loud the voice is at a time, from 0 to the 1 of its own peaks; 1 where it is not heard.
    #[must_use]
    pub fn loudness_at(&self, secs: f64) -> f32 {
        self.voice.as_ref().map_or(1.0, |voice| voice.loudness_at(secs))
    }

    /// Shows voices by this model from now on, instead of the one that is [built in](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.lip_sync = Some(model);
    }

    fn listen(&mut self, rate_hz: u32) -> Result<&mut HeardVoice> {
        let voice = match self.voice.take() {
            None => Box::new(self.new_voice(rate_hz)?),
            Some(voice) => voice,
        };
        let known = voice.rate_hz();
        let voice = self.voice.insert(voice);
        if known != rate_hz {
            return Err(Error::new(format!(
                "the voice has {rate_hz} samples per second, but the line began with {known}; give all pieces at one rate"
            )));
        }
        Ok(voice)
    }

    fn new_voice(&self, rate_hz: u32) -> Result<HeardVoice> {
        let model = match &self.lip_sync {
            Some(model) => Arc::clone(model),
            None => Arc::new(LipSyncModel::built_in()?),
        };
        HeardVoice::new(rate_hz, model)
    }

    fn take(&mut self, piece: Piece, voice: Option<&Audio>) -> Vec<Mended> {
        let of =
            |list: &'static str, mends: Vec<Mend>| mends.into_iter().map(move |mend| Mended { list, mend });
        let mut mends = Vec::new();
        mends.extend(of("words", self.words.take(piece.words)));
        if !piece.phones.is_empty() {
            mends.extend(of("phones", self.sounds.take_phones(piece.phones)));
        }
        if !piece.visemes.is_empty() {
            mends.extend(of("visemes", self.sounds.take_visemes(piece.visemes)));
        }
        if let (Some(voice), Some(heard)) = (voice, &mut self.voice) {
            heard.hear(&voice.samples);
        }
        self.duration = piece.duration.or(self.duration);
        mends
    }

    /// From what the times are known best.
    fn best_source(&self) -> Source {
        let has_text = !self.line.score().words.is_empty();
        match (!self.words.is_empty(), !self.sounds.is_empty(), self.voice.is_some()) {
            (true, _, _) => Source::Words,
            (_, true, _) if has_text => Source::TextInSounds,
            (_, true, _) => Source::Sounds,
            (_, _, true) if has_text => Source::TextInVoice,
            (_, _, true) => Source::Voice,
            _ => Source::Text,
        }
    }

    /// Brings the score up to date.
    fn refresh(&mut self, language: &dyn Pronounce) {
        let line_kept = self.line.kept();
        self.line.update(self.written.text(), language);
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
        self.dress(from);
    }

    /// Brings what is known up to date; gives how much of it is as before.
    fn refresh_known(&mut self, language: &dyn Pronounce) -> Lens {
        let context = Context {
            text: self.written.text(),
            line: &self.line,
            language,
            options: &self.options,
            is_whole: self.is_whole,
        };
        match self.source {
            Source::Text => [0; 3],
            Source::Words => self.words.update(&context),
            Source::TextInSounds => {
                let mut kept = [usize::MAX; 3];
                if self.sounds.evidence_kept() < self.aligner.taken() {
                    self.aligner = Aligner::default();
                    kept = [0; 3];
                }
                let evidence = self.sounds.evidence();
                let ended = self.is_whole.then(|| self.sounds.until());
                let found = self.aligner.update(&context, evidence, ended);
                std::array::from_fn(|list| kept[list].min(found[list]))
            }
            Source::TextInVoice => {
                let voice = self.voice.as_ref().expect("there is a voice");
                let ended = self.is_whole.then(|| voice.secs());
                self.aligner.update(&context, voice.evidence(), ended)
            }
            Source::Sounds => self.refresh_sounds(),
            Source::Voice => self.refresh_voice(),
        }
    }

    fn refresh_sounds(&mut self) -> Lens {
        let gaps = self.sounds.gaps().iter().filter(|(from, to)| to - from >= self.options.least_gap_secs);
        let pauses: Vec<_> =
            gaps.map(|(from, to)| Pause { after: Ending::Phrase, from: *from, to: *to }).collect();
        let last = self.sounds.segments().last().filter(|_| self.is_whole);
        let end = last.map(|last| Pause { after: Ending::Sentence, from: last.to, to: last.to });
        let is_same = self.wordless.pauses.iter().zip(&pauses).take_while(|(old, new)| old == new).count();
        self.wordless.pauses = pauses.into_iter().chain(end).collect();
        [0, 0, is_same.min(self.wordless.pauses.len())]
    }

    fn refresh_voice(&mut self) -> Lens {
        let voice = self.voice.as_ref().expect("there is a voice");
        // What was open the last time may have closed elsewhere.
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
            Source::Text | Source::Sounds | Source::Voice => &self.wordless,
            Source::Words => self.words.score(),
            Source::TextInSounds | Source::TextInVoice => self.aligner.score(),
        }
    }

    /// Where the estimate goes on.
    fn join_of_known(&mut self) -> Join {
        let estimate = &self.line.score().words;
        let found = self.aligner.found();
        let (spoken, pace, not_before) = match self.source {
            Source::Words => (self.words.spoken(), self.words.pace(&self.line), 0.0),
            Source::TextInSounds | Source::TextInVoice => (found.words, self.voice_pace(), found.not_before),
            Source::Text | Source::Sounds | Source::Voice => (0, 1.0, 0.0),
        };
        let until = self.known_score().words.last().map_or(0.0, |word| word.to);
        let is_all = spoken >= estimate.len();
        self.known_until = match self.source {
            Source::Words => until.max(self.sounds.until()),
            Source::TextInSounds | Source::Sounds => self.sounds.until(),
            Source::TextInVoice => found.until,
            Source::Voice => self.voice.as_ref().map_or(0.0, |voice| voice.until()),
            Source::Text => 0.0,
        };
        let base = if is_all { estimate.last() } else { spoken.checked_sub(1).map(|last| &estimate[last]) };
        let base = base.map_or(0.0, |word| word.to);
        let mut join = Join { spoken, known_until: until, anchor: until, base, pace, is_end: false };
        if let Some(next) = estimate.get(spoken) {
            join.anchor += (not_before - join.secs(next.from)).max(0.0);
        }
        let spoken_secs = self.has_spoken.then(|| self.heard_secs());
        if let (Some(secs), true, false) = (self.duration.or(spoken_secs), self.is_whole, is_all) {
            let left = self.line.score().secs() - base;
            let wanted = (secs - join.anchor) / left.max(f64::MIN_POSITIVE);
            join.pace = wanted.clamp(*STRETCHES.start(), *STRETCHES.end());
            join.is_end = self.duration.is_none() && wanted < *PACES.start();
        }
        join
    }

    /// The pace of the last words that the voice was found to have said.
    fn voice_pace(&self) -> f64 {
        let (found, estimate) = (&self.aligner.score().words, &self.line.score().words);
        let first = found.len().saturating_sub(PACED_WORDS);
        let secs = |words: &[Word]| words.iter().map(|word| word.to - word.from).sum::<f64>();
        pace(
            secs(&found[first..]),
            secs(&estimate[first.min(estimate.len())..found.len().min(estimate.len())]),
        )
    }

    /// Puts the score together: what is known, of which so much stays, and the estimate, of which so much stays if all that
    /// is known did. Gives from where on it is new.
    fn assemble(&mut self, kept: Lens, line_kept: Option<Lens>) -> Lens {
        let join = self.join;
        let tail = if join.is_end { lens(self.line.score()) } else { self.tail(join.spoken) };
        let mut from = std::array::from_fn(|list| match line_kept {
            Some(line_kept) => self.known[list] + line_kept[list].saturating_sub(tail[list]),
            None => kept[list].min(self.known[list]),
        });
        let mut score = std::mem::take(&mut self.score);
        if !self.sounds.is_empty() {
            from[1] = self.sounds.kept();
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
        let placed =
            |sound: &Segment| Segment { from: join.secs(sound.from), to: join.secs(sound.to), ..*sound };
        if self.sounds.is_empty() {
            score.segments.extend_from_slice(known.segments.get(from[1]..).unwrap_or_default());
            let rest = estimate.segments.get(skip(1)..).unwrap_or_default();
            score.segments.extend(rest.iter().map(placed));
        } else {
            score.segments.extend_from_slice(&self.sounds.segments()[from[1]..]);
            let rest = estimate.segments.get(tail[1]..).unwrap_or_default();
            let until = self.sounds.until();
            let first = known.segments.partition_point(|sound| sound.to <= until);
            let others = known.segments[first..].iter().copied().chain(rest.iter().map(placed));
            let others = others.filter(|sound| sound.to > until + SLIVER_SECS);
            score.segments.extend(others.map(|sound| Segment { from: sound.from.max(until), ..sound }));
        }
        self.score = score;
        from
    }

    /// Where in the estimate the words, sounds and pauses behind a word begin; the pause behind it is one of them.
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
        [spoken_here, self.line.sounds_before(spoken_here), pauses]
    }

    /// Lets words and sounds from a place on, and those that were heard since, know of the voice.
    fn dress(&mut self, from: Lens) {
        let Some(voice) = &self.voice else { return };
        let words = &mut self.score.words;
        let since = words.get(from[0]).map_or(f64::INFINITY, |word| word.from);
        let anew = voice.emphases().partition_point(|(at, _)| *at < since).min(self.stressed);
        for (at, strength) in &voice.emphases()[anew..] {
            let place = words.partition_point(|word| word.from <= *at);
            if let Some(word) = words[..place].last_mut().filter(|word| word.to > *at) {
                word.emphasis = word.emphasis.max(raised(*strength));
            }
        }
        self.stressed = voice.emphases().len();
        let quiet = self.loud_until;
        let segments = &mut self.score.segments;
        let first = segments.partition_point(|sound| sound.to <= quiet).min(from[1]);
        for sound in &mut segments[first..] {
            if sound.from > voice.until() + 1.0 {
                break;
            }
            sound.loudness = voice.loudness_around(sound.from, sound.to);
        }
        self.loud_until = voice.loud_until();
    }
}

/// How much a word stands out of which a syllable was heard to.
fn raised(strength: f32) -> f32 {
    CONTENT_EMPHASIS + (1.0 - CONTENT_EMPHASIS) * strength
}
