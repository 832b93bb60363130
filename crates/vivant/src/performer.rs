//! A performer: one running character.
//!
//! The caller sends clips and intents to a performer, advances it to any time and gets the frame at that time. Every
//! change of behaviour is an event at an exact time, so the result does not depend on the frame rate.
//!
//! ```
//! use vivant::{body::library::Library, clip::Clip, performer::{Performer, Play}, pose::Pose};
//! use vivant::rig::{Bone, Rig, RigParts};
//! use glam::{Quat, Vec3};
//!
//! let rig = Rig::new(RigParts {
//!     rest_positions: vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)],
//!     ..RigParts::default()
//! });
//! let mut nod = Clip::new("nod", 30.0, 2, 1.0)?;
//! nod.set_rotation(0, Bone::Head, Quat::IDENTITY);
//! nod.set_rotation(1, Bone::Head, Quat::from_rotation_x(0.3));
//!
//! let base = Pose::neutral(&rig);
//! let mut performer = Performer::new(Library::new(rig, base, &[nod]), 7);
//! performer.play(Play { at: 1.0, ..Play::clip(0) });
//! let frame = performer.advance_to(2.5);
//! assert_eq!(frame.time(), 2.5);
//! # Ok::<(), vivant::Error>(())
//! ```

mod adopt;
mod conversing;
mod driving;
mod idle_motion;
mod mood;
mod planning;
mod scheduled;
mod speaking;
mod speech_accents;
mod tags;
mod voice;

pub use conversing::{Floor, converse};
pub use speaking::LineTimes;

use crate::agenda::Agenda;
use crate::body::choose::Choice;
use crate::body::layers::{Layer, LayerState, MIN_BLEND_SECS, Playback, Scratch};
use crate::body::library::{Library, Motion, padded};
use crate::body::mood::{Mood, MoodEffects, Moods};
use crate::body::plan::{Planner, Rules};
use crate::chance::Chance;
use crate::eyes::{EyeFrame, Eyes, Temperament, gaze::Ranges};
use crate::frame::Frame;
use crate::kernel;
use crate::math::fast_min;
use crate::rig::BoneSet;
use crate::speech::audio::LipSyncModel;
use conversing::Attention;
use driving::Driving;
use idle_motion::IdleMotion;
use scheduled::ScheduledPlanner;
use speech_accents::SpeechAccents;
use std::sync::Arc;
use tags::TagAction;
use voice::Voice;

/// A request to play a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// Start in seconds of the performance; a time in the past means now.
    pub at: f64,
    /// Index of the motion in the library.
    pub clip: usize,
    /// Layer that plays the clip.
    pub layer: Layer,
    /// Bones that the clip may move; `None` means the layer's [influence](Layer::influence).
    pub mask: Option<BoneSet>,
    /// Weight from 0 to 1.
    pub weight: f32,
    /// True if the clip restarts when it ends.
    pub looped: bool,
    /// Duration in seconds of the cross-fade from the previous motion of the layer.
    pub blend_in: f64,
    /// Duration in seconds of the fade to the base pose before the end of the clip.
    pub blend_out: f64,
    /// Start within the clip in seconds.
    pub from: f64,
    /// End within the clip in seconds; `None` means the end of the clip.
    pub to: Option<f64>,
}

impl Play {
    /// Creates a request to play a whole clip once, starting now, on the body layer, with fades of 0.4 s.
    #[must_use]
    pub fn clip(clip: usize) -> Self {
        Self {
            at: 0.0,
            clip,
            layer: Layer::Body,
            mask: None,
            weight: 1.0,
            looped: false,
            blend_in: 0.4,
            blend_out: 0.4,
            from: 0.0,
            to: None,
        }
    }
}

/// A scheduled request.
#[derive(Clone, Copy, Debug)]
enum EventKind {
    Play(Play),
    Stop {
        layer: Layer,
        blend: f64,
    },
    Improvise,
    /// Stops all lines up to this number.
    StopSpeech {
        up_to: u64,
    },
    SetMood(Mood),
    Do {
        action: TagAction,
        priority: i32,
        /// The number of the intent, if the planner handles it.
        id: Option<u64>,
    },
}

/// One running character.
#[derive(Clone, Debug)]
pub struct Performer {
    library: Arc<Library>,
    time: f64,
    layers: [LayerState; 3],
    /// Time at which each layer ends its current clip, in seconds.
    ends: [f64; 3],
    /// Duration of each layer's fade to rest at the end of its clip, in seconds.
    end_blends: [f64; 3],
    /// Requests that are still to come.
    events: Agenda<EventKind>,
    improvisation: Improvisation,
    chance: Chance,
    /// `None` until the eyes are requested, so that a performer that only plays clips does not compute them.
    face: Option<Box<Face>>,
    /// `None` for a library without a repertoire.
    planner: Option<ScheduledPlanner>,
    /// `None` until breathing is enabled.
    idle_motion: Option<IdleMotion>,
    /// `None` until a mood is set.
    moods: Option<Box<Moods>>,
    /// `None` until the first line is spoken.
    voice: Option<Box<Voice>>,
    /// The model for audio lip-sync, if one was set.
    lip_sync: Option<Arc<LipSyncModel>>,
    /// `None` until words are stressed.
    accents: Option<Box<SpeechAccents>>,
    /// `None` until another speaker is heard.
    attention: Option<Box<Attention>>,
    /// `None` until a tracker drives the performer.
    driving: Option<Box<Driving>>,
    seed: u64,
    /// Boxed because only events use it; this keeps the performers of a crowd small in memory.
    scratch: Box<Scratch>,
    frame: Frame,
}

/// A part of a performer that acts by events. At one instant parts act in this order: ends of clips, requests, events
/// of speech lines, the planner, breathing and weight shifts, trackers, and the eyes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Clips,
    Events,
    Voice,
    Plan,
    IdleMotion,
    Driving,
    Eyes,
}

impl Part {
    const ALL: [Self; 7] =
        [Self::Clips, Self::Events, Self::Voice, Self::Plan, Self::IdleMotion, Self::Driving, Self::Eyes];
}

/// The eyes, and the last frame they showed.
#[derive(Clone, Debug)]
struct Face {
    eyes: Eyes,
    shown: EyeFrame,
}

/// State of improvisation: playing random clips.
#[derive(Clone, Debug)]
struct Improvisation {
    is_on: bool,
    choice: Choice,
    turn: u64,
}

impl Performer {
    /// Creates a performer in the library's base pose. Before the first frame, requests may have any time, even a
    /// negative one. The same seed gives the same performance.
    #[must_use]
    pub fn new(library: impl Into<Arc<Library>>, seed: u64) -> Self {
        let library = library.into();
        let channels = padded(library.rig().channels().len());
        let mut performer = Self {
            time: f64::NEG_INFINITY,
            layers: std::array::from_fn(|_| LayerState::new(channels)),
            ends: [f64::INFINITY; 3],
            end_blends: [0.0; 3],
            events: Agenda::with_capacity(64),
            improvisation: Improvisation {
                is_on: false,
                choice: Choice::new(library.motions().len()),
                turn: 0,
            },
            chance: Chance::new(seed, "improvise"),
            face: None,
            planner: library
                .graph()
                .map(|graph| ScheduledPlanner::new(Planner::new(graph, seed, Rules::default()))),
            idle_motion: None,
            moods: None,
            voice: None,
            lip_sync: None,
            accents: None,
            attention: None,
            driving: None,
            seed,
            scratch: Box::new(Scratch::new(channels)),
            frame: Frame::new(library.base(), library.rig().channels().len()),
            library,
        };
        performer.init_stances();
        performer
    }

    /// The avatar and its motions.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Plays a clip. A request with an unknown clip or a non-finite number is ignored.
    pub fn play(&mut self, play: Play) {
        let numbers =
            [f64::from(play.weight), play.blend_in, play.blend_out, play.from, play.to.unwrap_or(0.0)];
        if numbers.iter().all(|number| number.is_finite()) {
            self.schedule(play.at, EventKind::Play(play));
        }
    }

    /// Stops a layer at `at`, with a fade of `blend` seconds. A call with a non-finite number is ignored.
    pub fn stop(&mut self, at: f64, layer: Layer, blend: f64) {
        if blend.is_finite() {
            self.schedule(at, EventKind::Stop { layer, blend });
        }
    }

    /// Plays one clip after another on the body layer from `at` on, with all bones. The choice of clips depends on
    /// the seed; no clip is played twice in a row if there is another one (see [`Choice`]).
    pub fn improvise(&mut self, at: f64) {
        self.schedule(at, EventKind::Improvise);
    }

    /// Returns the eyes, lids and head, to set gaze targets, blinks or the temperament, or to enable [idle
    /// behaviour](Eyes::start_idle_behaviour). The first call enables the eyes. They look straight ahead until a target
    /// is set or idle behaviour starts.
    pub fn eyes(&mut self) -> &mut Eyes {
        let effects = self.mood().effects();
        let (library, seed, time, driving) = (&self.library, self.seed, self.time, &self.driving);
        let face = self.face.get_or_insert_with(|| {
            let mut eyes = Eyes::new(Ranges::of(library.rig()), Temperament::default(), seed);
            eyes.set_time(time);
            if effects != MoodEffects::NONE {
                eyes.set_mood_factors(time.max(0.0), effects.blinks, effects.aperture);
            }
            if let Some(driving) = driving {
                driving.restrict_eyes(time, &mut eyes);
            }
            let base = library.base();
            let shown = eyes.frame_at(0.0, &library.parts().eyes.head_pose(&base.rotations, base.root));
            Box::new(Face { eyes, shown })
        });
        &mut face.eyes
    }

    /// State of eyes, lids and head in the last frame; `None` if [`eyes`](Self::eyes) was never called.
    #[must_use]
    pub fn gaze(&self) -> Option<&EyeFrame> {
        self.face.as_ref().map(|face| &face.shown)
    }

    /// Returns true if the gaze is on the attended target (see [`Eyes::is_attending`]); `None` if
    /// [`eyes`](Self::eyes) was never called.
    #[must_use]
    pub fn is_attending(&self) -> Option<bool> {
        self.face.as_ref().map(|face| face.eyes.is_attending())
    }

    /// Returns the index of the motion that a layer plays, and its start time.
    #[must_use]
    pub fn playing(&self, layer: Layer) -> Option<(usize, f64)> {
        let playback = &self.layers[layer as usize].playback;
        playback.motion.map(|motion| (motion, playback.began))
    }

    /// The last frame.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Processes all events up to `t` (seconds) and returns the frame at `t`. Does not allocate. Time never runs
    /// backwards: an earlier `t` returns the current frame.
    pub fn advance_to(&mut self, t: f64) -> &Frame {
        if t.is_finite() && t >= self.time {
            while let Some((at, part)) = self.next_event().filter(|(at, _)| *at <= t) {
                self.time = at;
                self.handle(part, at);
            }
            self.time = t;
            self.compose(t);
            self.show_mouth(t);
            self.show_driven(t);
            self.show_face(t);
        }
        &self.frame
    }

    /// Prefetches the data that [`Performer::advance_to`] reads at `t` into the caches. The performer itself must
    /// already be in the caches.
    pub(crate) fn prefetch(&self, t: f64) {
        for layer in &self.layers {
            layer.prefetch(&self.library, t);
        }
        if let Some(face) = &self.face {
            kernel::prefetch(&**face);
        }
    }

    /// Schedules an event; an event in the past happens now.
    fn schedule(&mut self, at: f64, event: EventKind) {
        if at.is_finite() {
            self.events.insert(at.max(self.time), event);
        }
    }

    /// Returns the part that acts next, and its time. At equal times, the first in the order of [`Part::ALL`] acts
    /// first.
    fn next_event(&mut self) -> Option<(f64, Part)> {
        let mut next = (f64::INFINITY, None);
        for part in Part::ALL {
            let at = self.next_event_of(part);
            if at < next.0 {
                next = (at, Some(part));
            }
        }
        Some((next.0, next.1?))
    }

    /// Time in seconds at which a part acts next; infinite if never.
    fn next_event_of(&mut self, part: Part) -> f64 {
        let next = match part {
            Part::Clips => return self.ends.into_iter().fold(f64::INFINITY, fast_min),
            Part::Events => return self.events.next_at(),
            Part::Voice => self.voice.as_ref().map(|voice| voice.next_event()),
            Part::Plan => self.planner.as_mut().map(ScheduledPlanner::next_event),
            Part::IdleMotion => self.idle_motion.as_ref().map(IdleMotion::next_event),
            Part::Driving => self.driving.as_ref().map(|driving| driving.next_event()),
            Part::Eyes => self.face.as_ref().map(|face| face.eyes.next_event()),
        };
        next.unwrap_or(f64::INFINITY)
    }

    /// Processes the next event of a part.
    fn handle(&mut self, part: Part, at: f64) {
        match part {
            Part::Clips => self.end_clip(at),
            Part::Events => self.handle_event(at),
            Part::Voice => self.handle_voice(at),
            Part::Plan => self.handle_plan(at),
            Part::IdleMotion => self.handle_idle_motion(at),
            Part::Driving => self.handle_driving(at),
            Part::Eyes => self.handle_eyes(at),
        }
    }

    fn handle_event(&mut self, at: f64) {
        match self.events.pop_due(at) {
            Some((_, EventKind::Play(play))) => self.start_clip(play, at),
            Some((_, EventKind::Stop { layer, blend })) => self.rest_layer(layer, at, blend),
            Some((_, EventKind::Improvise)) => self.start_improvising(at),
            Some((_, EventKind::StopSpeech { up_to })) => self.stop_lines(up_to, at),
            Some((_, EventKind::SetMood(mood))) => self.apply_mood(at, mood),
            Some((_, EventKind::Do { action, priority, id })) => {
                self.perform_tag_action(action, priority, at, id);
            }
            None => {}
        }
    }

    /// Processes an eye event. Composes the body first, because the eyes depend on its pose.
    fn handle_eyes(&mut self, at: f64) {
        self.compose(at);
        self.show_driven(at);
        let rig = &self.library.parts().eyes;
        if let Some(Face { eyes, .. }) = self.face.as_deref_mut() {
            rig.turn_torso(eyes.torso_turn(at), &mut self.frame.rotations);
            eyes.process_event(at, &rig.head_pose(&self.frame.rotations, self.frame.root));
        }
    }

    /// Adds eyes, lids and head to the pose of the layers.
    fn show_face(&mut self, t: f64) {
        let rig = &self.library.parts().eyes;
        if let Some(Face { eyes, shown }) = self.face.as_deref_mut() {
            eyes.set_time(t);
            let Frame { rotations, root, weights, .. } = &mut self.frame;
            rig.turn_torso(eyes.torso_turn(t), rotations);
            *shown = eyes.frame_at(t, &rig.head_pose(rotations, *root));
            match self.driving.as_ref().map_or(0.0, |driving| driving.lid_share(t)) {
                0.0 => rig.apply(shown, rotations, weights),
                share => rig.apply_with_lid_share(shown, share, rotations, weights),
            }
        }
    }

    /// Ends the first clip that is due.
    fn end_clip(&mut self, at: f64) {
        let ended = Layer::ALL.into_iter().find(|layer| self.ends[*layer as usize] <= at);
        let Some(layer) = ended else { return };
        let blend = self.end_blends[layer as usize];
        if layer == Layer::Body && self.improvisation.is_on {
            self.improvise_next(at);
        } else {
            self.rest_layer(layer, at, blend);
        }
    }

    fn rest_layer(&mut self, layer: Layer, at: f64, blend: f64) {
        if layer == Layer::Body {
            self.improvisation.is_on = false;
        }
        self.ends[layer as usize] = f64::INFINITY;
        self.set_sway(layer, at, 1.0);
        let state = &mut self.layers[layer as usize];
        state.change(&self.library, Playback::rest(at), blend, &mut self.scratch);
    }

    fn start_clip(&mut self, play: Play, at: f64) {
        let Some(length) = self.library.motions().get(play.clip).map(Motion::duration) else { return };
        self.set_sway(play.layer, at, 0.0);
        let index = play.layer as usize;
        let from = play.from.clamp(0.0, length);
        let to = play.to.unwrap_or(length).clamp(from, length);
        let mask = play.mask.unwrap_or(play.layer.influence());
        let weight = play.weight.clamp(0.0, 1.0);
        let playback = Playback::new(play.clip, at, (from, to), play.looped, weight, mask);
        let blend_out = play.blend_out.clamp(MIN_BLEND_SECS, f64::MAX).min(to - from);
        self.end_blends[index] = blend_out;
        self.ends[index] = if playback.looped { f64::INFINITY } else { at + (to - from) - blend_out };
        // A clip of one frame is a pose: it is held for the duration of its fade-in.
        if to <= from && !play.looped {
            self.ends[index] = at + play.blend_in.max(MIN_BLEND_SECS);
        }
        self.layers[index].change(&self.library, playback, play.blend_in, &mut self.scratch);
    }

    fn start_improvising(&mut self, at: f64) {
        self.improvisation.is_on = true;
        self.improvise_next(at);
    }

    fn improvise_next(&mut self, at: f64) {
        let last = self.layers[Layer::Body as usize].playback.motion;
        let improvisation = &mut self.improvisation;
        let picked = improvisation.choice.pick_other_than(last, self.chance.event(improvisation.turn));
        improvisation.turn += 1;
        match picked {
            Some(clip) => self.start_clip(Play { mask: Some(BoneSet::ALL), ..Play::clip(clip) }, at),
            None => self.rest_layer(Layer::Body, at, MIN_BLEND_SECS),
        }
    }

    fn compose(&mut self, t: f64) {
        let (library, frame) = (&*self.library, &mut self.frame);
        frame.time = t;
        frame.root = library.base().root;
        frame.weights.fill(0.0);
        let (root, weights) = (&mut frame.root, &mut frame.weights);
        let [body, arms, head] = &self.layers;
        let terms = [
            body.term(library, t, root, weights),
            arms.term(library, t, root, weights),
            head.term(library, t, root, weights),
        ];
        kernel::compose(&library.base().rotations, &terms, &mut frame.rotations, weights);
        for weight in weights {
            *weight = weight.clamp(0.0, 1.0);
        }
        if let Some(moods) = &self.moods {
            moods.add(t, &mut frame.rotations, &mut frame.weights);
        }
        if let Some(idle_motion) = &self.idle_motion {
            idle_motion.add(t, library.parts(), &mut frame.rotations, &mut frame.root);
        }
        if let Some(speech_accents) = &self.accents {
            speech_accents.accents.add(t, &mut frame.rotations, &mut frame.weights);
        }
    }
}
