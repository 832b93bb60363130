//! The clips of files, by how a repertoire spells them: `clips/wave.fbx`, `all.glb#Wave`, `builtin#wave`.

use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::body::repertoire::{Repertoire, short_name};
use vivant::clip::Clip;
use vivant_io::json::words;
use vivant_io::{Error, Result, Warning};

/// How the built-in character is spelled.
pub const BUILT_IN: &str = "builtin";

/// Clips by how a repertoire spells them.
pub type Clips = BTreeMap<String, Arc<Clip>>;

/// The clips of one file.
#[derive(Clone, Debug, Default)]
pub struct FileClips {
    /// Each with its name in the file; the clip itself is called as people see it.
    pub clips: Vec<(String, Arc<Clip>)>,
    /// What was dropped or guessed.
    pub warnings: Vec<Warning>,
}

impl FileClips {
    /// Of a file, by its name. A clip that is alone in its file is called as the file.
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

    /// Those of the built-in character.
    #[must_use]
    pub fn built_in() -> Self {
        Self::of(BUILT_IN, vivant_mannequin::starter_clips(), Vec::new())
    }

    /// Reads a file, which has to hold all of itself.
    ///
    /// # Errors
    /// If it cannot be read, or has no motion of a humanoid in it.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self> {
        let import = vivant_io::import(file, bytes, &mut alone)?;
        if import.clips.is_empty() {
            let what = if import.humanoid.is_some() { "motion" } else { "humanoid" };
            return Err(Error::new(format!("there is no {what} in it; export it with one")).in_file(file));
        }
        Ok(Self::of(file, import.clips, import.warnings))
    }

    /// The clip that is meant by a spelling, of which `name` is what follows the `#`, if anything does.
    ///
    /// # Errors
    /// If there is none of that name, or no name and several clips, with those that there are.
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
                    format!("{file}: there is no clip `{}` in it; {hint}", words::short(name))
                })
            }
            (None, [(_, clip)]) => Ok(clip),
            (None, several) => {
                let example = names().next().unwrap_or_default();
                let all: Vec<String> = names().take(10).map(words::short).collect();
                Err(format!(
                    "{file}: there are {} clips in it; say which, as in {file}#{example}: {}",
                    several.len(),
                    all.join(", ")
                ))
            }
        }
    }
}

/// For who has one file's bytes and no folder.
pub(crate) fn alone(file: &str) -> Result<Vec<u8>> {
    Err(Error::new(format!("it needs {file}, which is another file; save it as one .glb or .vrm")))
}

/// Every place of a repertoire that names a clip, and the clip.
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
