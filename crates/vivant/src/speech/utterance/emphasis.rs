//! The moments of a line that stand out: where a gesture's stroke, a nod or a raised brow belongs.

use crate::speech::score::{Score, Segment, Stress, Word};
use crate::speech::text::CONTENT_EMPHASIS;

/// What the speaker stresses.
const STRESSED: f32 = 1.0;

/// The moments of a line from a time on, in order, each with how much it stands out: of each phrase the word that stands
/// out most, the last if there are several, if it is a word of weight; and all that are stressed.
pub(super) fn of_words(score: &Score, from_secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
    let first = score.pauses.partition_point(|pause| pause.from < from_secs);
    (first..=score.pauses.len())
        .flat_map(|phrase| strongest(score, words_of(score, phrase)))
        .skip_while(move |(secs, _)| *secs < from_secs)
}

/// The same for a line without words: of each phrase the vowel with the most stress, or the longest.
pub(super) fn of_sounds(score: &Score, from_secs: f64) -> impl Iterator<Item = (f64, f32)> + '_ {
    let first = score.pauses.partition_point(|pause| pause.from < from_secs);
    (first..=score.pauses.len())
        .filter_map(|phrase| vowel_of(&score.segments[sounds_of(score, phrase)]))
        .map(|vowel| (middle(vowel), CONTENT_EMPHASIS))
        .skip_while(move |(secs, _)| *secs < from_secs)
}

/// The times of a phrase, by the number of the pause that ends it.
fn span(score: &Score, phrase: usize) -> (f64, f64) {
    let from = phrase.checked_sub(1).map_or(0.0, |before| score.pauses[before].to);
    (from, score.pauses.get(phrase).map_or(f64::INFINITY, |pause| pause.from))
}

fn words_of(score: &Score, phrase: usize) -> std::ops::Range<usize> {
    let (from, to) = span(score, phrase);
    let first = score.words.partition_point(|word| word.from < from);
    first..score.words.partition_point(|word| word.from < to).max(first)
}

fn sounds_of(score: &Score, phrase: usize) -> std::ops::Range<usize> {
    let (from, to) = span(score, phrase);
    let first = score.segments.partition_point(|sound| sound.from < from);
    first..score.segments.partition_point(|sound| sound.from < to).max(first)
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

/// The middle of a word's stressed vowel, or of the word.
fn stroke(score: &Score, word: &Word) -> f64 {
    let first = score.segments.partition_point(|sound| sound.from < word.from);
    let last = score.segments.partition_point(|sound| sound.from < word.to).max(first);
    vowel_of(&score.segments[first..last]).map_or(0.5 * (word.from + word.to), middle)
}

fn vowel_of(sounds: &[Segment]) -> Option<&Segment> {
    let weight = |sound: &Segment| (sound.stress == Stress::Primary, sound.to - sound.from);
    let heavier = |a: &Segment, b: &Segment| weight(a) > weight(b);
    let vowels = sounds.iter().filter(|sound| sound.phone.is_vowel());
    vowels.reduce(|most, vowel| if heavier(vowel, most) { vowel } else { most })
}

fn middle(sound: &Segment) -> f64 {
    0.5 * (sound.from + sound.to)
}
