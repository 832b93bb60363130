//! Prints hashes and computation times of one minute of a performer, to compare builds of the engine, mainly for the
//! browser.
//!
//! Usage: `minute <avatar> <script> <frames per second>…`. Each line of the script is a request: the time in seconds,
//! a space, and JSON. For each rate, the program prints a line of JSON: a hash for each second of frames, a hash of
//! the frames that all rates have in common, and the minimum time per frame in microseconds for each second without
//! requests.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "its purpose is to print")]

use std::hint::black_box;
use std::time::Instant;
use vivant::frame::Frame;
use vivant::rig::Bone;
use vivant_host::{Avatar, Hosted, Motions, Role};

const SECONDS: usize = 60;
/// Number of measurements. The minimum for each second is used, because of other load on the machine.
const AGAIN: usize = 5;
/// Number of times per second at which frames of 24, 60 and 144 Hz coincide.
const COMMON_HZ: usize = 12;

/// FNV-1a over 32-bit words, which is also fast in JavaScript.
struct Hash(u32);

impl Hash {
    const BASIS: Self = Self(0x811c_9dc5);

    fn take(&mut self, frame: &Frame) {
        let all = frame.rotations();
        // The engine's arrays are slightly longer than the number of bones.
        let parts = all.x.iter().zip(&all.y).zip(&all.z).zip(&all.w).take(Bone::COUNT);
        let rotations = parts.flat_map(|(((x, y), z), w)| [*x, *y, *z, *w]);
        for number in rotations.chain(frame.root().to_array()).chain(frame.weights().iter().copied()) {
            self.0 = (self.0 ^ number.to_bits()).wrapping_mul(0x0100_0193);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [avatar, script, rates @ ..] = &words[..] else {
        return Err("usage: minute <avatar> <script> <frames per second>…".into());
    };
    let avatar = Avatar::read(avatar, &std::fs::read(avatar)?)?;
    let script = std::fs::read_to_string(script)?;
    let lines: Vec<&str> = script.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = Hosted::new(&avatar, &Motions::built_in(), &Role::read(r#"{"seed": 7}"#)?)?;
    for rate in rates {
        let another = || Role::read(r#"{"seed": 7}"#).map(|role| first.another(&role));
        let (mut seconds, mut common, mut in_second) = (Vec::new(), Hash::BASIS, Hash::BASIS);
        let rate: usize = rate.parse()?;
        live(another()?, &lines, rate, |number, frame| {
            in_second.take(frame);
            if (number * COMMON_HZ).is_multiple_of(rate) {
                common.take(frame);
            }
            if number.is_multiple_of(rate) {
                seconds.push(format!("\"{:08x}\"", in_second.0));
                in_second = Hash::BASIS;
            }
        })?;
        let mut micros = [f64::INFINITY; SECONDS];
        for _ in 0..AGAIN {
            measure(another()?, rate, &mut micros)?;
        }
        let micros = micros.map(|micros| format!("{micros:.3}")).join(",");
        let (seconds, common) = (seconds.join(","), common.0);
        println!(r#"{{"rate":{rate},"seconds":[{seconds}],"common":"{common:08x}","micros":[{micros}]}}"#);
    }
    Ok(())
}

/// Measures the time per frame in each second, and keeps the minimum of all measurements.
fn measure(
    hosted: Hosted,
    rate: usize,
    micros: &mut [f64; SECONDS],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut begin = Instant::now();
    live(hosted, &[], rate, |number, frame| {
        assert!(black_box(frame.root()).is_finite());
        if number.is_multiple_of(rate) {
            let best = &mut micros[number / rate - 1];
            *best = best.min(begin.elapsed().as_secs_f64() * 1e6 / rate as f64);
            begin = Instant::now();
        }
    })
}

/// Runs a performer with a script for a minute. `see` is called with each frame and its number, from 1.
fn live(
    mut hosted: Hosted,
    script: &[&str],
    rate: usize,
    mut see: impl FnMut(usize, &Frame),
) -> Result<(), Box<dyn std::error::Error>> {
    for second in 0..SECONDS {
        for line in script {
            let (at, json) = line.split_once(' ').ok_or("a line must be a second, a space and JSON")?;
            if at.parse::<usize>()? == second {
                hosted.tell(json)?;
            }
        }
        for number in second * rate + 1..=(second + 1) * rate {
            see(number, hosted.advance_to(number as f64 / rate as f64));
        }
    }
    Ok(())
}
