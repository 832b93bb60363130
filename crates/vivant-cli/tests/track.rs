//! Tests of `vivant track` on films with known points.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

mod folder;

use folder::Folder;
use glam::DVec2;
use serde_json::Value;
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use vivant_learn::film::labels::{GazeKey, LabelledFrame, Labels};
use vivant_learn::film::synthetic::{Scene, Settings};
use vivant_learn::film::{Points, layout};

const FRAMES: usize = 75;
/// Frames per chunk: three and a half chunks, to test their boundaries.
const CHUNK: &str = "--chunk 24";

/// A small film with its true points, and labels of every third frame.
struct Filmed {
    y4m: Vec<u8>,
    truth: Vec<Points>,
    labels: Labels,
}

static FILMED: LazyLock<Filmed> = LazyLock::new(|| {
    let settings = Settings { width: 176, height: 132, eye_px: 40.0, ..Settings::of(3) };
    let scene = Scene::with(settings);
    let mut y4m = b"YUV4MPEG2 W176 H132 F30:1 Cmono\n".to_vec();
    let (mut truth, mut labels) = (Vec::new(), Labels::new("film.y4m", 176, 132));
    for frame in 0..FRAMES {
        let (image, points) = scene.frame(frame);
        y4m.extend(b"FRAME\n");
        y4m.extend(&image.data);
        if frame % 3 == 0 {
            labels.put(LabelledFrame::new(frame, frame as f64 / 30.0, &points));
        }
        truth.push(points);
    }
    Filmed { y4m, truth, labels }
});

/// Creates a folder with the film and its labels.
fn filmed(name: &str) -> Folder {
    let folder = Folder::with(&format!("track-{name}"), &[("film.labels.json", &FILMED.labels.to_json())]);
    std::fs::write(folder.path("film.y4m"), &FILMED.y4m).unwrap();
    folder
}

/// Same as [`filmed`], with the model.
fn modelled(name: &str) -> Folder {
    let folder = filmed(name);
    folder.stdout(&format!(
        "track film.y4m --labels film.labels.json --save-model me.aam -o track.csv {CHUNK}"
    ));
    folder
}

/// Returns the cells of a track by rows, without the header.
fn rows(csv: &str) -> Vec<Vec<String>> {
    csv.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(cell: &str) -> Option<f64> {
    cell.parse().ok()
}

/// Starts the command with standard input for a film.
fn start(folder: &Folder, words: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
    command.current_dir(folder.path("")).args(words.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a file has a number of lines, while the process that writes it runs.
fn until_it_has(child: &mut Child, file: &std::path::Path, lines: usize) {
    while std::fs::read_to_string(file).map_or(0, |text| text.lines().count()) < lines {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn fed(folder: &Folder, words: &str, bytes: &[u8]) -> Output {
    let mut child = start(folder, words);
    // A process that refuses the film stops reading it.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    child.wait_with_output().unwrap()
}

#[test]
fn lids_are_tracked_accurately() {
    let folder = modelled("truth");
    let csv = folder.text("track.csv");
    let rows = rows(&csv);
    assert_eq!(rows.len(), FRAMES);
    assert!(csv.starts_with("frame,time,aperture_left,aperture_right,lid_distance_left,lid_distance_right,error,iterations,trusted,right_outer_x,"));
    let (mut off, mut points, mut apertures) = (0.0, 0.0, Vec::new());
    for (index, (row, truth)) in rows.iter().zip(&FILMED.truth).enumerate() {
        assert_eq!((number(&row[0]), row.len()), (Some(index as f64), 45));
        assert!((number(&row[1]).unwrap() - index as f64 / 30.0).abs() < 1e-6);
        let Some(aperture) = number(&row[2]) else { continue };
        apertures.push((aperture, layout::aperture(layout::Side::Left.of(truth))));
        for (cells, point) in row[9..].chunks(2).zip(truth) {
            off += point.distance(glam::DVec2::new(number(&cells[0]).unwrap(), number(&cells[1]).unwrap()));
            points += 1.0;
        }
    }
    assert!(apertures.len() * 100 >= FRAMES * 95, "found in {} frames", apertures.len());
    assert!(off / points < 1.0, "{} px off in the mean", off / points);
    assert!(correlation(&apertures) > 0.98, "{}", correlation(&apertures));
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0 / count, sum.1 + pair.1 / count));
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(a, b)| f(a - mean.0, b - mean.1)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn the_track_is_the_same_with_any_jobs_and_has_no_seams() {
    let folder = modelled("jobs");
    folder.stdout("track film.y4m --model me.aam --jobs 1 -o whole.csv");
    let whole = folder.text("whole.csv");
    for words in ["--jobs 1 -o one.csv", "--jobs 3 -o one.csv", "--jobs 2"] {
        for chunk in [CHUNK, "--chunk 7"] {
            let printed = folder.stdout(&format!("track film.y4m --model me.aam {chunk} {words} --restart"));
            let csv = if words.contains("-o") { folder.text("one.csv") } else { printed };
            assert!(csv == whole, "{chunk} {words}");
        }
    }
}

/// Returns the share of frames with eyes, and the mean error of their points in pixels.
fn found_and_error_px(csv: &str) -> (f64, f64) {
    let mut distances = Vec::new();
    for (row, truth) in rows(csv).iter().zip(&FILMED.truth) {
        let cells: Vec<f64> = row[9..].iter().filter_map(|cell| number(cell)).collect();
        distances
            .extend(cells.chunks(2).zip(truth).map(|(xy, point)| point.distance(DVec2::new(xy[0], xy[1]))));
    }
    let found = distances.len() as f64 / (FRAMES * layout::POINTS) as f64;
    (found, distances.iter().sum::<f64>() / distances.len() as f64)
}

/// In this film the contrast is mostly in the colours; brightness has an eighth of it.
#[test]
fn films_are_tracked_in_colour_and_the_model_stores_it() {
    let folder = filmed("colour");
    let mut film = b"YUV4MPEG2 W176 H132 F30:1 C444\n".to_vec();
    let size = 176 * 132;
    let header = b"YUV4MPEG2 W176 H132 F30:1 Cmono\n".len();
    for frame in FILMED.y4m[header..].chunks(size + 6) {
        film.extend(b"FRAME\n");
        film.extend(frame[6..].iter().map(|light| 112 + light / 8));
        film.extend(frame[6..].iter().map(|light| 64 + light / 2));
        film.extend([128].repeat(size));
    }
    std::fs::write(folder.path("film.y4m"), film).unwrap();
    folder.stdout("track film.y4m --labels film.labels.json --save-model gray.aam -o gray.csv");
    folder.stdout("track film.y4m --labels film.labels.json --colour --save-model me.aam -o colour.csv");
    folder.stdout("track film.y4m --model me.aam -o model.csv");
    for file in ["colour.csv", "model.csv"] {
        let (found, error_px) = found_and_error_px(&folder.text(file));
        assert!(found >= 0.98 && error_px < 0.3, "{file}: {found} of the frames, {error_px} px");
    }
    assert!(folder.text("gray.csv") != folder.text("colour.csv"));
    // Three channels instead of one.
    let [gray, colour] = ["gray.aam", "me.aam"].map(|file| std::fs::read(folder.path(file)).unwrap().len());
    assert!(colour > 2 * gray, "{colour} bytes for {gray}");
}

#[test]
fn a_track_can_be_read_as_a_recording() {
    let mut labels = FILMED.labels.clone();
    labels.gaze = [(0, 5.0), (30, -10.0)]
        .map(|(frame, yaw_deg)| GazeKey {
            frame,
            secs: frame as f64 / 30.0,
            yaw_deg,
            pitch_deg: 1.0,
            guessed: false,
        })
        .to_vec();
    let folder = filmed("recording");
    std::fs::write(folder.path("gaze.json"), labels.to_json()).unwrap();
    folder.stdout("track film.y4m --labels gaze.json -o track.csv");
    let csv = folder.text("track.csv");
    let gaze = |frame: usize| rows(&csv)[frame][9..11].to_vec();
    assert_eq!(
        [gaze(0), gaze(29), gaze(30), gaze(74)].map(|cells| cells[0].clone()),
        ["5.000", "5.000", "-10.000", "-10.000"]
    );
    let about = folder.json("inspect track.csv --json");
    assert_eq!(about["device"], "vivant-track");
    let channels: Vec<&str> =
        about["channels"].as_array().unwrap().iter().filter_map(|channel| channel["name"].as_str()).collect();
    assert_eq!(channels, ["left aperture", "right aperture", "gaze yaw", "gaze pitch"]);
    let plain = folder.stdout("blinks track.csv --json");
    let piped = fed(&folder, "blinks - --json", csv.as_bytes());
    let [plain, piped]: [Value; 2] =
        [plain.as_bytes(), &piped.stdout].map(|json| serde_json::from_slice(json).unwrap());
    assert_eq!(plain["events"], piped["events"]);
    assert!(!plain["events"].as_array().unwrap().is_empty(), "{plain}");
}

#[test]
fn an_interrupted_run_is_resumed() {
    let folder = modelled("stopped");
    let words = format!("track - --model me.aam {CHUNK} --jobs 1 -o again.csv");
    let mut child = start(&folder, &words);
    let mut input = child.stdin.take().unwrap();
    // Two and a half chunks, then nothing.
    input.write_all(&FILMED.y4m[..FILMED.y4m.len() * 60 / FRAMES]).unwrap();
    input.flush().unwrap();
    let part = folder.path("again.csv.part");
    until_it_has(&mut child, &part, 1 + 48);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.path("again.csv").exists());
    let output = fed(&folder, &words, &FILMED.y4m);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.contains("after 48 frames"), "{printed}");
    folder.stdout("track film.y4m --model me.aam -o whole.csv");
    assert!(folder.text("again.csv") == folder.text("whole.csv"));
    assert!(!part.exists() && !folder.path("again.csv.part.key").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_tracked_frames_and_says_how_to_resume() {
    let folder = modelled("ctrl-c");
    let mut child = start(&folder, &format!("track - --model me.aam {CHUNK} --jobs 1 -o again.csv"));
    let mut input = child.stdin.take().unwrap();
    input.write_all(&FILMED.y4m[..FILMED.y4m.len() * 60 / FRAMES]).unwrap();
    // The handler of Ctrl-C is installed before the first chunk is done.
    until_it_has(&mut child, &folder.path("again.csv.part"), 2);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    // A busy machine may deliver the signal late; nothing shows that it has arrived.
    std::thread::sleep(std::time::Duration::from_secs(2));
    drop(input);
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{printed}");
    assert!(printed.contains("again.csv.part") && printed.contains("run it again"), "{printed}");
    assert!(folder.text("again.csv.part").lines().count() > 24);
}

#[test]
fn a_film_that_is_cut_off_is_tracked_to_its_end() {
    let folder = modelled("cut");
    std::fs::write(folder.path("cut.y4m"), &FILMED.y4m[..FILMED.y4m.len() / 2]).unwrap();
    let output = folder.run("track cut.y4m --model me.aam -o cut.csv --json");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!((report["frames"].as_u64(), report["written"].as_str()), (Some(37), Some("cut.csv")));
    assert!(report["warnings"][0]["message"].as_str().unwrap().contains("ends early"), "{report}");
    assert_eq!(rows(&folder.text("cut.csv")).len(), 37);
}

#[test]
fn a_film_without_a_face_is_reported_and_has_gaps() {
    let folder = modelled("faceless");
    let mut film = b"YUV4MPEG2 W176 H132 F30:1 Cmono\n".to_vec();
    for frame in 0..10u32 {
        film.extend(b"FRAME\n");
        film.extend(
            (0..176 * 132u32)
                .map(|pixel| (pixel.wrapping_mul(2_654_435_761).wrapping_add(frame * 977) >> 24) as u8),
        );
    }
    std::fs::write(folder.path("noise.y4m"), film).unwrap();
    folder.fault("track noise.y4m --model me.aam -o noise.csv", &["noise.y4m", "no eyes found in 10 frames"]);
    let rows = rows(&folder.text("noise.csv"));
    assert_eq!(rows.len(), 10);
    assert!(
        rows.iter().all(|row| row[8] == "0" && row[2].is_empty() && row[9..].iter().all(String::is_empty))
    );
}

#[test]
fn pictures_and_an_overlay_are_made() {
    let folder = modelled("drawn");
    folder.stdout("track film.y4m --model me.aam -o again.csv --plot track.svg");
    let svg = folder.text("track.svg");
    for words in ["Lids: film.y4m", "left eye", "right eye", "lost", "error of the fit"] {
        assert!(svg.contains(words), "{words}");
    }
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        return vivant_testing::skip("ffmpeg is not installed");
    }
    folder.stdout("track film.y4m --model me.aam -o again.csv --overlay drawn.mp4");
    let drawn = folder.json("track drawn.mp4 --model me.aam -o drawn.csv --json");
    assert_eq!((drawn["frames"].as_u64(), drawn["width"].as_u64()), (Some(FRAMES as u64), Some(176)));
}

#[test]
fn errors_name_the_file_and_the_fix() {
    let folder = modelled("faults");
    let other = |change: &dyn Fn(&mut Labels)| {
        let mut labels = FILMED.labels.clone();
        change(&mut labels);
        labels.to_json()
    };
    for (name, text) in [
        ("larger.json", other(&|labels| labels.width = 640)),
        (
            "longer.json",
            other(&|labels| {
                let last = labels.frames.last().unwrap().clone();
                labels.put(LabelledFrame { frame: 4000, secs: 133.0, ..last });
            }),
        ),
        ("outside.json", other(&|labels| labels.frames[0].points[3] = [4000.0, 2.0])),
        ("none.json", other(&|labels| labels.frames.clear())),
        ("broken.json", "{".into()),
        ("empty.aam", String::new()),
        ("words.aam", "These are words.".into()),
    ] {
        std::fs::write(folder.path(name), text).unwrap();
    }
    for (words, expected) in [
        ("film.y4m --labels larger.json", &["larger.json", "640", "176"][..]),
        ("film.y4m --labels longer.json", &["longer.json", "frame 4000 is labelled", "ends before it"]),
        ("film.y4m --labels outside.json", &["outside.json", "frames[0].points[3]"]),
        ("film.y4m --labels none.json", &["none.json", "no labelled frames", "vivant label"]),
        ("film.y4m --labels broken.json", &["broken.json"]),
        ("- --labels film.labels.json", &["--save-model"]),
        ("film.y4m --model empty.aam", &["empty.aam"]),
        ("film.y4m --model words.aam", &["words.aam: not an eye model", "(--labels)"]),
        ("film.y4m --model nowhere.aam", &["nowhere.aam", "no such file"]),
        ("nowhere.mp4 --model me.aam", &["nowhere.mp4", "no such file"]),
        ("film.y4m --model me.aam -o no/track.csv", &["no/track.csv", "create its folder"]),
        ("film.y4m --model me.aam --plot track.gif", &["track.gif", ".svg or .png"]),
        ("film.y4m --model me.aam --overlay film.gif", &["film.gif", ".mp4"]),
        ("film.y4m", &["--labels"]),
        ("film.y4m --model me.aam --labels film.labels.json", &["cannot be used with"]),
        ("film.y4m --model me.aam --raw 3x@9", &["640x480@30"]),
        ("film.y4m --model me.aam --jobs 0", &["--jobs"]),
        ("film.y4m --model me.aam --json", &["-o"]),
    ] {
        folder.fault(&format!("track {words}"), expected);
    }
    let output = fed(&folder, "track - --model me.aam", b"no video");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--raw"), "{output:?}");
}

#[test]
fn without_ffmpeg_the_error_says_how_to_install_it() {
    let folder = modelled("no-ffmpeg");
    std::fs::write(folder.path("film.mp4"), b"\0\0\0\x18ftypmp42").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
    command.current_dir(folder.path("")).env("VIVANT_FFMPEG", "/nowhere/ffmpeg");
    let output = command.args("track film.mp4 --model me.aam".split(' ')).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        ["film.mp4", "/nowhere/ffmpeg", "apt install ffmpeg", "Y4M"]
            .iter()
            .all(|words| printed.contains(words)),
        "{printed}"
    );
}
