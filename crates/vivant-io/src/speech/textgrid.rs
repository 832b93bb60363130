//! Reads Praat TextGrid text files.
//!
//! Praat reads free-standing numbers, `<flags>` and quoted texts, and ignores everything between them. So the same
//! code reads the long and the short form.

use super::ReadOptions;
use super::aligned::{Aligned, Interval};
use super::sounds::{Alphabet, is_silent};
use crate::eaf::text::{line_at, quote};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;

/// Maximum number of tiers.
const MAX_TIERS: usize = 1024;
/// Share of a tier's labels that must be phonemes (or words) for it to be a phoneme (or word) tier.
const MIN_SHARE: f64 = 0.8;

/// Returns true if the text starts like a TextGrid.
pub(super) fn is_textgrid(start: &str) -> bool {
    start.starts_with("File type") || start.starts_with("\"ooTextFile")
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(f64),
    Text(String),
    Flag(String),
}

struct Values<'a> {
    text: &'a str,
    at: usize,
    /// Byte offset of the last value.
    start: usize,
}

impl Values<'_> {
    fn error_here(&self, message: impl std::fmt::Display) -> Error {
        Error::at(line_at(self.text.as_bytes(), self.start), message)
    }

    /// Returns the next value, or `None` at the end.
    fn next(&mut self) -> Result<Option<Value>> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            self.start = self.at;
            match trimmed.chars().next() {
                None => return Ok(None),
                Some('"') => return self.quoted().map(Some),
                Some('!') => self.at += trimmed.find('\n').unwrap_or(trimmed.len()),
                Some(_) => {
                    let len = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
                    self.at += len;
                    if let Some(value) = free_value(&trimmed[..len]) {
                        return Ok(Some(value));
                    }
                }
            }
        }
    }

    /// Reads a quoted text. A doubled quotation mark inside the text stands for one quotation mark.
    fn quoted(&mut self) -> Result<Value> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find('"') else {
                return Err(self.error_here("a text has no closing quotation mark; add it"));
            };
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if !self.text[self.at..].starts_with('"') {
                return Ok(Value::Text(text));
            }
            text.push('"');
            self.at += 1;
        }
    }

    fn expect_value(&mut self, what: &str) -> Result<Value> {
        self.next()?.ok_or_else(|| {
            self.error_here(format!("the file is truncated: {what} is missing; export it again"))
        })
    }

    fn number(&mut self, what: &str) -> Result<f64> {
        match self.expect_value(what)? {
            Value::Number(number) => Ok(number),
            other => Err(self.error_here(format!("{what} should be a number, but is {}", describe(&other)))),
        }
    }

    fn text(&mut self, what: &str) -> Result<String> {
        match self.expect_value(what)? {
            Value::Text(text) => Ok(text),
            other => {
                Err(self.error_here(format!("{what} should be a quoted text, but is {}", describe(&other))))
            }
        }
    }

    fn count(&mut self, what: &str, most: usize) -> Result<usize> {
        let number = self.number(what)?;
        if number < 0.0 || number.fract() != 0.0 {
            return Err(self.error_here(format!("{what} is {number}; it must be a whole number, 0 or more")));
        }
        if number > most as f64 {
            return Err(self.error_here(format!("{what} is {number}; at most {most} are allowed")));
        }
        Ok(number as usize)
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => quote(text),
        Value::Flag(flag) => quote(flag),
    }
}

/// Parses a number or flag; `None` for text that Praat ignores.
fn free_value(token: &str) -> Option<Value> {
    if token.starts_with('<') && token.ends_with('>') {
        return Some(Value::Flag(token.to_owned()));
    }
    let is_number =
        token.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'));
    let digits = token.trim_end_matches('%');
    digits.parse().ok().filter(|_| is_number).map(Value::Number)
}

struct Tier {
    name: String,
    is_points: bool,
    intervals: Vec<Interval>,
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Aligned> {
    choose_tiers(tiers(text)?, options, warnings)
}

fn tiers(text: &str) -> Result<Vec<Tier>> {
    let mut values = Values { text, at: 0, start: 0 };
    values.text("the file type")?;
    let class = values.text("the object class")?;
    if class != "TextGrid" {
        return Err(values.error_here(format!(
            "this is a Praat {}, not a TextGrid; save it as a TextGrid",
            quote(&class)
        )));
    }
    values.number("the start of the grid")?;
    values.number("the end of the grid")?;
    match values.expect_value("<exists>")? {
        Value::Flag(flag) if flag == "<exists>" => {}
        Value::Flag(_) => {
            return Err(values.error_here("this TextGrid has no tiers; add one with words or phonemes"));
        }
        other => return Err(values.error_here(format!("expected <exists>, found {}", describe(&other)))),
    }
    let count = values.count("the number of tiers", MAX_TIERS)?;
    let mut tiers = Vec::new();
    let mut total = 0;
    for number in 1..=count {
        tiers.push(tier(&mut values, number, &mut total)?);
    }
    Ok(tiers)
}

fn tier(values: &mut Values<'_>, number: usize, total: &mut usize) -> Result<Tier> {
    let class = values.text(&format!("the class of tier {number}"))?;
    let is_points = match class.as_str() {
        "IntervalTier" => false,
        "TextTier" => true,
        other => {
            return Err(values.error_here(format!(
                "tier {number} has class {}; use IntervalTier or TextTier",
                quote(other)
            )));
        }
    };
    let name = values.text(&format!("the name of tier {number}"))?;
    let place = format!("tier {number} {}", quote(&name));
    values.number(&format!("the start of {place}"))?;
    values.number(&format!("the end of {place}"))?;
    let count = values.count(&format!("the size of {place}"), limits::MAX_ANNOTATIONS)?;
    *total += count;
    limits::within(&place, "labels", *total, limits::MAX_ANNOTATIONS)?;
    let mut intervals = Vec::new();
    for entry in 1..=count {
        let what = |part: &str| format!("the {part} of entry {entry} of {place}");
        let from = values.number(&what("start"))?;
        let to = if is_points { from } else { values.number(&what("end"))? };
        intervals.push(Interval { from, to, label: values.text(&what("text"))? });
    }
    Ok(Tier { name, is_points, intervals })
}

/// Finds the word and phoneme tiers by the given names, or by their labels.
fn choose_tiers(
    mut tiers: Vec<Tier>,
    options: &ReadOptions<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Aligned> {
    let phones = match options.phones_tier {
        Some(name) => Some(tier_named(&tiers, name)?),
        None => best(&tiers, phone_like),
    };
    let words = match options.words_tier {
        Some(name) => Some(tier_named(&tiers, name)?),
        None => best(&tiers, word_like).or_else(|| best(&tiers, phrase_like)),
    };
    let words = words.filter(|words| Some(*words) != phones);
    for (index, tier) in tiers.iter().enumerate() {
        if Some(index) != phones && Some(index) != words {
            let why = if tier.is_points {
                "it has points without duration"
            } else {
                "it has neither words nor phonemes"
            };
            warnings.push(Warning::new(
                WarningCode::Dropped,
                format!("tier {}", quote(&tier.name)),
                format!("{why}; it was ignored"),
            ));
        }
    }
    let mut take = |index: Option<usize>| {
        index.map(|index| std::mem::take(&mut tiers[index].intervals)).unwrap_or_default()
    };
    Ok(Aligned { words: take(words), phones: take(phones) })
}

fn tier_named(tiers: &[Tier], name: &str) -> Result<usize> {
    let names = || tiers.iter().map(|tier| quote(&tier.name)).collect::<Vec<_>>().join(", ");
    tiers
        .iter()
        .position(|tier| tier.name == name)
        .ok_or_else(|| Error::new(format!("unknown tier {}; the file has {}", quote(name), names())))
}

/// Returns the tier with the highest score. If several tiers have the same score, returns the first.
fn best(tiers: &[Tier], like: impl Fn(&Tier) -> Option<usize>) -> Option<usize> {
    let candidates = tiers.iter().enumerate().filter(|(_, tier)| !tier.is_points);
    candidates
        .filter_map(|(index, tier)| Some((like(tier)?, index)))
        .max_by_key(|(likeness, index)| (*likeness, usize::MAX - index))
        .map(|(_, index)| index)
}

fn spoken_labels(tier: &Tier) -> impl Iterator<Item = &str> + Clone {
    tier.intervals.iter().map(|interval| interval.label.trim()).filter(|label| !is_silent(label))
}

/// Returns the number of phonemes if this is a phoneme tier. A matching name raises the score.
fn phone_like(tier: &Tier) -> Option<usize> {
    let name = tier.name.to_ascii_lowercase();
    let is_named = ["phon", "segment", "mau"].iter().any(|part| name.contains(part));
    let share = Alphabet::share(spoken_labels(tier));
    let kinds = spoken_labels(tier).collect::<std::collections::BTreeSet<_>>().len();
    let is_like = share >= MIN_SHARE && kinds > 1 || is_named && share >= 0.5 * MIN_SHARE;
    is_like.then_some(spoken_labels(tier).count() + if is_named { limits::MAX_ANNOTATIONS } else { 0 })
}

/// Returns the number of words if this is a word tier.
fn word_like(tier: &Tier) -> Option<usize> {
    let is_word = |label: &str| {
        let first =
            label.lines().next().unwrap_or_default().trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '(' | ')');
        first.chars().count() > 0 && first.chars().all(is_inner)
    };
    let count = spoken_labels(tier).count();
    let words = spoken_labels(tier).filter(|label| is_word(label)).count();
    let is_named = tier.name.to_ascii_lowercase().contains("word");
    let is_like = words as f64 >= MIN_SHARE * count as f64
        && words > 0
        && (is_named
            || phone_like(tier).is_none() && spoken_labels(tier).any(|label| label.chars().count() > 1));
    is_like.then_some(words + if is_named { limits::MAX_ANNOTATIONS } else { 0 })
}

/// Returns the number of labels with several words, if any.
fn phrase_like(tier: &Tier) -> Option<usize> {
    let phrases = spoken_labels(tier).filter(|label| label.split_whitespace().count() > 1).count();
    (phrases > 0).then_some(phrases)
}
