//! Explains a suggestion in a sentence or two.

use super::measure::Measures;
use super::track::RATE;
use super::{ClipAnalysis, Type};
use vivant::body::layers::Layer;

/// Returns the explanation: the parts that move, and the trimmed time.
pub(crate) fn sentence(analysed: &ClipAnalysis, (start, end): (f64, f64), looped: bool) -> String {
    let mut parts = movements(analysed);
    if parts.is_empty() {
        parts = small_movements(analysed);
    }
    if parts.is_empty() {
        parts.push("hardly anything moves".into());
    }
    let mut text = capital(&list(&parts));
    text.push_str(". ");
    text.push_str(&ends(analysed));
    for note in notes(analysed, start, end, looped) {
        text.push(' ');
        text.push_str(&note);
    }
    text
}

fn movements(analysed: &ClipAnalysis) -> Vec<String> {
    let (m, s) = (&analysed.measures, &analysed.cues);
    let mut parts = Vec::new();
    let mut add = |share: f32, what: String| {
        if share > 0.5 {
            parts.push(what);
        }
    };
    add(s.walk, format!("the feet step {:.1} times per second", m.steps.rate));
    let [left, right] = m.excursion;
    let both = s.hands[0].min(s.hands[1]);
    add(both, format!("the left hand goes {left:.1} and the right {right:.1} arm lengths from rest"));
    add(s.hands[0].min(1.0 - both), format!("the left hand goes {left:.1} arm lengths from rest"));
    add(s.hands[1].min(1.0 - both), format!("the right hand goes {right:.1} arm lengths from rest"));
    add(s.shrug, "both shoulders are raised".into());
    add(s.touch.min(s.hands[0].max(s.hands[1])), touched(m, s.thinking));
    add(s.watch, format!("the head is bent down to look at it {:.0} % of the time", 100.0 * m.bent_down));
    add(s.stretch, format!("both arms are held straight for {:.1} s", m.stretch_secs));
    add(s.nod, format!("the head nods {} times by {:.0}°", m.nod.swings.div_ceil(2), m.nod.size));
    add(s.shake, format!("the head shakes {} times by {:.0}°", m.shake.swings.div_ceil(2), m.shake.size));
    add(s.bend, format!("the trunk bends by {:.0}°", m.trunk_range.y));
    add(
        s.look * (1.0 - s.nod) * (1.0 - s.shake),
        format!("the head turns by {:.0}°", m.head_range.max_element()),
    );
    add(s.shift, format!("the hips move by {:.0} % of their height", 100.0 * m.hips_travel));
    add(s.leg * (1.0 - s.walk), "a foot moves".into());
    parts
}

/// Returns descriptions of small movements, which count only if nothing larger happens.
fn small_movements(analysed: &ClipAnalysis) -> Vec<String> {
    let (e, s) = (&analysed.measures.events, &analysed.cues.small);
    let head = e.head.iter().map(|event| event.size).fold(0.0, f32::max);
    let all = [
        (s.nod, format!("the head nods once by {:.0}°", e.head[1].size)),
        (s.tilt, format!("the head tilts by {:.0}° for {:.1} s", e.head[2].size, e.head[2].secs)),
        (s.lean, format!("the trunk leans by {:.0}° and returns", e.trunk[1].size)),
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
    format!("{what} {:.0} % of the time", 100.0 * m.touch)
}

fn ends(analysed: &ClipAnalysis) -> String {
    let degrees = analysed.measures.ends_deg;
    let goes = analysed.kind.value == Type::Transition;
    if goes && analysed.cues.goes_in_part() {
        moved_part(&analysed.measures, analysed.cues.layers(Type::Transition) == [Layer::Head])
    } else if goes {
        format!("It ends {degrees:.0}° from where it starts.")
    } else if degrees < 5.0 {
        "The clip ends in its first pose.".into()
    } else {
        format!("It ends {degrees:.0}° from its first pose, but the movement is not direct.")
    }
}

/// Describes the part of the body that ends in another position, if it is not the whole pose.
fn moved_part(m: &Measures, head: bool) -> String {
    if head {
        let degrees = m.events.head.iter().map(|event| event.between).fold(0.0, f32::max);
        format!("The head ends {degrees:.0}° from where it starts.")
    } else {
        let share = 100.0 * m.events.hips.between;
        format!("The weight shifts: the hips move by {share:.0} % of their height.")
    }
}

fn notes(analysed: &ClipAnalysis, start: f64, end: f64, looped: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let m = &analysed.measures;
    if analysed.valid.0 > 0.0 {
        notes.push(format!(
            "The first {:.2} s do not belong to the motion and are trimmed.",
            analysed.valid.0
        ));
    }
    if analysed.valid.1 < analysed.duration - 1e-9 {
        let cut = analysed.duration - analysed.valid.1;
        notes.push(format!("The last {cut:.2} s do not belong to the motion and are trimmed."));
    }
    if (analysed.samples.len() as f64) / RATE < analysed.valid.1 - analysed.valid.0 {
        notes.push("Only the first ten minutes were analysed.".into());
    }
    let (before, after) = (start - analysed.valid.0, analysed.valid.1 - end);
    if before.max(after) > 0.15 {
        notes.push(format!("{before:.1} s before and {after:.1} s after it are trimmed."));
    }
    if analysed.cues.walk > 0.5 {
        notes.push("A repertoire has no type for walking.".into());
    }
    if analysed.kind.value == Type::Stance && !looped {
        notes.push(format!("As a loop, it would jump by {:.0}°.", analysed.seam_deg));
    }
    if m.seconds < 0.5 {
        notes.push("The clip is too short for a reliable label.".into());
    } else if analysed.cues.quality < 0.5 {
        notes.push("It moves faster than people can; review it before use.".into());
    }
    notes
}

fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
