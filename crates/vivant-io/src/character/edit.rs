//! Changes to the text of a `character.toml` that leave the rest of it, comments above all, as it is.

use super::{Manifest, read};
use crate::error::{Error, Result};
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use vivant::eyes::Temperament;

/// What is to change. What is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change<'a> {
    /// What it is called.
    pub name: Option<&'a str>,
    /// The file of its avatar.
    pub avatar: Option<&'a str>,
    /// What kind of person it is.
    pub temperament: Option<&'a Temperament>,
}

/// The text of a manifest with a change in it.
///
/// ```
/// use vivant_io::character::{Change, edited};
/// let text = "version = 1 # ours\nname = \"Eve\" # for now\n";
/// let text = edited(text, Change { name: Some("Ada"), ..Change::default() })?;
/// assert_eq!(text, "version = 1 # ours\nname = \"Ada\" # for now\n");
/// # Ok::<(), vivant_io::Error>(())
/// ```
///
/// # Errors
/// If the text is no manifest, or what it becomes could not be read again.
pub fn edited(text: &str, change: Change<'_>) -> Result<String> {
    let before = read(text.as_bytes())?;
    let wanted = wanted(&before, change);
    let mut text = text.to_owned();
    for (key, word, was) in [("name", change.name, &before.name), ("avatar", change.avatar, &before.avatar)] {
        if let Some(word) = word.filter(|word| was.as_deref() != Some(*word)) {
            text = with(&text, &[key], &Value::from(word))?;
        }
    }
    let (old, new) = (fields(&before.temperament), fields(&wanted.temperament));
    for (key, value) in new.iter().filter(|(key, value)| old.get(*key) != Some(value)) {
        text = with(&text, &["temperament", key], value)?;
    }
    if read(text.as_bytes())? == wanted {
        return Ok(text);
    }
    Err(Error::new("this text is laid out in a way that cannot be changed here; change it in an editor"))
}

fn wanted(before: &Manifest, change: Change<'_>) -> Manifest {
    let owned = |new: Option<&str>, old: &Option<String>| new.map(str::to_owned).or_else(|| old.clone());
    Manifest {
        name: owned(change.name, &before.name),
        avatar: owned(change.avatar, &before.avatar),
        temperament: change.temperament.copied().unwrap_or(before.temperament),
        ..before.clone()
    }
}

fn fields(temperament: &Temperament) -> Map<String, Value> {
    match serde_json::to_value(temperament) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// The text with a value at a place, or without it where the value is null.
fn with(text: &str, path: &[&str], value: &Value) -> Result<String> {
    let Some((key, tables)) = path.split_last() else { return Ok(text.to_owned()) };
    let root = DeTable::parse(text).map_err(|error| super::syntax(text, &error))?;
    let mut table = Some((root.get_ref(), 0..0));
    for name in tables {
        table = table.and_then(|(table, _)| inner(table, name));
    }
    let there = table.as_ref().and_then(|(table, _)| table.get_key_value(*key));
    match (table.as_ref(), there) {
        (_, Some((_, there))) if is_spread(text, there) => with_each(text, path, value),
        (_, Some((_, there))) if !value.is_null() => Ok(replaced(text, there.span(), &literal(value))),
        (_, Some((key, there))) => Ok(without(text, key.span().start..there.span().end)),
        (_, None) if value.is_null() => Ok(text.to_owned()),
        (None, None) => Ok(appended(text, tables, &line(key, value))),
        (Some((table, span)), None) => Ok(added(text, table, span, tables, &line(key, value))),
    }
}

/// A table that has its fields on lines of its own gets each of them changed.
fn with_each(text: &str, path: &[&str], value: &Value) -> Result<String> {
    let Value::Object(fields) = value else {
        return Err(Error::at(path.join("."), "is a table here; change it in an editor"));
    };
    fields.iter().try_fold(text.to_owned(), |text, (key, value)| {
        let path: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
        with(&text, &path, value)
    })
}

fn inner<'a, 'i>(table: &'a DeTable<'i>, name: &str) -> Option<(&'a DeTable<'i>, Range<usize>)> {
    let value = table.get(name)?;
    Some((value.get_ref().as_table()?, value.span()))
}

/// Whether a value is a table that is not in curly brackets.
fn is_spread(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().is_table() && !is_inline(text, &value.span())
}

fn is_inline(text: &str, span: &Range<usize>) -> bool {
    text.get(span.clone()).is_some_and(|text| text.starts_with('{'))
}

fn replaced(text: &str, span: Range<usize>, value: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(span, value);
    text
}

/// Without a field: its whole line, unless there is more on it.
fn without(text: &str, mut span: Range<usize>) -> String {
    let begin = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[span.end..];
    let end = span.end + rest.find('\n').map_or(rest.len(), |at| at + 1);
    if text[begin..span.start].trim().is_empty() && text[span.end..end].trim().is_empty() {
        span = begin..end;
    } else if let Some(comma) =
        rest.find(|c: char| !c.is_whitespace()).filter(|at| rest[*at..].starts_with(','))
    {
        span.end += comma + 1;
    } else if let Some(comma) = text[..span.start].trim_end().strip_suffix(',') {
        span.start = comma.len();
    }
    replaced(text, span, "")
}

/// With a line more, below the last one of its table.
fn added(text: &str, table: &DeTable<'_>, span: &Range<usize>, path: &[&str], line: &str) -> String {
    if is_inline(text, span) {
        let comma = if table.is_empty() { " " } else { ", " };
        let end = text[..span.end - 1].trim_end().trim_end_matches(',').len();
        return replaced(text, end..span.end - 1, &format!("{comma}{line} "));
    }
    let own = table.iter().filter(|(_, value)| !is_spread(text, value));
    match own.max_by_key(|(_, value)| value.span().end) {
        // What stands before the key on its line stands before the new one, too: nothing, or `temperament.`.
        Some((key, value)) => {
            let begin = text[..key.span().start].rfind('\n').map_or(0, |at| at + 1);
            below(text, value.span().end, &format!("{}{line}", &text[begin..key.span().start]))
        }
        None if text.get(span.clone()).is_some_and(|head| head.contains('[')) => below(text, span.end, line),
        None => appended(text, path, line),
    }
}

/// With a line below the one where something ends.
fn below(text: &str, end: usize, line: &str) -> String {
    match text[end..].find('\n') {
        Some(at) => replaced(text, end + at + 1..end + at + 1, &format!("{line}\n")),
        None => format!("{text}\n{line}\n"),
    }
}

/// With a table more.
fn appended(text: &str, path: &[&str], line: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}\n[{}]\n{line}\n", path.join("."))
}

fn line(key: &str, value: &Value) -> String {
    format!("{key} = {}", literal(value))
}

/// A value as TOML has it. JSON's texts and numbers are TOML's.
fn literal(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let fields: Vec<String> = map.iter().map(|(key, value)| line(key, value)).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

/// TOML wants U+007F escaped, too.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests;
