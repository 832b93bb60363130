//! Converts annotations to ordered actions of each person.
//!
//! Projects annotate the left and the right arm on separate tiers, but the model has one chain for both arms.
//! [`gather`] matches tiers to the rules of the map and returns one [`Stream`] for each person and video. Simultaneous
//! actions of both arms are merged, those with the longest overlap first. Values that the map does not contain are
//! warnings; videos without any action are an error that lists their tiers. [`Stream::activity`] returns whether the
//! person speaks or listens during an action.

use super::map::{TierMap, TierPart, TierRule};
use super::{AnnotatedVideo, ChainName, Matched};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use vivant::body::repertoire::{Hand, Kind};
use vivant::eyes::blinking::Activity;
use vivant_io::eaf::{Annotation, Tier};
use vivant_io::{Error, Result, Warning, WarningCode};

/// Difference in seconds below which two times are equal. Annotations have a resolution of one millisecond, so smaller
/// differences are rounding errors.
const SAME_SECS: f64 = 1e-9;

/// An action of a person.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) hand: Option<Hand>,
    pub(super) kind: Kind,
    pub(super) tags: Vec<String>,
}

/// The actions of one person in one video, each chain sorted by start.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) chains: BTreeMap<ChainName, Vec<Event>>,
    /// Intervals in which the person speaks, sorted and disjoint; `None` if no tier annotates speech.
    speech: Option<Vec<(f64, f64)>>,
}

pub(super) struct Gathered {
    pub(super) streams: Vec<Stream>,
    pub(super) matched: Vec<Matched>,
    pub(super) knows_speech: bool,
}

/// Collects the annotations that match the map.
pub(super) fn gather(
    recordings: &[AnnotatedVideo],
    map: &TierMap,
    warnings: &mut Vec<Warning>,
) -> Result<Gathered> {
    let mut streams = Vec::new();
    let mut gatherer = Gatherer { map, matched: Vec::new(), used: vec![false; map.tiers.len()], warnings };
    for recording in recordings {
        streams.extend(gatherer.recording(recording).into_values().map(|parts| stream(parts, map)));
    }
    let Gatherer { matched, used, .. } = gatherer;
    if matched.iter().all(|tier| tier.part == TierPart::Speech || tier.annotations == 0) {
        return Err(no_actions_error(recordings, &matched));
    }
    for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        let message = "no tier matches this rule; correct or remove the rule";
        warnings.push(Warning::new(WarningCode::Dropped, format!("map: tier[{index}]"), message));
    }
    let knows_speech = streams.iter().any(|stream: &Stream| stream.speech.is_some());
    Ok(Gathered { streams, matched, knows_speech })
}

/// Returns the error for videos without usable actions, with a list of their tiers.
fn no_actions_error(recordings: &[AnnotatedVideo], matched: &[Matched]) -> Error {
    let tier = |tier: &Tier| format!("“{}” ({})", tier.name, tier.annotations.len());
    let tiers = |recording: &AnnotatedVideo| {
        recording.annotations.tiers.iter().map(tier).collect::<Vec<_>>().join(", ")
    };
    let all: Vec<String> =
        recordings.iter().map(|recording| format!("{}: {}", recording.name, tiers(recording))).collect();
    let what = if matched.is_empty() {
        "no tier matches the map; correct the names in its rules"
    } else {
        "no annotation on the matching tiers is an action; set a kind for the tiers or list their values"
    };
    Error::new(format!("{what}. Tiers (with number of annotations):\n  {}", all.join("\n  ")))
}

type Parts = BTreeMap<TierPart, Vec<Event>>;

struct Gatherer<'a> {
    map: &'a TierMap,
    matched: Vec<Matched>,
    used: Vec<bool>,
    warnings: &'a mut Vec<Warning>,
}

impl Gatherer<'_> {
    /// Returns the actions of each person in a video by part of the body.
    fn recording(&mut self, recording: &AnnotatedVideo) -> BTreeMap<String, Parts> {
        let mut people: BTreeMap<String, Parts> = BTreeMap::new();
        for tier in &recording.annotations.tiers {
            let Some((index, rule)) = self.map.rule(tier) else { continue };
            self.used[index] = true;
            if rule.part == TierPart::Ignore {
                continue;
            }
            let person = rule.person.clone().unwrap_or_else(|| tier.participant.clone());
            let events = self.tier(recording, tier, rule);
            self.matched.push(Matched {
                file: recording.name.clone(),
                tier: tier.name.clone(),
                person: person.clone(),
                part: rule.part,
                annotations: events.len(),
                ignored: tier.annotations.len() - events.len(),
            });
            people.entry(person).or_default().entry(rule.part).or_default().extend(events);
        }
        people
    }

    fn tier(&mut self, recording: &AnnotatedVideo, tier: &Tier, rule: &TierRule) -> Vec<Event> {
        let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
        let mut events = Vec::new();
        for annotation in &tier.annotations {
            let meaning = self.map.meaning(rule, &annotation.value);
            match meaning {
                // All values on a speech tier count as speech.
                None if rule.part == TierPart::Speech => {
                    events.push(event(annotation, rule, Kind::Gesture, Vec::new()));
                }
                None => *unknown.entry(annotation.value.trim()).or_default() += 1,
                Some(None) => {}
                Some(Some((kind, tags))) => events.push(event(annotation, rule, kind, tags)),
            }
        }
        if !unknown.is_empty() {
            let mut list: Vec<String> =
                unknown.iter().map(|(value, count)| format!("“{value}” ({count})")).collect();
            let more = list.len().saturating_sub(10);
            list.truncate(10);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message =
                format!("these values are not in the map and were ignored: {}{more}", list.join(", "));
            let place = format!("{}: tier “{}”", recording.name, tier.name);
            self.warnings.push(Warning::new(WarningCode::Dropped, place, message));
        }
        events
    }
}

fn event(annotation: &Annotation, rule: &TierRule, kind: Kind, tags: Vec<String>) -> Event {
    let hand = match rule.part {
        TierPart::LeftArm => Some(Hand::Left),
        TierPart::RightArm => Some(Hand::Right),
        TierPart::BothArms => Some(Hand::Both),
        _ => None,
    };
    Event { start: annotation.start, end: annotation.end, hand, kind, tags }
}

fn stream(mut parts: Parts, map: &TierMap) -> Stream {
    let mut take = |part| in_order(parts.remove(&part).unwrap_or_default());
    let (left, right, both) = (take(TierPart::LeftArm), take(TierPart::RightArm), take(TierPart::BothArms));
    let mut arms = both_arms(left, right, map.overlap);
    arms.extend(both);
    let chains = BTreeMap::from([
        (ChainName::Arms, in_order(arms)),
        (ChainName::Head, take(TierPart::Head)),
        (ChainName::HeadStance, take(TierPart::HeadStance)),
        (ChainName::Body, take(TierPart::Body)),
    ]);
    let speech = parts.contains_key(&TierPart::Speech).then(|| {
        let speech = in_order(parts.remove(&TierPart::Speech).unwrap_or_default());
        merge_speech(&speech, map.pause)
    });
    Stream { chains, speech }
}

/// Sorts by start, then end, then in the order of Figure 11.
fn in_order(mut events: Vec<Event>) -> Vec<Event> {
    let order = |a: &Event, b: &Event| {
        let times = a.start.total_cmp(&b.start).then(a.end.total_cmp(&b.end));
        times.then_with(|| (a.hand, a.kind, &a.tags).cmp(&(b.hand, b.kind, &b.tags)))
    };
    events.sort_by(order);
    events
}

/// Merges simultaneous actions of both arms. Of all pairs of the same kind that overlap enough, the pair with the
/// longest overlap is merged first, then the next longest of the remaining pairs.
fn both_arms(mut left: Vec<Event>, right: Vec<Event>, overlap: f64) -> Vec<Event> {
    let mut free: Vec<Option<Event>> = right.into_iter().map(Some).collect();
    let mut is_joined = vec![false; left.len()];
    for (_, one, other) in pairs(&left, &free, overlap) {
        if is_joined[one] {
            continue;
        }
        if let Some(other) = free[other].take() {
            is_joined[one] = true;
            join(&mut left[one], other);
        }
    }
    left.extend(free.into_iter().flatten());
    left
}

/// Returns the indices of overlapping pairs, longest overlap first.
fn pairs(left: &[Event], right: &[Option<Event>], overlap: f64) -> Vec<(Reverse<i64>, usize, usize)> {
    let longest = right.iter().flatten().map(|event| event.end - event.start).fold(0.0, f64::max);
    let starts: Vec<f64> = right.iter().flatten().map(|event| event.start).collect();
    let mut pairs = Vec::new();
    for (one, event) in left.iter().enumerate() {
        // Events outside this range end before this event or begin after it.
        let begin = starts.partition_point(|start| start + longest < event.start);
        let end = starts.partition_point(|start| *start < event.end);
        for (other, candidate) in right.iter().enumerate().take(end).skip(begin) {
            let shared = candidate.as_ref().and_then(|candidate| shared(event, candidate, overlap));
            // In whole microseconds, so that equal overlaps compare equal.
            pairs.extend(shared.map(|secs| (Reverse((secs * 1e6).round() as i64), one, other)));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the overlap of two actions in seconds, if it is large enough to merge them.
fn shared(left: &Event, right: &Event, overlap: f64) -> Option<f64> {
    let shared = left.end.min(right.end) - left.start.max(right.start);
    let shorter = (left.end - left.start).min(right.end - right.start);
    (left.kind == right.kind && shared > SAME_SECS && shared + SAME_SECS >= overlap * shorter)
        .then_some(shared)
}

/// Merges two actions into one action of both arms. It covers both intervals and has the tags of both.
fn join(event: &mut Event, other: Event) {
    event.hand = Some(Hand::Both);
    (event.start, event.end) = (event.start.min(other.start), event.end.max(other.end));
    event.tags.extend(other.tags);
    event.tags.sort();
    event.tags.dedup();
}

/// Merges speech intervals that are separated by at most `pause` seconds.
fn merge_speech(speech: &[Event], pause: f64) -> Vec<(f64, f64)> {
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for event in speech {
        match joined.last_mut() {
            Some((_, end)) if event.start <= *end + pause + SAME_SECS => *end = end.max(event.end),
            _ => joined.push((event.start, event.end)),
        }
    }
    joined
}

impl Stream {
    /// Returns the activity at the middle of an action: speaking or listening; `None` if no tier annotates speech.
    pub(super) fn activity(&self, event: &Event) -> Option<Activity> {
        let speech = self.speech.as_ref()?;
        let middle = (event.start + event.end) / 2.0;
        let next = speech.partition_point(|(start, _)| *start <= middle);
        let speaks = next.checked_sub(1).is_some_and(|last| middle < speech[last].1);
        Some(if speaks { Activity::Speaking } else { Activity::Listening })
    }
}
