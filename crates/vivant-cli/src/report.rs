//! What a command says: results on standard output, everything else on standard error.

use crate::fault::Fault;
use crate::flags;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use vivant::clip::Clip;
use vivant_io::Warning;

/// A line of results. A reader who has seen enough (`| head`) is no failure.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// A line for the person who waits.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A result as JSON.
pub(crate) fn json(value: &impl Serialize) {
    line(&serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}")));
}

/// A result as JSON on one line.
pub(crate) fn json_line(value: &impl Serialize) {
    line(&serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}")));
}

/// A failure, in the form that was asked for.
pub(crate) fn fault(fault: &Fault, as_json: bool) {
    let message = flags::of_error(fault);
    if as_json {
        json_line(&serde_json::json!({ "error": message }));
    } else {
        note(&format!("vivant: {message}"));
    }
}

/// A clip in a result.
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

/// What a command wrote.
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

/// Warnings for people.
pub(crate) fn warnings(warnings: &[Warning]) {
    for warning in warnings {
        note(&format!("warning: {}", flags::of_warning(warning)));
    }
}

/// A spinner or a bar that appears when something takes over a second, and only for people.
pub(crate) struct Progress {
    bar: ProgressBar,
    _done: mpsc::Sender<()>,
}

impl Progress {
    /// Without a known end.
    pub(crate) fn spinner(what: impl Into<String>) -> Self {
        Self::new(
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            "{spinner} {msg} {elapsed}",
            what,
        )
    }

    /// With so many steps.
    pub(crate) fn bar(what: impl Into<String>, steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        Self::new(bar, "{msg} {wide_bar} {percent} % {eta}", what)
    }

    /// Of a film, with about so many frames if that is known: how fast it goes, and how long it takes.
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
        // The thread ends when the sender goes, which is at the latest with the process.
        std::thread::spawn(move || {
            if wait.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, _done }
    }

    /// What is done now.
    pub(crate) fn tell(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// How many steps are done.
    pub(crate) fn at(&self, step: usize) {
        self.bar.set_position(step as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
