//! Which entity is which node of its file.
//!
//! Names of nodes are optional and often there twice, so every entity that Bevy makes of a node is given the node's
//! number while the file is loaded.

use bevy_asset::LoadContext;
use bevy_ecs::prelude::*;
use bevy_gltf::extensions::{ErasedGltfExtensionHandler, GltfExtensionHandler};
use bevy_reflect::Reflect;
use std::sync::Arc;

/// The number of the node that an entity was made of, in its file.
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

/// From now on, nodes are numbered as they are loaded.
pub(crate) fn number_them(handlers: &Arc<async_lock::RwLock<Vec<Box<dyn ErasedGltfExtensionHandler>>>>) {
    handlers.write_blocking().push(Box::new(Numbering));
}
