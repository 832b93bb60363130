//! The error and warning types of the engine and of all crates that build on it.
//!
//! An [`Error`] names the file, the place and the fix. Programs check its [kind](Error::kind) and need not parse the
//! message. A [`Warning`] describes data that an import dropped or guessed.
//!
//! Messages never mention options or arguments of a host. If a setting would help, it is attached with
//! [`Error::with_setting`], so that a host can add its own name for it: a command-line option, an argument, a form
//! field.

use crate::words;
use serde::Serialize;
use std::fmt;

/// An error with the file, the place and the fix, or several errors of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    file: Option<String>,
    place: Option<String>,
    message: String,
    kind: ErrorKind,
    settings: Box<[&'static str]>,
    more: Vec<Self>,
    /// Number of errors that are not shown in full. A `u32`, so that errors stay small enough to be returned by
    /// value.
    hidden: u32,
}

/// Kind of an [`Error`]. Programs check the kind instead of parsing the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Any other failure: a disk error, an invalid file, a missing program.
    #[default]
    Failed,
    /// No item has this name or address.
    NotFound,
    /// The item is read-only.
    ReadOnly,
    /// The item has changed since it was read.
    Conflict,
    /// The request is invalid.
    Invalid,
    /// A limit on size is exceeded.
    TooLarge,
    /// Too many requests at once.
    TooMany,
}

/// Number of errors of one file that are shown in full.
const MAX_SHOWN: usize = 20;

/// Number of errors after which a reader stops.
const MAX_ERRORS: usize = 1000;

/// Result with [`Error`] as the default error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Creates an error at a place in a file: a field path (`nodes[3].rotation`) or a line (`line 12`).
    pub fn at(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { place: Some(place.to_string()), ..Self::new(message) }
    }

    /// Creates an error without a place.
    pub fn new(message: impl fmt::Display) -> Self {
        Self::of(ErrorKind::Failed, message)
    }

    /// Creates an error of the given kind, without a place.
    pub fn of(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { file: None, place: None, message, kind, settings: Box::default(), more: Vec::new(), hidden: 0 }
    }

    /// Creates an error for an unknown name, with the most similar known name or a list of known names.
    pub fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
    ) -> Self {
        let hint = words::hint(name, known);
        Self::of(ErrorKind::NotFound, format!("unknown {what} `{}`; {hint}", words::short(name)))
    }

    /// Joins all errors of a file into one, which shows the first 20. Returns `None` if there are none.
    #[must_use]
    pub fn all(errors: impl IntoIterator<Item = Self>) -> Option<Self> {
        errors.into_iter().reduce(Self::and)
    }

    /// Joins two errors. Errors beyond the first 20 are only counted, so that a broken file does not exhaust memory.
    fn and(mut self, mut other: Self) -> Self {
        let beyond = std::mem::take(&mut other.more);
        self.hidden += std::mem::take(&mut other.hidden);
        for error in std::iter::once(other).chain(beyond) {
            if self.more.len() + 1 < MAX_SHOWN {
                self.more.push(error);
            } else {
                self.hidden += 1;
            }
        }
        self
    }

    /// Returns the kind. For several errors, it is the kind of the first.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Changes the kind.
    #[must_use]
    pub fn of_kind(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// Adds a setting that avoids the error. Its name is the name of the field in the library, such as
    /// `ReadOptions::rate_hz`.
    #[must_use]
    pub fn with_setting(mut self, setting: &'static str) -> Self {
        let before = self.settings.iter().copied();
        self.settings = before.chain([setting]).collect();
        self
    }

    /// Returns the settings that avoid this error or any of the errors in it. A setting can occur several times.
    pub fn settings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self).chain(&self.more).flat_map(|error| error.settings.iter().copied())
    }

    /// Returns the number of errors, including errors that are not shown.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len() + self.hidden as usize
    }

    /// Returns the place, if any, and the message of each error that is shown.
    pub fn each(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        std::iter::once(self).chain(&self.more).map(|error| (error.place.as_deref(), error.message.as_str()))
    }

    /// Adds the name of the file, unless one is set.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        for error in std::iter::once(&mut self.file).chain(self.more.iter_mut().map(|more| &mut more.file)) {
            error.get_or_insert_with(|| file.to_string());
        }
        self
    }

    /// Prefixes the place with an outer place: `[2].clip` within `gestures` becomes `gestures[2].clip`.
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
        Self::of(ErrorKind::NotFound, format!("unknown {what} “{name}”; use one of {known}"))
    }
}

/// Collects the errors of a reader.
#[derive(Debug, Default)]
pub struct ErrorList(Option<Error>);

impl ErrorList {
    /// Adds an error.
    pub fn push(&mut self, error: Error) {
        self.0 = Some(match self.0.take() {
            Some(before) => before.and(error),
            None => error,
        });
    }

    /// Returns true if there are too many errors for a reader to continue.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.as_ref().is_some_and(|error| error.count() >= MAX_ERRORS)
    }

    /// Adds the errors of an inner part at the given place.
    pub fn extend_within(&mut self, inner: Self, place: &str) {
        if let Some(error) = inner.0 {
            self.push(error.within(place));
        }
    }

    /// Joins all collected errors and `error` into one error.
    #[must_use]
    pub fn and(self, error: Error) -> Error {
        match self.0 {
            Some(before) => before.and(error),
            None => error,
        }
    }

    /// Returns `read` if there are no errors.
    ///
    /// # Errors
    /// If any errors were collected; they are joined into one.
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
        match self.hidden {
            0 => Ok(()),
            hidden if hidden as usize + MAX_SHOWN >= MAX_ERRORS => {
                write!(f, "\nand more errors, {MAX_ERRORS} or more in total")
            }
            hidden => write!(f, "\nand {hidden} more errors"),
        }
    }
}

impl std::error::Error for Error {}

/// A note that data was read but dropped, guessed or changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Warning {
    /// Kind of the warning. Codes are stable, so that programs can check them.
    pub code: WarningCode,
    /// Place in the file, as in [`Error::at`].
    pub place: String,
    /// Message for people: which data was dropped, guessed or changed.
    pub message: String,
    /// A setting that avoids the warning, as in [`Error::with_setting`].
    #[serde(skip)]
    pub setting: Option<&'static str>,
}

/// Kind of a [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// Part of the file was dropped because Vivant cannot represent it.
    Dropped,
    /// Missing data was filled in by a rule.
    Guessed,
    /// A value was out of range and was changed.
    Repaired,
    /// The avatar cannot show part of the motion.
    CannotShow,
    /// The file violates its format in a harmless way.
    Malformed,
}

impl Warning {
    /// Creates a warning with its place and message.
    pub fn new(code: WarningCode, place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { code, place: place.to_string(), message: message.to_string(), setting: None }
    }

    /// Adds a setting that avoids the warning.
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
