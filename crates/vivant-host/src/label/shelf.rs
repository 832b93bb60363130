//! Frames that are kept in memory, up to a limit: a short film as a whole, of a long one what was looked at last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_learn::film::Image;

/// The most that is kept, in bytes.
pub(super) const MOST_KEPT_BYTES: usize = 256 << 20;

#[derive(Default)]
pub(super) struct Shelf(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Each frame, and when it was asked for last.
    frames: HashMap<usize, (u64, Arc<Image>)>,
    bytes: usize,
    asked: u64,
}

impl Shelf {
    pub(super) fn get(&self, index: usize) -> Option<Arc<Image>> {
        let mut kept = self.lock();
        kept.asked += 1;
        let asked = kept.asked;
        let (last, image) = kept.frames.get_mut(&index)?;
        *last = asked;
        Some(Arc::clone(image))
    }

    pub(super) fn put(&self, index: usize, image: Arc<Image>) {
        let mut kept = self.lock();
        kept.asked += 1;
        kept.bytes += image.data.len();
        let asked = kept.asked;
        if let Some((_, old)) = kept.frames.insert(index, (asked, image)) {
            kept.bytes -= old.data.len();
        }
        while kept.bytes > MOST_KEPT_BYTES && kept.frames.len() > 1 {
            kept.drop_oldest();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().frames.len()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn drop_oldest(&mut self) {
        let oldest = self.frames.iter().min_by_key(|(_, (asked, _))| *asked).map(|(index, _)| *index);
        if let Some((_, old)) = oldest.and_then(|index| self.frames.remove(&index)) {
            self.bytes -= old.data.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_for_longest_goes_first() {
        let shelf = Shelf::default();
        let large = || Arc::new(Image::gray(1 << 13, 1 << 13, vec![0; MOST_KEPT_BYTES / 4]).unwrap());
        (0..4).for_each(|index| shelf.put(index, large()));
        assert!(shelf.get(0).is_some() && shelf.len() == 4);
        shelf.put(9, large());
        shelf.put(9, large());
        let kept = [0, 1, 2, 3, 9].map(|index| shelf.get(index).is_some());
        assert_eq!(kept, [true, false, true, true, true]);
    }
}
