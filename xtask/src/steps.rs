//! Steps that say what they do and how long they took, and the programs they run.
//!
//! Two lists of steps can run at the same time, because many builds and tests keep only one core busy. Then the output of
//! a step goes to a file and is printed as a whole when the step is done.

use crate::{Done, root, skips, target};
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// Where the output of this thread's step goes; to the terminal if there is none.
    static LOG: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Whether Cargo keeps nothing for the next, incremental build.
static IS_ONCE: AtomicBool = AtomicBool::new(false);

/// Tells Cargo that everything is built once: it then builds faster and needs half of the space on the disk, but the next
/// build of a changed crate takes longer.
pub(crate) fn build_once() {
    IS_ONCE.store(true, Ordering::Relaxed);
}

/// A part of a task.
pub(crate) struct Step {
    pub(crate) what: &'static str,
    pub(crate) action: fn() -> Done,
}

impl Step {
    pub(crate) fn new(what: &'static str, action: fn() -> Done) -> Self {
        Self { what, action }
    }
}

/// What has been done so far, and since when.
pub(crate) struct Steps {
    begin: Instant,
    done: Mutex<Vec<(&'static str, Duration, &'static str)>>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { begin: Instant::now(), done: Mutex::default() }
    }

    /// Runs steps one after the other, with their output on the terminal; a failure ends the task.
    pub(crate) fn run(&self, steps: &[Step]) -> Done {
        let result = steps.iter().try_for_each(|step| {
            println!("\n▶ {}", step.what);
            let result = self.timed(step);
            println!("{}", self.last());
            result
        });
        result.inspect_err(|_| self.summary())
    }

    /// Runs two lists of steps at the same time. A failure in one lets the other finish the step it is at.
    pub(crate) fn run_both(&self, lists: [Vec<Step>; 2]) -> Done {
        let failed = AtomicBool::new(false);
        let results = std::thread::scope(|scope| {
            let failed = &failed;
            let lanes = lists.map(|steps| scope.spawn(move || self.run_logged(steps, failed)));
            lanes.map(|lane| lane.join().unwrap_or_else(|_| Err("a step panicked".into())))
        });
        let result = results.into_iter().collect::<Result<Vec<()>, String>>();
        result.map(drop).inspect_err(|_| self.summary())
    }

    fn run_logged(&self, steps: Vec<Step>, failed: &AtomicBool) -> Done {
        for step in steps {
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            println!("▶ {} (its output follows when it is done)", step.what);
            let result = self.logged(&step);
            if result.is_err() {
                failed.store(true, Ordering::Relaxed);
                return result;
            }
        }
        Ok(())
    }

    /// Runs a step with its output in a file, and then prints it all.
    fn logged(&self, step: &Step) -> Done {
        let path = target().join(format!("xtask-{:?}.log", std::thread::current().id()));
        let file = File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        LOG.set(Some(file));
        let result = self.timed(step);
        LOG.set(None);
        let text = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let _ = std::fs::remove_file(path);
        println!("\n── {}\n{}{}", step.what, String::from_utf8_lossy(&text), self.last_of(step.what));
        result
    }

    fn timed(&self, step: &Step) -> Done {
        let begin = Instant::now();
        let result = (step.action)();
        let mark = if result.is_ok() { "✓" } else { "✗" };
        self.list().push((step.what, begin.elapsed(), mark));
        result.map_err(|why| format!("{}: {why}", step.what))
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<(&'static str, Duration, &'static str)>> {
        self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn last(&self) -> String {
        self.list().last().map(line).unwrap_or_default()
    }

    fn last_of(&self, what: &str) -> String {
        self.list().iter().rfind(|done| done.0 == what).map(line).unwrap_or_default()
    }

    /// Prints all steps with their times.
    pub(crate) fn summary(&self) {
        println!("\n────────");
        self.list().iter().for_each(|done| println!("{}", line(done)));
        println!("  {:>7.1} s  in all", self.begin.elapsed().as_secs_f64());
    }
}

fn line((what, took, mark): &(&'static str, Duration, &'static str)) -> String {
    format!("{mark} {:>7.1} s  {what}", took.as_secs_f64())
}

/// Prints a line where the output of the step goes.
pub(crate) fn say(text: &str) {
    LOG.with_borrow_mut(|log| match log {
        Some(file) => drop(writeln!(file, "{text}")),
        None => println!("{text}"),
    });
}

/// Where the output of a program goes that this step starts.
fn stdio() -> Stdio {
    let file = LOG.with_borrow(|log| log.as_ref().and_then(|file| file.try_clone().ok()));
    file.map_or_else(Stdio::inherit, Stdio::from)
}

/// A program in the repository's root, with arguments as one line (none of ours has blanks in it).
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(program(words.next().unwrap_or_default()));
    command.args(words).current_dir(root()).env(skips::VARIABLE, skips::folder());
    if IS_ONCE.load(Ordering::Relaxed) {
        command.env("CARGO_INCREMENTAL", "0");
    }
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

/// Runs a line of a program and its arguments.
pub(crate) fn sh(line: &str) -> Done {
    execute(&mut command(line))
}

/// Runs a program whose output goes where the step's does.
pub(crate) fn execute(command: &mut Command) -> Done {
    let shown = shown(command);
    say(&format!("  $ {shown}"));
    match command.stdout(stdio()).stderr(stdio()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(missing(&shown, &error)),
    }
}

/// Runs a program and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.stderr(stdio()).output().map_err(|error| missing(&shown, &error))?;
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
