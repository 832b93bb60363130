//! Values of a column as text or numbers, and number parsing.

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    /// All cells in one string, with the end position of each cell.
    Text {
        text: String,
        ends: Vec<usize>,
    },
    Numbers(Vec<f64>),
    /// Integers, because timestamps in nanoseconds have more digits than an `f64` can hold.
    Whole(Vec<i64>),
}

/// The value of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Unknown,
    Whole(i128),
    Number(f64),
    Word(&'a str),
}

impl Column {
    pub(super) const fn empty_text() -> Self {
        Self::Text { text: String::new(), ends: Vec::new() }
    }

    /// Adds a cell to a text column.
    pub(super) fn push(&mut self, cell: &str) {
        if let Self::Text { text, ends } = self {
            text.push_str(cell);
            ends.push(text.len());
        }
    }

    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Text { ends, .. } => ends.len(),
            Self::Numbers(numbers) => numbers.len(),
            Self::Whole(numbers) => numbers.len(),
        }
    }

    pub(super) fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Text { text, ends } => {
                let begin = if row == 0 { 0 } else { ends[row - 1] };
                parse(&text[begin..ends[row]])
            }
            Self::Numbers(numbers) if !numbers[row].is_finite() => Cell::Unknown,
            Self::Numbers(numbers) => Cell::Number(numbers[row]),
            Self::Whole(numbers) => Cell::Whole(i128::from(numbers[row])),
        }
    }
}

impl Cell<'_> {
    /// Returns the number; NaN if unknown, `None` if it is a word.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Unknown => Some(f64::NAN),
            Self::Whole(whole) => Some(whole as f64),
            Self::Number(number) => Some(number),
            Self::Word(_) => None,
        }
    }

    /// Returns true for a set flag, a positive number, or a word other than “no”.
    pub(super) fn is_yes(self) -> bool {
        match self {
            Self::Unknown => false,
            Self::Whole(whole) => whole > 0,
            Self::Number(number) => number > 0.0,
            Self::Word(word) => {
                !["false", "no", "invalid", "off", "f", "n"].iter().any(|no| word.eq_ignore_ascii_case(no))
            }
        }
    }
}

/// Texts that programs write for missing values.
const MISSING: [&str; 14] = [
    "",
    ".",
    "-",
    "nan",
    "-nan",
    "na",
    "n/a",
    "#n/a",
    "null",
    "none",
    "inf",
    "-inf",
    "infinity",
    "-nan(ind)",
];

/// Parses a cell. Decimal commas are also accepted. They are unambiguous, because cells of a comma-separated table
/// contain no commas.
pub(super) fn parse(text: &str) -> Cell<'_> {
    let text = text.trim();
    if MISSING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing)) {
        return Cell::Unknown;
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Cell::Whole(i128::from(whole));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c)) {
        return Cell::Word(text);
    }
    let point;
    let text_with_point = if text.contains(',') && !text.contains('.') {
        point = text.replacen(',', ".", 1);
        &point
    } else {
        text
    };
    match text_with_point.parse::<f64>() {
        Ok(number) if number.is_finite() => Cell::Number(number),
        Ok(_) => Cell::Unknown,
        Err(_) => Cell::Word(text),
    }
}
