//! Reads the utterances that `tests/speech/speak.py` and `tests/speech/readings.py` made.

use crate::phones;
use crate::speech::{Speech, wav};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the phoneme files of all utterances, grouped by voice and sorted by the numbers in their names.
pub fn by_voice(folder: &Path) -> Vec<Vec<PathBuf>> {
    let mut voices = BTreeMap::<String, Vec<PathBuf>>::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "phones") {
            let stem = path.file_stem().unwrap().to_string_lossy();
            voices.entry(stem.rsplit_once('-').unwrap().0.to_owned()).or_default().push(path);
        }
    }
    voices.values_mut().for_each(|names| names.sort());
    voices.into_values().collect()
}

/// Reads an utterance, and returns it with its name.
pub fn read(name: &Path) -> (String, Speech) {
    let stem = name.file_stem().unwrap().to_string_lossy().into_owned();
    let is_arpabet = stem.starts_with("flite") || stem.starts_with("read.arpabet");
    let viseme = if is_arpabet { phones::arpabet } else { phones::ipa };
    let text = std::fs::read_to_string(name).unwrap();
    let phone = |line: &str| {
        let mut words = line.split('\t');
        let mut secs = || words.next().unwrap().parse().unwrap();
        (secs(), secs(), viseme(words.next().unwrap_or_default()))
    };
    let (rate_hz, samples) = wav(&name.with_file_name(format!("{stem}.wav")));
    (stem, Speech { rate_hz, samples, phones: text.lines().map(phone).collect() })
}
