//! Finds the fingers below a known hand.

use super::body::{Names, bone_of};
use super::names::{Reading, Segment, Side, Word};
use crate::scene::HumanoidMap;
use vivant::rig::{Bone, Finger};

const FINGERS: [Finger; 5] = [Finger::Thumb, Finger::Index, Finger::Middle, Finger::Ring, Finger::Little];

/// Adds the fingers of both hands.
pub(super) fn add(names: &Names<'_>, map: &mut HumanoidMap) {
    for side in [Side::Left, Side::Right] {
        if let Some(hand) = map.node(bone_of(side, Bone::LeftHand)) {
            add_to_hand(names, side, hand, map);
        }
    }
}

fn add_to_hand(names: &Names<'_>, side: Side, hand: usize, map: &mut HumanoidMap) {
    let nodes = finger_nodes(names, side, hand);
    let mut fingers: [Vec<usize>; 5] = Default::default();
    let mut unnamed = Vec::new();
    for &node in &nodes {
        match names.reading(node).map(|r| r.word) {
            Some(Word::Finger(Some(finger))) => fingers[finger as usize].push(node),
            _ => unnamed.push(node),
        }
    }
    assign_numbered(names, &unnamed, &mut fingers);
    for (finger, nodes) in FINGERS.into_iter().zip(&fingers) {
        for (bone, node) in bones(names, finger, &chain(names, nodes)) {
            map.set(bone_of(side, bone), Some(node));
        }
    }
}

/// Returns all nodes below the hand that are named as fingers, parents first.
fn finger_nodes(names: &Names<'_>, side: Side, hand: usize) -> Vec<usize> {
    let is_finger = |r: &Reading| matches!(r.word, Word::Finger(_)) && r.side.is_none_or(|s| s == side);
    let below = |n: &usize| names.reading(*n).is_some_and(is_finger) && names.tree.is_below(*n, hand);
    let mut nodes: Vec<_> = names.tree.scene.order().iter().copied().filter(below).collect();
    if nodes.iter().any(|n| names.tree.node(*n).is_joint) {
        nodes.retain(|n| names.tree.node(*n).is_joint);
    }
    nodes
}

/// Assigns fingers that are numbered instead of named (3ds Max's `Finger0`, MakeHuman's `finger1-1`): the thumb is
/// number 0, or number 1 if the fingers are numbered from 1 to 5.
fn assign_numbered(names: &Names<'_>, unnamed: &[usize], fingers: &mut [Vec<usize>; 5]) {
    let is_root = |n: &&usize| !unnamed.iter().any(|other| names.tree.is_below(**n, *other));
    // A hand has few fingers; a node with thousands is something else.
    let roots: Vec<usize> = unnamed.iter().take(64).filter(is_root).copied().collect();
    let number = |node: usize| names.reading(node)?.numbers.first()?.parse::<usize>().ok();
    let has = |n| roots.iter().any(|r| number(*r) == Some(n));
    let thumb = usize::from(!has(0) && has(1) && has(5));
    for (nth, root) in roots.iter().enumerate() {
        let Some(finger) = number(*root).unwrap_or(nth + 1).checked_sub(thumb) else { continue };
        let chain = unnamed.iter().filter(|n| names.tree.is_at_or_below(**n, *root));
        if let Some(nodes) = fingers.get_mut(finger).filter(|nodes| nodes.is_empty()) {
            nodes.extend(chain);
        }
    }
}

/// Returns the given nodes that form one path downwards.
fn chain(names: &Names<'_>, nodes: &[usize]) -> Vec<usize> {
    let fewest = nodes.iter().map(|n| names.unknown_words(*n)).min().unwrap_or(0);
    let mut chain: Vec<usize> = Vec::new();
    for &node in nodes.iter().filter(|n| names.unknown_words(**n) == fewest) {
        if chain.last().is_none_or(|last| names.tree.is_below(node, *last)) {
            chain.push(node);
        }
    }
    chain
}

/// Returns the bones of the left hand's finger for a chain of nodes.
fn bones(names: &Names<'_>, finger: Finger, chain: &[usize]) -> Vec<(Bone, usize)> {
    let is_thumb = finger == Finger::Thumb;
    let segment = |n: &usize| names.reading(*n).and_then(|r| r.segment);
    let is_zero = |n: &usize| {
        names.reading(*n).is_some_and(|r| r.numbers.last().is_some_and(|d| d.trim_matches('0').is_empty()))
    };
    let inside_hand = |n: &usize| !is_thumb && segment(n) == Some(Segment::Metacarpal);
    let starts_in_hand = chain.first().is_some_and(|n| inside_hand(n) || chain.len() > 3 && is_zero(n));
    let chain = &chain[usize::from(starts_in_hand)..];

    let first = Bone::LeftThumbMetacarpal.index() + 3 * finger as usize;
    let all_say = chain.iter().all(|n| segment(n).is_some());
    // In Unity and VRM 0, the bones of the thumb are proximal, intermediate, distal. In VRM 1.0, they are metacarpal,
    // proximal, distal. So if a thumb has an intermediate bone, only the order counts.
    let by_order = !all_say || is_thumb && chain.iter().any(|n| segment(n) == Some(Segment::Intermediate));
    let place = |(order, node): (usize, &usize)| match segment(node) {
        _ if by_order => order,
        Some(Segment::Metacarpal) | None => 0,
        Some(Segment::Proximal) => usize::from(is_thumb),
        Some(Segment::Intermediate) => 1,
        Some(Segment::Distal) => 2,
    };
    let mut bones: Vec<(Bone, usize)> = Vec::new();
    for (order, node) in chain.iter().enumerate() {
        let place = place((order, node));
        if place < 3 && bones.iter().all(|(b, _)| b.index() < first + place) {
            bones.push((Bone::ALL[first + place], *node));
        }
    }
    bones
}
