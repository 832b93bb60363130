//! Human ranges of all checks, with their sources.
//!
//! `human` is the range of nearly all people; `possible` is the range of what anyone can do, including device noise.
//! Published values come first. If no values are published, or only values for one task, [recordings of
//! people](super::people) set the range or widen it.

use super::check::{Group, Norm, Side};
use super::people::Scale;

const EVINGER: &str = "Evinger et al. 1991; VanderWerf et al. 2003";

pub(super) const CLOSING: Norm = Norm {
    id: "blinks.closing",
    group: Group::Blinks,
    title: "Closing phase duration",
    unit: "ms",
    human: [35.0, 150.0],
    possible: [20.0, 260.0],
    source: EVINGER,
    people: None,
    advice: [
        "Close the lids more slowly: about 70 ms.",
        "Close the lids faster: about 70 ms. Slower blinks look tired.",
    ],
};

pub(super) const OPENING: Norm = Norm {
    id: "blinks.opening",
    group: Group::Blinks,
    title: "Opening phase duration",
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
    title: "Opening duration divided by closing duration",
    unit: "×",
    human: [1.2, 6.0],
    possible: [0.85, 12.0],
    source: EVINGER,
    people: None,
    advice: [
        "Open the lids two to three times as slowly as they close.",
        "Open the lids only two to three times as slowly as they close.",
    ],
};

pub(super) const SPEED: Norm = Norm {
    id: "blinks.speed",
    group: Group::Blinks,
    title: "Peak closing velocity divided by mean closing velocity",
    unit: "×",
    human: [1.15, 3.0],
    possible: [0.95, 4.5],
    source: EVINGER,
    people: None,
    advice: [
        "Do not move the lids at constant speed: they accelerate to 1.5 to 2 times their mean velocity half-way down, then slow down.",
        "Do not let the lids jump: their peak velocity is 1.5 to 2 times the mean.",
    ],
};

pub(super) const MAIN_SEQUENCE: Norm = Norm {
    id: "blinks.mainSequence",
    group: Group::Blinks,
    title: "Exponent of blink velocity over amplitude (main sequence)",
    unit: "exponent",
    human: [0.3, 1.8],
    possible: [0.05, 3.0],
    source: EVINGER,
    people: None,
    advice: [
        "Make large blinks faster, in proportion to their amplitude: all blinks take about the same time.",
        "Make large blinks less fast: their velocity grows in proportion to their amplitude.",
    ],
};

pub(super) const CLOSURE: Norm = Norm {
    id: "blinks.closure",
    group: Group::Blinks,
    title: "Blink amplitude as a share of full closure",
    unit: "share",
    human: [0.55, 1.02],
    possible: [0.3, 1.1],
    source: "Sforza et al. 2008; Ousler et al. 2014",
    people: None,
    advice: [
        "Close the lids further: most blinks cover the pupil.",
        "Do not close the lids beyond the point where they meet.",
    ],
};

pub(super) const HOLD: Norm = Norm {
    id: "blinks.hold",
    group: Group::Blinks,
    title: "Time the lids stay closed in a blink",
    unit: "ms",
    human: [0.0, 75.0],
    possible: [0.0, 200.0],
    source: "coil recordings: 8 ms spontaneous, 13 ms voluntary",
    people: None,
    advice: ["", "Open the lids as soon as they are closed: people keep them closed for about 10 ms."],
};

pub(super) const DOUBLE: Norm = Norm {
    id: "blinks.double",
    group: Group::Rhythm,
    title: "Blinks within 0.5 s of the previous blink",
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
    title: "Blink rate",
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

/// Blink rate while idle, per minute.
pub(super) const RATE_IDLE: Norm = Norm { human: [5.0, 30.0], ..RATE };
pub(super) const RATE_SPEAKING: Norm = Norm { human: [8.0, 50.0], ..RATE };
pub(super) const RATE_READING: Norm = Norm {
    human: [1.0, 17.0],
    advice: [
        "Blink more often: about 5 times a minute.",
        "Blink less often: people blink about 5 times a minute while reading.",
    ],
    ..RATE
};

pub(super) const DISPERSION: Norm = Norm {
    id: "blinks.intervals",
    group: Group::Rhythm,
    title: "Variability of inter-blink intervals (standard deviation / mean)",
    unit: "×",
    human: [0.35, 2.0],
    possible: [0.15, 4.0],
    source: "Doughty 2002; Chidi-Egboka et al. 2022; Nomura et al. 2018",
    people: None,
    advice: [
        "Do not blink at fixed intervals: draw inter-blink intervals from a log-normal distribution with a sigma of about 0.7.",
        "Spread blinks more evenly: long times without a blink are rare.",
    ],
};

pub(super) const PERIODICITY: Norm = Norm {
    id: "blinks.periodicity",
    group: Group::Rhythm,
    title: "Periodicity of blinks (1 is a metronome)",
    unit: "0–1",
    human: [0.0, 0.7],
    possible: [0.0, 0.9],
    source: "no beat: Doughty 2002; Nomura et al. 2018",
    people: None,
    advice: ["", "Do not blink periodically: draw each inter-blink interval at random."],
};

pub(super) const EVOKED_LARGE: Norm = Norm {
    id: "blinks.evokedLarge",
    group: Group::Rhythm,
    title: "Gaze shifts of 33° and more with a blink",
    unit: "share",
    human: [0.3, 1.0],
    possible: [0.0, 1.0],
    source: "Evinger et al. 1994",
    people: None,
    advice: ["Blink with large gaze shifts.", ""],
};

pub(super) const EVOKED_SMALL: Norm = Norm {
    id: "blinks.evokedSmall",
    group: Group::Rhythm,
    title: "Gaze shifts below 10° with a blink",
    unit: "share",
    human: [0.0, 0.35],
    possible: [0.0, 0.7],
    source: "Evinger et al. 1994",
    people: None,
    advice: ["", "Do not blink with every gaze shift: small ones rarely evoke a blink."],
};

pub(super) const FOLLOW: Norm = Norm {
    id: "lids.follow",
    group: Group::Lids,
    title: "Lid following: change of aperture per degree of vertical gaze",
    unit: "%/°",
    human: [0.3, 4.5],
    possible: [0.05, 9.0],
    source: "Becker & Fuchs 1988",
    people: None,
    advice: [
        "Move the upper lids with the eyes, up and down.",
        "Move the lids less: they turn by as many degrees as the eyes.",
    ],
};

pub(super) const LAG: Norm = Norm {
    id: "lids.lag",
    group: Group::Lids,
    title: "Delay of the lids behind the eyes",
    unit: "ms",
    human: [-15.0, 30.0],
    possible: [-40.0, 80.0],
    source: "Becker & Fuchs 1988",
    people: None,
    advice: [
        "Do not move the lids before the eyes: they follow after 5 ms.",
        "Move the lids sooner: 5 ms after the eyes.",
    ],
};

pub(super) const LID_DYNAMICS: Norm = Norm {
    id: "lids.dynamics",
    group: Group::Lids,
    title: "Lid saccade duration divided by eye saccade duration",
    unit: "×",
    human: [0.6, 4.0],
    possible: [0.3, 8.0],
    source: "Becker & Fuchs 1988; Evinger et al. 1991",
    people: None,
    advice: [
        "Do not let the lids jump after the eyes: a lid saccade takes one to two times as long as the eye saccade.",
        "Make lid saccades faster: they take one to two times as long as the eye saccade.",
    ],
};

pub(super) const LID_JUMPS: Norm = Norm {
    id: "lids.jumps",
    group: Group::Lids,
    title: "Peak lid velocity, in full closures per second",
    unit: "1/s",
    human: [0.0, 40.0],
    possible: [0.0, 70.0],
    source: EVINGER,
    people: None,
    advice: ["", "Do not let the lids jump: a blink takes several frames to close and more to open."],
};

pub(super) const LID_SIDES: Norm = Norm {
    id: "lids.sides",
    group: Group::Lids,
    title: "Difference between the two eyes in a blink",
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
    title: "Saccade duration minus the expected 23 ms + 2.7 ms/°",
    unit: "ms",
    human: [-22.0, 35.0],
    possible: [-40.0, 90.0],
    source: "Collewijn et al. 1988",
    people: None,
    advice: [
        "Move the eyes more slowly: 23 ms plus 2.7 ms per degree.",
        "Move the eyes faster: 23 ms plus 2.7 ms per degree. Exponential smoothing towards a target does not look like a saccade.",
    ],
};

pub(super) const PEAK: Norm = Norm {
    id: "saccades.speed",
    group: Group::Saccades,
    title: "Peak saccade velocity divided by the human value for the amplitude",
    unit: "×",
    human: [0.6, 1.7],
    possible: [0.3, 3.0],
    source: "Hopf et al. 2018",
    people: None,
    advice: ["Move the eyes faster: 450°/s for 30°.", "Move the eyes more slowly: 450°/s for 30°."],
};

pub(super) const SKEW: Norm = Norm {
    id: "saccades.skew",
    group: Group::Saccades,
    title: "Time of peak velocity as a share of the saccade duration",
    unit: "share",
    human: [0.28, 0.6],
    possible: [0.12, 0.8],
    source: "Van Opstal & Van Gisbergen 1987",
    people: None,
    advice: [
        "Accelerate the eyes before they slow down: peak velocity is at a third to a half of the saccade.",
        "Reach peak velocity at a third to a half of the saccade.",
    ],
};

pub(super) const TELEPORTS: Norm = Norm {
    id: "saccades.teleports",
    group: Group::Saccades,
    title: "Saccades completed within one frame that should take longer",
    unit: "share",
    human: [0.0, 0.1],
    possible: [0.0, 0.35],
    source: "Collewijn et al. 1988",
    people: None,
    advice: ["", "Do not set the gaze to its target within one frame: animate the saccade."],
};

pub(super) const SLOW: Norm = Norm {
    id: "saccades.slow",
    group: Group::Saccades,
    title: "Share of gaze movement outside saccades",
    unit: "share",
    human: [0.0, 0.6],
    possible: [0.0, 0.95],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Use saccades: eyes move smoothly only when they follow a moving target."],
};

pub(super) const MICRO: Norm = Norm {
    id: "saccades.micro",
    group: Group::Saccades,
    title: "Microsaccades (below 1°) per second",
    unit: "1/s",
    human: [0.25, 5.0],
    possible: [0.0, 12.0],
    source: "Martinez-Conde et al. 2004",
    people: None,
    advice: [
        "Add microsaccades: one or two per second, below 1°.",
        "Make fewer microsaccades: one or two per second.",
    ],
};

pub(super) const DRIFT: Norm = Norm {
    id: "saccades.drift",
    group: Group::Saccades,
    title: "Drift velocity during fixations",
    unit: "°/s",
    human: [0.02, 6.0],
    possible: [0.0, 30.0],
    source: "Cherici et al. 2012",
    people: None,
    advice: ["Add drift to fixations: about 0.5°/s.", "Reduce drift in fixations: about 0.5°/s."],
};

pub(super) const GLANCE_RATE: Norm = Norm {
    id: "glances.rate",
    group: Group::Glances,
    title: "Saccades per second",
    unit: "1/s",
    human: [0.15, 5.5],
    possible: [0.02, 9.0],
    source: "Ruhland et al. 2015",
    people: None,
    advice: [
        "Look around more often: one to three saccades per second.",
        "Make fewer saccades: one to three per second.",
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
    title: "Saccades that are more horizontal than vertical",
    unit: "share",
    human: [0.35, 0.95],
    possible: [0.1, 1.0],
    source: "Lee et al. 2002",
    people: None,
    advice: ["Look to the sides more often than up and down.", "Look up and down as well."],
};

/// Directions of saccades while reading, when the gaze moves along lines of text.
pub(super) const DIRECTIONS_READING: Norm = Norm { human: [0.35, 1.0], ..DIRECTIONS };

pub(super) const FIXATIONS: Norm = Norm {
    id: "glances.fixations",
    group: Group::Glances,
    title: "Median fixation duration",
    unit: "s",
    human: [0.43, 3.1],
    possible: [0.06, 8.0],
    source: "Lee et al. 2002",
    people: Some(Side::Both(Scale::Log)),
    advice: ["Make fixations longer: about 0.3 s.", "Make fixations shorter: about 0.3 s."],
};

pub(super) const GLANCE_RHYTHM: Norm = Norm {
    id: "glances.intervals",
    group: Group::Glances,
    title: "Variability of intervals between saccades (standard deviation / mean)",
    unit: "×",
    human: [0.35, 2.5],
    possible: [0.15, 6.0],
    source: "",
    people: Some(Side::Both(Scale::Log)),
    advice: [
        "Do not make saccades at fixed intervals: draw each fixation duration at random.",
        "Spread saccades more evenly.",
    ],
};

pub(super) const VOR: Norm = Norm {
    id: "head.vor",
    group: Group::Head,
    title: "VOR gain: eye counter-rotation divided by head rotation",
    unit: "×",
    human: [0.6, 1.2],
    possible: [0.35, 1.5],
    source: "gain of the vestibulo-ocular reflex: about 1",
    people: None,
    advice: [
        "Turn the eyes against the head while it moves, so that the gaze stays on its target.",
        "Turn the eyes against the head only as far as it moves.",
    ],
};

pub(super) const HEAD_SMALL: Norm = Norm {
    id: "head.smallShifts",
    group: Group::Head,
    title: "Head contribution to gaze shifts below 10°",
    unit: "share",
    human: [0.0, 0.6],
    possible: [-0.3, 0.95],
    source: "Stahl 1999",
    people: None,
    advice: ["", "Make small gaze shifts with the eyes alone."],
};

pub(super) const HEAD_LARGE: Norm = Norm {
    id: "head.largeShifts",
    group: Group::Head,
    title: "Head contribution to gaze shifts of 25° and more",
    unit: "share",
    human: [0.15, 1.0],
    possible: [0.03, 1.2],
    source: "Stahl 1999; Kim et al. 2010",
    people: None,
    advice: [
        "Move the head in large gaze shifts: about two thirds of a horizontal shift.",
        "Move the eyes, too, in large gaze shifts.",
    ],
};

pub(super) const HEAD_ORDER: Norm = Norm {
    id: "head.order",
    group: Group::Head,
    title: "Head onset after eye onset",
    unit: "ms",
    human: [-120.0, 200.0],
    possible: [-350.0, 450.0],
    source: "Herst et al. 2001; Goossens & Van Opstal 1997",
    people: None,
    advice: [
        "Start the eyes before the head or with it.",
        "Start the head sooner: 20 to 50 ms after the eyes.",
    ],
};

pub(super) const LIMITS: Norm = Norm {
    id: "head.eyeLimits",
    group: Group::Head,
    title: "Largest eye-in-head angle",
    unit: "°",
    human: [0.0, 42.0],
    possible: [0.0, 58.0],
    source: "Guitton & Volle 1987",
    people: None,
    advice: ["", "Turn the head before the eyes turn beyond 40°."],
};

pub(super) const VERGENCE: Norm = Norm {
    id: "head.vergence",
    group: Group::Head,
    title: "Median vergence angle",
    unit: "°",
    human: [-1.5, 16.0],
    possible: [-5.0, 35.0],
    source: "natural distances: 0.2 m and more",
    people: None,
    advice: ["Do not turn the eyes outwards.", "Turn the eyes inwards only for near targets."],
};

pub(super) const LOOKING: Norm = Norm {
    id: "conversation.looking",
    group: Group::Conversation,
    title: "Share of time looking at the conversation partner",
    unit: "share",
    human: [0.2, 0.9],
    possible: [0.05, 0.99],
    source: "Argyle & Cook 1976; Kendon 1967",
    people: None,
    advice: [
        "Look at the partner more: 41 % of the time while speaking, 75 % while listening.",
        "Look away more often: people look at the partner 41 % of the time while speaking, 75 % while listening.",
    ],
};

pub(super) const LOOKING_SPEAKING: Norm = Norm { human: [0.2, 0.75], ..LOOKING };
pub(super) const LOOKING_LISTENING: Norm = Norm { human: [0.3, 0.97], possible: [0.1, 1.0], ..LOOKING };

pub(super) const AVERSIONS: Norm = Norm {
    id: "conversation.aversions",
    group: Group::Conversation,
    title: "Mean duration of gaze aversions",
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
    title: "Repeated samples during motion",
    unit: "share",
    human: [0.0, 0.2],
    possible: [0.0, 0.4],
    source: "continuous motion",
    people: None,
    advice: ["", "Frames are repeated: write the motion at its own frame rate."],
};

pub(super) const LOOPS: Norm = Norm {
    id: "signal.loops",
    group: Group::Signal,
    title: "Highest autocorrelation of the trace (1 is a loop)",
    unit: "0–1",
    human: [-1.0, 0.8],
    possible: [-1.0, 0.93],
    source: "",
    people: Some(Side::Upper(Scale::Correlation)),
    advice: ["", "Do not loop the same motion."],
};

pub(super) const FROZEN: Norm = Norm {
    id: "signal.frozen",
    group: Group::Signal,
    title: "Longest time without any movement",
    unit: "s",
    human: [0.0, 4.0],
    possible: [0.0, 15.0],
    source: "living eyes are never still",
    people: None,
    advice: ["", "Avoid freezes: eyes and lids are never completely still."],
};

pub(super) const NOISE: Norm = Norm {
    id: "signal.noise",
    group: Group::Signal,
    title: "Gaze noise from sample to sample",
    unit: "°",
    human: [0.0, 0.6],
    possible: [0.0, 2.0],
    source: "",
    people: Some(Side::Upper(Scale::Log)),
    advice: ["", "Smooth the gaze: its noise exceeds that of eyes and trackers."],
};

pub(super) const LID_NOISE: Norm = Norm {
    id: "signal.lidNoise",
    group: Group::Signal,
    title: "Lid noise from sample to sample, as a share of the aperture",
    unit: "share",
    human: [0.0, 0.06],
    possible: [0.0, 0.2],
    source: "",
    people: Some(Side::Upper(Scale::Share)),
    advice: ["", "Smooth the lids: their noise exceeds that of lids and trackers."],
};
