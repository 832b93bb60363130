//! Reads and writes `behaviour.json`, the behaviour model of a character.
//!
//! A behaviour model says what a character does without intents: which kinds of action follow each other, and how
//! long the pauses between them are (Borer 2019, section 7.3). It is written by hand or learned from annotated
//! conversations. [`vivant::body::behaviour`] explains it.
//!
//! ```
//! use vivant::body::behaviour::Behaviour;
//! use vivant_io::json::behaviour;
//! let text = behaviour::write(&Behaviour::standard());
//! assert_eq!(behaviour::read(text.as_bytes())?, Behaviour::standard());
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::check::{Check, Shape};
use super::{document, part, text, version};
use crate::error::{ErrorList, Result};
use crate::limits;
use vivant::body::behaviour::{Behaviour, Chain, Chains, State, VERSION};

/// Reads a behaviour model.
///
/// # Errors
/// If the document is invalid, with the paths of all numbers out of range or the paths of all inconsistent states,
/// rows and quantiles.
pub fn read(bytes: &[u8]) -> Result<Behaviour> {
    let document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| match keys {
        [] | ["always" | "speaking" | "listening" | "thinking" | "idle"] => true,
        ["always" | "speaking" | "listening" | "thinking" | "idle", chain, rest @ ..] => {
            matches!((*chain, rest), ("arms" | "head" | "headStance" | "body", [] | ["states", "[]"]))
        }
        _ => false,
    })?;
    let read: Behaviour = part(document)?;
    shape.holds()?;
    let read = check_behaviour(&read).or(read)?;
    read.check()?;
    Ok(read)
}

/// Writes a behaviour model: one state or matrix row per line if it fits.
#[must_use]
pub fn write(behaviour: &Behaviour) -> String {
    text(behaviour)
}

fn check_behaviour(behaviour: &Behaviour) -> ErrorList {
    let mut check = Check::default();
    check.text("origin", &behaviour.origin, limits::MAX_SAID_BYTES);
    for (name, chains) in [
        ("always", Some(&behaviour.always)),
        ("speaking", behaviour.speaking.as_ref()),
        ("listening", behaviour.listening.as_ref()),
        ("thinking", behaviour.thinking.as_ref()),
        ("idle", behaviour.idle.as_ref()),
    ] {
        if let Some(chains) = chains {
            check_chains(&mut check, name, chains);
        }
    }
    check.faults
}

fn check_chains(check: &mut Check, place: &str, chains: &Chains) {
    for (name, chain) in [
        ("arms", &chains.arms),
        ("head", &chains.head),
        ("headStance", &chains.head_stance),
        ("body", &chains.body),
    ] {
        check_chain(check, &format!("{place}.{name}"), chain);
    }
}

fn check_chain(check: &mut Check, place: &str, chain: &Chain) {
    check.within(place).count("states", "states", chain.states.len(), limits::MAX_STATES);
    check.count("start", "numbers", chain.start.len(), limits::MAX_STATES);
    check.count("matrix", "rows", chain.matrix.len(), limits::MAX_STATES);
    check_likelihoods(check, "start", &chain.start);
    for (index, row) in chain.matrix.iter().enumerate().take(limits::MAX_STATES) {
        check.count(&format!("matrix[{index}]"), "numbers", row.len(), limits::MAX_STATES);
        check_likelihoods(check, &format!("matrix[{index}]"), row);
    }
    for (index, state) in chain.states.iter().enumerate().take(limits::MAX_STATES) {
        check_state(check.within(format!("{place}.states[{index}]")), state);
    }
}

fn check_likelihoods(check: &mut Check, field: &str, row: &[f64]) {
    for (index, likelihood) in row.iter().enumerate().take(limits::MAX_STATES) {
        check.likelihood(&format!("{field}[{index}]"), *likelihood);
    }
}

fn check_state(check: &mut Check, state: &State) {
    check.word("name", state.name.as_str()).tags(&state.tags);
    for (field, spread) in [("duration", &state.duration.0), ("gap", &state.gap.0)] {
        check.count(field, "quantiles", spread.len(), limits::MAX_QUANTILES);
        for (index, seconds) in spread.iter().enumerate().take(limits::MAX_QUANTILES) {
            check.seconds(&format!("{field}[{index}]"), *seconds);
        }
    }
}

#[cfg(test)]
mod tests;
