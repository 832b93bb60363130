//! Loads an avatar for Vivant, in addition to what Bevy loads from the same file.

use crate::Character;
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, Assets, LoadContext};
use bevy_ecs::prelude::*;
use bevy_gltf::Gltf;
use bevy_log::warn;
use bevy_reflect::TypePath;
use bevy_world_serialization::WorldAssetRoot;
use vivant_host::Avatar;

/// An avatar: its bones, its expressions, and the effect of each expression on the lids.
#[derive(Asset, TypePath)]
pub struct AvatarFile(pub Avatar);

/// Loads VRM and GLB files.
#[derive(Default, TypePath)]
pub struct AvatarLoader;

impl AssetLoader for AvatarLoader {
    type Asset = AvatarFile;
    type Settings = ();
    type Error = BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<AvatarFile, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let avatar = Avatar::read(&context.path().to_string(), &bytes)?;
        for warning in avatar.warnings() {
            warn!("{warning}");
        }
        Ok(AvatarFile(avatar))
    }

    fn extensions(&self) -> &[&str] {
        &["vrm", "glb"]
    }
}

/// Spawns the scenes of characters that have none yet.
pub(crate) fn spawn_scenes(
    mut commands: Commands,
    files: Res<Assets<Gltf>>,
    unseen: Query<(Entity, &Character), Without<WorldAssetRoot>>,
) {
    for (entity, character) in &unseen {
        let Some(gltf) = files.get(&character.gltf) else { continue };
        let Some(scene) = gltf.default_scene.as_ref().or(gltf.scenes.first()) else { continue };
        commands.entity(entity).insert(WorldAssetRoot(scene.clone()));
    }
}
