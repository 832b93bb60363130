//! A frame cache with a memory limit: it holds a whole short film, or the most recently used frames of a long one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_learn::film::Image;

/// Maximum size of the cache in bytes.
pub(super) const MAX_CACHE_BYTES: usize = 256 << 20;

#[derive(Default)]
pub(super) struct FrameCache(Mutex<Cached>);

#[derive(Default)]
struct Cached {
    /// Each frame, with a counter of its last use.
    frames: HashMap<usize, (u64, Arc<Image>)>,
    bytes: usize,
    uses: u64,
}

impl FrameCache {
    pub(super) fn get(&self, index: usize) -> Option<Arc<Image>> {
        let mut cached = self.lock();
        cached.uses += 1;
        let uses = cached.uses;
        let (last, image) = cached.frames.get_mut(&index)?;
        *last = uses;
        Some(Arc::clone(image))
    }

    pub(super) fn put(&self, index: usize, image: Arc<Image>) {
        let mut cached = self.lock();
        cached.uses += 1;
        cached.bytes += image.data.len();
        let uses = cached.uses;
        if let Some((_, old)) = cached.frames.insert(index, (uses, image)) {
            cached.bytes -= old.data.len();
        }
        while cached.bytes > MAX_CACHE_BYTES && cached.frames.len() > 1 {
            cached.drop_oldest();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().frames.len()
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
    fn drop_oldest(&mut self) {
        let oldest = self.frames.iter().min_by_key(|(_, (uses, _))| *uses).map(|(index, _)| *index);
        if let Some((_, old)) = oldest.and_then(|index| self.frames.remove(&index)) {
            self.bytes -= old.data.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_frame_is_dropped() {
        let cache = FrameCache::default();
        let large = || Arc::new(Image::gray(1 << 13, 1 << 13, vec![0; MAX_CACHE_BYTES / 4]).unwrap());
        (0..4).for_each(|index| cache.put(index, large()));
        assert!(cache.get(0).is_some() && cache.len() == 4);
        cache.put(9, large());
        cache.put(9, large());
        let cached = [0, 1, 2, 3, 9].map(|index| cache.get(index).is_some());
        assert_eq!(cached, [true, false, true, true, true]);
    }
}
