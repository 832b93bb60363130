//! Names of folders, of characters in URLs, and of uploaded files.

use crate::character::{MANIFEST, REPERTOIRE};
use std::path::{Path, PathBuf};

/// Maximum length of a file name in bytes.
const MAX_BYTES: usize = 120;
/// Maximum number of entries of the home folder that are searched for characters.
const MAX_CHARACTERS: usize = 10_000;

/// Returns the sorted folders of all characters in the folder `home`.
pub(super) fn characters(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten().take(MAX_CHARACTERS);
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_character = |path: &PathBuf| [MANIFEST, REPERTOIRE].iter().any(|file| path.join(file).is_file());
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| !is_hidden(path) && is_character(path)).collect();
    all.sort();
    all
}

/// Converts a name to lower-case letters, digits and hyphens, for use in URLs.
pub(super) fn slug(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let spelled: String = name.chars().take(MAX_BYTES).map(safe).collect();
    let parts: Vec<&str> = spelled.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "character".into() } else { parts.join("-") }
}

/// Returns the name if it is free; otherwise the first free name of `name-2`, `name-3` …
pub(super) fn unique(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

/// Makes a file name safe. The result has a limited length and no folders, leading dots, control characters, or
/// characters with a special meaning in shells, on Windows or in repertoires. An expected extension is kept;
/// otherwise the first of `endings` is appended.
pub(super) fn safe(name: &str, endings: &[&str]) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let harmless = |c: char| match c {
        '<' | '>' | ':' | '"' | '|' | '?' | '*' | '#' | '%' => '-',
        c if c.is_control() => '-',
        c => c,
    };
    let spelled: String = last.chars().map(harmless).collect();
    let spelled = spelled.trim().trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    let (stem, ending) = match spelled.rsplit_once('.') {
        Some((stem, ending)) if endings.contains(&&*ending.to_lowercase()) => (stem, ending),
        _ => (spelled, endings.first().copied().unwrap_or_default()),
    };
    let stem = shortened(stem, MAX_BYTES - 1 - ending.len());
    format!("{}.{ending}", if stem.is_empty() { "file" } else { stem })
}

fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[..end].trim_end()
}

/// Adds a number to a file name, except for the number 1: `wave.fbx`, `wave-2.fbx`, `wave-3.fbx`.
pub(super) fn numbered(name: &str, number: usize) -> String {
    match (number, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (_, Some((stem, ending))) => format!("{stem}-{number}.{ending}"),
        (_, None) => format!("{name}-{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_made_safe() {
        for (name, expected) in [
            ("wave.fbx", "wave.fbx"),
            ("Wave Hand (2).FBX", "Wave Hand (2).FBX"),
            ("../../etc/passwd", "passwd.bvh"),
            ("..\\..\\boot.fbx", "boot.fbx"),
            ("..", "file.bvh"),
            ("", "file.bvh"),
            (".hidden.fbx", "hidden.fbx"),
            (".fbx", "fbx.bvh"),
            ("a\u{0}b\n.fbx", "a-b-.fbx"),
            ("all#one.fbx", "all-one.fbx"),
            ("walk.txt", "walk.txt.bvh"),
            ("C:walk.bvh", "C-walk.bvh"),
            ("grüße.bvh", "grüße.bvh"),
        ] {
            assert_eq!(safe(name, &["bvh", "fbx"]), expected, "{name:?}");
        }
        for long in ["x".repeat(500), "ü".repeat(500)] {
            let made = safe(&format!("{long}.fbx"), &["bvh", "fbx"]);
            assert!(made.len() <= MAX_BYTES && made.ends_with(".fbx"), "{made}");
        }
    }

    #[test]
    fn slugs_are_plain_and_unique() {
        for (name, expected) in
            [("Eve", "eve"), ("  Eve & Ada! ", "eve-ada"), ("日本", "character"), ("", "character")]
        {
            assert_eq!(slug(name), expected);
        }
        assert_eq!(unique("eve", |id| ["eve", "eve-2"].contains(&id)), "eve-3");
    }
}
