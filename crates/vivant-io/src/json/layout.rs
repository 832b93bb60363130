//! Formats JSON with one item per line, so that a change is one line in a diff.
//!
//! An action with all its fields is one line if it fits, and so is a row of a matrix. Long lists of numbers have as
//! many numbers per line as fit.

use super::tree::{self, Tree};
use std::fmt::Write;

/// Maximum length of a line with several items, in bytes.
const COLUMNS: usize = 110;

/// Lists of numbers or words with more items than this are written with as many items per line as fit.
const LONG: usize = 32;

/// Formats JSON. Invalid JSON is returned unchanged.
pub(super) fn pretty(json: &str) -> String {
    let Ok(tree) = tree::parse(json) else { return json.to_owned() };
    let mut out = String::with_capacity(json.len() * 2);
    put(&mut out, &tree, 0);
    out.push('\n');
    out
}

fn put(out: &mut String, tree: &Tree, depth: usize) {
    if is_plain(tree) {
        let line = flat(tree);
        let column = out.len() - out.rfind('\n').map_or(0, |at| at + 1);
        if column + line.len() <= COLUMNS || !is_container(tree) {
            out.push_str(&line);
            return;
        }
    }
    match tree {
        Tree::Leaf(value) => out.push_str(&value.to_string()),
        Tree::List(trees) if trees.len() > LONG && is_plain(tree) => put_filled(out, trees, depth),
        Tree::List(trees) => put_block(out, ['[', ']'], trees, depth, |out, tree| put(out, tree, depth + 1)),
        Tree::Object(fields) => put_block(out, ['{', '}'], fields, depth, |out, (key, tree)| {
            out.push_str(&quoted(key));
            out.push_str(": ");
            put(out, tree, depth + 1);
        }),
    }
}

/// Writes a list with as many items per line as fit.
fn put_filled(out: &mut String, trees: &[Tree], depth: usize) {
    let indent = 2 * (depth + 1);
    out.push('[');
    let mut column = COLUMNS;
    for (index, tree) in trees.iter().enumerate() {
        let text = flat(tree);
        let comma = if index > 0 { "," } else { "" };
        let fits = column + text.len() + 3 <= COLUMNS;
        column = if fits { column + 2 + text.len() } else { indent + text.len() };
        // Writing into a String cannot fail.
        let _ =
            if fits { write!(out, "{comma} {text}") } else { write!(out, "{comma}\n{:indent$}{text}", "") };
    }
    let _ = write!(out, "\n{:1$}]", "", 2 * depth);
}

/// Writes a list or object with one item per line.
fn put_block<T>(
    out: &mut String,
    [open, close]: [char; 2],
    all: &[T],
    depth: usize,
    each: impl Fn(&mut String, &T),
) {
    out.push(open);
    for (index, one) in all.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        // Writing into a String cannot fail.
        let _ = write!(out, "{comma}\n{:1$}", "", 2 * (depth + 1));
        each(out, one);
    }
    let _ = write!(out, "\n{:1$}{close}", "", 2 * depth);
}

/// Returns true if the value may be written on one line. This holds for words and numbers, and for objects with lists
/// of words and numbers.
fn is_plain(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(_) => true,
        Tree::List(trees) => !trees.iter().any(is_container),
        Tree::Object(fields) => {
            fields.iter().all(|(_, tree)| is_plain(tree) && !matches!(tree, Tree::Object(_)))
        }
    }
}

fn is_container(tree: &Tree) -> bool {
    !matches!(tree, Tree::Leaf(_))
}

fn flat(tree: &Tree) -> String {
    match tree {
        Tree::Leaf(value) => value.to_string(),
        Tree::List(trees) => format!("[{}]", trees.iter().map(flat).collect::<Vec<_>>().join(", ")),
        Tree::Object(fields) if fields.is_empty() => "{}".into(),
        Tree::Object(fields) => {
            let field = |(key, tree): &(String, Tree)| format!("{}: {}", quoted(key), flat(tree));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(key: &str) -> String {
    serde_json::Value::from(key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_rows_are_lines() {
        let json =
            r#"{"version":1,"rows":[[1.0,2.5],[3,4]],"all":[{"a":["x","y"],"b":{}},{"c":[]}],"none":[]}"#;
        let expected = r#"{
  "version": 1,
  "rows": [
    [1, 2.5],
    [3, 4]
  ],
  "all": [
    {
      "a": ["x", "y"],
      "b": {}
    },
    { "c": [] }
  ],
  "none": []
}
"#;
        assert_eq!(pretty(json), expected);
        assert_eq!(pretty(&format!("[\"{}\"]", "x".repeat(200))).lines().count(), 3);
    }

    #[test]
    fn long_lists_fill_their_lines() {
        let numbers: Vec<u32> = (100..200).collect();
        let text = pretty(&format!("{{\"all\":{numbers:?}}}"));
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert!(lengths.iter().all(|length| *length <= COLUMNS) && lengths.len() < 10, "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["all"].as_array().unwrap().len(), 100);
    }
}
