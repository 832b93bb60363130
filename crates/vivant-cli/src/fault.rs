//! The one way in which a command fails: a sentence for a person.

use std::fmt;

/// What went wrong and what to do, with the file's name.
#[derive(Debug)]
pub(crate) struct Fault(String);

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Several as one, a line each.
    pub(crate) fn all(faults: impl IntoIterator<Item = Self>) -> Self {
        Self(faults.into_iter().map(|fault| fault.0).collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<vivant_io::Error> for Fault {
    fn from(error: vivant_io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<vivant::Error> for Fault {
    fn from(error: vivant::Error) -> Self {
        Self(error.to_string())
    }
}
