//! Checks that library messages do not mention the command line, since web pages, game engines and Python use the
//! libraries too.
//!
//! A message of a library describes a setting, and the `vivant` command adds the option for it
//! (`vivant-cli/src/flags.rs`).

use crate::deps::{Package, name_of, rust_files};

/// Crates whose messages are shown by all hosts.
const LIBRARIES: [&str; 5] = ["vivant", "vivant-io", "vivant-learn", "vivant-mannequin", "vivant-host"];

/// Allowed literals that look like an option or a command: arguments of other programs, advice about other programs,
/// and the first line of a file.
const ALLOWED: [(&str, &str); 8] = [
    ("crates/vivant-host/src/track/part.rs", r"vivant track {} {:016x}\n"),
    ("crates/vivant-host/src/voice/espeak.rs", "--voices"),
    (
        "crates/vivant-host/src/voice/espeak.rs",
        "espeak-ng has no voice “{}”; `espeak-ng --voices` lists all voices",
    ),
    (
        "crates/vivant-host/src/voice/espeak.rs",
        "“{shown}” {why}; run `espeak-ng --version` to check whether it works",
    ),
    ("crates/vivant-host/src/voice/espeak.rs", "--stdout"),
    ("crates/vivant-host/src/voice/espeak.rs", "--ipa"),
    ("crates/vivant-host/src/voice/espeak.rs", "--sep=_"),
    ("crates/vivant-host/src/voice/espeak.rs", "--stdin"),
];

/// The commands of `vivant`.
const COMMANDS: [&str; 18] = [
    "serve",
    "inspect",
    "convert",
    "perform",
    "plan",
    "trace",
    "learn",
    "blinks",
    "lint",
    "mimic",
    "label",
    "track",
    "visemes",
    "say",
    "mannequin",
    "schema",
    "repertoire",
    "help",
];

/// Searches the libraries for string literals that mention an option or a command. Returns an error message for each.
pub(crate) fn faults(packages: &[Package]) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for package in packages.iter().filter(|package| LIBRARIES.contains(&package.name.as_str())) {
        let mut files = Vec::new();
        rust_files(&package.folder.join("src"), &mut files)?;
        for file in files {
            let name = name_of(&file);
            if name.ends_with("/tests.rs") || name.contains("/tests/") {
                continue;
            }
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
            faults.extend(faults_in(&name, &text));
        }
    }
    Ok(faults)
}

fn faults_in(name: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let is_allowed = |literal: &str| ALLOWED.contains(&(name, literal));
    let wrong = |(_, literal): &(usize, &str)| names_command_line(literal) && !is_allowed(literal);
    let fault = |(line, literal)| {
        format!(
            "{name}:{line}: a library's message names an option or a command: “{literal}”; describe the setting, and \
             attach it with `with_setting`"
        )
    };
    literals(code).into_iter().filter(wrong).map(fault).collect()
}

fn names_command_line(literal: &str) -> bool {
    let words = || literal.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let is_option = |word: &str| {
        word.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let names_command = words().zip(words().skip(1)).any(|(a, b)| a == "vivant" && COMMANDS.contains(&b));
    words().any(is_option) || names_command
}

/// Returns the string literals of Rust code with their lines, without comments.
fn literals(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => quoted(text, at, 1, "\"", &mut found),
            'r' if !follows_word(text, at) && raw_hashes(rest).is_some() => {
                let hashes = raw_hashes(rest).unwrap_or_default();
                quoted(text, at, hashes + 2, &format!("\"{}", "#".repeat(hashes)), &mut found)
            }
            '\'' => character(rest),
            other => other.len_utf8(),
        };
        at += length;
    }
    found
}

/// Returns the number of `#` at the start of a raw string; `None` if it is not a raw string.
fn raw_hashes(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Returns true if the character at `at` continues a word. The `b` of a byte string does not count as a word.
fn follows_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(|c| c != 'b' && (c.is_alphanumeric() || c == '_'))
}

/// Adds a literal, and returns its length including the quotes.
fn quoted<'a>(text: &'a str, at: usize, begin: usize, end: &str, found: &mut Vec<(usize, &'a str)>) -> usize {
    let inner = &text[at + begin..];
    let mut length = 0;
    while length < inner.len() && !inner[length..].starts_with(end) {
        let is_escape = end == "\"" && begin == 1 && inner[length..].starts_with('\\');
        let mut letters = inner[length..].chars();
        length += letters.next().map_or(1, char::len_utf8);
        if is_escape {
            length += letters.next().map_or(0, char::len_utf8);
        }
    }
    let length = length.min(inner.len());
    found.push((text[..at].matches('\n').count() + 1, &inner[..length]));
    (begin + length + end.len()).min(text.len() - at)
}

/// Returns the length of a character literal. Returns 1 if the quote starts a lifetime.
fn character(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => rest[2..].find('\'').map_or(1, |end| {
            // An escaped quote does not end the literal.
            if rest[2..].starts_with('\'') { 4 } else { end + 3 }
        }),
        Some(_) => letters.next().filter(|(_, next)| *next == '\'').map_or(1, |(place, _)| place + 1),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, count: usize) {
        let found = faults_in("crates/vivant/src/lib.rs", text);
        assert_eq!(found.len(), count, "{text}: {found:?}");
    }

    #[test]
    fn messages_that_name_options_or_commands_are_found() {
        check("Error::new(\"state it with --rate\")", 1);
        check("Error::at(\"--rate\", \"a\\\"b\")", 1);
        check("let c = ['\"', '\\'', 'a']; f::<'a>(r#\"use \"--map\"\"#)", 1);
        check("\"make one with `vivant track`\"", 1);
        check("\"one\\\n  two (--eye left)\"", 1);
    }

    #[test]
    fn other_text_is_left_alone() {
        check("// \"--rate\" as `vivant trace` has it\n/* \"--map\" */ \"a -- b, ---x\"", 0);
        check("\"Vivant tracks\", \"a vivant character\"", 0);
        check("fn f() {}\n#[cfg(test)]\nmod tests { const A: &str = \"--rate\"; }", 0);
    }

    #[test]
    fn arguments_of_other_programs_are_listed() {
        assert!(faults_in("crates/vivant-host/src/voice/espeak.rs", "arg(\"--voices\")").is_empty());
        assert_eq!(faults_in("crates/vivant-host/src/voice.rs", "arg(\"--voices\")").len(), 1);
    }
}
