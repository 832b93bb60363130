//! Divides a line into phrases with pauses between them, which are the input of voices.
//!
//! espeak-ng is run for one phrase at a time, and people breathe between phrases, so a phrase has at most 40 words.
//! `of_text` is for English: numbers and abbreviations are written out, and each word gets approximate phonemes.
//! `of_foreign` is for other languages, whose text is passed on as written; it finds phrase boundaries by punctuation
//! in several scripts. Both remove tags and emoji, and `of_foreign` also returns the tags with their word positions.

use vivant::speech::Stress;
use vivant::speech::phone::Phone;
use vivant::speech::pronounce::Pronounce;
use vivant::speech::score::Ending;
use vivant::speech::text::{CONTENT_EMPHASIS, MAX_TAG_CHARS, SpokenWord, Tag, Text};
use vivant::speech::timing::TimingOptions;

/// Maximum number of words in a phrase. People breathe between phrases, and espeak-ng is run for one phrase at a
/// time.
const MAX_WORDS: usize = 40;

/// A phoneme with its stress.
pub(super) type Sound = (Phone, Stress);

/// Words spoken without a pause.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Phrase {
    /// The text with punctuation, in the form that is read aloud.
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    /// The kind of phrase boundary after this phrase.
    pub(super) ending: Option<Ending>,
    /// Duration of the pause after this phrase, in seconds.
    pub(super) pause_secs: f64,
}

/// A word of a phrase.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Word {
    /// The word as written.
    pub(super) text: String,
    /// The approximate phonemes of the word, if known.
    pub(super) sounds: Vec<Sound>,
    /// Emphasis, from 0 to 1.
    pub(super) emphasis: f32,
}

impl Word {
    /// Returns the approximate number of phonemes.
    pub(super) fn weight(&self) -> f64 {
        let letters = || self.text.chars().filter(|letter| letter.is_alphanumeric()).count();
        if self.sounds.is_empty() { letters().max(1) as f64 } else { self.sounds.len() as f64 }
    }
}

/// Returns the phrases of an English text, with numbers and abbreviations written out.
pub(super) fn of_text(text: &Text, language: &dyn Pronounce, options: &TimingOptions) -> Vec<Phrase> {
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut from = 0;
    for stop in &text.stops {
        let pause = stop.secs.unwrap_or(match stop.ending {
            Some(Ending::Sentence | Ending::Question) => options.sentence_pause_secs / options.rate,
            _ => options.phrase_pause_secs / options.rate,
        });
        let sign = match stop.ending {
            Some(Ending::Question) => "?",
            Some(Ending::Sentence) => ".",
            _ => ",",
        };
        let words = &text.words[from..stop.after_words];
        from = stop.after_words;
        push(&mut phrases, words, sign, language);
        match phrases.last_mut() {
            Some(last) => {
                last.pause_secs += pause;
                last.ending = last.ending.max(stop.ending);
            }
            None => phrases.push(Phrase { pause_secs: pause, ..Phrase::default() }),
        }
    }
    push(&mut phrases, &text.words[from..], ".", language);
    phrases
}

fn push(phrases: &mut Vec<Phrase>, words: &[SpokenWord], sign: &str, language: &dyn Pronounce) {
    let parts = words.chunks(MAX_WORDS);
    let last = parts.len();
    for (part, words) in parts.enumerate() {
        let words: Vec<Word> = words.iter().map(|word| spoken(word, language)).collect();
        let text: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let sign = if part + 1 == last { sign } else { "," };
        let text = format!("{}{sign}", text.join(" "));
        phrases.push(Phrase { text, words, ..Phrase::default() });
    }
}

fn spoken(word: &SpokenWord, language: &dyn Pronounce) -> Word {
    let mut sounds = word.phones.clone();
    if sounds.is_empty() {
        for part in word.say.split(' ') {
            language.pronounce(part, &mut sounds);
        }
    }
    let is_written = word.text.contains(char::is_alphanumeric);
    let text = if is_written { &word.text } else { &word.say }.clone();
    Word { text, sounds, emphasis: word.emphasis }
}

/// Returns the phrases and the tags of a text in another language. Only tags and emoji are removed from the phrases.
pub(super) fn of_foreign(text: &str, options: &TimingOptions) -> (Vec<Phrase>, Vec<Tag>) {
    let tags = tags_of(text, |before| plain_phrases(before, options).iter().map(|one| one.words.len()).sum());
    (plain_phrases(text, options), tags)
}

/// Returns the tags of a text. `count` returns the number of words in a part of the text.
fn tags_of(text: &str, count: impl Fn(&str) -> usize) -> Vec<Tag> {
    let mut tags = Vec::new();
    for (at, _) in text.match_indices('[') {
        let Some((tag, _)) = text[at..].split_once(']') else { break };
        let read = Text::read(&format!("{tag}]")).tags;
        if !read.is_empty() {
            let before_word = count(&text[..at]);
            tags.extend(read.into_iter().map(|tag| Tag { before_word, ..tag }));
        }
    }
    tags
}

fn plain_phrases(text: &str, options: &TimingOptions) -> Vec<Phrase> {
    let plain = without_tags(text);
    let mut phrases = Vec::new();
    let mut rest = plain.as_str();
    while !rest.is_empty() {
        let (phrase, behind, pause_secs) = cut(rest, options);
        let words: Vec<_> =
            phrase.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).collect();
        for part in words.chunks(MAX_WORDS) {
            let word = |text: &&str| Word {
                text: (*text).to_owned(),
                sounds: Vec::new(),
                emphasis: CONTENT_EMPHASIS,
            };
            let words = part.iter().map(word).collect();
            phrases.push(Phrase { text: part.join(" "), words, ..Phrase::default() });
        }
        if let Some(last) = phrases.last_mut().filter(|_| !words.is_empty()) {
            let sign = phrase.trim_end().chars().next_back().filter(|sign| !sign.is_alphanumeric());
            last.ending = sign.map(ending_of);
            last.text.extend(sign.filter(|sign| !last.text.ends_with(*sign)));
            last.pause_secs = pause_secs / options.rate;
        }
        rest = behind;
    }
    phrases
}

fn ending_of(sign: char) -> Ending {
    match sign {
        '?' | '？' | '؟' => Ending::Question,
        '.' | '!' | '…' | '。' | '！' | '।' => Ending::Sentence,
        _ => Ending::Phrase,
    }
}

/// Returns the first phrase, the rest, and the pause between them.
fn cut<'a>(text: &'a str, options: &TimingOptions) -> (&'a str, &'a str, f64) {
    for (at, sign) in text.char_indices() {
        let behind = &text[at + sign.len_utf8()..];
        let is_end = !sign.is_ascii() || behind.starts_with(char::is_whitespace) || behind.is_empty();
        let pause = match sign {
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '؟' if is_end => {
                options.sentence_pause_secs
            }
            ',' | ';' | ':' | '、' | '，' | '；' | '：' | '،' if is_end => options.phrase_pause_secs,
            '\n' if behind.starts_with('\n') => options.sentence_pause_secs,
            _ => continue,
        };
        return (&text[..at + sign.len_utf8()], behind, pause);
    }
    (text, "", 0.0)
}

/// Removes tags and emoji from a text.
pub(super) fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, bracket) = rest.split_at(at);
        plain.push_str(before);
        let end = bracket.char_indices().take(MAX_TAG_CHARS + 2).find(|(_, letter)| *letter == ']');
        rest = end.map_or(&bracket[1..], |(end, _)| &bracket[end + 1..]);
        plain.push(' ');
    }
    plain.push_str(rest);
    plain.retain(|letter| !is_emoji(letter));
    plain
}

fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::speech::pronounce::English;

    fn check(phrases: &[Phrase], expected: &[(&str, f64)]) {
        let got: Vec<_> = phrases.iter().map(|phrase| (&*phrase.text, phrase.pause_secs)).collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn text_is_divided_into_phrases() {
        let options = TimingOptions::default();
        let text = Text::read("[smile] Hello, it is 5:30 😀. Is it? FBI & co");
        let phrases = of_text(&text, &English::default(), &options);
        check(
            &phrases,
            &[("Hello,", 0.2), ("it is five thirty.", 0.5), ("Is it?", 0.5), ("FBI and co.", 0.5)],
        );
        assert!(phrases.iter().flat_map(|phrase| &phrase.words).all(|word| !word.sounds.is_empty()));
        assert!(of_text(&Text::read("😀"), &English::default(), &options).is_empty());
    }

    #[test]
    fn long_phrases_are_divided() {
        let text = Text::read(&"word ".repeat(100));
        let phrases = of_text(&text, &English::default(), &TimingOptions::default());
        assert_eq!(phrases.iter().map(|phrase| phrase.words.len()).collect::<Vec<_>>(), [40, 40, 20]);
    }

    #[test]
    fn other_languages_are_kept_as_written() {
        let options = TimingOptions::default();
        let check = |text: &str, expected: &[(&str, f64)]| check(&of_foreign(text, &options).0, expected);
        check(
            "[nod] Es ist 3.5 Uhr, nicht wahr? [look:left] Ja 😀!",
            &[("Es ist 3.5 Uhr,", 0.2), ("nicht wahr?", 0.5), ("Ja!", 0.5)],
        );
        check("Привет, мир", &[("Привет,", 0.2), ("мир", 0.0)]);
        check("你好。再见", &[("你好。", 0.5), ("再见", 0.0)]);
        check("😀 … [nod]", &[]);
        check("[never closed", &[("never closed", 0.0)]);
    }

    #[test]
    fn tags_in_other_languages_keep_their_positions() {
        let (_, tags) = of_foreign("[nod] Привет, мир! [look:left] Да [smile]", &TimingOptions::default());
        let tags: Vec<_> = tags.iter().map(|tag| (&*tag.name, tag.before_word)).collect();
        assert_eq!(tags, [("nod", 0), ("look", 2), ("smile", 3)]);
    }
}
