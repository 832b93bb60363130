//! Where the frames of a film are, found without decoding it: a film of an hour opens as fast as one of a minute.
//!
//! Frames are counted as `vivant track` counts them. A Y4M and a folder of images say where each frame is; of a video
//! ffmpeg lists the packets, and some runs of frames are decoded to see that they are what the list promises.

use crate::film::{self, Ffmpeg, Film, Options};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{self, Header, Reader};

/// A line of Y4M is no longer.
const MOST_LINE_BYTES: u64 = 4096;
/// The most frames of a film: a month at 30 a second.
const MOST_FRAMES: usize = 80_000_000;
/// How many runs are decoded to see that packets are frames, and how long they are.
const RUNS: usize = 5;
const RUN_FRAMES: usize = 6;
/// By how much of the time between two frames a frame may be off and still be that one.
const OFF_SHARE: f64 = 0.25;

/// How a frame is got at.
pub(super) enum Places {
    /// By seeking to its time.
    Video,
    /// By where its bytes begin.
    Y4m { header: Header, offsets: Vec<u64> },
    /// Each is a file.
    Images(Vec<PathBuf>),
}

impl Places {
    pub(super) fn of(path: &Path) -> Result<Self> {
        if let Some(images) = film::images_of(path)? {
            return Ok(Self::Images(images));
        }
        Ok(y4m_places(path)?.map_or(Self::Video, |(header, offsets)| Self::Y4m { header, offsets }))
    }

    /// When each frame is shown; `None` where only decoding the film tells.
    pub(super) fn times(&self, path: &Path, film: &Film) -> Option<Vec<f64>> {
        let counted =
            |count: usize| (0..count).map(|index| index as f64 / film.rate_hz()).collect::<Vec<_>>();
        match self {
            Self::Images(images) => Some(counted(images.len())),
            Self::Y4m { offsets, .. } => Some(counted(offsets.len())),
            Self::Video => packet_times(path).filter(|secs| is_so(path, secs)),
        }
    }

    /// A frame of a film that needs no decoder.
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
    frame.map(|(_, image)| image).ok_or_else(|| Error::new(format!("{}: has no picture", path.display())))
}

fn y4m_frame(path: &Path, header: Header, at: u64) -> Result<Image> {
    let fault = |error| Error::new(format!("{}: cannot be read: {error}", path.display()));
    let mut file = File::open(path).map_err(fault)?;
    file.seek(SeekFrom::Start(at)).map_err(fault)?;
    let frame = Reader::raw(BufReader::new(file), header).next();
    let frame = frame.map_err(|error| error.in_file(path.display()))?;
    frame.ok_or_else(|| Error::new(format!("{}: was longer when it was opened", path.display())))
}

/// Where the frames of a Y4M begin, as far as they are whole; `None` if it is no Y4M.
fn y4m_places(path: &Path) -> Result<Option<(Header, Vec<u64>)>> {
    let fault = |error| Error::new(format!("{}: cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(fault)?;
    let about = file.metadata().map_err(fault)?;
    let mut input = BufReader::new(file);
    if !about.is_file() || !input.fill_buf().map_err(fault)?.starts_with(y4m::MAGIC) {
        return Ok(None);
    }
    let header = *Reader::new(&mut input).map_err(|error| error.in_file(path.display()))?.header();
    let bytes = header.frame_bytes() as u64;
    let mut offsets = Vec::new();
    while offsets.len() < MOST_FRAMES && is_at_frame(&mut input).map_err(fault)? {
        let at = input.stream_position().map_err(fault)?;
        if at + bytes > about.len() {
            break;
        }
        offsets.push(at);
        input.seek_relative(bytes as i64).map_err(fault)?;
    }
    Ok(Some((header, offsets)))
}

/// Reads the line before a frame, if there is one.
fn is_at_frame(input: &mut impl BufRead) -> std::io::Result<bool> {
    let mut line = Vec::new();
    input.take(MOST_LINE_BYTES).read_until(b'\n', &mut line)?;
    Ok(line == b"FRAME\n" || (line.starts_with(b"FRAME ") && line.ends_with(b"\n")))
}

/// When the frames of a video are shown, by its packets; `None` if they do not all say it.
fn packet_times(path: &Path) -> Option<Vec<f64>> {
    let mut input = OsString::from("file:");
    input.push(path);
    let mut command = Ffmpeg::find().ok()?.command();
    command.args(["-protocol_whitelist", "file", "-i"]).arg(input).args(["-map", "0:V:0", "-c", "copy"]);
    // Also those that could not be shown without others before them: what is decoded has them, too.
    command.args(["-copyinkf", "-copypriorss", "1", "-f", "framecrc", "-"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let times = child.stdout.take().and_then(|listed| listed_times(BufReader::new(listed)));
    let _ = child.kill();
    let ended = child.wait();
    times.filter(|_| ended.is_ok())
}

/// `#tb 0: 1/12800`, and then `0, -1024, 0, 512, 5886, 0xaa724118, F=0x0` for each packet.
fn listed_times(list: impl BufRead) -> Option<Vec<f64>> {
    let (mut tick_secs, mut ticks) = (None, Vec::new());
    for line in list.lines() {
        let line = line.ok()?;
        if let Some(said) = line.strip_prefix("#tb 0: ") {
            let (above, below) = said.trim().split_once('/')?;
            tick_secs = Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?);
        } else if !line.starts_with('#') {
            ticks.extend(shown_tick(&line)?);
        }
        if ticks.len() > MOST_FRAMES {
            return None;
        }
    }
    ticks.sort_unstable();
    let is_each_once = ticks.windows(2).all(|pair| pair[0] < pair[1]);
    let secs: Vec<f64> = ticks.iter().map(|tick| *tick as f64 * tick_secs.unwrap_or(f64::NAN)).collect();
    (is_each_once && !secs.is_empty() && secs.iter().all(|secs| secs.is_finite())).then_some(secs)
}

/// When a packet is shown: `Some(None)` for one that is not, `None` if it does not say.
fn shown_tick(line: &str) -> Option<Option<i64>> {
    const DISCARD: u32 = 4;
    let mut words = line.split(',').map(str::trim);
    // The smallest number stands for a time that is not known.
    let tick = words.nth(2)?.parse::<i64>().ok().filter(|tick| *tick > i64::MIN)?;
    let flags = words.find_map(|word| word.strip_prefix("F=0x"));
    let flags = flags.map_or(Some(0), |flags| u32::from_str_radix(flags, 16).ok())?;
    Some((flags & DISCARD == 0).then_some(tick))
}

/// Whether runs of frames that are decoded here and there are shown when the list says, one after the other.
fn is_so(path: &Path, secs: &[f64]) -> bool {
    let last = secs.len().saturating_sub(RUN_FRAMES);
    (0..RUNS).all(|run| {
        let from = last * run / (RUNS - 1);
        let Ok(mut film) = film::open_at(path, &Options::default(), before(secs, from)) else { return false };
        let to = (from + RUN_FRAMES).min(secs.len());
        let is_run =
            (from..to).all(|index| film.next().is_some_and(|(at, _)| which(secs, at) == Some(index)));
        is_run && (to < secs.len() || film.next().is_none())
    })
}

/// A moment at which the frame before is still shown, but for a little: from there a seek finds the frame first.
///
/// In whole milliseconds, which are the coarsest clock of films: on it, nothing is rounded twice.
pub(super) fn before(secs: &[f64], index: usize) -> f64 {
    let Some(last) = index.checked_sub(1) else { return 0.0 };
    let from = secs[index] - OFF_SHARE * (secs[index] - secs[last]);
    let whole = (from * 1e3).floor() / 1e3;
    if whole > secs[last] { whole.max(0.0) } else { from.max(0.0) }
}

/// The frame that is shown from a moment on; `None` if none begins there.
pub(super) fn which(secs: &[f64], at: f64) -> Option<usize> {
    let after = secs.partition_point(|secs| *secs < at);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter(|index| *index < secs.len());
    let index = near.min_by(|a, b| (secs[*a] - at).abs().total_cmp(&(secs[*b] - at).abs()))?;
    (((secs[index] - at).abs()) <= OFF_SHARE * gap(secs, index)).then_some(index)
}

/// The time from a frame to the one that is nearest to it.
fn gap(secs: &[f64], index: usize) -> f64 {
    let from = index.checked_sub(1).map_or(f64::INFINITY, |last| secs[index] - secs[last]);
    let to = secs.get(index + 1).map_or(f64::INFINITY, |next| next - secs[index]);
    from.min(to).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_asked_for_after_the_one_before_it() {
        let secs = [0.0, 0.04, 0.08, 1.0, 1.0004];
        for (index, from) in [(0, 0.0), (1, 0.03), (2, 0.07), (3, 0.77), (4, 1.0003)] {
            assert!((before(&secs, index) - from).abs() < 1e-9, "frame {index}: {}", before(&secs, index));
        }
    }

    #[test]
    fn a_frame_is_known_by_its_time_however_uneven_the_film_is() {
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
            assert_eq!(which(&secs, at), expected, "{at} s");
        }
        assert_eq!(which(&[], 0.0), None);
    }

    #[test]
    fn packets_are_listed_in_the_order_in_which_they_are_shown() {
        let list = "#software: Lavf\n#tb 0: 1/100\n#dimensions 0: 4x3\n0, -4, 0, 4, 9, 0x1\n0, 0, 12, 4, 9, 0x2, F=0x0\n0, 4, 4, 4, 9, 0x3, F=0x0\n0, 8, 8, 4, 9, 0x4, F=0x4\n";
        assert_eq!(listed_times(list.as_bytes()), Some(vec![0.0, 0.04, 0.12]));
        for wrong in [
            "",
            "#tb 0: 1/100\n",
            "0, 0, 0, 4, 9, 0x1\n",
            "#tb 0: 1/0\n0, 0, 0\n",
            "#tb 0: 1/9\n0, 0\n",
            "#tb 0: 1/9\n0, 0, NOPTS\n",
            "#tb 0: 1/9\n0, 0, 3\n0, 1, 3\n",
        ] {
            assert_eq!(listed_times(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
