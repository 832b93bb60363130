//! Edits fields in the text of a `character.toml`. The rest of the text is kept, including comments.
//!
//! Users write comments into this file, and a program that rewrites it would delete them. `edited` therefore changes
//! only the fields that differ, in the parsed document of [`toml_edit`], and keeps layout and line ends. A removed
//! field leaves its comments behind. The result is read back and compared with the wanted [`Manifest`], so an unusual
//! layout causes an error and never a wrong file.

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, RawString, Table};
use vivant::eyes::Temperament;
use vivant_io::character::{Manifest, read};
use vivant_io::{Error, Result};

/// The fields to change. Fields that are `None` stay unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Change<'a> {
    /// The character's name.
    pub(super) name: Option<&'a str>,
    /// The file name of the avatar.
    pub(super) avatar: Option<&'a str>,
    /// The temperament of the character.
    pub(super) temperament: Option<&'a Temperament>,
}

/// Returns the text of a manifest with a change applied.
///
/// # Errors
/// If the text is not a valid manifest, or the changed text cannot be read back.
pub(super) fn edited(text: &str, change: Change<'_>) -> Result<String> {
    let before = read(text.as_bytes())?;
    let wanted = wanted(&before, change);
    let parsed = text.parse::<DocumentMut>();
    let mut document = parsed.map_err(|error| Error::new(format!("not valid TOML: {error}")))?;
    for (key, word, was) in [("name", change.name, &before.name), ("avatar", change.avatar, &before.avatar)] {
        if let Some(word) = word.filter(|word| was.as_deref() != Some(*word)) {
            set(document.as_item_mut(), key, &Value::from(word));
        }
    }
    let (old, new) = (fields(&before.temperament), fields(&wanted.temperament));
    for (key, value) in new.iter().filter(|(key, value)| old.get(*key) != Some(value)) {
        set(document.entry("temperament").or_insert(Item::Table(Table::new())), key, value);
    }
    let text = with_newlines_of(text, &document.to_string());
    if read(text.as_bytes())? == wanted {
        return Ok(text);
    }
    Err(Error::new("this file cannot be edited automatically; change it in a text editor"))
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

/// Sets a field, or removes it if the value is null. A table keeps its layout, because each of its fields is set
/// separately.
fn set(into: &mut Item, key: &str, value: &Value) {
    let Some(table) = into.as_table_like_mut() else { return };
    if let (Some(inner @ Item::Table(_)), Value::Object(fields)) = (table.get_mut(key), value) {
        return fields.iter().for_each(|(key, value)| set(inner, key, value));
    }
    let Some(mut new) = toml_of(value) else { return remove(into, key) };
    if let Some(old) = table.get_mut(key).and_then(Item::as_value_mut) {
        *new.decor_mut() = old.decor().clone();
        *old = new;
    } else {
        table.insert(key, Item::Value(new));
        // Spaces before the closing bracket would end up before the new comma, so they are removed.
        if let Some(table) = into.as_inline_table_mut() {
            table.fmt();
        }
    }
}

/// Removes a field. The comments of the field are moved below the previous field, or below the table header.
fn remove(from: &mut Item, key: &str) {
    let Some(table) = from.as_table_mut() else {
        if let Some(table) = from.as_inline_table_mut() {
            table.remove(key);
            table.fmt();
        }
        return;
    };
    let comments = comments_of(table, key);
    let before = table.iter().take_while(|(name, _)| *name != key).filter(|(_, item)| item.is_value());
    let before = before.last().map(|(name, _)| name.to_owned());
    table.remove(key);
    if comments.is_empty() {
        return;
    }
    let decor = match before.as_deref() {
        Some(name) => table.get_mut(name).and_then(Item::as_value_mut).map(toml_edit::Value::decor_mut),
        None => Some(table.decor_mut()),
    };
    if let Some(decor) = decor {
        let suffix = decor.suffix().and_then(RawString::as_str).unwrap_or_default();
        let suffix = format!("{suffix}{comments}");
        decor.set_suffix(suffix);
    }
}

/// Returns the comments above a field and at the end of its line, one line each.
fn comments_of(table: &Table, key: &str) -> String {
    let above = table.key(key).and_then(|key| key.leaf_decor().prefix()?.as_str()).unwrap_or_default();
    let behind = table.get(key).and_then(|item| item.as_value()?.decor().suffix()?.as_str());
    let lines = above.lines().chain(behind).map(str::trim).filter(|line| line.starts_with('#'));
    lines.map(|line| format!("\n{line}")).collect()
}

/// Converts a value to TOML; `None` for null.
fn toml_of(value: &Value) -> Option<toml_edit::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => toml_edit::Value::Array(list.iter().filter_map(toml_of).collect()),
        Value::Object(fields) => {
            let fields = fields.iter().filter_map(|(key, value)| Some((key, toml_of(value)?)));
            toml_edit::Value::InlineTable(fields.collect())
        }
    })
}

/// Converts line ends to those of another text, since `toml_edit` always writes `\n`.
fn with_newlines_of(before: &str, text: &str) -> String {
    let is_windows = before.contains("\r\n") && !before.replace("\r\n", "").contains('\n');
    if is_windows { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests;
