//! An index of the frames of a film. The film is not decoded, so an hour of film opens as fast as a minute.
//!
//! Frames have the same numbers as in `vivant track`. Y4M files and folders of images contain the position of each
//! frame. For a video, ffmpeg lists the packets, and a few short sequences of frames are decoded to verify the list.

use crate::film::{self, Ffmpeg, Film, Options};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{self, Header, Reader};

/// Maximum length of a line in a Y4M file, in bytes.
const MAX_LINE_BYTES: u64 = 4096;
/// Maximum number of frames in a film: a month at 30 frames per second.
const MAX_FRAMES: usize = 80_000_000;
/// Number of sequences that are decoded to verify that each packet is a frame, and their length in frames.
const RUNS: usize = 5;
const RUN_FRAMES: usize = 6;
/// Maximum time error of a frame, as a fraction of the time between frames.
const TIME_TOLERANCE: f64 = 0.25;

/// The method to access the frames of a film.
pub(super) enum FrameIndex {
    /// Seeks to the time of the frame.
    Video,
    /// Reads the bytes at the offset of the frame.
    Y4m { header: Header, offsets: Vec<u64> },
    /// Reads one file for each frame.
    Images(Vec<PathBuf>),
}

impl FrameIndex {
    pub(super) fn of(path: &Path) -> Result<Self> {
        if let Some(images) = film::images_of(path)? {
            return Ok(Self::Images(images));
        }
        Ok(y4m_places(path)?.map_or(Self::Video, |(header, offsets)| Self::Y4m { header, offsets }))
    }

    /// Returns the time of each frame in seconds; `None` if the film must be decoded to find the times.
    pub(super) fn times(&self, path: &Path, film: &Film) -> Option<Vec<f64>> {
        let counted =
            |count: usize| (0..count).map(|index| index as f64 / film.rate_hz()).collect::<Vec<_>>();
        match self {
            Self::Images(images) => Some(counted(images.len())),
            Self::Y4m { offsets, .. } => Some(counted(offsets.len())),
            Self::Video => packet_times(path).filter(|secs| matches_decoded(path, secs)),
        }
    }

    /// Returns a frame of a film that needs no decoder; `None` for a video.
    pub(super) fn plain(&self, path: &Path, index: usize) -> Option<Result<Image>> {
        match self {
            Self::Video => None,
            Self::Images(images) => images.get(index).map(|image| only_frame(image)),
            Self::Y4m { header, offsets } => offsets.get(index).map(|at| y4m_frame(path, *header, *at)),
        }
    }
}

fn only_frame(path: &Path) -> Result<Image> {
    let frame = film::open(path, &Options::default())?.next();
    frame
        .map(|(_, image)| image)
        .ok_or_else(|| Error::new(format!("{}: contains no image; replace the file", path.display())))
}

fn y4m_frame(path: &Path, header: Header, at: u64) -> Result<Image> {
    let fault = |error| {
        Error::new(format!("{}: cannot read: {error}; check the path and its permissions", path.display()))
    };
    let mut file = File::open(path).map_err(fault)?;
    file.seek(SeekFrom::Start(at)).map_err(fault)?;
    let frame = Reader::raw(BufReader::new(file), header).next();
    let frame = frame.map_err(|error| error.in_file(path.display()))?;
    frame.ok_or_else(|| {
        Error::new(format!("{}: the file became shorter after it was opened; open it again", path.display()))
    })
}

/// Returns the offsets of the complete frames of a Y4M file; `None` if the file is not Y4M.
fn y4m_places(path: &Path) -> Result<Option<(Header, Vec<u64>)>> {
    let fault = |error| {
        Error::new(format!("{}: cannot read: {error}; check the path and its permissions", path.display()))
    };
    let file = File::open(path).map_err(fault)?;
    let about = file.metadata().map_err(fault)?;
    let mut input = BufReader::new(file);
    if !about.is_file() || !input.fill_buf().map_err(fault)?.starts_with(y4m::MAGIC) {
        return Ok(None);
    }
    let header = *Reader::new(&mut input).map_err(|error| error.in_file(path.display()))?.header();
    let bytes = header.frame_bytes() as u64;
    let mut offsets = Vec::new();
    while offsets.len() < MAX_FRAMES && is_at_frame(&mut input).map_err(fault)? {
        let at = input.stream_position().map_err(fault)?;
        if at + bytes > about.len() {
            break;
        }
        offsets.push(at);
        input.seek_relative(bytes as i64).map_err(fault)?;
    }
    Ok(Some((header, offsets)))
}

/// Reads the line before a frame. Returns false if there is no such line.
fn is_at_frame(input: &mut impl BufRead) -> std::io::Result<bool> {
    let mut line = Vec::new();
    input.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    Ok(line == b"FRAME\n" || (line.starts_with(b"FRAME ") && line.ends_with(b"\n")))
}

/// Returns the times of a video's frames from its packets; `None` if not all packets have a time.
fn packet_times(path: &Path) -> Option<Vec<f64>> {
    let mut input = OsString::from("file:");
    input.push(path);
    let mut command = Ffmpeg::find().ok()?.command();
    command.args(["-protocol_whitelist", "file", "-i"]).arg(input).args(["-map", "0:V:0", "-c", "copy"]);
    // Also list packets that depend on missing packets before them, since the decoder outputs these packets too.
    command.args(["-copyinkf", "-copypriorss", "1", "-f", "framecrc", "-"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let times = child.stdout.take().and_then(|listed| listed_times(BufReader::new(listed)));
    let _ = child.kill();
    let ended = child.wait();
    times.filter(|_| ended.is_ok())
}

/// Parses the line `#tb 0: 1/12800`, and then a line such as `0, -1024, 0, 512, 5886, 0xaa724118, F=0x0` for each
/// packet.
fn listed_times(list: impl BufRead) -> Option<Vec<f64>> {
    let (mut tick_secs, mut ticks) = (None, Vec::new());
    for line in list.lines() {
        let line = line.ok()?;
        if let Some(said) = line.strip_prefix("#tb 0: ") {
            let (above, below) = said.trim().split_once('/')?;
            tick_secs = Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?);
        } else if !line.starts_with('#') {
            ticks.extend(packet_tick(&line)?);
        }
        if ticks.len() > MAX_FRAMES {
            return None;
        }
    }
    ticks.sort_unstable();
    let is_strictly_increasing = ticks.windows(2).all(|pair| pair[0] < pair[1]);
    let secs: Vec<f64> = ticks.iter().map(|tick| *tick as f64 * tick_secs.unwrap_or(f64::NAN)).collect();
    (is_strictly_increasing && !secs.is_empty() && secs.iter().all(|secs| secs.is_finite())).then_some(secs)
}

/// Returns the time of a packet in ticks. Returns `Some(None)` if the packet is discarded, and `None` if it has no
/// time.
fn packet_tick(line: &str) -> Option<Option<i64>> {
    const DISCARD: u32 = 4;
    let mut words = line.split(',').map(str::trim);
    // The smallest number means an unknown time.
    let tick = words.nth(2)?.parse::<i64>().ok().filter(|tick| *tick > i64::MIN)?;
    let flags = words.find_map(|word| word.strip_prefix("F=0x"));
    let flags = flags.map_or(Some(0), |flags| u32::from_str_radix(flags, 16).ok())?;
    Some((flags & DISCARD == 0).then_some(tick))
}

/// Verifies that decoded sequences of frames have the times of the list, without gaps.
fn matches_decoded(path: &Path, secs: &[f64]) -> bool {
    let last = secs.len().saturating_sub(RUN_FRAMES);
    (0..RUNS).all(|run| {
        let from = last * run / (RUNS - 1);
        let Ok(mut film) = film::open_at(path, &Options::default(), seek_time(secs, from)) else {
            return false;
        };
        let to = (from + RUN_FRAMES).min(secs.len());
        let is_run =
            (from..to).all(|index| film.next().is_some_and(|(at, _)| frame_index(secs, at) == Some(index)));
        is_run && (to < secs.len() || film.next().is_none())
    })
}

/// Returns a time shortly before a frame. Seeking to this time finds this frame first.
///
/// The time is rounded down to milliseconds, the coarsest time base of films, so that it is not rounded again.
pub(super) fn seek_time(secs: &[f64], index: usize) -> f64 {
    let Some(last) = index.checked_sub(1) else { return 0.0 };
    let from = secs[index] - TIME_TOLERANCE * (secs[index] - secs[last]);
    let whole = (from * 1e3).floor() / 1e3;
    if whole > secs[last] { whole.max(0.0) } else { from.max(0.0) }
}

/// Returns the index of the frame that starts at `at`, in seconds; `None` if no frame starts then.
pub(super) fn frame_index(secs: &[f64], at: f64) -> Option<usize> {
    let after = secs.partition_point(|secs| *secs < at);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter(|index| *index < secs.len());
    let index = near.min_by(|a, b| (secs[*a] - at).abs().total_cmp(&(secs[*b] - at).abs()))?;
    (((secs[index] - at).abs()) <= TIME_TOLERANCE * gap(secs, index)).then_some(index)
}

/// Returns the time from a frame to its nearest neighbour in seconds.
fn gap(secs: &[f64], index: usize) -> f64 {
    let from = index.checked_sub(1).map_or(f64::INFINITY, |last| secs[index] - secs[last]);
    let to = secs.get(index + 1).map_or(f64::INFINITY, |next| next - secs[index]);
    from.min(to).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seek_times_lie_after_the_previous_frame() {
        let secs = [0.0, 0.04, 0.08, 1.0, 1.0004];
        for (index, from) in [(0, 0.0), (1, 0.03), (2, 0.07), (3, 0.77), (4, 1.0003)] {
            assert!(
                (seek_time(&secs, index) - from).abs() < 1e-9,
                "frame {index}: {}",
                seek_time(&secs, index)
            );
        }
    }

    #[test]
    fn frames_are_found_by_time_at_uneven_rates() {
        let secs = [0.0, 0.04, 0.08, 1.0];
        let cases = [
            (0.0, Some(0)),
            (0.045, Some(1)),
            (0.0601, None),
            (0.079, Some(2)),
            (0.9995, Some(3)),
            (2.0, None),
        ];
        for (at, expected) in cases {
            assert_eq!(frame_index(&secs, at), expected, "{at} s");
        }
        assert_eq!(frame_index(&[], 0.0), None);
    }

    #[test]
    fn packet_times_are_sorted() {
        let list = "#software: Lavf\n#tb 0: 1/100\n#dimensions 0: 4x3\n0, -4, 0, 4, 9, 0x1\n0, 0, 12, 4, 9, 0x2, F=0x0\n0, 4, 4, 4, 9, 0x3, F=0x0\n0, 8, 8, 4, 9, 0x4, F=0x4\n";
        assert_eq!(listed_times(list.as_bytes()), Some(vec![0.0, 0.04, 0.12]));
        for invalid in [
            "",
            "#tb 0: 1/100\n",
            "0, 0, 0, 4, 9, 0x1\n",
            "#tb 0: 1/0\n0, 0, 0\n",
            "#tb 0: 1/9\n0, 0\n",
            "#tb 0: 1/9\n0, 0, NOPTS\n",
            "#tb 0: 1/9\n0, 0, 3\n0, 1, 3\n",
        ] {
            assert_eq!(listed_times(invalid.as_bytes()), None, "{invalid}");
        }
    }
}
