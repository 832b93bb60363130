//! Face capture of a Mandarin speaker, from `VIVANT_DATA`.

use std::path::Path;

/// Face controls at 30 Hz.
pub struct Face {
    columns: usize,
    values: Vec<f64>,
}

/// Controls by column. The file of names that comes with the data is off by one: only with this offset are the left
/// and right of the mouth symmetric.
pub const FUNNEL: usize = 42;
pub const OH: usize = 63;
pub const JAW: usize = 74;
pub const SUCK: usize = 75;

impl Face {
    /// Reads a table of doubles in NumPy format: ten bytes, a header whose length is in the last two of them, and the
    /// numbers.
    pub fn read(folder: &Path) -> Self {
        let file = folder.join("facegood/bs_value_1114_3_15.npy");
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let header = String::from_utf8_lossy(&bytes[10..start]).into_owned();
        assert!(header.contains("<f8") && header.contains("1472"), "{header}");
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
        Self { columns: 116, values: bytes[start..].chunks_exact(8).map(number).collect() }
    }

    /// Returns a control at a time; `None` after the end.
    pub fn at(&self, secs: f64, control: usize) -> Option<f64> {
        self.values.get((secs * 30.0) as usize * self.columns + control).copied()
    }
}
