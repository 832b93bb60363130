//! Many performers, advanced in one call.

use crate::performer::Performer;

/// Performers that share a clock. Each has its own state; libraries may be shared.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    performers: Vec<Performer>,
}

impl Crowd {
    /// A crowd of these performers.
    #[must_use]
    pub fn new(performers: Vec<Performer>) -> Self {
        Self { performers }
    }

    /// All performers, in order.
    #[must_use]
    pub fn performers(&self) -> &[Performer] {
        &self.performers
    }

    /// All performers, to tell them what to do.
    pub fn performers_mut(&mut self) -> &mut Vec<Performer> {
        &mut self.performers
    }

    /// Advances everyone to `t`, one after the other; does not allocate.
    pub fn advance_to(&mut self, t: f64) {
        for performer in &mut self.performers {
            performer.advance_to(t);
        }
    }

    /// Advances everyone to `t` on all cores. The frames are the same bits as by
    /// [`Crowd::advance_to`]: performers know nothing of each other.
    #[cfg(feature = "parallel")]
    pub fn advance_to_on_all_cores(&mut self, t: f64) {
        use rayon::prelude::*;
        self.performers.par_chunks_mut(16).for_each(|some| {
            for performer in some {
                performer.advance_to(t);
            }
        });
    }
}
