//! Real films, compared with manual labels and blink counts (`tests/labels/README.md`).

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

mod folder;

use folder::Folder;
use glam::DVec2;
use serde_json::Value;
use std::path::{Path, PathBuf};
use vivant_learn::film::labels;

/// A film with the allowed mean error of its points, and its blinks.
struct Film {
    name: &'static str,
    most_px: f64,
    least_found: f64,
    /// First and last frame of each blink.
    blinks: &'static [(u32, u32)],
    /// Frame after which blinks are not counted.
    until_frame: u32,
    fps: f64,
}

const FILMS: [Film; 2] = [
    Film {
        name: "cap12_edit",
        most_px: 0.5,
        least_found: 0.99,
        blinks: &[(640, 645), (774, 777)],
        until_frame: 1337,
        fps: 25.0,
    },
    Film {
        name: "pyfeat_WolfgangLanger_Pexels",
        most_px: 2.0,
        least_found: 0.85,
        blinks: &[(153, 155), (201, 203), (248, 250), (288, 290), (385, 389)],
        until_frame: 424,
        fps: 24000.0 / 1001.0,
    },
];

fn data() -> Option<PathBuf> {
    let folder = vivant_testing::data("")?;
    vivant_testing::tool("VIVANT_FFMPEG", "ffmpeg")?;
    // Relative to the working directory of the tests, which is the package's folder.
    Some(if folder.is_relative() { root().join(folder) } else { folder })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn labels_of(film: &Film, which: &str) -> PathBuf {
    root().join(format!("tests/labels/{}.{which}.json", film.name))
}

/// Returns the mean distance from held-out labels in pixels; fails for a frame without eyes.
fn mean_error_px(film: &Film, track: &str) -> f64 {
    let bytes = std::fs::read(labels_of(film, "test")).unwrap();
    let rows: Vec<Vec<&str>> = track.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let header: Vec<&str> = track.lines().next().unwrap().split(',').collect();
    let first = header.iter().position(|name| *name == "right_outer_x").unwrap();
    let mut distances = Vec::new();
    for frame in labels::read("labels", &bytes).unwrap().frames {
        for (index, [x, y]) in frame.points.iter().enumerate() {
            let cell = |at: usize| rows[frame.frame][first + 2 * index + at].parse::<f64>();
            let (Ok(found_x), Ok(found_y)) = (cell(0), cell(1)) else { panic!("no eyes in {}", frame.frame) };
            distances.push(DVec2::new(found_x - x, found_y - y).length());
        }
    }
    distances.iter().sum::<f64>() / distances.len() as f64
}

/// Counts true positives, false positives and false negatives.
fn score(film: &Film, blinks: &Value) -> [usize; 3] {
    let secs = |frame: u32| f64::from(frame) / film.fps;
    let is_brief = |event: &&Value| ["blink", "partial"].contains(&event["kind"].as_str().unwrap());
    let events = blinks["events"].as_array().unwrap().iter().filter(is_brief);
    let apexes: Vec<f64> = events.map(|event| event["apex"].as_f64().unwrap()).collect();
    let apexes: Vec<f64> = apexes.into_iter().filter(|apex| *apex < secs(film.until_frame)).collect();
    // One frame of tolerance: a person may or may not count a frame with low lids as closed.
    let is_in = |apex: f64, (from, to): (u32, u32)| (secs(from - 1)..=secs(to + 1)).contains(&apex);
    let found = film.blinks.iter().filter(|blink| apexes.iter().any(|apex| is_in(*apex, **blink))).count();
    [found, apexes.len() - found, film.blinks.len() - found]
}

#[test]
fn real_films_are_tracked_and_their_blinks_are_found() {
    let Some(data) = data() else { return };
    let folder = Folder::with("real-videos", &[]);
    let mut total = [0; 3];
    for film in &FILMS {
        let path = data.join(format!("face/{}.mp4", film.name));
        let labels = labels_of(film, "train");
        let report = folder.json(&format!(
            "track {} --labels {} -o track.csv --restart --json",
            path.display(),
            labels.display()
        ));
        let found = report["found"].as_f64().unwrap() / report["frames"].as_f64().unwrap();
        let error = mean_error_px(film, &folder.text("track.csv"));
        let blinks = score(film, &folder.json("blinks track.csv --json"));
        println!("{}: {error:.2} px, eyes in {:.1} % of frames, blinks {blinks:?}", film.name, 100.0 * found);
        assert!(error <= film.most_px, "{}: {error} px", film.name);
        assert!(found >= film.least_found, "{}: {found} of the frames", film.name);
        total = std::array::from_fn(|i| total[i] + blinks[i]);
    }
    let [right, false_alarms, missed] = total.map(|count| count as f64);
    let f1 = 2.0 * right / (2.0 * right + false_alarms + missed);
    assert!(f1 >= 0.95, "F1 {f1}: {total:?}");
}

/// Chunks of 37 frames start within blinks, while a hand covers the eyes, and at frames in which a new search finds
/// nothing.
#[test]
fn the_track_of_a_real_film_does_not_depend_on_where_it_is_cut() {
    let Some(data) = data() else { return };
    let folder = Folder::with("real-videos-cut", &[]);
    for film in &FILMS {
        let (path, labels) = (data.join(format!("face/{}.mp4", film.name)), labels_of(film, "train"));
        let track = |chunk: &str| {
            let (path, labels) = (path.display(), labels.display());
            folder.stdout(&format!("track {path} --labels {labels} -o track.csv --restart {chunk}"));
            folder.text("track.csv")
        };
        let [whole, cut] = ["--jobs 1", "--chunk 37"].map(track);
        assert!(whole == cut, "{}: frames {:?} differ", film.name, differing(&whole, &cut));
    }
}

fn differing(a: &str, b: &str) -> Vec<usize> {
    let pairs = a.lines().skip(1).zip(b.lines().skip(1)).enumerate();
    pairs.filter(|(_, (a, b))| a != b).map(|(frame, _)| frame).collect()
}
