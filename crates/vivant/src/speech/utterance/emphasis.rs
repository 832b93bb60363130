//! Emphasis of a line: the times for gesture strokes, nods and raised brows.

use crate::speech::score::{Score, Segment, Stress, Word};
use crate::speech::text::CONTENT_EMPHASIS;

/// Emphasis of a word that the speaker stresses.
const STRESSED: f32 = 1.0;

/// Returns the times of the emphases of a line from `from_secs` on, in order, each with its strength. The emphases
/// are on the most emphasized content word of each phrase (the last one if several are equal), and on all stressed
/// words.
pub(super) fn of_words(score: &Score, from_secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
    let first = score.pauses.partition_point(|pause| pause.from < from_secs);
    (first..=score.pauses.len())
        .flat_map(|phrase| strongest(score, words_of(score, phrase)))
        .skip_while(move |(secs, _)| *secs < from_secs)
}

/// Returns the times of the emphases of a line without words from `from_secs` on, each with its strength. The
/// emphases are on the vowel with the most stress in each phrase, or on the longest vowel if several are equal.
pub(super) fn of_phonemes(score: &Score, from_secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
    let first = score.pauses.partition_point(|pause| pause.from < from_secs);
    (first..=score.pauses.len())
        .filter_map(|phrase| vowel_of(&score.segments[phonemes_of(score, phrase)]))
        .map(|vowel| (middle(vowel), CONTENT_EMPHASIS))
        .skip_while(move |(secs, _)| *secs < from_secs)
}

/// Returns the start and end of a phrase, by the index of the pause that ends it.
fn span(score: &Score, phrase: usize) -> (f64, f64) {
    let from = phrase.checked_sub(1).map_or(0.0, |before| score.pauses[before].to);
    (from, score.pauses.get(phrase).map_or(f64::INFINITY, |pause| pause.from))
}

fn words_of(score: &Score, phrase: usize) -> std::ops::Range<usize> {
    let (from, to) = span(score, phrase);
    let first = score.words.partition_point(|word| word.from < from);
    first..score.words.partition_point(|word| word.from < to).max(first)
}

fn phonemes_of(score: &Score, phrase: usize) -> std::ops::Range<usize> {
    let (from, to) = span(score, phrase);
    let first = score.segments.partition_point(|phoneme| phoneme.from < from);
    first..score.segments.partition_point(|phoneme| phoneme.from < to).max(first)
}

fn strongest(score: &Score, words: std::ops::Range<usize>) -> impl Iterator<Item = (f64, f32)> + '_ {
    let most = words.clone().reduce(|most, word| {
        if score.words[word].emphasis >= score.words[most].emphasis { word } else { most }
    });
    let stands_out = move |word: &usize| {
        let emphasis = score.words[*word].emphasis;
        emphasis >= STRESSED || Some(*word) == most && emphasis >= CONTENT_EMPHASIS
    };
    words.filter(stands_out).map(|word| (stroke(score, &score.words[word]), score.words[word].emphasis))
}

/// Returns the middle of the stressed vowel of a word, or the middle of the word if it has no stressed vowel.
fn stroke(score: &Score, word: &Word) -> f64 {
    let first = score.segments.partition_point(|phoneme| phoneme.from < word.from);
    let last = score.segments.partition_point(|phoneme| phoneme.from < word.to).max(first);
    vowel_of(&score.segments[first..last]).map_or(0.5 * (word.from + word.to), middle)
}

fn vowel_of(phonemes: &[Segment]) -> Option<&Segment> {
    let weight = |phoneme: &Segment| (phoneme.stress == Stress::Primary, phoneme.to - phoneme.from);
    let heavier = |a: &Segment, b: &Segment| weight(a) > weight(b);
    let vowels = phonemes.iter().filter(|phoneme| phoneme.phone.is_vowel());
    vowels.reduce(|most, vowel| if heavier(vowel, most) { vowel } else { most })
}

fn middle(phoneme: &Segment) -> f64 {
    0.5 * (phoneme.from + phoneme.to)
}
