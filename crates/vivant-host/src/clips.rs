//! Clips by their references in a repertoire: `clips/wave.fbx`, `all.glb#Wave`, `builtin#wave`.
//!
//! A reference is the path of a file in the character's folder. If the file has several clips, `#` and the name of a
//! clip follow. [`FileClips`] has the clips of one file and finds the referenced clip. [`Clips`] has the clips of a
//! whole repertoire. This module does not access the disk, so the browser uses it too.

use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::body::repertoire::{Repertoire, short_name};
use vivant::clip::Clip;
use vivant_io::json::words;
use vivant_io::{Error, Result, Warning};

/// The name of the built-in character.
pub const BUILT_IN: &str = "builtin";

/// Clips by their references in a repertoire.
pub type Clips = BTreeMap<String, Arc<Clip>>;

/// The clips of one file.
#[derive(Clone, Debug, Default)]
pub struct FileClips {
    /// Each clip with its name in the file. The name inside the [`Clip`] is the display name.
    pub clips: Vec<(String, Arc<Clip>)>,
    /// Warnings about data that was dropped or guessed.
    pub warnings: Vec<Warning>,
}

impl FileClips {
    /// Creates the list from the clips of a file. A single clip gets the name of the file as its display name.
    #[must_use]
    pub fn of(file: &str, clips: Vec<Clip>, warnings: Vec<Warning>) -> Self {
        let is_alone = clips.len() == 1 && file != BUILT_IN;
        let named = |mut clip: Clip| {
            let own = clip.name().to_owned();
            if is_alone {
                clip.set_name(short_name(file));
            }
            (own, Arc::new(clip))
        };
        Self { clips: clips.into_iter().map(named).collect(), warnings }
    }

    /// Returns the clips of the built-in character.
    #[must_use]
    pub fn built_in() -> Self {
        Self::of(BUILT_IN, vivant_mannequin::starter_clips(), Vec::new())
    }

    /// Reads a file. The file must not refer to other files.
    ///
    /// # Errors
    /// If the file cannot be read, or contains no humanoid motion.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self> {
        let import = vivant_io::import(file, bytes, &mut no_other_files)?;
        if import.clips.is_empty() {
            let what = if import.humanoid.is_some() { "motion" } else { "humanoid" };
            return Err(Error::new(format!("contains no {what}; export it with one")).in_file(file));
        }
        Ok(Self::of(file, import.clips, import.warnings))
    }

    /// Returns the clip with the reference `spelling`. `name` is the part of the reference after the `#`, if any.
    ///
    /// # Errors
    /// If there is no such clip, or if the file has several clips and no name is given. The error lists the clips of
    /// the file.
    pub fn spelled(&self, file: &str, name: Option<&str>, spelling: &str) -> Result<Arc<Clip>, String> {
        let mut clip = Arc::clone(self.chosen(file, name)?);
        if clip.name() != short_name(spelling) {
            Arc::make_mut(&mut clip).set_name(short_name(spelling));
        }
        Ok(clip)
    }

    fn chosen(&self, file: &str, name: Option<&str>) -> Result<&Arc<Clip>, String> {
        let names = || self.clips.iter().map(|(name, _)| name.as_str());
        match (name, &self.clips[..]) {
            (Some(name), all) => {
                all.iter().find(|(own, _)| own == name).map(|(_, clip)| clip).ok_or_else(|| {
                    let hint = words::hint(name, names());
                    format!("{file}: contains no clip `{}`; {hint}", words::short(name))
                })
            }
            (None, [(_, clip)]) => Ok(clip),
            (None, several) => {
                let example = names().next().unwrap_or_default();
                let all: Vec<String> = names().take(10).map(words::short).collect();
                Err(format!(
                    "{file}: contains {} clips; choose one, as in {file}#{example}: {}",
                    several.len(),
                    all.join(", ")
                ))
            }
        }
    }
}

/// Rejects references to other files, for imports from bytes without a folder.
pub(crate) fn no_other_files(file: &str) -> Result<Vec<u8>> {
    Err(Error::new(format!("refers to another file, {file}; save it as a single .glb or .vrm")))
}

/// Returns every clip reference in a repertoire with its path, such as `stances[0].clip`.
#[must_use]
pub fn named(repertoire: &Repertoire) -> Vec<(&str, String)> {
    let mut named: Vec<(&str, String)> = Vec::new();
    for (s, stance) in repertoire.stances.iter().enumerate() {
        named.extend(stance.clip.as_deref().map(|clip| (clip, format!("stances[{s}].clip"))));
        for (field, actions) in [("gestures", &stance.gestures), ("fidgets", &stance.fidgets)] {
            let places = actions.iter().enumerate();
            named
                .extend(places.map(|(i, action)| (&*action.clip, format!("stances[{s}].{field}[{i}].clip"))));
        }
        for (i, transition) in stance.transitions.iter().enumerate() {
            let place = || format!("stances[{s}].transitions[{i}].clip");
            named.extend(transition.clip.as_deref().map(|clip| (clip, place())));
        }
    }
    named
}
