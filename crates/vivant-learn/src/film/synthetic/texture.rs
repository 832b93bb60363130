//! Reproducible noise: the texture of skin and the grain of sensors.

/// Width and height of a texture in cells; the texture repeats.
const CELLS: usize = 128;
/// Width and height of the precomputed multi-octave texture.
const BAKED: usize = 512;
const BAKED_PER_CELL: usize = 8;

/// Value noise: random values at the corners of cells, interpolated smoothly.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    values: Vec<f32>,
    rich: Vec<f32>,
}

impl Texture {
    pub(super) fn of(seed: u64) -> Self {
        let corner = |index: usize| (mixed(seed ^ mixed(index as u64)) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let mut texture = Self { values: (0..CELLS * CELLS).map(corner).collect(), rich: Vec::new() };
        texture.rich =
            (0..BAKED * BAKED).map(|index| texture.octaves(index % BAKED, index / BAKED)).collect();
        texture
    }

    /// Returns the sum of three octaves at a position.
    fn octaves(&self, x: usize, y: usize) -> f32 {
        let [x, y] = [x, y].map(|place| place as f32 / BAKED_PER_CELL as f32);
        0.5 * self.at(x, y) + 0.3 * self.at(2.0 * x, 2.0 * y) + 0.2 * self.at(4.0 * x, 4.0 * y)
    }

    /// Returns a value from -1 to 1 at a position in cells.
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        let (x, across) = cell(x);
        let (y, down) = cell(y);
        between(&self.values, CELLS, [x, y], [eased(across), eased(down)])
    }

    /// Does the same as [`Texture::at`] with three octaves.
    pub(super) fn rich(&self, x: f32, y: f32) -> f32 {
        let (x, across) = cell(x * BAKED_PER_CELL as f32);
        let (y, down) = cell(y * BAKED_PER_CELL as f32);
        between(&self.rich, BAKED, [x, y], [across, down])
    }
}

/// Returns the integer part and the fraction of a position. Positions are above -4096, so truncation equals rounding
/// down, and is much faster.
fn cell(place: f32) -> (usize, f32) {
    let place = place + 4096.0;
    let whole = place as i32;
    (whole as usize, place - whole as f32)
}

/// Interpolates in a periodic square table whose side is a power of two.
fn between(table: &[f32], side: usize, [x, y]: [usize; 2], [across, down]: [f32; 2]) -> f32 {
    let wrap = side - 1;
    let row = |y: usize| {
        let row = &table[(y & wrap) * side..][..side];
        let (a, b) = (row[x & wrap], row[(x + 1) & wrap]);
        a + (b - a) * across
    };
    let (above, below) = (row(y), row(y + 1));
    above + (below - above) * down
}

/// Returns the smoothstep of a value from 0 to 1.
pub(super) fn eased(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

/// Returns a smoothstep from 0 at `from` to 1 at `to`.
pub(super) fn step(from: f32, to: f32, value: f32) -> f32 {
    eased(((value - from) / (to - from)).clamp(0.0, 1.0))
}

/// Returns a smooth bump of height 1 with the given width, centred at 0.
pub(super) fn bump(value: f32, width: f32) -> f32 {
    let x = value / width;
    let fall = 1.0 + x * x;
    1.0 / (fall * fall)
}

/// Returns noise with mean 0 and deviation 1 for a pixel of a frame: the sum of four uniform numbers.
pub(super) fn grain(seed: u64, frame: usize, pixel: usize) -> f32 {
    let bits = mixed(mixed(seed ^ 0x6772_6169_6e00 ^ ((frame as u64) << 32)) ^ pixel as u64);
    let sum: f32 = (0..4).map(|part| ((bits >> (16 * part)) & 0xffff) as f32).sum();
    // Four uniform numbers from 0 to 1 have the mean 2 and the variance 4 / 12.
    (sum / 65535.0 - 2.0) * 1.732_050_8
}

/// Mixes the bits of a value (SplitMix64).
pub(super) fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
