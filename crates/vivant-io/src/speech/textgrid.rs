//! Praat's TextGrid, as text.
//!
//! Praat reads values and passes over everything between them: numbers and `<flags>` that stand free, and texts in
//! quotation marks. So the long and the short form are the same.

use super::ReadOptions;
use super::aligned::{Aligned, Interval};
use super::sounds::{Alphabet, is_silent};
use crate::eaf::text::{line_at, shown};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;

/// The most tiers of a file.
const MAX_TIERS: usize = 1024;
/// This much of a tier's labels must be sounds for it to be one of sounds.
const LEAST_SHARE: f64 = 0.8;

/// Whether a text begins as a TextGrid does.
pub(super) fn is_one(begin: &str) -> bool {
    begin.starts_with("File type") || begin.starts_with("\"ooTextFile")
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
    /// Where the last value began.
    begin: usize,
}

impl Values<'_> {
    fn fault(&self, message: impl std::fmt::Display) -> Error {
        Error::at(line_at(self.text.as_bytes(), self.begin), message)
    }

    /// The next value, or `None` at the end.
    fn next(&mut self) -> Result<Option<Value>> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            self.begin = self.at;
            match trimmed.chars().next() {
                None => return Ok(None),
                Some('"') => return self.quoted().map(Some),
                Some('!') => self.at += trimmed.find('\n').unwrap_or(trimmed.len()),
                Some(_) => {
                    let len = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
                    self.at += len;
                    if let Some(value) = free(&trimmed[..len]) {
                        return Ok(Some(value));
                    }
                }
            }
        }
    }

    /// A text in quotation marks; two of them within it are one.
    fn quoted(&mut self) -> Result<Value> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find('"') else {
                return Err(self.fault("a text has no quotation mark at its end; the file was cut off"));
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

    fn some(&mut self, what: &str) -> Result<Value> {
        self.next()?
            .ok_or_else(|| self.fault(format!("the file ends where {what} should be; it was cut off")))
    }

    fn number(&mut self, what: &str) -> Result<f64> {
        match self.some(what)? {
            Value::Number(number) => Ok(number),
            other => Err(self.fault(format!("{what} should be a number and is {}", told(&other)))),
        }
    }

    fn text(&mut self, what: &str) -> Result<String> {
        match self.some(what)? {
            Value::Text(text) => Ok(text),
            other => {
                Err(self.fault(format!("{what} should be a text in quotation marks and is {}", told(&other))))
            }
        }
    }

    fn count(&mut self, what: &str, most: usize) -> Result<usize> {
        let number = self.number(what)?;
        if number < 0.0 || number.fract() != 0.0 {
            return Err(self.fault(format!("{what} is {number}, and should be a count")));
        }
        if number > most as f64 {
            return Err(self.fault(format!("{what} is {number}, and at most {most} are read")));
        }
        Ok(number as usize)
    }
}

fn told(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => shown(text),
        Value::Flag(flag) => shown(flag),
    }
}

/// A value that stands free.
fn free(token: &str) -> Option<Value> {
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
    chosen(tiers(text)?, options, warnings)
}

fn tiers(text: &str) -> Result<Vec<Tier>> {
    let mut values = Values { text, at: 0, begin: 0 };
    values.text("the file type")?;
    let class = values.text("the object class")?;
    if class != "TextGrid" {
        return Err(values.fault(format!("this is a {} of Praat, and no TextGrid", shown(&class))));
    }
    values.number("the begin of the grid")?;
    values.number("the end of the grid")?;
    match values.some("whether there are tiers")? {
        Value::Flag(flag) if flag == "<exists>" => {}
        Value::Flag(_) => return Err(values.fault("this TextGrid has no tiers")),
        other => return Err(values.fault(format!("<exists> should be here, and {} is", told(&other)))),
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
            return Err(values
                .fault(format!("tier {number} is {}; IntervalTier and TextTier are read", shown(other))));
        }
    };
    let name = values.text(&format!("the name of tier {number}"))?;
    let place = format!("tier {number} {}", shown(&name));
    values.number(&format!("the begin of {place}"))?;
    values.number(&format!("the end of {place}"))?;
    let count = values.count(&format!("the size of {place}"), limits::MAX_ANNOTATIONS)?;
    *total += count;
    limits::within(&place, "labels", *total, limits::MAX_ANNOTATIONS)?;
    let mut intervals = Vec::new();
    for entry in 1..=count {
        let what = |part: &str| format!("the {part} of entry {entry} of {place}");
        let from = values.number(&what("begin"))?;
        let to = if is_points { from } else { values.number(&what("end"))? };
        intervals.push(Interval { from, to, label: values.text(&what("text"))? });
    }
    Ok(Tier { name, is_points, intervals })
}

/// Finds the tiers of words and sounds, by their names if those were told, or by what is in them.
fn chosen(mut tiers: Vec<Tier>, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Aligned> {
    let phones = match options.phones_tier {
        Some(name) => Some(named(&tiers, name)?),
        None => best(&tiers, phone_like),
    };
    let words = match options.words_tier {
        Some(name) => Some(named(&tiers, name)?),
        None => best(&tiers, word_like).or_else(|| best(&tiers, phrase_like)),
    };
    let words = words.filter(|words| Some(*words) != phones);
    for (index, tier) in tiers.iter().enumerate() {
        if Some(index) != phones && Some(index) != words {
            let why = if tier.is_points { "has points without length" } else { "is not of words or sounds" };
            warnings.push(Warning::new(
                WarningCode::Dropped,
                format!("tier {}", shown(&tier.name)),
                format!("{why}; it is left out"),
            ));
        }
    }
    let mut take = |index: Option<usize>| {
        index.map(|index| std::mem::take(&mut tiers[index].intervals)).unwrap_or_default()
    };
    Ok(Aligned { words: take(words), phones: take(phones) })
}

fn named(tiers: &[Tier], name: &str) -> Result<usize> {
    let names = || tiers.iter().map(|tier| shown(&tier.name)).collect::<Vec<_>>().join(", ");
    tiers
        .iter()
        .position(|tier| tier.name == name)
        .ok_or_else(|| Error::new(format!("there is no tier {}; there are {}", shown(name), names())))
}

/// The tier that is most like something; the first of equals.
fn best(tiers: &[Tier], like: impl Fn(&Tier) -> Option<usize>) -> Option<usize> {
    let likes = tiers.iter().enumerate().filter(|(_, tier)| !tier.is_points);
    likes
        .filter_map(|(index, tier)| Some((like(tier)?, index)))
        .max_by_key(|(likeness, index)| (*likeness, usize::MAX - index))
        .map(|(_, index)| index)
}

fn heard(tier: &Tier) -> impl Iterator<Item = &str> + Clone {
    tier.intervals.iter().map(|interval| interval.label.trim()).filter(|label| !is_silent(label))
}

/// How many sounds a tier has, if that is what it has. A name that says so helps.
fn phone_like(tier: &Tier) -> Option<usize> {
    let name = tier.name.to_ascii_lowercase();
    let is_named = ["phon", "segment", "mau"].iter().any(|part| name.contains(part));
    let share = Alphabet::share(heard(tier));
    let kinds = heard(tier).collect::<std::collections::BTreeSet<_>>().len();
    let is_like = share >= LEAST_SHARE && kinds > 1 || is_named && share >= 0.5 * LEAST_SHARE;
    is_like.then_some(heard(tier).count() + if is_named { limits::MAX_ANNOTATIONS } else { 0 })
}

/// How many words a tier has, if that is what it has.
fn word_like(tier: &Tier) -> Option<usize> {
    let is_word = |label: &str| {
        let first =
            label.lines().next().unwrap_or_default().trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '(' | ')');
        first.chars().count() > 0 && first.chars().all(is_inner)
    };
    let count = heard(tier).count();
    let words = heard(tier).filter(|label| is_word(label)).count();
    let is_named = tier.name.to_ascii_lowercase().contains("word");
    let is_like = words as f64 >= LEAST_SHARE * count as f64
        && words > 0
        && (is_named || phone_like(tier).is_none() && heard(tier).any(|label| label.chars().count() > 1));
    is_like.then_some(words + if is_named { limits::MAX_ANNOTATIONS } else { 0 })
}

/// How many labels with several words a tier has.
fn phrase_like(tier: &Tier) -> Option<usize> {
    let phrases = heard(tier).filter(|label| label.split_whitespace().count() > 1).count();
    (phrases > 0).then_some(phrases)
}
