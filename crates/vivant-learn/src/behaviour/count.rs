//! Counts transitions, durations and gaps of states.
//!
//! [`chain`] learns one chain for an activity from the streams of all people, and adds the counts on which it is based,
//! so that the result can be checked. If an activity is given, an action of another activity interrupts the count.
//! States without own durations or gaps get those of all states together. Tags become states of their own, or are split
//! off afterwards by their share, as the map's [`Semantics`] demands.

use super::events::{Event, Stream};
use super::map::{Semantics, TierMap};
use super::{ChainName, Counts};
use std::collections::BTreeMap;
use vivant::body::behaviour::{Chain, Spread, State};
use vivant::body::repertoire::{Hand, Kind};
use vivant::eyes::blinking::Activity;

/// Identifies a state. Keys are sorted in the order of Figure 11; states with tags follow states without tags.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tags: Vec<String>,
    hand: Option<Hand>,
    kind: Kind,
}

/// Returns the nine states of Figure 11.
fn nine() -> impl Iterator<Item = Key> {
    let of = |hand| Kind::ALL.into_iter().map(move |kind| Key { tags: Vec::new(), hand: Some(hand), kind });
    Hand::ALL.into_iter().flat_map(of)
}

/// Observations of a state.
#[derive(Clone, Default)]
struct Observed {
    durations: Vec<f64>,
    gaps: Vec<f64>,
    /// Count of each combination of tags; used if tags are drawn at random.
    meanings: BTreeMap<Vec<String>, u64>,
}

/// Learns a chain and adds its counts. A chain without events has no states and no counts.
pub(super) fn chain(
    streams: &[Stream],
    name: ChainName,
    activity: Option<Activity>,
    map: &TierMap,
    counts: &mut Vec<Counts>,
) -> Chain {
    let key = |event: &Event| Key {
        tags: if map.semantics == Semantics::States { event.tags.clone() } else { Vec::new() },
        hand: event.hand,
        kind: event.kind,
    };
    let tally = Tally::new(streams, name, activity, &key);
    if tally.occurrences().iter().all(|count| *count == 0) {
        return Chain::default();
    }
    let matrix = tally.matrix(map.smoothing);
    counts.push(Counts {
        activity,
        chain: name,
        states: tally.keys.iter().map(Key::name).collect(),
        occurrences: tally.occurrences(),
        transitions: tally.transitions.clone(),
        matrix: matrix.clone(),
    });
    let gaps = tally.gaps_or(|| Tally::new(streams, name, None, &key).gaps_or(|| tally.durations()));
    let states = tally.states(map.quantiles, &gaps);
    let plain = Chain { states, start: shares(&tally.occurrences(), map.smoothing), matrix };
    if map.semantics == Semantics::Drawn { with_meanings(plain, &tally.seen) } else { plain }
}

impl Key {
    fn name(&self) -> String {
        State::name_of(self.hand, self.kind, &self.tags)
    }
}

struct Tally {
    keys: Vec<Key>,
    seen: Vec<Observed>,
    transitions: Vec<Vec<u64>>,
}

impl Tally {
    fn new(
        streams: &[Stream],
        name: ChainName,
        activity: Option<Activity>,
        key: &impl Fn(&Event) -> Key,
    ) -> Self {
        let is_during =
            |stream: &Stream, event: &Event| activity.is_none() || stream.activity(event) == activity;
        let of = |stream: &'_ Stream| stream.chains.get(&name).map_or_else(Vec::new, Clone::clone);
        let all: Vec<(&Stream, Vec<Event>)> = streams.iter().map(|stream| (stream, of(stream))).collect();
        // All matrices have the same states, so that they can be compared.
        let observed = all.iter().flat_map(|(_, events)| events).map(key);
        let mut keys: Vec<Key> = observed.chain(nine().filter(|_| name == ChainName::Arms)).collect();
        keys.sort();
        keys.dedup();
        let index: BTreeMap<&Key, usize> = keys.iter().enumerate().map(|(index, key)| (key, index)).collect();
        let mut seen = vec![Observed::default(); keys.len()];
        let mut transitions = vec![vec![0; keys.len()]; keys.len()];
        for (stream, events) in &all {
            let mut last: Option<(usize, &Event)> = None;
            for event in events {
                if !is_during(stream, event) {
                    last = None;
                    continue;
                }
                let state = index[&key(event)];
                seen[state].durations.push(event.end - event.start);
                *seen[state].meanings.entry(event.tags.clone()).or_default() += 1;
                if let Some((before, previous)) = last.replace((state, event)) {
                    transitions[before][state] += 1;
                    seen[before].gaps.push((event.start - previous.end).max(0.0));
                }
            }
        }
        Self { keys, seen, transitions }
    }

    fn occurrences(&self) -> Vec<u64> {
        self.seen.iter().map(|seen| seen.durations.len() as u64).collect()
    }

    /// Returns the transition matrix; each row sums to 1.
    fn matrix(&self, smoothing: f64) -> Vec<Vec<f64>> {
        let overall = shares(&self.occurrences(), smoothing);
        let row = |counts: &Vec<u64>| {
            let is_known = smoothing > 0.0 || counts.iter().any(|count| *count > 0);
            if is_known { shares(counts, smoothing) } else { overall.clone() }
        };
        self.transitions.iter().map(row).collect()
    }

    fn durations(&self) -> Vec<f64> {
        self.seen.iter().flat_map(|seen| &seen.durations).copied().collect()
    }

    /// Returns all gaps. If there are none, returns `others` instead, because a character that never pauses would
    /// look worse.
    fn gaps_or(&self, others: impl FnOnce() -> Vec<f64>) -> Vec<f64> {
        let gaps: Vec<f64> = self.seen.iter().flat_map(|seen| &seen.gaps).copied().collect();
        if gaps.is_empty() { others() } else { gaps }
    }

    /// Returns the states with durations and gaps. States without own durations or gaps get those of all states
    /// together.
    fn states(&self, quantiles: usize, gaps: &[f64]) -> Vec<State> {
        let durations = self.durations();
        let takes_time = |own: &[f64]| own.iter().any(|secs| *secs > 0.0);
        let either = |own: &[f64], is_enough: bool, all: &[f64]| {
            spread(if is_enough { own.to_vec() } else { all.to_vec() }, quantiles)
        };
        let state = |(key, seen): (&Key, &Observed)| State {
            name: key.name(),
            kind: key.kind,
            hand: key.hand,
            tags: key.tags.clone(),
            duration: either(&seen.durations, takes_time(&seen.durations), &durations),
            gap: either(&seen.gaps, !seen.gaps.is_empty(), gaps),
        };
        self.keys.iter().zip(&self.seen).map(state).collect()
    }
}

/// Returns counts as shares of their sum, with additive smoothing.
fn shares(counts: &[u64], smoothing: f64) -> Vec<f64> {
    let sum = counts.iter().sum::<u64>() as f64 + smoothing * counts.len() as f64;
    counts.iter().map(|count| (*count as f64 + smoothing) / sum).collect()
}

/// Returns evenly spaced quantiles from minimum to maximum, linearly interpolated and rounded to milliseconds like
/// the annotations.
fn spread(mut values: Vec<f64>, quantiles: usize) -> Spread {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return Spread(Vec::new()) };
    let quantile = |index: usize| {
        let at = last as f64 * (index as f64 / (quantiles - 1) as f64);
        let below = at as usize;
        let above = (below + 1).min(last);
        let value = values[below] + (values[above] - values[below]) * (at - below as f64);
        (value * 1e3).round() / 1e3
    };
    Spread((0..quantiles).map(quantile).collect())
}

/// Splits each state by the tags it was annotated with, independently of the states before and after it.
///
/// In paper 4, a meaning is drawn at random when a state is reached. Here, the same is expressed as a chain: each
/// state is split into one state per meaning. These states share the incoming probability of the original state and
/// have the same outgoing row.
fn with_meanings(plain: Chain, seen: &[Observed]) -> Chain {
    let mut chain = Chain::default();
    // For each new state: the original state, and the share of its probability.
    let mut parts: Vec<(usize, f64)> = Vec::new();
    for (index, (state, seen)) in plain.states.iter().zip(seen).enumerate() {
        let sum: u64 = seen.meanings.values().sum();
        let untagged = seen.meanings.get(&Vec::new()).copied().unwrap_or(0);
        let share = |count: u64| count as f64 / sum as f64;
        // The nine states of Figure 11 stay, even if one of them always has tags.
        if untagged > 0 || sum == 0 || state.hand.is_some() {
            parts.push((index, if sum == 0 { 1.0 } else { share(untagged) }));
            chain.states.push(state.clone());
        }
        for (tags, count) in seen.meanings.iter().filter(|(tags, _)| !tags.is_empty()) {
            parts.push((index, share(*count)));
            let name = State::name_of(state.hand, state.kind, tags);
            chain.states.push(State { name, tags: tags.clone(), ..state.clone() });
        }
    }
    let split = |row: &Vec<f64>| parts.iter().map(|(index, share)| row[*index] * share).collect::<Vec<f64>>();
    chain.start = split(&plain.start);
    chain.matrix = parts.iter().map(|(index, _)| split(&plain.matrix[*index])).collect();
    chain
}
