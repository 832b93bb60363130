//! The fitted weights of audio lip-sync. `tests/speech/fit.py` creates `standard.bin`; `docs/science/lip-sync.md`
//! lists the training data.
//!
//! The weights would be a seventh of the download size of a page, and few pages need lip-sync from audio. So the
//! weights are built in only with the feature `lip-sync`. Without this feature, they can be loaded later.

use super::VISEMES;
use super::features::FEATURES;
use super::network::{FIRST, GATES, INPUTS, Layer, MEMORY};
use crate::{Error, Result};

/// Magic bytes at the start of the file.
const NAME: &[u8; 4] = b"VHW1";

#[cfg(feature = "lip-sync")]
const BUILT_IN: Option<&[u8]> = Some(include_bytes!("standard.bin"));
#[cfg(not(feature = "lip-sync"))]
const BUILT_IN: Option<&[u8]> = None;

/// Model of audio lip-sync: the weights of its network and the scaling of its inputs. Listeners share the model through
/// an [`Arc`](std::sync::Arc).
///
/// ```
/// use std::sync::Arc;
/// use vivant::speech::audio::{LipSyncModel, Listener};
///
/// let model = Arc::new(LipSyncModel::built_in()?);
/// let (one, other) = (Listener::with_model(16_000, model.clone())?, Listener::with_model(48_000, model)?);
/// # drop((one, other));
/// # Ok::<(), vivant::Error>(())
/// ```
pub struct LipSyncModel {
    pub(super) mean: [f32; FEATURES],
    pub(super) scale: [f32; FEATURES],
    pub(super) first: Layer<FIRST>,
    pub(super) of_input: Layer<GATES>,
    pub(super) of_memory: Layer<GATES>,
    pub(super) out: Layer<VISEMES>,
}

impl std::fmt::Debug for LipSyncModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LipSyncModel")
    }
}

impl LipSyncModel {
    /// Decodes the model that is built in with the feature `lip-sync`.
    ///
    /// # Errors
    /// If the feature is off.
    pub fn built_in() -> Result<Self> {
        let bytes = BUILT_IN.ok_or_else(|| {
            Error::new(
                "audio lip-sync needs its model; load the model first, or build with the feature `lip-sync`",
            )
        })?;
        Self::from_bytes(bytes)
    }

    /// Decodes the bytes of `standard.bin`.
    ///
    /// # Errors
    /// If the bytes are not a lip-sync model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(|| {
            let count = bytes.len();
            Error::new(format!(
                "these {count} bytes are not a lip-sync model; use the file that came with this version"
            ))
        })
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader(bytes.strip_prefix(NAME)?);
        let weights = Self {
            mean: rest.floats()?,
            scale: rest.floats()?,
            first: rest.layer(INPUTS)?,
            of_input: rest.layer(FIRST)?,
            of_memory: rest.layer(MEMORY)?,
            out: rest.layer(MEMORY)?,
        };
        rest.0.is_empty().then_some(weights)
    }
}

/// Reader over the remaining bytes.
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

    /// Reads a layer. Weights are stored as `i8` multiples of a step size per unit, ordered by input, then by unit.
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
    fn bytes_that_are_not_a_model_are_an_error() {
        let whole = BUILT_IN.unwrap();
        for bytes in [&whole[..whole.len() - 1], &[whole, &[0]].concat(), &whole[4..], b"VHW1", b""] {
            let error = LipSyncModel::from_bytes(bytes).unwrap_err();
            assert!(error.to_string().contains(&format!("these {} bytes", bytes.len())));
        }
    }
}
