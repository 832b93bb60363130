//! Writes synthetic videos in formats that other programs read.

use super::Scene;
use crate::film::Image;
use std::io::{Result, Write};

/// Writes frames as Y4M: gray, or full-range 4:4:4 if the video has colours.
///
/// # Errors
/// Returns the errors of the writer.
pub fn y4m(scene: &Scene, frames: std::ops::Range<usize>, out: &mut impl Write) -> Result<()> {
    let settings = scene.settings();
    // Rates are fractions; a resolution of 0.001 fps is sufficient.
    let rate = (settings.fps * 1000.0).round() as u64;
    let kind = if settings.channels == 3 { "444 XCOLORRANGE=FULL" } else { "mono XCOLORRANGE=FULL" };
    writeln!(out, "YUV4MPEG2 W{} H{} F{rate}:1000 Ip A1:1 C{kind}", settings.width, settings.height)?;
    for index in frames {
        out.write_all(b"FRAME\n")?;
        let (image, _) = scene.frame(index);
        out.write_all(&if settings.channels == 3 { yuv(&image) } else { image.data })?;
    }
    Ok(())
}

/// Writes frames as raw bytes, one gray byte per pixel.
///
/// # Errors
/// Returns the errors of the writer.
pub fn raw_gray(scene: &Scene, frames: std::ops::Range<usize>, out: &mut impl Write) -> Result<()> {
    for index in frames {
        let (image, _) = scene.frame(index);
        out.write_all(&if image.channels == 3 {
            yuv(&image)[..image.plane(0).len()].to_vec()
        } else {
            image.data
        })?;
    }
    Ok(())
}

/// Converts RGB to YCbCr (BT.601, full range), plane by plane.
fn yuv(image: &Image) -> Vec<u8> {
    const ROWS: [([f32; 3], f32); 3] = [
        ([0.299, 0.587, 0.114], 0.0),
        ([-0.168_736, -0.331_264, 0.5], 128.0),
        ([0.5, -0.418_688, -0.081_312], 128.0),
    ];
    let planes = [0, 1, 2].map(|channel| image.plane(channel));
    let pixel = |(weights, offset): ([f32; 3], f32), index: usize| {
        let parts = planes.iter().zip(weights).map(|(plane, weight)| f32::from(plane[index]) * weight);
        (offset + parts.sum::<f32>() + 0.5).clamp(0.0, 255.0) as u8
    };
    ROWS.into_iter().flat_map(|row| (0..planes[0].len()).map(move |index| pixel(row, index))).collect()
}
