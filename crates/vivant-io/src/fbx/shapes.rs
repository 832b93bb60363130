//! Reads blend shapes as expressions.

use crate::error::Result;
use crate::limits;
use crate::scene::{ShapeBind, SourceExpression};
use std::collections::HashMap;
use vivant::rig::{Channel, Expression};

/// The blend shapes of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    expressions: Vec<SourceExpression>,
    index: HashMap<Channel, usize>,
    /// Index of the expression for each blend channel, by the id of the channel.
    channels: HashMap<u32, usize>,
}

impl Shapes {
    pub(super) fn new(file: &ufbx::Scene) -> Result<Self> {
        let count = file.blend_channels.len();
        limits::within("Objects", "blend shapes", count, limits::MAX_SHAPES)?;
        let mut shapes = Self::default();
        for mesh in &file.meshes {
            let Some(node) = mesh.element.instances.first() else { continue };
            let channels = mesh.blend_deformers.iter().flat_map(|deformer| &*deformer.channels);
            // Deformers may be shared, so a mesh may list more channels than the file has.
            for (target, channel) in channels.take(count).enumerate() {
                shapes.add(channel, ShapeBind { node: node.element.typed_id as usize, target, gain: 1.0 });
            }
        }
        Ok(shapes)
    }

    fn add(&mut self, channel: &ufbx::BlendChannel, bind: ShapeBind) {
        let name = &*channel.element.name;
        let known = Expression::recognise(name).map(Channel::Known);
        // If two shapes of one mesh match the same expression, the second keeps its own name.
        let slot = known
            .filter(|c| !self.moves_node(c, bind.node))
            .unwrap_or_else(|| Channel::from(without_deformer(name)));
        let index = self.slot(slot);
        if let Some(expression) = self.expressions.get_mut(index) {
            expression.binds.push(bind);
        }
        self.channels.insert(channel.element.typed_id, index);
    }

    fn moves_node(&self, channel: &Channel, node: usize) -> bool {
        let expression = self.index.get(channel).and_then(|i| self.expressions.get(*i));
        expression.is_some_and(|e| e.binds.iter().any(|b| b.node == node))
    }

    fn slot(&mut self, channel: Channel) -> usize {
        *self.index.entry(channel).or_insert_with_key(|channel| {
            let channel = channel.clone();
            self.expressions.push(SourceExpression { channel, binds: Vec::new(), is_binary: false });
            self.expressions.len() - 1
        })
    }

    /// Returns the expression of a blend channel.
    pub(super) fn channel(&self, channel: &ufbx::BlendChannel) -> Option<&Channel> {
        let index = self.channels.get(&channel.element.typed_id)?;
        self.expressions.get(*index).map(|e| &e.channel)
    }

    pub(super) fn into_expressions(self) -> Vec<SourceExpression> {
        self.expressions
    }
}

/// Removes the deformer's name that exporters write before the name of a shape (`blendShape1.Smile`).
fn without_deformer(name: &str) -> String {
    let is_name = |rest: &&str| !rest.is_empty() && !rest.bytes().all(|b| b.is_ascii_digit());
    let own = name.rsplit_once('.').map(|(_, rest)| rest).filter(is_name).unwrap_or(name);
    super::shortened(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_deformer;

    #[test]
    fn the_deformer_name_is_removed() {
        for (name, own) in [
            ("blendShape1.Smile", "Smile"),
            ("Smile", "Smile"),
            ("Smile.001", "Smile.001"),
            ("a.", "a."),
            ("", ""),
        ] {
            assert_eq!(without_deformer(name), own);
        }
    }
}
