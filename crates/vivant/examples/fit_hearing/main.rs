//! Fits the hearing's network to speech that `tests/speech/speak.py` made, and writes the engine's file:
//! `cargo run --release -p vivant --example fit_hearing -- FOLDER [EPOCHS] [ROUNDS]`.

#![allow(missing_docs, unreachable_pub, clippy::print_stdout, reason = "a program for those who fit")]

mod fit;
mod made;
#[path = "../../tests/hearing/phones.rs"]
mod phones;
#[path = "../../tests/hearing/speech.rs"]
mod speech;
mod vary;

use fit::{Sample, Scales};
use speech::Speech;
use std::fmt::Write;
use std::path::Path;
use vivant::chance::Chance;
use vivant::speech::audio::{
    Ear, FEATURES, FIRST_FRAME_SECS, FRAMES_PER_SEC, HIDDEN, INPUTS, LATE_SECS, Memory, Network, VISEMES,
};

/// Aligners say that phones begin this much earlier than synthesisers do: a phone that is in the last part of a window of
/// 25 ms already counts at the window's beginning. A mouth is rather early, too.
const EARLY_SECS: f64 = 0.01;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().expect("name the folder that tests/speech/speak.py made");
    let mut number = |usual: usize| words.next().map_or(usual, |word| word.parse().expect("a number"));
    let (epochs, rounds) = (number(8), number(1));
    let made = made::made(Path::new(&folder));
    let chance = Chance::new(9, "vary");
    let varied = |round: usize| {
        made.iter().enumerate().map(move |(n, speech)| vary::vary(speech, chance, (round << 20 | n) as u64))
    };
    let mut samples: Vec<Sample> = (0..rounds).flat_map(varied).flat_map(|speech| samples(&speech)).collect();
    println!("{} frames of {} utterances", samples.len(), made.len());
    let scales = Scales::of(&samples);
    scales.apply(&mut samples);
    let network = fit::fit(&samples, epochs, |epoch, loss| println!("{epoch}: {loss:.4}"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/speech/audio/standard.rs");
    std::fs::write(&file, source(&scales.undo(network))).unwrap();
    println!("{} is written; cargo fmt it and test", file.display());
}

/// The inputs of each frame whose phone is known.
fn samples(speech: &Speech) -> Vec<Sample> {
    let (mut ear, mut memory, mut samples) =
        (Ear::new(speech.rate_hz).unwrap(), Memory::default(), Vec::new());
    let late = (LATE_SECS * FRAMES_PER_SEC - FIRST_FRAME_SECS * FRAMES_PER_SEC).round() as u64;
    let mut frame = 0;
    for &sample in &speech.samples {
        ear.push(sample);
        while let Some(sound) = ear.next_sound() {
            memory.push(&sound.features);
            frame += 1;
            if !memory.is_ready() || sound.is_silent {
                continue;
            }
            let at_secs = FIRST_FRAME_SECS + (frame - 1 - late) as f64 / FRAMES_PER_SEC;
            if let Some(viseme) = speech.viseme_at(at_secs + EARLY_SECS) {
                samples.push(Sample { inputs: memory.inputs(), viseme });
            }
        }
    }
    samples
}

fn source(network: &Network) -> String {
    let mut text = String::from(
        "//! The standard hearing, as numbers: weights in 1024ths. They are fitted, not written:\n\
         //! `cargo run --release -p vivant --example fit_hearing` makes this file from speech that `tests/speech/speak.py`\n\
         //! made; `docs/audio.md` says more.\n\n\
         use super::{FEATURES, HIDDEN, INPUTS, VISEMES};\n\n\
         /// The mean shape of the spectrum of voices, with which a listener begins.\n",
    );
    let usual = vivant::speech::audio::USUAL_SHAPE;
    let _ = writeln!(text, "pub const USUAL_SHAPE: [f32; FEATURES - 3] = {usual:?};\n");
    let _: [f32; FEATURES - 3] = usual;
    table::<HIDDEN>(&mut text, "HIDDEN_WEIGHTS", "[[i16; HIDDEN]; INPUTS]", &network.hidden);
    table::<HIDDEN>(&mut text, "HIDDEN_BIAS", "[i16; HIDDEN]", &[network.hidden_bias]);
    table::<VISEMES>(&mut text, "OUT_WEIGHTS", "[[i16; VISEMES]; HIDDEN]", &network.out);
    table::<VISEMES>(&mut text, "OUT_BIAS", "[i16; VISEMES]", &[network.out_bias]);
    assert_eq!((network.hidden.len(), network.out.len()), (INPUTS, HIDDEN));
    text
}

fn table<const N: usize>(text: &mut String, name: &str, kind: &str, rows: &[[f32; N]]) {
    let whole = |weight: &f32| format!("{}", (weight * 1024.0).round().clamp(-32767.0, 32767.0) as i16);
    let row = |row: &[f32; N]| format!("[{}]", row.iter().map(whole).collect::<Vec<_>>().join(", "));
    let rows: Vec<String> = rows.iter().map(row).collect();
    let rows =
        if kind.starts_with("[[") { format!("[\n    {},\n]", rows.join(",\n    ")) } else { rows.join("") };
    let _ = writeln!(text, "#[rustfmt::skip]\npub(super) static {name}: {kind} = {rows};");
}
