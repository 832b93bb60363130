//! Names: of folders, of characters in addresses, of files that come from elsewhere.

use crate::character::{MANIFEST, REPERTOIRE};
use std::path::{Path, PathBuf};

/// The longest name of a file that is made here, in bytes.
const MOST_BYTES: usize = 120;
/// The most characters of one folder.
const MOST_CHARACTERS: usize = 10_000;

/// The folders of characters in a folder, in the order of their names.
pub(super) fn characters(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten().take(MOST_CHARACTERS);
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_one = |path: &PathBuf| [MANIFEST, REPERTOIRE].iter().any(|file| path.join(file).is_file());
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| !is_hidden(path) && is_one(path)).collect();
    all.sort();
    all
}

/// A name as it can stand in an address: small letters, digits and hyphens.
pub(super) fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let spelled: String = name.chars().take(MOST_BYTES).map(plain).collect();
    let parts: Vec<&str> = spelled.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "character".into() } else { parts.join("-") }
}

/// The name, or the first of `name-2`, `name-3` … that is not taken.
pub(super) fn unique(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

/// A file's name as it can be written anywhere: no folders, nothing hidden, nothing that moves the cursor or
/// means something to a shell, to Windows or to a repertoire, and not too long. The ending stays, if it is one
/// of those that are expected; else it gets the first of them.
pub(super) fn plain(name: &str, endings: &[&str]) -> String {
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
    let stem = shortened(stem, MOST_BYTES - 1 - ending.len());
    format!("{}.{ending}", if stem.is_empty() { "file" } else { stem })
}

fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[..end].trim_end()
}

/// `wave.fbx`, `wave-2.fbx`, …
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
    fn a_files_name_leads_nowhere_and_shows_nothing_odd() {
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
            assert_eq!(plain(name, &["bvh", "fbx"]), expected, "{name:?}");
        }
        for long in ["x".repeat(500), "ü".repeat(500)] {
            let made = plain(&format!("{long}.fbx"), &["bvh", "fbx"]);
            assert!(made.len() <= MOST_BYTES && made.ends_with(".fbx"), "{made}");
        }
    }

    #[test]
    fn an_address_is_plain_and_nobody_elses() {
        for (name, expected) in
            [("Eve", "eve"), ("  Eve & Ada! ", "eve-ada"), ("日本", "character"), ("", "character")]
        {
            assert_eq!(slug(name), expected);
        }
        assert_eq!(unique("eve", |id| ["eve", "eve-2"].contains(&id)), "eve-3");
    }
}
