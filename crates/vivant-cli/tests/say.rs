//! `vivant say`: voice and character are synchronised, and text that cannot be spoken is reported.

#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stderr, reason = "tests say what they skip and measure")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn vivant(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vivant")).arg("say").args(words).output().unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

/// Creates a folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("vivant-say-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn has_espeak() -> bool {
    vivant_testing::tool("VIVANT_ESPEAK", "espeak-ng").is_some()
}

/// A CSV of a character.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        let columns = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let row = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
        Self { columns, rows: lines.map(row).collect() }
    }

    fn secs(&self) -> f64 {
        self.rows.last().unwrap()[0]
    }

    /// Returns the sum of the weights that open the mouth in a row.
    fn open(&self, row: &[f64]) -> f64 {
        let opens =
            |name: &str| ["aa", "E", "ih", "oh", "ou"].iter().any(|end| name == format!("viseme_{end}"));
        let all = self.columns.iter().zip(row).filter(|(name, _)| opens(name));
        all.map(|(_, weight)| weight).sum()
    }

    /// Returns the row at a time.
    fn at(&self, secs: f64) -> &[f64] {
        let row = self.rows.partition_point(|row| row[0] < secs);
        &self.rows[row.min(self.rows.len() - 1)]
    }

    fn weight(&self, row: &[f64], name: &str) -> f64 {
        self.columns.iter().position(|column| column == name).map_or(0.0, |column| row[column])
    }
}

fn wav_secs(path: &Path) -> f64 {
    let bytes = std::fs::read(path).unwrap();
    let rate = u32::from_le_bytes(bytes[24..28].try_into().unwrap());
    (bytes.len() - 44) as f64 / 2.0 / f64::from(rate)
}

/// Writes a WAV file with one channel of 16 bits at 16 kHz.
fn write_wav(path: &Path, samples: impl Iterator<Item = i16>) {
    let data: Vec<u8> = samples.flat_map(i16::to_le_bytes).collect();
    let mut bytes =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data".to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(&data);
    bytes[4..8].copy_from_slice(&(36 + data.len() as u32).to_le_bytes());
    std::fs::write(path, bytes).unwrap();
}

const LINE: &str = "[nod] Please pay my big brother, Bob. Maybe Pam may come home by bus, or Tom.";

/// Checks that the lips are closed in the middle of all phonemes that need closed lips and last long enough to be
/// visible, and that the lips come to rest at the end.
fn check_mouth(printed: &Value, table: &Table) {
    let begins = printed["voice"][0].as_f64().unwrap();
    let ends = printed["voice"][1].as_f64().unwrap();
    let (mut closed, mut all) = (0, 0);
    for phone in printed["phones"].as_array().unwrap() {
        let secs = |key: &str| begins + phone[key].as_f64().unwrap();
        if !["P", "B", "M"].contains(&phone["phone"].as_str().unwrap()) {
            continue;
        }
        let rows =
            table.rows.iter().filter(|row| row[0] >= secs("start") - 0.01 && row[0] <= secs("end") + 0.01);
        all += 1;
        closed += usize::from(
            rows.into_iter().any(|row| table.weight(row, "viseme_PP") > 0.6 && table.open(row) < 0.3),
        );
    }
    assert!(all >= 12 && closed as f64 >= 0.95 * f64::from(all), "closed on {closed} of {all}");
    let most = table.rows.iter().map(|row| table.open(row)).fold(0.0, f64::max);
    assert!(most > 0.5, "the mouth never opens: {most}");
    for row in table.rows.iter().filter(|row| row[0] > ends + 0.3) {
        assert!(
            table.open(row) < 0.05,
            "open by {} at {} s, and the voice ends at {ends} s",
            table.open(row),
            row[0]
        );
    }
}

#[test]
fn a_voice_and_a_character_are_as_long_as_each_other_and_the_lips_close() {
    if !has_espeak() {
        return;
    }
    let folder = folder("voice");
    let out = folder.join("bob.wav+csv");
    let printed = json(&vivant(&[LINE, "--voice", "espeak-ng", "-o", out.to_str().unwrap(), "--json"]));
    let (wav, csv) = (folder.join("bob.wav"), folder.join("bob.csv"));
    assert_eq!(printed["written"], serde_json::json!([wav, csv]), "{printed}");
    let table = Table::read(&csv);
    assert!((wav_secs(&wav) - table.secs()).abs() < 0.1, "{} and {} s", wav_secs(&wav), table.secs());
    check_mouth(&printed, &table);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Lip-sync works for languages with other letters and phonemes.
#[test]
fn lips_close_in_other_languages_too() {
    if !has_espeak() {
        return;
    }
    let folder = folder("languages");
    for (voice, words) in [
        ("de", "Meine Mama backt am Montag braunes Brot, und Papa mag bunte Blumen beim Baum."),
        ("es", "Mi mamá compra pan, y papá pone la mesa para Pablo. Mañana me baño."),
        ("fr", "Ma maman met du pain sur la table, et papa prépare un bon repas. Bonjour, mon ami."),
        ("ru", "Мама мыла раму, папа пёк блины, а бабушка помогала маме."),
        ("cmn", "爸爸妈妈跑步去买面包，朋友们帮忙。你们明白吗？"),
    ] {
        let out = folder.join(format!("{voice}.csv"));
        let named = format!("espeak-ng:{voice}");
        let printed = json(&vivant(&[words, "--voice", &named, "-o", out.to_str().unwrap(), "--json"]));
        let table = Table::read(&out);
        check_mouth(&printed, &table);
        let name =
            |phone: &Value| phone["phone"].as_str().unwrap().trim_end_matches(char::is_numeric).to_owned();
        let shapes: std::collections::BTreeSet<String> =
            printed["phones"].as_array().unwrap().iter().map(name).collect();
        assert!(shapes.len() >= 12, "{voice} has many phonemes: {shapes:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_a_voice_the_lips_close() {
    let folder = folder("none");
    let out = folder.join("bob.csv");
    let printed = json(&vivant(&[LINE, "--voice", "none", "-o", out.to_str().unwrap(), "--json"]));
    let table = Table::read(&out);
    assert!((printed["seconds"].as_f64().unwrap() - table.secs()).abs() < 0.1, "{printed}");
    check_mouth(&printed, &table);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A recording is aligned with its text; without text, audio lip-sync is used.
#[test]
fn a_recording_is_a_voice_with_words_and_without() {
    if !has_espeak() {
        return;
    }
    let folder = folder("recording");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let words = "Hello there, my big friend. I saw five ships.";
    let by_espeak = json(&vivant(&[words, "--voice", "espeak-ng", "-o", &path("a.wav"), "--json"]));
    let aligned = json(&vivant(&[words, "--voice", &path("a.wav"), "-o", &path("b.csv"), "--json"]));
    let begins = by_espeak["voice"][0].as_f64().unwrap();
    let (words, found) = (by_espeak["words"].as_array().unwrap(), aligned["words"].as_array().unwrap());
    assert_eq!(words.len(), found.len());
    for (word, found) in words.iter().zip(found) {
        let off = word["start"].as_f64().unwrap() + begins - found["start"].as_f64().unwrap();
        assert!(off.abs() < 0.15, "{word} was found at {found}");
    }
    let heard = json(&vivant(&["--voice", &path("a.wav"), "-o", &path("c.csv"), "--json"]));
    assert_eq!(heard["words"], serde_json::json!([]));
    let table = Table::read(&folder.join("c.csv"));
    let word = &words[4];
    let during = |row: &&Vec<f64>| {
        let secs = row[0] - begins - heard["voice"][0].as_f64().unwrap();
        secs > word["start"].as_f64().unwrap() && secs < word["end"].as_f64().unwrap()
    };
    let open = table.rows.iter().filter(during).map(|row| table.open(row)).fold(0.0, f64::max);
    assert!(open > 0.2, "open by {open} during {word}");
    assert!(table.open(table.at(table.secs())) < 0.05);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn text_that_cannot_be_spoken_is_reported() {
    let folder = folder("faults");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let out = path("out.csv");
    std::fs::write(folder.join("empty.txt"), "").unwrap();
    std::fs::write(folder.join("long.txt"), "word ".repeat(200_000)).unwrap();
    std::fs::write(folder.join("odd.ssml"), "<speak>Hello <b").unwrap();
    std::fs::write(folder.join("no.wav"), "no sound").unwrap();
    let check = |words: &[&str], status: i32, sentence: &str| {
        let output = vivant(&[words, &["-o", &out]].concat());
        let text =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert_eq!(output.status.code(), Some(status), "{words:?}: {text}");
        assert!(text.contains(sentence), "{words:?}: {text}");
    };
    let none = ["--voice", "none"];
    check(&["", none[0], none[1]], 1, "nothing to speak");
    check(&["😀 🎉", none[0], none[1]], 1, "“😀” cannot be spoken");
    check(&[&path("empty.txt"), none[0], none[1]], 1, "nothing to speak");
    check(&[&path("missing.txt"), none[0], none[1]], 1, "no such file");
    check(&[&path("long.txt"), none[0], none[1]], 1, "too long: 1000000 characters");
    check(&[&path("odd.ssml"), none[0], none[1]], 1, "odd.ssml");
    check(&["Hello", "--voice", "siri"], 1, "unknown voice “siri”");
    check(&["Hello", "--voice", &path("missing.wav")], 1, "no such file");
    check(&["Hello", "--voice", &path("no.wav")], 1, "cannot read this recording");
    check(&["Hello", "--rate", "9"], 2, "from 0.5 to 2.5");
    check(&["Hello", none[0], none[1], "-o", &path("x.wav")], 1, "--voice none has no audio");
    check(&["Hello", none[0], none[1], "-o", &path("x.fbx")], 1, "give .wav, .vrma, .glb");
    check(&["Привет", none[0], none[1]], 1, "“Привет” cannot be spoken");
    check(&["Hello 😀", none[0], none[1]], 0, "emoji are not spoken");
    check(&["Hello 你好", none[0], none[1]], 0, "letters of other scripts");
    check(&["[dance:tango] Hello", none[0], none[1]], 0, "dance");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_espeak_the_error_says_how_to_install_it() {
    let folder = folder("absent");
    let out = folder.join("a.csv");
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.arg("say").args(words).env("VIVANT_ESPEAK", "/nowhere/espeak-ng").output().unwrap()
    };
    let output = run(&["Hello", "--voice", "espeak-ng", "-o", out.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && text.contains("apt install espeak-ng"), "{text}");
    // If espeak-ng was not requested, lips move without it, with a warning.
    let output = run(&["Hello", "-o", out.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("not installed"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn silent_and_clipped_recordings_are_reported() {
    let folder = folder("odd");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    write_wav(&folder.join("silent.wav"), std::iter::repeat_n(0, 16_000));
    let square = |sample: usize| if (sample / 60).is_multiple_of(2) { i16::MAX } else { i16::MIN };
    write_wav(&folder.join("clipped.wav"), (0..16_000).map(square));
    for (name, words, sentence) in [
        ("silent.wav", None, "is silent"),
        ("silent.wav", Some("Hello"), "is silent"),
        ("clipped.wav", None, "is clipped"),
    ] {
        let out = path("out.csv");
        let voice = path(name);
        let given: Vec<&str> = words.into_iter().chain(["--voice", &voice, "-o", &out]).collect();
        let output = vivant(&given);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains(sentence), "{name}: {text}");
    }
    let table = Table::read(&folder.join("out.csv"));
    assert!(table.open(table.at(table.secs())) < 0.05);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_same_seed_gives_the_same_files() {
    let folder = folder("seed");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in ["a.csv", "b.csv"] {
        assert!(
            vivant(&["Hello there.", "--voice", "none", "--seed", "7", "-o", &path(name)]).status.success()
        );
    }
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("a.csv") == read("b.csv"));
    std::fs::remove_dir_all(folder).unwrap();
}
