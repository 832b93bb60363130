//! Events of a line for the rest of the body: times to breathe in, and ends of phrases.
//!
//! Breathing, gaze and gestures follow the structure of speech, not single phonemes. [`moments`] derives this
//! structure from a [`Score`]; times are in seconds from the start of the line. Stressed words come from
//! [`Utterance::emphases`](super::utterance::Utterance::emphases).
//!
//! ```
//! use vivant::speech::moments::{Moment, moments};
//! use vivant::speech::{pronounce::English, text::Text, timing};
//!
//! let line = timing::score(&Text::read("Hello, world."), &English::default(), &Default::default());
//! let moments = moments(&line, true);
//! assert!(matches!(moments[0].moment, Moment::Breath { .. }));
//! assert_eq!(moments.last().unwrap().moment, Moment::End);
//! ```

use super::score::{Ending, Score};

/// An event in a line to which the body reacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// Start of a part that is spoken in one breath.
    Breath {
        /// Duration of the part in seconds.
        secs: f64,
    },
    /// Peak of the vowel of an emphasized word.
    Emphasis {
        /// Strength from 0 to 1.
        strength: f32,
    },
    /// End of a phrase or a sentence.
    PhraseEnd(Ending),
    /// End of the text known so far; more will follow.
    Hold,
    /// End of the line.
    End,
}

impl Moment {
    /// Number of kinds.
    pub const KINDS: usize = 5;

    /// Returns the index of the kind, less than [`Self::KINDS`].
    #[must_use]
    pub const fn kind(self) -> usize {
        match self {
            Self::Breath { .. } => 0,
            Self::Emphasis { .. } => 1,
            Self::PhraseEnd(_) => 2,
            Self::Hold => 3,
            Self::End => 4,
        }
    }
}

/// A moment with its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Time in seconds from the start of the line.
    pub at: f64,
    /// Index of the word to which the moment belongs. It stays the same when timings are refined.
    pub word: usize,
    /// The moment.
    pub moment: Moment,
}

/// Shortest pause in which a speaker breathes in, in seconds. Our choice: a quick breath takes a quarter of a second.
const BREATH_SECS: f64 = 0.3;

/// Returns the moments of a line, except for emphases, sorted by time.
#[must_use]
pub fn moments(score: &Score, is_whole: bool) -> Vec<Timed> {
    let mut moments = Vec::new();
    // Start time of the current breath, and its first word.
    let mut breath = (0.0, 0);
    for pause in &score.pauses {
        let to = words_until(score, pause.from);
        moments.push(Timed { at: pause.from, word: to, moment: Moment::PhraseEnd(pause.after) });
        if pause.to - pause.from >= BREATH_SECS {
            moments.extend(breath_part(breath, pause.from));
            breath = (pause.to, to);
        }
    }
    moments.extend(breath_part(breath, score.secs()));
    let end = if is_whole { Moment::End } else { Moment::Hold };
    moments.push(Timed { at: score.secs(), word: score.words.len(), moment: end });
    moments.sort_by(|a, b| a.at.total_cmp(&b.at));
    moments
}

/// Returns the number of words that have ended by `secs`.
fn words_until(score: &Score, secs: f64) -> usize {
    score.words.partition_point(|word| word.to <= secs)
}

/// Returns the breath moment for a part of a line, or `None` if the part is empty.
fn breath_part((from, word): (f64, usize), to: f64) -> Option<Timed> {
    let secs = to - from;
    (secs > 0.0).then_some(Timed { at: from, word, moment: Moment::Breath { secs } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::pronounce::English;
    use crate::speech::text::Text;
    use crate::speech::timing::{TimingOptions, score};

    fn line(text: &str) -> (Score, Vec<Timed>) {
        let score = score(&Text::read(text), &English::default(), &TimingOptions::default());
        let moments = moments(&score, true);
        (score, moments)
    }

    #[test]
    fn a_breath_lasts_from_one_long_pause_to_the_next() {
        let (score, moments) = line("This is one, with a comma. This is two.");
        let breaths: Vec<(f64, f64)> = moments
            .iter()
            .filter_map(|timed| match timed.moment {
                Moment::Breath { secs } => Some((timed.at, timed.at + secs)),
                _ => None,
            })
            .collect();
        assert_eq!(breaths.len(), 2, "{breaths:?}");
        let pause = score.pauses.iter().find(|pause| pause.after == Ending::Sentence).unwrap();
        assert_eq!([breaths[0].1, breaths[1].0], [pause.from, pause.to]);
        assert_eq!(moments.last().unwrap().moment, Moment::End);
    }

    #[test]
    fn an_empty_line_has_only_an_end() {
        assert_eq!(moments(&Score::default(), false), [Timed { at: 0.0, word: 0, moment: Moment::Hold }]);
    }
}
