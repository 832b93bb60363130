use super::*;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-history-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Copies all files to another folder.
    fn copy(&self, name: &str) -> Self {
        let copy = Self::new(name);
        for file in disk::all_below(&self.0) {
            fs::create_dir_all(copy.0.join(&file).parent().unwrap()).unwrap();
            fs::copy(self.0.join(&file), copy.0.join(&file)).unwrap();
        }
        copy
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn state(number: usize) -> State {
    State {
        manifest: Some(format!("version = 1 # {number}\n")),
        repertoire: Some(format!("{{\"version\": 1, \"stances\": []}} {number}")),
    }
}

/// Creates a character with states 0 to `last`.
fn with_states(name: &str, last: usize) -> (Folder, History) {
    let folder = Folder::new(name);
    state(0).write(&folder.0, &State::default()).unwrap();
    let mut history = History::open(&folder.0).unwrap();
    for number in 1..=last {
        history.record(&format!("step {number}"), state(number)).unwrap();
    }
    (folder, history)
}

#[test]
fn reading_does_not_write() {
    let (folder, history) = with_states("look", 0);
    assert_eq!((history.revision(), history.undo_label(), history.redo_label()), (1, None, None));
    assert!(!folder.0.join(FOLDER).exists());
}

#[test]
fn undo_and_redo_work_after_a_restart() {
    let (folder, mut history) = with_states("restart", 3);
    for (expected, label) in [(2, "step 3"), (1, "step 2"), (0, "step 1")] {
        assert_eq!(history.undo_label(), Some(label));
        assert_eq!(history.undo().unwrap(), label);
        assert_eq!(State::read(&folder.0).unwrap(), state(expected));
        history = History::open(&folder.0).unwrap();
        assert_eq!((history.present(), history.redo_label()), (&state(expected), Some(label)));
    }
    assert!(history.undo().unwrap_err().to_string().contains("nothing left"));
    for expected in 1..=3 {
        history.redo().unwrap();
        assert_eq!(State::read(&folder.0).unwrap(), state(expected));
    }
    assert!(history.redo().unwrap_err().to_string().contains("nothing to redo"));
    assert_eq!(history.revision(), 1 + 3 + 3 + 3);
}

#[test]
fn a_change_after_an_undo_drops_the_undone_states() {
    let (folder, mut history) = with_states("drop", 3);
    history.undo().unwrap();
    history.undo().unwrap();
    history.record("other", state(9)).unwrap();
    assert_eq!((history.undo_label(), history.redo_label()), (Some("other"), None));
    // The states of steps 2 and 3 are gone, also from disk.
    assert_eq!(disk::all_below(&folder.0.join(FOLDER)), ["1.json", "2.json", "5.json", "head"]);
    history.undo().unwrap();
    assert_eq!(history.present(), &state(1));
}

#[test]
fn the_oldest_states_are_dropped() {
    let (folder, mut history) = with_states("many", MAX_STATES + 20);
    assert_eq!(fs::read_dir(folder.0.join(FOLDER)).unwrap().count(), MAX_STATES + 1);
    for _ in 1..MAX_STATES {
        history.undo().unwrap();
    }
    assert!(history.undo().is_err());
    assert_eq!(history.present(), &state(21));
}

#[test]
fn changes_made_by_hand_can_be_undone() {
    let (folder, mut history) = with_states("outside", 1);
    put(&folder.0.join(REPERTOIRE), Some("by hand")).unwrap();
    assert!(history.record_outside_change(State::read(&folder.0).unwrap()).unwrap());
    assert_eq!((history.revision(), history.undo_label()), (3, Some(OUTSIDE)));
    // The same for the other file, while the character is not open.
    put(&folder.0.join(MANIFEST), Some("version = 1 # by hand")).unwrap();
    let mut history = History::open(&folder.0).unwrap();
    assert_eq!((history.revision(), history.undo_label()), (4, Some(OUTSIDE)));
    history.undo().unwrap();
    history.undo().unwrap();
    assert_eq!(State::read(&folder.0).unwrap(), state(1));
    // A deleted file is restored too.
    fs::remove_file(folder.0.join(MANIFEST)).unwrap();
    let mut history = History::open(&folder.0).unwrap();
    history.undo().unwrap();
    assert_eq!(State::read(&folder.0).unwrap(), state(1));
}

/// A crash between any two writes of a change leaves the old state or the new one, and a usable history.
#[test]
fn a_crash_between_writes_leaves_the_old_or_new_state() {
    let change = |history: &mut History| history.record("step 3", state(3)).unwrap();
    check_crashes("record", change, 3, &[".history/4.json"]);
    check_crashes("undo", |history| drop(history.undo().unwrap()), 1, &[]);
}

fn check_crashes(name: &str, change: impl Fn(&mut History), target: usize, first: &[&str]) {
    let (before, _) = with_states(&format!("{name}-before"), 2);
    let after = before.copy(&format!("{name}-after"));
    change(&mut History::open(&after.0).unwrap());
    let mut writes: Vec<&str> = first.to_vec();
    writes.extend([".history/next", REPERTOIRE, MANIFEST, ".history/head"]);
    for done in 0..=writes.len() {
        let killed = before.copy(&format!("{name}-{done}"));
        for write in &writes[..done] {
            let source = if write.ends_with("next") { ".history/head" } else { write };
            fs::copy(after.0.join(source), killed.0.join(write)).unwrap();
        }
        let mut history = History::open(&killed.0).unwrap();
        // Once a text file has changed, the change is completed.
        let expected = if done > first.len() + 1 { target } else { 2 };
        assert_eq!(history.present(), &state(expected), "{name}: after {done} writes");
        assert_eq!(State::read(&killed.0).unwrap(), state(expected), "{name}: after {done} writes");
        assert!(!killed.0.join(".history/next").exists());
        assert_ne!(history.undo_label(), Some(OUTSIDE), "{name}: after {done} writes");
        history.undo().unwrap();
        assert_eq!(State::read(&killed.0).unwrap(), state(expected - 1), "{name}: after {done} writes");
    }
}

#[test]
fn changes_by_hand_after_a_crash_are_kept() {
    let (before, _) = with_states("hand-before", 2);
    let after = before.copy("hand-after");
    History::open(&after.0).unwrap().record("step 3", state(3)).unwrap();
    for write in [".history/4.json", ".history/next"] {
        let source = if write.ends_with("next") { ".history/head" } else { write };
        fs::copy(after.0.join(source), before.0.join(write)).unwrap();
    }
    put(&before.0.join(REPERTOIRE), Some("by hand")).unwrap();
    let mut history = History::open(&before.0).unwrap();
    assert_eq!(history.present().repertoire.as_deref(), Some("by hand"));
    history.undo().unwrap();
    assert_eq!(State::read(&before.0).unwrap(), state(2));
}

#[test]
fn a_damaged_history_starts_again() {
    let (folder, _) = with_states("damaged", 2);
    fs::write(folder.0.join(".history/head"), "{").unwrap();
    let mut history = History::open(&folder.0).unwrap();
    assert_eq!((history.present(), history.undo_label()), (&state(2), None));
    history.record("on", state(5)).unwrap();
    assert_eq!(History::open(&folder.0).unwrap().present(), &state(5));
}
