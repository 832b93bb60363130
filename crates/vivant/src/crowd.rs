//! Many performers, advanced in one call.
//!
//! Games and simulations show hundreds of characters at once. A [`Crowd`] advances them to the same time in an order
//! that suits the caches, without allocation. With the feature `parallel` it can use all cores. Performers of the
//! same avatar should share one library, which holds the clips.
//!
//! ```
//! use std::sync::Arc;
//! use vivant::crowd::Crowd;
//! use vivant::glam::Vec3;
//! use vivant::{Bone, Library, Performer, Pose, Rig, RigParts};
//!
//! let rig = Rig::new(RigParts { rest_positions: vec![(Bone::Hips, Vec3::Y)], ..RigParts::default() });
//! let base = Pose::neutral(&rig);
//! let library = Arc::new(Library::new(rig, base, &[]));
//! let mut crowd = Crowd::new((0..100).map(|seed| Performer::new(Arc::clone(&library), seed)).collect());
//! crowd.advance_to(1.5);
//! assert!(crowd.performers().iter().all(|performer| performer.frame().time() == 1.5));
//! ```

use crate::kernel;
use crate::performer::Performer;

/// Performers that share a clock. Each performer has its own state; several performers may share a library.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    performers: Vec<Performer>,
}

impl Crowd {
    /// Creates a crowd of these performers.
    #[must_use]
    pub fn new(performers: Vec<Performer>) -> Self {
        Self { performers }
    }

    /// Returns all performers in order.
    #[must_use]
    pub fn performers(&self) -> &[Performer] {
        &self.performers
    }

    /// Returns all performers, for example to send them intents.
    pub fn performers_mut(&mut self) -> &mut Vec<Performer> {
        &mut self.performers
    }

    /// Advances all performers to `t` (seconds), one after the other. Does not allocate.
    pub fn advance_to(&mut self, t: f64) {
        advance(&mut self.performers, t);
    }

    /// Advances all performers to `t` (seconds) on all cores. The frames are bit-identical to those of
    /// [`Crowd::advance_to`], because performers are independent of each other.
    #[cfg(feature = "parallel")]
    pub fn advance_to_on_all_cores(&mut self, t: f64) {
        use rayon::prelude::*;
        self.performers.par_chunks_mut(16).for_each(|some| advance(some, t));
    }
}

/// Advances performers one after the other. A large crowd does not fit into the caches. So while one performer is
/// advanced, the data that the next performer reads is prefetched, and so is the struct of the performer after that.
fn advance(performers: &mut [Performer], t: f64) {
    for i in 0..performers.len() {
        if let Some(performer) = performers.get(i + 2) {
            kernel::prefetch(performer);
        }
        if let Some(performer) = performers.get(i + 1) {
            performer.prefetch(t);
        }
        performers[i].advance_to(t);
    }
}
