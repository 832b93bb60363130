//! Makes VRM and glTF characters in Bevy look alive: eyes, lids, head, body and mouth.
//!
//! ```no_run
//! # use bevy_app::prelude::*; use bevy_asset::AssetServer; use bevy_ecs::prelude::*;
//! use bevy_vivant::{Attend, Character, VivantPlugin};
//!
//! fn main() {
//!     App::new()
//!         // .add_plugins(DefaultPlugins)
//!         .add_plugins(VivantPlugin)
//!         .add_systems(Startup, enter)
//!         .run();
//! }
//!
//! fn enter(mut commands: Commands, assets: Res<AssetServer>) {
//!     let camera = commands.spawn_empty().id(); // a Camera3d
//!     commands.spawn((Character::load(&assets, "eve.vrm"), Attend(camera)));
//! }
//! ```
//!
//! The file is loaded twice: by Bevy for its scene, and as an [`AvatarFile`] for its bones and expressions. When both
//! are loaded, the entity gets a [`Performer`], which accepts intents. Its frames are applied to the file's nodes after
//! animations and before transforms are propagated.

mod avatar;
mod body;
mod nodes;

pub use avatar::{AvatarFile, AvatarLoader};
pub use nodes::NodeNumber;
pub use vivant_host::{Motions, Role};

use avatar::spawn_scenes;
use bevy_app::{AnimationSystems, App, Plugin, PostUpdate, Update};
use bevy_asset::{AssetApp, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_gltf::{Gltf, extensions::GltfExtensionHandlers};
use bevy_log::warn;
use bevy_mesh::morph::MorphWeights;
use bevy_time::Time;
use bevy_transform::{
    TransformSystems,
    components::{GlobalTransform, Transform},
};
use body::{Body, Limbs};
use vivant_host::{Command, Hosted};

/// Makes every [`Character`] look alive.
pub struct VivantPlugin;

/// The system set that applies frames: after animations, before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VivantSystems;

impl Plugin for VivantPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<AvatarFile>()
            .init_asset_loader::<AvatarLoader>()
            .register_type::<NodeNumber>()
            .init_resource::<GltfExtensionHandlers>()
            .add_systems(Update, (spawn_scenes, start_characters).chain())
            .add_systems(PostUpdate, (attend, live).chain().in_set(VivantSystems))
            .configure_sets(
                PostUpdate,
                VivantSystems.after(AnimationSystems).before(TransformSystems::Propagate),
            );
        nodes::register_node_numbers(&app.world().resource::<GltfExtensionHandlers>().0);
    }
}

/// A character: its scene, avatar, role and motions.
#[derive(Component, Clone)]
pub struct Character {
    /// The glTF file. Its first scene is spawned below the entity, unless something else has spawned one there.
    pub gltf: Handle<Gltf>,
    /// The avatar's bones and expressions.
    pub avatar: Handle<AvatarFile>,
    /// Seed, temperament and improvisation.
    pub role: Role,
    /// The motions of the character.
    pub motions: Motions,
}

impl Character {
    /// Loads a character with the built-in motions from a VRM or GLB.
    #[must_use]
    pub fn load(assets: &AssetServer, path: &str) -> Self {
        let (gltf, avatar) = (assets.load(path.to_owned()), assets.load(path.to_owned()));
        Self { gltf, avatar, role: Role::default(), motions: Motions::built_in() }
    }
}

/// The target of a character's attention: any entity with a [`GlobalTransform`], such as the camera.
#[derive(Component, Clone, Copy, Debug)]
pub struct Attend(pub Entity);

/// A running character. It is inserted as soon as the files are loaded.
#[derive(Component)]
pub struct Performer {
    hosted: Hosted,
    body: Body,
    began: f64,
}

impl Performer {
    /// Sends a request: an intent such as `{"say": "Hello!"}`, or `attend`, `follow` or `temperament`. Returns the id
    /// that events use for this request.
    ///
    /// # Errors
    /// If the request is invalid or cannot be met.
    pub fn tell(&mut self, json: &str) -> Result<Option<u64>, BevyError> {
        Ok(self.hosted.tell(json)?)
    }

    /// Returns the hosted performer, for functions that this type does not have.
    pub fn hosted(&mut self) -> &mut Hosted {
        &mut self.hosted
    }
}

/// Starts characters whose files and nodes are loaded.
fn start_characters(
    mut commands: Commands,
    time: Res<Time>,
    files: Res<Assets<AvatarFile>>,
    waiting: Query<(Entity, &Character), Without<Performer>>,
    limbs: Limbs,
) {
    for (entity, character) in &waiting {
        let Some(AvatarFile(avatar)) = files.get(&character.avatar) else { continue };
        let Some(body) = Body::of(entity, avatar, &limbs) else { continue };
        match Hosted::new(avatar, &character.motions, &character.role) {
            Ok(hosted) => {
                let began = time.elapsed_secs_f64();
                commands.entity(entity).insert(Performer { hosted, body, began });
            }
            Err(error) => {
                warn!("cannot start a character: {error}");
                commands.entity(entity).remove::<Character>();
            }
        }
    }
}

/// Updates the targets of attention.
fn attend(
    mut performers: Query<(&mut Performer, &GlobalTransform, &Attend)>,
    places: Query<&GlobalTransform>,
) {
    for (mut performer, root, attended) in &mut performers {
        let Ok(place) = places.get(attended.0) else { continue };
        let place = performer.body.seen(root, place.translation());
        // This cannot fail: only intents can.
        let _ = performer.hosted.apply(Command::Attend { place, is_new: false });
    }
}

/// Advances all performers and applies their frames.
fn live(
    time: Res<Time>,
    mut performers: Query<&mut Performer>,
    mut joints: Query<&mut Transform>,
    mut faces: Query<&mut MorphWeights>,
) {
    for mut performer in &mut performers {
        let Performer { hosted, body, began } = &mut *performer;
        let frame = hosted.advance_to(time.elapsed_secs_f64() - *began);
        body.show(frame, &mut joints, &mut faces);
    }
}
