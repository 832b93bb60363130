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
//! The file is loaded twice, once by Bevy for what is seen, and once as an [`AvatarFile`] for what it can do. When
//! both are there, the entity gets a [`Performer`], which is told what to do and is shown on the file's own nodes,
//! after animations and before transforms are propagated.

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
use vivant_host::{Ask, Hosted};

/// Lets every [`Character`] live.
pub struct VivantPlugin;

/// When characters are shown: after animations, before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VivantSystems;

impl Plugin for VivantPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<AvatarFile>()
            .init_asset_loader::<AvatarLoader>()
            .register_type::<NodeNumber>()
            .init_resource::<GltfExtensionHandlers>()
            .add_systems(Update, (spawn_scenes, awaken).chain())
            .add_systems(PostUpdate, (attend, live).chain().in_set(VivantSystems))
            .configure_sets(
                PostUpdate,
                VivantSystems.after(AnimationSystems).before(TransformSystems::Propagate),
            );
        nodes::number_them(&app.world().resource::<GltfExtensionHandlers>().0);
    }
}

/// Somebody who is to live: what is seen of it, and what it is.
#[derive(Component, Clone)]
pub struct Character {
    /// What is seen. Its first scene is spawned below the entity, unless something else has spawned one there.
    pub gltf: Handle<Gltf>,
    /// What it can do.
    pub avatar: Handle<AvatarFile>,
    /// Its seed, its temperament, and whether it acts by itself.
    pub role: Role,
    /// The motions that it knows.
    pub motions: Motions,
}

impl Character {
    /// A character with the built-in motions, from a VRM or GLB.
    #[must_use]
    pub fn load(assets: &AssetServer, path: &str) -> Self {
        let (gltf, avatar) = (assets.load(path.to_owned()), assets.load(path.to_owned()));
        Self { gltf, avatar, role: Role::default(), motions: Motions::built_in() }
    }
}

/// Whom a character attends to: any entity with a [`GlobalTransform`], such as the camera.
#[derive(Component, Clone, Copy, Debug)]
pub struct Attend(pub Entity);

/// A character that lives. It is there as soon as its files are.
#[derive(Component)]
pub struct Performer {
    hosted: Hosted,
    body: Body,
    began: f64,
}

impl Performer {
    /// Tells it something: an intent such as `{"say": "Hello!"}`, or `attend`, `follow` or `temperament`. Gives the
    /// number by which events speak of the wish that it became.
    ///
    /// # Errors
    /// If it cannot be understood or done.
    pub fn tell(&mut self, json: &str) -> Result<Option<u64>, BevyError> {
        Ok(self.hosted.tell(json)?)
    }

    /// All else that can be asked of it.
    pub fn hosted(&mut self) -> &mut Hosted {
        &mut self.hosted
    }
}

/// Lets those begin whose files and nodes are there.
fn awaken(
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
                warn!("a character cannot live: {error}");
                commands.entity(entity).remove::<Character>();
            }
        }
    }
}

/// Tells everyone where those are whom they attend to.
fn attend(
    mut performers: Query<(&mut Performer, &GlobalTransform, &Attend)>,
    places: Query<&GlobalTransform>,
) {
    for (mut performer, root, attended) in &mut performers {
        let Ok(place) = places.get(attended.0) else { continue };
        let place = performer.body.seen(root, place.translation());
        // This cannot fail: only intents can.
        let _ = performer.hosted.ask(Ask::Attend { place, is_new: false });
    }
}

/// Shows everyone as they are now.
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
