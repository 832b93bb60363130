//! Films that need no decoder: Y4M and raw gray bytes, from a file or standard input.

use super::STDIN;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{self, Header, Reader};

const BUFFER_BYTES: usize = 256 << 10;
/// Length in bytes of the line before each frame, in the form that nearly all programs write.
const FRAME_LINE: usize = b"FRAME\n".len();

type Input = Box<dyn BufRead + Send>;

/// An uncompressed film.
pub(super) struct Plain {
    reader: Reader<Input>,
    frame_count: Option<usize>,
}

impl Plain {
    /// Opens raw gray bytes.
    pub(super) fn raw(path: &Path, header: Header) -> Result<Self> {
        let (input, length) = input(path)?;
        let frame_count = length.map(|length| length as usize / header.frame_bytes());
        Ok(Self { reader: Reader::raw(input, header), frame_count })
    }

    /// Opens a Y4M; `None` if the file has another format. Standard input must be Y4M, since it cannot be read twice.
    pub(super) fn y4m(path: &Path, in_colour: bool) -> Result<Option<Self>> {
        let (mut input, length) = input(path)?;
        let fault =
            |error| Error::new(format!("cannot read: {error}; copy the video again")).in_file(path.display());
        let is_y4m = input.fill_buf().map_err(fault)?.starts_with(y4m::MAGIC);
        if !is_y4m && path != Path::new(STDIN) {
            return Ok(None);
        }
        if !is_y4m {
            return Err(Error::new(
                "not Y4M; write Y4M to standard input (ffmpeg -i FILE -f yuv4mpegpipe -pix_fmt gray -), or raw gray \
                 bytes with a given width, height and frame rate",
            )
            .in_file("standard input")
            .with_setting("film::Options::raw"));
        }
        let reader = Reader::new(input).map_err(|error| error.in_file(path.display()))?;
        let reader = if in_colour { reader.in_colour() } else { reader };
        let frame_count = length.map(|length| length as usize / (reader.header().frame_bytes() + FRAME_LINE));
        Ok(Some(Self { reader, frame_count }))
    }

    pub(super) fn next(&mut self) -> Result<Option<Image>> {
        self.reader.next()
    }

    pub(super) fn rate_hz(&self) -> Option<f64> {
        self.reader.header().rate_hz
    }

    pub(super) fn frame_count(&self) -> Option<usize> {
        self.frame_count
    }
}

/// Opens the input. Also returns its length in bytes, if known.
fn input(path: &Path) -> Result<(Input, Option<u64>)> {
    if path == Path::new(STDIN) {
        return Ok((Box::new(BufReader::with_capacity(BUFFER_BYTES, io::stdin())), None));
    }
    let fault = |error: io::Error| {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => "no such file; check the path".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied; change the file's permissions".to_owned(),
            _ => error.to_string(),
        };
        Error::new(advice).in_file(path.display())
    };
    let file = File::open(path).map_err(fault)?;
    let about = file.metadata().map_err(fault)?;
    if about.is_file() && about.len() == 0 {
        return Err(Error::new("the file is empty; choose another one").in_file(path.display()));
    }
    let length = about.is_file().then_some(about.len());
    Ok((Box::new(BufReader::with_capacity(BUFFER_BYTES, file)), length))
}
