//! What `tests/speech/speak.py` made.

use crate::phones;
use crate::speech::{Speech, wav};
use std::path::Path;

/// All utterances, in the order of the numbers in their names.
pub fn made(folder: &Path) -> Vec<Speech> {
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|end| end == "phones"));
    names.sort_by_key(|name| name.to_string_lossy().rsplit('-').next().unwrap().to_owned());
    names.iter().map(|name| made_one(name)).collect()
}

fn made_one(name: &Path) -> Speech {
    let stem = name.file_name().unwrap().to_string_lossy().into_owned();
    let viseme = if stem.starts_with("flite") { phones::arpabet } else { phones::ipa };
    let text = std::fs::read_to_string(name).unwrap();
    let phone = |line: &str| {
        let mut words = line.split('\t');
        let mut secs = || words.next().unwrap().parse().unwrap();
        (secs(), secs(), viseme(words.next().unwrap_or_default()))
    };
    let (rate_hz, samples) = wav(&name.with_extension("wav"));
    Speech { rate_hz, samples, phones: text.lines().map(phone).collect() }
}
