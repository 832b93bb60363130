//! One live character.
//!
//! A performer is told what to play and when, and is then advanced to any time; it gives the frame at
//! that time. Everything that changes what it does is an event at an exact time, so it does not
//! matter how often, or when, it is asked.
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

mod accenting;
mod adopt;
mod conversing;
mod driving;
mod life;
mod mood;
mod planning;
mod scheduled;
mod speaking;
mod tags;
mod voice;

pub use conversing::{Floor, converse};
pub use speaking::Spoken;

use crate::agenda::Agenda;
use crate::body::choose::Choice;
use crate::body::layers::{Layer, LayerState, MIN_BLEND_SECS, Playback, Scratch};
use crate::body::library::{Library, Motion, padded};
use crate::body::mood::{Mood, Moods, Tint};
use crate::body::plan::{Planner, Rules};
use crate::chance::Chance;
use crate::eyes::{EyeFrame, Eyes, Temperament, gaze::Ranges};
use crate::frame::Frame;
use crate::kernel;
use crate::math::least;
use crate::rig::BoneSet;
use crate::speech::audio::LipSyncModel;
use accenting::Accenting;
use conversing::Attention;
use driving::Driving;
use life::Life;
use scheduled::Scheduled;
use std::sync::Arc;
use tags::TagAction;
use voice::Voice;

/// A wish to play a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// When, in seconds of the performance; a time that has passed means now.
    pub at: f64,
    /// Which motion of the library.
    pub clip: usize,
    /// On which layer.
    pub layer: Layer,
    /// The bones that it may move; `None` means the layer's [influence](Layer::influence).
    pub mask: Option<BoneSet>,
    /// How much of it, from 0 to 1.
    pub weight: f32,
    /// Whether it begins anew when it ends.
    pub looped: bool,
    /// How long the layer takes to give up what it did before, in seconds.
    pub blend_in: f64,
    /// How long before its end the clip is given up for the base pose, in seconds.
    pub blend_out: f64,
    /// Where in the clip to begin, in seconds.
    pub from: f64,
    /// Where in the clip to end, in seconds; `None` means its end.
    pub to: Option<f64>,
}

impl Play {
    /// A clip on the body layer, whole, once, now, with fades of 0.4 s.
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

/// What a performer was asked to do at a time.
#[derive(Clone, Copy, Debug)]
enum EventKind {
    Play(Play),
    Stop {
        layer: Layer,
        blend: f64,
    },
    Improvise,
    /// Break off what was told by then.
    Hush {
        upto: u64,
    },
    Feel(Mood),
    Do {
        deed: TagAction,
        priority: i32,
        /// The number of the intent, if it is for the planner.
        id: Option<u64>,
    },
}

/// One live character.
#[derive(Clone, Debug)]
pub struct Performer {
    library: Arc<Library>,
    time: f64,
    layers: [LayerState; 3],
    /// When each layer ends what it plays.
    ends: [f64; 3],
    /// How long it then takes to come to rest.
    endings: [f64; 3],
    /// What it was asked for and is still to come.
    events: Agenda<EventKind>,
    improvisation: Improvisation,
    chance: Chance,
    /// `None` until someone asks for them: a performer that only plays clips pays nothing.
    face: Option<Box<Face>>,
    /// `None` for a library without a repertoire.
    planner: Option<Scheduled>,
    /// `None` until it is to breathe.
    life: Option<Life>,
    /// `None` until it feels something.
    moods: Option<Box<Moods>>,
    /// `None` until it says something.
    voice: Option<Box<Voice>>,
    /// The model of audio lip-sync, if one was given.
    lip_sync: Option<Arc<LipSyncModel>>,
    /// `None` until words are stressed.
    accents: Option<Box<Accenting>>,
    /// `None` until it hears somebody.
    attention: Option<Box<Attention>>,
    /// `None` until somebody drives it.
    driving: Option<Box<Driving>>,
    seed: u64,
    /// Boxed, because only events look at it: performers of a crowd lie closer together without.
    scratch: Box<Scratch>,
    frame: Frame,
}

/// A part of a performer that acts by events, in the order in which parts act at one instant: clips end first, then
/// comes what was asked for, what goes with a line, what is planned, breath and weight, trackers, and the eyes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Clips,
    Events,
    Voice,
    Plan,
    Life,
    Driving,
    Eyes,
}

impl Part {
    const ALL: [Self; 7] =
        [Self::Clips, Self::Events, Self::Voice, Self::Plan, Self::Life, Self::Driving, Self::Eyes];
}

/// The eyes, and what they showed last.
#[derive(Clone, Debug)]
struct Face {
    eyes: Eyes,
    shown: EyeFrame,
}

/// Playing on by oneself.
#[derive(Clone, Debug)]
struct Improvisation {
    is_on: bool,
    choice: Choice,
    turn: u64,
}

impl Performer {
    /// A performer in the library's base pose, whose time has not begun: what it is told before it is
    /// first advanced may lie at any time. The same seed gives the same performance.
    #[must_use]
    pub fn new(library: impl Into<Arc<Library>>, seed: u64) -> Self {
        let library = library.into();
        let channels = padded(library.rig().channels().len());
        let mut performer = Self {
            time: f64::NEG_INFINITY,
            layers: std::array::from_fn(|_| LayerState::new(channels)),
            ends: [f64::INFINITY; 3],
            endings: [0.0; 3],
            events: Agenda::with_capacity(64),
            improvisation: Improvisation {
                is_on: false,
                choice: Choice::new(library.motions().len()),
                turn: 0,
            },
            chance: Chance::new(seed, "improvise"),
            face: None,
            planner: library.graph().map(|graph| Scheduled::new(Planner::new(graph, seed, Rules::default()))),
            life: None,
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
        performer.take_first_stances();
        performer
    }

    /// The avatar and its motions.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Plays a clip. A clip that the library does not have, and numbers that are none, are ignored.
    pub fn play(&mut self, play: Play) {
        let numbers =
            [f64::from(play.weight), play.blend_in, play.blend_out, play.from, play.to.unwrap_or(0.0)];
        if numbers.iter().all(|number| number.is_finite()) {
            self.schedule(play.at, EventKind::Play(play));
        }
    }

    /// Ends what a layer plays at a time, fading for `blend` seconds. Numbers that are none are ignored.
    pub fn stop(&mut self, at: f64, layer: Layer, blend: f64) {
        if blend.is_finite() {
            self.schedule(at, EventKind::Stop { layer, blend });
        }
    }

    /// From a time on, plays one clip after another on the body layer, all bones, chosen by the seed
    /// and without repeating itself (see [`Choice`]).
    pub fn improvise(&mut self, at: f64) {
        self.schedule(at, EventKind::Improvise);
    }

    /// The eyes, lids and head: tell them where to look, when to blink, what temperament to have, or just
    /// to [live](Eyes::live). From the first call on they are shown; they look ahead until told otherwise.
    pub fn eyes(&mut self) -> &mut Eyes {
        let tint = self.mood().tint();
        let (library, seed, time, driving) = (&self.library, self.seed, self.time, &self.driving);
        let face = self.face.get_or_insert_with(|| {
            let mut eyes = Eyes::new(Ranges::of(library.rig()), Temperament::default(), seed);
            eyes.pass(time);
            if tint != Tint::NONE {
                eyes.tint(time.max(0.0), tint.blinks, tint.aperture);
            }
            if let Some(driving) = driving {
                driving.hold(time, &mut eyes);
            }
            let base = library.base();
            let shown = eyes.show(0.0, &library.parts().eyes.carriage(&base.rotations, base.root));
            Box::new(Face { eyes, shown })
        });
        &mut face.eyes
    }

    /// What eyes, lids and head do in the frame that was made last; `None` if they were never asked for.
    #[must_use]
    pub fn gaze(&self) -> Option<&EyeFrame> {
        self.face.as_ref().map(|face| &face.shown)
    }

    /// Whether the eyes are on whom they attend to: see [`Eyes::attends`]; `None` if they were never asked for.
    #[must_use]
    pub fn attends(&self) -> Option<bool> {
        self.face.as_ref().map(|face| face.eyes.attends())
    }

    /// What a layer plays now: the motion's index, and since when.
    #[must_use]
    pub fn playing(&self, layer: Layer) -> Option<(usize, f64)> {
        let playback = &self.layers[layer as usize].playback;
        playback.motion.map(|motion| (motion, playback.began))
    }

    /// The frame that was made last.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Lets all happen that is due until `t`, in seconds, and gives the frame at `t`. Does not
    /// allocate. Time does not run backwards: an earlier `t` gives the present frame.
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

    /// Does something at a time, or now if that has passed.
    fn schedule(&mut self, at: f64, event: EventKind) {
        if at.is_finite() {
            self.events.insert(at.max(self.time), event);
        }
    }

    /// The part that acts next, and when. Of parts that act at the same instant, the first in their order.
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

    /// When a part acts next, in seconds; infinite if never.
    fn next_event_of(&mut self, part: Part) -> f64 {
        let next = match part {
            Part::Clips => return self.ends.into_iter().fold(f64::INFINITY, least),
            Part::Events => return self.events.next_at(),
            Part::Voice => self.voice.as_ref().map(|voice| voice.next_event()),
            Part::Plan => self.planner.as_mut().map(Scheduled::next_event),
            Part::Life => self.life.as_ref().map(Life::next_event),
            Part::Driving => self.driving.as_ref().map(|driving| driving.next_event()),
            Part::Eyes => self.face.as_ref().map(|face| face.eyes.next_event()),
        };
        next.unwrap_or(f64::INFINITY)
    }

    /// Lets a part act at its time.
    fn handle(&mut self, part: Part, at: f64) {
        match part {
            Part::Clips => self.end_clip(at),
            Part::Events => self.handle_event(at),
            Part::Voice => self.handle_voice(at),
            Part::Plan => self.handle_plan(at),
            Part::Life => self.handle_life(at),
            Part::Driving => self.handle_driving(at),
            Part::Eyes => self.handle_eyes(at),
        }
    }

    fn handle_event(&mut self, at: f64) {
        match self.events.pop_due(at) {
            Some((_, EventKind::Play(play))) => self.begin(play, at),
            Some((_, EventKind::Stop { layer, blend })) => self.rest(layer, at, blend),
            Some((_, EventKind::Improvise)) => self.begin_improvising(at),
            Some((_, EventKind::Hush { upto })) => self.hush(upto, at),
            Some((_, EventKind::Feel(mood))) => self.feel_now(at, mood),
            Some((_, EventKind::Do { deed, priority, id })) => self.do_tag_action(deed, priority, at, id),
            None => {}
        }
    }

    /// What the eyes do next may depend on where the body carries them.
    fn handle_eyes(&mut self, at: f64) {
        self.compose(at);
        self.show_driven(at);
        let rig = &self.library.parts().eyes;
        if let Some(Face { eyes, .. }) = self.face.as_deref_mut() {
            rig.turn_torso(eyes.turn(at), &mut self.frame.rotations);
            eyes.handle(at, &rig.carriage(&self.frame.rotations, self.frame.root));
        }
    }

    /// Eyes, lids and head, over the pose that the layers make.
    fn show_face(&mut self, t: f64) {
        let rig = &self.library.parts().eyes;
        if let Some(Face { eyes, shown }) = self.face.as_deref_mut() {
            eyes.pass(t);
            let Frame { rotations, root, weights, .. } = &mut self.frame;
            rig.turn_torso(eyes.turn(t), rotations);
            *shown = eyes.show(t, &rig.carriage(rotations, *root));
            match self.driving.as_ref().map_or(0.0, |driving| driving.share_of_lids(t)) {
                0.0 => rig.show(shown, rotations, weights),
                share => rig.show_with_lids_of_others(shown, share, rotations, weights),
            }
        }
    }

    /// Ends the first clip that is due.
    fn end_clip(&mut self, at: f64) {
        let ended = Layer::ALL.into_iter().find(|layer| self.ends[*layer as usize] <= at);
        let Some(layer) = ended else { return };
        let blend = self.endings[layer as usize];
        if layer == Layer::Body && self.improvisation.is_on {
            self.improvise_next(at);
        } else {
            self.rest(layer, at, blend);
        }
    }

    fn rest(&mut self, layer: Layer, at: f64, blend: f64) {
        if layer == Layer::Body {
            self.improvisation.is_on = false;
        }
        self.ends[layer as usize] = f64::INFINITY;
        self.stand(layer, at, 1.0);
        let state = &mut self.layers[layer as usize];
        state.change(&self.library, Playback::rest(at), blend, &mut self.scratch);
    }

    fn begin(&mut self, play: Play, at: f64) {
        let Some(length) = self.library.motions().get(play.clip).map(Motion::duration) else { return };
        self.stand(play.layer, at, 0.0);
        let index = play.layer as usize;
        let from = play.from.clamp(0.0, length);
        let to = play.to.unwrap_or(length).clamp(from, length);
        let mask = play.mask.unwrap_or(play.layer.influence());
        let weight = play.weight.clamp(0.0, 1.0);
        let playback = Playback::new(play.clip, at, (from, to), play.looped, weight, mask);
        let blend_out = play.blend_out.clamp(MIN_BLEND_SECS, f64::MAX).min(to - from);
        self.endings[index] = blend_out;
        self.ends[index] = if playback.looped { f64::INFINITY } else { at + (to - from) - blend_out };
        // A clip of one frame is a pose: it is held for as long as it takes to reach it.
        if to <= from && !play.looped {
            self.ends[index] = at + play.blend_in.max(MIN_BLEND_SECS);
        }
        self.layers[index].change(&self.library, playback, play.blend_in, &mut self.scratch);
    }

    fn begin_improvising(&mut self, at: f64) {
        self.improvisation.is_on = true;
        self.improvise_next(at);
    }

    fn improvise_next(&mut self, at: f64) {
        let last = self.layers[Layer::Body as usize].playback.motion;
        let improvisation = &mut self.improvisation;
        let picked = improvisation.choice.pick_other_than(last, self.chance.event(improvisation.turn));
        improvisation.turn += 1;
        match picked {
            Some(clip) => self.begin(Play { mask: Some(BoneSet::ALL), ..Play::clip(clip) }, at),
            None => self.rest(Layer::Body, at, MIN_BLEND_SECS),
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
        if let Some(life) = &self.life {
            life.add(t, library.parts(), &mut frame.rotations, &mut frame.root);
        }
        if let Some(accenting) = &self.accents {
            accenting.accents.add(t, &mut frame.rotations, &mut frame.weights);
        }
    }
}
