use super::*;
use crate::disk;
use std::fs;
use std::path::PathBuf;
use vivant_io::bvh;
use vivant_io::json;

/// A temporary folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    /// Creates these files. A `.bvh` contains the starter clip named by its text; a `.glb` contains two clips.
    fn with(name: &str, all: &[(&str, &str)]) -> Self {
        let folder =
            Self(std::env::temp_dir().join(format!("vivant-character-{name}-{}", std::process::id())));
        fs::create_dir_all(folder.0.join("clips")).unwrap();
        for (path, text) in all {
            fs::write(folder.0.join(path), contents(path, text)).unwrap();
        }
        folder
    }

    fn load(&self) -> Result<Character> {
        Character::load(&self.0, &mut |_, _| {})
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn contents(path: &str, text: &str) -> Vec<u8> {
    let (rig, clips) = (vivant_mannequin::rig(), vivant_mannequin::starter_clips());
    let mut warnings = Vec::new();
    if path.ends_with(".glb") {
        return vivant_io::gltf::write_skeleton(&rig, &clips[..2], &mut warnings).unwrap();
    }
    let clip = clips.iter().find(|clip| clip.name() == text).filter(|_| path.ends_with(".bvh"));
    clip.map_or_else(|| text.into(), |clip| bvh::write(&rig, clip, &mut warnings).into_bytes())
}

/// Returns a repertoire with one stance that has gestures with these clips.
fn gestures(clips: &[&str]) -> String {
    let gestures: Vec<String> = clips.iter().map(|clip| format!("{{\"clip\": \"{clip}\"}}")).collect();
    format!("{{\"version\": 1, \"stances\": [{{\"name\": \"a\", \"gestures\": [{}]}}]}}", gestures.join(", "))
}

#[test]
fn a_character_is_read_from_its_folder() {
    let all = ["clips/nod.bvh", "clips\\\\nod.bvh", "two.glb#idle_breathe", "builtin#wave", "clips/nod.bvh"];
    let folder = Folder::with(
        "whole",
        &[
            (
                "character.toml",
                "version = 1\nname = \"Eve\"\navatar = \"two.glb\"\n[temperament]\nliveliness = 0.5",
            ),
            ("repertoire.json", &gestures(&all)),
            ("behaviour.json", r#"{"version": 1, "origin": "a test", "always": {}}"#),
            ("clips/nod.bvh", "nod"),
            ("two.glb", ""),
        ],
    );
    let eve = folder.load().unwrap();
    assert_eq!((eve.name.as_str(), eve.temperament.liveliness), ("Eve", 0.5));
    assert_eq!(eve.motions.behaviour().unwrap().origin, "a test");
    assert_eq!(Path::new(eve.motions.file()), folder.0.join(REPERTOIRE));
    assert!(eve.avatar.name().ends_with("two.glb"));
    let spelled: Vec<&str> = eve.motions.clips().unwrap().keys().map(String::as_str).collect();
    assert_eq!(spelled, ["builtin#wave", "clips/nod.bvh", "clips\\nod.bvh", "two.glb#idle_breathe"]);
    let names: Vec<&str> = eve.motions.clips().unwrap().values().map(|clip| clip.name()).collect();
    assert_eq!(names, ["wave", "nod", "nod", "idle_breathe"]);
    assert!(
        eve.motions
            .clips()
            .unwrap()
            .values()
            .all(|clip| clip.root(0).x.abs() < 1e-6 && clip.root(0).z.abs() < 1e-6)
    );
    assert_eq!(Character::load(&folder.0.join(MANIFEST), &mut |_, _| {}).unwrap().name, "Eve");
}

#[test]
fn everything_but_the_repertoire_may_be_missing() {
    let folder = Folder::with("least", &[("repertoire.json", &gestures(&["builtin#nod"]))]);
    let character = folder.load().unwrap();
    assert!(character.name.starts_with("vivant-character-least"));
    assert_eq!(character.avatar.name(), BUILT_IN);
    assert!(character.warnings.iter().any(|warning| warning.message.contains("built-in one is used")));
    assert_eq!(*character.motions.behaviour().unwrap(), Behaviour::standard());
}

#[test]
fn the_built_in_character_has_every_clip_that_it_names() {
    let built_in = Character::load(Path::new("builtin"), &mut |_, _| {}).unwrap().motions;
    let (repertoire, own) = (built_in.repertoire().unwrap(), built_in.clips().unwrap());
    let mut warnings = Vec::new();
    let clips =
        clips::load(&crate::files::Folder::new("."), repertoire, &mut |_, _| {}, &mut warnings).unwrap();
    assert_eq!(clips.len() + 1, own.len(), "all but the idle breath");
    assert!(clips.keys().all(|spelling| own.contains_key(spelling)), "{:?}", clips.keys());
    let text = json::repertoire::write(repertoire);
    assert_eq!(json::repertoire::read(text.as_bytes()).as_ref(), Ok(repertoire));
}

#[test]
fn all_missing_files_are_reported_with_their_paths() {
    let clips = [
        "clips/wav.bvh",
        "clips/nod.bvh",
        "../out.bvh",
        "two.glb",
        "two.glb#idle",
        "builtin#wav",
        "text.fbx",
        "qqqqqqqqqq.vrma",
    ];
    let folder = Folder::with(
        "faults",
        &[
            ("character.toml", "version = 1\navatar = \"me.vrm\"\nbehaviour = \"repertoire.json\""),
            ("repertoire.json", &gestures(&clips)),
            ("clips/wave.bvh", "wave"),
            ("clips/nod.bvh", "nod"),
            ("two.glb", ""),
            ("text.fbx", "hello"),
        ],
    );
    let message = folder.load().err().unwrap().to_string();
    for part in [
        "character.toml: avatar: me.vrm: no such file",
        "repertoire.json: stances[0].gestures[0].clip: clips/wav.bvh: no such file; did you mean clips/wave.bvh?",
        "gestures[2].clip: ../out.bvh: outside the character's folder",
        "gestures[3].clip: two.glb: contains 2 clips; choose one, as in two.glb#idle_breathe",
        "gestures[4].clip: two.glb: contains no clip `idle`; did you mean `idle_breathe`?",
        "gestures[5].clip: builtin: contains no clip `wav`; did you mean `wave`?",
        "gestures[6].clip: ",
        "unknown file format",
        "gestures[7].clip: qqqqqqqqqq.vrma: no such file; add the file",
        "repertoire.json: unknown field `stances`",
    ] {
        assert!(message.contains(part), "{message}\nlacks {part}");
    }
    assert!(!message.contains("gestures[1]"), "{message}");
    assert!(message.lines().all(|line| line.contains("vivant-character-faults")), "{message}");
}

#[test]
fn repertoire_errors_name_the_file_from_the_manifest() {
    let two = r#"{"version": 1, "stances": [{"name": "a"}, {"name": "a"}]}"#;
    let manifest = "version = 1\navatar = \"builtin\"\nrepertoire = \"mine.json\"";
    let folder = Folder::with("named", &[("character.toml", manifest), ("mine.json", two)]);
    let message = folder.load().unwrap();
    let message = message.motions.bind(message.avatar.rig(), &mut Vec::new()).unwrap_err().to_string();
    assert!(message.contains("mine.json: stances[1].name: “a” is also"), "{message}");
}

#[test]
fn a_folder_without_a_character_gives_a_helpful_error() {
    let repertoire = gestures(&[]);
    for (name, files, part) in [
        ("empty", &[][..], "contains no character.toml and no repertoire.json"),
        ("bare", &[("character.toml", "version = 1")][..], "repertoire: repertoire.json: no such file"),
        (
            "typo",
            &[("character.toml", "version = 1\navatr = 1")][..],
            "character.toml: unknown field `avatr`; did you mean `avatar`?",
        ),
        (
            "out",
            &[("character.toml", "version = 1\nrepertoire = \"/etc/x\"")][..],
            "repertoire: /etc/x: outside",
        ),
        (
            "two",
            &[("avatar.glb", ""), ("avatar.fbx", "x"), ("repertoire.json", repertoire.as_str())][..],
            "found avatar.glb and avatar.fbx; choose one",
        ),
        ("broken", &[("repertoire.json", "{")][..], "repertoire.json: line 1, column 1: invalid JSON"),
    ] {
        let message = Folder::with(name, files).load().err().unwrap().to_string();
        assert!(message.contains(part), "{message}\nlacks {part}");
    }
    for (path, part) in [("none/at/all", "no such folder"), ("Cargo.toml", "not a folder")] {
        let message = Character::load(Path::new(path), &mut |_, _| {}).err().unwrap().to_string();
        assert!(message.contains(part) && message.contains("`builtin`"), "{message}");
    }
}

#[test]
fn real_recordings_make_a_character() {
    let Some(mocap) = vivant_testing::data("mocap") else { return };
    let has_one_clip = |path: &PathBuf| ImportedFile::load(path).is_ok_and(|file| file.clips.len() == 1);
    let found = disk::all_below(&mocap).into_iter().map(|name| mocap.join(name)).filter(has_one_clip);
    let found: Vec<PathBuf> = found.step_by(4).take(10).collect();
    assert!(found.len() > 3);
    let spelled: Vec<String> =
        found.iter().map(|path| format!("clips/{}", path.file_name().unwrap().to_string_lossy())).collect();
    let clips: Vec<&str> = spelled.iter().map(String::as_str).collect();
    let folder = Folder::with("real", &[("repertoire.json", &gestures(&clips))]);
    for (path, spelling) in found.iter().zip(&spelled) {
        fs::copy(path, folder.0.join(spelling)).unwrap();
    }
    let character = folder.load().unwrap_or_else(|fault| panic!("{fault}"));
    assert!(spelled.iter().all(|spelling| character.motions.clips().unwrap()[spelling].frames() > 1));
}

/// Ten seconds of eyes that alternate between left and right, and blink.
fn eyes() -> String {
    use vivant::eyes::texture::{Corpus, Run, TextureDef};
    let run = Run {
        openness: (0..600).map(|i| if i % 150 < 6 { 0.1 } else { 1.0 }).collect(),
        yaw_deg: (0..600).map(|i| if i % 80 < 40 { 6.0 } else { -6.0 }).collect(),
        pitch_deg: vec![0.0; 600],
        ..Run::default()
    };
    let corpus = Corpus { name: "calm".into(), open_level: 1.0, runs: vec![run], ..Corpus::default() };
    let def = TextureDef { rate_hz: 60.0, corpora: vec![corpus], ..TextureDef::default() };
    json::texture::write(&def).unwrap()
}

#[test]
fn learned_eye_models_are_read_from_the_folder() {
    let model = json::blink_model::write(&vivant::eyes::blink_model::BlinkModel::standard());
    let (eyes, repertoire) = (eyes(), gestures(&["builtin#wave"]));
    let pca = "version = 1\navatar = \"builtin\"\n[temperament]\nblinkProfile = \"pca\"";
    let usual = [
        ("character.toml", pca),
        ("repertoire.json", repertoire.as_str()),
        ("blinks.model.json", model.as_str()),
        ("eyes.texture", eyes.as_str()),
    ];
    let whole = Folder::with("learned", &usual).load().unwrap();
    assert!(whole.learned.blinks.is_some() && whole.learned.texture.is_some());
    assert!(whole.warnings.is_empty(), "{:?}", whole.warnings);

    let wrong =
        "version = 1\navatar = \"builtin\"\nblinkModel = \"b.json\"\neyeTexture = \"repertoire.json\"";
    let message =
        Folder::with("wrong", &[("character.toml", wrong), usual[1]]).load().err().unwrap().to_string();
    for part in ["blinkModel: b.json: no such file", "repertoire.json: "] {
        assert!(message.contains(part), "{message}\nlacks {part}");
    }
}

/// Learned eye movements play in a performance, with the mood that an intent sets.
#[test]
fn learned_eyes_play_and_follow_moods() {
    let eyes = eyes();
    let files = [("character.toml", "version = 1\navatar = \"builtin\""), ("eyes.texture", eyes.as_str())];
    let repertoire = gestures(&["builtin#wave"]);
    let folder = Folder::with("moods", &[files[0], files[1], ("repertoire.json", repertoire.as_str())]);
    let character = folder.load().unwrap();
    let library = character.motions.bind(character.avatar.rig(), &mut Vec::new()).unwrap();
    let mut performer = vivant::performer::Performer::new(library, 7);
    performer.eyes().set_models(&character.learned);
    performer.eyes().start_idle_behaviour(0.0);
    let be = |text: &str| json::intents::line(text).unwrap();
    performer.intend(&be(r#"{"be": "idle", "mood": "calm"}"#)).unwrap();
    let fault = performer.intend(&be(r#"{"be": "idle", "mood": "clam"}"#)).unwrap_err().to_string();
    assert!(fault.contains("unknown mood `clam`; did you mean `calm`?"), "{fault}");
    let blinks = (0..3600).filter(|i| {
        performer.advance_to(f64::from(*i) / 60.0);
        performer.gaze().is_some_and(|gaze| gaze.is_blinking[0])
    });
    assert!((60..600).contains(&blinks.count()), "expected a blink of 0.1 s every 2.5 s");
}

/// Returns a hash of all expression weights of one minute of frames.
fn minute(character: &Character) -> u64 {
    let role = crate::Role { temperament: character.temperament, ..crate::Role::default() };
    let mut performance = crate::Hosted::of_character(character, &role).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for frame in 0..1800 {
        let frame = performance.advance_to(f64::from(frame) / 30.0);
        for weight in frame.weights() {
            hash = (hash ^ u64::from(weight.to_bits())).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

#[test]
fn a_blink_model_in_the_folder_is_used_unless_the_temperament_names_another_profile() {
    let model = json::blink_model::write(&vivant::eyes::blink_model::BlinkModel::standard());
    let repertoire = gestures(&["builtin#wave"]);
    let of = |name: &str, profile: &str, has_model: bool| {
        let manifest = format!("version = 1\navatar = \"builtin\"\n[temperament]\n{profile}");
        let mut files = vec![("character.toml", manifest.as_str()), ("repertoire.json", repertoire.as_str())];
        if has_model {
            files.push(("blinks.model.json", model.as_str()));
        }
        minute(&Folder::with(name, &files).load().unwrap())
    };
    let plain = of("plain", "", false);
    let learned = of("modelled", "", true);
    assert_ne!(plain, learned, "the blink model changes the lids");
    assert_eq!(of("pca", "blinkProfile = \"pca\"", true), learned);
    assert_eq!(of("evinger", "blinkProfile = \"evinger\"", true), plain);
}

#[test]
fn a_character_in_memory_is_the_one_in_the_folder() {
    let model = json::blink_model::write(&vivant::eyes::blink_model::BlinkModel::standard());
    let (eyes, repertoire) = (eyes(), gestures(&["builtin#wave", "clips/nod.bvh", "two.glb#idle_breathe"]));
    let all = [
        ("character.toml", "version = 1\nname = \"Eve\"\navatar = \"two.glb\""),
        ("repertoire.json", repertoire.as_str()),
        ("behaviour.json", r#"{"version": 1, "origin": "a test", "always": {}}"#),
        ("blinks.model.json", model.as_str()),
        ("eyes.texture", eyes.as_str()),
        ("clips/nod.bvh", "nod"),
        ("two.glb", ""),
    ];
    let folder = Folder::with("memory", &all).load().unwrap();
    let files: crate::files::FileMap =
        all.iter().map(|(name, text)| ((*name).to_owned(), contents(name, text))).collect();
    let memory = Character::read(&files, &mut |_, _| {}).unwrap();
    assert_eq!((&memory.name, memory.temperament), (&folder.name, folder.temperament));
    assert_eq!(memory.learned, folder.learned);
    assert_eq!(memory.motions.clips(), folder.motions.clips());
    assert_eq!(minute(&memory), minute(&folder));
    let missing = crate::files::FileMap::default();
    let message = Character::read(&missing, &mut |_, _| {}).err().unwrap().to_string();
    assert!(message.contains("no character.toml and no repertoire.json"), "{message}");
}
