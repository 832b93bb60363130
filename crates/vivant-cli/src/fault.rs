//! The one way in which a command fails: a sentence for a person.

use std::fmt;

/// What went wrong and what to do, with the file's name.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    message: String,
    kind: Kind,
}

/// Why, for programs that ask over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whatever it was: a disk, a file.
    #[default]
    Failed,
    /// There is no such thing.
    Unknown,
    /// It may not be changed.
    Fixed,
    /// It has changed meanwhile.
    Stale,
    /// What was asked makes no sense.
    Wrong,
    /// More than is taken.
    TooLarge,
    /// More at once than is taken.
    TooMany,
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::of(Kind::Failed, message)
    }

    pub(crate) fn of(kind: Kind, message: impl Into<String>) -> Self {
        Self { message: message.into(), kind }
    }

    /// The same, for another reason.
    pub(crate) fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Several as one, a line each.
    pub(crate) fn all(faults: impl IntoIterator<Item = Self>) -> Self {
        Self::new(faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>().join("\n"))
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<vivant_io::Error> for Fault {
    fn from(error: vivant_io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<vivant::Error> for Fault {
    fn from(error: vivant::Error) -> Self {
        Self::new(error.to_string())
    }
}
