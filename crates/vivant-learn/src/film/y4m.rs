//! Reads uncompressed video: Y4M, which for example ffmpeg writes to a pipe, and raw gray bytes.
//!
//! By default only the brightness is used: the luma plane is read and the chroma planes are skipped, unless colours
//! are requested ([`Reader::in_colour`]). Frames are read one by one, so only one frame is in memory.
//!
//! ```
//! use vivant_learn::film::y4m::Reader;
//! let bytes = b"YUV4MPEG2 W2 H1 F30000:1001 Cmono\nFRAME\n\x10\x20FRAME\n\x30\x40";
//! let mut reader = Reader::new(bytes.as_slice())?;
//! assert_eq!(reader.next()?.unwrap().data, [0x10, 0x20]);
//! assert_eq!(reader.next()?.unwrap().data, [0x30, 0x40]);
//! assert!(reader.next()?.is_none());
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod colour;

use super::Image;
use std::io::{self, BufRead, Read};
use vivant_io::{Error, Result};

/// The first bytes of every Y4M file.
pub const MAGIC: &[u8] = b"YUV4MPEG2";
/// Maximum length of a parameter line.
const MAX_LINE_BYTES: usize = 4096;
/// Maximum width and height in pixels.
pub const MAX_SIDE: usize = 16_384;
/// Maximum number of pixels of a frame: twice the number of an 8K frame.
pub const MAX_PIXELS: usize = 1 << 26;
/// Supported frame rates in frames per second.
const RATES_HZ: std::ops::RangeInclusive<f64> = 0.001..=100_000.0;
/// Maximum number of bytes allocated at first, because the size in a header is untrusted.
const FIRST_BYTES: usize = 1 << 20;

/// Properties of all frames of a video.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Frames per second; `None` if unknown.
    pub rate_hz: Option<f64>,
    chroma: Chroma,
    /// Bits per sample.
    bits: u32,
}

/// Chroma subsampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chroma {
    Mono,
    C420,
    C411,
    C422,
    C444,
    C444Alpha,
}

impl Header {
    /// Creates the header of a raw gray video.
    ///
    /// # Errors
    /// Returns an error if size or frame rate is out of range.
    pub fn gray(width: usize, height: usize, rate_hz: f64) -> Result<Self> {
        check_size(width, height)?;
        if !RATES_HZ.contains(&rate_hz) {
            return Err(Error::new(format!(
                "a frame rate of {rate_hz} fps is out of range; use {}",
                rates()
            )));
        }
        Ok(Self { width, height, rate_hz: Some(rate_hz), chroma: Chroma::Mono, bits: 8 })
    }

    fn parse(line: &[u8]) -> Result<Self> {
        let line = std::str::from_utf8(line)
            .map_err(|_| Error::at("header", "the header is not text; use a Y4M file"))?;
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        if words.next().map(str::as_bytes) != Some(MAGIC) {
            return Err(Error::at("header", "the file does not begin with YUV4MPEG2; use a Y4M file"));
        }
        let mut size = [None, None];
        let (mut rate_hz, mut colours) = (None, (Chroma::C420, 8));
        for word in words {
            match word.split_at_checked(1) {
                Some(("W", rest)) => size[0] = Some(side("W", rest)?),
                Some(("H", rest)) => size[1] = Some(side("H", rest)?),
                Some(("F", rest)) => rate_hz = rate(rest)?,
                Some(("C", rest)) => colours = chroma(rest)?,
                // Interlacing, pixel aspect ratio and comments.
                _ => {}
            }
        }
        let [Some(width), Some(height)] = size else {
            return Err(Error::at(
                "header",
                "the video has no width (W) or no height (H); write the video again",
            ));
        };
        check_size(width, height)?;
        Ok(Self { width, height, rate_hz, chroma: colours.0, bits: colours.1 })
    }

    fn sample_bytes(&self) -> usize {
        if self.bits > 8 { 2 } else { 1 }
    }

    fn luma_bytes(&self) -> usize {
        self.width * self.height * self.sample_bytes()
    }

    fn chroma_bytes(&self) -> usize {
        let (width, height) = (self.width, self.height);
        let samples = match self.chroma {
            Chroma::Mono => 0,
            Chroma::C420 => 2 * width.div_ceil(2) * height.div_ceil(2),
            Chroma::C411 => 2 * width.div_ceil(4) * height,
            Chroma::C422 => 2 * width.div_ceil(2) * height,
            Chroma::C444 => 2 * width * height,
            Chroma::C444Alpha => 3 * width * height,
        };
        samples * self.sample_bytes()
    }

    /// Returns the number of bytes of a frame, without its `FRAME` line.
    #[must_use]
    pub fn frame_bytes(&self) -> usize {
        self.luma_bytes() + self.chroma_bytes()
    }
}

/// Checks that an image is not empty and within the size limits.
///
/// # Errors
/// Returns an error that names the limit if the image is empty or too large.
pub fn check_size(width: usize, height: usize) -> Result<()> {
    if width == 0 || height == 0 {
        return Err(Error::at(
            "size",
            format!("the image is empty ({width} × {height} pixels); use another video"),
        ));
    }
    if width.max(height) > MAX_SIDE || width * height > MAX_PIXELS {
        let limit = format!("{MAX_SIDE} per side and {} million in total", MAX_PIXELS / 1_000_000);
        return Err(Error::at(
            "size",
            format!(
                "{width} × {height} pixels exceed the limit of {limit}; scale the video down, for example with ffmpeg -vf scale=1280:-2"
            ),
        ));
    }
    Ok(())
}

fn side(name: &str, text: &str) -> Result<usize> {
    let invalid = || {
        Error::at(
            "header",
            format!("{name}{} is not a number of pixels; write the video again", shortened(text)),
        )
    };
    text.parse().map_err(|_| invalid())
}

/// Parses `F30000:1001`; 0:0 means unknown.
fn rate(text: &str) -> Result<Option<f64>> {
    let invalid = || {
        let text = shortened(text);
        Error::at(
            "header",
            format!(
                "F{text} is not a frame rate; expected two numbers, such as F25:1, with a ratio of {}",
                rates()
            ),
        )
    };
    let (above, below) = text.split_once(':').ok_or_else(invalid)?;
    let (above, below): (u64, u64) = above.parse().ok().zip(below.parse().ok()).ok_or_else(invalid)?;
    if above == 0 || below == 0 {
        return Ok(None);
    }
    let rate_hz = above as f64 / below as f64;
    if RATES_HZ.contains(&rate_hz) { Ok(Some(rate_hz)) } else { Err(invalid()) }
}

fn rates() -> String {
    format!("{} to {}", RATES_HZ.start(), RATES_HZ.end())
}

/// Parses chroma subsampling and bit depth: `420jpeg`, `mono`, `422p10`, `mono12`.
fn chroma(text: &str) -> Result<(Chroma, u32)> {
    let known = [
        ("420jpeg", Chroma::C420),
        ("420mpeg2", Chroma::C420),
        ("420paldv", Chroma::C420),
        ("444alpha", Chroma::C444Alpha),
        ("mono", Chroma::Mono),
        ("420", Chroma::C420),
        ("411", Chroma::C411),
        ("422", Chroma::C422),
        ("444", Chroma::C444),
    ];
    let unknown = || {
        let message = format!(
            "unknown colour format C{}; write the video as C420, C422, C444 or Cmono, for example with ffmpeg -pix_fmt gray",
            shortened(text)
        );
        Error::at("header", message)
    };
    let fit = known.iter().find_map(|(name, chroma)| Some((*chroma, text.strip_prefix(name)?)));
    let (chroma, rest) = fit.ok_or_else(unknown)?;
    if rest.is_empty() {
        return Ok((chroma, 8));
    }
    let bits = if chroma == Chroma::Mono { Some(rest) } else { rest.strip_prefix('p') };
    let bits = bits.and_then(|bits| bits.parse().ok()).filter(|bits| (9..=16).contains(bits));
    Ok((chroma, bits.ok_or_else(unknown)?))
}

/// Returns the beginning of untrusted text, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Reads a video frame by frame.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    /// True if each frame starts with a `FRAME` line, as in Y4M.
    has_lines: bool,
    /// True if frames are returned with colours.
    in_colour: bool,
    frames: usize,
}

impl<R: BufRead> Reader<R> {
    /// Opens a Y4M video and reads its header.
    ///
    /// # Errors
    /// Returns an error if the header is missing or malformed, or if frames are too large.
    pub fn new(mut input: R) -> Result<Self> {
        let line = line(&mut input, "header")?;
        let line = line.ok_or_else(|| Error::new("the video is empty; write it again"))?;
        Ok(Self { header: Header::parse(&line)?, input, has_lines: true, in_colour: false, frames: 0 })
    }

    /// Opens a video of raw gray bytes, row by row and frame by frame.
    pub fn raw(input: R, header: Header) -> Self {
        Self { input, header, has_lines: false, in_colour: false, frames: 0 }
    }

    /// Makes the reader return frames in red, green and blue if the video has colours.
    #[must_use]
    pub fn in_colour(self) -> Self {
        Self { in_colour: true, ..self }
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the next frame, in gray unless colours were requested; `None` after the last.
    ///
    /// # Errors
    /// Returns an error if the video is truncated within a frame or damaged; earlier frames are valid.
    #[expect(
        clippy::should_implement_trait,
        reason = "an error ends the video, which an iterator cannot express"
    )]
    pub fn next(&mut self) -> Result<Option<Image>> {
        let read = self.frame().map_err(|error| Error::at(format!("frame {}", self.frames), error))?;
        self.frames += usize::from(read.is_some());
        Ok(read)
    }

    fn frame(&mut self) -> Result<Option<Image>> {
        if self.has_lines {
            match line(&mut self.input, "begin")? {
                None => return Ok(None),
                Some(line) if line == b"FRAME" || line.starts_with(b"FRAME ") => {}
                Some(_) => return Err(Error::new("no FRAME marker; the video is damaged, write it again")),
            }
        }
        let luma = self.luma()?;
        if luma.is_empty() && !self.has_lines {
            return Ok(None);
        }
        let (wanted, chroma) = (self.header.luma_bytes(), self.header.chroma_bytes() as u64);
        let mut colours = Vec::new();
        let mut rest = self.input.by_ref().take(chroma);
        let skipped = if self.in_colour {
            rest.read_to_end(&mut colours).map_err(read_error)? as u64
        } else {
            io::copy(&mut rest, &mut io::sink()).map_err(read_error)?
        };
        if luma.len() < wanted || skipped < chroma {
            let there = luma.len() as u64 + skipped;
            let message = format!("only {there} of {} bytes are present", wanted as u64 + chroma);
            return Err(Error::new(format!("{message}; the video is truncated, write it again")));
        }
        let Header { width, height, bits, .. } = self.header;
        let luma = to_bytes(luma, bits);
        if self.in_colour
            && let Some(planes) = colour::rgb(&self.header, &luma, &to_bytes(colours, bits))
        {
            return Ok(Image::planes(width, height, 3, planes));
        }
        Ok(Image::gray(width, height, luma))
    }

    fn luma(&mut self) -> Result<Vec<u8>> {
        let size = self.header.luma_bytes();
        let mut luma = Vec::with_capacity(if self.frames == 0 { size.min(FIRST_BYTES) } else { size });
        self.input.by_ref().take(size as u64).read_to_end(&mut luma).map_err(read_error)?;
        Ok(luma)
    }
}

/// Reduces samples to eight bits. A sample with more bits is two bytes, little endian.
fn to_bytes(samples: Vec<u8>, bits: u32) -> Vec<u8> {
    if bits <= 8 {
        return samples;
    }
    let byte = |pair: &[u8]| (u16::from_le_bytes([pair[0], pair[1]]) >> (bits - 8)).min(255) as u8;
    samples.chunks_exact(2).map(byte).collect()
}

/// Reads a line, without the newline; `None` at the end of the video.
fn line(input: &mut impl BufRead, place: &str) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line).map_err(read_error)?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) if line.len() >= MAX_LINE_BYTES => {
            Err(Error::at(place, format!("the line is longer than {MAX_LINE_BYTES} bytes; use a Y4M file")))
        }
        Some(_) => Err(Error::at(place, "the video is truncated within a line; write it again")),
    }
}

fn read_error(error: io::Error) -> Error {
    Error::new(format!("cannot read the video: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns all frames, and the final result.
    fn read(bytes: &[u8]) -> (Vec<Image>, Result<()>) {
        let mut frames = Vec::new();
        let ended = Reader::new(bytes).and_then(|mut reader| {
            while let Some(frame) = reader.next()? {
                frames.push(frame);
            }
            Ok(())
        });
        (frames, ended)
    }

    #[test]
    fn only_luma_is_read_by_default() {
        // Luma 1 to 6, followed by the chroma planes.
        for (name, colour) in [
            ("", 4),
            ("C420", 4),
            ("C420jpeg", 4),
            ("C420mpeg2", 4),
            ("C420paldv", 4),
            ("C411", 4),
            ("C422", 8),
            ("C444", 12),
            ("C444alpha", 18),
            ("Cmono", 0),
        ] {
            let mut film = format!("YUV4MPEG2 W3 H2 F25:1 Ip A1:1 {name} XCOLORRANGE=FULL\n").into_bytes();
            for frame in [10, 20] {
                film.extend(b"FRAME Ip\n");
                film.extend((1..=6).map(|light| light + frame));
                film.extend(std::iter::repeat_n(99, colour));
            }
            let (frames, ended) = read(&film);
            assert_eq!((frames.len(), ended), (2, Ok(())), "{name}");
            assert_eq!(frames[1], Image::gray(3, 2, (21..=26).collect()).unwrap(), "{name}");
        }
    }

    #[test]
    fn deeper_samples_are_converted_to_bytes() {
        for (name, bits, colour) in
            [("Cmono10", 10, 0), ("C420p10", 10, 4), ("C444p16", 16, 8), ("Cmono9", 9, 0)]
        {
            let mut film = format!("YUV4MPEG2 W2 H2 {name}\nFRAME\n").into_bytes();
            for light in [0u16, 7, 128, 255] {
                film.extend((light << (bits - 8)).to_le_bytes());
            }
            film.extend(vec![0; 2 * colour]);
            assert_eq!(read(&film).0[0].data, [0, 7, 128, 255], "{name}");
        }
    }

    #[test]
    fn malformed_videos_give_errors_with_their_place() {
        let long = format!("YUV4MPEG2 W2 H1 X{}\n", "x".repeat(5000));
        for (bytes, frames, expected) in [
            ("", 0, "empty"),
            ("RIFF....AVI ", 0, "header: the video is truncated within a line"),
            ("RIFF....AVI \n", 0, "does not begin with YUV4MPEG2"),
            ("YUV4MPEG2 W2 H1 F1:1", 0, "truncated"),
            ("YUV4MPEG2\n", 0, "no width (W)"),
            ("YUV4MPEG2 W2\n", 0, "no height (H)"),
            ("YUV4MPEG2 W-2 H1\n", 0, "W-2 is not a number"),
            ("YUV4MPEG2 W H1\n", 0, "W is not a number"),
            ("YUV4MPEG2 W0 H1\n", 0, "size: the image is empty (0 × 1 pixels)"),
            ("YUV4MPEG2 W99999 H1\n", 0, "16384"),
            ("YUV4MPEG2 W16384 H16384\n", 0, "67 million"),
            ("YUV4MPEG2 W99999999999999999999 H1\n", 0, "not a number"),
            ("YUV4MPEG2 W2 H1 F25\n", 0, "F25 is not a frame rate"),
            ("YUV4MPEG2 W2 H1 F-25:1\n", 0, "is not a frame rate"),
            ("YUV4MPEG2 W2 H1 F9999999999:1\n", 0, "0.001 to 100000"),
            ("YUV4MPEG2 W2 H1 C420p8\n", 0, "unknown colour format C420p8"),
            ("YUV4MPEG2 W2 H1 Crgb\n", 0, "-pix_fmt gray"),
            ("YUV4MPEG2 W2 H1 Cmono17\n", 0, "Cmono17"),
            (&long, 0, "longer than 4096 bytes"),
            ("YUV4MPEG2 W2 H1 Cmono\nFRAME\nab", 1, ""),
            ("YUV4MPEG2 W2 H1 Cmono F0:0\nFRAME\nabFRAME x\ncd", 2, ""),
            ("YUV4MPEG2 W2 H1 Cmono\nFRAME\nabFRAME\nc", 1, "frame 1: only 1 of 2 bytes"),
            (
                "YUV4MPEG2 W2 H1 Cmono\nFRAME\nabFRA",
                1,
                "frame 1: begin: the video is truncated within a line",
            ),
            ("YUV4MPEG2 W2 H1 Cmono\nFRAME\nabxxxxx\ncd", 1, "frame 1: no FRAME marker"),
            ("YUV4MPEG2 W2 H1 Cmono\nFRAMES\nab", 0, "frame 0: no FRAME marker"),
            ("YUV4MPEG2 W2 H1 C444\nFRAME\nabcde", 0, "frame 0: only 5 of 6 bytes"),
        ] {
            let (found, ended) = read(bytes.as_bytes());
            let message = ended.map_or_else(|error| error.to_string(), |()| String::new());
            assert_eq!(found.len(), frames, "{bytes}: {message}");
            assert!(
                message.contains(expected) && message.is_empty() == expected.is_empty(),
                "{bytes}: {message}"
            );
        }
    }

    #[test]
    fn raw_bytes_are_read() {
        let header = Header::gray(2, 2, 30.0).unwrap();
        let mut reader = Reader::raw([1, 2, 3, 4, 5, 6, 7, 8, 9].as_slice(), header);
        assert_eq!(reader.next().unwrap().unwrap().data, [1, 2, 3, 4]);
        assert_eq!(reader.next().unwrap().unwrap().data, [5, 6, 7, 8]);
        assert!(reader.next().unwrap_err().to_string().contains("frame 2: only 1 of 4 bytes"));
        assert!(Header::gray(2, 0, 30.0).is_err() && Header::gray(2, 2, f64::NAN).is_err());
    }

    #[test]
    fn a_large_header_does_not_allocate_much() {
        let mut reader = Reader::new(b"YUV4MPEG2 W8192 H8192 Cmono\nFRAME\nab".as_slice()).unwrap();
        assert!(reader.luma().unwrap().capacity() <= FIRST_BYTES);
    }

    proptest! {
        #[test]
        fn truncated_videos_keep_their_complete_frames(count in 0usize..5, cut in 0usize..200) {
            let mut film = b"YUV4MPEG2 W3 H2 F25:1 C420\n".to_vec();
            let header = film.len();
            for frame in 0..count {
                film.extend(b"FRAME\n");
                film.extend(std::iter::repeat_n(frame as u8, 10));
            }
            let kept = film.len().saturating_sub(cut);
            let (frames, ended) = read(&film[..kept]);
            let whole = kept.saturating_sub(header) / 16;
            prop_assert_eq!(frames.len(), whole);
            prop_assert_eq!(ended.is_ok(), kept >= header && (kept - header).is_multiple_of(16));
        }
    }
}
