//! A planner with a cached time of its next event.

use crate::body::plan::Planner;
use std::ops::{Deref, DerefMut};

/// A planner and the cached time of its next event. Most frames come before that time and need not touch the planner.
///
/// Mutable access clears the cache, so the cached time cannot be out of date.
#[derive(Clone, Debug)]
pub(super) struct ScheduledPlanner {
    planner: Box<Planner>,
    /// Cached time of the next event in seconds; `None` if it must be computed.
    next_event: Option<f64>,
}

impl ScheduledPlanner {
    pub(super) fn new(planner: Planner) -> Self {
        Self { planner: Box::new(planner), next_event: None }
    }

    /// Returns the time of the planner's next event in seconds.
    pub(super) fn next_event(&mut self) -> f64 {
        *self.next_event.get_or_insert_with(|| self.planner.next_event())
    }
}

impl Deref for ScheduledPlanner {
    type Target = Planner;

    fn deref(&self) -> &Planner {
        &self.planner
    }
}

impl DerefMut for ScheduledPlanner {
    fn deref_mut(&mut self) -> &mut Planner {
        self.next_event = None;
        &mut self.planner
    }
}
