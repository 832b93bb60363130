//! The code in `docs/guides/c.md` is that of the examples, which other tests compile and run.

use std::path::Path;

/// Returns the code blocks of a language in the page, without indentation.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<Vec<&'a str>> {
    let parts = page.split("\n```").filter_map(|part| part.strip_prefix(language)?.strip_prefix('\n'));
    parts.map(|part| part.lines().map(str::trim).collect()).collect()
}

fn check(page: &str, language: &str, files: &[&str], least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = files.iter().map(|file| std::fs::read_to_string(folder.join("examples").join(file)).unwrap());
    let sources: String = texts.collect();
    let lines: Vec<&str> = sources.lines().map(str::trim).collect();
    let blocks = blocks(page, language);
    assert!(blocks.len() >= least, "{language}: {}", blocks.len());
    for block in blocks {
        let is_there = lines.windows(block.len()).any(|some| some == block);
        assert!(is_there, "docs/guides/c.md has code that is in none of {files:?}:\n{}", block.join("\n"));
    }
}

#[test]
fn the_page_shows_what_is_tested() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/c.md");
    let page = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    check(&page, "c", &["alive.c"], 3);
    check(&page, "cpp", &["unreal/VivantPerformer.h"], 2);
    check(&page, "csharp", &["unity/Vivant.cs", "unity/VivantCharacter.cs"], 2);
    assert!(page.contains("libvivant_c.a -lpthread -ldl -lm -lgcc_s"), "the same as in tests/programs");
}
