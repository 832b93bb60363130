//! Steps that tell what they do and how long they took, and the programs they run.

use crate::{Done, root};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What has been done so far, and which steps are wanted at all.
pub(crate) struct Steps {
    wanted: Vec<String>,
    done: Vec<(String, Duration, &'static str)>,
}

impl Steps {
    /// All steps, or those with one of these words in their names.
    pub(crate) fn new(wanted: &[String]) -> Self {
        Self { wanted: wanted.iter().map(|word| word.to_lowercase()).collect(), done: Vec::new() }
    }

    /// Does a step; a failure ends the task with the step's name.
    pub(crate) fn step(&mut self, what: &str, action: impl FnOnce() -> Done) -> Done {
        let name = what.to_lowercase();
        if !self.wanted.is_empty() && !self.wanted.iter().any(|word| name.contains(word)) {
            return Ok(());
        }
        println!("\n▶ {what}");
        let begin = Instant::now();
        let result = action();
        let took = begin.elapsed();
        let mark = if result.is_ok() { "✓" } else { "✗" };
        println!("{mark} {what}: {:.1} s", took.as_secs_f64());
        self.done.push((what.to_owned(), took, mark));
        result.map_err(|why| {
            self.summary();
            format!("{what}: {why}")
        })
    }

    /// All steps with their times.
    pub(crate) fn summary(&self) {
        println!("\n────────");
        for (what, took, mark) in &self.done {
            println!("{mark} {:>7.1} s  {what}", took.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, took, _)| *took).sum();
        println!("  {:>7.1} s  in all", total.as_secs_f64());
    }
}

/// A program in the repository's root, with arguments as one line (none of ours has blanks in it).
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(program(words.next().unwrap_or_default()));
    command.args(words).current_dir(root());
    command
}

/// Cargo is the one that runs us; npm is a script on Windows.
fn program(name: &str) -> String {
    match name {
        "cargo" => std::env::var("CARGO").unwrap_or_else(|_| name.into()),
        "npm" if cfg!(windows) => "npm.cmd".into(),
        _ => name.into(),
    }
}

/// Runs a program whose output goes to the terminal.
pub(crate) fn execute(command: &mut Command) -> Done {
    let shown = shown(command);
    println!("  $ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(missing(&shown, &error)),
    }
}

/// Runs a program and gives its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| missing(&shown, &error))?;
    if !output.status.success() {
        return Err(format!(
            "`{shown}` ended with {}:\n{}",
            output.status,
            String::from_utf8_lossy(&output.stdout)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be started at all.
pub(crate) fn exists(line: &str) -> bool {
    command(line).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn missing(shown: &str, error: &std::io::Error) -> String {
    let name = shown.split_whitespace().next().unwrap_or_default();
    format!("`{shown}` could not be started ({error}); install {name}")
}
