//! Steps of a task, which print their name and duration, and the programs that they run.
//!
//! Two lists of steps can run at the same time, because many builds and tests use only one core. In this case the
//! output of a step is written to a file and printed when the step is done.

use crate::{Done, root, skips, target};
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// The file for the output of this thread's step. Without a file, the output goes to the terminal.
    static LOG: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// True if Cargo should store no data for incremental builds.
static IS_ONCE: AtomicBool = AtomicBool::new(false);

/// Turns off incremental builds. Cargo then builds faster and needs half of the disk space, but the next build of a
/// changed crate takes longer.
pub(crate) fn build_once() {
    IS_ONCE.store(true, Ordering::Relaxed);
}

/// A step of a task.
pub(crate) struct Step {
    pub(crate) what: &'static str,
    pub(crate) action: fn() -> Done,
}

impl Step {
    pub(crate) fn new(what: &'static str, action: fn() -> Done) -> Self {
        Self { what, action }
    }
}

/// The finished steps with their durations, and the start time of the task.
pub(crate) struct Steps {
    begin: Instant,
    /// True if later steps also run after a step has failed.
    is_kept_going: bool,
    done: Mutex<Vec<(&'static str, Duration, &'static str)>>,
    errors: Mutex<Vec<String>>,
}

impl Steps {
    pub(crate) fn new(is_kept_going: bool) -> Self {
        Self { begin: Instant::now(), is_kept_going, done: Mutex::default(), errors: Mutex::default() }
    }

    /// Runs steps one after the other, with their output on the terminal. If a step fails, the task ends, unless it
    /// is kept going.
    pub(crate) fn run(&self, steps: &[Step]) -> Done {
        steps.iter().try_for_each(|step| {
            println!("\n▶ {}", step.what);
            let result = self.timed(step);
            println!("{}", self.last());
            self.checked(result)
        })
    }

    /// Runs two lists of steps at the same time. If a step of one list fails, the other list finishes its current
    /// step and ends, unless the task is kept going.
    pub(crate) fn run_both(&self, lists: [Vec<Step>; 2]) -> Done {
        let failed = AtomicBool::new(false);
        let results = std::thread::scope(|scope| {
            let failed = &failed;
            let lanes = lists.map(|steps| scope.spawn(move || self.run_logged(steps, failed)));
            lanes.map(|lane| lane.join().unwrap_or_else(|_| Err("a step panicked".into())))
        });
        results.into_iter().collect()
    }

    fn run_logged(&self, steps: Vec<Step>, failed: &AtomicBool) -> Done {
        for step in steps {
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            println!("▶ {} (its output follows when it is done)", step.what);
            let result = self.logged(&step);
            self.checked(result).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    }

    /// Returns the result of a step, or keeps its error for [`Self::finish`] if the task is kept going.
    fn checked(&self, result: Done) -> Done {
        match result {
            Err(error) if self.is_kept_going => {
                println!("✗ {error}");
                locked(&self.errors).push(error);
                Ok(())
            }
            result => result,
        }
    }

    /// Prints all steps with their times, and returns the errors of all failed steps.
    pub(crate) fn finish(&self, result: Done) -> Done {
        self.summary();
        result?;
        let errors = locked(&self.errors);
        if errors.is_empty() { Ok(()) } else { Err(errors.join("\n✗ ")) }
    }

    /// Runs a step with its output in a file, and then prints the whole output.
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
        locked(&self.done).push((step.what, begin.elapsed(), mark));
        result.map_err(|why| format!("{}: {why}", step.what))
    }

    fn last(&self) -> String {
        locked(&self.done).last().map(line).unwrap_or_default()
    }

    fn last_of(&self, what: &str) -> String {
        locked(&self.done).iter().rfind(|done| done.0 == what).map(line).unwrap_or_default()
    }

    fn summary(&self) {
        println!("\n────────");
        locked(&self.done).iter().for_each(|done| println!("{}", line(done)));
        println!("  {:>7.1} s  in all", self.begin.elapsed().as_secs_f64());
    }
}

fn locked<T>(list: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn line((what, took, mark): &(&'static str, Duration, &'static str)) -> String {
    format!("{mark} {:>7.1} s  {what}", took.as_secs_f64())
}

/// Prints a line to the output of the step.
pub(crate) fn say(text: &str) {
    LOG.with_borrow_mut(|log| match log {
        Some(file) => drop(writeln!(file, "{text}")),
        None => println!("{text}"),
    });
}

/// Returns the output for programs that this step starts.
fn stdio() -> Stdio {
    let file = LOG.with_borrow(|log| log.as_ref().and_then(|file| file.try_clone().ok()));
    file.map_or_else(Stdio::inherit, Stdio::from)
}

/// Returns a program that runs in the root of the repository. The arguments are separated by spaces, so no argument
/// can contain one.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(program(words.next().unwrap_or_default()));
    command.args(words).current_dir(root()).env(skips::VARIABLE, skips::folder());
    if IS_ONCE.load(Ordering::Relaxed) {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Returns the executable of a program. For `cargo` it is the Cargo that runs this program, and on Windows `npm` is a
/// script.
fn program(name: &str) -> String {
    match name {
        "cargo" => std::env::var("CARGO").unwrap_or_else(|_| name.into()),
        "npm" if cfg!(windows) => "npm.cmd".into(),
        _ => name.into(),
    }
}

/// Runs a program, given as one line with its arguments.
pub(crate) fn sh(line: &str) -> Done {
    execute(&mut command(line))
}

/// Runs a program. Its output goes to the output of the step.
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

/// Returns true if a program can be started.
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
