use super::*;
use proptest::prelude::*;

fn said(word: &str) -> String {
    let mut out = Vec::new();
    English::default().pronounce(word, &mut out);
    out.iter()
        .map(|(phone, stress)| match stress {
            Stress::None => phone.name().to_owned(),
            Stress::Secondary => format!("{}2", phone.name()),
            Stress::Primary => format!("{}1", phone.name()),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn words_are_pronounced_by_list_inflection_compound_and_rule() {
    for (word, expected) in [
        // From the list.
        ("the", "DH AX"),
        ("women", "W IH1 M AX N"),
        // Inflections.
        ("eyes", "AY1 Z"),
        ("laughed", "L AE1 F T"),
        ("walks", "W AO1 K S"),
        ("houses", "HH AW1 S IH Z"),
        ("wanted", "W AA1 N T AX D"),
        ("loving", "L AH1 V IH NG"),
        ("mother's", "M AH1 DH ER Z"),
        ("who'll", "HH UW1 AX L"),
        ("studies", "S T AH1 D IY Z"),
        // Compounds.
        ("doorway", "D AO1 R W EY"),
        // Rules.
        ("cat", "K AE1 T"),
        ("bake", "B EY1 K"),
        ("running", "R AH1 N IH NG"),
        ("making", "M EY1 K IH NG"),
        ("thing", "TH IH1 NG"),
        ("night", "N AY1 T"),
        ("station", "S T EY1 SH AX N"),
        ("banana", "B AX N AE1 N AX"),
        ("photo", "F OW1 T OW"),
        ("knife", "N AY1 F"),
        ("café", "K AX F EY1"),
        // Letters.
        ("b.", "B IY1"),
        ("u.'s", "Y UW1 Z"),
    ] {
        assert_eq!(said(word), expected, "{word}");
    }
}

#[test]
fn unpronounceable_words_add_nothing() {
    for word in ["", "'", "привет", "!!!", "."] {
        let mut out = vec![(Phone::SILENCE, Stress::None)];
        assert!(!English::default().pronounce(word, &mut out), "{word}");
        assert_eq!(out.len(), 1, "{word}");
    }
}

#[test]
fn the_dictionary_takes_precedence_and_keeps_its_first_entry() {
    let mut dictionary = Dictionary::default();
    let ma = phonemes("M AA1").collect::<Vec<_>>();
    assert!(dictionary.insert("cat", &ma));
    assert!(!dictionary.insert("cat", &[]));
    assert_eq!(dictionary.len(), 1);
    let mut out = Vec::new();
    assert!(English::new(dictionary).pronounce("cats", &mut out));
    assert_eq!(out.iter().map(|(phone, _)| phone.name()).collect::<Vec<_>>(), ["M", "AA", "Z"]);
}

#[test]
fn every_built_in_word_has_valid_phonemes() {
    for (word, text) in lexicon::words() {
        let names: Vec<_> = text.split(' ').collect();
        assert_eq!(phonemes(text).count(), names.len(), "{word} {text}");
        assert!(word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'\''), "{word}");
        assert!(names.iter().filter(|name| name.ends_with('1')).count() <= 2, "{word} {text}");
    }
    assert!(lexicon::words().count() > 500);
}

#[test]
fn every_rule_starts_with_its_letter_and_has_valid_phonemes() {
    for (letter, rules) in (b'a'..=b'z').map(|letter| (letter, rules::rules(letter))) {
        for rule in rules {
            assert_eq!(rule.1.as_bytes()[0], letter, "{rule:?}");
            assert!(rule.3.split_ascii_whitespace().all(|name| Phone::arpabet(name).is_some()), "{rule:?}");
        }
        let last = rules.last().unwrap();
        assert_eq!((last.0, last.2, last.1.len()), ("", "", 1), "the last rule must always match: {last:?}");
    }
}

proptest! {
    #[test]
    fn any_word_is_pronounced_or_rejected(word in "\\PC{0,40}", letters in "[a-z']{1,80}") {
        for word in [word, letters] {
            let mut out = Vec::new();
            let is_said = English::default().pronounce(&word, &mut out);
            prop_assert_eq!(is_said, !out.is_empty());
            prop_assert!(out.iter().all(|(phone, stress)| phone.is_vowel() || *stress == Stress::None));
        }
    }
}
