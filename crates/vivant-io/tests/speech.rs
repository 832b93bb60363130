//! Tests with real speech from the folder in `VIVANT_DATA`: reading, pronunciation by rule, and phoneme times
//! compared with those of aligners.

#![allow(clippy::print_stdout, reason = "tests print what they measure")]

#[path = "speech/align.rs"]
mod align;

use align::Pair;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use vivant::speech::mouth::Mouth;
use vivant::speech::pronounce::{English, Pronounce};
use vivant::speech::timing::{TimedWord, TimingOptions, score_in_words};
use vivant::speech::utterance::Utterance;
use vivant::speech::{Class, Phone, Score, Segment, Viseme};
use vivant_io::json::intents::wire::{SaidPhone, SaidViseme, Say};
use vivant_io::speech::{dictionary, read};

fn folder() -> Option<PathBuf> {
    vivant_testing::data("speech")
}

fn read_file(folder: &Path, name: &str) -> Score {
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    read(name, &bytes).unwrap_or_else(|error| panic!("{error}")).0
}

/// The expected numbers of words and phonemes were counted by another program. It counted all labels that are neither
/// empty nor silence, and the label PT of *ripped* as two phonemes.
#[test]
fn every_file_has_the_expected_words_and_phonemes() {
    let Some(folder) = folder() else { return };
    for (name, words, sounds) in [
        ("mfa/acoustic_corpus.TextGrid", 58, 203),
        ("mfa/cold_corpus.TextGrid", 64, 215),
        ("praatio/bobby_phones.TextGrid", 0, 14),
        ("praatio/damon_set_test.TextGrid", 4, 16),
        ("arctic/arctic_a0009_phone.lab", 0, 38),
        ("arctic/arctic_a0009_state.lab", 0, 38),
        ("librivox/sense_0870.phone.json", 22, 76),
        ("librivox/sense_0880.phone.json", 8, 25),
        ("librivox/sense_0890.phone.json", 14, 51),
    ] {
        let score = read_file(&folder, name);
        assert_eq!((score.words.len(), score.segments.len()), (words, sounds), "{name}");
    }
    for (name, words) in [
        ("praatio/bobby_words.TextGrid", 4),
        ("praatio/bobby_words_with_newlines_longfile_elan.TextGrid", 4),
        ("librivox/sense_0870.json", 22),
        ("librivox/sense_0880.json", 8),
        ("librivox/sense_0890.json", 14),
        ("librivox/sense_0890.txt", 14),
    ] {
        let score = read_file(&folder, name);
        assert_eq!(score.words.len(), words, "{name}");
        assert!(score.segments.len() > 2 * words, "{name}");
    }
    let phones = read_file(&folder, "arctic/arctic_a0009_phone.lab");
    assert_eq!(phones.segments.len(), read_file(&folder, "arctic/arctic_a0009_state.lab").segments.len());
    let cmu = std::fs::read(folder.join("cmudict.dict")).unwrap();
    assert_eq!(dictionary::read(&cmu).unwrap().0.len(), 126_052);
}

/// The words of a score with their times.
fn timed(score: &Score) -> Vec<TimedWord> {
    score
        .words
        .iter()
        .map(|word| TimedWord { text: word.text.clone(), from: word.from, to: word.to })
        .collect()
}

/// Aligned speech: words with times, and the phonemes found by the aligner.
fn aligned(folder: &Path) -> Vec<(&'static str, Vec<TimedWord>, Score)> {
    let both = [
        "mfa/acoustic_corpus.TextGrid",
        "mfa/cold_corpus.TextGrid",
        "praatio/damon_set_test.TextGrid",
        "librivox/sense_0870.phone.json",
        "librivox/sense_0880.phone.json",
        "librivox/sense_0890.phone.json",
    ];
    let mut all: Vec<_> = both
        .iter()
        .map(|name| (*name, read_file(folder, name)))
        .map(|(name, score)| (name, timed(&score), score))
        .collect();
    let bobby = timed(&read_file(folder, "praatio/bobby_words.TextGrid"));
    all.push(("praatio/bobby", bobby, read_file(folder, "praatio/bobby_phones.TextGrid")));
    let arctic = read_file(folder, "arctic/arctic_a0009_phone.lab");
    all.push(("arctic/arctic_a0009", arctic_words(&arctic), arctic));
    all
}

/// Returns the words of a sentence whose labels have only phonemes. The times of a word are those of its phonemes.
fn arctic_words(score: &Score) -> Vec<TimedWord> {
    let counts = [
        ("he", 2),
        ("turned", 4),
        ("sharply", 6),
        ("and", 3),
        ("faced", 4),
        ("gregson", 7),
        ("across", 5),
        ("the", 2),
        ("table", 5),
    ];
    let mut from = 0;
    let word = |(text, count): &(&str, usize)| {
        let sounds = &score.segments[from..from + count];
        from += count;
        TimedWord { text: (*text).into(), from: sounds[0].from, to: sounds[count - 1].to }
    };
    counts.iter().map(word).collect()
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Compares onsets from text and word times with those of the aligner, with and without the CMU dictionary: for all
/// phonemes, and for those within words.
#[test]
fn phoneme_onsets_match_aligners() {
    let Some(folder) = folder() else { return };
    let cmu = std::fs::read(folder.join("cmudict.dict")).unwrap();
    let (cmu, _) = dictionary::read(&cmu).unwrap();
    for (which, language) in [("built in", English::default()), ("with cmudict", English::new(cmu))] {
        let (mut all, mut within) = (Vec::new(), Vec::new());
        for (name, words, heard) in aligned(&folder) {
            let (said, repairs) = score_in_words(&words, &language, &TimingOptions::default());
            assert!(repairs.is_empty(), "{name}: {repairs:?}");
            let [first, inner] = align::onset_distances(&said.segments, &heard.segments, &words);
            let (median, _) = print_quantiles(&format!("{which}, {name}"), [&first[..], &inner].concat());
            assert!(median < 0.060, "{name}");
            within.extend_from_slice(&inner);
            all.extend([first, inner].concat());
        }
        let (median, most) = print_quantiles(which, all);
        assert!(median < 0.030 && most < 0.100, "{which}: {median} and {most}");
        let (median, most) = print_quantiles(&format!("{which}, within words"), within);
        assert!(median < 0.040 && most < 0.120, "{which}, within words: {median} and {most}");
    }
}

/// Lips close on every p, b and m of all aligned speech, in every input format: TextGrids of two programs, labels of
/// phones and of states, JSON, and intents. Checked at 60 frames per second.
#[test]
fn lips_close_on_p_b_and_m() {
    let Some(folder) = folder() else { return };
    let mut all = aligned(&folder);
    all.push(("arctic states", Vec::new(), read_file(&folder, "arctic/arctic_a0009_state.lab")));
    for (name, _, heard) in &all {
        check_lips(name, &heard.segments, heard);
        for (form, say) in as_intents(heard) {
            let mut line = Utterance::default();
            let say = vivant::intent::Say::try_from(say).unwrap();
            line.update(&say, &English::default())
                .unwrap_or_else(|error| panic!("{name} as {form}: {error}"));
            check_lips(&format!("{name} as {form}"), &line.score().segments, heard);
        }
    }
}

/// The same phonemes in the notations of intents.
fn as_intents(heard: &Score) -> [(&'static str, Say); 5] {
    let phones = |name: fn(Phone) -> String| {
        let phone =
            |sound: &Segment| SaidPhone { phone: name(sound.phone), start: sound.from, end: Some(sound.to) };
        Say { phones: heard.segments.iter().map(phone).collect(), ..Say::default() }
    };
    let visemes = |name: fn(Viseme) -> String| {
        let viseme = |sound: &Segment| SaidViseme {
            viseme: name(sound.phone.visemes()[0]),
            start: sound.from,
            end: Some(sound.to),
        };
        Say { visemes: heard.segments.iter().map(viseme).collect(), ..Say::default() }
    };
    let azure = |viseme: Viseme| {
        let is_it = |id: &u32| Viseme::azure(*id).is_some_and(|shapes| shapes.contains(&viseme));
        (0..22).find(is_it).unwrap_or(1).to_string()
    };
    let rhubarb = |viseme: Viseme| {
        let is_it = |shape: &char| Viseme::rhubarb(*shape) == Some(viseme);
        "ABCDEFGHX".chars().find(is_it).unwrap_or('C').to_string()
    };
    [
        ("ARPAbet", phones(|phone| phone.name().to_owned())),
        ("IPA", phones(|phone| if let Some(ipa) = ipa(phone) { ipa.to_owned() } else { "ə".to_owned() })),
        ("Oculus", visemes(|viseme| viseme.name().to_owned())),
        ("Azure", visemes(azure)),
        ("Rhubarb", visemes(rhubarb)),
    ]
}

/// Returns the IPA symbol of a consonant that matters to the test; `None` for all other phonemes, which may be
/// replaced by any vowel.
fn ipa(phone: Phone) -> Option<&'static str> {
    [("P", "p"), ("B", "b"), ("M", "m"), ("T", "t"), ("S", "s"), ("F", "f"), ("K", "k"), ("N", "n")]
        .into_iter()
        .find(|(name, _)| *name == phone.name())
        .map(|(_, ipa)| ipa)
}

/// Checks the share of bilabial phonemes that are shown with closed lips.
fn check_lips(what: &str, segments: &[Segment], heard: &Score) {
    let mut mouth = Mouth::default();
    mouth.say(f64::MIN, 0.0, 0, segments);
    let is_closed = |sound: &&Segment| {
        let frames = (sound.from * 60.0).round() as usize..=(sound.to * 60.0).round() as usize;
        frames.map(|frame| frame as f64 / 60.0).any(|t| mouth.shape(t).weight(Viseme::Pp) > 0.9)
    };
    let needs = || heard.segments.iter().filter(|sound| sound.phone.class() == Class::Closed);
    let (closed, all) = (needs().filter(is_closed).count(), needs().count());
    println!("{what}: lips closed on {closed} of {all}");
    assert!(closed as f64 >= 0.95 * all as f64, "{what}: {closed} of {all}");
}

/// Prints and returns the median and the 90th percentile.
fn print_quantiles(what: &str, mut distances: Vec<f64>) -> (f64, f64) {
    distances.sort_by(f64::total_cmp);
    let (median, most) = (quantile(&distances, 0.5), quantile(&distances, 0.9));
    println!("{what}: {} onsets, median {:.1} ms, 90 % {:.1} ms", distances.len(), 1e3 * median, 1e3 * most);
    (median, most)
}

/// Accuracy of a pronunciation: shares of exact words, wrong phonemes and wrong mouth shapes.
fn accuracy<'a>(
    language: &English,
    words: impl Iterator<Item = (&'a String, &'a Vec<Vec<Phone>>)>,
) -> (usize, [f64; 3]) {
    let (mut count, mut exact, mut wrong, mut wrong_classes, mut sounds) = (0, 0, 0, 0, 0);
    for (word, ways) in words {
        let mut out = Vec::new();
        language.pronounce(word, &mut out);
        let said: Vec<_> = out.iter().map(|(phone, _)| *phone).collect();
        let way = ways
            .iter()
            .min_by_key(|way| align::distance(way, &said))
            .expect("every word has a pronunciation");
        let classes = |phones: &[Phone]| phones.iter().map(|phone| phone.class()).collect::<Vec<_>>();
        count += 1;
        let distance = align::distance(way, &said);
        exact += usize::from(distance == 0);
        wrong += distance;
        wrong_classes += align::distance(&classes(way), &classes(&said));
        sounds += way.len();
    }
    (count, [exact as f64 / count as f64, wrong as f64 / sounds as f64, wrong_classes as f64 / sounds as f64])
}

/// All pronunciations of the CMU dictionary's words that consist of letters only.
fn ways(text: &str) -> BTreeMap<String, Vec<Vec<Phone>>> {
    let mut ways: BTreeMap<String, Vec<Vec<Phone>>> = BTreeMap::new();
    for line in text.lines() {
        let (word, sounds) = line.split('#').next().unwrap().split_once(' ').unwrap();
        let word = word.split('(').next().unwrap();
        if word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'\'') {
            let sounds = sounds.split_whitespace().map(|name| Phone::arpabet(name).unwrap()).collect();
            ways.entry(word.to_owned()).or_default().push(sounds);
        }
    }
    ways
}

/// Words of prose, from texts that do not change: the texts of the recordings in the test data, and our licences.
fn common(folder: &Path) -> BTreeSet<String> {
    let folders = ["librivox", "mfa"].map(|name| folder.join(name));
    let files =
        folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|it| it.unwrap().path());
    let is_prose = |path: &PathBuf| path.extension().is_some_and(|end| end == "txt" || end == "lab");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let licences = ["LICENSE-APACHE", "LICENSE-MIT"].map(|name| root.join(name));
    let texts = files.filter(is_prose).chain(licences);
    let texts = texts.map(|path| std::fs::read_to_string(path).unwrap().to_lowercase());
    let words = |text: String| {
        let words = text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() > 2);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    texts.flat_map(words).collect()
}

#[test]
fn most_words_are_pronounced_right_without_a_dictionary() {
    let Some(folder) = folder() else { return };
    let ways = ways(&std::fs::read_to_string(folder.join("cmudict.dict")).unwrap());
    let common = common(&folder);
    let english = English::default();
    let check = |what: &str,
                 (count, [exact, wrong, classes]): (usize, [f64; 3]),
                 [least, most, most_classes]: [f64; 3]| {
        println!(
            "{what}: {count} words, {:.1} % exact, {:.1} % of sounds and {:.1} % of shapes wrong",
            100.0 * exact,
            100.0 * wrong,
            100.0 * classes
        );
        assert!(exact > least && wrong < most && classes < most_classes, "{what}");
    };
    check("all words", accuracy(&english, ways.iter()), [0.46, 0.155, 0.092]);
    check(
        "words of prose",
        accuracy(&english, ways.iter().filter(|(word, _)| common.contains(*word))),
        [0.73, 0.07, 0.035],
    );
}

/// Where two lists of phonemes differ, only shared ones are compared.
#[test]
fn only_matching_phonemes_are_compared() {
    let phones = |names: &str| names.split(' ').map(|name| Phone::arpabet(name).unwrap()).collect::<Vec<_>>();
    let pairs = align::pairs(&phones("M AA T"), &phones("M T S"));
    assert_eq!(pairs, [Pair { said: 0, heard: 0 }, Pair { said: 2, heard: 1 }]);
    assert_eq!(align::distance(&phones("M AA T"), &phones("M T S")), 2);
}
