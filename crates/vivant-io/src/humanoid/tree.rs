//! A scene's hierarchy, made quick to ask: a scene may have thousands of nodes, and finding a
//! humanoid asks of many pairs which hangs below which.

use crate::scene::{Node, Scene};
use glam::Vec3;

/// Ancestry and rest positions of a scene's nodes.
pub(super) struct Tree<'a> {
    pub(super) scene: &'a Scene,
    /// Each node's children.
    pub(super) children: Vec<Vec<usize>>,
    /// Where each node rests, in metres; a node without a finite place rests where its parent does.
    pub(super) positions: Vec<Vec3>,
    /// How many nodes hang at or below each node.
    pub(super) sizes: Vec<usize>,
    /// Each node's number in a depth-first walk: what hangs below a node follows it directly.
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

    /// Whether `node` hangs somewhere below `ancestor`.
    pub(super) fn is_below(&self, node: usize, ancestor: usize) -> bool {
        let first = self.numbers[ancestor];
        (first + 1..first + self.sizes[ancestor]).contains(&self.numbers[node])
    }

    /// Whether `node` is `ancestor` or hangs below it.
    pub(super) fn is_at_or_below(&self, node: usize, ancestor: usize) -> bool {
        node == ancestor || self.is_below(node, ancestor)
    }

    /// A node and everything that it hangs on, upwards.
    pub(super) fn upwards(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |n| self.parent(*n))
    }

    /// The lowest node that all of these are or hang below.
    pub(super) fn meeting(&self, nodes: &[usize]) -> Option<usize> {
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
        // Beyond a thousand kilometres, squares of distances lose all meaning.
        let is_near = places[node].is_finite() && places[node].abs().max_element() < 1e6;
        if !is_near {
            places[node] = scene.nodes()[node].parent.map_or(Vec3::ZERO, |parent| places[parent]);
        }
    }
    places
}
