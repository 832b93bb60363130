//! Small copies of frames sampled throughout a film. The frames that differ most are suggested for labelling.
//!
//! A film in full size does not fit into memory, so frames are compared by small copies with a limited total size. For
//! a long film, `spread` gives the frames in an order in which the first few already cover the whole film, so
//! suggestions are useful before sampling ends. `Sample::most_different` returns the frames to label; if the caller
//! knows the region of the eyes, only this region is compared.

use glam::DVec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_learn::film::{Image, suggest};

/// A feature vector for each frame, for comparing frames.
pub(super) type Features = Vec<Vec<f32>>;

/// Maximum width of a small image in pixels. At this width, even the region of small eyes has enough pixels to
/// compare.
const MAX_WIDTH: usize = 320;
/// Maximum memory of all small images, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// Number of frames that are sampled from a film that is too long to decode completely. At the usual rate of twenty
/// blinks per minute with 0.15 to 0.3 s each, 5 to 10 % of these frames show blinks.
const MAX_SAMPLES: usize = 300;

pub(super) struct Sample {
    collected: Mutex<Collected>,
    /// The number of frames that will be sampled.
    total: usize,
}

#[derive(Default)]
struct Collected {
    /// Frame number, small image, and scale relative to the full size.
    images: Vec<(usize, Arc<Image>, f64)>,
    features: Features,
    is_finished: bool,
}

impl Sample {
    /// Makes a sample from known features.
    pub(super) fn known(features: Features) -> Self {
        let total = features.len();
        Self {
            collected: Mutex::new(Collected { features, is_finished: true, ..Collected::default() }),
            total,
        }
    }

    pub(super) fn empty(total: usize) -> Self {
        Self { collected: Mutex::default(), total }
    }

    pub(super) fn add(&self, frame: usize, image: &Image) {
        let small = shrink(image);
        let share = small.width as f64 / image.width as f64;
        self.lock().images.push((frame, Arc::new(small), share));
    }

    pub(super) fn finish(&self) {
        let mut collected = self.lock();
        collected.images.sort_unstable_by_key(|(frame, ..)| *frame);
        collected.is_finished = true;
    }

    /// Returns the number of sampled frames and the number of planned frames; `None` when sampling is finished.
    pub(super) fn progress(&self) -> Option<[usize; 2]> {
        let collected = self.lock();
        (!collected.is_finished).then_some([collected.images.len(), self.total])
    }

    /// Returns the small image of a frame, if it was sampled.
    pub(super) fn image(&self, frame: usize) -> Option<Arc<Image>> {
        self.lock().images.iter().find(|(known, ..)| *known == frame).map(|(_, image, _)| Arc::clone(image))
    }

    /// Returns the numbers of up to `count` frames that differ most from each other. Only the region between the two
    /// given corners is compared, or the whole image without a region.
    pub(super) fn most_different(&self, region: Option<[DVec2; 2]>, count: usize) -> Vec<usize> {
        let collected = self.lock();
        if collected.images.is_empty() {
            return suggest::most_different(&collected.features, count);
        }
        let images = collected.images.clone();
        drop(collected);
        let feature = |(_, image, share): &(usize, Arc<Image>, f64)| match region {
            Some([from, to]) => suggest::region(image, from * *share, to * *share),
            None => suggest::thumbnail(image),
        };
        let features: Features = images.iter().map(feature).collect();
        suggest::most_different(&features, count).into_iter().map(|index| images[index].0).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Collected> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shrink(image: &Image) -> Image {
    let halved = image.halved();
    if halved.width > MAX_WIDTH { shrink(&halved) } else { halved }
}

/// Maximum number of small images in memory.
fn max_images(width: usize, height: usize) -> usize {
    let mut size = [width, height].map(|side| (side / 2).max(1));
    while size[0] > MAX_WIDTH {
        size = size.map(|side| (side / 2).max(1));
    }
    (MAX_BYTES / (size[0] * size[1])).max(1)
}

/// Returns the stride of sampling in frames, for a film that is decoded completely.
pub(super) fn stride(frames: usize, width: usize, height: usize) -> usize {
    frames.div_ceil(max_images(width, height)).max(1)
}

/// Returns the frames to sample in a long film. The order ensures that the frames sampled so far are always spread
/// over the whole film.
pub(super) fn spread(frames: usize, width: usize, height: usize) -> Vec<usize> {
    let count = frames.min(max_images(width, height)).min(MAX_SAMPLES);
    let bits = usize::BITS - count.max(1).leading_zeros();
    let places = (0..1_usize << bits).map(|index| index.reverse_bits() >> (usize::BITS - bits));
    places.filter(|place| *place < count).map(|place| (2 * place + 1) * frames / (2 * count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_over_the_film_without_duplicates() {
        for frames in [1, 2, 7, 299, 300, 301, 90_000] {
            let found = spread(frames, 1920, 1080);
            let mut sorted = found.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!((sorted.len(), found.len()), (frames.min(300), frames.min(300)), "{frames}");
            assert!(found.iter().all(|frame| *frame < frames), "{frames}");
            // The first sixteen cover every eighth of the film.
            let eighths: std::collections::BTreeSet<_> =
                found.iter().take(16).map(|frame| 8 * frame / frames).collect();
            assert!(frames < 299 || eighths.len() == 8, "{frames}: {eighths:?}");
        }
    }

    #[test]
    fn small_images_stay_within_the_memory_limit() {
        for (frames, width, height) in
            [(20_000, 400, 300), (2_000, 1920, 1080), (500, 64, 16_384), (9, 7680, 4320)]
        {
            let image = Image::gray(width, height, vec![0; width * height]).unwrap();
            let kept = frames / stride(frames, width, height);
            assert!(kept * shrink(&image).data.len() <= MAX_BYTES, "{frames} of {width} × {height}");
            assert!(shrink(&image).width <= MAX_WIDTH);
        }
    }

    #[test]
    fn suggestions_are_frame_numbers() {
        let sample = Sample::empty(3);
        for (frame, light) in [(40, 0), (7, 90), (100, 200)] {
            let data = (0..64 * 48)
                .map(|pixel: usize| if pixel.is_multiple_of(64) { light } else { (pixel % 7) as u8 });
            sample.add(frame, &Image::gray(64, 48, data.collect()).unwrap());
        }
        assert_eq!(sample.progress(), Some([3, 3]));
        sample.finish();
        let mut found = sample.most_different(None, 9);
        found.sort_unstable();
        assert_eq!((found, sample.progress()), (vec![7, 40, 100], None));
        assert!(sample.image(7).is_some() && sample.image(8).is_none());
        let beside = [DVec2::new(20.0, 10.0), DVec2::new(60.0, 40.0)];
        assert_eq!(sample.most_different(Some(beside), 9).len(), 1, "all frames are equal in that region");
    }
}
