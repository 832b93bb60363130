//! Finds the best assignment of a chain of joints to the bones of a limb. A word may name several bones (`shoulder`,
//! `leg`), so bones are not looked up one by one. Instead, all assignments of a limb's bones along one path of the
//! hierarchy are scored, and the assignment with the highest score is used.

use super::names::Word;
use super::tree::Tree;

/// Number of bones of a limb.
pub(super) const SLOTS: usize = 4;

/// Score of each word for each bone of a limb. A score of zero means that the word cannot name the bone.
pub(super) struct Limb {
    worth: fn(Word) -> [i32; SLOTS],
    /// Bonus if this bone is found; only VRM's required bones have one.
    filled: [i32; SLOTS],
    /// True if several nodes of a path may be this bone.
    repeats: [bool; SLOTS],
}

/// Penalty for skipping a joint that belongs to the limb.
const SKIPPED: i32 = 30;
/// Score of every further node for the same bone. It is small, because a bone needs only one node.
const REPEATED: i32 = 1;

/// Hips, spine, neck and head.
pub(super) const TRUNK: Limb = Limb {
    worth: |word| match word {
        Word::Hips => [100, 0, 0, 0],
        Word::Spine | Word::Chest => [0, 80, 0, 0],
        Word::Neck => [0, 0, 90, 0],
        Word::Head => [0, 0, 0, 100],
        _ => [0; SLOTS],
    },
    filled: [60, 0, 0, 60],
    repeats: [true, true, true, false],
};

/// Shoulder, upper arm, lower arm and hand.
pub(super) const ARM: Limb = Limb {
    worth: |word| match word {
        Word::Clavicle => [100, 0, 0, 0],
        Word::Shoulder => [90, 50, 0, 0],
        Word::UpperArm => [0, 100, 0, 0],
        Word::Arm => [20, 80, 40, 20],
        Word::LowerArm => [0, 40, 100, 0],
        Word::Elbow => [0, 0, 105, 0],
        Word::Hand => [0, 0, 0, 90],
        Word::Wrist => [0, 0, 0, 100],
        Word::Palm => [0, 0, 0, 60],
        _ => [0; SLOTS],
    },
    filled: [0, 60, 60, 60],
    repeats: [false; SLOTS],
};

/// Upper leg, lower leg, foot and toes.
pub(super) const LEG: Limb = Limb {
    worth: |word| match word {
        Word::Hips => [50, 0, 0, 0],
        Word::Thigh => [100, 0, 0, 0],
        Word::Leg => [80, 70, 20, 10],
        Word::Shin => [0, 100, 0, 0],
        Word::Ankle => [0, 0, 100, 0],
        Word::Foot => [0, 0, 90, 50],
        Word::Toe => [0, 0, 0, 100],
        _ => [0; SLOTS],
    },
    filled: [60, 60, 60, 0],
    repeats: [false; SLOTS],
};

/// A node and the slot of the bone in the limb.
pub(super) type Place = (usize, usize);

/// Returns the nodes of the best assignment, from the trunk outwards, each with its slot.
///
/// `word` returns the word in a node's name, if it may belong to this limb, and a penalty.
pub(super) fn best(tree: &Tree<'_>, limb: &Limb, word: impl Fn(usize) -> Option<(Word, i32)>) -> Vec<Place> {
    let mut search = Search::new(tree.scene.nodes().len());
    for &node in tree.scene.order() {
        let above = tree.parent(node).map_or([None; SLOTS], |parent| search.so_far[parent]);
        search.so_far[node] = match word(node) {
            Some((word, penalty)) => search.visit(node, above, limb, word, penalty),
            None => above,
        };
    }
    search.path(tree)
}

/// Score of the best assignment, and where it ends.
type Best = Option<(i32, Place)>;

/// Score of the best assignment that ends at a place, and the place before it.
type Ending = Option<(i32, Option<Place>)>;

struct Search {
    words: Vec<Option<Word>>,
    /// For each node: the best assignments of the path down to it that end at or before each slot.
    so_far: Vec<[Best; SLOTS]>,
    /// For each node and slot: the best assignment that ends there.
    ending: Vec<[Ending; SLOTS]>,
}

impl Search {
    fn new(count: usize) -> Self {
        Self {
            words: vec![None; count],
            so_far: vec![[None; SLOTS]; count],
            ending: vec![[None; SLOTS]; count],
        }
    }

    fn visit(
        &mut self,
        node: usize,
        above: [Best; SLOTS],
        limb: &Limb,
        word: Word,
        penalty: i32,
    ) -> [Best; SLOTS] {
        let worth = (limb.worth)(word);
        let belongs = worth.iter().any(|w| *w > 0);
        self.words[node] = Some(word);
        // Skipping a repeated word (`upper_arm.L.001` after `upper_arm.L`) costs nothing.
        let costs = |place: Place| belongs && self.words[place.0] != Some(word);
        let pass = |(score, place)| (score - if costs(place) { SKIPPED } else { 0 }, place);
        let mut result = above.map(|best| best.map(pass));
        for slot in (0..SLOTS).filter(|slot| worth[*slot] > 0) {
            let points = (worth[slot] + limb.filled[slot] - penalty).max(1);
            let before = slot.checked_sub(1).and_then(|s| above[s]).filter(|(score, _)| *score > 0);
            let again = above[slot].filter(|(_, place)| limb.repeats[slot] && place.1 == slot);
            let (mut score, mut from) = before.map_or((points, None), |(s, p)| (s + points, Some(p)));
            if let Some((s, place)) = again.filter(|(s, _)| s + REPEATED > score) {
                (score, from) = (s + REPEATED, Some(place));
            }
            self.ending[node][slot] = Some((score, from));
            result[slot] = better(result[slot], Some((score, (node, slot))));
        }
        for slot in 1..SLOTS {
            result[slot] = better(result[slot], result[slot - 1]);
        }
        result
    }

    /// Returns the best assignment by walking back from its end. If several ends have the same score, the node with
    /// the largest subtree is used.
    fn path(&self, tree: &Tree<'_>) -> Vec<Place> {
        let mut best: Option<(i32, usize, Place)> = None;
        for &node in tree.scene.order() {
            for (slot, ending) in self.ending[node].iter().enumerate() {
                let Some((score, _)) = *ending else { continue };
                if best.is_none_or(|(s, size, _)| (score, tree.sizes[node]) > (s, size)) {
                    best = Some((score, tree.sizes[node], (node, slot)));
                }
            }
        }
        let before = |(node, slot): &Place| self.ending[*node][*slot].and_then(|(_, before)| before);
        let mut path: Vec<_> = std::iter::successors(best.map(|(.., place)| place), before).collect();
        path.reverse();
        path
    }
}

/// Returns `a` unless `b` is better. If both are equal, the assignment nearer to the trunk wins.
fn better(a: Best, b: Best) -> Best {
    match (a, b) {
        (Some((score_a, _)), Some((score_b, _))) if score_b > score_a => b,
        (None, _) => b,
        _ => a,
    }
}
