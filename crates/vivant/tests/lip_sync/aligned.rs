//! Recordings of real people with aligned phonemes, from `VIVANT_DATA`.

use super::phones;
use super::speech::{Speech, wav};
use std::path::{Path, PathBuf};

/// Returns the folder with the recordings, if it is set.
pub fn folder() -> Option<PathBuf> {
    vivant_testing::data("speech")
}

/// Returns all recordings by name.
pub fn recordings(folder: &Path) -> Vec<(&'static str, Speech)> {
    FILES.iter().map(|file| (file.name, file.read(folder))).collect()
}

/// A recording and its words with start and end in seconds, without silences.
pub type Spoken = (Speech, Vec<(f64, f64, String)>);

/// Returns the recordings with known words.
pub fn spoken(folder: &Path) -> Vec<Spoken> {
    let known = FILES.iter().filter(|file| file.name.starts_with("librivox") || file.name.starts_with("mfa"));
    known.map(|file| (file.read(folder), file.words(folder))).collect()
}

struct File {
    name: &'static str,
    labels: &'static str,
    read: fn(&str) -> Vec<Phone>,
}

type Phone = (f64, f64, Option<usize>);

const FILES: [File; 8] = [
    File { name: "librivox/sense_0870", labels: "phone.json", read: pocketsphinx },
    File { name: "librivox/sense_0880", labels: "phone.json", read: pocketsphinx },
    File { name: "librivox/sense_0890", labels: "phone.json", read: pocketsphinx },
    File { name: "arctic/arctic_a0009", labels: "lab", read: hts },
    File { name: "mfa/acoustic_corpus", labels: "TextGrid", read: text_grid },
    File { name: "mfa/cold_corpus", labels: "TextGrid", read: text_grid },
    File { name: "praatio/bobby", labels: "TextGrid", read: text_grid },
    File { name: "praatio/damon_set_test", labels: "TextGrid", read: text_grid },
];

impl File {
    fn words(&self, folder: &Path) -> Vec<(f64, f64, String)> {
        let text = std::fs::read_to_string(folder.join(self.name).with_extension(self.labels)).unwrap();
        let mut words = if self.labels == "TextGrid" {
            tier(&text, &["\"words\""])
        } else {
            // Objects that contain others, except for the outermost.
            let words = text.split('{').skip(2).filter(|object| object.contains("\"w\":"));
            words.map(timed).collect()
        };
        words.retain(|(_, _, word)| !word.is_empty() && !word.starts_with('<'));
        words
    }

    fn read(&self, folder: &Path) -> Speech {
        let name = folder.join(self.name);
        let (rate_hz, samples) = wav(&name.with_extension("wav"));
        let labels = match self.name {
            "arctic/arctic_a0009" => folder.join("arctic/arctic_a0009_phone.lab"),
            "praatio/bobby" => folder.join("praatio/bobby_phones.TextGrid"),
            _ => name.with_extension(self.labels),
        };
        let text = std::fs::read(&labels).unwrap_or_else(|error| panic!("{}: {error}", labels.display()));
        let phones = (self.read)(&String::from_utf8_lossy(&text));
        Speech { rate_hz, samples, phones }
    }
}

/// Parses objects with `b` (start), `d` (duration) and `t` (phoneme). Phonemes are the innermost objects, those
/// without `w`.
fn pocketsphinx(text: &str) -> Vec<Phone> {
    let innermost = text.split('{').filter(|object| object.contains("\"d\":") && !object.contains("\"w\":"));
    innermost.map(timed).map(|(start, end, phone)| (start, end, phones::arpabet(&phone))).collect()
}

fn timed(object: &str) -> (f64, f64, String) {
    let field = |name: &str| {
        let rest = object.split(&format!("\"{name}\":")).nth(1).unwrap();
        rest.split([',', '}']).next().unwrap().trim_matches('"').to_owned()
    };
    let [start, length]: [f64; 2] = ["b", "d"].map(|name| field(name).parse().unwrap());
    (start, start + length, field("t"))
}

/// Parses lines of start, end (in units of 100 ns) and a context in which the phoneme is between `-` and `+`.
fn hts(text: &str) -> Vec<Phone> {
    let phone = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [start, end] = [0, 1].map(|n| words[n].parse::<f64>().unwrap() * 1e-7);
        (start, end, phones::arpabet(words[2].split_once('-').unwrap().1.split('+').next().unwrap()))
    };
    text.lines().map(phone).collect()
}

fn text_grid(text: &str) -> Vec<Phone> {
    let phones = tier(text, &["\"phones\"", "\"phone\"", "\"phons\""]);
    phones.into_iter().map(|(start, end, phone)| (start, end, phones::arpabet(&sampa(&phone)))).collect()
}

/// Returns the intervals of a tier. The values of a TextGrid, short or long, are its numbers and texts in order.
fn tier(text: &str, names: &[&str]) -> Vec<(f64, f64, String)> {
    let value = |line: &str| line.rsplit(" = ").next().unwrap().trim().to_owned();
    let lines = text.lines().map(value).filter(|line| !line.ends_with(':') && !line.is_empty());
    let mut lines = lines.skip_while(|line| !names.contains(&line.as_str()));
    let mut next = || lines.next().unwrap();
    let count: usize =
        [next(), next(), next(), next()][3].trim_start_matches("intervals: size").trim().parse().unwrap();
    let mut interval = |_| {
        let [start, end] = [next(), next()].map(|line| line.parse().unwrap());
        (start, end, next().trim_matches('"').to_owned())
    };
    (0..count).map(&mut interval).collect()
}

/// Converts the SAMPA labels of one recording to ARPAbet. Only labels that differ even if case is ignored are listed.
fn sampa(phone: &str) -> String {
    let known = [("eI", "EY"), ("aI", "AY"), ("@", "AX"), ("D", "DH"), ("V", "AH"), ("A", "AA")];
    known.iter().find(|(sampa, _)| *sampa == phone).map_or(phone, |(_, arpabet)| arpabet).into()
}
