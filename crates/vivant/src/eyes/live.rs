//! Eyes, lids and head as one: told where to look and when to blink, and alive when told nothing.
//!
//! Everything that happens is an event at an exact time: an intent, the end of a fixation, a blink that
//! falls due. Between events all is a function of the time. So it does not matter how often it is asked.
//!
//! ```
//! use vivant::eyes::{Carriage, Eyes, Look, Target, Temperament, gaze::Ranges};
//! let mut eyes = Eyes::new(Ranges::default(), Temperament::default(), 7);
//! eyes.live(0.0);
//! eyes.look(Look { at: 2.0, ..Look::at_point([0.5, 1.4, 1.0]) });
//! let frame = eyes.advance_to(3.0, |_, turn| Carriage::standing(turn));
//! assert!(frame.gaze.x > 0.0, "the point is to the left");
//! ```

mod aim;
mod driving;
mod holding;
mod living;
mod seeing;
mod shifting;
#[cfg(test)]
mod tests;
mod weaving;

pub use aim::{Target, TargetId};
pub use seeing::EyeFrame;

use crate::agenda::Agenda;
use crate::chance::Chance;
use crate::eyes::aperture::BlinkRun;
use crate::eyes::aversion::Aversion;
use crate::eyes::blink::Blink;
use crate::eyes::blink_model::BlinkModel;
use crate::eyes::blinking::{Activity, BlinkKind};
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::Direction;
use crate::eyes::driven::clock::Clock;
use crate::eyes::driven::{Classifier, EyeSample, Thresholds};
use crate::eyes::gaze::{GazePlan, Oval, Ranges};
use crate::eyes::glide::Glide;
use crate::eyes::jump::Jump;
use crate::eyes::profile::Profile;
use crate::eyes::temperament::Temperament;
use crate::eyes::texture::{Texture, Within};
use crate::math::{least, most};
use aim::{Aim, Pursuit, Track};
use glam::{DVec2, DVec3};
use living::{Fixation, Wandering};
use seeing::HeadAtRest;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An intent to look somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// When it is asked for, in seconds of the performance.
    #[serde(default)]
    pub at: f64,
    /// Where to.
    pub target: Target,
    /// For how long; `None` means until something else is asked for.
    #[serde(default, rename = "for")]
    pub secs: Option<f64>,
    /// The head's share, as a head-movement factor; `None` means the temperament's.
    #[serde(default)]
    pub head: Option<f64>,
    /// How long the eyes take to react; `None` means as long as people do, if they are lively.
    #[serde(default, rename = "latency")]
    pub latency_secs: Option<f64>,
}

impl Look {
    /// Looks at a target from now on.
    #[must_use]
    pub fn at(target: Target) -> Self {
        Self { at: 0.0, target, secs: None, head: None, latency_secs: None }
    }

    /// Looks at a point in the character's model space, in metres.
    #[must_use]
    pub fn at_point(point: [f64; 3]) -> Self {
        Self::at(Target::Point(point))
    }

    /// Looks in a direction of the character's model space.
    #[must_use]
    pub fn towards(yaw_deg: f64, pitch_deg: f64) -> Self {
        Self::at(Target::Direction(Direction::new(yaw_deg, pitch_deg)))
    }

    fn is_sound(&self) -> bool {
        let numbers = [self.secs, self.head, self.latency_secs];
        self.target.is_finite() && numbers.iter().flatten().all(|number| number.is_finite())
    }
}

/// An intent to blink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlinkIntent {
    /// When, in seconds of the performance.
    pub at: f64,
    /// How far the lids close: 1 is shut.
    pub magnitude: f64,
    /// How long they stay down; `None` means as long as in a blink, infinity until [`Eyes::open`].
    #[serde(rename = "hold")]
    pub hold_secs: Option<f64>,
    /// Which eyes, left and right: one of them winks.
    pub eyes: [bool; 2],
}

impl Default for BlinkIntent {
    fn default() -> Self {
        Self { at: 0.0, magnitude: 1.0, hold_secs: None, eyes: [true; 2] }
    }
}

/// What was learned of someone's eyes, to be shared by all who have them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// The character's blink model. It is used unless the temperament names a profile that is not learned.
    pub blinks: Option<Arc<BlinkModel>>,
    /// How eyes and lids move when they are left alone.
    pub texture: Option<Arc<Texture>>,
}

/// What the eyes were asked to do at a time.
#[derive(Clone, Copy, Debug)]
enum EventKind {
    Live,
    Look(Look),
    LookFreely,
    Attend(Target),
    Blink(BlinkIntent),
    Open,
    Be(Activity),
    Temper(Temperament),
    Tint(Tint),
    Move { target: TargetId, place: DVec3 },
    Drive(EyeSample),
    Understand(Thresholds),
    Mood(Option<usize>),
    Keep { within: Within, until: f64 },
    Glance(Told),
    Invite(f64),
    Hold(holding::Held),
}

/// What a mood does to the eyes, whatever their temperament is: factors on how often they blink by themselves, and on
/// how far they are open at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tint {
    blinks: f64,
    aperture: f64,
}

impl Tint {
    const NONE: Self = Self { blinks: 1.0, aperture: 1.0 };
}

/// A glance that somebody planned, and of which plan it is.
#[derive(Clone, Copy, Debug)]
struct Told {
    plan: u64,
    offset: DVec2,
    until: f64,
}

/// What falls due by itself, in the order in which things at the same instant happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    /// A look whose latency is over.
    Shift,
    Head,
    Torso,
    /// The second saccade to a target that the first one undershot.
    Correct,
    CatchUp,
    /// A moving target has not been heard of for a while.
    Stale,
    /// A tracker has not been heard of for a while.
    Silence,
    /// A look has lasted as long as it was asked to.
    Release,
    Wander,
    /// A texture's gaze steps, or more of it is needed.
    Weave,
    Fixate,
    Evoked,
    Spontaneous,
    Double,
    /// Whether head and torso still serve the gaze.
    Recheck,
}

impl Cue {
    const ALL: [Self; 15] = [
        Self::Shift,
        Self::Head,
        Self::Torso,
        Self::Correct,
        Self::CatchUp,
        Self::Stale,
        Self::Silence,
        Self::Release,
        Self::Wander,
        Self::Weave,
        Self::Fixate,
        Self::Evoked,
        Self::Spontaneous,
        Self::Double,
        Self::Recheck,
    ];
}

/// When each cue falls due.
#[derive(Clone, Copy, Debug)]
struct Cues {
    times: [f64; Cue::ALL.len()],
    next: f64,
}

impl Cues {
    const NONE: Self = Self { times: [f64::INFINITY; Cue::ALL.len()], next: f64::INFINITY };

    fn set(&mut self, cue: Cue, at: f64) {
        self.times[cue as usize] = at;
        self.next = self.times.iter().copied().fold(f64::INFINITY, f64::min);
    }

    fn clear(&mut self, cue: Cue) {
        self.set(cue, f64::INFINITY);
    }

    fn at(&self, cue: Cue) -> f64 {
        self.times[cue as usize]
    }

    fn is_set(&self, cue: Cue) -> bool {
        self.at(cue) < f64::INFINITY
    }

    fn take(&mut self) -> Option<Cue> {
        let cue = Cue::ALL.into_iter().find(|cue| self.at(*cue) <= self.next)?;
        self.clear(cue);
        Some(cue)
    }
}

/// The streams of chance, and how many events each has had.
#[derive(Clone, Copy, Debug)]
struct Chances {
    shifts: (Chance, u64),
    blinks: (Chance, u64),
    intervals: (Chance, u64),
    wandering: (Chance, u64),
    fixation: (Chance, u64),
    latency: (Chance, u64),
    curves: (Chance, u64),
}

impl Chances {
    fn new(seed: u64) -> Self {
        let stream = |name: &str| (Chance::new(seed, name), 0);
        Self {
            shifts: stream("gaze shifts"),
            blinks: stream("blinks"),
            intervals: stream("blink intervals"),
            wandering: stream("wandering"),
            fixation: stream("fixation"),
            latency: stream("latency"),
            curves: stream("blink curves"),
        }
    }
}

fn draw(stream: &mut (Chance, u64)) -> crate::chance::Draw {
    let event = stream.0.event(stream.1);
    stream.1 += 1;
    event
}

/// The eyes, lids and head of one character.
#[derive(Clone, Debug)]
pub struct Eyes {
    /// How far eyes, head and torso turn, as far as they are the eyes' to turn.
    ranges: Ranges,
    /// … and how far they could.
    own_ranges: Ranges,
    held: holding::Held,
    oval: Oval,
    temperament: Temperament,
    tint: Tint,
    activity: Activity,
    seed: u64,
    chances: Chances,
    time: f64,
    /// What they were asked for and is still to come.
    events: Agenda<EventKind>,
    cues: Cues,
    targets: Vec<Track>,
    is_awake: bool,
    is_live: bool,

    aim: Aim,
    pursuit: Pursuit,
    /// The side on which a target behind the character is kept: 1 left, −1 right.
    side: f64,
    /// What is left between the gaze and its target: yaw and pitch on the torso.
    error: Jump<2>,
    /// … and between the eyes' differences from it and those that the target asks for: x, y and z of the
    /// left and of the right.
    vergence_error: Jump<6>,
    vergence_movement: Profile,
    fixation: Fixation,
    wandering: Wandering,
    /// By how much the last spontaneous blink came before its time.
    early_secs: f64,
    weaving: Option<Box<weaving::Weaving>>,
    /// What is left of the lids' closure by a texture that was taken away.
    woven_left: Jump<1>,
    head: Glide,
    /// The head's rotation when its glide is over.
    head_at_rest: HeadAtRest,
    torso: Glide,
    plan: GazePlan,
    /// The head-movement factor of the present shift.
    head_movement_factor: f64,
    pending: Pending,

    /// What is left between the upper lids and where the gaze wants them.
    lid_error: Jump<1>,
    /// Where driven eyes want the lids; planned ones want them where the target is.
    driven_lid_deg: Option<f64>,
    /// What is left between the resting apertures and the temperament's.
    resting_error: Jump<2>,
    blinks: [BlinkRun; 2],
    blink_model: Option<Arc<BlinkModel>>,
    /// Whether the blink model is the character's own, and not the standard one.
    has_own_blinks: bool,
    /// How far the eyes dip in a full blink.
    dip_deg: f64,
    /// Boxed, because only trackers need it, and it is as large as all the rest.
    classifier: Box<Classifier>,
    driven: driving::Driven,
}

/// What cues will need when they fall due.
#[derive(Clone, Copy, Debug)]
struct Pending {
    look: Option<Look>,
    head: Direction,
    torso: Direction,
    /// The head does not arrive before the eyes.
    head_not_before: f64,
    evoked_magnitude: f64,
    /// The last spontaneous blink, which may come twice.
    spontaneous: BlinkKind,
}

impl Eyes {
    /// Eyes that look ahead, whose time has not begun. The same seed gives the same behaviour.
    #[must_use]
    pub fn new(ranges: Ranges, temperament: Temperament, seed: u64) -> Self {
        Self {
            ranges,
            own_ranges: ranges,
            held: holding::Held::default(),
            oval: Oval::new(&ranges.eye),
            temperament: temperament.sound(),
            tint: Tint::NONE,
            activity: Activity::default(),
            seed,
            chances: Chances::new(seed),
            time: f64::NEG_INFINITY,
            events: Agenda::with_capacity(64),
            cues: Cues::NONE,
            targets: Vec::new(),
            is_awake: false,
            is_live: false,
            aim: Aim::Torso(DVec3::Z),
            pursuit: Pursuit::at_rest(DVec3::Z),
            side: 1.0,
            error: Jump::NONE,
            vergence_error: Jump::NONE,
            vergence_movement: shifting::vergence_movement(),
            fixation: Fixation::none(),
            wandering: Wandering::default(),
            early_secs: 0.0,
            weaving: None,
            woven_left: Jump::NONE,
            head: Glide::at_rest(Direction::AHEAD),
            head_at_rest: HeadAtRest::AHEAD,
            torso: Glide::at_rest(Direction::AHEAD),
            plan: GazePlan::default(),
            head_movement_factor: temperament.sound().effective_head_movement_factor(),
            pending: Pending {
                look: None,
                head: Direction::AHEAD,
                torso: Direction::AHEAD,
                head_not_before: 0.0,
                evoked_magnitude: 0.0,
                spontaneous: BlinkKind::USUAL,
            },
            lid_error: Jump::NONE,
            driven_lid_deg: None,
            resting_error: Jump::NONE,
            blinks: [BlinkRun::none(); 2],
            blink_model: None,
            has_own_blinks: false,
            dip_deg: 0.0,
            classifier: Box::new(Classifier::new(Thresholds::default())),
            driven: driving::Driven::default(),
        }
    }

    /// Lives from a time on: glances, fixates, blinks by itself.
    pub fn live(&mut self, at: f64) {
        self.ask(at, EventKind::Live);
    }

    /// Looks somewhere. Numbers that are none, and targets that were never named, are ignored.
    pub fn look(&mut self, look: Look) {
        let is_known = !matches!(look.target, Target::Named(id) if id.0 >= self.targets.len());
        if look.is_sound() && is_known {
            self.ask(look.at, EventKind::Look(look));
        }
    }

    /// Ends a look: the eyes are free again.
    pub fn look_freely(&mut self, at: f64) {
        self.ask(at, EventKind::LookFreely);
    }

    /// Whom or what the eyes come back to when they are free; [`Target::Ahead`] at first. Away is no place
    /// to come back to, and is ignored.
    pub fn attend(&mut self, at: f64, target: Target) {
        let is_known = !matches!(target, Target::Named(id) if id.0 >= self.targets.len());
        let is_a_place = target != Target::Away;
        if target.is_finite() && is_known && is_a_place {
            self.ask(at, EventKind::Attend(target));
        }
    }

    /// Looks away at these times, and else at whom it attends to, from `at` to `until`: as people do who speak. It
    /// takes the place of what the eyes would do by themselves, and of what was told before; not of a
    /// [look](Eyes::look). The times are in order.
    pub fn converse(&mut self, at: f64, aversions: &[Aversion], until: f64) {
        self.wandering.plan += 1;
        let plan = self.wandering.plan;
        let mut free_from = at;
        for aversion in aversions.iter().filter(|aversion| aversion.to > at) {
            self.tell(plan, free_from, DVec2::ZERO, aversion.from);
            self.tell(plan, aversion.from, DVec2::new(aversion.yaw_deg, aversion.pitch_deg), aversion.to);
            free_from = aversion.to;
        }
        self.tell(plan, free_from, DVec2::ZERO, until);
    }

    /// Looks away now, as one does who speaks, and back when that is over, if nothing else is told by then. It takes the
    /// place of what was told before, like [`converse`](Eyes::converse).
    pub fn look_aside(&mut self, at: f64, aversion: &Aversion) {
        self.wandering.plan += 1;
        let offset = DVec2::new(aversion.yaw_deg, aversion.pitch_deg);
        self.tell(self.wandering.plan, at, offset, aversion.to);
    }

    /// What was planned for a conversation is not to be: the eyes are their own again, and look back.
    pub fn converse_no_more(&mut self, at: f64) {
        self.wandering.plan += 1;
        self.tell(self.wandering.plan, at, DVec2::ZERO, at);
    }

    fn tell(&mut self, plan: u64, at: f64, offset: DVec2, until: f64) {
        if offset.is_finite() && until >= at {
            self.ask(at, EventKind::Glance(Told { plan, offset, until }));
        }
    }

    /// Blinks, whatever the strategy is.
    pub fn blink(&mut self, blink: BlinkIntent) {
        let holds = blink.hold_secs.is_none_or(|secs| secs >= 0.0);
        if blink.magnitude.is_finite() && holds {
            self.ask(blink.at, EventKind::Blink(blink));
        }
    }

    /// A good time to blink: a spontaneous blink that would come within so many seconds after it comes then, as blinks do
    /// where a speaker pauses. Strategies that have no such blinks do not mind.
    pub fn invite_blink(&mut self, at: f64, within_secs: f64) {
        if within_secs > 0.0 {
            self.ask(at, EventKind::Invite(within_secs));
        }
    }

    /// Opens eyes that were closed by a blink that holds.
    pub fn open(&mut self, at: f64) {
        self.ask(at, EventKind::Open);
    }

    /// What the character does, as far as it shows in the eyes.
    pub fn be(&mut self, at: f64, activity: Activity) {
        self.ask(at, EventKind::Be(activity));
    }

    /// Changes the temperament. Learned blink profiles without a model get the standard one, which allocates.
    pub fn set_temperament(&mut self, at: f64, temperament: Temperament) {
        if temperament.blink_profile.is_learned() && self.blink_model.is_none() {
            self.blink_model = Some(Arc::new(BlinkModel::standard()));
        }
        self.ask(at, EventKind::Temper(temperament.sound()));
    }

    /// Blinks so many times as often by itself, and opens the eyes so many times as far, as the temperament has it: what
    /// a mood does. Numbers are brought into 0 to 4 and 0.5 to 1.3; what is none is ignored.
    pub fn tint(&mut self, at: f64, blinks: f64, aperture: f64) {
        if !blinks.is_nan() && !aperture.is_nan() {
            let tint = Tint { blinks: blinks.clamp(0.0, 4.0), aperture: aperture.clamp(0.5, 1.3) };
            self.ask(at, EventKind::Tint(tint));
        }
    }

    /// Takes on what was learned of someone's eyes, now. Allocates.
    pub fn learn(&mut self, learned: &Learned) {
        self.has_own_blinks = learned.blinks.is_some();
        if self.has_own_blinks || !self.temperament.blink_profile.is_learned() {
            self.blink_model.clone_from(&learned.blinks);
        }
        self.weave(learned.texture.clone());
    }

    /// A target with a name, which may move. It is made if there is none of that name; asking for it in
    /// the tick allocates.
    pub fn target(&mut self, name: &str) -> TargetId {
        let found = self.targets.iter().position(|track| track.name == name);
        let index = found.unwrap_or_else(|| {
            self.targets.push(Track::new(name));
            self.targets.len() - 1
        });
        TargetId(index)
    }

    /// Says where a named target is at a time, in the character's model space, in metres.
    pub fn move_target(&mut self, at: f64, target: TargetId, place: [f64; 3]) {
        let place = DVec3::from_array(place);
        if place.is_finite() && target.0 < self.targets.len() {
            self.ask(at, EventKind::Move { target, place });
        }
    }

    /// Takes a sample of a tracker: the eyes go where it says, eye in head, one sample late. A
    /// [look](Eyes::look) takes them back for as long as it lasts; after a second without samples they are
    /// free. What the tracker says of lids it does to them; if it says nothing, blinks go on as they do.
    pub fn drive(&mut self, sample: EyeSample) {
        self.ask(sample.secs, EventKind::Drive(sample));
    }

    /// How the samples of a tracker are understood from a time on.
    pub fn set_thresholds(&mut self, at: f64, thresholds: Thresholds) {
        self.ask(at, EventKind::Understand(thresholds));
    }

    /// The plan of the last gaze shift: what eyes, head and torso do, and by how much they fall short.
    #[must_use]
    pub fn plan(&self) -> &GazePlan {
        &self.plan
    }

    /// The temperament.
    #[must_use]
    pub fn temperament(&self) -> &Temperament {
        &self.temperament
    }

    /// The activity.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.activity
    }

    /// Whether anything was ever asked of these eyes.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.is_awake
    }

    /// How far the torso is turned to look.
    #[must_use]
    pub fn turn(&self, t: f64) -> Direction {
        self.torso.position(t)
    }

    /// Whether the eyes are on whom or what they attend to, or on their way there; not if they glance away.
    #[must_use]
    pub fn attends(&self) -> bool {
        self.is_on_attended()
    }

    /// Lets all happen that is due until `t`, in seconds, and gives what eyes, lids and head do at `t`.
    /// `carriage` says how the body carries the head at a time, with the torso turned to look. Time
    /// does not run backwards.
    pub fn advance_to(&mut self, t: f64, carriage: impl Fn(f64, Direction) -> Carriage) -> EyeFrame {
        let t = if t.is_finite() { most(t, self.time) } else { self.time };
        while self.next_event() <= t {
            let at = self.next_event();
            self.handle(at, &carriage(at, self.turn(at)));
        }
        self.pass(t);
        self.show(t, &carriage(t, self.turn(t)))
    }

    /// Time has come to `t`: what is asked for from now on does not happen before.
    pub(crate) fn pass(&mut self, t: f64) {
        self.time = t;
    }

    /// When the eyes act next, in seconds; infinite if never.
    pub(crate) fn next_event(&self) -> f64 {
        least(self.events.next_at(), self.cues.next)
    }

    /// Does one thing that is due: at one instant, what was asked for comes before what falls due by itself.
    pub(crate) fn handle(&mut self, at: f64, carriage: &Carriage) {
        self.time = at;
        if let Some((_, event)) = self.events.pop_due(at) {
            self.obey(at, event, carriage);
        } else if let Some(cue) = self.cues.take() {
            self.follow(at, cue, carriage);
        }
        self.hand_over_lids(at);
    }

    fn ask(&mut self, at: f64, event: EventKind) {
        if at.is_nan() || at.abs() > Clock::END_OF_TIME_SECS {
            return;
        }
        self.is_awake = true;
        self.events.insert(at.max(self.time), event);
    }

    fn obey(&mut self, at: f64, event: EventKind, carriage: &Carriage) {
        if !self.cues.is_set(Cue::Recheck) {
            self.cues.set(Cue::Recheck, at + shifting::RECHECK_SECS);
        }
        match event {
            EventKind::Live => self.begin_to_live(at),
            EventKind::Look(look) => self.prepare(at, look),
            EventKind::LookFreely => self.release(at, carriage),
            EventKind::Attend(target) => self.attend_to(at, target),
            EventKind::Blink(blink) => {
                // Who blinks on purpose stays shut a little longer.
                let hold = Blink::VOLUNTARY_HOLD_SECS / self.temperament.lid_tempo;
                let hold_secs = Some(blink.hold_secs.unwrap_or(hold));
                self.start_blink(at, &BlinkIntent { hold_secs, ..blink }, carriage);
            }
            EventKind::Open => self.open_eyes(at, carriage),
            EventKind::Be(activity) => self.become_active(at, activity),
            EventKind::Temper(temperament) => self.take_on(at, temperament, carriage),
            EventKind::Tint(tint) => self.take_on_tint(at, tint),
            EventKind::Move { target, place } => self.follow_move(at, target, place, carriage),
            EventKind::Drive(sample) => self.take_sample(at, &sample, carriage),
            EventKind::Understand(thresholds) => *self.classifier = Classifier::new(thresholds),
            EventKind::Mood(mood) => self.take_mood(at, mood),
            EventKind::Keep { within, until } => self.keep(within, until),
            EventKind::Glance(told) => self.glance_as_told(at, told, carriage),
            EventKind::Invite(within_secs) => self.blink_sooner(at, within_secs),
            EventKind::Hold(held) => self.be_held(at, held, carriage),
        }
    }

    fn follow(&mut self, at: f64, cue: Cue, carriage: &Carriage) {
        match cue {
            Cue::Shift => self.begin_look(at, carriage),
            Cue::Head => self.move_head(at, carriage),
            Cue::Torso => self.move_torso(at),
            Cue::Correct => self.correct(at),
            Cue::CatchUp => self.catch_up(at, carriage),
            Cue::Stale => self.lose_track(at, carriage),
            Cue::Silence => self.miss_tracker(at, carriage),
            Cue::Release => self.release(at, carriage),
            Cue::Wander => self.wander(at, carriage),
            Cue::Weave => self.go_on_weaving(at, carriage),
            Cue::Fixate => self.fixate(at),
            Cue::Evoked => self.evoke(at, carriage),
            Cue::Spontaneous => self.blink_spontaneously(at, carriage),
            Cue::Double => self.blink_again(at, carriage),
            Cue::Recheck => self.recheck(at, carriage),
        }
    }
}
