//! Receives rows and passes them to the track, the overlay and the summary.
//!
//! Chunks are tracked in parallel, but rows are written in the order of the film. The [`Sink`] gets the finished chunks
//! in this order and passes each row on once, so that the CSV, the overlay and the summary agree. Rows of an earlier
//! run are reused. Create it with [`Sink::new`], pass it to [`crate::track::track()`], and call [`Sink::finish`], which
//! returns the [`Summary`]. If tracking was stopped, the rows so far are kept for the next run.

use super::overlay::Overlay;
use super::part::{Earlier, TrackFile};
use super::summary::Summary;
use crate::track::Eyes;
use crate::track::chunks::Frame;
use crate::track::row::{self, Row, TrackedFrame};
use std::io::{ErrorKind, Write};
use vivant_io::{Error, Result};
use vivant_learn::film::labels::Labels;

/// The destination of the CSV.
pub enum Output {
    /// A file that can be resumed.
    File(TrackFile),
    /// A stream, such as standard output.
    Stream(Stream),
}

/// A stream of rows.
pub struct Stream {
    name: String,
    out: Box<dyn Write>,
    /// The header, until it is written with the first rows.
    header: String,
    /// True if the reader has closed the stream.
    is_closed: bool,
}

impl Stream {
    fn add(&mut self, rows: &str) -> Result<()> {
        let text = std::mem::take(&mut self.header) + rows;
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.is_closed = written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        written.map_err(|error| {
            Error::new(format!(
                "{}: cannot write: {error}; check the free space and the receiving program",
                self.name
            ))
        })
    }
}

impl Output {
    /// Creates a stream. Errors mention its name.
    #[must_use]
    pub fn stream(name: &str, out: Box<dyn Write>, has_gaze: bool) -> Self {
        let header = row::header(has_gaze);
        Self::Stream(Stream { name: name.to_owned(), out, header, is_closed: false })
    }

    fn add(&mut self, rows: &str) -> Result<()> {
        match self {
            Self::File(part) => part.add(rows),
            Self::Stream(stream) => stream.add(rows),
        }
    }
}

/// Receives rows in the order of the film.
pub struct Sink {
    output: Output,
    earlier: Option<Earlier>,
    overlay: Option<Overlay>,
    gaze: Option<Labels>,
    summary: Summary,
    tracked: usize,
}

impl Sink {
    /// Creates a sink. If `is_drawn` is true, it stores the data for a plot.
    #[must_use]
    pub fn new(
        output: Output,
        earlier: Option<Earlier>,
        overlay: Option<Overlay>,
        eyes: &Eyes,
        is_drawn: bool,
    ) -> Self {
        Self {
            output,
            earlier,
            overlay,
            gaze: eyes.gaze().cloned(),
            summary: Summary::new(is_drawn),
            tracked: 0,
        }
    }

    /// Returns the summary so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns the number of frames tracked in this run.
    #[must_use]
    pub fn tracked(&self) -> usize {
        self.tracked
    }

    /// Returns true if the reader has closed the stream.
    pub(super) fn is_closed(&self) -> bool {
        matches!(&self.output, Output::Stream(Stream { is_closed: true, .. }))
    }

    pub(super) fn earlier_rows(&self) -> usize {
        self.earlier.as_ref().map_or(0, |earlier| earlier.rows)
    }

    /// Takes the row of this frame from an earlier run and adds it to the summary and the overlay.
    pub(super) fn reuse_row(&mut self, frame: &Frame) -> Result<()> {
        let row = self.earlier.as_mut().and_then(Earlier::next).filter(|row| row.frame == frame.number);
        let row =
            row.ok_or_else(|| Error::new("the track of the earlier run was changed; restart tracking"))?;
        self.record(frame, &row)
    }

    /// Adds the results of a chunk.
    pub(super) fn add_chunk(&mut self, frames: &[Frame], found: &[TrackedFrame]) -> Result<()> {
        let (mut rows, has_gaze) = (String::new(), self.gaze.is_some());
        for (frame, found) in frames.iter().zip(found) {
            if frame.number < self.earlier_rows() {
                self.reuse_row(frame)?;
                continue;
            }
            let gaze = self.gaze.as_ref().and_then(|labels| labels.gaze_at(frame.secs));
            let row = Row::new(frame.number, frame.secs, found, gaze);
            row.write(has_gaze, &mut rows);
            self.record(frame, &row)?;
            self.tracked += 1;
        }
        self.output.add(&rows)
    }

    fn record(&mut self, frame: &Frame, row: &Row) -> Result<()> {
        self.summary.add(row);
        match &mut self.overlay {
            Some(overlay) => overlay.add(frame, row.points.as_ref()),
            None => Ok(()),
        }
    }

    /// Closes the files. If tracking was stopped, the part file is kept, and the overlay is discarded.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self, is_stopped: bool) -> Result<Summary> {
        if is_stopped {
            return Ok(self.summary);
        }
        if let Output::File(part) = self.output {
            part.finish()?;
        }
        if let Some(overlay) = self.overlay.take() {
            overlay.finish()?;
        }
        Ok(self.summary)
    }
}
