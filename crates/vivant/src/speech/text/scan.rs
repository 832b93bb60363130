//! Letter by letter: spaces, lines, brackets, code and pictures.

use super::super::score::Ending;
use super::{Item, MOST_BYTES_IN_ONE, MOST_CHARS_IN_TAG, Reader, Skipped, State, Tag};

/// So many back ticks begin and end a block of code.
const FENCE: usize = 3;

impl Reader {
    pub(super) fn letter(&mut self, letter: char) {
        match std::mem::take(&mut self.state) {
            State::Plain => self.plain(letter),
            State::Bracket(inside) => self.inside(inside, letter),
            State::Closed(inside) if letter == '(' => {
                self.refeed(&inside);
                self.text.note(Skipped::Link, &inside);
                self.state = State::Target;
            }
            State::Closed(inside) => {
                self.queue.push_back(Item::Tag(inside));
                self.drain(false);
                self.letter(letter);
            }
            State::Target if matches!(letter, ')' | '\n') => {}
            State::Target => self.state = State::Target,
        }
    }

    fn inside(&mut self, mut inside: String, letter: char) {
        match letter {
            ']' => self.state = State::Closed(inside),
            '[' => {
                self.refeed(&inside);
                self.end_lexeme();
                self.state = State::Bracket(String::new());
            }
            _ => {
                inside.push(letter);
                if inside.chars().count() > MOST_CHARS_IN_TAG {
                    self.refeed(&inside);
                } else {
                    self.state = State::Bracket(inside);
                }
            }
        }
    }

    /// Reads what was in a bracket as text. There is no bracket in it.
    fn refeed(&mut self, inside: &str) {
        for letter in inside.chars() {
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
            '—' | '…' | '|' | '‒' | '―' => self.alone(letter),
            _ if is_picture(letter) => self.picture(letter),
            _ if is_unseen(letter) => {}
            _ => self.collect(letter),
        }
    }

    fn fence(&mut self) {
        self.end_lexeme();
        self.is_in_code = !self.is_in_code;
        if self.is_in_code {
            self.text.note(Skipped::Code, "```");
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

    /// A sign that is no part of a word even without spaces.
    fn alone(&mut self, letter: char) {
        self.end_lexeme();
        self.collect(letter);
        self.end_lexeme();
    }

    fn picture(&mut self, letter: char) {
        self.end_lexeme();
        self.text.note(Skipped::Emoji, letter.encode_utf8(&mut [0; 4]));
    }

    fn collect(&mut self, letter: char) {
        if self.is_in_link {
            return;
        }
        self.lexeme.push(letter);
        if self.lexeme.len() >= MOST_BYTES_IN_ONE {
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
        if !(std::mem::take(&mut self.is_line_start) && self.begins_line(&lexeme)) {
            self.queue.push_back(Item::Lexeme(lexeme));
        }
        self.drain(false);
    }

    /// Whether something at the begin of a line is Markdown: headings, lists, quotes, rules.
    fn begins_line(&mut self, lexeme: &str) -> bool {
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

    /// Ends whatever is open.
    pub(super) fn close_open(&mut self) {
        match std::mem::take(&mut self.state) {
            State::Bracket(inside) => self.refeed(&inside),
            State::Closed(inside) => self.queue.push_back(Item::Tag(inside)),
            State::Plain | State::Target => {}
        }
        if std::mem::take(&mut self.ticks) >= FENCE {
            self.fence();
        }
        self.end_lexeme();
    }

    /// Makes words of what is complete.
    pub(super) fn drain(&mut self, is_end: bool) {
        while let Some(item) = self.queue.pop_front() {
            let next = match self.queue.front() {
                Some(Item::Lexeme(next)) => Some(next.clone()),
                _ => None,
            };
            match item {
                Item::Stop(ending) => self.stop(ending),
                Item::Tag(inside) => self.add_tag(&inside),
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

    /// `[look:left]`: a name, and what stands behind a colon.
    fn add_tag(&mut self, inside: &str) {
        let (name, argument) =
            inside.split_once(':').map_or((inside, None), |(name, argument)| (name, Some(argument)));
        let name = name.trim().to_lowercase();
        let argument = argument.map(str::trim).filter(|argument| !argument.is_empty()).map(str::to_owned);
        if !name.is_empty() {
            self.text.tags.push(Tag { name, argument, before_word: self.text.words.len() });
        }
    }
}

/// Whether something is the address of a page.
pub(super) fn is_link(lexeme: &str) -> bool {
    let bare = lexeme.trim_start_matches(['(', '<', '"', '\'', '*', '_']);
    let has = |start: &str| bare.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    has("http://") || has("https://") || has("www.") || has("mailto:") || has("ftp://")
}

/// Emoji, dingbats, arrows, boxes and other small pictures, with the flags and skins that belong to them.
fn is_picture(letter: char) -> bool {
    matches!(letter,
        '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2500}'..='\u{25ff}' | '\u{fe0f}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}')
}

/// What has no width: joiners, marks of direction, soft hyphens.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fe00}'..='\u{fe0e}')
}
