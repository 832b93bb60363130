//! Writes acoustic features of speech with known phonemes, the training data of audio lip-sync for `tests/speech/fit.py`:
//! `cargo run --release -p vivant-tools --bin fit-lip-sync -- OUT FOLDER [ROUNDS]` uses the speech made by
//! `tests/speech/speak.py` or `readings.py`, unchanged and with random variations, once per round;
//! `cargo run --release -p vivant-tools --bin fit-lip-sync -- OUT` uses the aligned recordings in `VIVANT_DATA`.
//!
//! Each frame is a row of little-endian 32-bit numbers: the number of its utterance, its viseme (−1 if unknown), and
//! its features. `OUT.names` has the names of the utterances, one per line.

#![forbid(unsafe_code)]
#![allow(missing_docs, unreachable_pub, dead_code, clippy::print_stdout, reason = "a program for training")]

#[path = "../../../../vivant/tests/lip_sync/aligned.rs"]
mod aligned;
mod made;
#[path = "../../../../vivant/tests/lip_sync/phones.rs"]
mod phones;
#[path = "../../../../vivant/tests/lip_sync/speech.rs"]
mod speech;
mod vary;

use speech::Speech;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use vivant::chance::{Chance, Draw};
use vivant::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC, FeatureExtractor};

/// Time by which aligners place the starts of phonemes earlier than synthesisers, in seconds. An aligner uses windows
/// of 25 ms, whose middle is 12.5 ms after their start, but counts them as 10 ms long, with the middle at 5 ms.
/// Mouths also tend to move early.
const EARLY_SECS: f64 = 0.0075;

fn main() {
    let mut words = std::env::args().skip(1);
    let out = words.next().expect("give the file to write");
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
    println!("{utterances} utterances written to {out}");
}

/// Groups one to five utterances, so that the durations vary from one to twenty seconds.
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

/// Writes all frames of an utterance. Clearly silent frames are not classified, so they have no viseme here.
fn write_frames(file: &mut impl Write, utterance: f32, speech: &Speech, early_secs: f64) {
    let mut extractor = FeatureExtractor::new(speech.rate_hz).unwrap();
    let mut frame = 0_u32;
    for &sample in &speech.samples {
        extractor.push(sample);
        while let Some(features) = extractor.next_frame() {
            let at_secs = FIRST_FRAME_SECS + f64::from(frame) / FRAMES_PER_SEC + early_secs;
            let viseme = speech
                .viseme_at(at_secs)
                .filter(|_| !features.is_silent)
                .map_or(-1.0, |viseme| viseme as f32);
            for number in [utterance, viseme].iter().chain(&features.features) {
                file.write_all(&number.to_le_bytes()).unwrap();
            }
            frame += 1;
        }
    }
}
