//! Numbers as words, in American English.
//!
//! Mouth movements and durations depend on the words that are spoken, not on the digits. `spoken` converts a lexeme
//! with digits: amounts of money, units, years, ordinals, times, dates, ranges, fractions and telephone numbers. It may
//! take the next lexeme too, for example a unit or a scale, and then sets `took_next`. It returns `None` if the text as
//! a whole is not a number; the caller then splits it and reads each part with `plain`. Numbers with more than 18
//! digits or a leading zero are read digit by digit.

use super::tables;

/// Names of the digits.
pub(super) const DIGITS: [&str; 10] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const TEENS: [&str; 10] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(u64, &str); 5] = [
    (1_000_000_000_000_000, "quadrillion"),
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1000, "thousand"),
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Maximum number of digits of a number that is read as a whole; longer numbers are read digit by digit.
const MAX_DIGITS: usize = 18;

/// A number as words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SpokenNumber {
    pub(super) words: Vec<String>,
    /// True if the next lexeme is included.
    pub(super) took_next: bool,
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Converts text with digits to words; `None` if the text as a whole is not a number.
pub(super) fn spoken(core: &str, next: Option<&str>) -> Option<SpokenNumber> {
    if !core.contains(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let (before, rest) = prefix(core);
    let (sign, rest) = match rest.chars().next().and_then(tables::currency) {
        Some(names) => (Some(names), &rest[rest.chars().next().map_or(0, char::len_utf8)..]),
        None => (None, rest),
    };
    let (mut out, took_next) = match sign {
        Some(names) => money(rest, names, next)?,
        None => {
            with_unit(rest, next).map(|out| (out, true)).or_else(|| Some((plain_number(rest)?, false)))?
        }
    };
    let mut all = words(before);
    all.append(&mut out);
    Some(SpokenNumber { words: all, took_next })
}

/// Returns the word for a sign before a number, and the rest of the text.
fn prefix(core: &str) -> (&'static str, &str) {
    for (sign, word) in [
        ('-', "minus"),
        ('−', "minus"),
        ('+', "plus"),
        ('~', "about"),
        ('#', "number"),
        ('\'', ""),
        ('’', ""),
    ] {
        if let Some(rest) = core.strip_prefix(sign) {
            return (word, rest);
        }
    }
    ("", core)
}

/// A numeral: its digits, its decimals, and the text after it.
struct Numeral<'a> {
    whole: String,
    part: Option<&'a str>,
    has_commas: bool,
    rest: &'a str,
}

fn numeral(text: &str) -> Option<Numeral<'_>> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let (mut whole, mut rest) = (text[..first].to_owned(), &text[first..]);
    while (1..=3).contains(&first) && rest.starts_with(',') && digits(&rest[1..]) == 3 {
        whole.push_str(&rest[1..4]);
        rest = &rest[4..];
    }
    let has_commas = whole.len() > first;
    let after = rest.strip_prefix('.').map_or(0, digits);
    let part = (after > 0).then(|| &rest[1..=after]);
    let rest = if after > 0 { &rest[after + 1..] } else { rest };
    (first > 0 || part.is_some()).then_some(Numeral { whole, part, has_commas, rest })
}

impl Numeral<'_> {
    fn value(&self) -> Option<u64> {
        let is_plain = self.whole.len() <= MAX_DIGITS && (self.whole == "0" || !self.whole.starts_with('0'));
        if is_plain { self.whole.parse().ok() } else { None }
    }

    fn is_one(&self) -> bool {
        self.whole == "1" && self.part.is_none()
    }

    fn words(&self) -> Vec<String> {
        let mut out = match self.value() {
            Some(value) => cardinal(value),
            None => by_digit(&self.whole),
        };
        if let Some(part) = self.part {
            out.push("point".into());
            out.extend(by_digit(part));
        }
        out
    }
}

fn money(text: &str, [one, many, part]: [&str; 3], next: Option<&str>) -> Option<(Vec<String>, bool)> {
    let number = numeral(text)?;
    let scale = |word: &str| match word.to_ascii_lowercase().as_str() {
        "k" | "thousand" => Some("thousand"),
        "m" | "mn" | "million" => Some("million"),
        "b" | "bn" | "billion" => Some("billion"),
        "t" | "tn" | "trillion" => Some("trillion"),
        _ => None,
    };
    let bare = next.map(|next| next.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let next_scale = bare.filter(|bare| bare.len() > 2 && number.rest.is_empty()).and_then(scale);
    if let Some(scale) = scale(number.rest).or(next_scale) {
        let mut out = number.words();
        out.extend([scale.to_owned(), many.to_owned()]);
        return Some((out, next_scale.is_some()));
    }
    if !number.rest.is_empty() {
        return None;
    }
    let mut out = cardinal(number.value()?);
    match number.part.filter(|_| !part.is_empty()) {
        Some(hundredths) if hundredths.len() == 2 => {
            out.push(if number.whole == "1" { one } else { many }.into());
            let count = hundredths.parse().unwrap_or(0);
            if count > 0 {
                out.push("and".into());
                out.extend(cardinal(count));
                out.push(if count == 1 { part.trim_end_matches('s') } else { part }.into());
            }
        }
        Some(_) => {
            out = number.words();
            out.push(many.into());
        }
        None => out.push(if number.is_one() { one } else { many }.into()),
    }
    Some((out, false))
}

fn plain_number(text: &str) -> Option<Vec<String>> {
    let number = numeral(text)?;
    let small = number.rest.to_lowercase();
    match small.as_str() {
        "" => Some(year_or_number(&number)),
        "st" | "nd" | "rd" | "th" if number.part.is_none() => ordinal(number.value()?),
        "s" | "'s" | "’s"
            if number.part.is_none() && number.whole.len() >= 2 && number.whole.ends_with('0') =>
        {
            decade(&number)
        }
        _ => unit(&number, &small).or_else(|| compound(text, &number)),
    }
}

/// Reads a number whose unit is the next lexeme.
fn with_unit(text: &str, next: Option<&str>) -> Option<Vec<String>> {
    let number = numeral(text).filter(|number| number.rest.is_empty())?;
    let name = next?.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    unit(&number, &name.to_lowercase()).filter(|_| name.chars().count() > 1)
}

fn year_or_number(number: &Numeral<'_>) -> Vec<String> {
    let year =
        number.value().filter(|_| number.whole.len() == 4 && number.part.is_none() && !number.has_commas);
    match year {
        Some(year @ 1100..=2099) => self::year(year),
        _ => number.words(),
    }
}

/// Reads a number with its unit.
fn unit(number: &Numeral<'_>, rest: &str) -> Option<Vec<String>> {
    if let Some(names) = rest.chars().next().and_then(tables::currency).filter(|_| rest.chars().count() == 1)
    {
        return money(
            &format!("{}{}", number.whole, number.part.map(|part| format!(".{part}")).unwrap_or_default()),
            names,
            None,
        )
        .map(|(out, _)| out);
    }
    let (_, one, many) = tables::UNITS.iter().find(|(short, ..)| *short == rest)?;
    let name = if number.is_one() { one } else { many };
    let mut out = number.words();
    if name.contains(". ") {
        out.push((*name).to_owned());
    } else {
        out.extend(words(name));
    }
    Some(out)
}

/// Reads times, ranges, fractions and dates.
fn compound(text: &str, number: &Numeral<'_>) -> Option<Vec<String>> {
    let sign = number.rest.chars().next()?;
    match sign {
        ':' => time(text),
        '/' => fraction(text),
        '-' | '–' if text.matches('-').count() == 2 => date(text).or_else(|| telephone(text)),
        '-' | '–' => telephone(text).or_else(|| range(number, &number.rest[sign.len_utf8()..])),
        '×' => Some(
            [year_or_number(number), vec!["by".into()], plain_number(&number.rest[sign.len_utf8()..])?]
                .concat(),
        ),
        _ => None,
    }
}

fn range(from: &Numeral<'_>, to: &str) -> Option<Vec<String>> {
    Some([year_or_number(from), vec!["to".into()], plain_number(to)?].concat())
}

/// Reads a time: `5:30`, `17:05:09`, with or without am and pm.
fn time(text: &str) -> Option<Vec<String>> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '.');
    let half = match text[digits.len()..].to_ascii_lowercase().replace('.', "").as_str() {
        "" => None,
        "am" => Some("a. m."),
        "pm" => Some("p. m."),
        _ => return None,
    };
    let parts = digits
        .split(':')
        .map(|part| part.parse().ok().filter(|_| part.len() <= 2))
        .collect::<Option<Vec<u64>>>()?;
    let [hours, minutes, seconds @ ..] = &parts[..] else { return None };
    if *hours > 24 || *minutes > 59 || seconds.len() > 1 {
        return None;
    }
    let mut out = cardinal(*hours);
    match *minutes {
        0 if half.is_some() => {}
        0 if *hours > 12 || *hours == 0 => out.extend(words("hundred")),
        0 => out.push("o'clock".into()),
        1..=9 => out.extend([vec!["oh".into()], cardinal(*minutes)].concat()),
        _ => out.extend(cardinal(*minutes)),
    }
    if let [seconds] = seconds {
        out.extend([words("and"), cardinal(*seconds), words("seconds")].concat());
    }
    out.extend(half.map(str::to_owned));
    Some(out)
}

fn fraction(text: &str) -> Option<Vec<String>> {
    let parts: Vec<u64> = text.split('/').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts[..] {
        [1, 2] => Some(words("one half")),
        [top, 2] => Some([cardinal(top), words("halves")].concat()),
        [1, 4] => Some(words("one quarter")),
        [top, 4] => Some([cardinal(top), words("quarters")].concat()),
        [top, bottom @ 3..=20] if top < bottom => {
            let mut out = [cardinal(top), ordinal(bottom)?].concat();
            if let Some(last) = out.last_mut().filter(|_| top > 1) {
                last.push('s');
            }
            Some(out)
        }
        [top, bottom] if top >= bottom => Some([cardinal(top), cardinal(bottom)].concat()),
        [top, bottom] => Some([cardinal(top), words("over"), cardinal(bottom)].concat()),
        [month, day, year] => Some([cardinal(month), cardinal(day), self::year(year)].concat()),
        _ => None,
    }
}

/// Reads a date: `2026-11-16`.
fn date(text: &str) -> Option<Vec<String>> {
    let parts: Vec<u64> = text.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts[..] {
        [year @ 1000..=2999, month @ 1..=12, day @ 1..=31] => {
            Some([vec![MONTHS[month as usize - 1].into()], ordinal(day)?, self::year(year)].concat())
        }
        _ => None,
    }
}

/// Reads a telephone number: `555-1234`, `212-555-1234`.
fn telephone(text: &str) -> Option<Vec<String>> {
    let parts: Vec<_> = text.split('-').collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    let is_digits = parts.iter().all(|part| part.bytes().all(|digit| digit.is_ascii_digit()));
    (is_digits && matches!(lengths[..], [3, 4] | [3, 3, 4]))
        .then(|| parts.iter().flat_map(|part| by_digit(part)).collect())
}

/// Reads a decade: `1980s`, `90s`.
fn decade(number: &Numeral<'_>) -> Option<Vec<String>> {
    let mut out = year_or_number(number);
    let last = out.last_mut()?;
    *last = match last.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{last}s"),
    };
    Some(out)
}

/// Reads digits as a number. If they contain several points, as in a version, each part is read separately.
pub(super) fn plain(text: &str) -> Vec<String> {
    match numeral(text) {
        Some(number) if number.rest.is_empty() => year_or_number(&number),
        Some(_) => text.split('.').flat_map(|part| [words("point"), plain(part)].concat()).skip(1).collect(),
        None => by_digit(text),
    }
}

fn by_digit(digits: &str) -> Vec<String> {
    digits
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| DIGITS[usize::from(digit - b'0')].to_owned())
        .collect()
}

fn year(year: u64) -> Vec<String> {
    let (century, rest) = (year / 100, year % 100);
    match (century, rest) {
        (10..=99, _) if !matches!(year, 2000..=2009 | 1000..=1099) => {
            let mut out = cardinal(century);
            match rest {
                0 => out.push("hundred".into()),
                1..=9 => out.extend([words("oh"), cardinal(rest)].concat()),
                _ => out.extend(cardinal(rest)),
            }
            out
        }
        _ => cardinal(year),
    }
}

fn cardinal(value: u64) -> Vec<String> {
    let mut out = Vec::new();
    let mut left = value;
    for (scale, name) in SCALES {
        if left >= scale {
            out.extend(hundreds(left / scale % 1000));
            out.push(name.into());
            left %= scale;
        }
    }
    if left > 0 || out.is_empty() {
        out.extend(hundreds(left));
    }
    out
}

fn hundreds(value: u64) -> Vec<String> {
    let mut out = Vec::new();
    if value >= 100 {
        out.extend([DIGITS[(value / 100) as usize].into(), "hundred".into()]);
    }
    let rest = (value % 100) as usize;
    match rest {
        0 if value >= 100 => {}
        0..=9 => out.push(DIGITS[rest].into()),
        10..=19 => out.push(TEENS[rest - 10].into()),
        _ => {
            out.push(TENS[rest / 10].into());
            if !rest.is_multiple_of(10) {
                out.push(DIGITS[rest % 10].into());
            }
        }
    }
    out
}

fn ordinal(value: u64) -> Option<Vec<String>> {
    let mut out = cardinal(value);
    let last = out.last_mut()?;
    *last = match last.as_str() {
        "one" => "first".into(),
        "two" => "second".into(),
        "three" => "third".into(),
        "five" => "fifth".into(),
        "eight" => "eighth".into(),
        "nine" => "ninth".into(),
        "twelve" => "twelfth".into(),
        other => match other.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{other}th"),
        },
    };
    Some(out)
}
