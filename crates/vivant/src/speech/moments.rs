//! What a line asks of the rest of the body: when to breathe in, what to stress, where phrases end. Which words stand out
//! is told by [`Utterance::emphases`](super::utterance::Utterance::emphases).

use super::score::{Ending, Score};

/// Something that the body goes along with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A part begins that is said in one breath.
    Breath {
        /// How long it lasts, in seconds.
        secs: f64,
    },
    /// The vowel of a word that stands out is at its height.
    Emphasis {
        /// How much, from 0 to 1.
        strength: f32,
    },
    /// A phrase or a sentence ends.
    PhraseEnd(Ending),
    /// All is said that is known so far, and more will come.
    Hold,
    /// All is said.
    End,
}

impl Moment {
    /// How many kinds there are.
    pub const KINDS: usize = 5;

    /// Which kind it is.
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

/// A moment and when it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// When, in seconds from the begin of the line.
    pub at: f64,
    /// The word that it goes with: what is told better later keeps its place.
    pub word: usize,
    /// What.
    pub moment: Moment,
}

/// The shortest pause in which a speaker breathes in, in seconds. Ours: a quick breath takes a quarter of a second.
const BREATH_SECS: f64 = 0.3;

/// The moments of a line but for its emphases, by time.
#[must_use]
pub fn moments(score: &Score, is_whole: bool) -> Vec<Timed> {
    let mut moments = Vec::new();
    // When the present breath began, and with which word.
    let mut breath = (0.0, 0);
    for pause in &score.pauses {
        let to = words_until(score, pause.from);
        moments.push(Timed { at: pause.from, word: to, moment: Moment::PhraseEnd(pause.after) });
        if pause.to - pause.from >= BREATH_SECS {
            moments.extend(breathed(breath, pause.from));
            breath = (pause.to, to);
        }
    }
    moments.extend(breathed(breath, score.secs()));
    let end = if is_whole { Moment::End } else { Moment::Hold };
    moments.push(Timed { at: score.secs(), word: score.words.len(), moment: end });
    moments.sort_by(|a, b| a.at.total_cmp(&b.at));
    moments
}

/// How many words are said by a time.
fn words_until(score: &Score, secs: f64) -> usize {
    score.words.partition_point(|word| word.to <= secs)
}

/// A part that is said in one breath, if anything is said in it.
fn breathed((from, word): (f64, usize), to: f64) -> Option<Timed> {
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
    fn nothing_is_said_of_an_empty_line_but_that_it_ends() {
        assert_eq!(moments(&Score::default(), false), [Timed { at: 0.0, word: 0, moment: Moment::Hold }]);
    }
}
