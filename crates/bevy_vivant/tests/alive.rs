//! In a Bevy app without a window, a character that Bevy's own loader has loaded has the same poses as the native
//! frames.

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::morph::MorphWeights;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_vivant::{Attend, Character, Motions, NodeNumber, Performer, Role, VivantPlugin};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use vivant::rig::Bone;
use vivant_host::{Avatar, Hosted};

/// A power of two, which Bevy's nanoseconds and Vivant's seconds represent exactly.
const FPS: f64 = 64.0;

/// Creates an app with everything that a glTF file needs, without a window.
fn app(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.to_string_lossy().into_owned();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins(AssetPlugin { file_path, ..AssetPlugin::default() });
    app.add_plugins((bevy_world_serialization::WorldSerializationPlugin, bevy_mesh::MeshPlugin));
    app.add_plugins((bevy_image::ImagePlugin::default(), bevy_gltf::GltfPlugin::default(), VivantPlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.finish();
    app.cleanup();
    app
}

/// Writes an avatar to a file in a new folder.
fn folder(name: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bevy-vivant-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(file), bytes).unwrap();
    folder
}

fn built_in() -> Vec<u8> {
    vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm()
}

/// Spawns a character, and waits until it has started.
fn enter(app: &mut App, file: &str, place: Transform) -> Entity {
    let mut character = Character::load(app.world().resource::<AssetServer>(), file);
    character.role = Role { seed: 7, ..Role::default() };
    let entity = app.world_mut().spawn((character, place)).id();
    let begin = Instant::now();
    while app.world().get::<Performer>(entity).is_none() {
        let (assets, character) =
            (app.world().resource::<AssetServer>(), app.world().get::<Character>(entity).unwrap());
        let states = (assets.get_load_state(&character.gltf), assets.get_load_state(&character.avatar));
        let is_over = begin.elapsed() > Duration::from_secs(120) || format!("{states:?}").contains("Failed");
        assert!(!is_over, "the character does not start: {states:?}");
        app.update();
        std::thread::sleep(Duration::from_millis(5));
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / FPS)));
    entity
}

/// Returns the entity of a node of a file.
fn node(app: &mut App, number: usize) -> Entity {
    let mut all = app.world_mut().query::<(Entity, &NodeNumber)>();
    all.iter(app.world()).find(|(_, it)| it.0 == number).map(|(entity, _)| entity).unwrap()
}

/// Runs a character in Bevy and natively, and compares bone positions and expressions.
fn check(name: &str, bytes: &[u8]) {
    let file = format!("{name}.vrm");
    let mut app = app(&folder(name, &file, bytes));
    let entity = enter(&mut app, &file, Transform::IDENTITY);
    let avatar = Avatar::read(name, bytes).unwrap();
    let mut native =
        Hosted::new(&avatar, &Motions::built_in(), &Role { seed: 7, ..Role::default() }).unwrap();
    let file_from_humanoid = avatar.humanoid_from_file().inverse();
    let bones: Vec<(Bone, Entity)> = Bone::ALL
        .into_iter()
        .filter_map(|bone| Some((bone, node(&mut app, avatar.info().bones[bone.index()].node?))))
        .collect();
    let morphs: Vec<_> = avatar
        .info()
        .channels
        .iter()
        .enumerate()
        .flat_map(|(c, it)| it.morphs.iter().map(move |m| (c, m.clone())))
        .collect();
    let (mut furthest, mut shut) = (0.0_f32, 0.0_f32);
    for frame in 1..=600 {
        if frame == 60 {
            let said = r#"{"say": "Hello! How nice that you came."}"#;
            app.world_mut().get_mut::<Performer>(entity).unwrap().tell(said).unwrap();
            native.tell(said).unwrap();
        }
        app.update();
        let t = f64::from(frame) / FPS;
        let shown = native.advance_to(t).clone();
        let time = app.world_mut().get_mut::<Performer>(entity).unwrap().hosted().frame().time();
        assert_eq!(time, t, "{name}");
        let model = shown.pose().model_transforms(avatar.rig());
        for (bone, entity) in &bones {
            let expected = file_from_humanoid.transform_point3a(model[bone.index()].translation);
            let found = app.world().get::<GlobalTransform>(*entity).unwrap().translation();
            furthest = furthest.max(found.distance(Vec3::from_array(expected.to_array())));
        }
        for (channel, morph) in &morphs {
            let alone =
                morphs.iter().filter(|(_, it)| (it.node, it.target) == (morph.node, morph.target)).count()
                    == 1;
            let entity = node_of(&mut app, morph.node);
            let weight = app.world().get::<MorphWeights>(entity).unwrap().weights()[morph.target];
            if alone {
                assert!(
                    (weight - morph.gain * shown.weights()[*channel]).abs() < 1e-6,
                    "{name}, frame {frame}"
                );
            }
            if avatar.info().channels[*channel].name.to_lowercase().contains("blink") {
                shut = shut.max(weight);
            }
        }
    }
    assert!(furthest < 1e-4, "{name}: a bone is off by {furthest} m");
    assert!(morphs.is_empty() || shut > 0.5, "{name}: it blinks ({shut})");
}

/// Returns nodes by index, each searched once.
fn node_of(app: &mut App, number: usize) -> Entity {
    #[derive(Resource, Default)]
    struct Known(std::collections::HashMap<usize, Entity>);
    app.init_resource::<Known>();
    if let Some(entity) = app.world().resource::<Known>().0.get(&number) {
        return *entity;
    }
    let entity = node(app, number);
    app.world_mut().resource_mut::<Known>().0.insert(number, entity);
    entity
}

#[test]
fn a_character_in_bevy_has_the_same_frames_as_native() {
    check("builtin", &built_in());
}

/// Returns the built-in character with the shoulders below the neck and the upper legs below the spine, as in the rigs
/// of some programs. Its nodes have no rotations, so only positions change.
fn unusual_hierarchy() -> Vec<u8> {
    let bytes = built_in();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (json, rest) = bytes[20..].split_at(word(12));
    let mut json: serde_json::Value = serde_json::from_slice(json).unwrap();
    let bones = json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].clone();
    let node = |name: &str| bones[name]["node"].as_u64().unwrap() as usize;
    for (name, above, carrier) in [
        ("leftShoulder", "upperChest", "neck"),
        ("rightShoulder", "upperChest", "neck"),
        ("leftUpperLeg", "hips", "spine"),
        ("rightUpperLeg", "hips", "spine"),
    ] {
        let (own, above, carrier) = (node(name), node(above), node(carrier));
        assert!(json["nodes"][carrier]["rotation"].is_null());
        let place = |node: usize| -> Vec3 {
            serde_json::from_value(json["nodes"][node]["translation"].clone()).map(Vec3::from_array).unwrap()
        };
        let moved = (place(own) - place(carrier)).to_array();
        json["nodes"][own]["translation"] = moved.into_iter().collect();
        json["nodes"][above]["children"].as_array_mut().unwrap().retain(|child| child != own);
        json["nodes"][carrier]["children"].as_array_mut().unwrap().push(own.into());
    }
    let mut json = serde_json::to_vec(&json).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = (20 + json.len() + rest.len()) as u32;
    let numbers = [2, length, json.len() as u32].map(u32::to_le_bytes).concat();
    [b"glTF".to_vec(), numbers, b"JSON".to_vec(), json, rest.to_vec()].concat()
}

#[test]
fn unusual_node_hierarchies_give_correct_poses() {
    check("odd", &unusual_hierarchy());
}

#[test]
fn real_avatars_work_too() {
    let Some(avatars) = vivant_testing::data("avatars") else { return };
    let mut tried = 0;
    for version in ["vrm0", "vrm1"] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(avatars.join(version))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "vrm"))
            .collect();
        files.sort_by_key(|path| std::fs::metadata(path).unwrap().len());
        let bytes = std::fs::read(&files[0]).unwrap();
        check(version, &bytes);
        tried += 1;
    }
    assert_eq!(tried, 2);
}

#[test]
fn the_gaze_is_on_the_target_at_any_position() {
    let mut app = app(&folder("attend", "eve.vrm", &built_in()));
    let place = Transform::from_xyz(3.0, 0.5, -2.0).with_rotation(bevy_math::Quat::from_rotation_y(2.0));
    let eve = enter(&mut app, "eve.vrm", place);
    app.world_mut()
        .get_mut::<Performer>(eve)
        .unwrap()
        .tell(r#"{"temperament": {"liveliness": 0, "attentiveness": 1}}"#)
        .unwrap();
    let from = place.transform_point(Vec3::new(-0.8, 1.3, 1.2));
    let camera = app.world_mut().spawn((Transform::from_translation(from), GlobalTransform::default())).id();
    app.world_mut().entity_mut(eve).insert(Attend(camera));
    (0..240).for_each(|_| app.update());
    let avatar = Avatar::read("eve.vrm", &built_in()).unwrap();
    let eyes = [Bone::LeftEye, Bone::RightEye].map(|bone| {
        let entity = node(&mut app, avatar.info().bones[bone.index()].node.unwrap());
        app.world().get::<GlobalTransform>(entity).unwrap().to_owned()
    });
    for eye in eyes {
        let ahead = eye.rotation() * Vec3::Z;
        let off = ahead.angle_between(from - eye.translation()).to_degrees();
        assert!(off < 1.0, "an eye misses the camera by {off}°");
    }
}

#[test]
fn a_file_that_is_not_an_avatar_is_ignored() {
    let mut app = app(&folder("broken", "broken.vrm", b"not an avatar"));
    let character = Character::load(app.world().resource::<AssetServer>(), "broken.vrm");
    let entity = app.world_mut().spawn(character).id();
    for _ in 0..50 {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(app.world().get::<Performer>(entity).is_none());
}
