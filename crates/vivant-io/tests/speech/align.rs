//! Aligns two lists of phonemes by dynamic programming.

use vivant::speech::timing::TimedWord;
use vivant::speech::{Phone, Segment};

/// Indices of matching phonemes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) said: usize,
    pub(crate) heard: usize,
}

/// Edit distances between all prefixes of two lists; an insertion or deletion costs 1.
fn table<T>(one: &[T], other: &[T], replaced: impl Fn(&T, &T) -> usize) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = match (i, j) {
                (0, j) => j,
                (i, 0) => i,
                _ => (table[i - 1][j - 1] + replaced(&one[i - 1], &other[j - 1]))
                    .min(table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1),
            };
        }
    }
    table
}

/// Edit distance between two lists.
pub(crate) fn distance<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    table(one, other, |one, other| usize::from(one != other))[one.len()][other.len()]
}

/// Cost of replacing a phoneme: 0 if they are the same, 1 if they look the same, else 2, like a deletion and an
/// insertion.
fn replacement_cost(said: &Phone, heard: &Phone) -> usize {
    match (said == heard, said.visemes() == heard.visemes()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// Returns the matching phonemes of the cheapest alignment.
pub(crate) fn pairs(said: &[Phone], heard: &[Phone]) -> Vec<Pair> {
    let table = table(said, heard, replacement_cost);
    let (mut i, mut j) = (said.len(), heard.len());
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        let cost = replacement_cost(&said[i - 1], &heard[j - 1]);
        if cost < 2 && table[i][j] == table[i - 1][j - 1] + cost {
            (i, j) = (i - 1, j - 1);
            pairs.push(Pair { said: i, heard: j });
        } else if table[i][j] == table[i - 1][j] + 1 {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    pairs.reverse();
    pairs
}

/// Returns the absolute onset errors in seconds: of phonemes that start a word, whose time was given, and of the
/// others.
pub(crate) fn onset_distances(said: &[Segment], heard: &[Segment], words: &[TimedWord]) -> [Vec<f64>; 2] {
    let phones = |segments: &[Segment]| segments.iter().map(|segment| segment.phone).collect::<Vec<_>>();
    let is_first = |pair: &&Pair| words.iter().any(|word| word.from == said[pair.said].from);
    let distance = |pair: &Pair| (said[pair.said].from - heard[pair.heard].from).abs();
    let pairs = pairs(&phones(said), &phones(heard));
    let (first, inner): (Vec<_>, Vec<_>) = pairs.iter().partition(is_first);
    [first, inner].map(|pairs| pairs.into_iter().map(distance).collect())
}
