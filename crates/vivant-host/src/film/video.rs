//! Videos, decoded by ffmpeg: frames come through its standard output as Y4M, upright; their times through its
//! standard error, where its filter `showinfo` tells of every frame before it goes out.

use super::ffmpeg::Ffmpeg;
use super::log::Log;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::Reader;

const BUFFER_BYTES: usize = 256 << 10;
/// The longest line of what ffmpeg says that is kept whole, in bytes.
const MOST_LINE_BYTES: usize = 64 << 10;

/// A running ffmpeg.
pub(super) struct Video {
    child: Child,
    frames: Reader<BufReader<ChildStdout>>,
    times: Receiver<Option<f64>>,
    log: Arc<Mutex<Log>>,
    listener: Option<JoinHandle<()>>,
    /// What was skipped at the front.
    from_secs: f64,
}

impl Video {
    /// From a time on, which is 0 for all of it.
    pub(super) fn open(path: &Path, from_secs: f64, in_colour: bool) -> Result<Self> {
        let ffmpeg = Ffmpeg::find().map_err(|error| error.in_file(path.display()))?;
        let mut child = start(&ffmpeg, path, from_secs, in_colour)?;
        let log = Arc::new(Mutex::new(Log::default()));
        let (sender, times) = mpsc::channel();
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Error::new("ffmpeg was started without pipes"));
        };
        let kept = Arc::clone(&log);
        let listener = std::thread::spawn(move || listen(stderr, &kept, &sender));
        match Reader::new(BufReader::with_capacity(BUFFER_BYTES, stdout)) {
            Ok(frames) => {
                let frames = if in_colour { frames.in_colour() } else { frames };
                Ok(Self { child, frames, times, log, listener: Some(listener), from_secs })
            }
            Err(error) => {
                // It may have been stopped by what it wrote, which nobody reads any more.
                let _ = child.kill();
                let _ = child.wait();
                let _ = listener.join();
                Err(Error::new(unreadable(&lock(&log), &error)).in_file(path.display()))
            }
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<(Option<f64>, Image)>> {
        let image = self.frames.next().map_err(|error| {
            let complaint = lock(&self.log).complaints.first().map(|said| format!("; ffmpeg: {said}"));
            Error::new(format!("{error}{}", complaint.unwrap_or_default()))
        })?;
        Ok(image.map(|image| {
            let secs = self.times.recv().ok().flatten();
            (secs.map(|secs| secs + self.from_secs), image)
        }))
    }

    pub(super) fn rate_hz(&self) -> Option<f64> {
        self.frames.header().rate_hz
    }

    /// Known once the first frame is: what it says of the film comes before.
    pub(super) fn frame_count(&self) -> Option<usize> {
        lock(&self.log).frame_count()
    }

    /// What ffmpeg found wrong with a film that has ended, or that is not read on.
    pub(super) fn complaints(&mut self, is_read_on: bool) -> Option<String> {
        if !is_read_on {
            // It would wait for ever for someone to read.
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        let log = lock(&self.log);
        let first = log.complaints.first();
        let failed = is_read_on && status.as_ref().is_ok_and(|status| !status.success());
        match (first, log.complaint_count) {
            (Some(first), 1) => Some(format!("ffmpeg found a fault: {first}")),
            (Some(first), count) => {
                Some(format!("ffmpeg found {count} faults, and went on as it could; the first: {first}"))
            }
            (None, _) if failed => Some(format!("ffmpeg ended with {}", status.ok()?)),
            _ => None,
        }
    }
}

impl Drop for Video {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and one that is not waited for stays in the system's list.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

fn start(ffmpeg: &Ffmpeg, path: &Path, from_secs: f64, in_colour: bool) -> Result<Child> {
    let mut command = ffmpeg.command();
    if from_secs > 0.0 {
        command.args(["-ss", &format!("{from_secs:.6}")]);
    }
    // Only files: a playlist from a stranger must not fetch what it likes, and a name is no protocol.
    let mut input = OsString::from("file:");
    input.push(path);
    command.args(["-protocol_whitelist", "file", "-i"]).arg(input);
    command.args(["-map", "0:V:0", "-an", "-sn", "-dn", "-vf", ffmpeg.show_info()]);
    // Y4M has no red, green and blue; a film in gray then comes with colours that say nothing.
    let pixels = if in_colour { "yuv444p" } else { "gray" };
    command.args(ffmpeg.passthrough()).args(["-f", "yuv4mpegpipe", "-pix_fmt", pixels, "-"]);
    detach(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
        .spawn()
        .map_err(|error| Error::new(format!("ffmpeg could not be started: {error}")).in_file(path.display()))
}

/// Who stops us by the keyboard stops us alone: a film must not seem to end where ffmpeg was stopped.
fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x200);
    let _ = command;
}

/// Hears all that is said, so that ffmpeg never waits for us, and passes the times on.
fn listen(stderr: ChildStderr, log: &Mutex<Log>, times: &mpsc::Sender<Option<f64>>) {
    let mut input = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match std::io::Read::take(&mut input, MOST_LINE_BYTES as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(secs) = lock(log).take(String::from_utf8_lossy(&line).trim_end()) {
            // Who reads the film may have gone; what is still said is heard all the same.
            let _ = times.send(secs);
        }
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why there is not even a header.
fn unreadable(log: &Log, error: &Error) -> String {
    let said = log.complaints.join("; ");
    let has = |words: &str| said.contains(words);
    let why = if has("matches no streams") {
        "there is no video in it, only sound or something else; name the film with the pictures"
    } else if has("moov atom not found") {
        "its index is missing: it is cut off, was not closed by its camera, or is no film; copy it again from where it came"
    } else if has("Invalid data found") {
        "this is no film that ffmpeg knows, or it is damaged; does a player show it?"
    } else if has("Decoder") && has("not found") || has("no decoder found") {
        "ffmpeg has no decoder for this kind of video; install a complete ffmpeg, or convert the film elsewhere"
    } else if said.is_empty() {
        return format!("nothing could be decoded: {error}");
    } else {
        "it could not be decoded"
    };
    format!("{why} (ffmpeg: {said})")
}
