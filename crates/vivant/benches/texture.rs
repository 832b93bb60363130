//! Speed of eye texture synthesis: `cargo bench -p vivant --bench texture -- [FRAMES [REPEATS]]`.
//!
//! The sizes are those of Deng 2005: 16,500 frames of lids and gaze, patches of 20, boundaries of 4, ε = 0.2. The
//! recording is synthetic: a blink every three seconds, and saccades with fixations.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use vivant::chance::{Chance, Draw};
use vivant::eyes::blink::Blink;
use vivant::eyes::texture::{Corpus, Form, PatchConstraints, Run, Synthesis, Texture, TextureDef, Tolerance};

const RATE_HZ: f64 = 120.0;
const FRAMES: usize = 16_500;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [frames, repeats] = [(0, 1_000_000), (1, 5)].map(|(i, or)| *numbers.get(i).unwrap_or(&or));
    for (name, form) in [("liang", Form::Liang), ("literal", Form::Literal)] {
        let texture = Arc::new(texture(form));
        let eyes = Synthesis::new(Arc::clone(&texture), 7);
        measure(&format!("vivant {name}"), &eyes, frames, repeats);
        measure(
            &format!("vivant {name}, comparing all"),
            &eyes.with_exhaustive_search(),
            frames / 10,
            repeats,
        );
    }
}

fn measure(name: &str, eyes: &Synthesis, frames: usize, repeats: usize) {
    let (mut best, mut sum, mut unfit) = (f64::INFINITY, 0.0, 0);
    let patches = frames / eyes.texture().step_frames();
    for _ in 0..repeats {
        let mut eyes = eyes.clone();
        unfit = 0;
        let start = secs();
        for _ in 0..patches {
            sum += eyes.next_patch(&PatchConstraints::default())[0].openness;
            unfit += usize::from(eyes.last().is_some_and(|choice| !choice.satisfied.tolerance));
        }
        best = best.min(secs() - start);
    }
    let made = (patches * eyes.texture().step_frames()) as f64;
    println!(
        "{name}: best {:.0} frames/s (cpu), {:.2} µs per patch; {unfit} of {patches} patches did not fit ({sum:.0})",
        made / best,
        1e6 * best / patches as f64
    );
}

/// Returns the CPU time of this thread in seconds, or the wall-clock time if the system does not report CPU time.
fn secs() -> f64 {
    let of_day = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(of_day, |nanoseconds| 1e-9 * nanoseconds)
}

fn texture(form: Form) -> Texture {
    let corpus = Corpus { name: "synthetic".into(), open_level: 0.9, runs: vec![run()], ..Corpus::default() };
    let def = TextureDef {
        rate_hz: RATE_HZ,
        patch_secs: 20.0 / RATE_HZ,
        boundary_secs: 4.0 / RATE_HZ,
        tolerance: Tolerance { form, epsilon: 0.2, floor: 0.0 },
        corpora: vec![corpus],
        ..TextureDef::default()
    };
    Texture::new(&def).expect("a valid texture")
}

fn run() -> Run {
    let draw = |name: &str| Chance::new(1, name).event(0);
    Run {
        openness: lids(&mut draw("lids")),
        yaw_deg: gaze(&mut draw("x")),
        pitch_deg: gaze(&mut draw("y")),
        ..Run::default()
    }
}

fn lids(draw: &mut Draw) -> Vec<f32> {
    let blink = Blink::new(35.0);
    let mut next = 0.0;
    (0..FRAMES)
        .map(|frame| {
            let t = frame as f64 / RATE_HZ;
            if t > next + blink.duration_secs() {
                next = t + 3.0 * -vivant::math::ln(1.0 - draw.uniform());
            }
            (0.9 * (1.0 - blink.closure((t - next).max(0.0))) + draw.between(-0.01, 0.01)) as f32
        })
        .collect()
}

fn gaze(draw: &mut Draw) -> Vec<f32> {
    let (mut from, mut to, mut since, mut rest) = (6.0, 6.0, 0.0, 0.0);
    (0..FRAMES)
        .map(|_| {
            since += 1.0;
            if since > rest {
                (from, to) = (to, (0.7 * to + draw.between(-12.0, 12.0)).clamp(-20.0, 20.0));
                (since, rest) = (0.0, RATE_HZ * draw.between(0.2, 1.5));
            }
            let share: f64 = (since / 4.0_f64).min(1.0);
            (from + (to - from) * share + draw.between(-0.1, 0.1)) as f32
        })
        .collect()
}
