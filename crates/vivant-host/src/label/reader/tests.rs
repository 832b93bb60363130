//! Compares a long film, whose frames are read by seeking, with the same film decoded completely.

use super::*;
use std::fs;
use std::process::Command;

/// A temporary folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vivant-reel-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Makes a film with ffmpeg; `None`, with a message, if it is not installed.
    fn film(&self, name: &str, words: &str) -> Option<PathBuf> {
        let path = self.0.join(name);
        let ffmpeg = std::env::var("VIVANT_FFMPEG").unwrap_or_else(|_| "ffmpeg".into());
        let mut command = Command::new(ffmpeg);
        command.args(["-nostdin", "-y", "-v", "error"]).args(words.split(' ')).arg(&path);
        match command.current_dir(&self.0).output() {
            Ok(made) => assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr)),
            Err(_) => {
                vivant_testing::skip("ffmpeg is not installed");
                return None;
            }
        }
        Some(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open_within(path: &Path, max_pixels: usize) -> FilmReader {
    FilmReader::open_within(path, max_pixels, &mut Vec::new(), &mut |_, _| {}).unwrap()
}

/// Checks that frames and times found by seeking equal those of a film read from start to end.
fn check(path: &Path) {
    let (long, short) = (open_within(path, 0), open_within(path, MAX_PIXELS_AT_ONCE));
    let shown = path.display();
    assert!(
        long.sample.progress().is_some() && short.sample.progress().is_none(),
        "{shown}: frames must be sought"
    );
    assert_eq!(long.secs.len(), short.secs.len(), "{shown}");
    let off = long.secs.iter().zip(&short.secs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-9, "{shown}: times are {off} s off");
    let last = long.secs.len() - 1;
    for index in [last, 0, 1, last / 2 + 1, last / 2, 33.min(last), last / 3] {
        assert_eq!(*long.frame(index).unwrap(), *short.frame(index).unwrap(), "{shown}: frame {index}");
    }
    assert!(long.frame(last + 1).is_err());
}

/// Checks that suggestions are made from frames sampled throughout the film.
fn check_suggestions(path: &Path) {
    let long = open_within(path, 0);
    let (last, shown) = (long.secs.len() - 1, path.display());
    long.sample_frames();
    assert!(long.sample.progress().is_none());
    let found = long.sample.most_different(None, 5);
    assert!(found.len() == 5 && found.iter().all(|frame| *frame <= last), "{shown}: {found:?}");
}

/// A source that moves and differs in every frame.
const SOURCE: &str = "-f lavfi -i testsrc2=d=2:s=96x64:r=25";

#[test]
fn sought_frames_equal_decoded_frames() {
    let folder = Folder::new("long");
    let cases = [
        ("even.mp4", "-g 50 -bf 3 -pix_fmt yuv420p"),
        ("uneven.mp4", "-vf select='lt(t,1)+not(mod(n,3))' -fps_mode passthrough -bf 2 -pix_fmt yuv420p"),
        ("milliseconds.mkv", "-r 30000/1001 -g 30 -pix_fmt yuv420p"),
        ("late.mp4", "-output_ts_offset 1.3 -bf 2 -pix_fmt yuv420p"),
        ("film.y4m", "-pix_fmt yuv420p"),
        ("high.y4m", "-pix_fmt yuv444p10le -strict -1"),
    ];
    for (name, words) in cases {
        let Some(path) = folder.film(name, &format!("{SOURCE} {words}")) else { return };
        check(&path);
    }
    ["even.mp4", "film.y4m"].iter().for_each(|name| check_suggestions(&folder.0.join(name)));
}

#[test]
fn a_film_cut_between_key_frames_keeps_its_numbers() {
    let folder = Folder::new("cut");
    let Some(_) = folder.film("whole.mp4", &format!("{SOURCE} -g 20 -bf 2 -pix_fmt yuv420p")) else { return };
    // Copied from a time between key frames: earlier frames stay in the file but are not shown.
    let Some(path) = folder.film("cut.mp4", "-ss 0.5 -i whole.mp4 -c copy") else { return };
    check(&path);
}

#[test]
fn images_are_sought_by_name() {
    let folder = Folder::new("images");
    let Some(_) = folder.film("f%03d.png", &format!("{SOURCE} -frames:v 40")) else { return };
    check(&folder.0);
    check_suggestions(&folder.0);
}

#[test]
fn a_truncated_y4m_keeps_its_complete_frames() {
    let folder = Folder::new("y4m");
    let mut film = b"YUV4MPEG2 W8 H6 F25:1 Cmono\n".to_vec();
    for frame in 0..7_u8 {
        film.extend(if frame % 2 == 0 { b"FRAME\n".as_slice() } else { b"FRAME Ip x\n" });
        film.extend((0..48).map(|pixel| pixel * 3 + frame * (pixel % 5)));
    }
    for (name, cut) in [("whole.y4m", 0), ("cut.y4m", 5), ("line.y4m", 50)] {
        let path = folder.0.join(name);
        fs::write(&path, &film[..film.len() - cut]).unwrap();
        check(&path);
    }
}
