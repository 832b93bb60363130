//! Times for everybody: slots without a value, and annotations without slots.
//!
//! As ELAN does it: on a dependent tier, slots without a value divide evenly what lies between the slots
//! with one along the tier's chain of annotations; on others, between their neighbours in the order of
//! all slots. Symbolic subdivisions divide the time of what they refer to evenly.

use super::parse::{Raw, RawAnnotation, RawTier, RawTimes, Slots};
use super::text::{line_at, shown};
use super::{Annotation, Annotations, Constraint, Tier, Timing};
use crate::error::{Error, Result, Warning, WarningCode};
use std::collections::{HashMap, HashSet};

/// An annotation by tier and by its index in it.
type Place = (usize, usize);
/// Start and end, in units of the file.
type Span = (f64, f64);

pub(super) fn resolved(mut raw: Raw, text: &str, warnings: &mut Vec<Warning>) -> Result<Annotations> {
    let ids = std::mem::take(&mut raw.ids).into_list();
    let slot_names = std::mem::take(&mut raw.slots.names).into_list();
    let mut file = File { text, ids: &ids, slot_names: &slot_names, raw: &raw, warnings };
    let parents = file.parents()?;
    let order = file.parents_first(&parents)?;
    let constraints = file.constraints();
    let slots = file.slot_times(&parents, &order)?;
    let places = file.places()?;
    let spans = file.spans(&slots, &places, &parents, &constraints)?;
    Ok(finished(raw, ids, &parents, &constraints, &places, spans))
}

/// What is asked while times are found.
struct File<'a> {
    text: &'a str,
    ids: &'a [Box<str>],
    slot_names: &'a [Box<str>],
    raw: &'a Raw,
    warnings: &'a mut Vec<Warning>,
}

impl File<'_> {
    fn fault(&self, offset: usize, message: impl std::fmt::Display) -> Error {
        Error::at(line_at(self.text.as_bytes(), offset), message)
    }

    fn warn(&mut self, code: WarningCode, tier: &RawTier, message: impl std::fmt::Display) {
        self.warnings.push(Warning::new(code, format!("tier {}", shown(&tier.name)), message));
    }

    fn id(&self, annotation: &RawAnnotation) -> String {
        shown(&self.ids[annotation.id])
    }

    /// Each tier's parent tier.
    fn parents(&self) -> Result<Vec<Option<usize>>> {
        let mut numbers = HashMap::new();
        for (number, tier) in self.raw.tiers.iter().enumerate() {
            if numbers.insert(tier.name.as_str(), number).is_some() {
                return Err(self.fault(tier.offset, format!("there are two tiers {}", shown(&tier.name))));
            }
        }
        let parent = |tier: &RawTier| {
            let Some(name) = &tier.parent else { return Ok(None) };
            let unknown =
                || format!("tier {}: its parent tier {} is not there", shown(&tier.name), shown(name));
            numbers.get(name.as_str()).copied().map(Some).ok_or_else(|| self.fault(tier.offset, unknown()))
        };
        self.raw.tiers.iter().map(parent).collect()
    }

    /// The tiers, parents before children.
    fn parents_first(&self, parents: &[Option<usize>]) -> Result<Vec<usize>> {
        let mut depths: Vec<Option<usize>> = vec![None; parents.len()];
        for tier in 0..parents.len() {
            let mut way = Vec::new();
            let mut at = Some(tier);
            while let Some(number) = at.filter(|number| depths[*number].is_none()) {
                // A way longer than there are tiers comes by one of them twice.
                if way.len() > parents.len() {
                    let fault = &self.raw.tiers[number];
                    let message =
                        format!("tier {} is its own ancestor; change PARENT_REF", shown(&fault.name));
                    return Err(self.fault(fault.offset, message));
                }
                way.push(number);
                at = parents[number];
            }
            let above = at.and_then(|number| depths[number]).map_or(0, |depth| depth + 1);
            for (below, number) in way.into_iter().rev().enumerate() {
                depths[number] = Some(above + below);
            }
        }
        let mut order: Vec<usize> = (0..parents.len()).collect();
        order.sort_by_key(|tier| depths[*tier]);
        Ok(order)
    }

    /// Each tier's constraint: as its type says, else as its annotations look.
    fn constraints(&mut self) -> Vec<Constraint> {
        let raw = self.raw;
        raw.tiers.iter().map(|tier| self.constraint(tier)).collect()
    }

    fn constraint(&mut self, tier: &RawTier) -> Constraint {
        let said = self.raw.types.get(&tier.linguistic_type).copied();
        let is_symbolic = tier.annotations.iter().any(|a| matches!(a.times, RawTimes::Refers { .. }));
        let fits = |constraint: &Constraint| {
            use Constraint::{SymbolicAssociation, SymbolicSubdivision};
            !is_symbolic || matches!(constraint, SymbolicAssociation | SymbolicSubdivision)
        };
        if let Some(said) = said.filter(fits) {
            return said;
        }
        let guess = match (is_symbolic, tier.parent.is_some()) {
            (true, _) if is_chained(tier) => Constraint::SymbolicSubdivision,
            (true, _) => Constraint::SymbolicAssociation,
            (false, true) => Constraint::IncludedIn,
            (false, false) => Constraint::None,
        };
        let what = shown(&tier.linguistic_type);
        let why = if said.is_some() { "does not fit its annotations" } else { "is not in the file" };
        self.warn(WarningCode::Guessed, tier, format!("its linguistic type {what} {why}; read as {guess:?}"));
        guess
    }

    /// The time of every slot that is used, by name's number.
    fn slot_times(&mut self, parents: &[Option<usize>], order: &[usize]) -> Result<Vec<Option<f64>>> {
        let slots = &self.raw.slots;
        let places = self.slot_places()?;
        let value = |place: &Option<usize>| place.and_then(|place| slots.values[place]);
        let mut times: Vec<Option<f64>> = places.iter().map(value).collect();
        let mut among_all = None;
        for &number in order {
            let tier = &self.raw.tiers[number];
            if used_slots(tier).all(|(_, slot)| times[slot].is_some()) {
                continue;
            }
            if parents[number].is_some() {
                divide_chains(tier, &mut times);
            }
            for (annotation, slot) in used_slots(tier) {
                if times[slot].is_none() {
                    let proposed: &Option<Vec<f64>> = among_all.get_or_insert_with(|| proposals(slots));
                    let time = proposed.as_ref().zip(places[slot]).map(|(all, place)| all[place]);
                    times[slot] = Some(time.ok_or_else(|| self.untimed(annotation))?);
                }
            }
        }
        Ok(times)
    }

    fn untimed(&self, annotation: &RawAnnotation) -> Error {
        let id = self.id(annotation);
        self.fault(annotation.offset, format!("annotation {id}: no time slot of this file has a TIME_VALUE"))
    }

    /// Where each slot is in the order of slots, by name's number; those that are used all exist.
    fn slot_places(&self) -> Result<Vec<Option<usize>>> {
        let mut places = self.raw.slots.place.clone();
        places.resize(self.slot_names.len(), None);
        for (annotation, slot) in self.raw.tiers.iter().flat_map(used_slots) {
            if places[slot].is_none() {
                let (id, name) = (self.id(annotation), shown(&self.slot_names[slot]));
                let message = format!("annotation {id}: there is no time slot {name}");
                return Err(self.fault(annotation.offset, message));
            }
        }
        Ok(places)
    }

    /// Where each annotation is, by its id's number.
    fn places(&self) -> Result<Vec<Option<Place>>> {
        let mut places = vec![None; self.ids.len()];
        for (number, tier) in self.raw.tiers.iter().enumerate() {
            for (index, annotation) in tier.annotations.iter().enumerate() {
                if places[annotation.id].replace((number, index)).is_some() {
                    let message = format!("there are two annotations {}", self.id(annotation));
                    return Err(self.fault(annotation.offset, message));
                }
            }
        }
        Ok(places)
    }

    fn at(&self, (tier, index): Place) -> &RawAnnotation {
        &self.raw.tiers[tier].annotations[index]
    }

    /// Start and end of every annotation, tier by tier.
    fn spans(
        &mut self,
        slots: &[Option<f64>],
        places: &[Option<Place>],
        parents: &[Option<usize>],
        constraints: &[Constraint],
    ) -> Result<Vec<Vec<Span>>> {
        let shares = self.shares(places, parents, constraints)?;
        let empty = |tier: &RawTier| vec![None; tier.annotations.len()];
        let mut spans: Vec<Vec<Option<Span>>> = self.raw.tiers.iter().map(empty).collect();
        for tier in 0..spans.len() {
            for index in 0..spans[tier].len() {
                self.span((tier, index), slots, places, &shares, &mut spans)?;
            }
        }
        let known = |spans: Vec<Option<Span>>| spans.into_iter().map(Option::unwrap_or_default).collect();
        Ok(spans.into_iter().map(known).collect())
    }

    /// Follows references until there is a time, and brings it back.
    fn span(
        &mut self,
        from: Place,
        slots: &[Option<f64>],
        places: &[Option<Place>],
        shares: &HashMap<Place, (usize, usize)>,
        spans: &mut [Vec<Option<Span>>],
    ) -> Result<()> {
        let mut way = Vec::new();
        let mut passed = HashSet::new();
        let (mut at, mut found) = (from, spans[from.0][from.1]);
        while found.is_none() {
            let annotation = self.at(at);
            match annotation.times {
                RawTimes::Slots(first, second) => {
                    let span = (slots[first].unwrap_or_default(), slots[second].unwrap_or_default());
                    let span = self.in_order(at, span);
                    spans[at.0][at.1] = Some(span);
                    found = Some(span);
                }
                RawTimes::Refers { to, .. } => {
                    if !passed.insert(at) {
                        let message =
                            format!("annotation {} refers to itself, by a circle", self.id(annotation));
                        return Err(self.fault(annotation.offset, message));
                    }
                    way.push(at);
                    at = places[to].ok_or_else(|| self.unknown(annotation, to))?;
                    found = spans[at.0][at.1];
                }
            }
        }
        let mut span = found.unwrap_or_default();
        for place in way.into_iter().rev() {
            span = part(span, shares.get(&place).copied());
            spans[place.0][place.1] = Some(span);
        }
        Ok(())
    }

    fn unknown(&self, annotation: &RawAnnotation, to: usize) -> Error {
        let (id, to) = (self.id(annotation), shown(&self.ids[to]));
        self.fault(annotation.offset, format!("annotation {id} refers to {to}, which is not there"))
    }

    fn in_order(&mut self, place: Place, (start, end): Span) -> Span {
        if start <= end {
            return (start, end);
        }
        let raw = self.raw;
        let id = self.id(self.at(place));
        let message = format!("annotation {id} ends before it begins; its ends were exchanged");
        self.warn(WarningCode::Repaired, &raw.tiers[place.0], message);
        (end, start)
    }

    /// Which part of how many each symbolic subdivision is.
    fn shares(
        &mut self,
        places: &[Option<Place>],
        parents: &[Option<usize>],
        constraints: &[Constraint],
    ) -> Result<HashMap<Place, (usize, usize)>> {
        let mut shares = HashMap::new();
        for (number, tier) in self.raw.tiers.iter().enumerate() {
            let groups = self.siblings(number, tier, places, parents[number])?;
            if constraints[number] != Constraint::SymbolicSubdivision {
                continue;
            }
            for group in groups {
                let ordered = self.in_chain(tier, &group)?;
                let count = ordered.len();
                shares
                    .extend(ordered.into_iter().enumerate().map(|(i, index)| ((number, index), (i, count))));
            }
        }
        Ok(shares)
    }

    /// The annotations of a tier that refer to the same one, in the order of the file.
    fn siblings(
        &mut self,
        number: usize,
        tier: &RawTier,
        places: &[Option<Place>],
        parent: Option<usize>,
    ) -> Result<Vec<Vec<usize>>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = HashMap::new();
        let mut strangers = 0;
        for (index, annotation) in tier.annotations.iter().enumerate() {
            let RawTimes::Refers { to, previous } = annotation.times else { continue };
            let referred = places[to].ok_or_else(|| self.unknown(annotation, to))?;
            if let Some(previous) = previous {
                let place = places[previous].ok_or_else(|| self.unknown(annotation, previous))?;
                strangers += usize::from(place.0 != number);
            }
            strangers += usize::from(Some(referred.0) != parent);
            let group = *group_of.entry(to).or_insert(groups.len());
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            groups[group].push(index);
        }
        if strangers > 0 {
            let message =
                format!("{strangers} references lead neither to the parent tier nor along this one");
            self.warn(WarningCode::Malformed, tier, message);
        }
        Ok(groups)
    }

    /// Siblings, each after the one that it names as the previous.
    fn in_chain(&mut self, tier: &RawTier, group: &[usize]) -> Result<Vec<usize>> {
        let previous = |index: usize| match tier.annotations[index].times {
            RawTimes::Refers { previous, .. } => previous,
            RawTimes::Slots(..) => None,
        };
        let known: HashSet<usize> = group.iter().map(|index| tier.annotations[*index].id).collect();
        let mut after: HashMap<usize, usize> = HashMap::new();
        let (mut heads, mut forks) = (Vec::new(), 0);
        for &index in group {
            match previous(index).filter(|id| known.contains(id)) {
                None => heads.push(index),
                Some(id) => forks += usize::from(after.insert(id, index).is_some()),
            }
        }
        let mut chain = Vec::with_capacity(group.len());
        for head in &heads {
            let next = |index: &usize| after.get(&tier.annotations[*index].id).copied();
            chain.extend(std::iter::successors(Some(*head), next));
        }
        if chain.len() < group.len() && forks == 0 {
            let lost = group.iter().find(|index| !chain.contains(index)).copied().unwrap_or_default();
            let annotation = &tier.annotations[lost];
            let message = format!(
                "annotation {} comes before itself, by a circle of PREVIOUS_ANNOTATION",
                self.id(annotation)
            );
            return Err(self.fault(annotation.offset, message));
        }
        if heads.len() > 1 || forks > 0 {
            let message = "annotations of one parent do not form one chain; those without a place in it \
                           stay in the order of the file";
            self.warn(WarningCode::Malformed, tier, message);
        }
        Ok(if forks > 0 { group.to_vec() } else { chain })
    }
}

fn is_chained(tier: &RawTier) -> bool {
    tier.annotations.iter().any(|a| matches!(a.times, RawTimes::Refers { previous: Some(_), .. }))
}

/// One of some equal parts of a span; the whole if it was not divided.
fn part((start, end): Span, share: Option<(usize, usize)>) -> Span {
    let Some((index, count)) = share else { return (start, end) };
    let at = |index: usize| start + (end - start) * (index as f64 / count as f64);
    (at(index), at(index + 1))
}

fn used_slots(tier: &RawTier) -> impl Iterator<Item = (&RawAnnotation, usize)> + Clone {
    tier.annotations
        .iter()
        .flat_map(|annotation| match annotation.times {
            RawTimes::Slots(first, second) => [Some((annotation, first)), Some((annotation, second))],
            RawTimes::Refers { .. } => [None, None],
        })
        .flatten()
}

/// Divides what lies between two known slots of a tier evenly among the annotations from one to the other.
fn divide_chains(tier: &RawTier, times: &mut [Option<f64>]) {
    let slots = tier.annotations.iter().filter_map(|annotation| match annotation.times {
        RawTimes::Slots(first, second) => Some((first, second)),
        RawTimes::Refers { .. } => None,
    });
    let mut next = HashMap::new();
    for (first, second) in slots.clone() {
        next.entry(first).or_insert(second);
    }
    // What leads nowhere is walked once only.
    let mut walked = HashSet::new();
    for (first, second) in slots {
        let Some(begin) = times[first] else { continue };
        let mut chain = Vec::new();
        let mut at = Some(second);
        while let Some(slot) = at.filter(|slot| times[*slot].is_none() && walked.insert(*slot)) {
            chain.push(slot);
            at = next.get(&slot).copied();
        }
        if let Some(end) = at.and_then(|slot| times[slot]) {
            let count = chain.len() + 1;
            for (i, slot) in chain.into_iter().enumerate() {
                times[slot] = Some(begin + (end - begin) * ((i + 1) as f64 / count as f64));
            }
        }
    }
}

/// A time for every place in the order of slots, between its neighbours; `None` if no slot has a value.
fn proposals(slots: &Slots) -> Option<Vec<f64>> {
    let last = slots.values.iter().rev().find_map(|value| *value)?;
    let mut times = Vec::with_capacity(slots.values.len());
    let mut before = 0.0;
    while times.len() < slots.values.len() {
        let rest = &slots.values[times.len()..];
        let unknown = rest.iter().take_while(|value| value.is_none()).count();
        let after = rest.get(unknown).copied().flatten().unwrap_or(last);
        let step = |i: usize| before + (after - before) * ((i + 1) as f64 / (unknown + 1) as f64);
        times.extend((0..unknown).map(step));
        times.extend(rest.get(unknown).map(|_| after));
        before = after;
    }
    Some(times)
}

fn finished(
    raw: Raw,
    mut ids: Vec<Box<str>>,
    parents: &[Option<usize>],
    constraints: &[Constraint],
    places: &[Option<Place>],
    spans: Vec<Vec<Span>>,
) -> Annotations {
    let Raw { version, slots, tiers, unit_secs, .. } = raw;
    // Thousandths are divided, not multiplied by 0.001: 1.7 stays 1.7.
    let secs = |time: f64| if unit_secs == 1e-3 { time / 1e3 } else { time * unit_secs };
    let is_marked = |slot: usize| slots.place[slot].is_some_and(|place| slots.values[place].is_some());
    let mut annotation = |raw: RawAnnotation, (start, end): Span| {
        let (is_own, refers_to) = match raw.times {
            RawTimes::Slots(first, second) => (is_marked(first) && is_marked(second), None),
            RawTimes::Refers { to, .. } => (false, places[to]),
        };
        let timing = if is_own { Timing::Own } else { Timing::Derived };
        // No two annotations have the same.
        let id = std::mem::take(&mut ids[raw.id]).into_string();
        Annotation { id, start: secs(start), end: secs(end), value: raw.value, timing, refers_to }
    };
    let tiers = tiers.into_iter().zip(spans).enumerate().map(|(number, (tier, spans))| Tier {
        name: tier.name,
        participant: tier.participant,
        linguistic_type: tier.linguistic_type,
        constraint: constraints[number],
        parent: parents[number],
        annotations: tier
            .annotations
            .into_iter()
            .zip(spans)
            .map(|(raw, span)| annotation(raw, span))
            .collect(),
    });
    Annotations { version, tiers: tiers.collect() }
}
