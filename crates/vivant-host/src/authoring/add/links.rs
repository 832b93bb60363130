//! Connects new stances to other stances with blends if no transition clip connects them.

use vivant::body::repertoire::{Repertoire, Transition};

/// Duration of a generated blend in seconds (our design: slow enough to avoid a jerk).
const BLEND_SECS: f64 = 1.0;

/// Connects each new stance with the first stance of the same layers, in both directions. A direction in which
/// transitions already lead to the target gets no blend. Returns a note for each stance that gets blends.
pub(super) fn join(repertoire: &mut Repertoire, new: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    for name in new {
        let Some(stance) = index(repertoire, name) else { continue };
        let layers = &repertoire.stances[stance].layers;
        let siblings = repertoire.stances.iter().position(|other| other.layers == *layers);
        let Some(first) = siblings.filter(|first| *first != stance) else { continue };
        let missing: Vec<(usize, usize)> = [(first, stance), (stance, first)]
            .into_iter()
            .filter(|(a, b)| !leads(repertoire, *a, *b))
            .collect();
        missing.iter().for_each(|(from, to)| blend(repertoire, *from, *to));
        notes.extend(note(repertoire, &missing));
    }
    notes
}

fn blend(repertoire: &mut Repertoire, from: usize, to: usize) {
    let target = repertoire.stances[to].name.clone();
    let blend = Transition { blend_in: BLEND_SECS, ..Transition::new(target, None) };
    repertoire.stances[from].transitions.push(blend);
}

fn note(repertoire: &Repertoire, missing: &[(usize, usize)]) -> Option<String> {
    let (from, to) = missing.first()?;
    let [from, to] = [from, to].map(|index| &repertoire.stances[*index].name);
    let back = if missing.len() > 1 { " or back" } else { "" };
    Some(format!(
        "no transition clip from “{from}” to “{to}”{back}; a blend is used. A transition clip looks better"
    ))
}

pub(super) fn index(repertoire: &Repertoire, name: &str) -> Option<usize> {
    repertoire.stances.iter().position(|stance| stance.name == name)
}

/// Returns true if the stance `to` can be reached from the stance `from` by one or more transitions.
fn leads(repertoire: &Repertoire, from: usize, to: usize) -> bool {
    let mut reached = vec![false; repertoire.stances.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let next = repertoire.stances[at].transitions.iter();
        open.extend(next.filter_map(|transition| index(repertoire, &transition.to)));
    }
    reached[to]
}
