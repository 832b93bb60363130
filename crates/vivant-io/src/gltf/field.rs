//! Reads JSON values together with their path, for error messages.
//!
//! Exporters write files with missing and wrong fields, and an error such as `expected a number, found a text` is
//! useless without its place. A [`Field`] therefore carries its path. Start with [`Field::root`] and descend with
//! [`Field::key`] and [`Field::at`], which always succeed; the methods for values, such as [`Field::text`] or
//! [`Field::number`], return `None` for a missing field and an error for a value of the wrong type. [`Field::required`]
//! makes a missing value an error.

use crate::error::{Error, Result};
use crate::limits::MAX_NAME_BYTES;
use serde_json::Value;

/// A value of the document, or the path of a missing one. `null` counts as missing.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    value: Option<&'a Value>,
    path: String,
}

impl<'a> Field<'a> {
    pub(super) fn root(json: &'a Value) -> Self {
        Self { value: Some(json), path: String::new() }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn exists(&self) -> bool {
        self.value.is_some()
    }

    pub(super) fn error(&self, message: impl std::fmt::Display) -> Error {
        Error::at(&self.path, message)
    }

    pub(super) fn key(&self, name: &str) -> Self {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Self { value: self.value.and_then(|v| v.get(name)).filter(|v| !v.is_null()), path }
    }

    pub(super) fn at(&self, index: usize) -> Self {
        let value = self.value.and_then(|v| v.get(index)).filter(|v| !v.is_null());
        Self { value, path: format!("{}[{index}]", self.path) }
    }

    fn type_error(&self, needed: &str) -> Error {
        let found = match self.value {
            None => "nothing",
            Some(Value::Null) => "null",
            Some(Value::Bool(_)) => "true or false",
            Some(Value::Number(_)) => "a number",
            Some(Value::String(_)) => "a text",
            Some(Value::Array(_)) => "a list",
            Some(Value::Object(_)) => "an object",
        };
        self.error(format!("expected {needed}, found {found}"))
    }

    /// Returns the length of the list; a missing list is empty.
    pub(super) fn len(&self) -> Result<usize> {
        match self.value {
            None => Ok(0),
            Some(Value::Array(list)) => Ok(list.len()),
            Some(_) => Err(self.type_error("a list")),
        }
    }

    /// Returns the items of a list; a missing list is empty.
    pub(super) fn items(&self) -> Result<impl Iterator<Item = Field<'a>> + '_> {
        Ok((0..self.len()?).map(|i| self.at(i)))
    }

    /// Returns the names and values of an object; a missing object is empty.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Field<'a>)>> {
        match self.value {
            None => Ok(Vec::new()),
            Some(Value::Object(map)) => Ok(map.keys().map(|name| (name.as_str(), self.key(name))).collect()),
            Some(_) => Err(self.type_error("an object")),
        }
    }

    pub(super) fn text(&self) -> Result<Option<&'a str>> {
        match self.value {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.type_error("a text")),
        }
    }

    /// Returns the value as a name: empty if it is not a text, and cut to the maximum length.
    pub(super) fn name(&self) -> String {
        let name = self.value.and_then(Value::as_str).unwrap_or_default();
        name[..name.floor_char_boundary(MAX_NAME_BYTES)].to_owned()
    }

    /// Returns true if the value is `true`.
    pub(super) fn flag(&self) -> bool {
        self.value.and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn number(&self) -> Result<Option<f64>> {
        match self.value {
            None => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| self.type_error("a number")),
        }
    }

    /// Returns a whole number, 0 or more. `3.0` is accepted too, because some programs write all numbers as floats.
    pub(super) fn whole(&self) -> Result<Option<usize>> {
        const LARGEST: f64 = (1_u64 << 53) as f64;
        let Some(number) = self.number()? else { return Ok(None) };
        if !(0.0..=LARGEST).contains(&number) || number.fract() != 0.0 {
            return Err(self.error(format!("expected a whole number, 0 or more, found {number}")));
        }
        usize::try_from(number as u64).map(Some).map_err(|_| self.error("the number is too large"))
    }

    /// Returns an index below `count`.
    pub(super) fn index(&self, what: &str, count: usize) -> Result<Option<usize>> {
        match self.whole()? {
            Some(index) if index >= count => {
                Err(self.error(format!("{what} {index} does not exist; the file has {count}")))
            }
            other => Ok(other),
        }
    }

    /// Returns the value of a required field.
    pub(super) fn required<T>(&self, value: Result<Option<T>>, needed: &str) -> Result<T> {
        value?.ok_or_else(|| self.type_error(needed))
    }

    /// Returns a list of exactly `N` finite numbers.
    pub(super) fn floats<const N: usize>(&self) -> Result<Option<[f32; N]>> {
        if !self.exists() {
            return Ok(None);
        }
        if self.len()? != N {
            return Err(self.error(format!("expected {N} numbers, found {}", self.len()?)));
        }
        let mut out = [0.0; N];
        for (slot, item) in out.iter_mut().zip(self.items()?) {
            *slot = item.required(item.number(), "a number")? as f32;
        }
        if out.iter().any(|x| !x.is_finite()) {
            return Err(self.error("a number is not finite; export the file again"));
        }
        Ok(Some(out))
    }
}
