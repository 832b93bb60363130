//! Writes what the ear makes of speech whose phones are known, for `tests/speech/fit.py` to fit the hearing to:
//! `cargo run --release -p vivant-tools --bin fit-lip-sync -- OUT FOLDER [ROUNDS]` takes what `tests/speech/speak.py` or
//! `readings.py` made, as it is and as often varied as there are rounds;
//! `cargo run --release -p vivant-tools --bin fit-lip-sync -- OUT` takes the aligned recordings in `VIVANT_DATA`.
//!
//! A frame is a row of numbers (little-endian, 32 bits): the number of its utterance, its viseme or −1 if it is unknown,
//! and its features. `OUT.names` has the name of each utterance in a line.

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::print_stdout,
    reason = "a program for those who fit"
)]

#[path = "../../../../vivant/tests/hearing/aligned.rs"]
mod aligned;
mod made;
#[path = "../../../../vivant/tests/hearing/phones.rs"]
mod phones;
#[path = "../../../../vivant/tests/hearing/speech.rs"]
mod speech;
mod vary;

use speech::Speech;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use vivant::chance::{Chance, Draw};
use vivant::speech::audio::{Ear, FIRST_FRAME_SECS, FRAMES_PER_SEC};

/// Aligners say that phones begin this much earlier than synthesisers do: they count a window of 25 ms at its beginning,
/// 12.5 ms before its middle, as 10 ms long, whose middle is 5 ms later. A mouth is rather early, too.
const EARLY_SECS: f64 = 0.0075;

fn main() {
    let mut words = std::env::args().skip(1);
    let out = words.next().expect("name the file to write");
    let folder = words.next();
    let rounds: u64 = words.next().map_or(1, |word| word.parse().expect("a number of rounds"));
    let mut file = BufWriter::new(File::create(&out).unwrap());
    let mut names = File::create(format!("{out}.names")).unwrap();
    let mut utterances = 0_u32;
    let mut take = |name: &str, speech: &Speech, early_secs: f64| {
        write_frames(&mut file, utterances as f32, speech, early_secs);
        writeln!(names, "{name}").unwrap();
        utterances += 1;
    };
    let Some(folder) = folder else {
        for (name, speech) in aligned::recordings(&aligned::folder().expect("VIVANT_DATA")) {
            take(name, &speech, 0.0);
        }
        return;
    };
    let chance = Chance::new(9, "vary");
    for (n, names) in made::by_voice(Path::new(&folder)).into_iter().enumerate() {
        let utterances: Vec<_> = names.iter().map(|name| made::read(name)).collect();
        let is_read = utterances[0].0.starts_with("read");
        let early_secs = if is_read { 0.0 } else { EARLY_SECS };
        if is_read {
            utterances.iter().for_each(|(name, speech)| take(name, speech, early_secs));
        }
        for round in 0..rounds {
            let index = round << 40 | (n as u64) << 20;
            for (part, some) in parts(&utterances, chance.event(index)).into_iter().enumerate() {
                let joined = vary::joined(
                    some.iter().map(|(_, speech)| speech),
                    chance.event(index + 2 * part as u64 + 1),
                );
                take(&some[0].0, &vary::vary(&joined, chance, index + 2 * part as u64 + 2), early_secs);
            }
        }
    }
    println!("{utterances} utterances are in {out}");
}

/// One to five utterances at a time: a voice is heard for one second, or for twenty.
fn parts(all: &[(String, Speech)], mut draw: Draw) -> Vec<&[(String, Speech)]> {
    let (mut rest, mut parts) = (all, Vec::new());
    while !rest.is_empty() {
        let count = (draw.between(1.0, 6.0) as usize).min(rest.len());
        let (part, after) = rest.split_at(count);
        parts.push(part);
        rest = after;
    }
    parts
}

/// All frames of an utterance. What is silent without a doubt is not judged, and so has no viseme here.
fn write_frames(file: &mut impl Write, utterance: f32, speech: &Speech, early_secs: f64) {
    let mut ear = Ear::new(speech.rate_hz).unwrap();
    let mut frame = 0_u32;
    for &sample in &speech.samples {
        ear.push(sample);
        while let Some(sound) = ear.next_sound() {
            let at_secs = FIRST_FRAME_SECS + f64::from(frame) / FRAMES_PER_SEC + early_secs;
            let viseme =
                speech.viseme_at(at_secs).filter(|_| !sound.is_silent).map_or(-1.0, |viseme| viseme as f32);
            for number in [utterance, viseme].iter().chain(&sound.features) {
                file.write_all(&number.to_le_bytes()).unwrap();
            }
            frame += 1;
        }
    }
}
