//! Tests with films of every kind. Videos are made with ffmpeg, if it is installed.

use super::*;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A temporary folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-video-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn with(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Makes a video with these ffmpeg arguments; `None` without ffmpeg.
    fn video(&self, name: &str, part: &str) -> Option<PathBuf> {
        let path = self.0.join(name);
        let made = self.made(&path, part);
        if made.is_none() {
            vivant_testing::skip("ffmpeg is not installed");
        }
        assert!(made != Some(false), "{part}");
        made.map(|_| path)
    }

    /// Returns true if ffmpeg made the film; `None` without ffmpeg.
    fn made(&self, path: &Path, part: &str) -> Option<bool> {
        let program = std::env::var("VIVANT_FFMPEG").unwrap_or_else(|_| "ffmpeg".into());
        let mut command = Command::new(program);
        command.current_dir(&self.0).args(["-nostdin", "-v", "error", "-y"]).args(part.split(' ')).arg(path);
        command.stdin(Stdio::null()).stderr(Stdio::null()).status().ok().map(|status| status.success())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Reads a whole film: times, mean brightness of each frame, and warnings.
fn whole(path: &Path, options: &Options) -> (Vec<f64>, Vec<u8>, String) {
    let mut film = open(path, options).unwrap_or_else(|fault| panic!("{fault}"));
    let (mut times, mut lights) = (Vec::new(), Vec::new());
    let size = (film.width, film.height);
    for (secs, image) in film.by_ref() {
        assert_eq!((image.width, image.height), size);
        times.push(secs);
        let sum: usize = image.data.iter().map(|light| usize::from(*light)).sum();
        lights.push((sum / image.data.len()) as u8);
    }
    let warnings: Vec<String> = film.warnings().iter().map(ToString::to_string).collect();
    (times, lights, warnings.join("\n"))
}

fn check_error(path: &Path, options: &Options, expected: &[&str]) {
    let message = open(path, options).map(|film| film.name).unwrap_err().to_string();
    for part in expected {
        assert!(message.contains(part), "{part} not found in: {message}");
    }
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3)
}

fn encoded(format: image::ImageFormat, width: u32, height: u32, light: u8) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::GrayImage::from_pixel(width, height, image::Luma([light]));
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn raw_and_y4m_films_have_times_from_their_rate() {
    let folder = Folder::new("plain");
    let raw = folder.with("film.gray", &[1, 1, 2, 2, 3, 3]);
    let options = Options { raw: Some(Header::gray(2, 1, 10.0).unwrap()), fps: None, ..Options::default() };
    assert_eq!(whole(&raw, &options), (vec![0.0, 0.1, 0.2], vec![1, 2, 3], String::new()));
    assert_eq!(open(&raw, &options).unwrap().frame_count, Some(3));
    let y4m = folder.with("film.bin", b"YUV4MPEG2 W2 H1 F20:1 Cmono\nFRAME\n\x05\x05FRAME\n\x07\x07");
    assert_eq!(whole(&y4m, &Options::default()), (vec![0.0, 0.05], vec![5, 7], String::new()));
    let slow = Options { fps: Some(2.0), ..Options::default() };
    assert_eq!(whole(&y4m, &slow).0, [0.0, 0.5]);
    let timeless = folder.with("timeless.y4m", b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x05\x05FRAME\n\x07\x07");
    let (times, _, warnings) = whole(&timeless, &Options::default());
    assert!(near(&times, &[0.0, 1.0 / 30.0]) && warnings.contains("Set the frame rate"), "{warnings}");
}

#[test]
fn a_truncated_film_keeps_its_frames_with_a_warning() {
    let folder = Folder::new("cut");
    let y4m = folder.with("film.y4m", b"YUV4MPEG2 W2 H1 F20:1 Cmono\nFRAME\n\x05\x05FRAME\n\x07");
    let (times, _, warnings) = whole(&y4m, &Options::default());
    assert_eq!(times, [0.0]);
    assert!(warnings.contains("ends early, after 1 frames") && warnings.contains("truncated"), "{warnings}");
}

#[test]
fn images_are_read_in_the_order_of_their_numbers() {
    let folder = Folder::new("images");
    for (name, light) in [("f10.png", 30), ("f1.PNG", 10), ("notes.txt", 0), (".f2.png", 99)] {
        folder.with(name, &encoded(image::ImageFormat::Png, 4, 2, light));
    }
    folder.with("f9.jpg", &encoded(image::ImageFormat::Jpeg, 4, 2, 20));
    let options = Options { fps: Some(5.0), ..Options::default() };
    assert_eq!(whole(&folder.0, &options), (vec![0.0, 0.2, 0.4], vec![10, 20, 30], String::new()));
    assert!(whole(&folder.0, &Options::default()).2.contains("Set the frame rate"));
    folder.with("f11.png", &encoded(image::ImageFormat::Png, 3, 2, 40));
    let (times, _, warnings) = whole(&folder.0, &options);
    assert!(times.len() == 3 && warnings.contains("3 × 2 pixels"), "{warnings}");
    folder.with("f11.png", b"no image");
    let (times, _, warnings) = whole(&folder.0, &options);
    assert!(times.len() == 3 && warnings.contains("f11.png"), "{warnings}");
    assert_eq!(frame_at(&folder.0, 0.3, &options).unwrap().data[0], 20);
}

#[test]
fn errors_name_the_file_and_the_fix() {
    let folder = Folder::new("faults");
    let default = Options::default();
    check_error(&folder.0.join("none.mp4"), &default, &["none.mp4", "no such file"]);
    check_error(&folder.with("empty.mp4", b""), &default, &["empty.mp4", "file is empty"]);
    check_error(
        &folder.with("header.y4m", b"YUV4MPEG2 W2 H1 F20:1\n"),
        &default,
        &["header.y4m", "no frame"],
    );
    check_error(
        &folder.with("huge.y4m", b"YUV4MPEG2 W20000 H20000 F20:1\n"),
        &default,
        &["huge.y4m", "16384"],
    );
    check_error(&folder.with("one.png", b"\x89PNG"), &default, &["one.png"]);
    let raw = Options { raw: Some(Header::gray(9, 9, 10.0).unwrap()), fps: None, ..Options::default() };
    check_error(&folder.with("short.gray", b"abc"), &raw, &["short.gray", "only 3 of 81 bytes"]);
    let bare = Folder::new("bare");
    check_error(&bare.0, &default, &["no PNG or JPEG"]);
}

#[test]
fn raw_sizes_are_parsed() {
    assert_eq!(
        raw_size("640x480@29.97").map(|header| (header.width, header.height, header.rate_hz)),
        Ok((640, 480, Some(29.97)))
    );
    for text in [
        "",
        "640x480",
        "640@30",
        "x@30",
        "640x480@",
        "640x480@nan",
        "640x480@0",
        "0x480@30",
        "99999x9@30",
        "-1x4@3",
    ] {
        assert!(raw_size(text).is_err(), "{text}");
    }
}

#[test]
fn a_video_is_read_with_its_own_times() {
    let folder = Folder::new("video");
    let Some(even) = folder.video("even.mp4", "-f lavfi -i testsrc=d=1:s=64x48:r=25 -pix_fmt yuv420p") else {
        return;
    };
    let (times, _, warnings) = whole(&even, &Options::default());
    assert!(near(&times, &(0..25).map(|i| f64::from(i) / 25.0).collect::<Vec<_>>()), "{times:?}");
    assert_eq!((warnings.as_str(), open(&even, &Options::default()).unwrap().frame_count), ("", Some(25)));
    // After the first second only every third frame stays: 25 frames per second, then 8⅓.
    let select = "-f lavfi -i testsrc=d=2:s=64x48:r=25 -vf select='lt(t,1)+not(mod(n,3))' -fps_mode passthrough -pix_fmt yuv420p";
    let Some(uneven) = folder.video("uneven.mp4", select) else { return };
    let times = whole(&uneven, &Options::default()).0;
    let expected: Vec<f64> = (0..50).filter(|i| *i < 25 || i % 3 == 0).map(|i| f64::from(i) / 25.0).collect();
    assert!(near(&times, &expected), "{times:?}");
    assert_eq!(whole(&uneven, &Options { fps: Some(10.0), ..Options::default() }).0[30], 3.0);
}

#[test]
fn rotated_videos_are_turned_upright() {
    let folder = Folder::new("upright");
    let Some(_) = folder.video("lying.mp4", "-f lavfi -i testsrc=d=0.2:s=64x48:r=25 -pix_fmt yuv420p") else {
        return;
    };
    // The option for rotating a film changed in version 6.
    let turned = folder.0.join("turned.mp4");
    let ways =
        ["-display_rotation 90 -i lying.mp4 -c copy", "-i lying.mp4 -c copy -metadata:s:v:0 rotate=90"];
    assert!(ways.iter().any(|part| folder.made(&turned, part) == Some(true)));
    let film = open(&turned, &Options::default()).unwrap();
    assert_eq!((film.width, film.height), (48, 64));
}

#[test]
fn frame_at_returns_the_frame_shown_at_that_time() {
    let folder = Folder::new("moment");
    // The brightness of frame n is 4 n; key frames are far apart.
    let part =
        "-f lavfi -i color=black:d=2:s=64x48:r=25,format=gray,geq=lum=4*N -g 40 -crf 1 -pix_fmt yuv420p";
    let Some(film) = folder.video("light.mp4", part) else { return };
    let (times, lights, _) = whole(&film, &Options::default());
    for number in [0, 1, 7, 24, 26, 49] {
        for secs in [times[number], times[number] + 0.02] {
            let light = frame_at(&film, secs, &Options::default()).unwrap().data[70];
            assert!(
                light.abs_diff(lights[number]) <= 1,
                "frame {number} at {secs}: {light}, not {}",
                lights[number]
            );
        }
    }
    assert!(frame_at(&film, 99.0, &Options::default()).unwrap().data[70].abs_diff(lights[49]) <= 1);
    let some = frames(&mut open(&film, &Options::default()).unwrap(), &[3, 40, 400]);
    assert!(near(&some.iter().map(|frame| frame.0).collect::<Vec<_>>(), &[0.12, 1.6]));
}

#[test]
fn real_films_are_read_whole() {
    let Some(data) = vivant_testing::data("") else { return };
    let folders =
        ["face", "body"].map(|folder| fs::read_dir(data.join(folder)).into_iter().flatten().flatten());
    let films = folders.into_iter().flatten().map(|entry| entry.path());
    for path in films.filter(|path| path.extension().is_some_and(|ending| ending == "mp4")) {
        let expected = open(&path, &Options::default()).unwrap().frame_count;
        let (times, lights, warnings) = whole(&path, &Options::default());
        let seen: std::collections::BTreeSet<u8> = lights.into_iter().collect();
        // The stated duration is that of the sound, if that is longer.
        assert!(expected.is_some_and(|most| (most / 3..=most).contains(&times.len())), "{}", path.display());
        assert_eq!(warnings, "", "{}", path.display());
        assert!(times.windows(2).all(|pair| pair[1] > pair[0]) && !seen.contains(&0), "{}", path.display());
    }
}

#[test]
fn broken_videos_give_errors_and_keep_readable_frames() {
    let folder = Folder::new("broken");
    let Some(sound) = folder.video("sound.m4a", "-f lavfi -i sine=d=1") else { return };
    check_error(&sound, &Options::default(), &["sound.m4a", "contains no video"]);
    check_error(
        &folder.with("words.video", b"These are words."),
        &Options::default(),
        &["words.video", "not a video that ffmpeg can read"],
    );
    let Some(good) = folder.video(
        "good.mp4",
        "-f lavfi -i testsrc2=d=4:s=160x120:r=25 -g 10 -pix_fmt yuv420p -movflags faststart",
    ) else {
        return;
    };
    let bytes = fs::read(&good).unwrap();
    let half = folder.with("half.mp4", &bytes[..bytes.len() * 6 / 10]);
    let (times, _, warnings) = whole(&half, &Options::default());
    assert!(
        (10..95).contains(&times.len()) && warnings.contains("ffmpeg reported"),
        "{} frames: {warnings}",
        times.len()
    );
    let Some(late) = folder.video("late.mp4", "-i good.mp4 -c copy -movflags 0") else { return };
    let bytes = fs::read(&late).unwrap();
    let headless = folder.with("headless.mp4", &bytes[..bytes.len() / 2]);
    check_error(&headless, &Options::default(), &["headless.mp4", "index is missing"]);
    let mut damaged = fs::read(&good).unwrap();
    let (from, to) = (damaged.len() / 2, damaged.len() / 2 + 4000);
    damaged[from..to].iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 37 % 251) as u8);
    let (times, _, warnings) = whole(&folder.with("damaged.mp4", &damaged), &Options::default());
    assert!(times.len() > 50 && warnings.contains("ffmpeg reported"), "{} frames: {warnings}", times.len());
}
