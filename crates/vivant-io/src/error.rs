//! One error and one warning for all formats.

use serde::Serialize;
use std::fmt;

/// Why a file could not be read or written, in words that name the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    file: Option<String>,
    place: Option<String>,
    message: String,
    more: Vec<Self>,
    untold: usize,
}

/// How many faults of one file are told; whoever has more mends these first.
const TOLD: usize = 20;

/// A result of reading or writing.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error at a place within a file: a field's path (`nodes[3].rotation`), a line (`line 12`).
    pub fn at(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { place: Some(place.to_string()), ..Self::new(message) }
    }

    /// An error of the file as a whole.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { file: None, place: None, message: message.to_string(), more: Vec::new(), untold: 0 }
    }

    /// All faults of a file as one error, which tells the first 20; `None` if there are none.
    #[must_use]
    pub fn all(faults: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        for mut fault in faults {
            let beyond = std::mem::take(&mut fault.more);
            first.untold += fault.untold;
            first.more.push(fault);
            first.more.extend(beyond);
        }
        first.untold += first.more.len().saturating_sub(TOLD - 1);
        first.more.truncate(TOLD - 1);
        Some(first)
    }

    /// How many faults this tells of.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len() + self.untold
    }

    /// The same error with the file's name, unless it already has one.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        for fault in std::iter::once(&mut self.file).chain(self.more.iter_mut().map(|more| &mut more.file)) {
            fault.get_or_insert_with(|| file.to_string());
        }
        self
    }

    /// The same error within a larger place: `[2].clip` within `gestures` is `gestures[2].clip`.
    #[must_use]
    pub(crate) fn within(mut self, outer: &str) -> Self {
        for place in std::iter::once(&mut self.place).chain(self.more.iter_mut().map(|more| &mut more.place))
        {
            *place = Some(match place.take() {
                Some(inner) if inner.starts_with('[') => format!("{outer}{inner}"),
                Some(inner) => format!("{outer}.{inner}"),
                None => outer.to_owned(),
            });
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.file, &self.place].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)?;
        for fault in &self.more {
            write!(f, "\n{fault}")?;
        }
        match self.untold {
            0 => Ok(()),
            untold => write!(f, "\nand {untold} more like these"),
        }
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
