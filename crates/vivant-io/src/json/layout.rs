//! How a file is laid out: one thing a line, so that a change is a line in a diff.
//!
//! An action with all its fields is a line if it fits, and so is a row of a matrix. Many numbers fill their lines.

use super::tree::{self, Tree};
use std::fmt::Write;

/// The longest line with several things in it.
const COLUMNS: usize = 110;

/// Longer lists of numbers or words are samples, and nobody compares them one by one.
const LONG: usize = 32;

/// JSON with line breaks. Text that is no JSON stays as it is.
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
        Tree::List(trees) if trees.len() > LONG && is_plain(tree) => filled(out, trees, depth),
        Tree::List(trees) => block(out, ['[', ']'], trees, depth, |out, tree| put(out, tree, depth + 1)),
        Tree::Object(fields) => block(out, ['{', '}'], fields, depth, |out, (key, tree)| {
            out.push_str(&quoted(key));
            out.push_str(": ");
            put(out, tree, depth + 1);
        }),
    }
}

/// A bracket, as many things a line as fit, a bracket.
fn filled(out: &mut String, trees: &[Tree], depth: usize) {
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

/// A bracket, one thing a line, a bracket.
fn block<T>(
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

/// Whether it may stand on one line: words and numbers, and lists of them in an object.
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
    fn a_thing_a_line_and_a_row_a_line() {
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
    fn many_numbers_fill_their_lines() {
        let numbers: Vec<u32> = (100..200).collect();
        let text = pretty(&format!("{{\"all\":{numbers:?}}}"));
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert!(lengths.iter().all(|length| *length <= COLUMNS) && lengths.len() < 10, "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["all"].as_array().unwrap().len(), 100);
    }
}
