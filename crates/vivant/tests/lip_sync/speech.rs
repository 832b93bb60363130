//! Speech with known phonemes.

use std::path::Path;

/// Samples, and the viseme of each phoneme with its start and end in seconds.
#[derive(Clone)]
pub struct Speech {
    pub rate_hz: u32,
    pub samples: Vec<f32>,
    pub phones: Vec<(f64, f64, Option<usize>)>,
}

impl Speech {
    /// Returns the viseme at a time, if known.
    pub fn viseme_at(&self, at_secs: f64) -> Option<usize> {
        self.phones.iter().find(|(start, end, _)| (*start..*end).contains(&at_secs))?.2
    }
}

/// Reads a mono 16-bit WAV file, the only format of the recordings.
pub fn wav(file: &Path) -> (u32, Vec<f32>) {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (mut rate_hz, mut at) = (0, 12);
    while at + 8 <= bytes.len() {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let size = number(at + 4) as usize;
        match &bytes[at..at + 4] {
            b"fmt " => rate_hz = number(at + 12),
            b"data" => {
                let end = (at + 8 + size).min(bytes.len());
                let sample = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32768.0;
                return (rate_hz, bytes[at + 8..end].chunks_exact(2).map(sample).collect());
            }
            _ => {}
        }
        at += 8 + size + size % 2;
    }
    panic!("{} has no samples", file.display())
}
