//! One error and one warning for all formats.

use serde::Serialize;
use std::fmt;

/// Why a file could not be read or written, in words that name the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    file: Option<String>,
    place: Option<String>,
    message: String,
}

/// A result of reading or writing.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error at a place within a file: a field's path (`nodes[3].rotation`), a line (`line 12`).
    pub fn at(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { file: None, place: Some(place.to_string()), message: message.to_string() }
    }

    /// An error of the file as a whole.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { file: None, place: None, message: message.to_string() }
    }

    /// The same error with the file's name, unless it already has one.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.file.get_or_insert_with(|| file.to_string());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.file, &self.place].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<vivant::Error> for Error {
    fn from(error: vivant::Error) -> Self {
        Self::new(error)
    }
}

/// Something that was read but cannot be kept, or was guessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Warning {
    /// What kind of loss it is; stable, for programs.
    pub code: WarningCode,
    /// Where in the file, as in [`Error::at`].
    pub place: String,
    /// What was dropped or guessed, for people.
    pub message: String,
}

/// Kinds of [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningCode {
    /// Part of the file was left out because Vivant has no place for it.
    Dropped,
    /// Something was missing and was filled in by a rule.
    Guessed,
    /// A value was out of its range and was changed.
    Repaired,
    /// The avatar cannot show something that the motion has.
    CannotShow,
    /// The file breaks its format's rules in a way that did no harm.
    Malformed,
}

impl Warning {
    /// A warning with its place and sentence.
    pub fn new(code: WarningCode, place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { code, place: place.to_string(), message: message.to_string() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
