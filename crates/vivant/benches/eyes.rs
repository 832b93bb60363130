//! Cost of eyes, lids, head and blinks: `cargo bench -p vivant --bench eyes -- [SECONDS [REPEATS]]
//! [alone|speaking|led]`.
//!
//! An idle character, one in conversation, and one with a gaze request twice a second, at 60 Hz, including events.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;
use vivant::eyes::blinking::Activity;
use vivant::eyes::gaze::Ranges;
use vivant::eyes::{Eyes, HeadPose, Look, Temperament};

fn main() {
    let numbers: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [seconds, repeats] = [(0, 600), (1, 10)].map(|(i, or)| *numbers.get(i).unwrap_or(&or));
    let scenes = [("alone", alone as fn(u32) -> Eyes), ("speaking", speaking), ("led", led)];
    let chosen: Vec<_> = scenes.iter().filter(|(name, _)| std::env::args().any(|a| a == *name)).collect();
    for (name, prepare) in if chosen.is_empty() { scenes.iter().collect() } else { chosen } {
        let mut best = f64::INFINITY;
        let mut sum = 0.0;
        for _ in 0..repeats {
            let mut eyes = prepare(seconds);
            let pose = HeadPose::standing(vivant::eyes::direction::Direction::AHEAD);
            let start = Instant::now();
            for frame in 0..seconds * 60 {
                sum += eyes.advance_to(f64::from(frame) / 60.0, |_, _| pose).gaze.x;
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let nanoseconds = best * 1e9 / f64::from(seconds * 60);
        println!("eyes {name}: best {nanoseconds:.0} ns per character and frame ({sum:.3})");
    }
}

fn alone(_: u32) -> Eyes {
    let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 7);
    eyes.start_idle_behaviour(0.0);
    eyes
}

fn speaking(seconds: u32) -> Eyes {
    let mut eyes = alone(seconds);
    eyes.set_activity(0.0, Activity::Speaking);
    eyes
}

fn led(seconds: u32) -> Eyes {
    let mut eyes = alone(seconds);
    for i in 0..seconds * 2 {
        let yaw = f64::from(i % 7) * 12.0 - 36.0;
        eyes.look(Look { at: f64::from(i) * 0.5, ..Look::towards(yaw, f64::from(i % 3) * 8.0 - 8.0) });
    }
    eyes
}
