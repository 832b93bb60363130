//! JSON as it stands in the file: keys in their order, and none of them twice.

use super::placed::{Step, path};
use super::words;
use crate::error::{Error, Result};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use std::fmt;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// Null, a boolean, a number or a text.
    Leaf(Value),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Tree> {
    let reader = &mut serde_json::Deserializer::from_str(text);
    let mut way = Vec::new();
    let tree = Builder(&mut way).deserialize(&mut *reader);
    let tree = tree.map_err(|error| fault(&path(way.iter()), &error))?;
    reader.end().map_err(|error| fault(".", &error))?;
    Ok(tree)
}

/// Returns a TOML document as JSON. JSON has no dates, no NaN and no infinity.
pub(super) fn of_toml(table: &DeTable<'_>) -> Result<Value> {
    let field = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        let key = key.get_ref().to_string();
        let value = of_toml_value(value.get_ref()).map_err(|error| error.within(&key))?;
        Ok((key, value))
    };
    Ok(Value::Object(table.iter().map(field).collect::<Result<_>>()?))
}

fn of_toml_value(value: &DeValue<'_>) -> Result<Value> {
    let out_of_range = |text: &str| Error::new(format!("{text} is out of range; give a finite number"));
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
        DeValue::Datetime(_) => {
            Err(Error::new("a date is not expected here; put it in quotes if it is a text"))
        }
        DeValue::Array(list) => {
            let element = |(index, value): (usize, &Spanned<DeValue<'_>>)| {
                of_toml_value(value.get_ref()).map_err(|error| error.within(&format!("[{index}]")))
            };
            Ok(Value::Array(list.iter().enumerate().map(element).collect::<Result<_>>()?))
        }
        DeValue::Table(table) => of_toml(table),
    }
}

/// Returns a number as JSON has it; `None` unless it is finite. JSON has one kind of number: 2.0 is as whole as 2, as
/// JSON Schema has it.
fn number(value: f64) -> Option<Value> {
    /// Beyond this doubles skip whole numbers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::from)
}

/// What is no JSON is at a line; what is JSON that we do not take is at a path.
fn fault(path: &str, error: &serde_json::Error) -> Error {
    if error.is_data() {
        return words::fault(path, error);
    }
    let all = error.to_string();
    let what = all.rsplit_once(" at line ").map_or(all.as_str(), |(what, _)| what);
    let place = format!("line {}, column {}", error.line(), error.column());
    Error::at(place, format!("this is no JSON: {what}; {}", remedy(what)))
}

fn remedy(what: &str) -> &'static str {
    match what {
        "trailing comma" => "take the comma away",
        "trailing characters" => "one value ends before this; take away what follows it",
        "key must be a string" => "write names in double quotes, as in \"name\"",
        "number out of range" => "give a number that a double can hold",
        "recursion limit exceeded" => "nothing here is nested so deeply",
        what if what.starts_with("EOF while parsing a string") => "close it with a double quote",
        what if what.starts_with("EOF") => "a closing bracket or the whole text is missing",
        what if what.starts_with("expected `,`") => "put a comma before this, or close the bracket",
        what if what.contains("escape") => "write \\\\ for a backslash",
        what if what.starts_with("control character") => "write \\n for a new line and \\t for a tab",
        _ => "texts stand in double quotes, and numbers, true, false and null stand alone",
    }
}

/// Builds a tree, and knows the way to where it is; on a fault it is left there.
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
        let wrong = || E::custom(format!("{value} is out of range; give a finite number"));
        number(value).map(Tree::Leaf).ok_or_else(wrong)
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
