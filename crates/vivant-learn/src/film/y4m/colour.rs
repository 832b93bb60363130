//! Converts frames from YCbCr to RGB.

use super::{Chroma, Header};

/// Returns the numbers of columns and of rows that share a chroma sample; `None` for gray.
fn shared(chroma: Chroma) -> Option<(usize, usize)> {
    match chroma {
        Chroma::Mono => None,
        Chroma::C420 => Some((2, 2)),
        Chroma::C411 => Some((4, 1)),
        Chroma::C422 => Some((2, 1)),
        Chroma::C444 | Chroma::C444Alpha => Some((1, 1)),
    }
}

/// Converts to planes of red, green and blue (BT.601, full range); `None` for a gray video. Limited-range video gets
/// less contrast, which does not matter to models.
pub(super) fn rgb(header: &Header, luma: &[u8], chroma: &[u8]) -> Option<Vec<u8>> {
    let (columns, rows) = shared(header.chroma)?;
    let (width, height) = (header.width, header.height);
    let (wide, high) = (width.div_ceil(columns), height.div_ceil(rows));
    let (blues, reds) = (chroma.get(..wide * high)?, chroma.get(wide * high..2 * wide * high)?);
    let size = width * height;
    let mut all = vec![0; 3 * size];
    for (at, light) in luma.iter().enumerate().take(size) {
        let from = at / width / rows * wide + at % width / columns;
        let [r, g, b] = pixel(*light, blues[from], reds[from]);
        (all[at], all[size + at], all[2 * size + at]) = (r, g, b);
    }
    Some(all)
}

fn pixel(light: u8, blue: u8, red: u8) -> [u8; 3] {
    let (y, u, v) = (f32::from(light), f32::from(blue) - 128.0, f32::from(red) - 128.0);
    [y + 1.402 * v, y - 0.344_136 * u - 0.714_136 * v, y + 1.772 * u].map(|value| value.round() as u8)
}

#[cfg(test)]
mod tests {
    use crate::film::Image;
    use crate::film::y4m::Reader;

    fn frame(kind: &str, samples: &[u8]) -> Image {
        let bytes = [format!("YUV4MPEG2 W2 H2 {kind}\nFRAME\n").as_bytes(), samples].concat();
        Reader::new(&bytes[..]).unwrap().in_colour().next().unwrap().unwrap()
    }

    #[test]
    fn all_chroma_formats_are_converted() {
        // Pure red.
        let red = [[76; 4], [85; 4], [255; 4]];
        let all: Vec<u8> = red.concat();
        let half: Vec<u8> = [&red[0][..], &red[1][..2], &red[2][..2]].concat();
        let quarter: Vec<u8> = [&red[0][..], &red[1][..1], &red[2][..1]].concat();
        let alpha = [all.clone(), vec![9; 4]].concat();
        let cases =
            [("C444", &all), ("C444alpha", &alpha), ("C422", &half), ("C411", &half), ("C420", &quarter)];
        for (kind, samples) in cases {
            let image = frame(kind, samples);
            assert_eq!((image.channels, &image.data[..4]), (3, &[254_u8; 4][..]), "{kind}");
            assert!(image.data[4..].iter().all(|value| *value < 2), "{kind}: {:?}", image.data);
        }
        let deep: Vec<u8> = all.iter().flat_map(|value| (u16::from(*value) << 2).to_le_bytes()).collect();
        assert_eq!(frame("C444p10", &deep), frame("C444", &all));
    }

    #[test]
    fn chroma_is_assigned_to_the_right_pixels() {
        let image = frame("C422", &[100, 100, 100, 100, 128, 200, 128, 128]);
        assert_eq!(image.plane(2), [100, 100, 228, 228], "only the second row is blue");
    }

    #[test]
    fn a_gray_video_has_no_colours() {
        assert_eq!(frame("Cmono", &[1, 2, 3, 4]), Image::gray(2, 2, vec![1, 2, 3, 4]).unwrap());
    }
}
