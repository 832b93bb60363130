//! Stances that are new, and that no clip leads to or from, are joined to the others by blends.

use vivant::body::repertoire::{Repertoire, Transition};

/// How long such a blend takes, in seconds (our design: slow enough to be a movement, not a jerk).
const BLEND_SECS: f64 = 1.0;

/// Joins each new stance to the first of its layers where there is no way. Says what was done.
pub(super) fn join(repertoire: &mut Repertoire, new: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    for name in new {
        let Some(stance) = index(repertoire, name) else { continue };
        let layers = &repertoire.stances[stance].layers;
        let siblings = repertoire.stances.iter().position(|other| other.layers == *layers);
        let Some(first) = siblings.filter(|first| *first != stance) else { continue };
        let lost: Vec<(usize, usize)> = [(first, stance), (stance, first)]
            .into_iter()
            .filter(|(a, b)| !leads(repertoire, *a, *b))
            .collect();
        lost.iter().for_each(|(from, to)| blend(repertoire, *from, *to));
        notes.extend(note(repertoire, &lost));
    }
    notes
}

fn blend(repertoire: &mut Repertoire, from: usize, to: usize) {
    let target = repertoire.stances[to].name.clone();
    let blend = Transition { blend_in: BLEND_SECS, ..Transition::new(target, None) };
    repertoire.stances[from].transitions.push(blend);
}

fn note(repertoire: &Repertoire, lost: &[(usize, usize)]) -> Option<String> {
    let (from, to) = lost.first()?;
    let [from, to] = [from, to].map(|index| &repertoire.stances[*index].name);
    let back = if lost.len() > 1 { ", nor back" } else { "" };
    Some(format!("no clip leads from “{from}” to “{to}”{back}, so it is a blend; a transition looks better"))
}

pub(super) fn index(repertoire: &Repertoire, name: &str) -> Option<usize> {
    repertoire.stances.iter().position(|stance| stance.name == name)
}

/// Whether there is a way, of one transition or several.
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
