//! Playback of an eye texture: idle eyes move like those of a recorded person (paper 5).
//!
//! A texture provides gaze and lids frame by frame. The lids are used directly. The gaze is analysed first: when the
//! recorded gaze makes a step, the eyes make a saccade to the end position of the step, relative to the attended
//! target. So the eyes do not jump between frames, even if the recording has a low frame rate. A look takes control
//! of eyes and lids. The texture continues in the background and controls them again after the look.

use super::shift::ShiftStyle;
use super::{Cue, EventKind, Eyes};
use crate::error::{Error, Result};
use crate::eyes::blinking::Activity;
use crate::eyes::decay::Decay;
use crate::eyes::head_pose::HeadPose;
use crate::eyes::profile::Profile;
use crate::eyes::texture::{GazeRegion, MAX_CORPORA, PatchConstraints, Sample, Synthesis, Texture};
use glam::DVec2;
use std::sync::Arc;

/// Distance of a texture's gaze from its resting position above which a step starts, in degrees (our design: well above
/// the noise of head-worn trackers and below most saccades).
const STEP_DEG: f64 = 1.0;
/// Velocity below which a step ends, in degrees per second (the usual threshold between fixation and saccade; Olsen
/// 2012, “The Tobii I-VT fixation filter”).
const LANDED_DEG_PER_S: f64 = 30.0;
/// Maximum duration of a step in seconds. No saccade takes longer; longer movements are divided into several steps.
const LONGEST_STEP_SECS: f64 = 0.12;
/// Duration in seconds of handing the lids over to the texture or back.
const HANDOVER_SECS: f64 = 0.3;
/// Distance from the attended target, in degrees, below which the eyes look exactly at the target and follow it (our
/// design).
const ON_TARGET_DEG: f64 = 1.5;
/// Closure above which an eye counts as blinking.
pub(super) const BLINK_CLOSURE: f64 = 0.5;

/// Seconds that a change of mood takes (our design).
const BLEND_SECS: f64 = 2.0;

/// One frame of a texture, converted for the performer.
#[derive(Clone, Copy, Debug, Default)]
struct PlaybackFrame {
    /// Gaze offset from the attended target.
    gaze: DVec2,
    /// Closure of the lids in addition to lid following.
    closure: f64,
}

/// Reference values of a corpus: mutual gaze with open eyes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CorpusBaseline {
    /// The person's median gaze.
    pub(super) gaze: DVec2,
    /// Openness of the eyes straight ahead, and the increase of openness per degree of upward gaze.
    open: [f64; 2],
}

type Weights = [f64; MAX_CORPORA];

/// A texture that is being played.
#[derive(Clone, Debug)]
pub(super) struct TexturePlayback {
    synthesis: Synthesis,
    baseline: [CorpusBaseline; MAX_CORPORA],
    /// The corpora named after activities.
    of_activities: [Option<usize>; Activity::ALL.len()],
    within: Option<(GazeRegion, f64)>,
    /// Weights of the corpora before and after the last change.
    weights: [Weights; 2],
    /// Time of the last change of the weights, in seconds.
    weighted: f64,
    /// Time of frame 0 in seconds; infinite until idle behaviour starts.
    began: f64,
    /// Number of the first frame in the buffer.
    first: u64,
    /// Buffer of current and upcoming frames.
    frames: Vec<PlaybackFrame>,
    /// Resting position of the eyes.
    anchor: DVec2,
    /// Number of the next frame that is not analysed yet.
    next: u64,
    /// True if the texture controls the lids.
    has_lids: bool,
    /// Remaining error of the texture's share of lid control, after control was handed over.
    share_error: Decay<1>,
}

impl TexturePlayback {
    fn new(texture: Arc<Texture>, seed: u64) -> Self {
        let mut baseline = [CorpusBaseline::default(); MAX_CORPORA];
        for (corpus, baseline) in baseline.iter_mut().enumerate().take(texture.corpora().len()) {
            *baseline = CorpusBaseline::of(&texture, corpus);
        }
        let named = |activity: Activity| texture.corpora().position(|name| name == activity.to_string());
        let of_activities = Activity::ALL.map(named);
        let hop = texture.step_frames();
        let patches = 1 + (frames_ahead(texture.rate_hz()) + 1).div_ceil(hop as u64) as usize;
        Self {
            synthesis: Synthesis::new(texture, seed),
            baseline,
            of_activities,
            within: None,
            weights: [[1.0; MAX_CORPORA]; 2],
            weighted: f64::NEG_INFINITY,
            began: f64::INFINITY,
            first: 0,
            frames: vec![PlaybackFrame::default(); patches * hop],
            anchor: DVec2::ZERO,
            next: 0,
            has_lids: false,
            share_error: Decay::NONE,
        }
    }

    fn rate_hz(&self) -> f64 {
        self.synthesis.texture().rate_hz()
    }

    /// Returns the number of new frames per patch.
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
        let constraints = self.constraints(self.secs_of(self.first + place as u64));
        let frames = self.synthesis.next_patch(&constraints).len();
        let baseline = self.baseline[self.synthesis.last().map_or(0, |choice| choice.corpus)];
        let held = &mut self.frames[place..place + frames];
        for (frame, sample) in held.iter_mut().zip(self.synthesis.frames()) {
            *frame = baseline.convert(sample);
        }
    }

    fn constraints(&self, at: f64) -> PatchConstraints {
        let u = ((at - self.weighted) / BLEND_SECS).clamp(0.0, 1.0);
        let [from, to] = self.weights;
        let gaze = self.within.filter(|(_, until)| at < *until).map(|(within, _)| within);
        PatchConstraints {
            gaze,
            weights: std::array::from_fn(|i| from[i] + u * (to[i] - from[i])),
            ..PatchConstraints::default()
        }
    }

    fn set_weights(&mut self, at: f64, weights: Weights) {
        if self.began == f64::INFINITY {
            self.weights = [weights; 2];
        } else if weights != self.weights[1] {
            (self.weights, self.weighted) = ([self.constraints(at).weights, weights], at);
        }
    }

    /// Returns the corpus with this name.
    fn corpus(&self, name: &str) -> Option<usize> {
        self.synthesis.texture().corpora().position(|corpus| corpus == name)
    }

    /// Generates the next patch, which replaces the oldest patch.
    fn next_patch(&mut self) {
        let hop = self.hop();
        self.frames.copy_within(hop.., 0);
        self.first += hop as u64;
        self.take_patch(self.frames.len() - hop);
    }

    fn secs_of(&self, frame: u64) -> f64 {
        self.began + frame as f64 / self.rate_hz()
    }

    fn frame(&self, number: u64) -> PlaybackFrame {
        let index = number.saturating_sub(self.first) as usize;
        self.frames[index.min(self.frames.len() - 1)]
    }

    /// Returns the first frame at which the end of a step may not be known yet.
    fn horizon(&self) -> u64 {
        self.first + self.frames.len() as u64 - frames_ahead(self.rate_hz())
    }

    /// Advances to the next step of the gaze, or to the end of the known frames. Returns the time of this step or end.
    fn next_step_secs(&mut self) -> f64 {
        while self.next < self.horizon() && self.frame(self.next).gaze.distance(self.anchor) <= STEP_DEG {
            self.next += 1;
        }
        self.secs_of(self.next)
    }

    /// Returns true if the gaze makes a step at the current frame, and sets the resting position to the end of the
    /// step. If more frames are needed, generates the next patch and returns false.
    fn take_step(&mut self) -> bool {
        if self.next >= self.horizon() {
            self.next_patch();
            return false;
        }
        let longest = step_frames(self.rate_hz());
        let is_fast = |frame: u64| {
            let [a, b] = [self.frame(frame), self.frame(frame + 1)].map(|frame| frame.gaze);
            a.distance(b) * self.rate_hz() > LANDED_DEG_PER_S
        };
        let landing = (self.next..self.next + longest).find(|frame| !is_fast(*frame));
        let landing = landing.unwrap_or(self.next + longest);
        self.anchor = self.frame(landing).gaze;
        self.next = landing + 1;
        true
    }

    /// Returns the closure of the lids, interpolated smoothly between frames.
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

    /// Returns the fraction (0–1) of control that the texture has over the lids.
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
        self.share_error = Decay::with_profile(at, [error], &handover(), velocity);
    }
}

impl CorpusBaseline {
    /// Returns the median gaze, which large glances do not affect, and the openness.
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

    /// Converts a sample. The performer does the lid following; only the additional closure is taken from the
    /// recording.
    fn convert(&self, sample: &Sample) -> PlaybackFrame {
        let [yaw, pitch] = [sample.yaw_deg, sample.pitch_deg].map(f64::from);
        let open = (self.open[0] + self.open[1] * pitch).max(MIN_OPENNESS);
        let closure = (1.0 - f64::from(sample.openness) / open).clamp(0.0, 1.0);
        PlaybackFrame { gaze: DVec2::new(yaw, pitch) - self.gaze, closure }
    }
}

/// Smallest openness of eyes that look far down (our design).
const MIN_OPENNESS: f64 = 0.3;

/// Returns the number of frames of the longest step.
fn step_frames(rate_hz: f64) -> u64 {
    (LONGEST_STEP_SECS * rate_hz).ceil() as u64
}

/// Returns the number of frames that must be known ahead: the frames of a step, and the frames that the spline needs.
fn frames_ahead(rate_hz: f64) -> u64 {
    step_frames(rate_hz) + 3
}

/// Profile with which the lids are handed over: smooth at both ends.
fn handover() -> Profile {
    Profile::new(1.0, HANDOVER_SECS, 1.875 / HANDOVER_SECS, 0.5)
}

/// Evaluates the spline through four frames, between the middle two.
fn catmull_rom([a, b, c, d]: [f64; 4], u: f64) -> f64 {
    let (out, back) = (0.5 * (c - a), 0.5 * (d - b));
    let (bend, turn) = (3.0 * (c - b) - 2.0 * out - back, 2.0 * (b - c) + out + back);
    b + u * (out + u * (bend + u * turn))
}

impl Eyes {
    /// Sets the texture for idle eyes; with `None`, idle eyes are controlled by the idle-gaze and blink models again.
    ///
    /// Takes effect immediately. Allocates.
    pub fn set_texture(&mut self, texture: Option<Arc<Texture>>) {
        // The remaining closure of the last texture decays like in a handover.
        let left = self.texture_closure(self.time);
        self.removed_closure = Decay::with_profile(self.time, [left], &handover(), [0.0]);
        self.playback = texture.map(|texture| Box::new(TexturePlayback::new(texture, self.seed)));
        self.cues.clear(Cue::Texture);
        if self.has_idle_behaviour {
            self.start_texture(self.time);
        }
    }

    /// Sets the mood from `at` on, by the name of a corpus of the texture. With `None`, the activity selects the
    /// corpus.
    ///
    /// # Errors
    /// Returns an error if there is no texture or no such corpus.
    pub fn set_mood(&mut self, at: f64, mood: Option<&str>) -> Result<()> {
        let corpus = mood.map(|name| self.find_mood(name)).transpose()?;
        self.schedule(at, EventKind::SetMood(corpus));
        Ok(())
    }

    /// Returns the names of the corpora of the texture, which [`set_mood`](Eyes::set_mood) accepts; empty without a
    /// texture.
    pub fn corpora(&self) -> impl Iterator<Item = &str> {
        self.playback.as_deref().into_iter().flat_map(|playback| playback.synthesis.texture().corpora())
    }

    fn find_mood(&self, name: &str) -> Result<usize> {
        let Some(playback) = self.playback.as_deref() else {
            return Err(Error::new(format!(
                "unknown mood “{name}”; the eyes have no texture: set one with this mood"
            )));
        };
        playback.corpus(name).ok_or_else(|| {
            let known: Vec<&str> = playback.synthesis.texture().corpora().collect();
            Error::new(format!("unknown mood “{name}”; use one of {}", known.join(", ")))
        })
    }

    /// Keeps the gaze of idle eyes within a region for `secs` seconds after `at`, for example “look ahead for 15 s”
    /// or “do not look left”. Takes effect with the next patch of the texture; has no effect without a texture.
    pub fn keep_within(&mut self, at: f64, within: GazeRegion, secs: f64) {
        self.schedule(at, EventKind::KeepWithin { within, until: at + secs });
    }

    pub(super) fn keep(&mut self, within: GazeRegion, until: f64) {
        if let Some(playback) = self.playback.as_deref_mut() {
            playback.within = Some((within, until));
        }
    }

    /// Sets the weights of the corpora: only the corpus of the mood, otherwise the corpus of the activity, otherwise
    /// all corpora.
    pub(super) fn update_corpus_weights(&mut self, at: f64) {
        let (mood, activity) = (self.idle_gaze.mood, self.activity);
        if let Some(playback) = self.playback.as_deref_mut() {
            let only = mood.or(playback.of_activities[activity as usize]);
            let weights = only
                .map_or([1.0; MAX_CORPORA], |only| std::array::from_fn(|i| f64::from(u8::from(i == only))));
            playback.set_weights(at, weights);
        }
    }

    pub(super) fn start_texture(&mut self, at: f64) {
        self.update_corpus_weights(at);
        if let Some(playback) = self.playback.as_deref_mut() {
            playback.begin(at);
            let next = playback.next_step_secs();
            self.cues.set(Cue::Texture, next);
            self.cues.set(Cue::Wander, at);
        }
    }

    /// Returns true if the texture controls eyes and lids.
    pub(super) fn is_texture_active(&self) -> bool {
        let plays = self.playback.as_deref().is_some_and(|playback| playback.began < f64::INFINITY);
        plays && self.has_idle_behaviour && !self.idle_gaze.is_controlled && self.temperament.liveliness > 0.0
    }

    /// Processes a step of the texture's gaze, or generates the next patch.
    pub(super) fn advance_texture(&mut self, at: f64, pose: &HeadPose) {
        let Some(playback) = self.playback.as_deref_mut() else { return };
        let steps = playback.take_step();
        let next = playback.next_step_secs();
        // A step that is detected late happens at once.
        self.cues.set(Cue::Texture, next.max(at));
        if steps && self.is_texture_active() {
            self.shift_to_texture_gaze(at, pose);
        }
    }

    /// Shifts the gaze to the resting position of the texture's gaze. There are no evoked blinks, because the lids of
    /// the texture already contain them. The head does not move, because the recording contains the eyes relative to
    /// the head.
    pub(super) fn shift_to_texture_gaze(&mut self, at: f64, pose: &HeadPose) {
        let offset = self.playback.as_deref().map_or(DVec2::ZERO, |playback| playback.anchor);
        let style = ShiftStyle { head_movement_factor: 0.0, is_new: false };
        self.glance(at, offset, ON_TARGET_DEG, style, pose);
    }

    /// Hands the lids over to the texture, or back from it.
    pub(super) fn hand_over_lids(&mut self, at: f64) {
        let is_texture_active = self.is_texture_active();
        if let Some(playback) = self.playback.as_deref_mut() {
            playback.hand_over(at, is_texture_active);
        }
    }

    /// Returns the closure of the lids by the texture.
    pub(super) fn texture_closure(&self, t: f64) -> f64 {
        let left = self.removed_closure.error(t)[0];
        self.playback.as_deref().map_or(left, |playback| playback.closure(t) + left).clamp(0.0, 1.0)
    }
}
