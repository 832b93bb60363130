//! The file format of eye models: little endian, shapes as 64-bit and appearances as 32-bit floats.
//!
//! ```text
//! "VIVANTAM"  version u32  crc-32 of everything that follows u32
//! mesh u8 (0: 42 points, 1: 18)  channels u8
//! shapes u16  appearances u16  coupled u16  exemplars u16  pixels u32
//! f64: mean shape (x, y by point), shape vectors, weight, coupled vectors, their deviations,
//!      expected errors (typical, high), scales (least, most), tilts (least, most), exemplars
//! f32: mean appearance (by channel and pixel), appearance vectors
//! ```
//! The pixels are the integer positions inside the triangles of the mean shape, triangle by triangle and row by row.

use super::build::{MAX_PARAMETERS, MAX_PIXELS};
use super::mesh::{MAX_SIDE, Mesh};
use super::model::{Expected, Model, Sizes};
use glam::DVec2;
use vivant_io::{Error, Result};

const MAGIC: &[u8; 8] = b"VIVANTAM";
/// The format version that is written; other versions cannot be read.
pub const VERSION: u32 = 1;
/// Maximum number of image channels.
const MAX_CHANNELS: usize = 4;
const MAX_EXEMPLARS: usize = 64;
/// Maximum number of pixels in the bounding boxes of all triangles. Each of these pixels is tested when the template
/// is rasterized.
const MAX_TESTED_PIXELS: f64 = 1.5e7;
const HEAD: usize = 16;

impl Model {
    /// Serializes the model.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn body(&self) -> Vec<u8> {
        let mut body = vec![u8::from(self.mesh == Mesh::Bare), self.channels as u8];
        for count in [self.shapes.len(), self.appearances.len(), self.coupled.len(), self.exemplars.len()] {
            body.extend((count as u16).to_le_bytes());
        }
        body.extend((self.pixels.len() as u32).to_le_bytes());
        let points = self.base.iter().chain(self.shapes.iter().flatten()).flat_map(DVec2::to_array);
        let coupled = std::iter::once(&self.weight).chain(self.coupled.iter().flatten()).chain(&self.sds);
        let known = [self.expected.typical, self.expected.high].into_iter();
        let known = known.chain(self.sizes.scale).chain(self.sizes.tilt);
        let exact =
            points.chain(coupled.copied()).chain(known).chain(self.exemplars.iter().flatten().copied());
        body.extend(exact.flat_map(f64::to_le_bytes));
        let appearances = self.mean.iter().chain(self.appearances.iter().flatten());
        body.extend(appearances.flat_map(|value| value.to_le_bytes()));
        body
    }

    /// Reads a model from the bytes of a file; `name` is used in error messages.
    ///
    /// # Errors
    /// Returns an error if the file is not a model, has another version, is truncated, damaged or too large.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        read(bytes).map_err(|error| error.in_file(name))
    }
}

fn checksum(body: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(body);
    sum.sum()
}

fn read(bytes: &[u8]) -> Result<Model> {
    if !bytes.starts_with(MAGIC) {
        return Err(Error::new("not an eye model; build one from labelled frames of a video"));
    }
    let mut head = Cursor { bytes: &bytes[MAGIC.len()..] };
    let (version, sum) = (head.u32()?, head.u32()?);
    if version != VERSION {
        return Err(Error::new(format!(
            "unsupported format version {version}; this version of Vivant reads version {VERSION}; rebuild the model from \
             its labels"
        )));
    }
    if checksum(&bytes[HEAD..]) != sum {
        return Err(Error::new("the file is truncated or damaged; rebuild the model from its labels"));
    }
    let mut cursor = head;
    let model = cursor.model()?;
    if !cursor.bytes.is_empty() {
        return Err(Error::new(format!(
            "{} unexpected bytes at the end; rebuild the model",
            cursor.bytes.len()
        )));
    }
    Ok(model)
}

/// Reads values from the remaining bytes.
struct Cursor<'a> {
    bytes: &'a [u8],
}

/// Number of elements in each part of the file.
struct Counts {
    mesh: Mesh,
    channels: usize,
    shapes: usize,
    appearances: usize,
    coupled: usize,
    exemplars: usize,
    pixels: usize,
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or_else(|| Error::new("the file is truncated; rebuild the model"))?;
        self.bytes = rest;
        Ok(*first)
    }

    fn u16(&mut self) -> Result<usize> {
        self.take().map(u16::from_le_bytes).map(usize::from)
    }

    fn u32(&mut self) -> Result<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn number(&mut self, what: &str) -> Result<f64> {
        let number = f64::from_le_bytes(self.take()?);
        if number.abs() < 1e12 {
            Ok(number)
        } else {
            Err(Error::at(what, "the value is not finite or too large; rebuild the model"))
        }
    }

    fn positive(&mut self, what: &str) -> Result<f64> {
        let number = self.number(what)?;
        if number > 1e-12 {
            Ok(number)
        } else {
            Err(Error::at(what, "the value must be greater than zero; rebuild the model"))
        }
    }

    fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<f64>> {
        (0..count).map(|_| self.number(what)).collect()
    }

    fn range(&mut self, what: &str) -> Result<[f64; 2]> {
        let [low, high] = [self.number(what)?, self.number(what)?];
        if low <= high {
            Ok([low, high])
        } else {
            Err(Error::at(what, "the minimum exceeds the maximum; rebuild the model"))
        }
    }

    fn points(&mut self, count: usize, what: &str) -> Result<Vec<DVec2>> {
        (0..count).map(|_| Ok(DVec2::new(self.number(what)?, self.number(what)?))).collect()
    }

    fn singles(&mut self, count: usize, what: &str) -> Result<Vec<f32>> {
        let single = |_| {
            let number = f32::from_le_bytes(self.take()?);
            if number.abs() < 1e6 {
                Ok(number)
            } else {
                Err(Error::at(what, "the value is not finite or too large; rebuild the model"))
            }
        };
        (0..count).map(single).collect()
    }

    fn counts(&mut self) -> Result<Counts> {
        let [mesh, channels] = self.take()?;
        let mesh = match mesh {
            0 => Mesh::Bordered,
            1 => Mesh::Bare,
            _ => {
                return Err(Error::at(
                    "mesh",
                    format!("unknown mesh {mesh}; expected 0 (42 points) or 1 (18 points)"),
                ));
            }
        };
        let counts = Counts {
            mesh,
            channels: check_count("channels", channels.into(), 1, MAX_CHANNELS)?,
            shapes: check_count("shapes", self.u16()?, 0, MAX_PARAMETERS)?,
            appearances: check_count("appearances", self.u16()?, 0, MAX_PARAMETERS)?,
            coupled: check_count("coupled", self.u16()?, 1, MAX_PARAMETERS)?,
            exemplars: check_count("exemplars", self.u16()?, 1, MAX_EXEMPLARS)?,
            pixels: check_count("pixels", self.u32()? as usize, 1, MAX_PIXELS)?,
        };
        let size = counts.size();
        if size != self.bytes.len() {
            let message = format!(
                "{} bytes follow the counts, but {size} are needed; rebuild the model",
                self.bytes.len()
            );
            return Err(Error::new(message));
        }
        Ok(counts)
    }

    fn model(&mut self) -> Result<Model> {
        let counts = self.counts()?;
        let points = counts.mesh.points();
        let base = self.points(points, "mean shape")?;
        check_template(&base, counts.mesh)?;
        let shapes = (0..counts.shapes).map(|_| self.points(points, "shapes")).collect::<Result<_>>()?;
        let weight = self.positive("weight")?;
        let rows = counts.shapes + counts.appearances;
        let coupled = (0..counts.coupled).map(|_| self.numbers(rows, "coupled")).collect::<Result<_>>()?;
        let sds = (0..counts.coupled).map(|_| self.positive("deviations")).collect::<Result<_>>()?;
        let [typical, high] = self.range("expected errors")?;
        let (scale, tilt) = (self.range("scales")?, self.range("tilts")?);
        check_sizes(scale, tilt)?;
        let exemplar = |_| self.numbers(counts.coupled, "exemplars");
        let exemplars = (0..counts.exemplars).map(exemplar).collect::<Result<_>>()?;
        let size = counts.channels * counts.pixels;
        let mean = self.singles(size, "mean appearance")?;
        let appearances =
            (0..counts.appearances).map(|_| self.singles(size, "appearances")).collect::<Result<_>>()?;
        let model = Model {
            mesh: counts.mesh,
            channels: counts.channels,
            base,
            shapes,
            mean,
            appearances,
            weight,
            coupled,
            sds,
            expected: Expected { typical: typical.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) },
            sizes: Sizes { scale, tilt },
            exemplars,
            triangles: Vec::new(),
            pixels: Vec::new(),
        }
        .with_pixels();
        if model.pixels.len() == counts.pixels {
            Ok(model)
        } else {
            Err(Error::at(
                "pixels",
                format!(
                    "the count does not match the mean shape, which covers {} pixels; rebuild the model",
                    model.pixels.len()
                ),
            ))
        }
    }
}

impl Counts {
    /// Returns the number of bytes after the counts.
    fn size(&self) -> usize {
        let points = 2 * self.mesh.points() * (1 + self.shapes);
        let coupled = self.coupled * (self.shapes + self.appearances + 1);
        let exact = points + 1 + coupled + 6 + self.exemplars * self.coupled;
        8 * exact + 4 * self.channels * self.pixels * (1 + self.appearances)
    }
}

fn check_count(what: &str, count: usize, least: usize, most: usize) -> Result<usize> {
    if (least..=most).contains(&count) {
        Ok(count)
    } else {
        Err(Error::at(
            what,
            format!("the count is {count}, but must be {least} to {most}; rebuild the model"),
        ))
    }
}

/// Checks that the template can be rasterized quickly.
fn check_template(base: &[DVec2], mesh: Mesh) -> Result<()> {
    if base.iter().any(|point| point.cmplt(DVec2::ZERO).any() || point.cmpgt(DVec2::splat(MAX_SIDE)).any()) {
        return Err(Error::at(
            "mean shape",
            format!("a point lies outside 0 to {MAX_SIDE} pixels; rebuild the model"),
        ));
    }
    let frame = |corners: [DVec2; 3]| {
        let size = corners[0].max(corners[1]).max(corners[2]) - corners[0].min(corners[1]).min(corners[2]);
        (size.x + 1.0) * (size.y + 1.0)
    };
    let triangles = mesh.triangles().into_iter();
    let tested: f64 = triangles.map(|triangle| frame(triangle.map(|at| base[at]))).sum();
    if tested > MAX_TESTED_PIXELS {
        return Err(Error::at("mean shape", "the triangles are too large; rebuild the model"));
    }
    Ok(())
}

fn check_sizes(scale: [f64; 2], tilt: [f64; 2]) -> Result<()> {
    if scale[0] < 1e-3 || scale[1] > 1e4 {
        return Err(Error::at(
            "scales",
            "a template pixel must cover 0.001 to 10,000 image pixels; rebuild the model",
        ));
    }
    if tilt[0] < -4.0 || tilt[1] > 4.0 {
        return Err(Error::at(
            "tilts",
            "a tilt must be at most half a turn to either side; rebuild the model",
        ));
    }
    Ok(())
}
