//! Frames in colour, shown to people. The tracker uses gray frames.

use crate::film::Ffmpeg;
use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use vivant_learn::film::Image;

/// Maximum mean difference between the gray frame and the brightness of the colour frame, out of 255. The gray values
/// of two codecs differ by a few units; another frame or file differs by more.
const MAX_DIFFERENCE: f64 = 12.0;

/// Returns the first frame after `from_secs` in colour, with the size of `gray`. Returns `None` if the frame cannot
/// be decoded, or may not be the same frame as `gray`.
pub(super) fn frame(path: &Path, from_secs: f64, gray: &Image) -> Option<Image> {
    let colour = decoded(path, from_secs, gray.width, gray.height)?;
    (brightness_difference(&colour, gray) < MAX_DIFFERENCE).then_some(colour)
}

fn decoded(path: &Path, from_secs: f64, width: usize, height: usize) -> Option<Image> {
    let mut input = OsString::from("file:");
    input.push(path);
    let mut command = Ffmpeg::find().ok()?.command();
    command.args(["-ss", &format!("{from_secs:.6}"), "-protocol_whitelist", "file", "-i"]).arg(input);
    command.args(["-map", "0:V:0", "-frames:v", "1", "-vf", &format!("scale={width}:{height}:flags=area")]);
    command.args(["-f", "rawvideo", "-pix_fmt", "gbrp", "-"]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let plane = width * height;
    if output.stdout.len() != 3 * plane {
        return None;
    }
    // Reorders green, blue, red to red, green, blue.
    let (green_blue, red) = output.stdout.split_at(2 * plane);
    Image::planes(width, height, 3, [red, green_blue].concat())
}

/// Mean brightness difference over a subset of pixels.
fn brightness_difference(colour: &Image, gray: &Image) -> f64 {
    const EVERY: usize = 17;
    let [red, green, blue] = std::array::from_fn(|channel| colour.plane(channel));
    let pixels = (0..gray.width * gray.height).step_by(EVERY);
    let count = pixels.len().max(1) as f64;
    // ITU-R BT.601.
    let bright = |pixel: usize| {
        0.299 * f64::from(red[pixel]) + 0.587 * f64::from(green[pixel]) + 0.114 * f64::from(blue[pixel])
    };
    pixels.map(|pixel| (bright(pixel) - f64::from(gray.plane(0)[pixel])).abs()).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_frame_is_rejected() {
        let gray = Image::gray(20, 20, vec![100; 400]).unwrap();
        let same = Image::planes(20, 20, 3, vec![100; 1200]).unwrap();
        let other = Image::planes(20, 20, 3, vec![160; 1200]).unwrap();
        assert!(
            brightness_difference(&same, &gray) < 1e-9
                && brightness_difference(&other, &gray) > MAX_DIFFERENCE
        );
    }
}
