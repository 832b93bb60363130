//! Why, in a sentence or two for people.

use super::measure::Measures;
use super::track::RATE;
use super::{Judged, Type};
use vivant::body::layers::Layer;

/// What was seen, and what was cut.
pub(crate) fn sentence(judged: &Judged, (start, end): (f64, f64), looped: bool) -> String {
    let mut said = seen(judged);
    if said.is_empty() {
        said = seen_small(judged);
    }
    if said.is_empty() {
        said.push("hardly anything moves".into());
    }
    let mut text = capital(&list(&said));
    text.push_str(". ");
    text.push_str(&ends(judged));
    for note in notes(judged, start, end, looped) {
        text.push(' ');
        text.push_str(&note);
    }
    text
}

fn seen(judged: &Judged) -> Vec<String> {
    let (m, s) = (&judged.measures, &judged.signs);
    let mut said = Vec::new();
    let mut say = |share: f32, what: String| {
        if share > 0.5 {
            said.push(what);
        }
    };
    say(s.walk, format!("the feet step {:.1} times a second", m.steps.rate));
    let [left, right] = m.excursion;
    let both = s.hands[0].min(s.hands[1]);
    say(both, format!("the left hand goes {left:.1} and the right {right:.1} arm lengths from rest"));
    say(s.hands[0].min(1.0 - both), format!("the left hand goes {left:.1} arm lengths from rest"));
    say(s.hands[1].min(1.0 - both), format!("the right hand goes {right:.1} arm lengths from rest"));
    say(s.shrug, "both shoulders are drawn up".into());
    say(s.touch.min(s.hands[0].max(s.hands[1])), touched(m, s.thinking));
    say(s.watch, format!("the head is bent to look at it for {:.0} % of that time", 100.0 * m.bent_down));
    say(s.stretch, format!("both arms are held stretched for {:.1} s", m.stretch_secs));
    say(s.nod, format!("the head nods {} times by {:.0}°", m.nod.swings.div_ceil(2), m.nod.size));
    say(s.shake, format!("the head shakes {} times by {:.0}°", m.shake.swings.div_ceil(2), m.shake.size));
    say(s.bend, format!("the trunk bends by {:.0}°", m.trunk_range.y));
    say(
        s.look * (1.0 - s.nod) * (1.0 - s.shake),
        format!("the head turns by {:.0}°", m.head_range.max_element()),
    );
    say(s.shift, format!("the hips move by {:.0} % of their height", 100.0 * m.hips_travel));
    say(s.leg * (1.0 - s.walk), "a foot moves".into());
    said
}

/// What counts only where nothing greater happens.
fn seen_small(judged: &Judged) -> Vec<String> {
    let (e, s) = (&judged.measures.events, &judged.signs.small);
    let head = e.head.iter().map(|event| event.size).fold(0.0, f32::max);
    let all = [
        (s.nod, format!("the head nods once by {:.0}°", e.head[1].size)),
        (s.tilt, format!("the head is tilted by {:.0}° for {:.1} s", e.head[2].size, e.head[2].secs)),
        (s.lean, format!("the trunk leans by {:.0}° and comes back", e.trunk[1].size)),
        (
            s.upper.min(1.0 - s.nod.max(s.tilt)),
            format!("the head or the trunk moves by {head:.0}° and returns"),
        ),
        (s.lower, "the hips or a knee move and return".into()),
        (s.hands[0], "the left hand or its fingers move a little".into()),
        (s.hands[1], "the right hand or its fingers move a little".into()),
    ];
    all.into_iter().filter(|(share, _)| *share > 0.5).map(|(_, what)| what).collect()
}

fn touched(m: &Measures, thinking: f32) -> String {
    let what = if thinking > 0.5 {
        "a hand is at the chin over the other arm"
    } else {
        "a hand touches the head, an arm or the other hand"
    };
    format!("{what} for {:.0} % of that time", 100.0 * m.touch)
}

fn ends(judged: &Judged) -> String {
    let degrees = judged.measures.ends_deg;
    let goes = judged.kind.value == Type::Transition;
    if goes && judged.signs.goes_in_part() {
        gone(&judged.measures, judged.signs.layers(Type::Transition) == [Layer::Head])
    } else if goes {
        format!("It ends {degrees:.0}° from where it starts.")
    } else if degrees < 5.0 {
        "It ends as it starts.".into()
    } else {
        format!("It ends {degrees:.0}° from where it starts, but not straight from there.")
    }
}

/// What ends elsewhere, if it is not the whole pose.
fn gone(m: &Measures, head: bool) -> String {
    if head {
        let degrees = m.events.head.iter().map(|event| event.between).fold(0.0, f32::max);
        format!("The head ends {degrees:.0}° from where it starts.")
    } else {
        let share = 100.0 * m.events.hips.between;
        format!("The weight ends elsewhere: the hips go by {share:.0} % of their height.")
    }
}

fn notes(judged: &Judged, start: f64, end: f64, looped: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let m = &judged.measures;
    if judged.sound.0 > 0.0 {
        notes.push(format!("Its first {:.2} s do not belong to the motion and are cut.", judged.sound.0));
    }
    if judged.sound.1 < judged.duration - 1e-9 {
        let cut = judged.duration - judged.sound.1;
        notes.push(format!("Its last {cut:.2} s do not belong to the motion and are cut."));
    }
    if (judged.seen.len() as f64) / RATE < judged.sound.1 - judged.sound.0 {
        notes.push("Only its first ten minutes were looked at.".into());
    }
    let (before, after) = (start - judged.sound.0, judged.sound.1 - end);
    if before.max(after) > 0.15 {
        notes.push(format!("{before:.1} s before and {after:.1} s after it are left out."));
    }
    if judged.signs.walk > 0.5 {
        notes.push("Walking is none of the types that a repertoire knows.".into());
    }
    if judged.kind.value == Type::Stance && !looped {
        notes.push(format!("Looped, it would jump by {:.0}°.", judged.seam_deg));
    }
    if m.seconds < 0.5 {
        notes.push("It is too short to be sure.".into());
    } else if judged.signs.quality < 0.5 {
        notes.push("It moves faster than people can; look at it before you use it.".into());
    }
    notes
}

fn list(said: &[String]) -> String {
    match said {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
