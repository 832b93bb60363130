//! Frames from all over a film, made small: from them those are suggested that differ most.

use glam::DVec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_learn::film::{Image, suggest};

/// What tells frames apart, for each of them.
pub(super) type Looks = Vec<Vec<f32>>;

/// The most pixels in a row of a small picture: both eyes, small in it, are still as wide as a thumbnail.
const MOST_WIDTH: usize = 320;
/// The most that small pictures take, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// Of a film that is too long to be looked through, so many are seen. A twentieth of them are blinks where people
/// blink as usual: twenty times a minute, for 0.15 to 0.3 s.
const MOST_SOUGHT: usize = 300;

pub(super) struct Sample {
    seen: Mutex<Seen>,
    /// How many frames will be seen.
    of: usize,
}

#[derive(Default)]
struct Seen {
    /// By the numbers of frames, each at a share of its size.
    pictures: Vec<(usize, Arc<Image>, f64)>,
    looks: Looks,
    is_over: bool,
}

impl Sample {
    /// Frames that are known already.
    pub(super) fn known(looks: Looks) -> Self {
        let of = looks.len();
        Self { seen: Mutex::new(Seen { looks, is_over: true, ..Seen::default() }), of }
    }

    pub(super) fn empty(of: usize) -> Self {
        Self { seen: Mutex::default(), of }
    }

    pub(super) fn add(&self, frame: usize, image: &Image) {
        let small = small(image);
        let share = small.width as f64 / image.width as f64;
        self.lock().pictures.push((frame, Arc::new(small), share));
    }

    pub(super) fn end(&self) {
        let mut seen = self.lock();
        seen.pictures.sort_unstable_by_key(|(frame, ..)| *frame);
        seen.is_over = true;
    }

    /// How many frames were seen, and how many will be; `None` once that is all.
    pub(super) fn progress(&self) -> Option<[usize; 2]> {
        let seen = self.lock();
        (!seen.is_over).then_some([seen.pictures.len(), self.of])
    }

    /// A small picture of a frame, if it was seen.
    pub(super) fn picture(&self, frame: usize) -> Option<Arc<Image>> {
        self.lock().pictures.iter().find(|(known, ..)| *known == frame).map(|(_, image, _)| Arc::clone(image))
    }

    /// The frames that differ most, in a part of the picture from corner to corner.
    pub(super) fn most_different(&self, part: Option<[DVec2; 2]>, count: usize) -> Vec<usize> {
        let seen = self.lock();
        if seen.pictures.is_empty() {
            return suggest::most_different(&seen.looks, count);
        }
        let pictures = seen.pictures.clone();
        drop(seen);
        let look = |(_, image, share): &(usize, Arc<Image>, f64)| match part {
            Some([from, to]) => suggest::region(image, from * *share, to * *share),
            None => suggest::thumbnail(image),
        };
        let looks: Looks = pictures.iter().map(look).collect();
        suggest::most_different(&looks, count).into_iter().map(|index| pictures[index].0).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn small(image: &Image) -> Image {
    let halved = image.halved();
    if halved.width > MOST_WIDTH { small(&halved) } else { halved }
}

/// How many frames may be kept as small pictures.
fn room(width: usize, height: usize) -> usize {
    let mut size = [width, height].map(|side| (side / 2).max(1));
    while size[0] > MOST_WIDTH {
        size = size.map(|side| (side / 2).max(1));
    }
    (MOST_BYTES / (size[0] * size[1])).max(1)
}

/// Every so manieth frame of a film that is looked through as a whole is kept.
pub(super) fn stride(frames: usize, width: usize, height: usize) -> usize {
    frames.div_ceil(room(width, height)).max(1)
}

/// Which frames to seek in a film that is too long, so that at any time those that were seen are spread over it.
pub(super) fn spread(frames: usize, width: usize, height: usize) -> Vec<usize> {
    let count = frames.min(room(width, height)).min(MOST_SOUGHT);
    let bits = usize::BITS - count.max(1).leading_zeros();
    let places = (0..1_usize << bits).map(|index| index.reverse_bits() >> (usize::BITS - bits));
    places.filter(|place| *place < count).map(|place| (2 * place + 1) * frames / (2 * count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_sought_all_over_the_film_each_once() {
        for frames in [1, 2, 7, 299, 300, 301, 90_000] {
            let found = spread(frames, 1920, 1080);
            let mut sorted = found.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!((sorted.len(), found.len()), (frames.min(300), frames.min(300)), "{frames}");
            assert!(found.iter().all(|frame| *frame < frames), "{frames}");
            // The first sixteen have one in each eighth.
            let eighths: std::collections::BTreeSet<_> =
                found.iter().take(16).map(|frame| 8 * frame / frames).collect();
            assert!(frames < 299 || eighths.len() == 8, "{frames}: {eighths:?}");
        }
    }

    #[test]
    fn small_pictures_have_a_limit_however_large_the_film_is() {
        for (frames, width, height) in
            [(20_000, 400, 300), (2_000, 1920, 1080), (500, 64, 16_384), (9, 7680, 4320)]
        {
            let image = Image::gray(width, height, vec![0; width * height]).unwrap();
            let kept = frames / stride(frames, width, height);
            assert!(kept * small(&image).data.len() <= MOST_BYTES, "{frames} of {width} × {height}");
            assert!(small(&image).width <= MOST_WIDTH);
        }
    }

    #[test]
    fn suggestions_are_numbers_of_frames_and_not_places_in_the_sample() {
        let sample = Sample::empty(3);
        for (frame, light) in [(40, 0), (7, 90), (100, 200)] {
            let data = (0..64 * 48)
                .map(|pixel: usize| if pixel.is_multiple_of(64) { light } else { (pixel % 7) as u8 });
            sample.add(frame, &Image::gray(64, 48, data.collect()).unwrap());
        }
        assert_eq!(sample.progress(), Some([3, 3]));
        sample.end();
        let mut found = sample.most_different(None, 9);
        found.sort_unstable();
        assert_eq!((found, sample.progress()), (vec![7, 40, 100], None));
        assert!(sample.picture(7).is_some() && sample.picture(8).is_none());
        let beside = [DVec2::new(20.0, 10.0), DVec2::new(60.0, 40.0)];
        assert_eq!(sample.most_different(Some(beside), 9).len(), 1, "there they are all alike");
    }
}
