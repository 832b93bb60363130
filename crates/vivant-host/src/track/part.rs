//! A track that is being written to `OUT.part`. A second run can resume this file. At the end it is renamed to `OUT`.
//!
//! A second file, `OUT.part.key`, identifies the film, the model and the options of the track. When a run is resumed,
//! only complete chunks are kept, since each chunk is tracked from a fresh start.

use crate::track::row::{self, Row};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result};

/// Maximum length of a line in bytes; real rows are less than half as long.
const MAX_LINE_BYTES: u64 = 4096;

/// A hash of everything that a track depends on: two tracks with the same key have the same rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(u64);

impl Default for Key {
    fn default() -> Self {
        Self::new()
    }
}

impl Key {
    /// The empty key.
    #[must_use]
    pub fn new() -> Self {
        // FNV-1a, which is the same in every build.
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes to the hash.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        let length = (bytes.len() as u64).to_le_bytes();
        let hash = length
            .iter()
            .chain(bytes)
            .fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        Self(hash)
    }

    fn text(&self) -> String {
        format!("vivant track {} {:016x}\n", env!("CARGO_PKG_VERSION"), self.0)
    }
}

/// A track being written.
#[derive(Debug)]
pub struct TrackFile {
    out: PathBuf,
    path: PathBuf,
    file: File,
}

/// The rows of an earlier run.
#[derive(Debug)]
pub struct Earlier {
    /// The number of these rows, which is a multiple of the chunk length.
    pub rows: usize,
    lines: BufReader<File>,
    has_gaze: bool,
}

impl Earlier {
    /// Reads the next row.
    pub(super) fn next(&mut self) -> Option<Row> {
        Row::parse(&line(&mut self.lines)?, self.has_gaze)
    }
}

impl TrackFile {
    /// Opens `OUT.part` and resumes it if its key is the same and `restart` is false. `chunk` is the chunk length in
    /// frames. The third value is the reason why an existing part file was not resumed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(
        out: &Path,
        key: &Key,
        has_gaze: bool,
        chunk: usize,
        restart: bool,
    ) -> Result<(Self, Earlier, Option<&'static str>)> {
        let fault = |error: io::Error| {
            let hint = if error.kind() == io::ErrorKind::NotFound {
                "; create its folder first"
            } else {
                "; check the path, its permissions and the free space"
            };
            Error::new(format!("{}: cannot write: {error}{hint}", out.display()))
        };
        let path = with_ending(out, ".part");
        let known = fs::read_to_string(with_ending(out, ".part.key")).ok();
        let is_there = path.exists();
        let why = match known {
            _ if !is_there || restart => None,
            Some(known) if known == key.text() => None,
            _ => Some("belongs to another video, model or option, so tracking starts again"),
        };
        let resumes = is_there && !restart && why.is_none();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fault)?;
        let (rows, length) =
            if resumes { whole_chunks(&file, has_gaze, chunk).map_err(fault)? } else { (0, 0) };
        file.set_len(length).map_err(fault)?;
        file.seek(SeekFrom::Start(length)).map_err(fault)?;
        fs::write(with_ending(out, ".part.key"), key.text()).map_err(fault)?;
        let header = row::header(has_gaze);
        if length == 0 {
            file.write_all(header.as_bytes()).map_err(fault)?;
        }
        let mut lines = BufReader::new(File::open(&path).map_err(fault)?);
        lines.seek(SeekFrom::Start(header.len() as u64)).map_err(fault)?;
        Ok((Self { out: out.to_owned(), path, file }, Earlier { rows, lines, has_gaze }, why))
    }

    /// Adds rows and syncs them to disk.
    pub(super) fn add(&mut self, rows: &str) -> Result<()> {
        let written = self.file.write_all(rows.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| Error::new(format!("{}: cannot write: {error}", self.path.display())))
    }

    /// Renames the file to its final name.
    pub(super) fn finish(self) -> Result<()> {
        let done = self.file.sync_all().and_then(|()| fs::rename(&self.path, &self.out));
        done.map_err(|error| Error::new(format!("{}: cannot write: {error}", self.out.display())))?;
        // The key is useless without the part file.
        let _ = fs::remove_file(with_ending(&self.out, ".part.key"));
        Ok(())
    }

    /// Returns the path of the file that is being written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the number of valid rows in complete chunks, and the length in bytes of the file up to the last of these
/// rows.
fn whole_chunks(file: &File, has_gaze: bool, chunk: usize) -> io::Result<(usize, u64)> {
    let mut lines = BufReader::new(file.try_clone()?);
    lines.seek(SeekFrom::Start(0))?;
    let Some(header) = line(&mut lines).filter(|line| *line == row::header(has_gaze)) else {
        return Ok((0, 0));
    };
    let (mut rows, mut length) = (0, header.len() as u64);
    let mut whole = (0, 0);
    while let Some(line) = line(&mut lines) {
        if Row::parse(&line, has_gaze).is_none_or(|row| row.frame != rows) {
            break;
        }
        rows += 1;
        length += line.len() as u64;
        if rows % chunk == 0 {
            whole = (rows, length);
        }
    }
    Ok(whole)
}

/// Reads a line with its line end, up to the maximum length.
fn line(lines: &mut BufReader<File>) -> Option<String> {
    let mut line = String::new();
    io::Read::take(lines, MAX_LINE_BYTES).read_line(&mut line).ok()?;
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(frames: std::ops::Range<usize>) -> String {
        let mut text = String::new();
        for frame in frames {
            Row { frame, secs: frame as f64, points: None, error: 1.0, iterations: 2, gaze: None }
                .write(false, &mut text);
        }
        text
    }

    #[test]
    fn a_second_run_resumes_after_the_last_complete_chunk() {
        let folder = std::env::temp_dir().join(format!("vivant-part-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let out = folder.join("track.csv");
        let key = Key::new().with(b"film").with(b"model");
        let open = |key: &Key, restart| TrackFile::open(&out, key, false, 10, restart).unwrap();
        let (mut part, earlier, _) = open(&key, false);
        assert_eq!(earlier.rows, 0);
        part.add(&rows(0..27)).unwrap();
        // Truncated within a row, as by a power failure.
        part.add("27,0.1,").unwrap();
        drop(part);
        let (mut part, mut earlier, why) = open(&key, false);
        assert_eq!((earlier.rows, why), (20, None));
        assert_eq!(earlier.next().map(|row| row.frame), Some(0));
        part.add(&rows(20..25)).unwrap();
        part.finish().unwrap();
        assert_eq!(fs::read_to_string(&out).unwrap(), row::header(false) + &rows(0..25));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no other files must be left");
        for (other, restart) in [(Key::new().with(b"filmm").with(b"odel"), false), (key.clone(), true)] {
            let (mut part, ..) = open(&key, false);
            part.add(&rows(0..27)).unwrap();
            drop(part);
            let (_, earlier, why) = open(&other, restart);
            assert_eq!((earlier.rows, why.is_some()), (0, !restart));
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
