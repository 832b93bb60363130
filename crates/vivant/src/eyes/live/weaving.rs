//! Eyes that are left alone move as a recorded person's did (paper 5).
//!
//! A texture gives gaze and lids frame by frame. The lids are shown as they are; the gaze is understood first:
//! where it steps, the eyes make a saccade of their own to where it lands, on top of whom or what they attend
//! to. So there is no frame at which anything jumps, whatever the rate of the recording was. A look takes eyes
//! and lids over; meanwhile the texture goes on unseen, and has them back when the look is over.

use super::shifting::Manner;
use super::{Cue, EventKind, Eyes};
use crate::error::{Error, Result};
use crate::eyes::blinking::Activity;
use crate::eyes::carriage::Carriage;
use crate::eyes::jump::Jump;
use crate::eyes::profile::Profile;
use crate::eyes::texture::{MAX_CORPORA, Sample, Synthesis, Texture, Wishes, Within};
use glam::DVec2;
use std::sync::Arc;

/// The gaze of a texture that is so far from where the eyes rest has stepped (our design: well above the
/// noise of head-worn trackers and below most saccades).
const STEP_DEG: f64 = 1.0;
/// A step has landed where it is slower (FACTS, section 2: the usual threshold between fixation and saccade),
/// …
const LANDED_DEG_PER_S: f64 = 30.0;
/// … or after this long: no saccade takes longer, and what goes on is followed in steps.
const LONGEST_STEP_SECS: f64 = 0.12;
/// The lids change hands in this time.
const HANDOVER_SECS: f64 = 0.3;
/// A gaze this near to whom the eyes attend to is on it, and stays on it as it moves (our design).
const ON_IT_DEG: f64 = 1.5;
/// Of a closed eye this share is seen as a blink.
pub(super) const BLINK_CLOSURE: f64 = 0.5;

/// A change of mood takes this long (our design).
const BLEND_SECS: f64 = 2.0;

/// One frame as the performer needs it.
#[derive(Clone, Copy, Debug, Default)]
struct Woven {
    /// From whom or what the eyes attend to.
    gaze: DVec2,
    /// What the lids close beyond where the gaze has them.
    closure: f64,
}

/// What a corpus takes as looking at whom one attends to, with open eyes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usual {
    /// Where that person looked most of the time.
    pub(super) gaze: DVec2,
    /// How open the eyes are straight ahead, and by how much more for each degree up.
    open: [f64; 2],
}

type Weights = [f64; MAX_CORPORA];

/// A texture that plays.
#[derive(Clone, Debug)]
pub(super) struct Weaving {
    synthesis: Synthesis,
    usual: [Usual; MAX_CORPORA],
    /// The corpora that are named as what a character does.
    of_activities: [Option<usize>; Activity::ALL.len()],
    within: Option<(Within, f64)>,
    /// How much of the time goes to each corpus: what it was, what it comes to be, and from when on.
    weights: [Weights; 2],
    weighted: f64,
    /// When frame 0 is shown; nothing plays before the eyes live.
    began: f64,
    /// The number of the first frame that is held.
    first: u64,
    /// The frames that are shown, and some of those to come.
    frames: Vec<Woven>,
    /// Where the eyes rest.
    anchor: DVec2,
    /// The next frame that is not yet understood.
    next: u64,
    /// Whether eyes and lids are the texture's, and what is left of the change.
    has_lids: bool,
    share_error: Jump<1>,
}

impl Weaving {
    fn new(texture: Arc<Texture>, seed: u64) -> Self {
        let mut usual = [Usual::default(); MAX_CORPORA];
        for (corpus, usual) in usual.iter_mut().enumerate().take(texture.corpora().len()) {
            *usual = Usual::of(&texture, corpus);
        }
        let named = |activity: Activity| texture.corpora().position(|name| name == activity.to_string());
        let of_activities = Activity::ALL.map(named);
        let hop = texture.step_frames();
        let patches = 1 + (frames_ahead(texture.rate_hz()) + 1).div_ceil(hop as u64) as usize;
        Self {
            synthesis: Synthesis::new(texture, seed),
            usual,
            of_activities,
            within: None,
            weights: [[1.0; MAX_CORPORA]; 2],
            weighted: f64::NEG_INFINITY,
            began: f64::INFINITY,
            first: 0,
            frames: vec![Woven::default(); patches * hop],
            anchor: DVec2::ZERO,
            next: 0,
            has_lids: false,
            share_error: Jump::NONE,
        }
    }

    fn rate_hz(&self) -> f64 {
        self.synthesis.texture().rate_hz()
    }

    /// The frames of a patch that are new.
    fn hop(&self) -> usize {
        self.synthesis.texture().step_frames()
    }

    fn begin(&mut self, at: f64) {
        self.began = at;
        for place in (0..self.frames.len()).step_by(self.hop()) {
            self.take_patch(place);
        }
        self.anchor = self.frames[0].gaze;
        self.next = 1;
    }

    fn take_patch(&mut self, place: usize) {
        let wishes = self.wishes(self.secs_of(self.first + place as u64));
        let frames = self.synthesis.next_patch(&wishes).len();
        let usual = self.usual[self.synthesis.last().map_or(0, |choice| choice.corpus)];
        let held = &mut self.frames[place..place + frames];
        for (woven, sample) in held.iter_mut().zip(self.synthesis.frames()) {
            *woven = usual.understood(sample);
        }
    }

    fn wishes(&self, at: f64) -> Wishes {
        let u = ((at - self.weighted) / BLEND_SECS).clamp(0.0, 1.0);
        let [from, to] = self.weights;
        let gaze = self.within.filter(|(_, until)| at < *until).map(|(within, _)| within);
        Wishes {
            gaze,
            weights: std::array::from_fn(|i| from[i] + u * (to[i] - from[i])),
            ..Wishes::default()
        }
    }

    fn weigh(&mut self, at: f64, weights: Weights) {
        if self.began == f64::INFINITY {
            self.weights = [weights; 2];
        } else if weights != self.weights[1] {
            (self.weights, self.weighted) = ([self.wishes(at).weights, weights], at);
        }
    }

    /// The corpus of a name.
    fn corpus(&self, name: &str) -> Option<usize> {
        self.synthesis.texture().corpora().position(|corpus| corpus == name)
    }

    /// Makes the next patch, in the place of the oldest.
    fn go_on(&mut self) {
        let hop = self.hop();
        self.frames.copy_within(hop.., 0);
        self.first += hop as u64;
        self.take_patch(self.frames.len() - hop);
    }

    fn secs_of(&self, frame: u64) -> f64 {
        self.began + frame as f64 / self.rate_hz()
    }

    fn frame(&self, number: u64) -> Woven {
        let index = number.saturating_sub(self.first) as usize;
        self.frames[index.min(self.frames.len() - 1)]
    }

    /// The first frame of which it cannot be said where a step from it would land.
    fn horizon(&self) -> u64 {
        self.first + self.frames.len() as u64 - frames_ahead(self.rate_hz())
    }

    /// Understands what comes until the gaze steps, or nothing more is known. Gives when that is.
    fn next_step_secs(&mut self) -> f64 {
        while self.next < self.horizon() && self.frame(self.next).gaze.distance(self.anchor) <= STEP_DEG {
            self.next += 1;
        }
        self.secs_of(self.next)
    }

    /// Whether the gaze steps in the frame that was come to; then the eyes will rest where it lands.
    fn takes_step(&mut self) -> bool {
        if self.next >= self.horizon() {
            self.go_on();
            return false;
        }
        let longest = step_frames(self.rate_hz());
        let is_fast = |frame: u64| {
            let [a, b] = [self.frame(frame), self.frame(frame + 1)].map(|woven| woven.gaze);
            a.distance(b) * self.rate_hz() > LANDED_DEG_PER_S
        };
        let landing = (self.next..self.next + longest).find(|frame| !is_fast(*frame));
        let landing = landing.unwrap_or(self.next + longest);
        self.anchor = self.frame(landing).gaze;
        self.next = landing + 1;
        true
    }

    /// What the lids close, smoothly between frames.
    fn closure(&self, t: f64) -> f64 {
        let share = self.share(t);
        if share <= 0.0 || t < self.began {
            return 0.0;
        }
        let place = (t - self.began) * self.rate_hz();
        let (frame, u) = (place as u64, place.fract());
        let around = [frame.saturating_sub(1), frame, frame + 1, frame + 2];
        let closure = catmull_rom(around.map(|frame| self.frame(frame).closure), u);
        share * closure.clamp(0.0, 1.0)
    }

    /// How much of the lids is the texture's.
    fn share(&self, t: f64) -> f64 {
        (f64::from(u8::from(self.has_lids)) + self.share_error.error(t)[0]).clamp(0.0, 1.0)
    }

    fn hand_over(&mut self, at: f64, has_lids: bool) {
        if has_lids == self.has_lids {
            return;
        }
        let was = f64::from(u8::from(self.has_lids)) + self.share_error.error(at)[0];
        let velocity = self.share_error.velocity(at);
        self.has_lids = has_lids;
        let error = was - f64::from(u8::from(has_lids));
        self.share_error = Jump::as_movement(at, [error], &handover(), velocity);
    }
}

impl Usual {
    /// The median gaze: glances aside, however far, do not move it.
    pub(super) fn of(texture: &Texture, corpus: usize) -> Self {
        let samples = texture.samples(corpus);
        let median = |angle: fn(&Sample) -> f32| {
            let mut all: Vec<f32> = samples.iter().map(angle).collect();
            let middle = all.len() / 2;
            all.sort_unstable_by(f32::total_cmp);
            all.get(middle).copied().map_or(0.0, f64::from)
        };
        Self {
            gaze: DVec2::new(median(|sample| sample.yaw_deg), median(|sample| sample.pitch_deg)),
            open: texture.openness_of(corpus).unwrap_or([1.0, 0.0]),
        }
    }

    /// Lids that go with the gaze are the performer's; what they do beyond that is the recording's.
    fn understood(&self, sample: &Sample) -> Woven {
        let [yaw, pitch] = [sample.yaw_deg, sample.pitch_deg].map(f64::from);
        let open = (self.open[0] + self.open[1] * pitch).max(LEAST_OPEN);
        let closure = (1.0 - f64::from(sample.openness) / open).clamp(0.0, 1.0);
        Woven { gaze: DVec2::new(yaw, pitch) - self.gaze, closure }
    }
}

/// Eyes that look far down are still open by this much of their aperture (our design).
const LEAST_OPEN: f64 = 0.3;

/// The frames of the longest step.
fn step_frames(rate_hz: f64) -> u64 {
    (LONGEST_STEP_SECS * rate_hz).ceil() as u64
}

/// How many frames have to be known ahead: those of a step, and those that a spline leans on.
fn frames_ahead(rate_hz: f64) -> u64 {
    step_frames(rate_hz) + 3
}

/// How the lids change hands: softly, at both ends.
fn handover() -> Profile {
    Profile::new(1.0, HANDOVER_SECS, 1.875 / HANDOVER_SECS, 0.5)
}

/// The spline through four frames, between the middle two.
fn catmull_rom([a, b, c, d]: [f64; 4], u: f64) -> f64 {
    let (out, back) = (0.5 * (c - a), 0.5 * (d - b));
    let (bend, turn) = (3.0 * (c - b) - 2.0 * out - back, 2.0 * (b - c) + out + back);
    b + u * (out + u * (bend + u * turn))
}

impl Eyes {
    /// Lets eyes that are left alone move as a texture does; `None` lets them be as the models have it.
    ///
    /// It takes effect now. Allocates.
    pub fn weave(&mut self, texture: Option<Arc<Texture>>) {
        // What the last texture left of the lids opens as when it is handed over.
        let left = self.woven_closure(self.time);
        self.woven_left = Jump::as_movement(self.time, [left], &handover(), [0.0]);
        self.weaving = texture.map(|texture| Box::new(Weaving::new(texture, self.seed)));
        self.cues.clear(Cue::Weave);
        if self.is_live {
            self.begin_to_weave(self.time);
        }
    }

    /// What mood the eyes are in, as a corpus of their texture; `None` as what the character does has it.
    ///
    /// # Errors
    /// If they have no such corpus.
    pub fn mood(&mut self, at: f64, mood: Option<&str>) -> Result<()> {
        let corpus = mood.map(|name| self.mood_named(name)).transpose()?;
        self.ask(at, EventKind::Mood(corpus));
        Ok(())
    }

    /// The corpora of their texture, which are the moods that they know; none without a texture.
    pub fn corpora(&self) -> impl Iterator<Item = &str> {
        self.weaving.as_deref().into_iter().flat_map(|weaving| weaving.synthesis.texture().corpora())
    }

    fn mood_named(&self, name: &str) -> Result<usize> {
        let Some(weaving) = self.weaving.as_deref() else {
            return Err(Error::new(format!("mood: `{name}` is not known: these eyes have no texture")));
        };
        weaving.corpus(name).ok_or_else(|| {
            let known: Vec<&str> = weaving.synthesis.texture().corpora().collect();
            Error::new(format!("mood: `{name}` is not known; there is {}", known.join(", ")))
        })
    }

    /// Lets eyes that are left alone stay within a part of their range, for some time: “look ahead for 15 s”,
    /// “do not look left”. It holds from the next patch of their texture on.
    pub fn keep_within(&mut self, at: f64, within: Within, secs: f64) {
        self.ask(at, EventKind::Keep { within, until: at + secs });
    }

    pub(super) fn keep(&mut self, within: Within, until: f64) {
        if let Some(weaving) = self.weaving.as_deref_mut() {
            weaving.within = Some((within, until));
        }
    }

    /// How much of each corpus there is: that of the mood, else that of what the character does, else all.
    pub(super) fn weigh_corpora(&mut self, at: f64) {
        let (mood, activity) = (self.wandering.mood, self.activity);
        if let Some(weaving) = self.weaving.as_deref_mut() {
            let only = mood.or(weaving.of_activities[activity as usize]);
            let weights = only
                .map_or([1.0; MAX_CORPORA], |only| std::array::from_fn(|i| f64::from(u8::from(i == only))));
            weaving.weigh(at, weights);
        }
    }

    pub(super) fn begin_to_weave(&mut self, at: f64) {
        self.weigh_corpora(at);
        if let Some(weaving) = self.weaving.as_deref_mut() {
            weaving.begin(at);
            let next = weaving.next_step_secs();
            self.cues.set(Cue::Weave, next);
            self.cues.set(Cue::Wander, at);
        }
    }

    /// Whether eyes and lids are as the texture has them.
    pub(super) fn is_woven(&self) -> bool {
        let plays = self.weaving.as_deref().is_some_and(|weaving| weaving.began < f64::INFINITY);
        plays && self.is_live && !self.wandering.is_led && self.temperament.liveliness > 0.0
    }

    /// The texture's gaze steps, or more of it is needed.
    pub(super) fn go_on_weaving(&mut self, at: f64, carriage: &Carriage) {
        let Some(weaving) = self.weaving.as_deref_mut() else { return };
        let steps = weaving.takes_step();
        let next = weaving.next_step_secs();
        // A step that lands late, found late, is made at once.
        self.cues.set(Cue::Weave, next.max(at));
        if steps && self.is_woven() {
            self.look_as_woven(at, carriage);
        }
    }

    /// Goes to where the texture's gaze rests. Its evoked blinks are in its lids, and the head stays: what was
    /// recorded are eyes in a head.
    pub(super) fn look_as_woven(&mut self, at: f64, carriage: &Carriage) {
        let offset = self.weaving.as_deref().map_or(DVec2::ZERO, |weaving| weaving.anchor);
        let manner = Manner { head_movement_factor: 0.0, is_new: false };
        self.glance(at, offset, ON_IT_DEG, manner, carriage);
    }

    /// Eyes and lids go to the texture, or come from it.
    pub(super) fn hand_over_lids(&mut self, at: f64) {
        let is_woven = self.is_woven();
        if let Some(weaving) = self.weaving.as_deref_mut() {
            weaving.hand_over(at, is_woven);
        }
    }

    /// What the texture closes of the lids.
    pub(super) fn woven_closure(&self, t: f64) -> f64 {
        let left = self.woven_left.error(t)[0];
        self.weaving.as_deref().map_or(left, |weaving| weaving.closure(t) + left).clamp(0.0, 1.0)
    }
}
