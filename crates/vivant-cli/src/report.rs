//! Output of commands. Results go to standard output, and all other messages go to standard error.

use crate::fault::Fault;
use crate::flags;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use vivant::clip::Clip;
use vivant_io::Warning;

/// Prints a line of a result. A closed pipe (`| head`) is not an error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Prints a message for the user.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints a result as JSON.
pub(crate) fn json(value: &impl Serialize) {
    line(&serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}")));
}

/// Prints a result as JSON on one line.
pub(crate) fn json_line(value: &impl Serialize) {
    line(&serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}")));
}

/// Prints an error as text or JSON.
pub(crate) fn fault(fault: &Fault, as_json: bool) {
    let message = flags::of_error(fault);
    if as_json {
        json_line(&serde_json::json!({ "error": message }));
    } else {
        note(&format!("vivant: {message}"));
    }
}

/// Summary of a clip.
#[derive(Debug, Serialize)]
pub(crate) struct ClipInfo {
    name: String,
    seconds: f64,
    rate: f64,
}

impl From<&Clip> for ClipInfo {
    fn from(clip: &Clip) -> Self {
        let rounded = |x: f64| (x * 1e6).round() / 1e6;
        Self { name: clip.name().into(), seconds: rounded(clip.duration()), rate: rounded(clip.rate()) }
    }
}

impl std::fmt::Display for ClipInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {:.2} s at {} fps", self.name, self.seconds, (self.rate * 100.0).round() / 100.0)
    }
}

/// Summary of a written file.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    pub(crate) written: String,
    pub(crate) bytes: usize,
    pub(crate) clips: Vec<ClipInfo>,
    pub(crate) warnings: Vec<Warning>,
}

impl Written {
    pub(crate) fn print(&self, as_json: bool) {
        if as_json {
            return json(self);
        }
        warnings(&self.warnings);
        let clips: Vec<String> = self.clips.iter().map(|c| format!("{c}")).collect();
        line(&format!("{}  {} kB\n  {}", self.written, self.bytes.div_ceil(1000), clips.join("\n  ")));
    }
}

/// Prints warnings.
pub(crate) fn warnings(warnings: &[Warning]) {
    for warning in warnings {
        note(&format!("warning: {}", flags::of_warning(warning)));
    }
}

/// A spinner or progress bar, shown on a terminal after one second.
pub(crate) struct Progress {
    bar: ProgressBar,
    _done: mpsc::Sender<()>,
}

impl Progress {
    /// Creates a spinner, for a task of unknown length.
    pub(crate) fn spinner(what: impl Into<String>) -> Self {
        Self::new(
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            "{spinner} {msg} {elapsed}",
            what,
        )
    }

    /// Creates a progress bar with a number of steps.
    pub(crate) fn bar(what: impl Into<String>, steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        Self::new(bar, "{msg} {wide_bar} {percent} % {eta}", what)
    }

    /// Creates a progress bar for a film, with frames per second and the remaining time. `about` is the approximate
    /// number of frames, if it is known.
    pub(crate) fn frames(what: impl Into<String>, about: Option<usize>) -> Self {
        let bar =
            ProgressBar::with_draw_target(about.map(|count| count as u64), ProgressDrawTarget::hidden());
        let template = match about {
            Some(_) => "{msg} {wide_bar} {human_pos} of {human_len} frames, {per_sec}, {eta} left",
            None => "{spinner} {msg} {human_pos} frames, {per_sec}, {elapsed}",
        };
        Self::new(bar, template, what)
    }

    fn new(bar: ProgressBar, template: &str, what: impl Into<String>) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.into());
        let (_done, wait) = mpsc::channel::<()>();
        let shown = bar.clone();
        // The thread ends when the sender is dropped, or at the latest when the process ends.
        std::thread::spawn(move || {
            if wait.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, _done }
    }

    /// Changes the message.
    pub(crate) fn set_message(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Sets the number of finished steps.
    pub(crate) fn at(&self, step: usize) {
        self.bar.set_position(step as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
