//! Tests of `vivant repertoire`, from a folder of clips to a character.

#![allow(missing_docs, reason = "tests")]

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn vivant(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vivant")).args(words).output().unwrap()
}

/// Returns the text of both streams, and the exit status.
fn printed(words: &[&str]) -> (String, i32) {
    let output = vivant(words);
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (text, output.status.code().unwrap())
}

/// Returns the printed JSON, and the exit status.
fn json_of(words: &[&str]) -> (Value, i32) {
    let output = vivant(words);
    let text = String::from_utf8_lossy(&output.stdout);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words:?}: {e} in {text}"));
    (value, output.status.code().unwrap())
}

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-repertoire-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes starter clips as files into a folder.
    fn clips(&self, names: &[&str]) -> String {
        fs::create_dir_all(self.0.join("takes")).unwrap();
        for name in names {
            let file = self.path(&format!("takes/{name}.vrma"));
            assert!(vivant(&["convert", "builtin", &file, "--clip", name]).status.success());
        }
        self.path("takes")
    }

    /// Creates a character that only has a repertoire.
    fn character(&self, name: &str, repertoire: &str) -> String {
        fs::create_dir_all(self.0.join(name)).unwrap();
        fs::write(self.0.join(name).join("repertoire.json"), repertoire).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns every file below a folder, with its bytes.
fn everything(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            all.extend(everything(&entry));
        } else {
            all.push((entry.clone(), fs::read(&entry).unwrap()));
        }
    }
    all.sort();
    all
}

const TAKES: [&str; 5] = ["idle_breathe", "wave", "nod", "shrug", "weight_shift_left"];

#[test]
fn a_folder_of_clips_becomes_a_character_that_performs() {
    let folder = Folder::new("whole");
    let (takes, eve) = (folder.clips(&TAKES), folder.path("eve"));
    let (added, status) = json_of(&["repertoire", "add", &takes, "--character", &eve, "--json"]);
    assert_eq!(
        (status, added["written"].as_bool(), added["check"]["usable"].as_bool()),
        (0, Some(true), Some(true))
    );
    let path = |clip: &str| {
        let is_it = |a: &&Value| a["clip"] == json!(format!("clips/{clip}.vrma"));
        added["added"].as_array().unwrap().iter().find(is_it).unwrap()["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(path("idle_breathe"), "stances[0]");
    assert_eq!(path("wave"), "stances[0].gestures[2]");
    assert_eq!(path("weight_shift_left"), "stances[0].fidgets[0]");
    let (checked, status) = json_of(&["repertoire", "check", &eve, "--json"]);
    assert_eq!(status, 0);
    assert_eq!(
        (&checked["stances"], &checked["actions"], &checked["clips"]),
        (&json!(1), &json!(4), &json!(5))
    );
    assert!(checked["seconds"].as_f64().unwrap() > 10.0);
    let show = folder.path("show.csv");
    let (text, status) = printed(&["perform", "--character", &eve, "--seconds", "5", "-o", &show]);
    assert!(status == 0 && fs::metadata(&show).unwrap().len() > 10_000, "{text}");
}

#[test]
fn adding_twice_changes_nothing_and_adding_more_keeps_what_is_there() {
    let folder = Folder::new("twice");
    let (takes, eve) = (folder.clips(&TAKES), folder.path("eve"));
    let add = || json_of(&["repertoire", "add", &takes, "--character", &eve, "--json"]).0;
    add();
    let before = everything(Path::new(&eve));
    let again = add();
    assert_eq!(
        (again["added"].as_array().unwrap().len(), again["skipped"].as_array().unwrap().len()),
        (0, 5)
    );
    assert_eq!(everything(Path::new(&eve)), before);
    // The clips are also in the character's folder.
    let own = format!("{eve}/clips");
    assert_eq!(json_of(&["repertoire", "add", &own, "--character", &eve, "--json"]).0["added"], json!([]));
    let (_, status) = printed(&["repertoire", "add", "builtin", "--character", &eve]);
    assert_eq!(status, 0);
    let old: Value =
        serde_json::from_slice(&before.iter().find(|(p, _)| p.ends_with("repertoire.json")).unwrap().1)
            .unwrap();
    let new: Value = serde_json::from_slice(&fs::read(format!("{eve}/repertoire.json")).unwrap()).unwrap();
    let gestures = |value: &Value| value["stances"][0]["gestures"].as_array().unwrap().clone();
    assert_eq!(gestures(&new)[..gestures(&old).len()], gestures(&old)[..]);
    assert!(gestures(&new).iter().any(|gesture| gesture["clip"] == "builtin#wave"));
}

#[test]
fn a_file_of_the_same_name_is_not_overwritten() {
    let folder = Folder::new("same-name");
    let (takes, eve) = (folder.clips(&["wave"]), folder.path("eve"));
    let wave = format!("{takes}/wave.vrma");
    let add = |file: &str| json_of(&["repertoire", "add", file, "--character", &eve, "--json"]).0;
    add(&wave);
    let first = fs::read(format!("{eve}/clips/wave.vrma")).unwrap();
    assert!(vivant(&["convert", "builtin", &wave, "--clip", "nod"]).status.success());
    assert_eq!(add(&wave)["added"][0]["clip"], "clips/wave-2.vrma");
    assert_eq!(fs::read(format!("{eve}/clips/wave.vrma")).unwrap(), first);
    assert_eq!(add(&wave)["skipped"][0]["clip"], "clips/wave-2.vrma");
}

/// Splits a `.glb` into a `.gltf` and its data.
fn split(glb: &str, gltf: &str, data: &str) {
    let bytes = fs::read(glb).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut document: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let folder = Path::new(gltf).parent().unwrap();
    document["buffers"][0]["uri"] = json!(data);
    fs::write(folder.join(data), &bytes[28 + length..]).unwrap();
    fs::write(gltf, document.to_string()).unwrap();
}

#[test]
fn a_gltf_is_copied_with_its_data_and_refused_where_other_data_is_in_the_way() {
    let folder = Folder::new("gltf");
    let (eve, glb) = (folder.path("eve"), folder.path("two.glb"));
    assert!(vivant(&["convert", "builtin", &glb, "--clip", "wave"]).status.success());
    let gltf = folder.path("wave.gltf");
    split(&glb, &gltf, "wave.bin");
    let (added, status) = json_of(&["repertoire", "add", &gltf, "--character", &eve, "--json"]);
    assert_eq!((status, &added["added"][0]["clip"]), (0, &json!("clips/wave.gltf")));
    assert!(Path::new(&format!("{eve}/clips/wave.bin")).exists());
    assert!(vivant(&["convert", "builtin", &glb, "--clip", "nod"]).status.success());
    split(&glb, &gltf, "wave.bin");
    let (text, status) = printed(&["repertoire", "add", &gltf, "--character", &eve]);
    assert!(status == 1 && text.contains("wave.bin: another file with this name"), "{text}");
}

#[test]
fn a_dry_run_writes_nothing_and_says_the_same() {
    let folder = Folder::new("dry");
    let (takes, eve) = (folder.clips(&TAKES), folder.path("eve"));
    let words = ["repertoire", "add", &takes, "--character", &eve, "--json"];
    let (dry, status) = json_of(&[&words[..], &["--dry-run"]].concat());
    assert!(status == 0 && !Path::new(&eve).exists());
    let (wet, _) = json_of(&words);
    assert_eq!((&dry["written"], &wet["written"]), (&json!(false), &json!(true)));
    assert_eq!(dry["added"], wet["added"]);
    assert_eq!(dry["check"]["faults"], wet["check"]["faults"]);
}

#[test]
fn options_override_suggested_labels() {
    let folder = Folder::new("flags");
    let (takes, eve) = (folder.clips(&["idle_breathe", "wave", "stretch"]), folder.path("eve"));
    let of = |name: &str| format!("{takes}/{name}.vrma");
    let (idle, wave, stretch) = (of("idle_breathe"), of("wave"), of("stretch"));
    let add = |words: &[&str]| printed(&[&["repertoire", "add", "--character", &eve], words].concat());
    assert_eq!(add(&[&idle, "--name", "relaxed", "--as", "stance"]).1, 0);
    let labels =
        ["--as", "fidget", "--stance", "relaxed", "--hand", "L", "--layers", "arms,head", "--tags", "a,b"];
    assert_eq!(add(&[&[wave.as_str()], &labels[..], &["--name", "hello"]].concat()).1, 0);
    assert_eq!(add(&[&stretch, "--as", "transition", "--stance", "relaxed", "--to", "ready"]).1, 0);
    let new: Value = serde_json::from_slice(&fs::read(format!("{eve}/repertoire.json")).unwrap()).unwrap();
    let fidget = &new["stances"][0]["fidgets"][0];
    assert_eq!(new["stances"][0]["name"], "relaxed");
    assert_eq!((&fidget["name"], &fidget["hand"]), (&json!("hello"), &json!("L")));
    assert_eq!((&fidget["layers"], &fidget["tags"]), (&json!(["arms", "head"]), &json!(["a", "b"])));
    assert_eq!(new["stances"][0]["transitions"][0]["to"], "ready");
    assert_eq!(new["stances"][1]["transitions"], json!([{"to": "relaxed", "blendIn": 1}]));
}

#[test]
fn clips_that_cannot_be_added_are_reported_and_nothing_is_written() {
    let folder = Folder::new("refused");
    let takes = folder.clips(&["wave", "nod"]);
    let (wave, bad) = (format!("{takes}/wave.vrma"), folder.path("bad.fbx"));
    fs::write(&bad, "no clip").unwrap();
    let broken = folder.character("broken", r#"{"version": 1, "stances": [{"nam": "a"}]}"#);
    let empty = folder.path("empty");
    fs::create_dir_all(&empty).unwrap();
    let check = |words: &[&str], status: i32, sentence: &str| {
        let (text, code) = printed(&[&["repertoire", "add"], words].concat());
        assert!(code == status && text.contains(sentence), "{words:?}: {code}: {text}");
    };
    let eve = folder.path("eve");
    check(&[&wave], 2, "--character");
    check(&[&wave, "--character", "builtin"], 1, "read-only");
    check(&[&wave, &bad, "--character", &eve], 1, "bad.fbx");
    check(&[&empty, "--character", &eve], 1, "no clips in this folder");
    check(&[&takes, "--name", "n", "--character", &eve], 1, "--name is for one clip");
    check(&[&wave, "--as", "gesture", "--to", "x", "--character", &eve], 1, "--to is for transitions");
    check(&[&wave, "--as", "transition", "--character", &eve], 1, "--to");
    check(&[&wave, "--as", "dance", "--character", &eve], 2, "gesture, fidget, stance, transition");
    check(&[&wave, "--tags", "", "--character", &eve], 1, "tags[0]");
    check(&[&wave, "--stance", " ", "--character", &eve], 1, "stances[0].name");
    check(&[&wave, "--layers", "arms,arms", "--character", &eve], 1, "is a duplicate");
    assert!(!Path::new(&eve).exists());
    let whole = folder.character("whole", r#"{"version": 1, "stances": [{"name": "a"}]}"#);
    let arms = ["--as", "stance", "--name", "b", "--layers", "arms", "--character", &whole];
    check(&[&[wave.as_str()], &arms[..]].concat(), 1, "stances[1].layers: the stance shares some layers");
    let before = everything(Path::new(&broken));
    check(&[&wave, "--character", &broken], 1, "stances[0]: unknown field `nam`");
    assert_eq!(everything(Path::new(&broken)), before);
}

/// Checks a repertoire. Each expected fault has its level, its path and a part of its message.
fn check(name: &str, repertoire: &str, status: i32, expected: &[(&str, &str, &str)]) {
    let folder = Folder::new(name);
    let eve = folder.character("eve", repertoire);
    let (checked, code) = json_of(&["repertoire", "check", &eve, "--json"]);
    let faults = checked["faults"].as_array().unwrap();
    assert_eq!((code, checked["usable"].as_bool()), (status, Some(status == 0)), "{faults:?}");
    for (level, path, words) in expected {
        let is_it = |f: &&Value| f["path"] == *path && f["level"] == *level;
        let found = faults.iter().filter(is_it).any(|f| f["message"].as_str().unwrap().contains(words));
        assert!(found, "{level} {path} {words}: {faults:?}");
    }
    assert_eq!(faults.len(), expected.len(), "{faults:?}");
    let (text, code) = printed(&["repertoire", "check", &eve]);
    assert_eq!(code, status);
    for (level, path, words) in expected {
        let line = format!("{level}: {path}: ");
        assert!(text.lines().any(|l| l.starts_with(&line) && l.contains(words)), "{line}{words}: {text}");
    }
}

#[test]
fn misspelt_fields_are_reported_with_their_path() {
    let text = r#"{"version": 1, "stances": [
        {"name": "a", "gestures": [{"clip": "builtin#wave", "hnd": "L"}, {"clip": 7}]},
        {"name": "b", "fidgets": [{"clip": "builtin#nod", "layers": ["arm"]}]}]}"#;
    let expected = [
        ("error", "stances[0].gestures[0]", "did you mean `hand`?"),
        ("error", "stances[0].gestures[1].clip", "7"),
        ("error", "stances[1].fidgets[0].layers[0]", "arms"),
    ];
    check("misspelt", text, 1, &expected);
}

#[test]
fn missing_clips_hide_neither_each_other_nor_wrong_trims_nor_lost_stances() {
    let text = r#"{"version": 1, "stances": [
        {"name": "a", "gestures": [
            {"clip": "clips/none.vrma", "end": 2}, {"clip": "clips/none.vrma"},
            {"clip": "builtin#wave", "end": 99}, {"clip": "builtin#wav"}],
         "transitions": [{"to": "nowhere"}, {"to": "b"}]},
        {"name": "b", "clip": "clips/none.vrma"},
        {"name": "c", "gestures": [{"clip": "builtin#wave", "start": 1.5}]}]}"#;
    let expected = [
        ("error", "stances[0].gestures[0].clip", "no such file"),
        ("error", "stances[0].gestures[1].clip", "no such file"),
        ("error", "stances[1].clip", "no such file"),
        ("error", "stances[0].gestures[3].clip", "wave"),
        ("error", "stances[0].gestures[2].end", "is 99"),
        ("error", "stances[0].transitions[0].to", "nowhere"),
        ("warning", "stances[2]", "cannot be reached"),
        ("warning", "stances[2]", "cannot be left"),
        ("warning", "stances[1]", "cannot be left"),
        ("warning", "stances[2].gestures[0]", "its first pose is"),
    ];
    check("all", text, 1, &expected);
}

#[test]
fn a_clip_that_does_not_fit_its_stance_is_a_warning_with_degrees_and_bone() {
    let text =
        r#"{"version": 1, "stances": [{"name": "a", "gestures": [{"clip": "builtin#wave", "end": 1.5}]}]}"#;
    check("misfit", text, 0, &[("warning", "stances[0].gestures[0]", "° off the stance “a” at right")]);
}

#[test]
fn the_files_beside_it_are_checked_too() {
    let folder = Folder::new("beside");
    let eve = folder.character("eve", r#"{"version": 1, "stances": [{"name": "a"}]}"#);
    fs::write(format!("{eve}/character.toml"), "version = 1\navatar = \"none.vrm\"").unwrap();
    fs::write(format!("{eve}/behaviour.json"), "{").unwrap();
    let (checked, status) = json_of(&["repertoire", "check", &eve, "--json"]);
    let paths: Vec<&str> =
        checked["faults"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!((status, &paths[..]), (1, &["avatar", "behaviour"][..]));
    let (text, status) = printed(&["repertoire", "check", &folder.path("none")]);
    assert!(status == 1 && text.contains("no such folder"), "{text}");
}

#[test]
fn the_built_in_character_can_be_used_as_it_is() {
    let (text, status) = printed(&["repertoire", "check", "builtin"]);
    assert!(status == 0 && text.contains("is usable") && text.contains("gestures"), "{text}");
}

const THREE: &str = r#"{"version": 1, "stances": [
    {"name": "standing", "transitions": [{"to": "sitting", "clip": "builtin#stretch"}]},
    {"name": "sitting", "gestures": [{"clip": "clips/none.fbx"}]},
    {"name": "a <b> & c", "transitions": [{"to": "standing"}]}]}"#;

#[test]
fn a_graph_is_a_picture_with_every_stance() {
    let folder = Folder::new("graph");
    let eve = folder.character("eve", THREE);
    let (svg, png) = (folder.path("g.svg"), folder.path("g.png"));
    let (drawn, status) = json_of(&["repertoire", "graph", &eve, "-o", &svg, "--json"]);
    assert_eq!(status, 0);
    let stances = drawn["groups"][0]["stances"].as_array().unwrap();
    assert_eq!(stances[1]["isDeadEnd"], true);
    assert_eq!(stances[2]["isUnreachable"], true);
    assert_eq!(
        stances[0]["transitions"][0],
        json!({"to": "sitting", "names": ["stretch"], "areBlends": false})
    );
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    for words in ["standing", "sitting", "a &lt;b&gt; &amp; c", "stretch", "dead end", "unreachable"] {
        assert!(text.contains(&format!(">{words}<")), "{words}: {text}");
    }
    assert_eq!(printed(&["repertoire", "graph", &eve, "-o", &png]).1, 0);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn a_graph_needs_a_file_of_a_known_kind() {
    let (text, status) = printed(&["repertoire", "graph", "builtin"]);
    assert!(status == 2 && text.contains("--output <FILE>"), "{text}");
    let (text, status) = printed(&["repertoire", "graph", "builtin", "-o", "x.jpg"]);
    assert!(status == 1 && text.contains(".svg or .png"), "{text}");
}

#[test]
fn starter_clips_are_recognised_and_a_bad_file_spoils_only_the_status() {
    let folder = Folder::new("suggest");
    let takes = folder.clips(&["wave", "nod", "idle_breathe"]);
    let bad = folder.path("bad.bvh");
    fs::write(&bad, "nothing").unwrap();
    let (all, status) = json_of(&["repertoire", "suggest", &takes, &bad, "--json"]);
    let all = all.as_array().unwrap();
    assert_eq!((status, all.len()), (1, 4));
    let of = |name: &str| all.iter().find(|s| s["clip"] == name).unwrap();
    assert_eq!(of("wave")["type"]["value"], "gesture");
    assert_eq!(of("wave")["hand"]["value"], "R");
    assert!(of("wave")["file"].as_str().unwrap().ends_with("takes/wave.vrma"));
    assert_eq!(of("idle_breathe")["type"]["value"], "stance");
    assert!(all[3]["error"].as_str().unwrap().contains("bad.bvh"));
    let (text, status) = printed(&["repertoire", "suggest", &takes]);
    assert_eq!(status, 0);
    for words in ["gesture 9", "positive", "The head nods"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn suggestions_use_the_names_of_a_characters_own_stances() {
    let folder = Folder::new("known");
    let takes = folder.clips(&["wave"]);
    let eve = folder.character("eve", r#"{"version": 1, "stances": [{"name": "at ease"}]}"#);
    let (all, _) = json_of(&["repertoire", "suggest", &takes, "--character", &eve, "--json"]);
    assert_eq!(all[0]["stance"]["value"], "at ease");
    let (all, _) = json_of(&["repertoire", "suggest", &takes, "--json"]);
    assert_eq!(all[0]["stance"]["value"], "standing");
}

#[test]
fn real_clips_become_a_character_that_can_be_planned_with() {
    let Some(clips) = vivant_testing::data("mocap/fbx_rocketbox") else { return };
    let folder = Folder::new("real");
    let clips = clips.display().to_string();
    let eve = folder.path("eve");
    let (added, status) = json_of(&["repertoire", "add", &clips, "--character", &eve, "--json"]);
    assert_eq!(status, 0);
    let count = added["added"].as_array().unwrap().len();
    assert_eq!(fs::read_dir(format!("{eve}/clips")).unwrap().count(), count);
    let (text, status) = printed(&["plan", "--character", &eve, "--seconds", "60"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn the_repertoire_in_the_guide_is_valid_except_for_its_clips() {
    let guide = include_str!("../../../docs/guides/repertoire.md");
    let text = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let places = [
        "stances[0].clip",
        "stances[0].gestures[0].clip",
        "stances[0].fidgets[0].clip",
        "stances[0].transitions[0].clip",
        "stances[1].clip",
    ];
    check("guide", text, 1, &places.map(|place| ("error", place, "no such file")));
}
