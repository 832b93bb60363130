//! A time-ordered event queue.
//!
//! Performers, planners, eyes, breathing and trackers all keep events that wait for an exact time. An [`Agenda`] keeps
//! these events sorted by time. Events at the same time stay in the order in which they were added. Adding and taking
//! events does not allocate while the reserved capacity suffices, so both operations are safe while a performer
//! advances.
//!
//! ```
//! use vivant::agenda::Agenda;
//! let mut agenda = Agenda::with_capacity(8);
//! agenda.insert(2.0, "blink");
//! agenda.insert(1.0, "look");
//! assert_eq!(agenda.next_at(), 1.0);
//! assert_eq!(agenda.pop_due(1.5), Some((1.0, "look")));
//! assert_eq!(agenda.pop_due(1.5), None);
//! ```

use std::collections::VecDeque;

/// A queue of events, sorted by time.
#[derive(Clone, Debug, PartialEq)]
pub struct Agenda<T> {
    /// The earliest event is first.
    events: VecDeque<(f64, T)>,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self { events: VecDeque::new() }
    }
}

impl<T> Agenda<T> {
    /// Creates an empty agenda with capacity for `events` events.
    #[must_use]
    pub fn with_capacity(events: usize) -> Self {
        Self { events: VecDeque::with_capacity(events) }
    }

    /// Reserves capacity for `events` more events.
    pub fn reserve(&mut self, events: usize) {
        self.events.reserve(events);
    }

    /// Adds an event at the time `at` in seconds, after all events with the same time. If `at` is NaN, the event is
    /// ignored.
    pub fn insert(&mut self, at: f64, event: T) {
        if at.is_nan() {
            return;
        }
        // Fast path: most new events are later than all others.
        if self.events.back().is_none_or(|(last, _)| *last <= at) {
            return self.events.push_back((at, event));
        }
        let place = self.events.partition_point(|(other, _)| *other <= at);
        self.events.insert(place, (at, event));
    }

    /// Adds several events, each with its time in seconds, like [`insert`](Self::insert).
    pub fn extend(&mut self, events: impl IntoIterator<Item = (f64, T)>) {
        events.into_iter().for_each(|(at, event)| self.insert(at, event));
    }

    /// Returns the time of the earliest event in seconds, or infinity if the agenda is empty.
    #[must_use]
    pub fn next_at(&self) -> f64 {
        self.events.front().map_or(f64::INFINITY, |(at, _)| *at)
    }

    /// Removes and returns the earliest event with its time.
    pub fn pop(&mut self) -> Option<(f64, T)> {
        self.events.pop_front()
    }

    /// Removes and returns the earliest event with its time, if that time is `by` or earlier.
    pub fn pop_due(&mut self, by: f64) -> Option<(f64, T)> {
        self.events.pop_front_if(|(at, _)| *at <= by)
    }

    /// Removes and returns the first event that matches the predicate, with its time.
    pub fn take(&mut self, is_wanted: impl Fn(&T) -> bool) -> Option<(f64, T)> {
        let place = self.events.iter().position(|(_, event)| is_wanted(event))?;
        self.events.remove(place)
    }

    /// Keeps only the events for which `is_kept(time, event)` returns true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(f64, &T) -> bool) {
        self.events.retain(|(at, event)| is_kept(*at, event));
    }

    /// Calls `change` on each event and removes the events for which it returns false. Times do not change.
    pub fn retain_mut(&mut self, mut change: impl FnMut(&mut T) -> bool) {
        self.events.retain_mut(|(_, event)| change(event));
    }

    /// Removes all events.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Iterates over all events with their times, the earliest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (f64, &T)> + Clone {
        self.events.iter().map(|(at, event)| (*at, event))
    }

    /// Returns the number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns true if there are no events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reference implementation: an unsorted list with linear search.
    #[derive(Default)]
    struct Naive(Vec<(f64, u32)>);

    impl Naive {
        fn next_at(&self) -> f64 {
            self.0.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min)
        }

        fn pop_due(&mut self, by: f64) -> Option<(f64, u32)> {
            let next = self.next_at();
            let place = self.0.iter().position(|(at, _)| *at == next && next <= by)?;
            Some(self.0.remove(place))
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Insert(f64),
        Extend(Vec<f64>),
        PopDue(f64),
        Take(u32),
        Retain(u32),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        // Few distinct times, so that many are equal.
        let time = || (0u8..8).prop_map(f64::from);
        let step = prop_oneof![
            4 => time().prop_map(Step::Insert),
            1 => prop::collection::vec(time(), 0..5).prop_map(Step::Extend),
            3 => time().prop_map(Step::PopDue),
            1 => (0u32..40).prop_map(Step::Take),
            1 => (2u32..5).prop_map(Step::Retain),
        ];
        prop::collection::vec(step, 0..60)
    }

    proptest! {
        #[test]
        fn agenda_matches_a_naive_list(steps in steps()) {
            let (mut agenda, mut naive, mut count) = (Agenda::with_capacity(4), Naive::default(), 0);
            let mut number = || { count += 1; count };
            for step in steps {
                match step {
                    Step::Insert(at) => {
                        let event = number();
                        agenda.insert(at, event);
                        naive.0.push((at, event));
                    }
                    Step::Extend(times) => {
                        let events: Vec<(f64, u32)> = times.into_iter().map(|at| (at, number())).collect();
                        agenda.extend(events.iter().copied());
                        naive.0.extend(events);
                    }
                    Step::PopDue(by) => prop_assert_eq!(agenda.pop_due(by), naive.pop_due(by)),
                    Step::Take(event) => {
                        let place = naive.0.iter().position(|(_, other)| *other == event);
                        prop_assert_eq!(agenda.take(|other| *other == event), place.map(|p| naive.0.remove(p)));
                    }
                    Step::Retain(divisor) => {
                        agenda.retain(|_, event| event % divisor != 0);
                        naive.0.retain(|(_, event)| event % divisor != 0);
                    }
                }
                prop_assert_eq!(agenda.next_at(), naive.next_at());
                prop_assert_eq!((agenda.len(), agenda.is_empty()), (naive.0.len(), naive.0.is_empty()));
            }
            let mut expected = naive.0.clone();
            expected.sort_by(|a, b| a.0.total_cmp(&b.0));
            let all: Vec<(f64, u32)> = agenda.iter().map(|(at, event)| (at, *event)).collect();
            prop_assert_eq!(all, expected);
        }
    }

    #[test]
    fn events_at_nan_are_ignored() {
        let mut agenda = Agenda::default();
        agenda.insert(f64::NAN, 1);
        agenda.extend([(f64::NAN, 2), (f64::INFINITY, 3), (f64::NEG_INFINITY, 4)]);
        assert_eq!(agenda.iter().map(|(_, event)| *event).collect::<Vec<_>>(), [4, 3]);
    }

    #[test]
    fn events_within_capacity_do_not_allocate() {
        let mut agenda = Agenda::with_capacity(16);
        let room = agenda.events.capacity();
        for round in 0..1000 {
            for event in 0..16 {
                agenda.insert(f64::from((event * 7 + round) % 16), event);
            }
            while agenda.pop_due(f64::INFINITY).is_some() {}
        }
        assert_eq!(agenda.events.capacity(), room);
    }
}
