//! The numbers of hearing. They are fitted, not written: `tests/speech/fit.py` makes `standard.bin`, and `docs/audio.md`
//! says from what.
//!
//! They are a seventh of what a page would have to load, and few pages have a voice to hear. So they are bytes, which are
//! built in with the feature `hearing` and can come later without it.

use super::VISEMES;
use super::ear::FEATURES;
use super::network::{FIRST, GATES, INPUTS, Layer, MEMORY};
use crate::{Error, Result};
use std::sync::{Arc, OnceLock};

/// What the bytes begin with.
const NAME: &[u8; 4] = b"VHW1";

#[cfg(feature = "hearing")]
const BUILT_IN: Option<&[u8]> = Some(include_bytes!("standard.bin"));
#[cfg(not(feature = "hearing"))]
const BUILT_IN: Option<&[u8]> = None;

/// Those that were given where none are built in. There is one set of them, as there is one alphabet: so this is no state.
static GIVEN: OnceLock<Vec<u8>> = OnceLock::new();

/// The weights of a network, and how its inputs are scaled.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) mean: [f32; FEATURES],
    pub(super) scale: [f32; FEATURES],
    pub(super) first: Layer<FIRST>,
    pub(super) of_sound: Layer<GATES>,
    pub(super) of_memory: Layer<GATES>,
    pub(super) out: Layer<VISEMES>,
}

impl Weights {
    /// For one who listens: they are gone when nobody does any more.
    pub(super) fn standard() -> Result<Arc<Self>> {
        Ok(Arc::new(Self::of(bytes()?)?))
    }

    fn of(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(|| {
            let count = bytes.len();
            Error::new(format!(
                "these {count} bytes are no weights of hearing; take the file that came with this version"
            ))
        })
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader(bytes.strip_prefix(NAME)?);
        let weights = Self {
            mean: rest.floats()?,
            scale: rest.floats()?,
            first: rest.layer(INPUTS)?,
            of_sound: rest.layer(FIRST)?,
            of_memory: rest.layer(MEMORY)?,
            out: rest.layer(MEMORY)?,
        };
        rest.0.is_empty().then_some(weights)
    }
}

fn bytes() -> Result<&'static [u8]> {
    BUILT_IN.or_else(|| GIVEN.get().map(Vec::as_slice)).ok_or_else(|| {
        Error::new("a voice cannot be heard before the weights of hearing are there; load them first")
    })
}

/// Lets voices be heard where the weights are not built in: give the bytes of `standard.bin`, once. Where they are there
/// already, nothing changes.
///
/// # Errors
/// If the bytes are something else.
pub fn learn(bytes: &[u8]) -> Result<()> {
    Weights::of(bytes)?;
    if BUILT_IN.is_none() {
        GIVEN.get_or_init(|| bytes.to_vec());
    }
    Ok(())
}

/// Whether voices can be heard.
///
/// # Errors
/// If the weights are not there.
pub fn check() -> Result<()> {
    bytes().map(|_| ())
}

/// What is left of the bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn floats<const N: usize>(&mut self) -> Option<[f32; N]> {
        let (words, _) = self.take(4 * N)?.as_chunks::<4>();
        Some(std::array::from_fn(|n| f32::from_le_bytes(words[n])))
    }

    /// Weights are whole numbers of a unit's own steps, by input, then by unit.
    fn layer<const UNITS: usize>(&mut self, inputs: usize) -> Option<Layer<UNITS>> {
        let (rows, _) = self.take(inputs * UNITS)?.as_chunks::<UNITS>();
        let (step, bias) = (self.floats::<UNITS>()?, self.floats()?);
        let row = |row: &[u8; UNITS]| std::array::from_fn(|unit| f32::from(row[unit] as i8) * step[unit]);
        Some(Layer { weights: rows.iter().map(row).collect(), bias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_weights_are_told() {
        let whole = BUILT_IN.unwrap();
        for bytes in [&whole[..whole.len() - 1], &[whole, &[0]].concat(), &whole[4..], b"VHW1", b""] {
            assert!(learn(bytes).unwrap_err().to_string().contains(&format!("these {} bytes", bytes.len())));
        }
    }
}
