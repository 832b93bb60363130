use super::*;
use proptest::prelude::*;

fn said(text: &str) -> String {
    Text::read(text).words.iter().map(|word| word.say.clone()).collect::<Vec<_>>().join(" ")
}

/// Returns words with boundary signs: `,` for a phrase, `.` for a sentence, `?` for a question.
fn marked(text: &str) -> String {
    let text = Text::read(text);
    let mut marked = String::new();
    for (place, word) in text.words.iter().enumerate() {
        let stop = text.stops.iter().find(|stop| stop.after_words == place + 1).and_then(|stop| stop.ending);
        let sign = match stop {
            None => "",
            Some(Ending::Phrase) => ",",
            Some(Ending::Sentence) => ".",
            Some(Ending::Question) => "?",
        };
        marked.push_str(&format!("{}{sign} ", word.say));
    }
    marked.trim_end().to_owned()
}

#[test]
fn numbers_are_expanded_to_words() {
    for (written, expected) in [
        ("0", "zero"),
        ("12", "twelve"),
        ("21 years", "twenty one years"),
        ("105", "one hundred five"),
        ("1,234,567", "one million two hundred thirty four thousand five hundred sixty seven"),
        ("1984", "nineteen eighty four"),
        ("1905 1900 2005 2026", "nineteen oh five nineteen hundred two thousand five twenty twenty six"),
        ("2,026", "two thousand twenty six"),
        ("1980s and '90s", "nineteen eighties and nineties"),
        ("3.14", "three point one four"),
        ("-5", "minus five"),
        ("007", "zero zero seven"),
        ("1st 2nd 3rd 20th 21st", "first second third twentieth twenty first"),
        ("$1", "one dollar"),
        ("$3.50", "three dollars and fifty cents"),
        ("$5 million, please", "five million dollars please"),
        ("€20M", "twenty million euros"),
        ("5€", "five euros"),
        ("5% or 3.5 %", "five percent or three point five percent"),
        ("5:30", "five thirty"),
        ("5:00", "five o'clock"),
        ("5:05pm", "five oh five p. m."),
        ("at 5pm", "at five p. m."),
        ("10-20", "ten to twenty"),
        ("10–20", "ten to twenty"),
        ("1/2 and 3/4 and 2/3", "one half and three quarters and two thirds"),
        ("555-1234", "five five five one two three four"),
        ("2026-11-16", "november sixteenth twenty twenty six"),
        ("5km at 60 km/h", "five kilometers at sixty kilometers per hour"),
        ("8 GB, 5 pm.", "eight gigabytes five p. m."),
        ("20°C", "twenty degrees celsius"),
        ("#1", "number one"),
        (
            "12345678901234567890",
            "one two three four five six seven eight nine zero one two three four five six seven eight nine zero",
        ),
        ("2.0.1 and 24/7", "two point zero point one and twenty four seven"),
        ("mp3 4K 3D", "m. p. three four k. three d."),
    ] {
        assert_eq!(said(written), expected, "{written:?}");
    }
}

#[test]
fn abbreviations_are_expanded() {
    for (written, expected) in [
        (
            "Mr. Smith met Dr. Jones on Main St. yesterday.",
            "mister smith met doctor jones on main street yesterday.",
        ),
        ("St. John lives on Elm Dr. now", "saint john lives on elm drive now."),
        ("No. 5 is alive. No. It is not.", "number five is alive. no. it is not."),
        ("e.g. this, i.e. that, etc.", "for example this, that is that, et cetera."),
        ("At 5 p.m. he left. At 6 a.m. She came.", "at five p. m. he left. at six a. m.. she came."),
        ("The U.S. Army and the FBI and NASA", "the u. s. army and the f. b. i. and nasa."),
        ("J. R. Tolkien", "j. r. tolkien."),
        ("two GPUs", "two g. p. u.'s."),
        ("AT&T and Q&A", "a. t. and t. and q. and a.."),
        ("plan B", "plan b.."),
    ] {
        assert_eq!(marked(written), expected, "{written:?}");
    }
}

#[test]
fn punctuation_ends_phrases_sentences_and_questions() {
    for (written, expected) in [
        ("Well, who? Me! Now; then: so", "well, who? me. now, then, so."),
        ("He (a friend) came — late... but came", "he, a friend, came, late, but came."),
        ("“Really?” she said.", "really? she said."),
        ("don't stop-gap it's o'clock", "don't stop gap it's o'clock."),
        ("The end.The start", "the end. the start."),
        ("see example.com now", "see example dot com now."),
        ("me@here.org", "me at here dot org."),
        ("a title\n\nand text\nthat goes on", "a title. and text that goes on."),
        (",,, ... !!!", ""),
        ("", ""),
        (" \n\t ", ""),
    ] {
        assert_eq!(marked(written), expected, "{written:?}");
    }
}

#[test]
fn markdown_and_links_are_not_spoken() {
    for (written, expected) in [
        ("# Title\n- one\n- *two*\n1. three", "title. one. two. one, three."),
        ("**very** `code` here", "very code here."),
        ("see https://example.org/a?b=c, or [the docs](https://x.y) now", "see, or the docs now."),
        ("before\n```rust\nfn main() {}\n```\nafter", "before. after."),
        ("![a cat](cat.png) sits", "a cat sits."),
        ("> quoted", "quoted."),
        ("one\n---\ntwo", "one. two."),
        ("a | b", "a, b.."),
        ("snake_case", "snake case."),
    ] {
        assert_eq!(marked(written), expected, "{written:?}");
    }
}

#[test]
fn emoji_and_other_scripts_are_reported_once_and_not_spoken() {
    let text = Text::read("Hi 😀😀 there 🎉 Привет мир 你好 👩‍👩‍👧 :) café");
    let words: Vec<_> = text.words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words, ["Hi", "there", "café"]);
    let notes: Vec<_> = text.notes.iter().map(|note| (note.skipped, note.sample.as_str())).collect();
    assert_eq!(notes, [(Skipped::Emoji, "😀"), (Skipped::Script, "Привет")]);
    let mut reader = Reader::for_letters(char::is_alphabetic);
    reader.push("Привет мир");
    assert_eq!(reader.finish().words.len(), 2);
}

#[test]
fn tags_belong_to_the_next_word_and_are_not_spoken() {
    let check = |written: &str, expected: &[(&str, Option<&str>, usize)], words: &str| {
        let text = Text::read(written);
        let tags: Vec<_> = text
            .tags
            .iter()
            .map(|tag| (tag.name.as_str(), tag.argument.as_deref(), tag.before_word))
            .collect();
        assert_eq!(tags, expected, "{written:?}");
        assert_eq!(said(written), words, "{written:?}");
    };
    check("[nod] yes", &[("nod", None, 0)], "yes");
    check(
        "I[smile]see [ Look : up left ]you[nod]",
        &[("smile", None, 1), ("look", Some("up left"), 2), ("nod", None, 3)],
        "i see you",
    );
    check("costs $5 [gesture:wave] now", &[("gesture", Some("wave"), 3)], "costs five dollars now");
    check("a [never closed", &[], "a never closed");
    check("a [b [nod] c", &[("nod", None, 2)], "a b. c.");
    check("[]x", &[], "x.");
    check(&format!("[{}] b", "word ".repeat(13)), &[], &format!("{}b.", "word ".repeat(13)));
    check("[nod]", &[("nod", None, 0)], "");
    check("Hello[nod]!", &[("nod", None, 1)], "hello");
    check("Mr. [nod] Smith", &[("nod", None, 1)], "mister smith");
}

#[test]
fn stress_sets_the_emphasis() {
    let check = |written: &str, expected: &[f32]| {
        let text = Text::read(written);
        let found: Vec<_> = text.words.iter().map(|word| word.emphasis).collect();
        assert_eq!(found, expected, "{written:?}");
    };
    check("the cat saw you.", &[0.0, 0.5, 0.65, 0.2]);
    check("*two words* here, now", &[1.0, 1.0, 0.2, 0.65]);
    check("I said **no**.", &[0.2, 0.5, 1.0]);
    check("STOP it NASA", &[1.0, 0.0, 0.65]);
    check("_really_ big", &[1.0, 0.65]);
    check("an *open star. It ends here then", &[0.0, 1.0, 1.0, 0.0, 0.65, 0.2, 0.2]);
}

#[test]
fn long_texts_are_read() {
    for text in [
        "word ".repeat(200_000),
        "x".repeat(1_000_000),
        "[".repeat(1_000_000),
        "1".repeat(1_000_000),
        "*".repeat(1_000_000),
        "`".repeat(999_999),
        "😀".repeat(1_000_000),
        "a.".repeat(500_000),
        "https://".repeat(125_000),
    ] {
        let read = Text::read(&text);
        assert!(read.words.len() <= 1_000_000, "{}", &text[..4]);
    }
    assert_eq!(Text::read(&"word ".repeat(200_000)).words.len(), 200_000);
    assert!(Text::read(&format!("see https://{} now", "x".repeat(100_000))).words.len() == 2);
}

#[test]
fn markup_settings_are_kept() {
    let mut reader = Reader::default();
    reader.push("I am");
    reader.set_emphasis(Some(1.0));
    reader.push("the one");
    reader.set_emphasis(None);
    reader.pause(None, Some(0.5));
    reader.set_rate(f64::NAN);
    reader.word("Ciao", vec![(Phone::SILENCE, Stress::None)]);
    reader.spell("B2");
    reader.tag("mark", Some("here"));
    let text = reader.finish();
    assert_eq!(
        text.words.iter().map(|word| word.emphasis).collect::<Vec<_>>(),
        [0.2, 0.0, 1.0, 1.0, 0.5, 0.65]
    );
    assert_eq!(text.stops[0], Stop { after_words: 4, ending: None, secs: Some(0.5), stalled_secs: 0.0 });
    assert_eq!(
        (text.words[4].phones.len(), text.words[5].say.as_str(), text.words[5].rate),
        (1, "b. two", 1.0)
    );
    assert_eq!(text.tags[0].before_word, 6);
}

fn cut(text: &str, cuts: &[usize]) -> Text {
    let letters: Vec<char> = text.chars().collect();
    let mut reader = Reader::default();
    let mut from = 0;
    for cut in cuts {
        let to = (from + cut).min(letters.len());
        reader.push(&letters[from..to].iter().collect::<String>());
        from = to;
    }
    reader.push(&letters[from..].iter().collect::<String>());
    reader.finish()
}

proptest! {
    #[test]
    fn the_result_does_not_depend_on_the_split(
        text in "([a-zA-Z0-9.,!?'\\[\\]():$%*_#` \n-]|Dr\\. |\\[nod\\]|5:30|😀|é|—){0,60}",
        cuts in proptest::collection::vec(0usize..6, 0..40),
    ) {
        prop_assert_eq!(cut(&text, &cuts), Text::read(&text));
    }

    #[test]
    fn any_text_gives_sorted_entries(text in "\\PC{0,200}") {
        let read = Text::read(&text);
        prop_assert!(read.stops.windows(2).all(|pair| pair[0].after_words < pair[1].after_words));
        prop_assert!(read.tags.windows(2).all(|pair| pair[0].before_word <= pair[1].before_word));
        prop_assert!(read.stops.iter().all(|stop| stop.after_words <= read.words.len()));
        prop_assert!(read.words.iter().all(|word| !word.say.is_empty() && (0.0..=1.0).contains(&word.emphasis)));
    }

    #[test]
    fn words_do_not_change_once_read(text in "[a-zA-Z0-9.,!? $\\[\\]-]{0,80}", at in 0usize..80) {
        let at = at.min(text.len());
        let mut reader = Reader::default();
        reader.push(&text[..at]);
        let before = reader.text().clone();
        reader.push(&text[at..]);
        let after = reader.finish();
        prop_assert!(after.words.len() >= before.words.len());
        for (old, new) in before.words.iter().zip(&after.words) {
            prop_assert_eq!(&old.say, &new.say);
            prop_assert!(old.emphasis <= new.emphasis);
        }
    }
}
