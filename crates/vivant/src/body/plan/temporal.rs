//! Temporal replanning: turns overlapping meta-actions into a sequence without overlap (paper 4, section 6.1 and
//! Figure 6).

use crate::body::plan::{DropReason, MetaAction};

/// Minimum duration in seconds of a piece of an interrupted meta-action; shorter pieces are removed (our design).
const MIN_PIECE_SECS: f64 = 0.05;

/// Maximum difference of times that count as equal, in seconds.
pub(super) const SAME_SECS: f64 = 1e-9;

/// The running action of a layer. The action continues, unless a meta-action of higher priority may interrupt it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    pub(crate) until: f64,
    pub(crate) priority: i32,
    pub(crate) can_be_cut: bool,
}

/// Resolves conflicts between the meta-actions of a layer, greedily by start and then by priority.
///
/// - If two meta-actions overlap, the one with higher priority keeps its time. If the one with higher priority starts
///   later, it interrupts the other one, which continues afterwards (`resume`) or is dropped.
/// - If the one with higher priority starts earlier, or if both have the same priority, the later one starts when the
///   earlier one ends. The later one is dropped if none of its time is left, unless it [must](MetaAction::must) be
///   performed.
///
/// The operation is idempotent.
pub(crate) fn replan(
    active: Option<Active>,
    queue: &mut Vec<MetaAction>,
    mut drop: impl FnMut(&MetaAction, DropReason),
) {
    queue.sort_by(MetaAction::order);
    let mut placed: Vec<MetaAction> = Vec::with_capacity(queue.len() + 4);
    let mut agenda = std::mem::take(queue);
    agenda.reverse();
    while let Some(mut meta) = agenda.pop() {
        let is_kept = |active: &Active| !(active.can_be_cut && meta.priority > active.priority);
        if let Some(active) = active.filter(|a| meta.start < a.until - SAME_SECS && is_kept(a)) {
            retry_at(active.until, meta, &mut agenda, &mut drop);
            continue;
        }
        match placed.last_mut().filter(|before| before.end > meta.start + SAME_SECS) {
            None => placed.push(meta),
            Some(before) if meta.priority > before.priority => {
                meta.start = meta.start.max(before.start);
                if !interrupt(before, &meta, &mut agenda, &mut drop) {
                    placed.pop();
                }
                placed.push(meta);
            }
            Some(before) => {
                let until = before.end;
                retry_at(until, meta, &mut agenda, &mut drop);
            }
        }
    }
    *queue = placed;
}

/// Interrupts a meta-action for another one of higher priority. If the interrupted one must be performed, or if its
/// stroke has not happened, all of it is delayed until the other one ends. Otherwise only the rest of it is delayed,
/// or the rest is dropped. Returns true if a piece is left before the interruption.
fn interrupt(
    before: &mut MetaAction,
    to: &MetaAction,
    agenda: &mut Vec<MetaAction>,
    drop: &mut impl FnMut(&MetaAction, DropReason),
) -> bool {
    if before.must {
        before.delay_to(to.end);
        insert(agenda, *before);
        return false;
    }
    if before.stroke_at.is_some_and(|at| at >= to.start) {
        retry_at(to.end, *before, agenda, drop);
        return false;
    }
    let rest = MetaAction { start: to.end, is_open: false, stroke_at: None, decided: None, ..*before };
    (before.end, before.is_open) = (to.start, false);
    if rest.resume && rest.end - rest.start > MIN_PIECE_SECS {
        insert(agenda, rest);
    }
    let is_left = before.end - before.start >= MIN_PIECE_SECS;
    if !is_left && !rest.resume {
        drop(before, DropReason::Cut);
    }
    is_left
}

/// Delays a meta-action to `until`, or drops it if none of its time is left.
fn retry_at(
    until: f64,
    mut meta: MetaAction,
    agenda: &mut Vec<MetaAction>,
    drop: &mut impl FnMut(&MetaAction, DropReason),
) {
    if meta.is_over(until) {
        drop(&meta, DropReason::Covered);
        return;
    }
    meta.delay_to(until);
    insert(agenda, meta);
}

/// Inserts a meta-action in order, latest first.
fn insert(agenda: &mut Vec<MetaAction>, meta: MetaAction) {
    let place = agenda.partition_point(|other| other.order(&meta).is_gt());
    agenda.insert(place, meta);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::plan::tests::meta;
    use proptest::prelude::*;

    /// Replans, and returns (id, start, end) of the remaining meta-actions and the ids of the dropped ones.
    fn replanned(active: Option<Active>, mut queue: Vec<MetaAction>) -> (Vec<(u64, f64, f64)>, Vec<u64>) {
        let mut dropped = Vec::new();
        replan(active, &mut queue, |meta, _| dropped.push(meta.id));
        (queue.iter().map(|m| (m.id, m.start, m.end)).collect(), dropped)
    }

    fn resuming(meta: MetaAction) -> MetaAction {
        MetaAction { resume: true, ..meta }
    }

    /// Paper 4, Figure 6.
    #[test]
    fn figure_6_conflicts_are_resolved_by_start_and_priority() {
        let check = |queue: Vec<MetaAction>, expected: &[(u64, f64, f64)], gone: &[u64]| {
            let (left, dropped) = replanned(None, queue);
            assert_eq!(left, expected);
            assert_eq!(dropped, gone);
        };
        // Without overlap nothing changes, in any order of requests.
        check(vec![meta(2, 3.0, 4.0, 0), meta(1, 0.0, 2.0, 0)], &[(1, 0.0, 2.0), (2, 3.0, 4.0)], &[]);
        // Equal priority: first come, first served, and the second is shortened.
        check(vec![meta(1, 0.0, 2.0, 0), meta(2, 1.0, 4.0, 0)], &[(1, 0.0, 2.0), (2, 2.0, 4.0)], &[]);
        // A long action is interrupted by a shorter one of higher priority: its rest continues, or is dropped.
        let (long, short) = (meta(1, 0.0, 10.0, 0), meta(2, 3.0, 5.0, 1));
        check(vec![resuming(long), short], &[(1, 0.0, 3.0), (2, 3.0, 5.0), (1, 5.0, 10.0)], &[]);
        check(vec![long, short], &[(1, 0.0, 3.0), (2, 3.0, 5.0)], &[]);
        // A meta-action within the time of another one of higher priority has no time left.
        check(vec![meta(1, 0.0, 10.0, 1), meta(2, 3.0, 5.0, 0)], &[(1, 0.0, 10.0)], &[2]);
        // Same start: the higher priority goes first.
        check(vec![meta(1, 0.0, 3.0, 0), meta(2, 0.0, 1.0, 5)], &[(2, 0.0, 1.0), (1, 1.0, 3.0)], &[]);
    }

    #[test]
    fn the_running_action_continues_unless_a_higher_priority_interrupts_it() {
        let active = |can_be_cut| Some(Active { until: 2.0, priority: 1, can_be_cut });
        let asked = |priority| vec![meta(1, 1.0, 4.0, priority)];
        assert_eq!(replanned(active(true), asked(1)).0, [(1, 2.0, 4.0)]);
        assert_eq!(replanned(active(true), asked(2)).0, [(1, 1.0, 4.0)]);
        assert_eq!(replanned(active(false), asked(2)).0, [(1, 2.0, 4.0)]);
        assert_eq!(replanned(active(true), vec![meta(1, 1.0, 2.0, 0)]).1, [1]);
    }

    #[test]
    fn required_actions_are_delayed_and_never_dropped() {
        let must = MetaAction { must: true, is_open: true, ..meta(2, 1.0, 2.0, 0) };
        let (left, dropped) = replanned(None, vec![meta(1, 0.0, 5.0, 0), must]);
        assert_eq!((left, dropped.len()), (vec![(1, 0.0, 5.0), (2, 5.0, 6.0)], 0));
    }

    fn queues() -> impl Strategy<Value = Vec<MetaAction>> {
        let one = (0.0f64..30.0, 0.1f64..8.0, -2i32..3, any::<[bool; 4]>(), prop::option::of(0.0f64..1.5));
        prop::collection::vec(one, 0..24).prop_map(|list| {
            type Numbers = (f64, f64, i32, [bool; 4], Option<f64>);
            let with = |(id, (start, secs, priority, flags, stroke)): (usize, Numbers)| {
                let [resume, must, is_open, waits] = flags;
                let meta = meta(id as u64, start, start + secs, priority);
                let waits_until = if waits { start + 10.0 } else { start };
                let stroke_at = stroke.map(|stroke| start + stroke);
                MetaAction { resume, must, is_open: is_open || must || waits, waits_until, stroke_at, ..meta }
            };
            list.into_iter().enumerate().map(with).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_plan_has_no_overlap_and_replanning_it_changes_nothing(
            queue in queues(), until in 0.0f64..10.0, priority in -2i32..3, can_be_cut: bool
        ) {
            let active = Some(Active { until, priority, can_be_cut });
            let mut plan = queue.clone();
            replan(active, &mut plan, |_, _| {});
            for pair in plan.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start + SAME_SECS, "{pair:?}");
            }
            for meta in &plan {
                prop_assert!(meta.end - meta.start > 0.0);
                prop_assert!(meta.start >= until - SAME_SECS || (can_be_cut && meta.priority > priority));
            }
            let mut again = plan.clone();
            replan(active, &mut again, |meta, why| panic!("{meta:?} was dropped: {why:?}"));
            prop_assert_eq!(&again, &plan);
            // Required meta-actions of the highest priority are never lost.
            let highest = queue.iter().map(|m| m.priority).max();
            for meta in queue.iter().filter(|m| m.must && Some(m.priority) == highest) {
                prop_assert!(plan.iter().any(|m| m.id == meta.id), "{meta:?} is lost");
            }
        }
    }
}
