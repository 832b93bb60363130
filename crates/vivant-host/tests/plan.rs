//! Plan and performance are the same: planner notes, events and layers give the same list.

use std::collections::BTreeSet;
use vivant::body::layers::Layer;
use vivant::body::plan::{Note, Origin};
use vivant::chance::{Chance, Draw};
use vivant_host::{Character, Hosted, Role};
use vivant_io::json::protocol::EventKind;

const SCRIPTS: u64 = 2_000;
const SECS: u32 = 20;

/// The start time and name of an action.
type Begun = (u64, String);

fn pick<'a>(draws: &mut Draw, words: &[&'a str]) -> &'a str {
    words[(draws.uniform() * words.len() as f64) as usize % words.len()]
}

/// A random script: lines with tags, `do`, `act`, stances, states and stops.
fn script(number: u64) -> Vec<String> {
    let chance = Chance::new(number, "scripts");
    let lines = 1 + (chance.event(0).uniform() * 6.0) as u64;
    (0..lines).map(|line| intent(&mut chance.event(line + 1))).collect()
}

fn intent(draws: &mut Draw) -> String {
    const NAMES: [&str; 5] = ["wave", "Shrug", "nod", "explain", "Thumbs_Up"];
    const STANCES: [&str; 3] = ["hands-clasped", "Arms-Folded", "arms-at-sides"];
    let at = (draws.uniform() * 12.0 * 1e3).round() / 1e3;
    let (name, stance) = (pick(draws, &NAMES), pick(draws, &STANCES));
    match (draws.uniform() * 7.0) as u32 {
        0 | 1 => format!(
            r#"{{"at": {at}, "say": "Well, [gesture:{name}] that is *very* kind of you. [nod] Thanks."}}"#
        ),
        2 => format!(r#"{{"at": {at}, "do": "gesture:{name}"}}"#),
        3 => format!(r#"{{"at": {at}, "act": "gesture", "priority": {}}}"#, (draws.uniform() * 3.0) as i32),
        4 => format!(r#"{{"at": {at}, "stance": "{stance}"}}"#),
        5 => format!(r#"{{"at": {at}, "be": "{}"}}"#, pick(draws, &["idle", "speaking", "listening"])),
        _ => format!(r#"{{"at": {at}, "stop": true}}"#),
    }
}

/// Returns a performance with a script. Impossible intents are skipped, the same way each time.
fn with_script(first: &Hosted, number: u64) -> Hosted {
    let mut performance = first.another(&Role { seed: number, ..Role::default() });
    for line in script(number) {
        let _ = performance.tell(&line);
    }
    performance
}

/// The planner's notes, as the command prints them.
fn planned_actions(mut performance: Hosted) -> Vec<Begun> {
    let mut begun = Vec::new();
    for second in 0..=SECS {
        performance.advance_to(f64::from(second));
        let library = performance.performer().library().clone();
        let graph = library.graph().unwrap();
        for note in performance.performer_mut().take_notes() {
            if let Note::Began(began) = note {
                begun.push((began.at.to_bits(), graph.actions()[began.action].name.clone()));
            }
        }
    }
    begun
}

/// The events frame by frame, as the server shows them.
fn reported_actions(performance: &mut Hosted, frames: std::ops::RangeInclusive<u32>, fps: u32) -> Vec<Begun> {
    let mut begun = Vec::new();
    performance.watch(true);
    for frame in frames {
        performance.advance_to(f64::from(frame) / f64::from(fps));
        for (at, what) in performance.take_events() {
            if let EventKind::Began { name, .. } = what {
                begun.push((at.to_bits(), name));
            }
        }
    }
    begun
}

/// The times at which the layers started to play something.
fn performed(mut performance: Hosted) -> BTreeSet<u64> {
    let mut begun = BTreeSet::new();
    for frame in 0..=SECS * 60 {
        performance.advance_to(f64::from(frame) / 60.0);
        let playing = Layer::ALL.into_iter().filter_map(|layer| performance.performer().playing(layer));
        begun.extend(playing.map(|(_, since)| since.to_bits()));
    }
    begun
}

#[test]
fn plan_events_and_performance_agree() {
    let first = Hosted::of_character(&Character::built_in(), &Role::default()).unwrap();
    let mut actions = 0;
    for number in 0..SCRIPTS {
        let planned = planned_actions(with_script(&first, number));
        let mut live = with_script(&first, number);
        let mut seen = reported_actions(&mut live, 0..=150, 30);
        let mut forecast = live.clone();
        let ahead = reported_actions(&mut forecast, 151..=SECS * 30, 30);
        let later = reported_actions(&mut live, 151..=SECS * 30, 30);
        assert_eq!(ahead, later, "script {number}: {:#?}", script(number));
        seen.extend(later);
        let times = |list: &[Begun]| list.iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(times(&planned), times(&seen), "script {number}: {:#?}", script(number));
        actions += planned.len();
        if number % 10 == 0 {
            let performed = performed(with_script(&first, number));
            for (at, name) in &planned {
                let secs = f64::from_bits(*at);
                // An action shorter than a frame, or cut within one, is in no frame.
                let is_seen = performed.contains(at)
                    || planned.iter().any(|(other, _)| {
                        let other = f64::from_bits(*other);
                        other > secs && other - secs < 1.0 / 60.0
                    });
                assert!(is_seen, "script {number}: {name} at {secs} is planned but not performed");
            }
        }
    }
    assert!(actions > SCRIPTS as usize, "{actions} actions in {SCRIPTS} scripts");
}

#[test]
fn tags_do_and_act_are_planned_as_actions() {
    let first = Hosted::of_character(&Character::built_in(), &Role::default()).unwrap();
    let mut performance = first.another(&Role { unasked: false, ..Role::default() });
    for line in [
        r#"{"at": 1, "say": "Hello! [gesture:wave] How nice."}"#,
        r#"{"at": 6, "do": "gesture:Shrug"}"#,
        r#"{"at": 11, "act": "gesture", "clip": "Wave"}"#,
    ] {
        performance.tell(line).unwrap();
    }
    let mut asked = Vec::new();
    for second in 0..=SECS {
        performance.advance_to(f64::from(second));
        let library = performance.performer().library().clone();
        for note in performance.performer_mut().take_notes() {
            if let Note::Began(began) = note
                && began.origin == Origin::Agent
                && !began.is_inserted_transition
            {
                asked.push(library.graph().unwrap().actions()[began.action].name.clone());
            }
        }
    }
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert!(
        asked[0].contains("wave") && asked[1].contains("shrug") && asked[2].contains("wave"),
        "{asked:?}"
    );
}
