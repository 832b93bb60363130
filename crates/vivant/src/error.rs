//! One error and one warning for the engine and everything above it.
//!
//! An [`Error`] names the file, the place and the fix. Programs ask for its [kind](Error::kind); nobody has to
//! match on a sentence. What an import drops or guesses is a [`Warning`].
//!
//! Messages describe settings and never name how a host takes them. Where a setting would help, it is attached
//! ([`Error::with_setting`]), so that a host can add its own name for it: an option, an argument, a field of a form.

use crate::words;
use serde::Serialize;
use std::fmt;

/// Why something could not be done, in words that name the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    file: Option<String>,
    place: Option<String>,
    message: String,
    kind: ErrorKind,
    settings: Box<[&'static str]>,
    more: Vec<Self>,
    /// 32 bits, so that errors stay small enough to be returned by value.
    untold: u32,
}

/// The kind of an [`Error`], for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Anything else: a disk, a file, a program that is missing.
    #[default]
    Failed,
    /// Something with this name or at this address does not exist.
    NotFound,
    /// It must not be changed.
    ReadOnly,
    /// It has changed since it was read.
    Conflict,
    /// The request makes no sense.
    Invalid,
    /// It is larger than a limit.
    TooLarge,
    /// Too many requests at once.
    TooMany,
}

/// The number of errors of one file that are shown in full.
const SHOWN: usize = 20;

/// The number of errors of one file after which a reader gives up.
const SOUGHT: usize = 1000;

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error at a place within a file: a field's path (`nodes[3].rotation`), a line (`line 12`).
    pub fn at(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { place: Some(place.to_string()), ..Self::new(message) }
    }

    /// An error of the whole file, or of no file.
    pub fn new(message: impl fmt::Display) -> Self {
        Self::of(ErrorKind::Failed, message)
    }

    /// An error of a kind.
    pub fn of(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { file: None, place: None, message, kind, settings: Box::default(), more: Vec::new(), untold: 0 }
    }

    /// An unknown name, with the known name it was probably meant to be, or the known names.
    pub fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
    ) -> Self {
        let hint = words::hint(name, known);
        Self::of(ErrorKind::NotFound, format!("unknown {what} `{}`; {hint}", words::short(name)))
    }

    /// All errors of a file as one, which shows the first 20; `None` if there are none.
    #[must_use]
    pub fn all(errors: impl IntoIterator<Item = Self>) -> Option<Self> {
        errors.into_iter().reduce(Self::and)
    }

    /// Joins two errors. Errors beyond the first 20 are only counted, so that a broken file takes no memory.
    fn and(mut self, mut other: Self) -> Self {
        let beyond = std::mem::take(&mut other.more);
        self.untold += std::mem::take(&mut other.untold);
        for error in std::iter::once(other).chain(beyond) {
            if self.more.len() + 1 < SHOWN {
                self.more.push(error);
            } else {
                self.untold += 1;
            }
        }
        self
    }

    /// The kind, which is that of the first error where there are several.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The same error as another kind.
    #[must_use]
    pub fn of_kind(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// The same error with a setting that avoids it, as its field is named in the library: `ReadOptions::rate_hz`.
    #[must_use]
    pub fn with_setting(mut self, setting: &'static str) -> Self {
        let before = self.settings.iter().copied();
        self.settings = before.chain([setting]).collect();
        self
    }

    /// The settings that avoid this error, or any of the errors in it; a setting can occur several times.
    pub fn settings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self).chain(&self.more).flat_map(|error| error.settings.iter().copied())
    }

    /// The number of errors that this one stands for.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len() + self.untold as usize
    }

    /// Each error in this one that is shown: its place, if it has one, and its message.
    pub fn each(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        std::iter::once(self).chain(&self.more).map(|error| (error.place.as_deref(), error.message.as_str()))
    }

    /// The same error with the file's name, unless it has one already.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        for error in std::iter::once(&mut self.file).chain(self.more.iter_mut().map(|more| &mut more.file)) {
            error.get_or_insert_with(|| file.to_string());
        }
        self
    }

    /// The same error within a larger place: `[2].clip` within `gestures` is `gestures[2].clip`.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
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

    pub(crate) fn clip(name: &str, what: impl fmt::Display) -> Self {
        Self::new(format!("clip “{name}”: {what}"))
    }

    pub(crate) fn behaviour(faults: &[String]) -> Self {
        Self::new(format!("this behaviour cannot be used:\n  {}", faults.join("\n  ")))
    }

    pub(crate) fn unknown_name(what: &str, name: &str, known: &str) -> Self {
        Self::of(ErrorKind::NotFound, format!("“{name}” is no {what}; use one of {known}"))
    }
}

/// The errors that a reader has found so far.
#[derive(Debug, Default)]
pub struct Faults(Option<Error>);

impl Faults {
    /// Adds an error.
    pub fn push(&mut self, error: Error) {
        self.0 = Some(match self.0.take() {
            Some(before) => before.and(error),
            None => error,
        });
    }

    /// Returns whether there are so many that a reader should give up.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.as_ref().is_some_and(|error| error.count() >= SOUGHT)
    }

    /// Adds the errors of an inner part, which is at this place.
    pub fn extend_within(&mut self, inner: Self, place: &str) {
        if let Some(error) = inner.0 {
            self.push(error.within(place));
        }
    }

    /// Returns all errors and one more.
    #[must_use]
    pub fn and(self, error: Error) -> Error {
        match self.0 {
            Some(before) => before.and(error),
            None => error,
        }
    }

    /// Returns what was read, or the errors if there are any.
    ///
    /// # Errors
    /// With everything that was pushed.
    pub fn or<T>(self, read: T) -> Result<T> {
        self.0.map_or(Ok(read), Err)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.file, &self.place].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)?;
        for error in &self.more {
            write!(f, "\n{error}")?;
        }
        match self.untold {
            0 => Ok(()),
            untold if untold as usize + SHOWN >= SOUGHT => write!(f, "\nand so on, for {SOUGHT} or more"),
            untold => write!(f, "\nand {untold} more like these"),
        }
    }
}

impl std::error::Error for Error {}

/// Something that was read but cannot be kept, or was guessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Warning {
    /// What kind of loss it is; stable, for programs.
    pub code: WarningCode,
    /// Where in the file, as in [`Error::at`].
    pub place: String,
    /// What was dropped or guessed, for people.
    pub message: String,
    /// A setting that avoids it, as in [`Error::with_setting`].
    #[serde(skip)]
    pub setting: Option<&'static str>,
}

/// Kinds of [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
        Self { code, place: place.to_string(), message: message.to_string(), setting: None }
    }

    /// The same warning with a setting that avoids it.
    #[must_use]
    pub fn with_setting(self, setting: &'static str) -> Self {
        Self { setting: Some(setting), ..self }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
