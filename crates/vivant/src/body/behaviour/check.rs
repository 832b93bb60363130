//! Validation of authored and learned behaviour models.
//!
//! Behaviour models are written by hand or learned, and an invalid chain would show up late, as a character that stops
//! moving. `check` therefore validates a model completely before use: it reports all problems in one error, each with
//! its path in the file and a remedy. It accepts rounded probabilities, up to an error of 0.002 per row. A state needs
//! a duration or a gap above zero, because a chain could otherwise produce infinitely many actions at the same time.

use super::{Behaviour, Chain, Spread, State, VERSION};
use crate::error::{Error, Result};
use crate::limits::MAX_STATES;

/// Maximum deviation of a row's sum from 1. Three probabilities of 0.333 are accepted.
const MAX_SUM_ERROR: f64 = 2e-3;

pub(super) fn check(behaviour: &Behaviour) -> Result<()> {
    let mut problems = Problems::default();
    if behaviour.version != VERSION {
        problems.add("version", format!("unsupported version {}; expected {VERSION}", behaviour.version));
    }
    let of_activities = [
        ("always", Some(&behaviour.always)),
        ("speaking", behaviour.speaking.as_ref()),
        ("listening", behaviour.listening.as_ref()),
        ("thinking", behaviour.thinking.as_ref()),
        ("idle", behaviour.idle.as_ref()),
    ];
    for (activity, chains) in of_activities {
        for (name, chain) in chains.iter().flat_map(|chains| chains.named()) {
            problems.chain(&format!("{activity}.{name}"), chain);
        }
    }
    if problems.0.is_empty() { Ok(()) } else { Err(Error::behaviour(&problems.0)) }
}

/// Problems, each with its path.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, path: &str, message: impl std::fmt::Display) {
        self.0.push(format!("{path}: {message}"));
    }

    fn chain(&mut self, path: &str, chain: &Chain) {
        let count = chain.states.len();
        if count > MAX_STATES {
            return self
                .add(&format!("{path}.states"), format!("{count} states; at most {MAX_STATES} are allowed"));
        }
        for (index, state) in chain.states.iter().enumerate() {
            let is_new = chain.states[..index].iter().all(|before| before.name != state.name);
            self.state(&format!("{path}.states[{index}]"), state, is_new);
        }
        if count > 0 || !chain.start.is_empty() {
            self.row(&format!("{path}.start"), &chain.start, count);
        }
        if chain.matrix.len() != count {
            let message = format!("{} rows for {count} states; each state needs one row", chain.matrix.len());
            self.add(&format!("{path}.matrix"), message);
        }
        for (index, row) in chain.matrix.iter().enumerate() {
            self.row(&format!("{path}.matrix[{index}]"), row, count);
        }
    }

    fn state(&mut self, path: &str, state: &State, is_new: bool) {
        match (state.name.is_empty(), is_new) {
            (true, _) => self.add(&format!("{path}.name"), "is empty; give the state a name"),
            (_, false) => {
                self.add(&format!("{path}.name"), format!("duplicate name “{}”; rename one", state.name));
            }
            _ => {}
        }
        self.spread(&format!("{path}.duration"), &state.duration);
        self.spread(&format!("{path}.gap"), &state.gap);
        // Otherwise a chain could produce infinitely many actions at the same time.
        let takes_time = |spread: &Spread| spread.0.iter().any(|secs| *secs > 0.0);
        if !takes_time(&state.duration) && !takes_time(&state.gap) {
            self.add(path, "duration and gap are both 0; at least one must be longer than 0 s");
        }
    }

    fn spread(&mut self, path: &str, Spread(quantiles): &Spread) {
        if let Some(wrong) = quantiles.iter().find(|secs| !secs.is_finite() || **secs < 0.0) {
            self.add(path, format!("{wrong} is not a duration; use 0 or more seconds"));
        }
        if let Some(pair) = quantiles.windows(2).find(|pair| pair[0] > pair[1]) {
            self.add(
                path,
                format!("quantiles must be in ascending order, but {} comes before {}", pair[0], pair[1]),
            );
        }
    }

    fn row(&mut self, path: &str, row: &[f64], count: usize) {
        let sum: f64 = row.iter().sum();
        if row.len() != count {
            self.add(path, format!("{} values for {count} states; give one per state", row.len()));
        } else if let Some(wrong) = row.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            self.add(path, format!("{wrong} is not a probability; use a number from 0 to 1"));
        } else if (sum - 1.0).abs() > MAX_SUM_ERROR {
            self.add(path, format!("the probabilities add up to {sum}; they must add up to 1"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies `change` to the standard model, and expects an error that contains `expected`.
    fn check(change: impl FnOnce(&mut Behaviour), expected: &str) {
        let mut behaviour = Behaviour::standard();
        change(&mut behaviour);
        let error = behaviour.check().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    fn arms(behaviour: &mut Behaviour) -> &mut Chain {
        &mut behaviour.speaking.as_mut().unwrap().arms
    }

    #[test]
    fn problems_are_reported_with_their_path() {
        check(|b| b.version = 7, "version: unsupported version 7");
        check(|b| arms(b).matrix[3][0] += 0.01, "speaking.arms.matrix[3]: the probabilities add up to 1.01");
        check(|b| arms(b).matrix[0][0] = -0.1, "speaking.arms.matrix[0]: -0.1 is not a probability");
        check(|b| arms(b).matrix[0][0] = f64::NAN, "speaking.arms.matrix[0]: NaN is not a probability");
        check(|b| drop(arms(b).matrix.pop()), "speaking.arms.matrix: 8 rows for 9 states");
        check(|b| arms(b).matrix[8].truncate(8), "speaking.arms.matrix[8]: 8 values for 9 states");
        check(|b| drop(arms(b).states.pop()), "speaking.arms.start: 9 values for 8 states");
        check(|b| arms(b).start.clear(), "speaking.arms.start: 0 values for 9 states");
        check(|b| arms(b).states[1].name = "LG".into(), "speaking.arms.states[1].name: duplicate name “LG”");
        check(|b| arms(b).states[1].name.clear(), "speaking.arms.states[1].name: is empty");
        check(|b| arms(b).states[2].gap.0[0] = -1.0, "speaking.arms.states[2].gap: -1 is not a duration");
        check(|b| arms(b).states[2].gap.0[2] = f64::INFINITY, "gap: inf is not a duration");
        check(
            |b| arms(b).states[2].duration.0.reverse(),
            "speaking.arms.states[2].duration: quantiles must be in ascending order",
        );
        check(
            |b| {
                let state = &mut b.always.body.states[0];
                (state.duration, state.gap) = (Spread(vec![0.0]), Spread(Vec::new()));
            },
            "always.body.states[0]: duration and gap are both 0",
        );
        check(
            |b| {
                let state = b.always.body.states[0].clone();
                b.always.body.states = vec![state; 2000];
            },
            "always.body.states: 2000 states",
        );
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let change = |b: &mut Behaviour| {
            arms(b).start[0] = 2.0;
            b.always.head.states[0].name.clear();
        };
        check(change, "speaking.arms.start");
        check(change, "always.head.states[0].name");
    }

    #[test]
    fn an_empty_behaviour_is_valid() {
        assert_eq!(Behaviour { version: VERSION, ..Behaviour::default() }.check(), Ok(()));
    }
}
