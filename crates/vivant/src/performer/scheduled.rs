//! A part that remembers when it acts next.

use crate::body::plan::Planner;
use std::ops::{Deref, DerefMut};

/// A planner, and beside it the time of its next event: most frames come before that, and need not look into the planner.
///
/// Whoever may change the planner makes the time unknown, so it cannot be out of date.
#[derive(Clone, Debug)]
pub(super) struct Scheduled {
    planner: Box<Planner>,
    /// In seconds; `None` if it has to be asked for.
    next_event: Option<f64>,
}

impl Scheduled {
    pub(super) fn new(planner: Planner) -> Self {
        Self { planner: Box::new(planner), next_event: None }
    }

    /// When the planner acts next, in seconds.
    pub(super) fn next_event(&mut self) -> f64 {
        *self.next_event.get_or_insert_with(|| self.planner.next_event())
    }
}

impl Deref for Scheduled {
    type Target = Planner;

    fn deref(&self) -> &Planner {
        &self.planner
    }
}

impl DerefMut for Scheduled {
    fn deref_mut(&mut self) -> &mut Planner {
        self.next_event = None;
        &mut self.planner
    }
}
