//! Parses JSON with keys in file order and without duplicates.
//!
//! `serde_json` silently keeps the last of two equal keys, and its maps do not promise the order of the file. Both
//! matter for files that people write: a duplicate key is a mistake, and formatting keeps the order. [`parse`] returns
//! a [`Tree`], with the line of a syntax error or the path of other errors, and with a remedy. Convert the tree to a
//! [`Value`] if the order does not matter. [`from_toml`] gives the same values for TOML, so that both formats share all
//! further checks.

use super::placed::{Step, path};
use super::words;
use crate::error::{Error, Result};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use std::fmt;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// Null, a boolean, a number or a text.
    Leaf(Value),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// Parses a whole text.
pub(super) fn parse(text: &str) -> Result<Tree> {
    let reader = &mut serde_json::Deserializer::from_str(text);
    let mut steps = Vec::new();
    let tree = Builder(&mut steps).deserialize(&mut *reader);
    let tree = tree.map_err(|error| to_error(&path(steps.iter()), &error))?;
    reader.end().map_err(|error| to_error(".", &error))?;
    Ok(tree)
}

/// Returns a TOML document as JSON. JSON has no dates, no NaN and no infinity.
pub(super) fn from_toml(table: &DeTable<'_>) -> Result<Value> {
    let field = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        let key = key.get_ref().to_string();
        let value = from_toml_value(value.get_ref()).map_err(|error| error.within(&key))?;
        Ok((key, value))
    };
    Ok(Value::Object(table.iter().map(field).collect::<Result<_>>()?))
}

fn from_toml_value(value: &DeValue<'_>) -> Result<Value> {
    let out_of_range = |text: &str| Error::new(format!("{text} is out of range; give a smaller number"));
    match value {
        DeValue::String(text) => Ok(Value::from(&**text)),
        DeValue::Boolean(is) => Ok(Value::from(*is)),
        DeValue::Integer(digits) => {
            let integer = i64::from_str_radix(digits.as_str(), digits.radix());
            integer.map(Value::from).map_err(|_| out_of_range(digits.as_str()))
        }
        DeValue::Float(digits) => {
            let float: f64 = digits.as_str().parse().unwrap_or(f64::NAN);
            number(float).ok_or_else(|| out_of_range(&float.to_string()))
        }
        DeValue::Datetime(_) => Err(Error::new("a date is not allowed here; put it in quotes if it is text")),
        DeValue::Array(list) => {
            let element = |(index, value): (usize, &Spanned<DeValue<'_>>)| {
                from_toml_value(value.get_ref()).map_err(|error| error.within(&format!("[{index}]")))
            };
            Ok(Value::Array(list.iter().enumerate().map(element).collect::<Result<_>>()?))
        }
        DeValue::Table(table) => from_toml(table),
    }
}

/// Converts a number to JSON; `None` unless it is finite. As in JSON Schema, 2.0 is a whole number.
fn number(value: f64) -> Option<Value> {
    /// Above this value, an `f64` cannot represent every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::from)
}

/// Converts an error: invalid JSON has a line, unsupported content has a path.
fn to_error(path: &str, error: &serde_json::Error) -> Error {
    if error.is_data() {
        return words::serde_error(path, error);
    }
    let all = error.to_string();
    let what = all.rsplit_once(" at line ").map_or(all.as_str(), |(what, _)| what);
    let place = format!("line {}, column {}", error.line(), error.column());
    Error::at(place, format!("invalid JSON: {what}; {}", remedy(what)))
}

fn remedy(what: &str) -> &'static str {
    match what {
        "trailing comma" => "remove the comma",
        "trailing characters" => "the value ends before this; remove what follows",
        "key must be a string" => "write names in double quotes, such as \"name\"",
        "number out of range" => "give a smaller number",
        "recursion limit exceeded" => "use fewer nested brackets",
        what if what.starts_with("EOF while parsing a string") => "close it with a double quote",
        what if what.starts_with("EOF") => "a closing bracket or the whole text is missing",
        what if what.starts_with("expected `,`") => "put a comma before this, or close the bracket",
        what if what.contains("escape") => "write \\\\ for a backslash",
        what if what.starts_with("control character") => "write \\n for a newline and \\t for a tab",
        _ => "write text in double quotes, and numbers, true, false and null without quotes",
    }
}

/// Builds a tree and tracks the current path. After an error, this is the path of the error.
struct Builder<'w>(&'w mut Vec<Step>);

impl<'de> DeserializeSeed<'de> for Builder<'_> {
    type Value = Tree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Tree, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Builder<'_> {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Tree, E> {
        Ok(Tree::Leaf(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Tree, E> {
        Ok(Tree::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Tree, E> {
        Ok(Tree::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Tree, E> {
        Ok(Tree::Leaf(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Tree, E> {
        let not_finite = || E::custom(format!("{value} is out of range; give a smaller number"));
        number(value).map(Tree::Leaf).ok_or_else(not_finite)
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Tree, E> {
        Ok(Tree::Leaf(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Tree, A::Error> {
        let mut trees = Vec::new();
        loop {
            self.0.push(Step::Index(trees.len()));
            let next = list.next_element_seed(Builder(self.0))?;
            self.0.pop();
            let Some(tree) = next else { return Ok(Tree::List(trees)) };
            trees.push(tree);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Tree, A::Error> {
        let (mut fields, mut keys) = (Vec::new(), HashSet::new());
        while let Some(key) = map.next_key::<String>()? {
            if !keys.insert(key.clone()) {
                return Err(de::Error::custom(format!("duplicate field `{key}`")));
            }
            self.0.push(Step::Key(key.clone()));
            let tree = map.next_value_seed(Builder(self.0))?;
            self.0.pop();
            fields.push((key, tree));
        }
        Ok(Tree::Object(fields))
    }
}

impl From<Tree> for Value {
    fn from(tree: Tree) -> Self {
        match tree {
            Tree::Leaf(value) => value,
            Tree::List(trees) => Self::Array(trees.into_iter().map(Self::from).collect()),
            Tree::Object(fields) => {
                let mut map = Map::new();
                map.extend(fields.into_iter().map(|(key, tree)| (key, Self::from(tree))));
                Self::Object(map)
            }
        }
    }
}
