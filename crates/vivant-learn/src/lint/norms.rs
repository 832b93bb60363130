//! What people do, figure by figure, and where that is known from.
//!
//! `human` is what nearly everybody does; `possible` what anybody can do, a device's noise included. Published figures
//! come first. Where there are none, or where they are of one task alone, [recordings of people](super::people) make the
//! range, or widen it.

use super::check::{Group, Norm, Side};
use super::people::Scale;

const EVINGER: &str = "Evinger et al. 1991; VanderWerf et al. 2003";

pub(super) const CLOSING: Norm = Norm {
    id: "blinks.closing",
    group: Group::Blinks,
    title: "How long lids take to close",
    unit: "ms",
    human: [35.0, 150.0],
    possible: [20.0, 260.0],
    source: EVINGER,
    people: None,
    advice: [
        "Close the lids more slowly: about 70 ms.",
        "Close the lids faster: about 70 ms. What takes longer looks tired.",
    ],
};

pub(super) const OPENING: Norm = Norm {
    id: "blinks.opening",
    group: Group::Blinks,
    title: "How long lids take to open",
    unit: "ms",
    human: [80.0, 400.0],
    possible: [45.0, 800.0],
    source: EVINGER,
    people: None,
    advice: [
        "Open the lids more slowly: about 180 ms, slowest at the end.",
        "Open the lids faster: about 180 ms.",
    ],
};

pub(super) const ASYMMETRY: Norm = Norm {
    id: "blinks.asymmetry",
    group: Group::Blinks,
    title: "How many times as long opening takes as closing",
    unit: "×",
    human: [1.2, 6.0],
    possible: [0.85, 12.0],
    source: EVINGER,
    people: None,
    advice: [
        "Let lids open two to three times as slowly as they close.",
        "Let lids open two to three times as slowly as they close, and not more.",
    ],
};

pub(super) const SPEED: Norm = Norm {
    id: "blinks.speed",
    group: Group::Blinks,
    title: "Greatest speed of closing, as a multiple of the mean speed",
    unit: "×",
    human: [1.15, 3.0],
    possible: [0.95, 4.5],
    source: EVINGER,
    people: None,
    advice: [
        "Do not move lids evenly: they start, are fastest half-way down and slow down, by 1.5 to 2 times their mean speed.",
        "Do not let lids jump: their greatest speed is 1.5 to 2 times the mean.",
    ],
};

pub(super) const MAIN_SEQUENCE: Norm = Norm {
    id: "blinks.mainSequence",
    group: Group::Blinks,
    title: "By which power of its size the speed of a blink grows",
    unit: "power",
    human: [0.3, 1.8],
    possible: [0.05, 3.0],
    source: EVINGER,
    people: None,
    advice: [
        "Make large blinks faster, in proportion to how far lids go: all take about the same time.",
        "Do not make large blinks so much faster: their speed grows in proportion to how far lids go.",
    ],
};

pub(super) const CLOSURE: Norm = Norm {
    id: "blinks.closure",
    group: Group::Blinks,
    title: "How far lids close in a blink, of the way to shut",
    unit: "share",
    human: [0.55, 1.02],
    possible: [0.3, 1.1],
    source: "Sforza et al. 2008; Ousler et al. 2014",
    people: None,
    advice: [
        "Close the lids further: most blinks cover the pupil.",
        "Lids end where they meet: do not close them further.",
    ],
};

pub(super) const HOLD: Norm = Norm {
    id: "blinks.hold",
    group: Group::Blinks,
    title: "How long lids stay shut in a blink",
    unit: "ms",
    human: [0.0, 75.0],
    possible: [0.0, 200.0],
    source: "coil recordings: 8 ms spontaneous, 13 ms voluntary",
    people: None,
    advice: ["", "Open the lids as soon as they are shut: people hold them for about 10 ms."],
};

pub(super) const DOUBLE: Norm = Norm {
    id: "blinks.double",
    group: Group::Rhythm,
    title: "Blinks that follow another within half a second",
    unit: "share",
    human: [0.0, 0.25],
    possible: [0.0, 0.6],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Leave at least 0.3 s between two blinks; double blinks are rare."],
};

pub(super) const RATE: Norm = Norm {
    id: "blinks.rate",
    group: Group::Rhythm,
    title: "Blinks a minute",
    unit: "1/min",
    human: [2.0, 45.0],
    possible: [0.7, 90.0],
    source: "Bentivoglio et al. 1997; Doughty 2001",
    people: None,
    advice: [
        "Blink more often: 17 times a minute at rest, 26 in conversation.",
        "Blink less often: 17 times a minute at rest, 26 in conversation.",
    ],
};

/// Of a state that is known.
pub(super) const RATE_IDLE: Norm = Norm { human: [5.0, 30.0], ..RATE };
pub(super) const RATE_SPEAKING: Norm = Norm { human: [8.0, 50.0], ..RATE };
pub(super) const RATE_READING: Norm = Norm {
    human: [1.0, 17.0],
    advice: [
        "Blink more often: about 5 times a minute.",
        "Blink less often: who reads blinks about 5 times a minute.",
    ],
    ..RATE
};

pub(super) const DISPERSION: Norm = Norm {
    id: "blinks.intervals",
    group: Group::Rhythm,
    title: "How much times between blinks differ: their standard deviation by their mean",
    unit: "×",
    human: [0.35, 2.0],
    possible: [0.15, 4.0],
    source: "Doughty 2002; Chidi-Egboka et al. 2022; Nomura et al. 2018",
    people: None,
    advice: [
        "Do not blink by a clock: draw the times between blinks from a log-normal distribution with a sigma of about 0.7.",
        "Spread blinks more evenly: long times without any are rare.",
    ],
};

pub(super) const PERIODICITY: Norm = Norm {
    id: "blinks.periodicity",
    group: Group::Rhythm,
    title: "How much blinks keep to a beat: 1 is a metronome",
    unit: "0–1",
    human: [0.0, 0.7],
    possible: [0.0, 0.9],
    source: "no beat: Doughty 2002; Nomura et al. 2018",
    people: None,
    advice: ["", "Do not blink to a beat: draw each time between blinks anew."],
};

pub(super) const EVOKED_LARGE: Norm = Norm {
    id: "blinks.evokedLarge",
    group: Group::Rhythm,
    title: "Gaze shifts of 33° and more that come with a blink",
    unit: "share",
    human: [0.3, 1.0],
    possible: [0.0, 1.0],
    source: "Evinger et al. 1994",
    people: None,
    advice: ["Blink with large shifts of gaze.", ""],
};

pub(super) const EVOKED_SMALL: Norm = Norm {
    id: "blinks.evokedSmall",
    group: Group::Rhythm,
    title: "Gaze shifts below 10° that come with a blink",
    unit: "share",
    human: [0.0, 0.35],
    possible: [0.0, 0.7],
    source: "Evinger et al. 1994",
    people: None,
    advice: ["", "Do not blink with every glance: small ones rarely evoke a blink."],
};

pub(super) const FOLLOW: Norm = Norm {
    id: "lids.follow",
    group: Group::Lids,
    title: "How far lids follow the eyes up and down",
    unit: "% a degree",
    human: [0.3, 4.5],
    possible: [0.05, 9.0],
    source: "Becker & Fuchs 1988",
    people: None,
    advice: [
        "Let upper lids follow the eyes up and down.",
        "Let lids follow the eyes less: they move as far as the eyes do.",
    ],
};

pub(super) const LAG: Norm = Norm {
    id: "lids.lag",
    group: Group::Lids,
    title: "How long lids come after the eyes",
    unit: "ms",
    human: [-15.0, 30.0],
    possible: [-40.0, 80.0],
    source: "Becker & Fuchs 1988",
    people: None,
    advice: [
        "Lids do not move before the eyes: they follow after 5 ms.",
        "Let lids follow sooner: after 5 ms.",
    ],
};

pub(super) const LID_DYNAMICS: Norm = Norm {
    id: "lids.dynamics",
    group: Group::Lids,
    title: "How many times as long lids take as the eyes that they follow",
    unit: "×",
    human: [0.6, 4.0],
    possible: [0.3, 8.0],
    source: "Becker & Fuchs 1988; Evinger et al. 1991",
    people: None,
    advice: [
        "Do not let lids jump after the eyes: they take as long as the eyes do, or twice as long.",
        "Let lids follow faster: they take as long as the eyes do, or twice as long.",
    ],
};

pub(super) const LID_JUMPS: Norm = Norm {
    id: "lids.jumps",
    group: Group::Lids,
    title: "The greatest speed of lids, in ways to shut a second",
    unit: "1/s",
    human: [0.0, 40.0],
    possible: [0.0, 70.0],
    source: EVINGER,
    people: None,
    advice: ["", "Do not let lids jump: a blink takes some frames to close and more to open."],
};

pub(super) const LID_SIDES: Norm = Norm {
    id: "lids.sides",
    group: Group::Lids,
    title: "How much the two eyes differ in a blink",
    unit: "share",
    human: [0.0, 0.25],
    possible: [0.0, 0.55],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Close both eyes together."],
};

pub(super) const DURATION: Norm = Norm {
    id: "saccades.duration",
    group: Group::Saccades,
    title: "How much longer saccades take than 23 ms and 2.7 ms a degree",
    unit: "ms",
    human: [-22.0, 35.0],
    possible: [-40.0, 90.0],
    source: "Collewijn et al. 1988",
    people: None,
    advice: [
        "Move the eyes more slowly: 23 ms and 2.7 ms for each degree.",
        "Move the eyes faster: 23 ms and 2.7 ms for each degree. Approaching a target by a share of the way a frame is no saccade.",
    ],
};

pub(super) const PEAK: Norm = Norm {
    id: "saccades.speed",
    group: Group::Saccades,
    title: "Greatest speed of saccades, by that of people for the same amplitude",
    unit: "×",
    human: [0.6, 1.7],
    possible: [0.3, 3.0],
    source: "Hopf et al. 2018",
    people: None,
    advice: [
        "Move the eyes faster: 450° a second for 30°.",
        "Move the eyes more slowly: 450° a second for 30°.",
    ],
};

pub(super) const SKEW: Norm = Norm {
    id: "saccades.skew",
    group: Group::Saccades,
    title: "When saccades are fastest, of their time",
    unit: "share",
    human: [0.28, 0.6],
    possible: [0.12, 0.8],
    source: "Van Opstal & Van Gisbergen 1987",
    people: None,
    advice: [
        "Let eyes speed up before they slow down: they are fastest after a third to a half of their way.",
        "Let eyes be fastest after a third to a half of their way.",
    ],
};

pub(super) const TELEPORTS: Norm = Norm {
    id: "saccades.teleports",
    group: Group::Saccades,
    title: "Saccades that are over within a frame and should not be",
    unit: "share",
    human: [0.0, 0.1],
    possible: [0.0, 0.35],
    source: "Collewijn et al. 1988",
    people: None,
    advice: ["", "Do not set the eyes to where they look: let them go there."],
};

pub(super) const SLOW: Norm = Norm {
    id: "saccades.slow",
    group: Group::Saccades,
    title: "How much of the gaze's way is done without saccades",
    unit: "share",
    human: [0.0, 0.6],
    possible: [0.0, 0.95],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Do not glide: eyes jump from one place to the next, and follow slowly only what moves."],
};

pub(super) const MICRO: Norm = Norm {
    id: "saccades.micro",
    group: Group::Saccades,
    title: "Saccades below 1° a second",
    unit: "1/s",
    human: [0.25, 5.0],
    possible: [0.0, 12.0],
    source: "Martinez-Conde et al. 2004",
    people: None,
    advice: [
        "Add microsaccades: one or two a second, below 1°.",
        "Make fewer microsaccades: one or two a second.",
    ],
};

pub(super) const DRIFT: Norm = Norm {
    id: "saccades.drift",
    group: Group::Saccades,
    title: "How fast eyes wander while they rest",
    unit: "°/s",
    human: [0.02, 6.0],
    possible: [0.0, 30.0],
    source: "Cherici et al. 2012",
    people: None,
    advice: [
        "Let eyes drift a little while they rest: about half a degree a second.",
        "Let eyes rest: they drift by half a degree a second.",
    ],
};

pub(super) const GLANCE_RATE: Norm = Norm {
    id: "glances.rate",
    group: Group::Glances,
    title: "Saccades a second",
    unit: "1/s",
    human: [0.15, 5.5],
    possible: [0.02, 9.0],
    source: "Ruhland et al. 2015",
    people: None,
    advice: [
        "Look around more often: one to three saccades a second.",
        "Let the gaze rest: one to three saccades a second.",
    ],
};

pub(super) const SIZES: Norm = Norm {
    id: "glances.sizes",
    group: Group::Glances,
    title: "Saccades below 15°",
    unit: "share",
    human: [0.55, 1.0],
    possible: [0.2, 1.0],
    source: "Malinov et al. 2000; Lee et al. 2002",
    people: None,
    advice: ["Make most saccades smaller: more than eight of ten are below 15°.", ""],
};

pub(super) const DIRECTIONS: Norm = Norm {
    id: "glances.directions",
    group: Group::Glances,
    title: "Saccades that are more to the side than up or down",
    unit: "share",
    human: [0.35, 0.95],
    possible: [0.1, 1.0],
    source: "Lee et al. 2002",
    people: None,
    advice: ["Look to the sides more often than up and down.", "Look up and down as well."],
};

/// Who reads goes along lines.
pub(super) const DIRECTIONS_READING: Norm = Norm { human: [0.35, 1.0], ..DIRECTIONS };

pub(super) const FIXATIONS: Norm = Norm {
    id: "glances.fixations",
    group: Group::Glances,
    title: "How long eyes rest, the median",
    unit: "s",
    human: [0.43, 3.1],
    possible: [0.06, 8.0],
    source: "Lee et al. 2002",
    people: Some(Side::Both(Scale::Log)),
    advice: ["Let the gaze rest longer: about 0.3 s.", "Let the gaze rest for less time: about 0.3 s."],
};

pub(super) const GLANCE_RHYTHM: Norm = Norm {
    id: "glances.intervals",
    group: Group::Glances,
    title: "How much times between saccades differ: their standard deviation by their mean",
    unit: "×",
    human: [0.35, 2.5],
    possible: [0.15, 6.0],
    source: "",
    people: Some(Side::Both(Scale::Log)),
    advice: [
        "Do not look around by a clock: let each rest be as long as chance has it.",
        "Spread glances more evenly.",
    ],
};

pub(super) const VOR: Norm = Norm {
    id: "head.vor",
    group: Group::Head,
    title: "How much eyes turn against the head while they hold a target",
    unit: "×",
    human: [0.6, 1.2],
    possible: [0.35, 1.5],
    source: "gain of the vestibulo-ocular reflex: about 1",
    people: None,
    advice: [
        "Turn the eyes against the head while it moves, so that the gaze stays where it is.",
        "Turn the eyes against the head as far as it moves, and not further.",
    ],
};

pub(super) const HEAD_SMALL: Norm = Norm {
    id: "head.smallShifts",
    group: Group::Head,
    title: "The head's part of gaze shifts below 10°",
    unit: "share",
    human: [0.0, 0.6],
    possible: [-0.3, 0.95],
    source: "Stahl 1999",
    people: None,
    advice: ["", "Make small shifts of gaze with the eyes alone."],
};

pub(super) const HEAD_LARGE: Norm = Norm {
    id: "head.largeShifts",
    group: Group::Head,
    title: "The head's part of gaze shifts of 25° and more",
    unit: "share",
    human: [0.15, 1.0],
    possible: [0.03, 1.2],
    source: "Stahl 1999; Kim et al. 2010",
    people: None,
    advice: [
        "Let the head take part in large shifts of gaze: two thirds of the way to the side.",
        "Let the eyes take part in large shifts of gaze.",
    ],
};

pub(super) const HEAD_ORDER: Norm = Norm {
    id: "head.order",
    group: Group::Head,
    title: "How long the head starts after the eyes",
    unit: "ms",
    human: [-120.0, 200.0],
    possible: [-350.0, 450.0],
    source: "Herst et al. 2001; Goossens & Van Opstal 1997",
    people: None,
    advice: [
        "Let the eyes start with the head or before it.",
        "Let the head start sooner: 20 to 50 ms after the eyes.",
    ],
};

pub(super) const LIMITS: Norm = Norm {
    id: "head.eyeLimits",
    group: Group::Head,
    title: "How far eyes turn in the head at most",
    unit: "°",
    human: [0.0, 42.0],
    possible: [0.0, 58.0],
    source: "Guitton & Volle 1987",
    people: None,
    advice: ["", "Turn the head before the eyes go beyond 40°."],
};

pub(super) const VERGENCE: Norm = Norm {
    id: "head.vergence",
    group: Group::Head,
    title: "How far the eyes turn inwards",
    unit: "°",
    human: [-1.5, 16.0],
    possible: [-5.0, 35.0],
    source: "natural distances: 0.2 m and more",
    people: None,
    advice: [
        "Do not let the eyes turn outwards.",
        "Turn the eyes inwards only as far as what they look at is near.",
    ],
};

pub(super) const LOOKING: Norm = Norm {
    id: "conversation.looking",
    group: Group::Conversation,
    title: "The share of time that the other is looked at",
    unit: "share",
    human: [0.2, 0.9],
    possible: [0.05, 0.99],
    source: "Argyle & Cook 1976; Kendon 1967",
    people: None,
    advice: [
        "Look at the other more: 41 % of the time while speaking, 75 % while listening.",
        "Look away now and then: people look for 41 % of the time while speaking and 75 % while listening.",
    ],
};

pub(super) const LOOKING_SPEAKING: Norm = Norm { human: [0.2, 0.75], ..LOOKING };
pub(super) const LOOKING_LISTENING: Norm = Norm { human: [0.3, 0.97], possible: [0.1, 1.0], ..LOOKING };

pub(super) const AVERSIONS: Norm = Norm {
    id: "conversation.aversions",
    group: Group::Conversation,
    title: "How long the eyes are turned away",
    unit: "s",
    human: [0.3, 5.0],
    possible: [0.15, 15.0],
    source: "Lee et al. 2002; Andrist et al. 2014",
    people: None,
    advice: ["Look away for longer: 1 to 3.5 s.", "Look back sooner: after 1 to 3.5 s."],
};

pub(super) const STEPS: Norm = Norm {
    id: "signal.steps",
    group: Group::Signal,
    title: "Samples that repeat the last one in the middle of a motion",
    unit: "share",
    human: [0.0, 0.2],
    possible: [0.0, 0.4],
    source: "motion has no steps",
    people: None,
    advice: ["", "Write the motion at the rate of its samples: frames are repeated."],
};

pub(super) const LOOPS: Norm = Norm {
    id: "signal.loops",
    group: Group::Signal,
    title: "How alike the trace is to itself some time later: 1 is a loop",
    unit: "0–1",
    human: [-1.0, 0.8],
    possible: [-1.0, 0.93],
    source: "",
    people: Some(Side::Upper(Scale::Correlation)),
    advice: ["", "Do not play the same piece again and again."],
};

pub(super) const FROZEN: Norm = Norm {
    id: "signal.frozen",
    group: Group::Signal,
    title: "The longest time in which nothing moves at all",
    unit: "s",
    human: [0.0, 4.0],
    possible: [0.0, 15.0],
    source: "eyes that live are never still",
    people: None,
    advice: ["", "Something is frozen: eyes and lids never rest altogether."],
};

pub(super) const NOISE: Norm = Norm {
    id: "signal.noise",
    group: Group::Signal,
    title: "How much the gaze trembles from sample to sample",
    unit: "°",
    human: [0.0, 0.6],
    possible: [0.0, 2.0],
    source: "",
    people: Some(Side::Upper(Scale::Log)),
    advice: ["", "Smooth the gaze: it trembles by more than eyes or trackers do."],
};

pub(super) const LID_NOISE: Norm = Norm {
    id: "signal.lidNoise",
    group: Group::Signal,
    title: "How much lids tremble from sample to sample, of their aperture",
    unit: "share",
    human: [0.0, 0.06],
    possible: [0.0, 0.2],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Smooth the lids: they tremble by more than lids or trackers do."],
};
