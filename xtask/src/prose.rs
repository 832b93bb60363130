//! Checks the English of comments, messages and documentation: `cargo xtask prose`.
//!
//! It searches for phrases that are hard to read, for doc comments that do not start with a verb or a noun, and for
//! spelling mistakes. If a line needs such a phrase, for example in a quotation, it is marked with the reason in the
//! same line or in the line above: `// prose:allow quoted from the paper`.

use crate::python::TYPOS;
use crate::steps::{command, execute, output, say};
use crate::{Done, root};
use std::collections::{BTreeMap, HashMap};
use std::process::Command;

/// File name endings of the tracked files that are checked.
const ENDINGS: [&str; 9] = [".rs", ".ts", ".tsx", ".js", ".mjs", ".py", ".pyi", ".md", ".toml"];

/// Files and folders that are not checked, each with the reason.
const SKIPPED: [(&str, &str); 3] = [
    ("xtask/src/prose.rs", "lists the phrases"),
    ("crates/vivant/src/speech/pronounce/lexicon.rs", "lists words"),
    ("crates/vivant/src/speech/text/tables.rs", "lists words"),
];

/// Marks a line that may contain a phrase. The reason follows the mark.
const ALLOW: &str = "prose:allow";

/// First words of doc comments that ask a question instead of naming the item.
const QUESTION_WORDS: [&str; 9] = ["Whether", "How", "What", "Who", "Whom", "Whose", "Of", "Lets", "Where"];

/// Names that start with a small letter, even at the start of a sentence.
const LOWER_CASE_NAMES: [&str; 4] = ["espeak-ng", "ffmpeg", "three.js", "dlib"];

/// A phrase to avoid: its words, longer phrases in which it is allowed, and the words to write instead. In the words,
/// `a|b` matches either word, and `*` matches any word.
type Phrase = (&'static str, &'static [&'static str], &'static str);

const PHRASES: &[Phrase] = &[
    ("anew", &[], "again"),
    ("whom", &[], "name the person or thing"),
    ("whoever", &[], "name the person: the user, the caller, the listener"),
    ("somebody|somebody's", &[], "a character, a person, the user"),
    ("whereof|wherein|thereof|therein|hither|thither", &[], "split the sentence"),
    ("deed|deeds", &[], "action"),
    ("sewn|sews|woven|weaves", &[], "synthesized"),
    ("so manieth", &[], "every nth"),
    ("so many", &["so many that", "not so many"], "the number with its unit"),
    ("so much", &["so much that", "not so much"], "the amount with its unit"),
    (
        "for|by|of|after|takes so long|far|few",
        &["so long that", "so long as", "so few that"],
        "the duration with its unit",
    ),
    ("is|are|was|were|be|been told", &[], "say who reports what"),
    ("what is|was|are|were told|heard|asked", &[], "name it: the event, the text, the request"),
    ("what it is that", &[], "name it"),
    ("what there is", &[], "name it"),
    ("all there is", &[], "everything"),
    (
        "who listens|speaks|reads|looks|acts|works|performs|asks|hears|sends|watches|shows|blinks|sits|stands|goes|says|has|does|only|uses",
        PERSONS,
        "name the person: listeners, readers, the caller",
    ),
    ("to|by|of|for|with|from|than who", &[], "name the person"),
    (
        "of which",
        &[
            "first of which",
            "second of which",
            "last of which",
            "one of which",
            "two of which",
            "three of which",
            "some of which",
            "each of which",
            "both of which",
            "most of which",
            "many of which",
            "all of which",
            "none of which",
            "half of which",
            "any of which",
            "either of which",
            "part of which",
            "of which person",
            "values of which",
            "end of which",
            "start of which",
        ],
        "whose, or two sentences",
    ),
    (
        "is|are|was|were no",
        &[
            "there is no",
            "there are no",
            "there was no",
            "there were no",
            "is there no",
            "no longer",
            "no op",
            "no more",
            "no less",
            "no larger",
            "no smaller",
            "no greater",
            "no bigger",
            "no higher",
            "no lower",
            "no better",
            "no worse",
            "no faster",
            "no slower",
            "no other",
            "no doubt",
            "no one",
            "no later",
            "no earlier",
        ],
        "is not a …",
    ),
    ("that|what|which|it|they is|are|was|were none", &["none of"], "is not one"),
    ("the|a|its|their|each|every|whose|our begin", &[], "start"),
    ("begin|begins of", &[], "start of"),
    ("says|tells|knows|goes|comes|stays|needs|sees not", &[], "does not …"),
    ("it is with", &[], "has"),
    ("lets * be", &[], "allows …"),
    ("how often|far|much|long|many * is|are how", &[], "histogram, distribution, list"),
    ("how often * is|are", &[], "rate"),
    ("can|could|may be had", &[], "is available"),
    ("not any more", &[], "no longer"),
    ("than is taken", &[], "limit"),
];

/// Words before “who” that name a person.
const PERSONS: &[&str] = &[
    "person who",
    "people who",
    "someone who",
    "anyone who",
    "everyone who",
    "one who",
    "those who",
    "user who",
    "listener who",
    "speaker who",
    "character who",
    "child who",
    "viewer who",
    "reader who",
    "performer who",
    "man who",
    "woman who",
    "you who",
    "they who",
    "persons who",
    "speakers who",
    "listeners who",
    "developer who",
    "participants who",
    "subject who",
    "subjects who",
    "participant who",
    "actor who",
    "know who",
    "says who",
    "shows who",
    "partner who",
    "friend who",
    "host who",
    "sender who",
    "animator who",
    "client who",
];

/// An error in a file. Line numbers start at one.
struct Fault {
    file: String,
    line: usize,
    message: String,
}

pub(crate) fn run() -> Done {
    let list = output(&mut command("git ls-files"))?;
    let is_read = |file: &&str| {
        ENDINGS.iter().any(|ending| file.ends_with(ending))
            && !SKIPPED.iter().any(|(skipped, _)| file.starts_with(skipped))
    };
    let phrases = index();
    let mut faults = Vec::new();
    for file in list.lines().filter(is_read) {
        // A tracked file may have been deleted without a commit.
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        let mut found = phrase_faults(&text, &phrases);
        if file.ends_with(".rs") && file.starts_with("crates/") && file.contains("/src/") {
            found.extend(doc_faults(&text));
        }
        found.sort();
        faults.extend(found.into_iter().map(|(line, message)| Fault { file: file.into(), line, message }));
    }
    for Fault { file, line, message } in &faults {
        say(&format!("{file}:{line}: {message}"));
    }
    counts(&faults).iter().for_each(|(part, count)| say(&format!("{count:>6}  {part}")));
    let spelling = spelling();
    if !faults.is_empty() {
        return Err(format!("{} places to rewrite in plain English", faults.len()));
    }
    spelling
}

/// Counts errors by crate, package or folder.
fn counts(faults: &[Fault]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for fault in faults {
        let folders = fault.file.split('/').collect::<Vec<_>>();
        let depth = if ["crates", "packages", "docs"].contains(&folders[0]) { 2 } else { 1 };
        *counts.entry(folders[..depth.min(folders.len())].join("/")).or_default() += 1;
    }
    counts
}

/// Checks the spelling of all files with `typos`. Its settings are in `_typos.toml`.
fn spelling() -> Done {
    match TYPOS.ready()? {
        Some(python) => execute(
            Command::new(python.with_file_name("typos")).args(["--format", "brief"]).current_dir(root()),
        ),
        None => Ok(()),
    }
}

/// A word of a text in lower case, with its line. `follows` is true if there are only blanks and comment marks
/// between the previous word and this word.
struct Word {
    text: String,
    line: usize,
    follows: bool,
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut start = None;
        let mut follows = true;
        for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
            if letter.is_alphanumeric() || letter == '\'' || letter == '’' {
                start.get_or_insert(at);
                continue;
            }
            if let Some(start) = start.take() {
                words.push(Word { text: line[start..at].to_lowercase(), line: index + 1, follows });
                follows = true;
            }
            // An underscore does not separate words, so that names of functions are checked too.
            follows &= letter.is_whitespace() || "/!*\\#_".contains(letter);
        }
        // Other characters after the last word of a line separate it from the next line.
        if !follows {
            words.push(Word { text: String::new(), line: index + 1, follows });
        }
    }
    words
}

/// Returns the phrases by their first words.
fn index() -> HashMap<&'static str, Vec<&'static Phrase>> {
    let mut index: HashMap<_, Vec<_>> = HashMap::new();
    for phrase in PHRASES {
        for first in phrase.0.split(' ').next().unwrap_or_default().split('|') {
            index.entry(first).or_default().push(phrase);
        }
    }
    index
}

/// Returns the phrases to avoid that occur in a text, each with its line.
fn phrase_faults(text: &str, phrases: &HashMap<&str, Vec<&Phrase>>) -> Vec<(usize, String)> {
    let words = words(text);
    let allowed = allowed_lines(text);
    let mut faults = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (phrase, unless, instead) in phrases.get(word.text.as_str()).into_iter().flatten().copied() {
            let Some(length) = matches(phrase, &words[at..]) else { continue };
            let shown = |from: usize, to: usize| {
                let texts = words[from..to.min(words.len())].iter().map(|word| word.text.as_str());
                texts.collect::<Vec<_>>().join(" ")
            };
            let around = shown(at.saturating_sub(1), at + length + 1);
            let is_fine = unless.iter().any(|fine| around.contains(fine));
            if !is_fine && !allowed.contains(&word.line) {
                faults.push((word.line, format!("“{}”; write: {instead}", shown(at, at + length))));
            }
        }
    }
    let without_reason =
        |(_, line): &(usize, &str)| line.split_once(ALLOW).is_some_and(|(_, reason)| reason.trim().len() < 5);
    let lines = (1..).zip(text.lines()).filter(without_reason);
    faults.extend(lines.map(|(line, _)| (line, format!("`{ALLOW}` needs a reason"))));
    faults
}

/// Returns the number of words that a phrase matches at the start of a list; `None` if the phrase does not match.
fn matches(phrase: &str, words: &[Word]) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split(' ') {
        let word = words.get(length)?;
        let fits = part == "*" || part.split('|').any(|choice| choice == word.text);
        if !fits || (length > 0 && !word.follows) {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// Returns the lines with the mark that allows phrases, and the lines after them.
fn allowed_lines(text: &str) -> Vec<usize> {
    let marked = (1..).zip(text.lines()).filter(|(_, line)| line.contains(ALLOW));
    marked.flat_map(|(line, _)| [line, line + 1]).collect()
}

/// Returns doc comments of public items and enum variants that start in a wrong way, each with its line.
fn doc_faults(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let is_doc = |line: &str| line.starts_with("///") && !line.starts_with("////");
    let allowed = allowed_lines(text);
    let mut faults = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_first = is_doc(line) && (index == 0 || !is_doc(lines[index - 1]));
        if !is_first || allowed.contains(&(index + 1)) {
            continue;
        }
        let item = lines[index..].iter().find(|line| !line.starts_with("///") && !line.starts_with("#["));
        let is_public =
            item.is_some_and(|item| item.starts_with("pub ") || item.starts_with(char::is_uppercase));
        let docs = lines[index..].iter().take_while(|line| is_doc(line)).map(|line| line[3..].trim());
        if let Some(fault) = doc_fault(&docs.collect::<Vec<_>>().join(" ")).filter(|_| is_public) {
            faults.push((index + 1, fault));
        }
    }
    faults
}

/// Returns the error in the start of a doc comment, if there is one.
fn doc_fault(doc: &str) -> Option<String> {
    let doc = doc.trim();
    let first = doc.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let sentence = doc.split(['.', ':', '?']).next().unwrap_or_default();
    let is_question = doc[sentence.len()..].starts_with('?');
    if QUESTION_WORDS.contains(&first) && !is_question {
        return Some(format!("a doc comment starts with “{first}”; start with a verb or a noun"));
    }
    let start = doc.trim_start_matches(['“', '"', '*', '(', '-', '−']);
    let word = start.split_whitespace().next().unwrap_or_default();
    // Names such as glTF and espeak-ng keep their spelling.
    let is_name = word.contains(char::is_uppercase) || LOWER_CASE_NAMES.contains(&word.trim_end_matches(','));
    let is_well = is_name || !start.starts_with(|c: char| c.is_lowercase() || c == '…');
    (!is_well).then(|| "a doc comment does not start with a capital letter".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_phrases(text: &str, lines: &[usize]) {
        let found = phrase_faults(text, &index());
        assert_eq!(found.iter().map(|fault| fault.0).collect::<Vec<_>>(), lines, "{text}: {found:?}");
    }

    fn check_docs(text: &str, lines: &[usize]) {
        let found = doc_faults(text);
        assert_eq!(found.iter().map(|fault| fault.0).collect::<Vec<_>>(), lines, "{text}: {found:?}");
    }

    #[test]
    fn phrases_are_found_with_their_lines() {
        check_phrases("// Who listens nods.", &[1]);
        check_phrases("let a = 1;\n/// Writes it anew, for whom\n/// it is.", &[2, 2]);
        check_phrases("fn what_is_told_is_read() {}", &[1, 1]);
        check_phrases("Some text\n- a model of so many values", &[2]);
    }

    #[test]
    fn phrases_are_found_across_lines_of_comments_and_strings() {
        check_phrases("    /// It takes so\n    /// many steps.", &[1]);
        check_phrases("\"a number is \\\n  told\"", &[1]);
        check_phrases("// It takes so.\n// Many do.", &[]);
    }

    #[test]
    fn phrases_in_good_english_are_left_alone() {
        check_phrases("There is no such file. It is no longer there.", &[]);
        check_phrases("a person who speaks; two files, one of which is empty", &[]);
        check_phrases("option.is_none(); if is_no_op {} // nameless", &[]);
    }

    #[test]
    fn marked_lines_are_left_alone_if_they_have_a_reason() {
        check_phrases("let a = \"anew\"; // prose:allow a word of the test text", &[]);
        check_phrases("<!-- prose:allow quoted from the paper -->\nSo many.\nSo many.", &[3]);
        check_phrases("// prose:allow", &[1]);
    }

    #[test]
    fn doc_comments_start_with_a_verb_or_a_noun() {
        check_docs("/// How far it is.\npub fn f() {}", &[1]);
        check_docs("enum A {\n    /// What is there.\n    #[default]\n    B,\n}", &[2]);
        check_docs("/// returns it.\npub fn f() {}", &[1]);
        check_docs("/// … and more.\npub fn f() {}", &[1]);
        check_docs("enum A {\n    /// glTF or GLB.\n    B,\n    /// √(a + b).\n    C,\n}", &[]);
        check_docs("/// Returns it.\n///\n/// How it works.\npub fn f() {}", &[]);
        check_docs("/// `None` and 3 others.\npub fn f() {}\n/// 3 m.\npub const A: u8 = 3;", &[]);
        check_docs("/// How is it done? Like this.\npub fn f() {}", &[]);
        check_docs("/// How far it is.\nfn private() {}", &[]);
    }
}
