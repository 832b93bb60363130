//! Checks that the functions and tests named in the tables of `docs/science/papers/` exist.

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// Returns all Rust sources of the project, one string per file.
fn sources() -> Vec<String> {
    let mut found = Vec::new();
    for package in std::fs::read_dir(repository().join("crates")).unwrap().flatten() {
        files(&package.path().join("src"), "rs", &mut found);
        files(&package.path().join("tests"), "rs", &mut found);
    }
    found.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A table row of a page: the names in backticks.
struct Row {
    line: usize,
    functions: Vec<String>,
    tests: Vec<String>,
}

fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn rows(page: &str) -> Vec<Row> {
    let lines = page.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    let cells = lines.map(|(i, line)| (i + 1, line.split('|').collect::<Vec<_>>()));
    let rows = cells.filter(|(_, cells)| !cells[1].contains("---") && cells[2].trim() != "Function");
    rows.map(|(line, cells)| Row { line, functions: quoted(cells[2]), tests: quoted(cells[3]) }).collect()
}

/// Returns true if `line` defines `name`: a function, a type, a constant, a variant or a field.
fn defines(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let Some(at) = line.find(name) else { return false };
    let (before, after) = (&line[..at], &line[at + name.len()..]);
    let ends = |allowed: &str| after.is_empty() || after.starts_with(|c| allowed.contains(c));
    let last = before.split_whitespace().last();
    match last {
        Some("fn") => ends("(<"),
        Some("struct" | "enum" | "trait" | "type") => ends(" <({;:"),
        Some("const") => ends(":"),
        Some(word) if word.starts_with("pub") => ends(":"),
        None => name.starts_with(char::is_uppercase) && (ends(",(") || after.starts_with(" {")),
        _ => false,
    }
}

/// Returns true if one file defines the last name of a path and has the type before it.
fn exists(path: &str, sources: &[String]) -> bool {
    let mut names = path.rsplit("::");
    let name = names.next().unwrap_or_default();
    let owner = names.next().filter(|owner| owner.starts_with(char::is_uppercase));
    sources.iter().any(|source| {
        source.contains(name)
            && source.lines().any(|line| defines(line, name))
            && owner.is_none_or(|owner| has_type(owner, source))
    })
}

/// Returns true if a file has a type or an `impl` of it.
fn has_type(name: &str, source: &str) -> bool {
    ["struct ", "enum ", "impl ", "> "].iter().any(|before| {
        source.match_indices(&format!("{before}{name}")).any(|(at, found)| {
            let line = source[..at].rfind('\n').map_or(0, |end| end + 1);
            let is_impl = *before != "> " || source[line..].starts_with("impl<");
            is_impl && source[at + found.len()..].starts_with([' ', '<', '(', ';'])
        })
    })
}

/// Returns true if a file has a test of that name.
fn is_test(name: &str, source: &str) -> bool {
    let head = format!("fn {name}(");
    if !source.contains(&head) {
        return false;
    }
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    (0..lines.len()).filter(|i| lines[*i].starts_with(&head)).any(|i| {
        let above = lines[..i].iter().rev().take_while(|line| line.starts_with(['#', '/']));
        above.into_iter().any(|line| *line == "#[test]")
    })
}

#[test]
fn names_in_the_paper_pages_exist() {
    let sources = sources();
    let mut pages = Vec::new();
    files(&repository().join("docs/science/papers"), "md", &mut pages);
    assert!(pages.len() >= 3, "{pages:?}");
    let mut faults = Vec::new();
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        let rows = rows(&page);
        assert!(rows.len() > 20, "{}: no tables?", path.display());
        for Row { line, functions, tests } in rows {
            let mut fault = |what: &str| faults.push(format!("{}, line {line}: {what}", path.display()));
            if functions.is_empty() || tests.is_empty() {
                fault("a row needs a function and a test");
            }
            for name in functions.iter().filter(|name| !exists(name, &sources)) {
                fault(&format!("there is no `{name}`"));
            }
            for name in tests.iter().filter(|name| !sources.iter().any(|source| is_test(name, source))) {
                fault(&format!("there is no test `{name}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The check itself can fail.
#[test]
fn missing_names_are_detected() {
    let sources = sources();
    for name in
        ["eyes::lids::LidMovement::no_such_thing", "Evoked::lid_saccade_of", "Lidz::new", "Evoked::head"]
    {
        assert!(!exists(name, &sources), "{name}");
    }
    for name in
        ["lid_saccade", "eyes::lids::LAG_SECS", "BlinkStrategy::None", "GazePlan::eye", "Decay::error"]
    {
        assert!(exists(name, &sources), "{name}");
    }
    let is_test = |name: &str| sources.iter().any(|source| is_test(name, source));
    assert!(is_test("down_is_shorter_than_up") && !is_test("lid_saccade") && !is_test("nothing_at_all"));
}
