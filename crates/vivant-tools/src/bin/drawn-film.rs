//! Writes a generated film of eyes with known points. `film.y4m` is the film, `film.gray` is the same film as raw
//! gray bytes, and `film.labels.json` has the points of the frames that `vivant label` would suggest.
//!
//! `cargo run -p vivant-tools --bin drawn-film -- FOLDER [FRAMES] [SEED] [small|hand|light|head]`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it prints its result")]

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;
use vivant_learn::film::Image;
use vivant_learn::film::labels::{LabelledFrame, Labels};
use vivant_learn::film::suggest::{most_different, thumbnail};
use vivant_learn::film::synthetic::{Head, Light, Occlusion, Scene, Settings, y4m};

/// Number of labelled frames, which is about the number that people label.
const LABELLED: usize = 24;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, or: usize| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(or);
    let folder = PathBuf::from(words.first().map_or(".", String::as_str));
    let (frames, seed) = (number(1, 120).max(1), number(2, 1) as u64);
    let scene = Scene::with(settings(seed, words.get(3).map_or("", String::as_str)));
    y4m(&scene, 0..frames, &mut BufWriter::new(File::create(folder.join("film.y4m"))?))?;
    let images: Vec<Image> = (0..frames).map(|frame| scene.frame(frame).0).collect();
    fs::write(
        folder.join("film.gray"),
        images.iter().flat_map(|image| &image.data).copied().collect::<Vec<u8>>(),
    )?;
    let labels = labelled(&scene, &images);
    fs::write(folder.join("film.labels.json"), labels.to_json())?;
    println!(
        "{frames} frames of {} × {} pixels, {} labelled",
        labels.width,
        labels.height,
        labels.frames.len()
    );
    Ok(())
}

fn labelled(scene: &Scene, images: &[Image]) -> Labels {
    let mut labels = Labels::new("film.y4m", scene.settings().width, scene.settings().height);
    let thumbs: Vec<Vec<f32>> = images.iter().map(thumbnail).collect();
    for frame in most_different(&thumbs, LABELLED) {
        labels.put(LabelledFrame::new(frame, scene.secs(frame), &scene.frame(frame).1));
    }
    labels
}

fn settings(seed: u64, kind: &str) -> Settings {
    let usual = Settings::of(seed);
    match kind {
        "small" => Settings::small(seed),
        "hand" => Settings { occlusion: Some(Occlusion { at_secs: 1.0, secs: 1.2, width: 2.0 }), ..usual },
        "light" => {
            Settings { light: Some(Light { at_secs: 1.0, secs: 0.5, gain: 0.55, slope: 0.1 }), ..usual }
        }
        "head" => Settings { head: Head::FAST, ..usual },
        _ => usual,
    }
}
