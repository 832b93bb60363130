//! Checks properties that types cannot express: where objects may occur, the lengths of texts, and the ranges of
//! numbers.

use crate::error::{Error, ErrorList, Result};
use crate::limits;
use serde_json::Value;

/// Finds missing and misplaced objects. Without this check, serde would accept a list for a struct, and an object for
/// an enum.
pub(crate) struct Shape {
    is_object: fn(&[&str]) -> bool,
    missing: ErrorList,
    misplaced: ErrorList,
}

impl Shape {
    /// Checks a document. `is_object` takes a path as a list of keys, with `[]` for an item of a list, and returns
    /// true if the value at that path must be an object.
    ///
    /// # Errors
    /// If an object is missing.
    pub(crate) fn of(document: &Value, is_object: fn(&[&str]) -> bool) -> Result<Self> {
        let mut shape = Self { is_object, missing: ErrorList::default(), misplaced: ErrorList::default() };
        shape.walk(document, &mut Vec::new(), "");
        std::mem::take(&mut shape.missing).or(shape)
    }

    /// Fails if an object is misplaced. Call this after the document was converted to its type. Then a misspelt field
    /// that contains an object is reported as misspelt, not as misplaced.
    pub(crate) fn holds(self) -> Result<()> {
        self.misplaced.or(())
    }

    fn walk<'a>(&mut self, value: &'a Value, keys: &mut Vec<&'a str>, path: &str) {
        if self.missing.is_full() || self.misplaced.is_full() {
            return;
        }
        let belongs = (self.is_object)(keys);
        // The type of the field decides later whether null is allowed.
        let may_be_null = keys.last().is_some_and(|key| *key != "[]");
        if belongs && !value.is_object() && !(value.is_null() && may_be_null) {
            let message = format!("found {}, expected an object in curly brackets", kind(value));
            return self.missing.push(at(path, message));
        }
        if value.is_object() && !belongs {
            self.misplaced.push(at(path, "found an object, expected a single value".into()));
        }
        self.inside(value, keys, path);
    }

    fn inside<'a>(&mut self, value: &'a Value, keys: &mut Vec<&'a str>, path: &str) {
        let mut inner = |key: &'a str, path: String, value: &'a Value| {
            keys.push(key);
            self.walk(value, keys, &path);
            keys.pop();
        };
        match value {
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(i, value)| inner("[]", format!("{path}[{i}]"), value));
            }
            Value::Object(map) => {
                let dot = if path.is_empty() { "" } else { "." };
                map.iter().for_each(|(key, value)| inner(key, format!("{path}{dot}{key}"), value));
            }
            _ => {}
        }
    }
}

fn at(path: &str, message: String) -> Error {
    if path.is_empty() { Error::new(message) } else { Error::at(super::words::short(path), message) }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::String(text) => format!("the text \"{}\"", super::words::short(text)),
        other => other.to_string(),
    }
}

/// Collects an error for each value out of range.
#[derive(Default)]
pub(crate) struct Check {
    pub(crate) faults: ErrorList,
    at: String,
}

impl Check {
    /// Sets the path for the following checks.
    pub(crate) fn within(&mut self, place: impl Into<String>) -> &mut Self {
        self.at = place.into();
        self
    }

    fn fault(&mut self, field: &str, message: String) {
        if self.faults.is_full() {
            return;
        }
        let dot = if self.at.is_empty() || field.is_empty() { "" } else { "." };
        self.faults.push(Error::at(format!("{}{dot}{field}", self.at), message));
    }

    pub(crate) fn number(
        &mut self,
        field: &str,
        number: f64,
        least: f64,
        most: f64,
        unit: &str,
    ) -> &mut Self {
        if !(least..=most).contains(&number) {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            self.fault(field, format!("{number} is out of range; give {least} to {most}{unit}"));
        }
        self
    }

    pub(crate) fn seconds(&mut self, field: &str, seconds: impl Into<Option<f64>>) -> &mut Self {
        if let Some(seconds) = seconds.into() {
            self.number(field, seconds, 0.0, limits::MAX_SECONDS, "seconds");
        }
        self
    }

    pub(crate) fn blend(&mut self, field: &str, seconds: f64) -> &mut Self {
        self.number(field, seconds, 0.0, limits::MAX_BLEND_SECONDS, "seconds")
    }

    pub(crate) fn likelihood(&mut self, field: &str, likelihood: f64) -> &mut Self {
        self.number(field, likelihood, 0.0, limits::MAX_LIKELIHOOD, "")
    }

    pub(crate) fn priority(&mut self, priority: i32) -> &mut Self {
        let most = f64::from(limits::MAX_PRIORITY);
        self.number("priority", priority.into(), -most, most, "")
    }

    /// Checks that a name, a tag or a path is not empty and not too long.
    pub(crate) fn word<'a>(&mut self, field: &str, word: impl Into<Option<&'a str>>) -> &mut Self {
        if let Some(word) = word.into() {
            self.text(field, word, limits::MAX_WORD_BYTES);
        }
        self
    }

    pub(crate) fn text(&mut self, field: &str, text: &str, most: usize) -> &mut Self {
        if text.trim().is_empty() {
            self.fault(field, "is empty; write something, or omit the field".into());
            return self;
        }
        self.length(field, text, most)
    }

    /// Checks that a text has at most `most` bytes. It may be empty.
    pub(crate) fn length(&mut self, field: &str, text: &str, most: usize) -> &mut Self {
        if text.len() > most {
            self.fault(field, format!("{} bytes long; at most {most} are allowed", text.len()));
        }
        self
    }

    pub(crate) fn tags(&mut self, tags: &[String]) -> &mut Self {
        self.count("tags", "tags", tags.len(), limits::MAX_TAGS);
        for (index, tag) in tags.iter().enumerate().take(limits::MAX_TAGS) {
            self.word(&format!("tags[{index}]"), tag.as_str());
        }
        self
    }

    /// Checks that a list has no duplicates.
    pub(crate) fn once<T: PartialEq>(&mut self, field: &str, list: &[T]) -> &mut Self {
        let again = list.iter().enumerate().find(|(index, one)| list[..*index].contains(one));
        if let Some((index, _)) = again {
            self.fault(&format!("{field}[{index}]"), "is a duplicate; remove it".into());
        }
        self
    }

    pub(crate) fn count(&mut self, field: &str, what: &str, found: usize, most: usize) -> &mut Self {
        if found > most {
            self.fault(field, format!("{found} {what}; at most {most} are allowed"));
        }
        self
    }
}
