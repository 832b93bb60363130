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
        for (from, to) in [(first, stance), (stance, first)] {
            if !leads(repertoire, from, to) {
                notes.push(join_pair(repertoire, from, to));
            }
        }
    }
    notes
}

fn join_pair(repertoire: &mut Repertoire, from: usize, to: usize) -> String {
    let target = repertoire.stances[to].name.clone();
    let from = &mut repertoire.stances[from];
    let blend = Transition { blend_in: BLEND_SECS, ..Transition::new(target.clone(), None) };
    from.transitions.push(blend);
    format!(
        "no clip leads from “{}” to “{target}”, so they are blended into each other; a transition looks better",
        from.name
    )
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
