//! Finds the files that belong to one recording.
//!
//! Several devices write samples, blinks and head rotation into separate files. Users select one of them, so the others
//! are found by their names: [`companions`] returns them for a file, and [`in_folder`] returns all files of a folder
//! that is a recording. Both work on names only and read no file. Read the contents and pass them to
//! [`read`](super::read), the main file first.

/// Name endings of files that belong together.
const GROUPS: [&[&str]; 4] = [
    &["gaze.csv", "3d_eye_states.csv", "blinks.csv", "imu.csv"],
    &["gazedata.gz", "imudata.gz"],
    &["gazedata", "imudata"],
    &["samples.asc", "events.asc"],
];

/// Starts of the names of a Neon's native files.
const NEON: [&str; 4] = ["eye_state", "gaze", "blinks", "imu"];

/// Returns the names of the other files in a folder that belong to the same recording, in the order that
/// [`super::read`] expects.
#[must_use]
pub fn companions(name: &str, in_folder: &[String]) -> Vec<String> {
    let others = || in_folder.iter().filter(|other| other.as_str() != name);
    if is_neon(name) {
        return others().filter(|other| is_neon(other) || *other == "info.json").cloned().collect();
    }
    for group in GROUPS {
        let Some(ending) = group.iter().filter(|ending| name.ends_with(*ending)).max_by_key(|e| e.len())
        else {
            continue;
        };
        let stem = &name[..name.len() - ending.len()];
        let belongs = |other: &&String| group.iter().any(|ending| other.strip_prefix(stem) == Some(ending));
        return others().filter(belongs).cloned().collect();
    }
    sibling_events(name)
        .map_or_else(Vec::new, |wanted| others().filter(|other| **other == wanted).cloned().collect())
}

/// Returns the name of the events file of a samples file, or the reverse. EyeLink's converter writes samples and
/// events into one file or two: `a_samples_x.asc`, `a_events_x.asc`.
fn sibling_events(name: &str) -> Option<String> {
    if !name.ends_with(".asc") {
        return None;
    }
    [("samples", "events"), ("events", "samples")]
        .iter()
        .find_map(|(own, other)| name.contains(own).then(|| name.replacen(own, other, 1)))
}

fn is_neon(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let Some((kind, part)) = stem.rsplit_once(" ps") else { return false };
    ["raw", "time"].contains(&ending) && NEON.contains(&kind) && part.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the files of a recording that is a whole folder, the main file first; `None` if the folder is not a
/// recording.
#[must_use]
pub fn in_folder(names: &[String]) -> Option<Vec<String>> {
    let is_main = |name: &&String| {
        name.starts_with("eye_state ps") && name.ends_with(".raw")
            || ["3d_eye_states.csv", "gaze.csv", "gazedata.gz", "gazedata"].contains(&name.as_str())
    };
    let mut mains: Vec<&String> = names.iter().filter(is_main).collect();
    mains.sort();
    let main = mains.first()?;
    let mut all = vec![(*main).clone()];
    all.extend(companions(main, names));
    Some(all)
}
