//! Converts JSON to types, and adds the path to errors.
//!
//! serde reports what is wrong with a value, but not where. Here, each caller adds its key or index to the error. The
//! alternative, a wrapper around every visitor, would be a quarter of the JSON code in the browser build.

use super::words;
use crate::error::Result;
use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde_json::{Map, Value, map};
use std::fmt::{self, Display, Write};

/// Converts a value to its type, or returns the first error with its path.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Result<T> {
    T::deserialize(Placed(value)).map_err(|fault| words::serde_error(&fault.place(), &fault.0.message))
}

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// Formats a path such as `stances[1].gestures[0].blendIn`; a dot if it is empty.
pub(super) fn path<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.extend([".", key]),
            // Writing into a String cannot fail.
            Step::Index(index) => drop(write!(path, "[{index}]")),
        }
    }
    if path.is_empty() { ".".to_owned() } else { path }
}

/// An error with its path.
#[derive(Debug)]
struct Fault(Box<FaultDetails>);

#[derive(Debug)]
struct FaultDetails {
    message: String,
    /// The path, innermost step first.
    steps: Vec<Step>,
}

impl Fault {
    fn within(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    fn place(&self) -> String {
        path(self.0.steps.iter().rev())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self(Box::new(FaultDetails { message: message.to_string(), steps: Vec::new() }))
    }
}

/// A value of a document.
#[derive(Clone, Copy)]
struct Placed<'de>(&'de Value);

impl Placed<'_> {
    fn unexpected(&self) -> Unexpected<'_> {
        match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(whole), _) => Unexpected::Unsigned(whole),
                (None, Some(whole)) => Unexpected::Signed(whole),
                _ => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }

    fn type_error(&self, expected: &dyn Expected) -> Fault {
        de::Error::invalid_type(self.unexpected(), expected)
    }
}

/// The result of a visitor.
type Read<'de, V> = std::result::Result<<V as Visitor<'de>>::Value, Fault>;

/// Implements several methods that read the same kind of value.
macro_rules! read_as {
    ($read:ident: $($kind:ident)*) => {
        $(fn $kind<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
            self.$read(visitor)
        })*
    };
}

impl<'de> Placed<'de> {
    fn number<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        let Value::Number(number) = self.0 else { return Err(self.type_error(&visitor)) };
        match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => visitor.visit_u64(whole),
            (None, Some(whole)) => visitor.visit_i64(whole),
            _ => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.type_error(&visitor)),
        }
    }

    fn list<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        let Value::Array(all) = self.0 else { return Err(self.type_error(&visitor)) };
        let mut list = List { all, next: 0 };
        let read = visitor.visit_seq(&mut list)?;
        if list.next < all.len() {
            return Err(de::Error::invalid_length(all.len(), &"fewer elements in array"));
        }
        Ok(read)
    }

    fn object<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
            _ => Err(self.type_error(&visitor)),
        }
    }
}

impl<'de> Deserializer<'de> for Placed<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => self.number(visitor),
            Value::String(_) => self.text(visitor),
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.object(visitor),
        }
    }

    // Each type requests its own kind, so that no code is generated for other kinds.
    read_as! { number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 }
    read_as! { number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 }
    read_as! { number: deserialize_f32 deserialize_f64 }
    read_as! { text: deserialize_char deserialize_str deserialize_string deserialize_identifier }
    read_as! { list: deserialize_seq deserialize_bytes deserialize_byte_buf }
    read_as! { object: deserialize_map }
    read_as! { deserialize_any: deserialize_unit deserialize_ignored_any }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.type_error(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<'de, V> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Read<'de, V> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Read<'de, V> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<'de, V> {
        self.list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Read<'de, V> {
        self.list(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<'de, V> {
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<'de, V> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            Value::Object(fields) if fields.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(Fields::of(fields)))
            }
            Value::Object(_) => Err(de::Error::invalid_value(Unexpected::Map, &"map with a single key")),
            _ => Err(self.type_error(&"string or map")),
        }
    }
}

struct List<'de> {
    all: &'de [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut List<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, Fault> {
        let Some(value) = self.all.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Placed(value)).map(Some).map_err(|fault| fault.within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len() - self.next)
    }
}

struct Fields<'de> {
    rest: map::Iter<'de>,
    value: Option<(&'de str, &'de Value)>,
}

impl<'de> Fields<'de> {
    fn of(all: &'de Map<String, Value>) -> Self {
        Self { rest: all.iter(), value: None }
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some((key, value));
        let read = seed.deserialize(BorrowedStrDeserializer::new(key));
        read.map(Some).map_err(|fault: Fault| fault.within(Step::Key(key.clone())))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> std::result::Result<T::Value, Fault> {
        let (key, value) = self.value.take().unwrap_or(("", &Value::Null));
        seed.deserialize(Placed(value)).map_err(|fault| fault.within(Step::Key(key.to_owned())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
