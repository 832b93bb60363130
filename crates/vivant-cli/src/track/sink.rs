//! Where rows go: into the track, onto the film, and into what is told at the end.

use super::overlay::Overlay;
use super::part::{Earlier, Part};
use super::summary::Summary;
use crate::fault::{Fault, Result};
use std::io::{self, Write};
use vivant_files::track::Eyes;
use vivant_files::track::chunks::Frame;
use vivant_files::track::row::{self, Found, Row};
use vivant_learn::film::labels::Labels;

/// Where the CSV goes.
pub(super) enum Output {
    File(Part),
    Stdout {
        /// The header, until the first rows come.
        header: String,
        /// Whether who read it has seen enough.
        is_closed: bool,
    },
}

impl Output {
    pub(super) fn stdout(has_gaze: bool) -> Self {
        Self::Stdout { header: row::header(has_gaze), is_closed: false }
    }

    fn add(&mut self, rows: &str) -> Result<()> {
        match self {
            Self::File(part) => part.add(rows),
            Self::Stdout { header, is_closed } => {
                let text = std::mem::take(header) + rows;
                let mut out = io::stdout().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                *is_closed = written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
                written.map_err(|error| Fault::new(format!("standard output: cannot be written: {error}")))
            }
        }
    }
}

/// Takes the rows in, in the order of the film.
pub(super) struct Sink {
    output: Output,
    earlier: Option<Earlier>,
    overlay: Option<Overlay>,
    gaze: Option<Labels>,
    pub(super) summary: Summary,
    /// Frames that this run has tracked.
    pub(super) tracked: usize,
}

impl Sink {
    pub(super) fn new(
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

    /// Whether nobody reads any more what is written.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.output, Output::Stdout { is_closed: true, .. })
    }

    pub(super) fn earlier_rows(&self) -> usize {
        self.earlier.as_ref().map_or(0, |earlier| earlier.rows)
    }

    /// A frame whose row is there.
    pub(super) fn again(&mut self, frame: &Frame) -> Result<()> {
        let row = self.earlier.as_mut().and_then(Earlier::next).filter(|row| row.frame == frame.number);
        let row = row.ok_or_else(|| {
            Fault::new("the track of the earlier run has changed meanwhile; begin anew with --restart")
        })?;
        self.tell(frame, &row)
    }

    /// A chunk.
    pub(super) fn take(&mut self, frames: &[Frame], found: &[Found]) -> Result<()> {
        let (mut rows, has_gaze) = (String::new(), self.gaze.is_some());
        for (frame, found) in frames.iter().zip(found) {
            if frame.number < self.earlier_rows() {
                self.again(frame)?;
                continue;
            }
            let gaze = self.gaze.as_ref().and_then(|labels| labels.gaze_at(frame.secs));
            let row = Row::new(frame.number, frame.secs, found, gaze);
            row.write(has_gaze, &mut rows);
            self.tell(frame, &row)?;
            self.tracked += 1;
        }
        self.output.add(&rows)
    }

    fn tell(&mut self, frame: &Frame, row: &Row) -> Result<()> {
        self.summary.add(row);
        match &mut self.overlay {
            Some(overlay) => overlay.add(frame, row.points.as_ref()),
            None => Ok(()),
        }
    }

    /// Closes all that was written; what was stopped keeps its part, and no half of a film.
    pub(super) fn finish(mut self, is_stopped: bool) -> Result<Summary> {
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
