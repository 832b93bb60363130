//! One hour of conversation between two characters, compared with human data. The table in
//! `docs/science/conversation.md` is printed by
//! `cargo test -p vivant-learn --release --test conversation -- --nocapture`.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::body::plan::Note;
use vivant::body::repertoire::Kind;
use vivant::chance::Chance;
use vivant::eyes::aversion::{Aversion, Reason};
use vivant::intent::{Intent, Say};
use vivant::performer::{Floor, Performer};
use vivant::pose::Pose;
use vivant::speech::event::SpeechEventKind;

const SENTENCES: [&str; 24] = [
    "I have been thinking about the garden, and I believe that we should move the roses.",
    "They never got enough sun behind the old wall.",
    "My sister says that nobody waters them, which is true.",
    "Last summer we lost three of the apple trees in one single storm.",
    "It was loud, it was dark, and the children hid under the table.",
    "What would you plant there instead?",
    "Maybe something small, like thyme or lavender.",
    "The bees would certainly enjoy it.",
    "On the other hand, the neighbours complain about every single insect.",
    "Do you remember the letter they wrote?",
    "I laughed for a week, and then I felt a little sorry for them.",
    "People are strange when they are afraid.",
    "Anyway, the shop closes at five, so we have to decide today.",
    "We could take the train and carry everything in two large bags.",
    "Or we borrow the car from Peter, if he is not at work.",
    "He owes me a favour since the business with the boat.",
    "That was a very long night, and the water was cold.",
    "I still do not understand how it happened.",
    "The rope was new, the knot was good, and still it came loose.",
    "Some things simply want to leave.",
    "Well, let me make some tea first.",
    "Could you bring the blue cups from the kitchen?",
    "They are on the shelf behind the bread.",
    "Thank you, that is very kind.",
];

const HOUR_SECS: f64 = 3600.0;
const RATE: f64 = 60.0;
/// Maximum angle between the gaze and the partner's face that counts as looking at the face.
const LOOKS_DEG: f64 = 6.0;

fn character(seed: u64, library: &Arc<Library>) -> Performer {
    let mut performer = Performer::new(library.clone(), seed);
    performer.set_behaviour(0.0, Behaviour::standard());
    performer.breathe(0.0, 1.0);
    performer.eyes().start_idle_behaviour(0.0);
    performer
}

fn built_in() -> Arc<Library> {
    let clips = vivant_mannequin::starter_clips();
    let clips: BTreeMap<_, _> =
        clips.into_iter().map(|clip| (format!("builtin#{}", clip.name()), clip)).collect();
    let rig = vivant_mannequin::rig();
    let base = Pose::neutral(&rig);
    let repertoire = vivant_mannequin::starter_repertoire();
    let built = Library::of_repertoire(rig, base, &repertoire, &|name| clips.get(name));
    Arc::new(built.expect("the built-in repertoire").0)
}

/// Observations of one character.
#[derive(Default)]
struct Observed {
    frames: BTreeMap<&'static str, [f64; 2]>,
    blinks: BTreeMap<&'static str, f64>,
    blink_times: Vec<f64>,
    was_blinking: bool,
    aversions: Vec<Aversion>,
    emphases: Vec<f64>,
    phrase_ends: Vec<f64>,
    strokes: Vec<f64>,
}

fn state(floor: Floor) -> &'static str {
    match floor {
        Floor::Speaking | Floor::Yielding | Floor::Holding => "speaking",
        Floor::Listening => "listening",
        _ => "idle",
    }
}

impl Observed {
    fn observe(&mut self, performer: &Performer, t: f64) -> bool {
        let state = state(performer.floor());
        let gaze = performer.gaze().expect("living eyes");
        let looks = gaze.gaze.normalize().z > vivant::math::cos(LOOKS_DEG.to_radians());
        let count = self.frames.entry(state).or_default();
        count[0] += 1.0;
        count[1] += f64::from(u8::from(looks));
        let is_blinking = gaze.is_blinking[0];
        if is_blinking && !self.was_blinking {
            *self.blinks.entry(state).or_default() += 1.0;
            self.blink_times.push(t);
        }
        self.was_blinking = is_blinking;
        looks
    }

    fn secs(&self, state: &str) -> f64 {
        self.frames.get(state).map_or(0.0, |count| count[0] / RATE)
    }

    fn looking(&self, state: &str) -> f64 {
        self.frames.get(state).map_or(0.0, |count| count[1] / count[0])
    }

    fn blinks_per_minute(&self, state: &str) -> f64 {
        60.0 * self.blinks.get(state).copied().unwrap_or(0.0) / self.secs(state)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    vivant_learn::statistics::median(&mut values).unwrap()
}

/// Returns the distance of each time to the nearest of others.
fn distances(times: &[f64], others: &[f64]) -> Vec<f64> {
    let nearest = |time: f64| others.iter().map(|other| (other - time).abs()).fold(f64::INFINITY, f64::min);
    times.iter().map(|time| nearest(*time)).collect()
}

/// Runs a conversation of one hour, and returns the share of mutual gaze.
fn hour() -> ([Observed; 2], f64) {
    let library = built_in();
    let mut two = [character(1, &library), character(2, &library)];
    let mut seen = [Observed::default(), Observed::default()];
    let chance = Chance::new(11, "dialogue");
    let (mut turn, mut begins_at, mut mutual) = (0u64, 1.0, 0.0);
    for n in 0..=(HOUR_SECS * RATE) as usize {
        let t = n as f64 / RATE;
        let speaker = (turn % 2) as usize;
        if t >= begins_at {
            let mut draw = chance.event(turn);
            let sentences = 2 + (5.0 * draw.uniform()) as usize;
            let pick = |_| SENTENCES[(24.0 * draw.uniform()) as usize];
            let text: Vec<&str> = (0..sentences).map(pick).collect();
            let at = Some(t + 0.2);
            let line = Say { at, ..Say::new(text.join(" ")) };
            two[speaker].intend(&Intent::Say(line)).expect("a line");
            begins_at = f64::INFINITY;
        }
        let looks = [0, 1].map(|one| {
            two[one].advance_to(t);
            seen[one].observe(&two[one], t)
        });
        mutual += f64::from(u8::from(looks == [true, true]));
        for (performer, seen) in two.iter_mut().zip(&mut seen) {
            note_strokes(performer, seen);
        }
        let events: Vec<_> = two[speaker].take_speech().collect();
        for event in &events {
            match event.what {
                SpeechEventKind::Emphasis { .. } => seen[speaker].emphases.push(event.at),
                SpeechEventKind::PhraseEnd(_) => seen[speaker].phrase_ends.push(event.at),
                SpeechEventKind::End => {
                    let aversions: Vec<Aversion> = two[speaker].aversions().copied().collect();
                    seen[speaker].aversions.extend(aversions);
                    begins_at = t + chance.event(1_000_000 + turn).between(0.2, 1.2);
                    turn += 1;
                }
                _ => {}
            }
            two[1 - speaker].hear(event);
        }
    }
    let frames = HOUR_SECS * RATE;
    (seen, mutual / frames)
}

fn note_strokes(performer: &mut Performer, seen: &mut Observed) {
    let library = performer.library().clone();
    let graph = library.graph().expect("a repertoire");
    let is_speaking = performer.is_speaking();
    for note in performer.take_notes() {
        if let Note::Began(began) = note {
            let action = &graph.actions()[began.action];
            if is_speaking && action.kind == Kind::Gesture {
                seen.strokes.push(began.at + action.stroke);
            }
        }
    }
}

struct Row {
    what: &'static str,
    found: f64,
    within: [f64; 2],
    source: &'static str,
}

#[test]
fn an_hour_of_conversation_matches_human_data() {
    let (seen, mutual) = hour();
    let [one, other] = &seen;
    let both = |of: &dyn Fn(&Observed) -> f64| 0.5 * (of(one) + of(other));
    let lengths = |reason: Reason| -> Vec<f64> {
        let all = seen.iter().flat_map(|seen| &seen.aversions).filter(|a| a.reason == reason);
        all.map(|a| a.to - a.from).collect()
    };
    let near_ends = |seen: &Observed| {
        let near = distances(&seen.blink_times, &seen.phrase_ends);
        near.iter().filter(|secs| **secs < 0.3).count() as f64 / near.len() as f64
    };
    let row = |what, found, within, source| Row { what, found, within, source };
    let rows = [
        row(
            "looking while speaking",
            both(&|s| s.looking("speaking")),
            [0.20, 0.50],
            "Kendon 1967; Argyle & Cook 1976: 0.41",
        ),
        row(
            "looking while listening",
            both(&|s| s.looking("listening")),
            [0.30, 0.80],
            "Kendon 1967; Argyle & Cook 1976: 0.75",
        ),
        row("mutual gaze", mutual, [0.0, 0.45], "Rogers 2018; Argyle & Ingham 1972: 0.31"),
        row(
            "cognitive aversion, s",
            mean(&lengths(Reason::Cognitive)),
            [2.28, 4.80],
            "Andrist 2014: 3.54 ± 1.26",
        ),
        row("floor aversion, s", mean(&lengths(Reason::Floor)), [1.20, 3.40], "Andrist 2014: 2.30 ± 1.10"),
        row(
            "intimacy aversion, s",
            mean(&lengths(Reason::Intimacy)),
            [1.64, 2.28],
            "Andrist 2014: 1.96 ± 0.32",
        ),
        row(
            "blinks per minute, speaking",
            both(&|s| s.blinks_per_minute("speaking")),
            [10.5, 32.5],
            "Doughty 2001; Bentivoglio 1997: 26",
        ),
        row(
            "blinks per minute, listening",
            both(&|s| s.blinks_per_minute("listening")),
            [8.0, 21.0],
            "Doughty 2001; Bentivoglio 1997: 17",
        ),
        row(
            "stroke to emphasis, median s",
            both(&|s| median(distances(&s.strokes, &s.emphases))),
            [0.0, 0.1],
            "Loehr 2007",
        ),
    ];
    for Row { what, found, within: [least, most], source } in &rows {
        println!("| {what} | {found:.2} | {least:.2} to {most:.2} | {source} |");
    }
    println!("strokes: {} and {}", one.strokes.len(), other.strokes.len());
    println!("near phrase ends: {:.2} {:.2}", near_ends(one), near_ends(other));
    println!("turn secs {} {}", one.secs("speaking"), one.secs("listening"));
    for Row { what, found, within: [least, most], source } in rows {
        assert!(
            (least..=most).contains(&found),
            "{what}: {found:.3} is not within {least} to {most} ({source})"
        );
    }
}
