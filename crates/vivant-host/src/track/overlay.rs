//! Writes the film with the tracked points drawn on it, encoded by ffmpeg.
//!
//! The output has a constant frame rate. In a film with a varying rate, frames are repeated for as long as they last,
//! so that the overlay stays in sync with the film's sound.

use super::paint::Canvas;
use crate::film::Ffmpeg;
use crate::track::chunks::Frame;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::thread::JoinHandle;
use vivant_io::{Error, Result};
use vivant_learn::film::Points;

const ENDINGS: [&str; 3] = ["mp4", "mov", "mkv"];
/// Number of frames used to find the frame rate.
const RATE_FRAMES: usize = 24;
/// Maximum time for which one frame is shown, in seconds. Without this limit, a jump of the film's clock could fill
/// the disk.
const MAX_SHOWN_SECS: f64 = 60.0;
const RATES_HZ: [f64; 2] = [1.0, 1000.0];

/// Writes a film with the points drawn on it.
pub struct Overlay {
    out: PathBuf,
    ffmpeg: Ffmpeg,
    /// The first frames, until the frame rate is known.
    first: Vec<(f64, Canvas)>,
    encoder: Option<Encoder>,
}

/// A running ffmpeg and its state.
struct Encoder {
    part: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    output: Option<JoinHandle<String>>,
    rate_hz: f64,
    first_secs: f64,
    ticks: u64,
    last: Option<Canvas>,
}

impl Overlay {
    /// Creates an overlay for a file: `.mp4`, `.mov` or `.mkv`.
    ///
    /// # Errors
    /// If the file has another extension, or ffmpeg is not installed.
    pub fn new(out: &Path) -> Result<Self> {
        let ending = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !ENDINGS.contains(&ending.as_str()) {
            let message = "unknown video format for the overlay; use the extension .mp4, .mov or .mkv";
            return Err(Error::new(format!("{}: {message}", out.display())));
        }
        let ffmpeg = Ffmpeg::find().map_err(|fault| Error::new(format!("{}: {fault}", out.display())))?;
        Ok(Self { out: out.to_owned(), ffmpeg, first: Vec::new(), encoder: None })
    }

    pub(super) fn add(&mut self, frame: &Frame, points: Option<&Points>) -> Result<()> {
        let mut canvas = Canvas::of(&frame.image);
        canvas.draw(points);
        match &mut self.encoder {
            Some(encoder) => encoder.show(frame.secs, canvas),
            None => {
                self.first.push((frame.secs, canvas));
                if self.first.len() < RATE_FRAMES { Ok(()) } else { self.start() }
            }
        }
    }

    fn start(&mut self) -> Result<()> {
        let first = std::mem::take(&mut self.first);
        let Some((first_secs, canvas)) = first.first() else { return Ok(()) };
        let times: Vec<f64> = first.iter().map(|frame| frame.0).collect();
        let size = (canvas.width, canvas.height);
        let encoder = Encoder::start(&self.ffmpeg, &self.out, size, rate_hz(&times), *first_secs)?;
        let encoder = self.encoder.insert(encoder);
        first.into_iter().try_for_each(|(secs, canvas)| encoder.show(secs, canvas))
    }

    /// Finishes the film and renames it to its final name.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.encoder.is_none() {
            self.start()?;
        }
        let Some(mut encoder) = self.encoder.take() else { return Ok(()) };
        encoder.flush()?;
        encoder.end()?;
        std::fs::rename(&encoder.part, &self.out).map_err(|error| {
            Error::new(format!(
                "{}: cannot write: {error}; check the path, its permissions and the free space",
                self.out.display()
            ))
        })
    }
}

impl Encoder {
    fn start(
        ffmpeg: &Ffmpeg,
        out: &Path,
        (width, height): (usize, usize),
        rate_hz: f64,
        first_secs: f64,
    ) -> Result<Self> {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let part = out.with_file_name(format!(".{}.{name}", std::process::id()));
        let mut command = ffmpeg.command();
        command.args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"]);
        command.args([
            "-video_size",
            &format!("{width}x{height}"),
            "-framerate",
            &format!("{rate_hz:.6}"),
            "-i",
            "-",
        ]);
        // Players need even dimensions.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-c:v"]);
        command.args(ffmpeg.encoder()).arg(&part);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let failed = |error| {
            Error::new(format!("{}: cannot start ffmpeg: {error}; install ffmpeg again", out.display()))
        };
        let mut child = command.spawn().map_err(failed)?;
        let stderr = child.stderr.take();
        let output = std::thread::spawn(move || {
            let mut output = String::new();
            if let Some(stderr) = stderr {
                // Unreadable output is ignored.
                let _ = stderr.take(4096).read_to_string(&mut output);
            }
            output
        });
        let input = child.stdin.take();
        Ok(Self { part, child, input, output: Some(output), rate_hz, first_secs, ticks: 0, last: None })
    }

    /// Shows the previous frame until the time of a new frame, and the new frame from then on.
    fn show(&mut self, secs: f64, canvas: Canvas) -> Result<()> {
        let tick = ((secs - self.first_secs) * self.rate_hz).round().max(0.0) as u64;
        let most = (MAX_SHOWN_SECS * self.rate_hz) as u64;
        let shown = tick.saturating_sub(self.ticks).min(most);
        if let Some(last) = self.last.take() {
            for _ in 0..shown {
                self.put(&last)?;
            }
        }
        self.ticks = tick.max(self.ticks);
        self.last = Some(canvas);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.last.take().map_or(Ok(()), |last| self.put(&last))
    }

    fn put(&mut self, canvas: &Canvas) -> Result<()> {
        let written = self.input.as_mut().map(|input| input.write_all(&canvas.bytes));
        if written.is_none_or(|written| written.is_ok()) {
            return Ok(());
        }
        self.end()?;
        Err(Error::new(format!(
            "{}: ffmpeg ended before all frames were written; try again",
            self.part.display()
        )))
    }

    /// Waits until everything is encoded.
    fn end(&mut self) -> Result<()> {
        self.input = None;
        let status = self
            .child
            .wait()
            .map_err(|error| Error::new(format!("ffmpeg did not end properly: {error}; try again")))?;
        let output = self.output.take().and_then(|output| output.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        Err(Error::new(format!(
            "{}: ffmpeg cannot write the overlay video; its message: {}",
            self.part.display(),
            output.trim()
        )))
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The temporary file exists only if it was not renamed.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// Returns the frame rate in hertz, from the median frame duration.
fn rate_hz(times: &[f64]) -> f64 {
    let mut steps: Vec<f64> =
        times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
    steps.sort_by(f64::total_cmp);
    let [least, most] = RATES_HZ;
    steps.get(steps.len() / 2).map_or(30.0, |step| (1.0 / step).clamp(least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_median() {
        assert_eq!(rate_hz(&[0.0, 0.04, 0.08, 0.12, 3.0]).round(), 25.0);
        assert_eq!(rate_hz(&[0.0]), 30.0);
        assert_eq!(rate_hz(&[0.0, 1e-9, 2e-9]), 1000.0);
    }
}
