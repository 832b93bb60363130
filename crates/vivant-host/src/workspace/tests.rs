use super::*;
use api::{ClipType, Edit, NewCharacter, Place};
use std::fs;
use vivant::body::repertoire::{Action, Hand, Repertoire, Stance, Transition};
use vivant::eyes::Temperament;

mod clips;

/// A temporary folder of characters that is deleted after the test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-workspace-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn open(&self) -> Workspace {
        Workspace::open(self.0.clone(), &cast(None)).unwrap()
    }

    /// Creates one character with an empty repertoire.
    fn with_one(name: &str) -> (Self, Workspace) {
        let home = Self::new(name);
        let workspace = home.open();
        create(&workspace, "Eve", None);
        (home, workspace)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join("eve").join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A first character without clips.
fn cast(character: Option<&str>) -> FirstCharacter {
    FirstCharacter { character: character.map(PathBuf::from), avatar: BUILT_IN.into(), clips: Vec::new() }
}

fn create(workspace: &Workspace, name: &str, from: Option<&str>) -> api::Character {
    workspace.create(&NewCharacter { name: name.into(), from: from.map(str::to_owned) }).unwrap()
}

fn edit(revision: u64, what: &str) -> Edit {
    Edit { revision, what: what.into(), repertoire: None, temperament: None, name: None }
}

fn standing() -> Repertoire {
    Repertoire { stances: vec![Stance::new("standing", None)], ..Repertoire::default() }
}

fn errors(character: &api::Character) -> Vec<&str> {
    character.faults.iter().filter(|f| !f.is_warning).map(|fault| fault.path.as_str()).collect()
}

#[test]
fn nothing_is_created_before_it_is_needed() {
    let home = Home::new("nothing");
    let workspace = home.open();
    assert_eq!(workspace.list().iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["builtin"]);
    assert_eq!(workspace.first(), "builtin");
    assert!(!home.0.exists());
}

#[test]
fn create_edit_and_undo_work_across_restarts() {
    let (home, workspace) = Home::with_one("life");
    let (sender, changes) = std::sync::mpsc::channel();
    workspace.on_change(move |changed| {
        let _ = sender.send(changed.revision);
    });
    let new = workspace.character("eve").unwrap();
    assert_eq!((new.name.as_str(), new.revision, new.read_only), ("Eve", 1, false));
    assert_eq!(
        (new.undo, new.redo, errors(&workspace.character("eve").unwrap())),
        (None, None, vec!["stances"])
    );
    let stands = Edit { repertoire: Some(standing()), ..edit(1, "stand") };
    let after = workspace.edit("eve", &stands).unwrap();
    assert_eq!((after.revision, after.undo.as_deref(), after.faults.len()), (2, Some("stand"), 0));
    let calm = Temperament { liveliness: 0.5, ..Temperament::default() };
    let named = Edit { name: Some("Ada".into()), temperament: Some(calm), ..edit(2, "be Ada") };
    workspace.edit("eve", &named).unwrap();

    let workspace = home.open();
    assert_eq!(workspace.first(), "eve");
    let again = workspace.character("eve").unwrap();
    assert_eq!((again.name.as_str(), again.revision, again.temperament.liveliness), ("Ada", 3, 0.5));
    let undone = workspace.undo("eve").unwrap();
    assert_eq!((undone.name.as_str(), undone.revision, undone.redo.as_deref()), ("Eve", 4, Some("be Ada")));
    assert_eq!(home.open().redo("eve").unwrap().name, "Ada");
    let changes: Vec<u64> = changes.try_iter().collect();
    assert_eq!(changes, [2, 3]);
}

#[test]
fn edits_of_old_revisions_are_rejected() {
    let (home, workspace) = Home::with_one("stale");
    workspace.edit("eve", &Edit { name: Some("Ada".into()), ..edit(1, "be Ada") }).unwrap();
    let before = home.text("character.toml");
    for revision in [0, 1, 3] {
        let fault = workspace
            .edit("eve", &Edit { name: Some("Bea".into()), ..edit(revision, "be Bea") })
            .unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::Conflict);
        assert!(fault.to_string().contains("be Ada") && fault.to_string().contains("revision 2"), "{fault}");
        let place = Place { revision, clips: Vec::new(), kind: None, stance: None, to: None };
        assert_eq!(workspace.place("eve", &place).unwrap_err().kind(), ErrorKind::Conflict);
    }
    assert_eq!(home.text("character.toml"), before);
}

#[test]
fn read_only_and_unknown_characters_cannot_be_changed() {
    let (_home, workspace) = Home::with_one("fixed");
    for (id, kind, part) in [
        ("builtin", ErrorKind::ReadOnly, "read-only"),
        ("evee", ErrorKind::NotFound, "did you mean `eve`?"),
        ("../eve", ErrorKind::NotFound, "no character"),
        ("", ErrorKind::NotFound, "no character"),
    ] {
        let place = Place { revision: 1, clips: Vec::new(), kind: None, stance: None, to: None };
        let faults = [
            workspace.edit(id, &edit(1, "x")).unwrap_err(),
            workspace.place(id, &place).unwrap_err(),
            workspace.undo(id).unwrap_err(),
            workspace.redo(id).unwrap_err(),
            workspace.add_clips(id, "a.bvh", Vec::new()).unwrap_err(),
            workspace.set_avatar(id, "a.vrm", Vec::new()).unwrap_err(),
        ];
        for fault in faults {
            assert_eq!(fault.kind(), kind, "{id}: {fault}");
            assert!(fault.to_string().contains(part), "{id}: {fault}");
        }
    }
}

#[test]
fn comments_in_a_manifest_are_kept() {
    let (home, workspace) = Home::with_one("comments");
    let text = "# mine\nversion = 1 # one\nname = \"Eve\"\navatar = \"builtin\"\n\n[temperament]\n# she is calm\nliveliness = 0.2\n";
    fs::write(home.file("character.toml"), text).unwrap();
    let calmer = Temperament { liveliness: 0.1, ..Temperament::default() };
    // Edits by hand count as changes.
    let revision = workspace.character("eve").unwrap().revision;
    workspace.edit("eve", &Edit { temperament: Some(calmer), ..edit(revision, "calmer") }).unwrap();
    assert_eq!(home.text("character.toml"), text.replace("0.2", "0.1"));
    workspace.undo("eve").unwrap();
    assert_eq!(home.text("character.toml"), text);
}

#[test]
fn broken_files_are_reported_and_can_be_undone() {
    let (home, workspace) = Home::with_one("broken");
    let after = workspace.edit("eve", &Edit { repertoire: Some(standing()), ..edit(1, "stand") }).unwrap();
    for (file, text, path) in [
        ("repertoire.json", "{\"version\": 1, \"stances\": [{}]}", "stances[0]"),
        ("repertoire.json", "{", "repertoire.json"),
        ("character.toml", "version = 1\nx", "character.toml"),
        ("character.toml", "version = 1\navatar = \"none.vrm\"", "avatar"),
        ("behaviour.json", "[]", "behaviour.json"),
    ] {
        let before = workspace.character("eve").unwrap();
        fs::write(home.file(file), text).unwrap();
        let broken = workspace.character("eve").unwrap();
        assert_eq!(errors(&broken), [path], "{file}: {:?}", broken.faults);
        assert!(
            workspace.ready("eve").unwrap().bound.library.graph().is_some(),
            "a fallback must be able to perform"
        );
        if file == "behaviour.json" {
            fs::remove_file(home.file(file)).unwrap();
        } else {
            assert_eq!(
                (broken.revision, broken.undo.as_deref()),
                (before.revision + 1, Some("changed outside"))
            );
            workspace.undo("eve").unwrap();
        }
        assert_eq!(workspace.character("eve").unwrap().faults, after.faults);
    }
}

#[test]
fn an_invalid_manifest_is_not_overwritten() {
    let (home, workspace) = Home::with_one("unread");
    fs::write(home.file("character.toml"), "version = 1\nname = \"Eve").unwrap();
    let revision = workspace.character("eve").unwrap().revision;
    let fault = workspace.edit("eve", &Edit { name: Some("Ada".into()), ..edit(revision, "x") }).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::Invalid);
    assert!(fault.to_string().starts_with("character.toml: line 2"), "{fault}");
    // The repertoire can still be changed, until it cannot be read either.
    let stand = |revision| Edit { repertoire: Some(standing()), ..edit(revision, "stand") };
    workspace.edit("eve", &stand(revision)).unwrap();
    fs::write(home.file("repertoire.json"), "{\"version\": 1, mine").unwrap();
    let revision = workspace.character("eve").unwrap().revision;
    let fault = workspace.edit("eve", &stand(revision)).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::Invalid);
    assert!(
        fault.to_string().contains("repertoire.json: cannot be read, so it is not overwritten"),
        "{fault}"
    );
    assert_eq!(home.text("repertoire.json"), "{\"version\": 1, mine");
}

#[test]
fn edits_without_effect_are_not_recorded() {
    let (home, workspace) = Home::with_one("same");
    fs::write(
        home.file("repertoire.json"),
        "{ \"stances\": [ { \"name\": \"standing\" } ], \"version\": 1 }",
    )
    .unwrap();
    let before = workspace.character("eve").unwrap();
    let same =
        Edit { name: Some("Eve".into()), repertoire: Some(standing()), ..edit(before.revision, "same") };
    let after = workspace.edit("eve", &same).unwrap();
    let none = Place { revision: before.revision, clips: Vec::new(), kind: None, stance: None, to: None };
    assert_eq!(
        (after.revision, workspace.place("eve", &none).unwrap().character.revision),
        (before.revision, before.revision)
    );
    assert!(home.text("repertoire.json").starts_with("{ \"stances\": [ {"));
    // If only the temperament changes, the library stays the same.
    let ready = workspace.ready("eve").unwrap();
    let calm = Temperament { liveliness: 0.5, ..Temperament::default() };
    workspace.edit("eve", &Edit { temperament: Some(calm), ..edit(before.revision, "calm") }).unwrap();
    assert!(Arc::ptr_eq(&ready.bound.library, &workspace.ready("eve").unwrap().bound.library));
}

#[test]
fn the_built_in_character_can_be_copied() {
    let (home, workspace) = Home::with_one("copy");
    let copy = create(&workspace, "Eve", Some("builtin"));
    assert_eq!((copy.id.as_str(), copy.faults.len()), ("eve-2", 0));
    let original = workspace.character("builtin").unwrap();
    assert_eq!(copy.repertoire, original.repertoire);
    let used: Vec<_> = original.clips.into_iter().filter(|clip| !clip.places.is_empty()).collect();
    assert_eq!(copy.clips, used);
    assert!(copy.clips.iter().all(|clip| clip.clip.starts_with("builtin#") && !clip.places.is_empty()));
    let again = create(&workspace, "Eve", Some("eve-2"));
    assert_eq!((again.id.as_str(), &again.repertoire), ("eve-3", &original.repertoire));
    assert_eq!(home.open().list().len(), 4);
    assert!(
        fs::read_dir(&home.0).unwrap().flatten().all(|e| !e.file_name().to_string_lossy().starts_with('.'))
    );
}

#[test]
fn valid_parts_of_a_repertoire_are_performed() {
    let (_home, workspace) = Home::with_one("sound");
    let mut repertoire = standing();
    let gesture = |clip: &str| Action::new(format!("builtin#{clip}"));
    repertoire.stances[0].gestures =
        vec![gesture("wave"), gesture("nothing"), Action { start: 99.0, ..gesture("nod") }];
    repertoire.stances[0].transitions = vec![Transition::new("nowhere", None)];
    let after = workspace.edit("eve", &Edit { repertoire: Some(repertoire), ..edit(1, "much") }).unwrap();
    let places =
        ["stances[0].gestures[1].clip", "stances[0].gestures[2].start", "stances[0].transitions[0].to"];
    for place in places {
        let found = errors(&after);
        assert!(found.iter().any(|path| place.starts_with(path)), "{place} in {found:?}");
    }
    let ready = workspace.ready("eve").unwrap();
    let names: Vec<&str> =
        ready.bound.library.graph().unwrap().actions().iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["wave"]);
    assert!(
        Arc::ptr_eq(&ready, &workspace.ready("eve").unwrap()),
        "it must stay the same until something changes"
    );
}

#[test]
fn a_given_avatar_can_be_copied_with_all_files() {
    let home = Home::new("cast");
    let folder = Home::new("cast-files");
    fs::create_dir_all(&folder.0).unwrap();
    let path = |name: &str| folder.0.join(name).display().to_string();
    let (body, wave) = (path("me.vrm"), path("wave.bvh"));
    fs::write(&body, &ImportedFile::built_in().file().bytes).unwrap();
    fs::write(&wave, clips::bvh("wave")).unwrap();
    let with_clips = FirstCharacter { character: None, avatar: (&body).into(), clips: vec![(&wave).into()] };
    for (cast, improvises, clips) in
        [(with_clips, true, vec!["clips/wave.bvh"]), (cast(Some(&body)), false, vec![])]
    {
        let workspace = Workspace::open(home.0.clone(), &cast).unwrap();
        assert_eq!(workspace.first(), "cast");
        let ready = workspace.ready("cast").unwrap();
        assert_eq!(
            (ready.bound.behaviour.is_none(), ready.bound.library.graph().is_none()),
            (improvises, improvises)
        );
        assert_eq!(workspace.undo("cast").unwrap_err().kind(), ErrorKind::ReadOnly);
        let copy = create(&workspace, "Copy", Some("cast"));
        assert_eq!((copy.avatar.name.as_str(), copy.avatar.model), ("me.vrm", api::Model::Vrm));
        let files: Vec<&str> =
            copy.clips.iter().map(|c| c.clip.as_str()).filter(|c| !c.starts_with("builtin#")).collect();
        assert_eq!((files, copy.repertoire.stances.is_empty()), (clips, improvises));
    }
    assert!(Workspace::open(home.0.clone(), &cast(Some("nowhere"))).is_err());
}

#[test]
fn a_folder_elsewhere_is_listed() {
    let (home, _) = Home::with_one("named");
    let other = Home::new("named-elsewhere");
    let folder = home.0.join("eve").display().to_string();
    let workspace = Workspace::open(other.0.clone(), &cast(Some(&folder))).unwrap();
    assert_eq!((workspace.first().as_str(), workspace.list().len()), ("eve", 2));
    workspace.edit("eve", &Edit { repertoire: Some(standing()), ..edit(1, "stand") }).unwrap();
    assert!(home.text("repertoire.json").contains("standing") && !other.0.exists());
    // In its own home folder it is not listed twice.
    let own = Workspace::open(home.0.clone(), &cast(Some(&folder))).unwrap();
    assert_eq!(own.list().len(), 2);
}
