//! A minute of a performer's life as numbers, to compare with other builds of the engine: the browser's above all.
//!
//! `minute <avatar> <script> <frames a second>…`: the script has a line for each thing that the performer is told,
//! the second at which it is told, a blank, and JSON. For each rate a line of JSON comes out: a hash for each second of
//! frames, one for the frames that all rates have in common, and how many microseconds a frame of each second
//! takes at best where nobody asks for anything.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::hint::black_box;
use std::time::Instant;
use vivant::frame::Frame;
use vivant::rig::Bone;
use vivant_host::{Avatar, Hosted, Motions, Role};

const SECONDS: usize = 60;
/// How often it is measured: others use the machine too, so of each second the best counts.
const AGAIN: usize = 5;
/// Times a second at which frames of 24, 60 and 144 a second coincide.
const COMMON_HZ: usize = 12;

/// FNV-1a over words of 32 bits, which is quick in JavaScript too.
struct Hash(u32);

impl Hash {
    const BASIS: Self = Self(0x811c_9dc5);

    fn take(&mut self, frame: &Frame) {
        let all = frame.rotations();
        // The engine's arrays are a little longer than there are bones.
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
        return Err("usage: minute <avatar> <script> <frames a second>…".into());
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

/// Keeps what a frame of each second takes where that is less than before.
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

/// Lets a performer live for a minute, told what the script says; each frame is seen with its number, from 1.
fn live(
    mut hosted: Hosted,
    script: &[&str],
    rate: usize,
    mut see: impl FnMut(usize, &Frame),
) -> Result<(), Box<dyn std::error::Error>> {
    for second in 0..SECONDS {
        for line in script {
            let (at, json) = line.split_once(' ').ok_or("a line is a second, a blank and JSON")?;
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
