//! Maps entities to the nodes of their file.
//!
//! Names of nodes are optional and often not unique, so every entity of a node gets the node's index when the file is
//! loaded.

use bevy_asset::LoadContext;
use bevy_ecs::prelude::*;
use bevy_gltf::extensions::{ErasedGltfExtensionHandler, GltfExtensionHandler};
use bevy_reflect::Reflect;
use std::sync::Arc;

/// Index of the entity's node in its file.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component)]
pub struct NodeNumber(pub usize);

#[derive(Clone)]
struct Numbering;

impl GltfExtensionHandler for Numbering {
    fn dyn_clone(&self) -> Box<dyn ErasedGltfExtensionHandler> {
        Box::new(self.clone())
    }

    fn on_gltf_node(
        &mut self,
        _: &mut LoadContext<'_>,
        node: &gltf::Node<'_>,
        entity: &mut EntityWorldMut<'_>,
    ) {
        entity.insert(NodeNumber(node.index()));
    }
}

/// Registers a handler that adds [`NodeNumber`] to nodes when they are loaded.
pub(crate) fn register_node_numbers(
    handlers: &Arc<async_lock::RwLock<Vec<Box<dyn ErasedGltfExtensionHandler>>>>,
) {
    handlers.write_blocking().push(Box::new(Numbering));
}
