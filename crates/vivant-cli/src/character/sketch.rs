//! A character as far as it can be read: for whoever mends it, one fault must not hide the others.

use super::clips::{Clips, Found};
use super::{
    MANIFEST, REPERTOIRE, avatar, behaviour, called, clips, file, folder, learned, manifest, reading,
};
use crate::fault::{Fault, Result};
use crate::files;
use crate::material::{BUILT_IN, Material};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vivant::body::repertoire::Repertoire;
use vivant_io::character::Manifest;
use vivant_io::{Warning, json};

/// What could be read, and what could not.
pub(crate) struct Sketch {
    /// As its manifest says, or its folder.
    pub(crate) name: String,
    /// Where it lives; nowhere if it is built in.
    pub(crate) folder: PathBuf,
    /// The repertoire's file; of the built-in character it is only a name.
    pub(crate) file: PathBuf,
    /// Its body; the built-in one where its own cannot be read.
    pub(crate) avatar: Material,
    /// What it can do, if that can be read.
    pub(crate) repertoire: Option<Repertoire>,
    /// The clips that can be read, by how the repertoire spells them.
    pub(crate) clips: Clips,
    /// What is wrong with the repertoire's text: the path, if there is one, and the message.
    pub(crate) unread: Vec<(String, String)>,
    /// The first place that names a clip that cannot be had, and why it cannot.
    pub(crate) missing: Vec<(String, String)>,
    /// What is wrong with the files beside it, and which one that is.
    pub(crate) beside: Vec<(&'static str, Fault)>,
    /// What was dropped or guessed.
    pub(crate) warnings: Vec<Warning>,
}

impl Sketch {
    /// Reads a character: a folder, its `character.toml`, or `builtin`.
    ///
    /// # Errors
    /// If there is no such folder, or no repertoire in it to speak of.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            return Ok(Self::built_in());
        }
        let folder = folder(path)?;
        let mut sketch = Self::empty(&folder);
        let manifest =
            manifest(&folder).unwrap_or_else(|fault| sketch.beside("character.toml", fault.into()));
        sketch.name = manifest.name.clone().unwrap_or_else(|| called(&folder));
        sketch.avatar = avatar(&folder, &manifest, &mut sketch.warnings).unwrap_or_else(|fault| {
            sketch.beside.push(("avatar", fault));
            Material::built_in()
        });
        if let Err(fault) = behaviour(&folder, &manifest) {
            sketch.beside.push(("behaviour", fault.into()));
        }
        if let Err(fault) = learned(&folder, &manifest, &mut sketch.warnings) {
            sketch.beside.push(("learned eyes", fault.into()));
        }
        sketch.read_repertoire(&folder, &manifest)?;
        Ok(sketch)
    }

    /// The same, or an empty character where there is none yet.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and for the built-in character, which cannot be changed.
    pub(crate) fn read_or_new(path: &Path) -> Result<Self> {
        if path.as_os_str() == BUILT_IN {
            return Err(Fault::new("the built-in character cannot be changed; name a folder of your own"));
        }
        if path.is_file() || path.join(REPERTOIRE).exists() {
            return Self::read(path);
        }
        let named = match manifest(path) {
            Err(fault) if path.join(MANIFEST).exists() => return Err(fault.into()),
            Err(_) => Manifest::default(),
            Ok(manifest) if manifest.repertoire.is_some() => return Self::read(path),
            Ok(manifest) => manifest,
        };
        let mut new = Self { repertoire: Some(Repertoire::default()), ..Self::empty(path) };
        new.name = named.name.clone().unwrap_or_else(|| called(path));
        new.avatar = avatar(path, &named, &mut new.warnings)?;
        Ok(new)
    }

    fn built_in() -> Self {
        let whole = super::Character::built_in();
        let empty = Self::empty(Path::new(""));
        Self {
            name: whole.name,
            file: BUILT_IN.into(),
            repertoire: Some(whole.repertoire),
            clips: whole.clips.into_iter().map(|(name, clip)| (name, Arc::new(clip))).collect(),
            ..empty
        }
    }

    fn empty(folder: &Path) -> Self {
        Self {
            name: String::new(),
            folder: folder.to_owned(),
            file: folder.join(REPERTOIRE),
            avatar: Material::built_in(),
            repertoire: None,
            clips: Clips::new(),
            unread: Vec::new(),
            missing: Vec::new(),
            beside: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Notes a fault beside the repertoire, and goes on with what usually is there.
    fn beside<T: Default>(&mut self, what: &'static str, fault: Fault) -> T {
        self.beside.push((what, fault));
        T::default()
    }

    fn read_repertoire(&mut self, folder: &Path, manifest: &Manifest) -> Result<()> {
        self.file = file(folder, "repertoire", manifest.repertoire.as_deref().unwrap_or(REPERTOIRE))?;
        match json::repertoire::read(&files::read(&self.file)?) {
            Err(error) => {
                let told: Vec<(String, String)> = error
                    .each()
                    .map(|(place, message)| (place.unwrap_or_default().to_owned(), message.to_owned()))
                    .collect();
                let untold = error.count() - told.len();
                self.unread = told;
                if untold > 0 {
                    self.unread.push((String::new(), format!("and {untold} more like these")));
                }
            }
            Ok(repertoire) => {
                let Found { clips, missing } =
                    clips::gather(folder, &repertoire, &mut clips::read, &mut reading(), &mut self.warnings);
                (self.clips, self.missing, self.repertoire) = (clips, missing, Some(repertoire));
            }
        }
        Ok(())
    }
}
