//! Videos decoded by ffmpeg. The standard output of ffmpeg contains the upright frames as Y4M. Its standard error
//! contains the times of the frames, because the filter `showinfo` logs every frame before it is written.

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
/// Lines of the log are split after this many bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// A running ffmpeg.
pub(super) struct Video {
    child: Child,
    frames: Reader<BufReader<ChildStdout>>,
    times: Receiver<Option<f64>>,
    log: Arc<Mutex<Log>>,
    listener: Option<JoinHandle<()>>,
    /// Seconds skipped at the start.
    from_secs: f64,
}

impl Video {
    /// Opens a video from `from_secs` on, in seconds. With 0, the whole video is read.
    pub(super) fn open(path: &Path, from_secs: f64, in_colour: bool) -> Result<Self> {
        let ffmpeg = Ffmpeg::find().map_err(|error| error.in_file(path.display()))?;
        let mut child = start(&ffmpeg, path, from_secs, in_colour)?;
        let log = Arc::new(Mutex::new(Log::default()));
        let (sender, times) = mpsc::channel();
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Error::new("ffmpeg was started without pipes; please report this bug"));
        };
        let kept = Arc::clone(&log);
        let listener = std::thread::spawn(move || listen(stderr, &kept, &sender));
        match Reader::new(BufReader::with_capacity(BUFFER_BYTES, stdout)) {
            Ok(frames) => {
                let frames = if in_colour { frames.in_colour() } else { frames };
                Ok(Self { child, frames, times, log, listener: Some(listener), from_secs })
            }
            Err(error) => {
                // ffmpeg may be blocked because nothing reads its output.
                let _ = child.kill();
                let _ = child.wait();
                let _ = listener.join();
                Err(Error::new(explain_failure(&lock(&log), &error)).in_file(path.display()))
            }
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<(Option<f64>, Image)>> {
        let image = self.frames.next().map_err(|error| {
            let complaint = lock(&self.log).errors.first().map(|messages| format!("; ffmpeg: {messages}"));
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

    /// The number of frames. It is known after the first frame, since ffmpeg logs the film's properties before it.
    pub(super) fn frame_count(&self) -> Option<usize> {
        lock(&self.log).frame_count()
    }

    /// Stops ffmpeg and returns the errors that it reported. `is_complete` is false if reading stopped before the
    /// end.
    pub(super) fn stop(&mut self, is_complete: bool) -> Option<String> {
        if !is_complete {
            // Otherwise ffmpeg would wait forever for a reader of its output.
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        let log = lock(&self.log);
        let first = log.errors.first();
        let failed = is_complete && status.as_ref().is_ok_and(|status| !status.success());
        match (first, log.error_count) {
            (Some(first), 1) => {
                Some(format!("ffmpeg reported an error: {first}; check that the video is complete"))
            }
            (Some(first), count) => Some(format!(
                "ffmpeg reported {count} errors; check that the video is complete. The first error: {first}"
            )),
            (None, _) if failed => {
                Some(format!("ffmpeg failed with {}; check that the video is complete", status.ok()?))
            }
            _ => None,
        }
    }
}

impl Drop for Video {
    fn drop(&mut self) {
        // Killing a process that has ended does nothing. A process that is not waited for stays as a zombie.
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
    // Allow only local files. A playlist of unknown origin must not fetch other addresses, and a file name must not
    // be interpreted as a protocol.
    let mut input = OsString::from("file:");
    input.push(path);
    command.args(["-protocol_whitelist", "file", "-i"]).arg(input);
    command.args(["-map", "0:V:0", "-an", "-sn", "-dn", "-vf", ffmpeg.show_info()]);
    // Y4M has no RGB format. Gray films get neutral colour planes.
    let pixels = if in_colour { "yuv444p" } else { "gray" };
    command.args(ffmpeg.passthrough()).args(["-f", "yuv4mpegpipe", "-pix_fmt", pixels, "-"]);
    detach(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| {
        Error::new(format!("cannot start ffmpeg: {error}; install ffmpeg again")).in_file(path.display())
    })
}

/// Starts ffmpeg in its own process group, so that Ctrl-C stops Vivant but not ffmpeg. Otherwise ffmpeg would end
/// first, and the film would seem to end early.
fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x200);
    let _ = command;
}

/// Reads the whole log, so that ffmpeg is never blocked, and sends the frame times to the channel.
fn listen(stderr: ChildStderr, log: &Mutex<Log>, times: &mpsc::Sender<Option<f64>>) {
    let mut input = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match std::io::Read::take(&mut input, MAX_LINE_BYTES as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(secs) = lock(log).take(String::from_utf8_lossy(&line).trim_end()) {
            // The receiver may have been dropped; the log is read to the end anyway.
            let _ = times.send(secs);
        }
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Explains why the film has no header.
fn explain_failure(log: &Log, error: &Error) -> String {
    let messages = log.errors.join("; ");
    let has = |words: &str| messages.contains(words);
    let why = if has("matches no streams") {
        "contains no video, only sound or other data; choose a file with video"
    } else if has("moov atom not found") {
        "its index is missing: the file is truncated, was not finalised by the camera, or is not a video; copy it again from its source"
    } else if has("Invalid data found") {
        "not a video that ffmpeg can read, or damaged; can a media player open it?"
    } else if has("Decoder") && has("not found") || has("no decoder found") {
        "ffmpeg has no decoder for this video; install a complete ffmpeg, or convert the video elsewhere"
    } else if messages.is_empty() {
        return format!("cannot decode the video: {error}; convert it to another format");
    } else {
        "cannot decode the video; convert it to another format"
    };
    format!("{why} (ffmpeg: {messages})")
}
