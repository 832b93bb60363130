//! Answers ancestry queries in constant time: a scene may have thousands of nodes, and finding a humanoid compares
//! many pairs.

use crate::scene::{Node, Scene};
use glam::Vec3;

/// Ancestry and rest positions of a scene's nodes.
pub(super) struct Tree<'a> {
    pub(super) scene: &'a Scene,
    /// Each node's children.
    pub(super) children: Vec<Vec<usize>>,
    /// Rest position of each node in metres; a node without a finite position has the position of its parent.
    pub(super) positions: Vec<Vec3>,
    /// Number of nodes in the subtree of each node, including itself.
    pub(super) sizes: Vec<usize>,
    /// Number of each node in depth-first order: the descendants of a node directly follow it.
    numbers: Vec<usize>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        let count = scene.nodes().len();
        let mut tree = Self {
            scene,
            children: vec![Vec::new(); count],
            positions: places(scene),
            sizes: vec![1; count],
            numbers: vec![0; count],
        };
        for &node in scene.order() {
            if let Some(parent) = tree.parent(node) {
                tree.children[parent].push(node);
            }
        }
        tree.count_sizes();
        tree.number();
        tree
    }

    fn count_sizes(&mut self) {
        for &node in self.scene.order().iter().rev() {
            if let Some(parent) = self.parent(node) {
                self.sizes[parent] += self.sizes[node];
            }
        }
    }

    fn number(&mut self) {
        let mut next_root = 0;
        for &node in self.scene.order() {
            if self.parent(node).is_none() {
                self.numbers[node] = next_root;
                next_root += self.sizes[node];
            }
            let mut next = self.numbers[node] + 1;
            for &child in &self.children[node] {
                self.numbers[child] = next;
                next += self.sizes[child];
            }
        }
    }

    pub(super) fn node(&self, node: usize) -> &Node {
        &self.scene.nodes()[node]
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.node(node).parent
    }

    /// Returns true if `node` is a descendant of `ancestor`.
    pub(super) fn is_below(&self, node: usize, ancestor: usize) -> bool {
        let first = self.numbers[ancestor];
        (first + 1..first + self.sizes[ancestor]).contains(&self.numbers[node])
    }

    /// Returns true if `node` is `ancestor` or a descendant of it.
    pub(super) fn is_at_or_below(&self, node: usize, ancestor: usize) -> bool {
        node == ancestor || self.is_below(node, ancestor)
    }

    /// Iterates over a node and its ancestors, upwards.
    pub(super) fn upwards(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |n| self.parent(*n))
    }

    /// Returns the lowest common ancestor of these nodes, which may be one of them.
    pub(super) fn lowest_common_ancestor(&self, nodes: &[usize]) -> Option<usize> {
        let (first, others) = nodes.split_first()?;
        self.upwards(*first).find(|n| others.iter().all(|other| self.is_at_or_below(*other, *n)))
    }

    pub(super) fn distance(&self, a: usize, b: usize) -> f32 {
        self.positions[a].distance(self.positions[b])
    }
}

fn places(scene: &Scene) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = scene.rest_world().into_iter().map(|t| t.translation).collect();
    for &node in scene.order() {
        // Beyond a thousand kilometres, squared distances are meaningless.
        let is_near = places[node].is_finite() && places[node].abs().max_element() < 1e6;
        if !is_near {
            places[node] = scene.nodes()[node].parent.map_or(Vec3::ZERO, |parent| places[parent]);
        }
    }
    places
}
