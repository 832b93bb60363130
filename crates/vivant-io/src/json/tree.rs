//! JSON as it stands in the file: keys in their order, and none of them twice.

use super::placed::{Step, path};
use super::words;
use crate::error::{Error, Result};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use std::fmt;

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

/// Takes over a TOML document, which has no NaN and no infinity then.
pub(super) fn of_toml(table: toml::Table) -> Result<Tree> {
    let mut way = Vec::new();
    let tree = Builder(&mut way).deserialize(toml::Value::Table(table));
    tree.map_err(|error| words::fault(&path(way.iter()), error.message()))
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

    /// JSON has one kind of number: 2.0 is as whole as 2, as JSON Schema has it.
    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Tree, E> {
        /// Beyond this doubles skip whole numbers.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && value.abs() <= EXACT {
            return self.visit_i64(value as i64);
        }
        let number = Number::from_f64(value)
            .ok_or_else(|| E::custom(format!("{value} is out of range; give a finite number")))?;
        Ok(Tree::Leaf(number.into()))
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
