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

/// How many faults are looked for; whoever has more has given us something else.
const SOUGHT: usize = 1000;

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
        faults.into_iter().reduce(Self::and)
    }

    /// Both as one. What is beyond the first 20 is only counted, so that a file full of faults takes no
    /// memory.
    fn and(mut self, mut other: Self) -> Self {
        let beyond = std::mem::take(&mut other.more);
        self.untold += std::mem::take(&mut other.untold);
        for fault in std::iter::once(other).chain(beyond) {
            if self.more.len() + 1 < TOLD {
                self.more.push(fault);
            } else {
                self.untold += 1;
            }
        }
        self
    }

    /// How many faults this tells of.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len() + self.untold
    }

    /// Each fault that this tells of: its place, if it has one, and its message. For whoever lists them.
    pub fn each(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        std::iter::once(self).chain(&self.more).map(|fault| (fault.place.as_deref(), fault.message.as_str()))
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

/// The faults that a reader has found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults(Option<Error>);

impl Faults {
    pub(crate) fn push(&mut self, fault: Error) {
        self.0 = Some(match self.0.take() {
            Some(before) => before.and(fault),
            None => fault,
        });
    }

    /// Whether there are so many that it is time to give up.
    pub(crate) fn is_full(&self) -> bool {
        self.0.as_ref().is_some_and(|fault| fault.count() >= SOUGHT)
    }

    /// Adds what was found within a larger place.
    pub(crate) fn extend_within(&mut self, inner: Self, place: &str) {
        if let Some(fault) = inner.0 {
            self.push(fault.within(place));
        }
    }

    /// What was read, if there was no fault.
    pub(crate) fn or<T>(self, read: T) -> Result<T> {
        self.0.map_or(Ok(read), Err)
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
            untold if untold + TOLD >= SOUGHT => write!(f, "\nand so on, for {SOUGHT} or more"),
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
