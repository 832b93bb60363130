//! A face that was captured while somebody spoke Mandarin, from `VIVANT_DATA`.

use std::path::Path;

/// Controls of a face, 30 times a second.
pub struct Face {
    columns: usize,
    values: Vec<f64>,
}

/// Controls by their columns. The file of names that comes with them is one off: only so are the left and the right of a
/// mouth alike.
pub const FUNNEL: usize = 42;
pub const OH: usize = 63;
pub const JAW: usize = 74;
pub const SUCK: usize = 75;

impl Face {
    /// Reads a table of doubles that NumPy wrote: ten bytes, a header of the length that the last two say, and the numbers.
    pub fn read(folder: &Path) -> Self {
        let file = folder.join("facegood/bs_value_1114_3_15.npy");
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let header = String::from_utf8_lossy(&bytes[10..start]).into_owned();
        assert!(header.contains("<f8") && header.contains("1472"), "{header}");
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
        Self { columns: 116, values: bytes[start..].chunks_exact(8).map(number).collect() }
    }

    /// A control at a time, or nothing after the end.
    pub fn at(&self, secs: f64, control: usize) -> Option<f64> {
        self.values.get((secs * 30.0) as usize * self.columns + control).copied()
    }
}
