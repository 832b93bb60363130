//! The engine's one error.

/// What went wrong, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
}

/// A result of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    pub(crate) fn clip(name: &str, what: impl std::fmt::Display) -> Self {
        Self { message: format!("clip “{name}”: {what}") }
    }

    pub(crate) fn behaviour(faults: &[String]) -> Self {
        Self { message: format!("this behaviour cannot be used:\n  {}", faults.join("\n  ")) }
    }

    pub(crate) fn unknown_name(what: &str, name: &str, known: &str) -> Self {
        Self { message: format!("“{name}” is no {what}; use one of {known}") }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
