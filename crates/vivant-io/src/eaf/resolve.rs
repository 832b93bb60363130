//! Resolves the times of slots without a value and of annotations without slots.
//!
//! The rules are ELAN's. On a dependent tier, slots without a value are spaced evenly between the slots with a value,
//! along the tier's chain of annotations. On other tiers, slots without a value are spaced evenly between their
//! neighbours in the list of all slots. Symbolic subdivisions divide the time of the annotation they refer to evenly.

use super::parse::{Raw, RawAnnotation, RawTier, RawTimes, Slots};
use super::text::{line_at, quote};
use super::{Annotation, Annotations, Constraint, Tier, Timing};
use crate::error::{Error, Result, Warning, WarningCode};
use std::collections::{HashMap, HashSet};

/// An annotation: index of the tier, and of the annotation in the tier.
type Place = (usize, usize);
/// Start and end, in file units.
type Span = (f64, f64);

pub(super) fn resolve(mut raw: Raw, text: &str, warnings: &mut Vec<Warning>) -> Result<Annotations> {
    let ids = std::mem::take(&mut raw.ids).into_list();
    let slot_names = std::mem::take(&mut raw.slots.names).into_list();
    let mut file = File { text, ids: &ids, slot_names: &slot_names, raw: &raw, warnings };
    let parents = file.parents()?;
    let order = file.parents_first(&parents)?;
    let constraints = file.constraints();
    let slots = file.slot_times(&parents, &order)?;
    let places = file.places()?;
    let spans = file.spans(&slots, &places, &parents, &constraints)?;
    Ok(finish(raw, ids, &parents, &constraints, &places, spans))
}

/// State of a file while its times are resolved.
struct File<'a> {
    text: &'a str,
    ids: &'a [Box<str>],
    slot_names: &'a [Box<str>],
    raw: &'a Raw,
    warnings: &'a mut Vec<Warning>,
}

impl File<'_> {
    fn error_at(&self, offset: usize, message: impl std::fmt::Display) -> Error {
        Error::at(line_at(self.text.as_bytes(), offset), message)
    }

    fn warn(&mut self, code: WarningCode, tier: &RawTier, message: impl std::fmt::Display) {
        self.warnings.push(Warning::new(code, format!("tier {}", quote(&tier.name)), message));
    }

    fn id(&self, annotation: &RawAnnotation) -> String {
        quote(&self.ids[annotation.id])
    }

    /// Returns the parent of each tier.
    fn parents(&self) -> Result<Vec<Option<usize>>> {
        let mut numbers = HashMap::new();
        for (number, tier) in self.raw.tiers.iter().enumerate() {
            if numbers.insert(tier.name.as_str(), number).is_some() {
                return Err(
                    self.error_at(tier.offset, format!("duplicate tier {}; rename one", quote(&tier.name)))
                );
            }
        }
        let parent = |tier: &RawTier| {
            let Some(name) = &tier.parent else { return Ok(None) };
            let unknown = || {
                format!("tier {}: unknown parent tier {}; correct PARENT_REF", quote(&tier.name), quote(name))
            };
            numbers.get(name.as_str()).copied().map(Some).ok_or_else(|| self.error_at(tier.offset, unknown()))
        };
        self.raw.tiers.iter().map(parent).collect()
    }

    /// Returns the tiers, parents before children.
    fn parents_first(&self, parents: &[Option<usize>]) -> Result<Vec<usize>> {
        let mut depths: Vec<Option<usize>> = vec![None; parents.len()];
        for tier in 0..parents.len() {
            let mut path = Vec::new();
            let mut at = Some(tier);
            while let Some(number) = at.filter(|number| depths[*number].is_none()) {
                // A path longer than the number of tiers has a cycle.
                if path.len() > parents.len() {
                    let tier = &self.raw.tiers[number];
                    let message =
                        format!("tier {} is its own ancestor; change PARENT_REF", quote(&tier.name));
                    return Err(self.error_at(tier.offset, message));
                }
                path.push(number);
                at = parents[number];
            }
            let above = at.and_then(|number| depths[number]).map_or(0, |depth| depth + 1);
            for (below, number) in path.into_iter().rev().enumerate() {
                depths[number] = Some(above + below);
            }
        }
        let mut order: Vec<usize> = (0..parents.len()).collect();
        order.sort_by_key(|tier| depths[*tier]);
        Ok(order)
    }

    /// Returns the constraint of each tier: the constraint of its linguistic type, or a guess from its annotations if
    /// the type has none.
    fn constraints(&mut self) -> Vec<Constraint> {
        let raw = self.raw;
        raw.tiers.iter().map(|tier| self.constraint(tier)).collect()
    }

    fn constraint(&mut self, tier: &RawTier) -> Constraint {
        let stated = self.raw.types.get(&tier.linguistic_type).copied();
        let is_symbolic = tier.annotations.iter().any(|a| matches!(a.times, RawTimes::Refers { .. }));
        let fits = |constraint: &Constraint| {
            use Constraint::{SymbolicAssociation, SymbolicSubdivision};
            !is_symbolic || matches!(constraint, SymbolicAssociation | SymbolicSubdivision)
        };
        if let Some(stated) = stated.filter(fits) {
            return stated;
        }
        let guess = match (is_symbolic, tier.parent.is_some()) {
            (true, _) if is_chained(tier) => Constraint::SymbolicSubdivision,
            (true, _) => Constraint::SymbolicAssociation,
            (false, true) => Constraint::IncludedIn,
            (false, false) => Constraint::None,
        };
        let what = quote(&tier.linguistic_type);
        let why = if stated.is_some() { "does not fit its annotations" } else { "is not in the file" };
        self.warn(WarningCode::Guessed, tier, format!("linguistic type {what} {why}; read as {guess:?}"));
        guess
    }

    /// Returns the time of every used slot, indexed by the number of the slot's name.
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
                    let proposed: &Option<Vec<f64>> = among_all.get_or_insert_with(|| interpolated(slots));
                    let time = proposed.as_ref().zip(places[slot]).map(|(all, place)| all[place]);
                    times[slot] = Some(time.ok_or_else(|| self.no_times_error(annotation))?);
                }
            }
        }
        Ok(times)
    }

    fn no_times_error(&self, annotation: &RawAnnotation) -> Error {
        let id = self.id(annotation);
        self.error_at(
            annotation.offset,
            format!("annotation {id}: no time slot of this file has a TIME_VALUE; add one"),
        )
    }

    /// Returns the index of each slot, indexed by the number of the slot's name. Fails if a used slot does not exist.
    fn slot_places(&self) -> Result<Vec<Option<usize>>> {
        let mut places = self.raw.slots.place.clone();
        places.resize(self.slot_names.len(), None);
        for (annotation, slot) in self.raw.tiers.iter().flat_map(used_slots) {
            if places[slot].is_none() {
                let (id, name) = (self.id(annotation), quote(&self.slot_names[slot]));
                let message = format!("annotation {id}: unknown time slot {name}; correct its TIME_SLOT_REF");
                return Err(self.error_at(annotation.offset, message));
            }
        }
        Ok(places)
    }

    /// Returns the location of each annotation, indexed by the number of the annotation's id.
    fn places(&self) -> Result<Vec<Option<Place>>> {
        let mut places = vec![None; self.ids.len()];
        for (number, tier) in self.raw.tiers.iter().enumerate() {
            for (index, annotation) in tier.annotations.iter().enumerate() {
                if places[annotation.id].replace((number, index)).is_some() {
                    let message = format!("duplicate annotation {}; rename one", self.id(annotation));
                    return Err(self.error_at(annotation.offset, message));
                }
            }
        }
        Ok(places)
    }

    fn at(&self, (tier, index): Place) -> &RawAnnotation {
        &self.raw.tiers[tier].annotations[index]
    }

    /// Returns start and end of every annotation, by tier.
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

    /// Follows references until a time is found, and sets the times of all annotations on the way.
    fn span(
        &mut self,
        from: Place,
        slots: &[Option<f64>],
        places: &[Option<Place>],
        shares: &HashMap<Place, (usize, usize)>,
        spans: &mut [Vec<Option<Span>>],
    ) -> Result<()> {
        let mut path = Vec::new();
        let mut passed = HashSet::new();
        let (mut at, mut found) = (from, spans[from.0][from.1]);
        while found.is_none() {
            let annotation = self.at(at);
            match annotation.times {
                RawTimes::Slots(first, second) => {
                    let span = (slots[first].unwrap_or_default(), slots[second].unwrap_or_default());
                    let span = self.ordered(at, span);
                    spans[at.0][at.1] = Some(span);
                    found = Some(span);
                }
                RawTimes::Refers { to, .. } => {
                    if !passed.insert(at) {
                        let message = format!(
                            "annotation {} refers to itself through a cycle; change ANNOTATION_REF",
                            self.id(annotation)
                        );
                        return Err(self.error_at(annotation.offset, message));
                    }
                    path.push(at);
                    at = places[to].ok_or_else(|| self.unknown_error(annotation, to))?;
                    found = spans[at.0][at.1];
                }
            }
        }
        let mut span = found.unwrap_or_default();
        for place in path.into_iter().rev() {
            span = part(span, shares.get(&place).copied());
            spans[place.0][place.1] = Some(span);
        }
        Ok(())
    }

    fn unknown_error(&self, annotation: &RawAnnotation, to: usize) -> Error {
        let (id, to) = (self.id(annotation), quote(&self.ids[to]));
        self.error_at(
            annotation.offset,
            format!("annotation {id} refers to unknown annotation {to}; correct it"),
        )
    }

    fn ordered(&mut self, place: Place, (start, end): Span) -> Span {
        if start <= end {
            return (start, end);
        }
        let raw = self.raw;
        let id = self.id(self.at(place));
        let message = format!("annotation {id} ends before it starts; start and end were swapped");
        self.warn(WarningCode::Repaired, &raw.tiers[place.0], message);
        (end, start)
    }

    /// Returns for each annotation of a symbolic subdivision its index among the parts, and the number of parts.
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

    /// Groups the annotations of a tier by the annotation they refer to, in file order.
    fn siblings(
        &mut self,
        number: usize,
        tier: &RawTier,
        places: &[Option<Place>],
        parent: Option<usize>,
    ) -> Result<Vec<Vec<usize>>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = HashMap::new();
        let mut misplaced = 0;
        for (index, annotation) in tier.annotations.iter().enumerate() {
            let RawTimes::Refers { to, previous } = annotation.times else { continue };
            let referred = places[to].ok_or_else(|| self.unknown_error(annotation, to))?;
            if let Some(previous) = previous {
                let place = places[previous].ok_or_else(|| self.unknown_error(annotation, previous))?;
                misplaced += usize::from(place.0 != number);
            }
            misplaced += usize::from(Some(referred.0) != parent);
            let group = *group_of.entry(to).or_insert(groups.len());
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            groups[group].push(index);
        }
        if misplaced > 0 {
            let message = format!(
                "{misplaced} references point neither to the parent tier nor within this tier; they are kept"
            );
            self.warn(WarningCode::Malformed, tier, message);
        }
        Ok(groups)
    }

    /// Sorts siblings so that each follows its PREVIOUS_ANNOTATION.
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
                "annotation {} comes before itself through a cycle of PREVIOUS_ANNOTATION; change one",
                self.id(annotation)
            );
            return Err(self.error_at(annotation.offset, message));
        }
        if heads.len() > 1 || forks > 0 {
            let message = "annotations of one parent do not form one chain; those outside the chain \
            stay in file order";
            self.warn(WarningCode::Malformed, tier, message);
        }
        Ok(if forks > 0 { group.to_vec() } else { chain })
    }
}

fn is_chained(tier: &RawTier) -> bool {
    tier.annotations.iter().any(|a| matches!(a.times, RawTimes::Refers { previous: Some(_), .. }))
}

/// Returns one of several equal parts of a span: `share` is the index of the part and the number of parts. Returns
/// the whole span if `share` is `None`.
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

/// Divides the time between two known slots of a tier evenly among the annotations between these slots.
fn divide_chains(tier: &RawTier, times: &mut [Option<f64>]) {
    let slots = tier.annotations.iter().filter_map(|annotation| match annotation.times {
        RawTimes::Slots(first, second) => Some((first, second)),
        RawTimes::Refers { .. } => None,
    });
    let mut next = HashMap::new();
    for (first, second) in slots.clone() {
        next.entry(first).or_insert(second);
    }
    // Dead ends are walked only once.
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

/// Interpolates a time for every slot between its neighbours; `None` if no slot has a value.
fn interpolated(slots: &Slots) -> Option<Vec<f64>> {
    let last = slots.values.iter().rev().find_map(|value| *value)?;
    let mut times = Vec::with_capacity(slots.values.len());
    let mut before = 0.0;
    while times.len() < slots.values.len() {
        let rest = &slots.values[times.len()..];
        let missing = rest.iter().take_while(|value| value.is_none()).count();
        let after = rest.get(missing).copied().flatten().unwrap_or(last);
        let step = |i: usize| before + (after - before) * ((i + 1) as f64 / (missing + 1) as f64);
        times.extend((0..missing).map(step));
        times.extend(rest.get(missing).map(|_| after));
        before = after;
    }
    Some(times)
}

fn finish(
    raw: Raw,
    mut ids: Vec<Box<str>>,
    parents: &[Option<usize>],
    constraints: &[Constraint],
    places: &[Option<Place>],
    spans: Vec<Vec<Span>>,
) -> Annotations {
    let Raw { version, slots, tiers, unit_secs, .. } = raw;
    // Milliseconds are divided by 1000, not multiplied by 0.001, so that 1.7 stays 1.7.
    let secs = |time: f64| if unit_secs == 1e-3 { time / 1e3 } else { time * unit_secs };
    let is_marked = |slot: usize| slots.place[slot].is_some_and(|place| slots.values[place].is_some());
    let mut annotation = |raw: RawAnnotation, (start, end): Span| {
        let (is_own, refers_to) = match raw.times {
            RawTimes::Slots(first, second) => (is_marked(first) && is_marked(second), None),
            RawTimes::Refers { to, .. } => (false, places[to]),
        };
        let timing = if is_own { Timing::Own } else { Timing::Derived };
        // Ids are unique.
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
