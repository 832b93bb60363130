//! Reads and writes `blinks.model.json`, the blink model of a character.
//!
//! A blink model is learned from recorded blinks (Trutoiu 2011, section 3.3.2) and stored with its character, so that
//! the blinks of the character vary like the blinks of the recorded person. [`vivant::eyes::blink_model`] explains
//! the model.
//!
//! ```
//! use vivant::eyes::blink_model::BlinkModel;
//! use vivant_io::json::blink_model;
//! let text = blink_model::write(&BlinkModel::standard());
//! assert_eq!(blink_model::read(text.as_bytes())?, BlinkModel::standard());
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::check::{Check, Shape};
use super::{document, part, text, version};
use crate::error::Result;
use crate::limits;
use vivant::eyes::blink_model::{BlinkModel, VERSION};

/// Reads a blink model.
///
/// # Errors
/// If the document is invalid, with the paths of all errors.
pub fn read(bytes: &[u8]) -> Result<BlinkModel> {
    let document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| {
        matches!(keys, [] | ["closing" | "opening"] | ["components" | "exemplars", "[]"])
    })?;
    let read: BlinkModel = part(document)?;
    shape.holds()?;
    let mut check = Check::default();
    check.text("origin", &read.origin, limits::MAX_SAID_BYTES);
    check.faults.or(())?;
    read.check()?;
    Ok(read)
}

/// Writes a blink model.
#[must_use]
pub fn write(model: &BlinkModel) -> String {
    text(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vivant::chance::Chance;

    /// A small model with one part replaced.
    fn with(old: &str, new: &str) -> String {
        let good = r#"{"version": 1, "origin": "a test", "blinks": 7, "closure": "natural",
            "closing": {"meanSecs": 0.1, "sdSecs": 0.01, "samples": 2},
            "opening": {"meanSecs": 0.2, "sdSecs": 0.02, "samples": 2}, "mean": [1, 0.5, 0.9],
            "components": [{"sd": 0.1, "share": 0.9, "profile": [0, 1, 0], "closing": 0, "opening": 0}],
            "exemplars": [{"closingSecs": 0.1, "openingSecs": 0.3, "profile": [1, 0, 1]}]}"#;
        assert!(good.contains(old), "{old}");
        good.replace(old, new)
    }

    #[test]
    fn malformed_models_give_errors_with_place_and_cause() {
        for (old, new, words) in [
            ("1]}]}", "1]}]", "closing bracket"),
            ("\"version\": 1,", "", "version: the field `version` is missing"),
            ("\"version\": 1", "\"version\": 7", "version 7 is newer than 1"),
            ("\"origin\"", "\"orign\"", "did you mean `origin`?"),
            ("\"a test\"", "\" \"", "origin: is empty"),
            ("\"blinks\": 7", "\"blinks\": -7", "blinks"),
            ("\"natural\"", "\"half\"", "closure"),
            ("\"natural\"", "{}", "closure"),
            (
                "{\"meanSecs\": 0.1, \"sdSecs\": 0.01, \"samples\": 2}",
                "[0.1, 0.01, 2]",
                "closing: found a list",
            ),
            (
                "\"meanSecs\": 0.1",
                "\"meanSec\": 0.1",
                "closing: unknown field `meanSec`; did you mean `meanSecs`?",
            ),
            ("\"meanSecs\": 0.2", "\"meanSecs\": \"x\"", "opening.meanSecs: found the text \"x\""),
            ("\"sdSecs\": 0.02", "\"sdSecs\": 1e999", "line"),
            ("\"samples\": 2", "\"samples\": 2.5", "closing.samples"),
            ("[1, 0.5, 0.9]", "[1, 0.5]", "mean: 2 values for 2 closing and 2 opening samples"),
            ("[1, 0.5, 0.9]", "[1, 0.5, null]", "mean[2]"),
            ("[1, 0.5, 0.9]", "[0.1, 0.5, 0.9]", "mean: physically impossible blink"),
            ("\"sd\": 0.1", "\"sd\": -1", "components[0].sd: -1 is out of range"),
            ("[0, 1, 0]", "[0, 1, [0]]", "components[0].profile[2]"),
            ("[{\"sd\"", "[3, {\"sd\"", "components[0]: found 3"),
            ("\"openingSecs\": 0.3", "\"openingSecs\": 0", "exemplars[0].openingSecs: 0 is out of range"),
            ("[1, 0, 1]", "[1, 2, 1]", "exemplars[0]: physically impossible blink"),
            (
                "\"profile\": [1, 0, 1]",
                "\"profile\": [1, 0, 1], \"profile\": []",
                "duplicate field `profile`",
            ),
        ] {
            let message = read(with(old, new).as_bytes()).expect_err(words).to_string();
            assert!(message.contains(words), "{new}\n  {message}\n  lacks {words}");
        }
        assert_eq!(read(with("natural", "natural").as_bytes()).map(|read| read.blinks), Ok(7));
    }

    #[test]
    fn the_standard_model_round_trips() {
        let standard = BlinkModel::standard();
        let text = write(&standard);
        assert_eq!(read(text.as_bytes()).as_ref(), Ok(&standard));
        let longest = text.lines().map(str::len).max();
        assert!(longest < Some(120) || standard.origin.len() > 60, "{longest:?}");
    }

    proptest! {
        /// Blinks of any valid model are valid.
        #[test]
        fn every_valid_model_generates_blinks(
            numbers in prop::collection::vec(-2.0..2.0_f64, 9), secs in 0.01..1.0_f64, sd in 0.0..9.0_f64
        ) {
            let [a, b] = [&numbers[..3], &numbers[3..6]].map(|list| format!("{list:?}"));
            let text = with("[1, 0.5, 0.9]", &a).replace("[0, 1, 0]", &b).replace("0.01", &sd.to_string());
            if let Ok(model) = read(text.replace("0.2", &secs.to_string()).as_bytes()) {
                let blink = model.generate(&mut Chance::new(1, "test").event(0));
                prop_assert!(blink.duration_secs() > 0.0);
                let lowest = blink.openness(blink.closing_secs());
                prop_assert!((0.0..1.0).contains(&lowest), "{}", lowest);
            }
        }
    }
}
