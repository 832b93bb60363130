use super::*;
use proptest::prelude::*;
use vivant::body::behaviour::Spread;
use vivant::body::repertoire::{Hand, Kind};

/// A behaviour whose arms have one state, with one part replaced.
fn with(old: &str, new: &str) -> String {
    let good = r#"{"version": 1, "origin": "a test", "always": {"arms": {"states": [{"name": "LG", "kind": "gesture",
        "hand": "L", "duration": [1, 2], "gap": [0.5]}], "start": [1], "matrix": [[1]]}}}"#;
    assert!(good.contains(old), "{old}");
    good.replace(old, new)
}

#[test]
fn malformed_behaviours_give_errors_with_place_and_cause() {
    for (old, new, words) in [
        ("}}}", "}}", "closing bracket"),
        ("\"version\": 1,", "", "version: the field `version` is missing"),
        ("\"version\": 1", "\"version\": 7", "version 7 is newer than 1"),
        ("\"origin\"", "\"orign\"", "did you mean `origin`?"),
        ("\"a test\"", "\"\"", "origin: is empty"),
        ("\"always\"", "\"alway\"", "unknown field `alway`; did you mean `always`?"),
        ("\"arms\"", "\"arm\"", "always: unknown field `arm`; did you mean `arms`?"),
        ("{\"arms\"", "{\"arms\": [], \"head\"", "always.arms: found a list"),
        ("[{\"name\"", "[3, {\"name\"", "always.arms.states[0]: found 3"),
        ("\"LG\"", "\"\"", "always.arms.states[0].name: is empty"),
        ("\"gesture\"", "\"gest\"", "always.arms.states[0].kind: unknown kind `gest`"),
        ("\"gesture\"", "{\"gesture\": null}", "always.arms.states[0].kind: found an object"),
        ("\"L\"", "\"M\"", "always.arms.states[0].hand: unknown hand `M`"),
        ("[1, 2]", "[1, -2]", "always.arms.states[0].duration[1]: -2 is out of range"),
        ("[1, 2]", "2", "always.arms.states[0].duration: found 2, expected a list"),
        ("[0.5]", "[1e9]", "always.arms.states[0].gap[0]"),
        ("\"start\": [1]", "\"start\": [-1]", "always.arms.start[0]: -1 is out of range"),
        ("[[1]]", "[[\"x\"]]", "always.arms.matrix[0][0]: found the text \"x\""),
        ("[[1]]", "[[-1]]", "always.arms.matrix[0][0]: -1 is out of range"),
        ("[[1]]", "[1]", "always.arms.matrix[0]: found 1"),
        ("\"gap\"", "\"gap\": [1], \"gap\"", "duplicate field `gap`"),
        ("[[1]]", "[[1], [1]]", "always.arms.matrix: 2 rows for 1 states"),
        ("[[1]]", "[[0.5]]", "always.arms.matrix[0]: the probabilities add up to 0.5"),
        ("\"start\": [1]", "\"start\": []", "always.arms.start"),
        ("[1, 2]", "[2, 1]", "always.arms.states[0].duration"),
    ] {
        let message = read(with(old, new).as_bytes()).expect_err(words).to_string();
        assert!(message.contains(words), "{new}\n  {message}\n  lacks {words}");
    }
    assert_eq!(read(with("LG", "LG").as_bytes()).map(|read| read.always.arms.states.len()), Ok(1));
}

fn state() -> impl Strategy<Value = State> {
    let numbers = (0..3_usize, prop::collection::vec(0.01..100.0, 1..5));
    (numbers, prop::collection::vec("[a-z]{1,5}", 0..3)).prop_map(|((index, mut quantiles), tags)| {
        quantiles.sort_by(f64::total_cmp);
        State {
            // States of a chain need different names, so `chain` names them by number.
            name: String::new(),
            kind: Kind::ALL[index],
            hand: Some(Hand::ALL[index]),
            tags,
            duration: Spread(quantiles.clone()),
            gap: Spread(quantiles),
        }
    })
}

/// Numbers whose sum is 1.
fn shares(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.01..1.0_f64, count).prop_map(|row| {
        let sum: f64 = row.iter().sum();
        row.into_iter().map(|weight| weight / sum).collect()
    })
}

fn chain() -> impl Strategy<Value = Chain> {
    prop::collection::vec(state(), 0..4).prop_flat_map(|mut states| {
        for (index, state) in states.iter_mut().enumerate() {
            state.name = format!("s{index}");
        }
        let count = states.len();
        let rows = prop::collection::vec(shares(count), count);
        (Just(states), shares(count), rows).prop_map(|(states, start, matrix)| Chain {
            states,
            start,
            matrix,
        })
    })
}

proptest! {
    #[test]
    fn behaviours_round_trip(arms in chain(), head in chain(), origin in "\\PC{0,30}x", is_speaking in any::<bool>()) {
        let always = Chains { arms, head, ..Chains::default() };
        let speaking = is_speaking.then(|| always.clone());
        let behaviour = Behaviour { version: VERSION, origin, always, speaking, ..Behaviour::default() };
        let text = write(&behaviour);
        prop_assert_eq!(read(text.as_bytes()), Ok(behaviour));
        prop_assert!(text.ends_with("\n"));
    }
}
