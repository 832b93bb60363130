//! Assigns phonemes to words if a voice divides words differently. For example, a voice speaks `twenty-three` as two
//! words and `of the` as one word.

use super::phrases::Word;
use std::ops::Range;

/// Maximum number of words on one side that match a single word on the other.
const MAX_GROUP: usize = 8;
/// Additional cost for each further word in a match that is not one to one. The other cost of a match is the squared
/// difference of the lengths, divided by their sum.
const UNEQUAL: f64 = 0.5;

/// Returns the range of phonemes of each word. `spoken` contains the number of phonemes in each word that the voice
/// speaks.
///
/// Words are matched in order: one to one, one to several, or several to one. The match with the smallest difference
/// in lengths is used.
pub(super) fn ranges(words: &[Word], spoken: &[usize]) -> Vec<Range<usize>> {
    let weights: Vec<f64> = words.iter().map(Word::weight).collect();
    let starts: Vec<usize> = std::iter::once(0)
        .chain(spoken.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }))
        .collect();
    let mut ranges = Vec::with_capacity(words.len());
    for (here, there) in groups(&weights, spoken) {
        let (from, to) = (starts[there.start], starts[there.end]);
        share(&weights[here], from..to, &mut ranges);
    }
    ranges
}

/// Distributes phonemes among words in proportion to their lengths.
fn share(weights: &[f64], sounds: Range<usize>, out: &mut Vec<Range<usize>>) {
    let whole: f64 = weights.iter().sum();
    let (mut sum, mut from) = (0.0, sounds.start);
    for weight in weights {
        sum += weight;
        let to = sounds.start + (sounds.len() as f64 * sum / whole).round() as usize;
        out.push(from..to);
        from = to;
    }
}

type Group = (Range<usize>, Range<usize>);

/// Returns the best matches of neighbouring words. Each match has a single word on at least one side, and all words
/// are matched.
fn groups(weights: &[f64], spoken: &[usize]) -> Vec<Group> {
    let (rows, columns) = (weights.len(), spoken.len());
    if columns == 0 || rows == 0 {
        return vec![(0..rows, 0..columns)];
    }
    let mut best = vec![vec![(f64::INFINITY, 0, 0); columns + 1]; rows + 1];
    best[0][0].0 = 0.0;
    for row in 1..=rows {
        for column in 1..=columns {
            for (up, left) in (1..=MAX_GROUP).map(|n| (1, n)).chain((2..=MAX_GROUP).map(|n| (n, 1))) {
                if up > row || left > column {
                    continue;
                }
                let here: f64 = weights[row - up..row].iter().sum();
                let there: usize = spoken[column - left..column].iter().sum();
                let cost = best[row - up][column - left].0 + match_cost(here, there as f64, up.max(left));
                if cost < best[row][column].0 {
                    best[row][column] = (cost, up, left);
                }
            }
        }
    }
    traced(&best).unwrap_or_else(|| vec![(0..rows, 0..columns)])
}

fn match_cost(here: f64, there: f64, count: usize) -> f64 {
    (here - there) * (here - there) / (here + there) + UNEQUAL * (count - 1) as f64
}

fn traced(best: &[Vec<(f64, usize, usize)>]) -> Option<Vec<Group>> {
    let (mut row, mut column) = (best.len() - 1, best[0].len() - 1);
    let mut groups = Vec::new();
    while row > 0 || column > 0 {
        let (cost, up, left) = best[row][column];
        if cost.is_infinite() {
            return None;
        }
        groups.push((row - up..row, column - left..column));
        (row, column) = (row - up, column - left);
    }
    groups.reverse();
    Some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], spoken: &[usize], expected: &[Range<usize>]) {
        let words: Vec<_> =
            words.iter().map(|text| Word { text: (*text).to_owned(), ..Word::default() }).collect();
        assert_eq!(ranges(&words, spoken), expected, "{words:?}");
    }

    #[test]
    fn words_get_their_phonemes() {
        check(&["hello", "there"], &[4, 3], &[0..4, 4..7]);
        // Spoken as "twenty three".
        check(&["twenty-three", "books"], &[6, 3, 4], &[0..9, 9..13]);
        // Spoken as "of the".
        check(&["house", "of", "the", "king"], &[4, 4, 3], &[0..4, 4..6, 6..8, 8..11]);
        check(&["a", "b"], &[], &[0..0, 0..0]);
        check(&[], &[3], &[]);
        check(&["a", "b"], &[1; 30], &[0..15, 15..30]);
    }
}
