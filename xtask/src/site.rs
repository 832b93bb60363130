//! `cargo xtask site`: builds the documentation in `docs/` as a static website in `target/site`.
//!
//! The pages have live parts that run the engine, so the npm package is built first if it is missing.

use crate::steps::{command, execute, exists, say};
use crate::{Done, npm, root, target};
use std::path::Path;
use std::time::SystemTime;

/// Builds the site. `--base /x/` is the path of the site on its server; the default is `/`.
pub(crate) fn run(options: &[String]) -> Done {
    let base = base(options)?;
    if !exists("node --version") {
        return Err("Node is missing; install Node 20 or newer (https://nodejs.org)".into());
    }
    if !npm::package().join("engine/engine.js").exists() {
        npm::run()?;
    }
    let folder = root().join("site");
    if is_outdated(&folder) {
        execute(command("npm ci --no-audit --no-fund --loglevel=error").current_dir(&folder))?;
    }
    let output = target().join("site");
    let mut build = command("npm run build --silent");
    build.current_dir(&folder).env("VIVANT_SITE_BASE", base).env("VIVANT_SITE_OUT", &output);
    execute(&mut build)?;
    say(&format!("  the site is in {}", output.display()));
    Ok(())
}

/// Parses the options: none, or `--base` with a path that starts and ends with a slash.
fn base(options: &[String]) -> Result<&str, String> {
    match options {
        [] => Ok("/"),
        [name, base] if name == "--base" && base.starts_with('/') && base.ends_with('/') => Ok(base),
        [name, base] if name == "--base" => Err(format!("--base {base}: the path must start and end with /")),
        _ => Err("unknown options; use `cargo xtask site [--base /x/]`".into()),
    }
}

/// Returns true if the packages are missing or older than the lock file.
fn is_outdated(folder: &Path) -> bool {
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    installed.is_none() || installed < modified(&folder.join("package-lock.json"))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_is_a_path_with_slashes() {
        let options = |words: &str| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(base(&[]), Ok("/"));
        assert_eq!(base(&options("--base /docs/")), Ok("/docs/"));
        for words in ["--base docs", "--base /docs", "--base", "--else /x/", "--base /x/ more"] {
            assert!(base(&options(words)).is_err(), "{words}");
        }
    }
}
