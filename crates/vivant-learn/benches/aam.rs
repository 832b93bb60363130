//! Speed of eye tracking in frames per second, at the size of paper 3: 42 points, 10 coupled parameters, about 10,000
//! template pixels. `cargo bench -p vivant-learn --bench aam -- [REPEATS] [FOLDER]`; with a folder, images, labels
//! and starts are written there to measure other implementations.

#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark prints its results")]

use glam::DVec2;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use vivant::chance::Chance;
use vivant_learn::aam::{BuildOptions, Example, FitOptions, Fitter, Form, Model, Pose};
use vivant_learn::film::synthetic::{Scene, Settings};
use vivant_learn::film::{Image, Points, layout, suggest};

/// Number of frames to select examples from, number of examples, and number of frames to fit.
const SEEN: usize = 150;
const EXAMPLES: usize = 24;
const FITTED: usize = 60;
/// Distance of starts in pixels, from first to last.
const OFF: [f64; 2] = [1.0, 4.0];

fn main() {
    let repeats = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(5);
    // Eyes of 56 pixels have as many pixels as the paper's template.
    let scene = Scene::with(Settings { eye_px: 56.0, ..Settings::of(3) });
    let seen: Vec<(Image, Points)> = (0..SEEN).map(|index| scene.frame(2 * index)).collect();
    let chosen = chosen(&seen);
    let examples: Vec<Example<'_>> =
        chosen.iter().map(|at| Example { image: &seen[*at].0, points: &seen[*at].1 }).collect();
    let model = Arc::new(Model::build(&examples, &BuildOptions::default()).expect("examples are valid"));
    let fitted: Vec<(Image, Points)> = (0..FITTED).map(|index| scene.frame(4 * index + 1)).collect();
    let starts: Vec<Points> =
        fitted.iter().enumerate().map(|(index, (_, points))| start(points, index)).collect();
    let [shapes, looks, coupled] = model.parameter_counts();
    println!(
        "vivant aam: {} points, {shapes} + {looks} → {coupled} parameters, {} pixels, {EXAMPLES} examples, {FITTED} fits",
        model.mesh().points(),
        model.pixel_count()
    );
    let options = FitOptions::default();
    measure("vivant coupled", &model, options, &fitted, &starts, repeats);
    let independent = FitOptions { form: Form::Independent, ..options };
    measure("vivant independent", &model, independent, &fitted, &starts, repeats);
    measure("vivant scalar", &model, FitOptions { scalar: true, ..options }, &fitted, &starts, repeats);
    jobs(&model, options, &fitted, &starts, repeats);
    let folder = std::env::args().skip(1).find(|word| !word.starts_with('-') && word.parse::<u32>().is_err());
    if let Some(folder) = folder {
        export(Path::new(&folder), &examples, &fitted, &starts, &model)
            .expect("the folder can be written to");
    }
}

fn chosen(seen: &[(Image, Points)]) -> Vec<usize> {
    let thumb = |(image, points): &(Image, Points)| {
        let (middle, wide) = (points.iter().sum::<DVec2>() / 18.0, points[0].distance(points[9]));
        let half = DVec2::new(0.8 * wide, 0.3 * wide);
        suggest::region(image, middle - half, middle + half)
    };
    suggest::most_different(&seen.iter().map(thumb).collect::<Vec<_>>(), EXAMPLES)
}

/// Returns the true points, moved, rotated and scaled as a whole.
fn start(points: &Points, index: usize) -> Points {
    let mut draw = Chance::new(3, "starts").event(index as u64);
    let middle = points.iter().sum::<DVec2>() / points.len() as f64;
    let turn = DVec2::X + DVec2::new(draw.between(-0.05, 0.05), draw.between(-0.05, 0.05));
    let shift = DVec2::new(draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)) * 4.0;
    let moved = points.map(|point| turn.rotate(point - middle) + middle + shift);
    let wanted = OFF[0] + (OFF[1] - OFF[0]) * index as f64 / FITTED as f64;
    let share = wanted / off(&moved, points);
    std::array::from_fn(|at| points[at] + (moved[at] - points[at]) * share)
}

/// Returns the distance between points (root mean square).
fn off(a: &Points, b: &Points) -> f64 {
    (a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum::<f64>() / a.len() as f64).sqrt()
}

fn measure(
    name: &str,
    model: &Arc<Model>,
    options: FitOptions,
    fitted: &[(Image, Points)],
    starts: &[Points],
    repeats: u32,
) {
    let mut fitter = Fitter::new(model.clone(), options);
    let poses: Vec<Pose> = starts.iter().map(|points| model.pose_of(points)).collect();
    let mut best = f64::INFINITY;
    let (mut offs, mut iterations) = (Vec::new(), 0);
    for _ in 0..repeats {
        (offs, iterations) = (Vec::new(), 0);
        let begin = Instant::now();
        for ((image, points), pose) in fitted.iter().zip(&poses) {
            let fit = fitter.fit(image, pose);
            iterations += fit.iterations;
            offs.push(off(&fit.points, points));
        }
        best = best.min(begin.elapsed().as_secs_f64() / fitted.len() as f64);
    }
    offs.sort_by(f64::total_cmp);
    let near = offs.iter().filter(|off| **off < 1.0).count();
    println!(
        "{name}: best {:.3} ms a fit, {:.0} fps; {:.1} steps; {near} of {} below 1 px, median {:.3} px",
        best * 1e3,
        1.0 / best,
        f64::from(iterations) / fitted.len() as f64,
        offs.len(),
        offs[offs.len() / 2]
    );
}

/// Measures the same with two threads.
fn jobs(
    model: &Arc<Model>,
    options: FitOptions,
    fitted: &[(Image, Points)],
    starts: &[Points],
    repeats: u32,
) {
    let run = |threads: usize| {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut fitter = Fitter::new(model.clone(), options);
                    for _ in 0..4 {
                        for ((image, _), points) in fitted.iter().zip(starts) {
                            std::hint::black_box(fitter.fit(image, &model.pose_of(points)));
                        }
                    }
                });
            }
        });
        (threads * 4 * fitted.len()) as f64 / begin.elapsed().as_secs_f64()
    };
    let most = |threads: usize| (0..repeats).map(|_| run(threads)).fold(0.0, f64::max);
    let [one, two] = [most(1), most(2)];
    println!("vivant two jobs: {:.2} × as fast as one ({two:.0} fps with {one:.0})", two / one);
}

/// Writes images as PGM, and all points as JSON.
fn export(
    folder: &Path,
    examples: &[Example<'_>],
    fitted: &[(Image, Points)],
    starts: &[Points],
    model: &Model,
) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut json = format!(
        "{{\"pixels\": {}, \"shapes\": {}, \"looks\": {}, \"examples\": [",
        model.pixel_count(),
        model.parameter_counts()[0],
        model.parameter_counts()[1]
    );
    for (index, example) in examples.iter().enumerate() {
        let name = format!("example{index}.pgm");
        std::fs::write(folder.join(&name), pgm(example.image))?;
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(json, "{comma}\n{{\"image\": \"{name}\", \"points\": {}}}", mesh(example.points));
    }
    json += "],\n\"fits\": [";
    for (index, ((image, points), start)) in fitted.iter().zip(starts).enumerate() {
        let name = format!("fit{index}.pgm");
        std::fs::write(folder.join(&name), pgm(image))?;
        let comma = if index > 0 { "," } else { "" };
        let (points, start) = (mesh(points), mesh(start));
        let _ = write!(json, "{comma}\n{{\"image\": \"{name}\", \"points\": {points}, \"start\": {start}}}");
    }
    std::fs::write(folder.join("aam.json"), json + "]}\n")
}

fn pgm(image: &Image) -> Vec<u8> {
    let mut bytes = format!("P5\n{} {}\n255\n", image.width, image.height).into_bytes();
    bytes.extend(image.plane(0));
    bytes
}

/// Returns the 42 points as JSON.
fn mesh(points: &Points) -> String {
    let pairs: Vec<String> =
        layout::with_border(points).iter().map(|p| format!("[{:.4}, {:.4}]", p.x, p.y)).collect();
    format!("[{}]", pairs.join(", "))
}
