//! The built-in model: our design of a person in casual conversation, because paper 4 prints no matrix.
//! `docs/concepts/behaviour.md` gives the reasons for the numbers.

use super::{Behaviour, Chain, Chains, Spread, State, VERSION};
use crate::body::repertoire::{Hand, Kind};

const ORIGIN: &str = "Vivant's own design of someone in casual conversation: states of Borer et al. 2019 \
    (section 7.3), gesture rates below the 1334 strokes in 20 minutes of a very lively speaker and at the \
    tempo of 600 ms of Loehr 2007; see docs/concepts/behaviour.md";

/// Factor by which the next action is more likely to use the same hand, because people use the same hand for a few
/// strokes (our design).
const SAME_HAND: f64 = 1.8;
/// Factor by which the next action is more likely to be of the same kind, because several fidgets often follow each
/// other (our design).
const SAME_KIND: f64 = 1.3;

/// Minimum, median and maximum, in seconds.
type Quantiles = [f64; 3];

/// Arm behaviour during one activity.
struct Arms {
    /// Percentages of gestures, fidgets and transitions, for each of left hand, right hand and both hands.
    shares: [[f64; 3]; 3],
    gap: Quantiles,
}

/// Durations of gestures, fidgets and transitions of the arms, in seconds. A gesture has one to a few strokes at a
/// tempo of 600 ms (Loehr 2007), plus preparation and retraction.
const ARM_ACTION_SECS: [Quantiles; 3] = [[0.9, 1.8, 4.0], [1.0, 2.0, 5.0], [0.8, 1.2, 2.0]];
/// Duration of a nod or shake in seconds.
const NOD_SECS: Quantiles = [0.5, 0.9, 2.0];
/// Duration of a change of head posture in seconds.
const HEAD_POSTURE_SECS: Quantiles = [0.5, 0.8, 1.5];
/// Duration of a change of stance in seconds.
const BODY_SECS: Quantiles = [1.0, 1.6, 3.0];

/// Arm behaviour while speaking. Pauses between gestures take 0.1 to 4 s. This gives about 14 gestures per minute
/// with two or three strokes each, half as many strokes as a very lively speaker (Shattuck-Hufnagel & Ren 2018: 1334
/// strokes in 20 minutes). Most gestures use the right hand, then both hands.
const SPEAKING: Arms =
    Arms { shares: [[16.0, 3.0, 1.0], [36.0, 4.0, 2.0], [27.0, 5.0, 6.0]], gap: [0.1, 0.8, 4.0] };
const LISTENING: Arms =
    Arms { shares: [[2.0, 20.0, 4.0], [4.0, 24.0, 4.0], [3.0, 24.0, 15.0]], gap: [6.0, 12.0, 30.0] };
const THINKING: Arms =
    Arms { shares: [[1.0, 18.0, 4.0], [4.0, 34.0, 5.0], [2.0, 18.0, 14.0]], gap: [4.0, 8.0, 18.0] };
const IDLE: Arms =
    Arms { shares: [[0.0, 22.0, 4.0], [0.0, 26.0, 4.0], [0.0, 24.0, 20.0]], gap: [10.0, 20.0, 40.0] };

/// Kinds and tags of actions, with their shares in percent.
type Design = [(Kind, &'static [&'static str], f64)];

// There are no states for head shakes, because a spontaneous shake would mean “no” although the character does not
// intend it. A gesture without a tag may still be a shake. Such gestures are rare in activities in which others watch
// for an answer.
const SPEAKING_HEAD: &Design = &[(Kind::Gesture, &[], 20.0), (Kind::Gesture, &["positive"], 80.0)];
const LISTENING_HEAD: &Design = &[(Kind::Gesture, &["positive"], 100.0)];
const THINKING_HEAD: &Design = &[(Kind::Gesture, &[], 75.0), (Kind::Gesture, &["positive"], 25.0)];
const IDLE_HEAD: &Design = &[(Kind::Fidget, &[], 100.0)];

/// Behaviour of the body. Fidgets, such as movements of knees and hips, are as frequent as changes of stance.
const BODY: &Design = &[(Kind::Fidget, &[], 50.0), (Kind::Transition, &[], 50.0)];

pub(super) fn behaviour() -> Behaviour {
    let idle = Chains {
        arms: arms(&IDLE),
        head: head(IDLE_HEAD, [15.0, 30.0, 60.0]),
        head_stance: transitions(HEAD_POSTURE_SECS, [8.0, 16.0, 40.0]),
        body: body([15.0, 25.0, 45.0]),
    };
    let speaking = Chains {
        arms: arms(&SPEAKING),
        head: head(SPEAKING_HEAD, [1.5, 4.0, 10.0]),
        head_stance: transitions(HEAD_POSTURE_SECS, [3.0, 7.0, 15.0]),
        body: body([12.0, 20.0, 40.0]),
    };
    let listening = Chains {
        arms: arms(&LISTENING),
        head: head(LISTENING_HEAD, [1.5, 3.5, 8.0]),
        head_stance: transitions(HEAD_POSTURE_SECS, [5.0, 10.0, 25.0]),
        body: body([15.0, 25.0, 45.0]),
    };
    let thinking = Chains {
        arms: arms(&THINKING),
        head: head(THINKING_HEAD, [6.0, 10.0, 20.0]),
        head_stance: transitions(HEAD_POSTURE_SECS, [3.0, 6.0, 12.0]),
        body: body([15.0, 25.0, 45.0]),
    };
    Behaviour {
        version: VERSION,
        origin: ORIGIN.into(),
        always: idle.clone(),
        speaking: Some(speaking),
        listening: Some(listening),
        thinking: Some(thinking),
        idle: Some(idle),
    }
}

/// Returns the chain of the arms, {L, R, LR} × {G, F, T}. The next action is a little more likely than by chance to
/// have the same hand and kind.
fn arms(design: &Arms) -> Chain {
    let mut chain = Chain::default();
    let mut shares = Vec::new();
    for (hand, of_hand) in Hand::ALL.into_iter().zip(design.shares) {
        for ((kind, duration), share) in Kind::ALL.into_iter().zip(ARM_ACTION_SECS).zip(of_hand) {
            chain.states.push(state(Some(hand), kind, &[], duration, design.gap));
            shares.push(share);
        }
    }
    let row = |from: &State| {
        let kept = |same: bool, factor: f64| if same { factor } else { 1.0 };
        let weight = |(to, share): (&State, &f64)| {
            share * kept(to.hand == from.hand, SAME_HAND) * kept(to.kind == from.kind, SAME_KIND)
        };
        shares_of(chain.states.iter().zip(&shares).map(weight).collect())
    };
    chain.matrix = chain.states.iter().map(row).collect();
    chain.start = shares_of(shares);
    chain
}

/// Returns the chain of head gestures. States are independent, because a nod responds to the words of the other person,
/// not to the previous nod.
fn head(design: &Design, gap: Quantiles) -> Chain {
    independent(design, NOD_SECS, gap)
}

fn body(gap: Quantiles) -> Chain {
    independent(BODY, BODY_SECS, gap)
}

/// Returns a chain in which the next state does not depend on the previous state.
fn independent(design: &Design, duration: Quantiles, gap: Quantiles) -> Chain {
    let states = design.iter().map(|(kind, tags, _)| state(None, *kind, tags, duration, gap)).collect();
    let start = shares_of(design.iter().map(|(.., share)| *share).collect());
    Chain { states, matrix: vec![start.clone(); design.len()], start }
}

fn transitions(duration: Quantiles, gap: Quantiles) -> Chain {
    let states = vec![state(None, Kind::Transition, &[], duration, gap)];
    Chain { states, start: vec![1.0], matrix: vec![vec![1.0]] }
}

fn state(hand: Option<Hand>, kind: Kind, tags: &[&str], duration: Quantiles, gap: Quantiles) -> State {
    let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
    State {
        name: State::name_of(hand, kind, &tags),
        kind,
        hand,
        tags,
        duration: spread(duration),
        gap: spread(gap),
    }
}

fn spread(quantiles: Quantiles) -> Spread {
    Spread(quantiles.to_vec())
}

fn shares_of(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::eyes::blinking::Activity;

    /// Returns the number of actions per minute for which `is_it` is true, averaged over ten minutes.
    fn count(activity: Activity, chain: fn(&Chains) -> &Chain, is_it: fn(&State) -> bool) -> f64 {
        let behaviour = Behaviour::standard();
        let chain = chain(behaviour.chains(activity));
        let (mut now, mut count, mut last) = (0.0, 0, None);
        for event in 0.. {
            let mut draw = Chance::new(3, "standard").event(event);
            last = chain.next(last, &mut draw);
            let Some(state) = last.map(|index| &chain.states[index]) else { break };
            now += state.duration.sample(&mut draw) + state.gap.sample(&mut draw);
            if now > 600.0 {
                break;
            }
            count += usize::from(is_it(state));
        }
        count as f64 / 10.0
    }

    fn arms(chains: &Chains) -> &Chain {
        &chains.arms
    }

    #[test]
    fn the_standard_model_can_be_sampled() {
        assert_eq!(Behaviour::standard().check(), Ok(()));
    }

    #[test]
    fn action_rates_are_plausible() {
        let is_gesture = |state: &State| state.kind == Kind::Gesture;
        let is_nod = |state: &State| state.tags == ["positive"];
        let any = |_: &State| true;
        for (what, a_minute, least, most) in [
            ("gestures while speaking", count(Activity::Speaking, arms, is_gesture), 11.0, 17.0),
            ("gestures while listening", count(Activity::Listening, arms, is_gesture), 0.0, 1.0),
            ("gestures while idle", count(Activity::Idle, arms, is_gesture), 0.0, 0.0),
            ("arms while listening", count(Activity::Listening, arms, any), 2.0, 6.0),
            ("arms while idle", count(Activity::Idle, arms, any), 1.5, 4.0),
            ("nods while listening", count(Activity::Listening, |c| &c.head, is_nod), 7.0, 15.0),
            ("stances while idle", count(Activity::Idle, |c| &c.body, any), 1.0, 3.0),
        ] {
            assert!((least..=most).contains(&a_minute), "{what}: {a_minute} per minute");
        }
    }

    #[test]
    fn arms_need_no_tags() {
        let behaviour = Behaviour::standard();
        for activity in [Activity::Speaking, Activity::Listening, Activity::Thinking, Activity::Idle] {
            let arms = &behaviour.chains(activity).arms;
            assert!(arms.states.iter().all(|state| state.tags.is_empty()));
            let names: Vec<&str> = arms.states.iter().map(|state| state.name.as_str()).collect();
            assert_eq!(names, ["LG", "LF", "LT", "RG", "RF", "RT", "LRG", "LRF", "LRT"]);
        }
    }
}
