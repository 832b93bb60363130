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
fn words_are_said_by_list_form_compound_and_rule() {
    for (word, expected) in [
        // By the list.
        ("the", "DH AX"),
        ("women", "W IH1 M AX N"),
        // Forms.
        ("eyes", "AY1 Z"),
        ("laughed", "L AE1 F T"),
        ("walks", "W AO1 K S"),
        ("houses", "HH AW1 S IH Z"),
        ("wanted", "W AA1 N T AX D"),
        ("loving", "L AH1 V IH NG"),
        ("mother's", "M AH1 DH ER Z"),
        ("who'll", "HH UW1 AX L"),
        ("studies", "S T AH1 D IY Z"),
        // Two words in one.
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
fn what_cannot_be_said_adds_nothing() {
    for word in ["", "'", "привет", "!!!", "."] {
        let mut out = vec![(Phone::SILENCE, Stress::None)];
        assert!(!English::default().pronounce(word, &mut out), "{word}");
        assert_eq!(out.len(), 1, "{word}");
    }
}

#[test]
fn a_dictionary_is_asked_first_and_its_first_word_stays() {
    let mut dictionary = Dictionary::default();
    let ma = sounds("M AA1").collect::<Vec<_>>();
    assert!(dictionary.insert("cat", &ma));
    assert!(!dictionary.insert("cat", &[]));
    assert_eq!(dictionary.len(), 1);
    let mut out = Vec::new();
    assert!(English::new(dictionary).pronounce("cats", &mut out));
    assert_eq!(out.iter().map(|(phone, _)| phone.name()).collect::<Vec<_>>(), ["M", "AA", "Z"]);
}

#[test]
fn every_built_in_word_has_sounds_that_are_known() {
    for (word, text) in lexicon::words() {
        let names: Vec<_> = text.split(' ').collect();
        assert_eq!(sounds(text).count(), names.len(), "{word} {text}");
        assert!(word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'\''), "{word}");
        assert!(names.iter().filter(|name| name.ends_with('1')).count() <= 2, "{word} {text}");
    }
    assert!(lexicon::words().count() > 500);
}

#[test]
fn every_rule_of_a_letter_begins_with_it_and_has_sounds_that_are_known() {
    for (letter, rules) in (b'a'..=b'z').map(|letter| (letter, rules::rules(letter))) {
        for rule in rules {
            assert_eq!(rule.1.as_bytes()[0], letter, "{rule:?}");
            assert!(rule.3.split_ascii_whitespace().all(|name| Phone::arpabet(name).is_some()), "{rule:?}");
        }
        let last = rules.last().unwrap();
        assert_eq!((last.0, last.2, last.1.len()), ("", "", 1), "something fits always: {last:?}");
    }
}

proptest! {
    #[test]
    fn any_word_is_said_or_refused(word in "\\PC{0,40}", letters in "[a-z']{1,80}") {
        for word in [word, letters] {
            let mut out = Vec::new();
            let is_said = English::default().pronounce(&word, &mut out);
            prop_assert_eq!(is_said, !out.is_empty());
            prop_assert!(out.iter().all(|(phone, stress)| phone.is_vowel() || *stress == Stress::None));
        }
    }
}
