//! Scanner: processes characters one by one and handles whitespace, lines, brackets, code and emoji.
//!
//! Text from a language model arrives in chunks of any size and contains Markdown, emoji and tags. The scanner keeps
//! its state between characters, so that the result does not depend on the chunks. `Reader::letter` takes the next
//! character and `Reader::drain` converts complete items to words; a lexeme whose meaning depends on the next one waits
//! for it. Code, link targets and emoji are skipped with a note. A bracket becomes a tag unless a link target follows
//! it, and text if it is too long.

use super::super::score::Ending;
use super::{Item, MAX_LEXEME_BYTES, MAX_TAG_CHARS, Reader, Skipped, State, Tag};

/// Number of backticks that start and end a code block.
const FENCE: usize = 3;

impl Reader {
    pub(super) fn letter(&mut self, letter: char) {
        match std::mem::take(&mut self.state) {
            State::Plain => self.plain(letter),
            State::Bracket(in_bracket) => self.in_bracket(in_bracket, letter),
            State::Closed(in_bracket) if letter == '(' => {
                self.reread(&in_bracket);
                self.text.add_note(Skipped::Link, &in_bracket);
                self.state = State::Target;
            }
            State::Closed(in_bracket) => {
                self.queue.push_back(Item::Tag(in_bracket));
                self.drain(false);
                self.letter(letter);
            }
            State::Target if matches!(letter, ')' | '\n') => {}
            State::Target => self.state = State::Target,
        }
    }

    fn in_bracket(&mut self, mut in_bracket: String, letter: char) {
        match letter {
            ']' => self.state = State::Closed(in_bracket),
            '[' => {
                self.reread(&in_bracket);
                self.end_lexeme();
                self.state = State::Bracket(String::new());
            }
            _ => {
                in_bracket.push(letter);
                if in_bracket.chars().count() > MAX_TAG_CHARS {
                    self.reread(&in_bracket);
                } else {
                    self.state = State::Bracket(in_bracket);
                }
            }
        }
    }

    /// Reads the content of a bracket as text. The content has no further brackets.
    fn reread(&mut self, in_bracket: &str) {
        for letter in in_bracket.chars() {
            self.plain(letter);
        }
    }

    fn plain(&mut self, letter: char) {
        if letter == '`' {
            self.ticks += 1;
            return;
        }
        if std::mem::take(&mut self.ticks) >= FENCE {
            self.fence();
        }
        match letter {
            _ if self.is_in_code => {}
            '[' => self.open_bracket(),
            '\n' => self.newline(),
            _ if letter.is_whitespace() => self.end_lexeme(),
            '—' | '…' | '|' | '‒' | '―' => self.add_sign_alone(letter),
            _ if is_pictograph(letter) => self.skip_pictograph(letter),
            _ if is_invisible(letter) => {}
            _ => self.collect(letter),
        }
    }

    fn fence(&mut self) {
        self.end_lexeme();
        self.is_in_code = !self.is_in_code;
        if self.is_in_code {
            self.text.add_note(Skipped::Code, "```");
            self.queue.push_back(Item::Stop(Ending::Sentence));
        }
    }

    fn open_bracket(&mut self) {
        if self.lexeme == "!" {
            self.lexeme.clear();
        }
        self.end_lexeme();
        self.state = State::Bracket(String::new());
    }

    fn newline(&mut self) {
        self.end_lexeme();
        self.newlines += 1;
        self.is_line_start = true;
        if std::mem::take(&mut self.is_heading) || self.newlines == 2 {
            self.queue.push_back(Item::Stop(Ending::Sentence));
            self.drain(false);
        }
    }

    /// Processes a sign that is never part of a word, even without spaces.
    fn add_sign_alone(&mut self, letter: char) {
        self.end_lexeme();
        self.collect(letter);
        self.end_lexeme();
    }

    fn skip_pictograph(&mut self, letter: char) {
        self.end_lexeme();
        self.text.add_note(Skipped::Emoji, letter.encode_utf8(&mut [0; 4]));
    }

    fn collect(&mut self, letter: char) {
        if self.is_in_link {
            return;
        }
        self.lexeme.push(letter);
        if self.lexeme.len() >= MAX_LEXEME_BYTES {
            let is_link = is_link(&self.lexeme);
            self.end_lexeme();
            self.is_in_link = is_link;
        }
    }

    pub(super) fn end_lexeme(&mut self) {
        self.is_in_link = false;
        if self.lexeme.is_empty() {
            return;
        }
        let lexeme = std::mem::take(&mut self.lexeme);
        self.newlines = 0;
        if !(std::mem::take(&mut self.is_line_start) && self.handle_line_start(&lexeme)) {
            self.queue.push_back(Item::Lexeme(lexeme));
        }
        self.drain(false);
    }

    /// Handles Markdown at the start of a line (headings, lists, quotes, rules). Returns true if the lexeme was
    /// Markdown.
    fn handle_line_start(&mut self, lexeme: &str) -> bool {
        let all = |signs: &[char]| lexeme.chars().all(|letter| signs.contains(&letter));
        let is_quote = all(&['>']);
        let is_heading = all(&['#']);
        let is_mark = matches!(lexeme, "-" | "*" | "+" | "•" | "◦");
        let is_rule = lexeme.len() > 2 && all(&['-', '*', '_', '=', '~']);
        let is_count = lexeme.len() < 5
            && lexeme.ends_with(['.', ')'])
            && lexeme[..lexeme.len() - 1].bytes().all(|digit| digit.is_ascii_digit())
            && lexeme.len() > 1;
        self.is_line_start = is_quote;
        self.is_heading |= is_heading;
        if is_heading || is_mark || is_rule || is_count {
            self.queue.push_back(Item::Stop(Ending::Sentence));
        }
        if is_count {
            self.queue.push_back(Item::Lexeme(format!("{},", &lexeme[..lexeme.len() - 1])));
        }
        is_quote || is_heading || is_mark || is_rule || is_count
    }

    /// Ends the current bracket, code fence and lexeme.
    pub(super) fn close_open(&mut self) {
        match std::mem::take(&mut self.state) {
            State::Bracket(in_bracket) => self.reread(&in_bracket),
            State::Closed(in_bracket) => self.queue.push_back(Item::Tag(in_bracket)),
            State::Plain | State::Target => {}
        }
        if std::mem::take(&mut self.ticks) >= FENCE {
            self.fence();
        }
        self.end_lexeme();
    }

    /// Converts complete items to words.
    pub(super) fn drain(&mut self, is_end: bool) {
        while let Some(item) = self.queue.pop_front() {
            let next = match self.queue.front() {
                Some(Item::Lexeme(next)) => Some(next.clone()),
                _ => None,
            };
            match item {
                Item::Stop(ending) => self.stop(ending),
                Item::Tag(in_bracket) => self.add_tag(&in_bracket),
                Item::Lexeme(lexeme) => {
                    if self.queue.is_empty() && !is_end && super::lexeme::needs_next(&lexeme) {
                        self.queue.push_front(Item::Lexeme(lexeme));
                        return;
                    }
                    if self.lexeme(&lexeme, next.as_deref()) {
                        self.queue.pop_front();
                    }
                }
            }
        }
    }

    /// Adds a tag such as `[look:left]`: a name and an optional argument after a colon.
    fn add_tag(&mut self, in_bracket: &str) {
        let (name, argument) =
            in_bracket.split_once(':').map_or((in_bracket, None), |(name, argument)| (name, Some(argument)));
        let name = name.trim().to_lowercase();
        let argument = argument.map(str::trim).filter(|argument| !argument.is_empty()).map(str::to_owned);
        if !name.is_empty() {
            self.text.tags.push(Tag { name, argument, before_word: self.text.words.len() });
        }
    }
}

/// Returns true for a URL.
pub(super) fn is_link(lexeme: &str) -> bool {
    let bare = lexeme.trim_start_matches(['(', '<', '"', '\'', '*', '_']);
    let has = |start: &str| bare.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    has("http://") || has("https://") || has("www.") || has("mailto:") || has("ftp://")
}

/// Returns true for emoji, dingbats, arrows, boxes and other pictographs, and for their flags and modifiers.
fn is_pictograph(letter: char) -> bool {
    matches!(letter,
        '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2500}'..='\u{25ff}' | '\u{fe0f}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}')
}

/// Returns true for invisible characters: joiners, direction marks, soft hyphens.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fe00}'..='\u{fe0e}')
}
