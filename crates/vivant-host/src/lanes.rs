//! The timeline of a performer: bars on lanes, and events.
//!
//! After every step, [`Lanes`] reads the planner's notes, the eyes, the lids and the speech lines. To forecast the
//! timeline, a host uses [`Lanes`] with a copy of the performer that runs ahead.

mod landing;
mod words;

use crate::signals::is_blinking;
use crate::{Command, default_viewer_position};
use glam::DVec3;
use landing::Landing;
use std::sync::Arc;
use vivant::agenda::Agenda;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::layers::Layer;
use vivant::body::plan::{Began, Note, Origin, Planner};
use vivant::body::repertoire::Kind;
use vivant::eyes::blinking::Activity;
use vivant::eyes::direction::{Direction, angle_between_deg};
use vivant::intent::{Intent, LookTarget, LookWord};
use vivant::performer::{LineTimes, Performer};
use vivant::rig::{Bone, Rig};
use vivant_io::json::protocol::{Bar, BarKind, EventKind, Lane};

/// Minimum size of a gaze shift in degrees for which an event is reported.
const MIN_SHIFT_DEG: f64 = 1.0;
/// Maximum time in seconds between a request for a blink and the start of a blink that counts as requested.
const ASKED_BLINK_SECS: f64 = 0.3;
/// Maximum number of queued lines and gaze targets. The planner has its own limit.
const MAX_WAITING: usize = 256;

/// Unfinished bars, and the finished bars and events that the host has not removed yet.
#[derive(Clone, Debug)]
pub struct Lanes {
    layers: [Option<Bar>; 3],
    blink: Option<Bar>,
    look: Option<Bar>,
    lines: Vec<Line>,
    landing: Landing,
    /// Direction of the last fixation in humanoid space.
    gaze: DVec3,
    activity: Activity,
    viewer: DVec3,
    followed: Option<DVec3>,
    /// Approximate position of the eyes in metres.
    eyes: DVec3,
    is_look_asked: bool,
    /// Queued gaze targets. The flag is true for a requested target, and false for a return to free gaze.
    looks: Agenda<bool>,
    blink_asked: f64,
    /// Finished bars, until the host removes them.
    pub finished: Vec<Bar>,
    /// Events with their times in seconds, until the host removes them.
    pub events: Vec<(f64, EventKind)>,
}

/// A current or queued speech line.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    bar: Bar,
    is_reported: bool,
    is_over: bool,
}

impl Lanes {
    /// Creates an empty timeline for a performer with this rig. `attend` is the position that the performer attends
    /// to first.
    #[must_use]
    pub fn new(rig: &Rig, attend: Option<[f64; 3]>) -> Self {
        let eyes = rig.rest_position(Bone::Head) + rig.look_at().offset_from_head;
        Self {
            layers: [None, None, None],
            blink: None,
            look: None,
            lines: Vec::new(),
            landing: Landing::default(),
            gaze: DVec3::Z,
            activity: Activity::default(),
            viewer: attend.unwrap_or_else(|| default_viewer_position(rig)).into(),
            followed: None,
            eyes: eyes.as_dvec3(),
            is_look_asked: false,
            looks: Agenda::default(),
            blink_asked: f64::NEG_INFINITY,
            finished: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Records a command that was just applied to the performer.
    pub fn record_command(&mut self, performer: &Performer, command: &Command) {
        match command {
            Command::Attend { place, .. } => self.viewer = (*place).into(),
            Command::Follow { place, .. } => {
                (self.followed, self.is_look_asked) = (Some((*place).into()), true);
            }
            Command::LookFreely => (self.followed, self.is_look_asked) = (None, false),
            Command::Intent(intent) => self.record_intent(performer, intent),
            Command::SetTemperament(_)
            | Command::SetRepertoire(..)
            | Command::SetEyeModels(_)
            | Command::Drive(..) => {}
        }
    }

    fn record_intent(&mut self, performer: &Performer, intent: &Intent) {
        let now = performer.frame().time();
        let at = intent.at().unwrap_or(now).max(now);
        match intent {
            Intent::Say(say) => self.add_line(&say.say, performer.last_line()),
            Intent::Look(look) => {
                let is_asked = look.look != LookTarget::Word(LookWord::Freely);
                if self.looks.len() < MAX_WAITING {
                    self.looks.insert(at, is_asked);
                }
            }
            Intent::Blink(_) => self.blink_asked = at,
            _ => {}
        }
        self.place_lines(performer, now);
    }

    /// Adds a speech line, or another part of a line.
    fn add_line(&mut self, text: &str, line: Option<LineTimes>) {
        let Some(LineTimes { line: number, from, said, .. }) = line else { return };
        if let Some(Line { bar, .. }) = self.lines.iter_mut().find(|line| line.number == number) {
            bar.name = words::shortened(&format!("{}{text}", bar.name));
        } else if self.lines.len() < MAX_WAITING {
            let bar = bar(Lane::Speech, BarKind::Line, from, said, words::shortened(text), true);
            self.lines.push(Line { number, bar, is_reported: false, is_over: false });
        }
    }

    /// Updates lines from the performer. Lines that the performer no longer knows are finished or were never spoken.
    fn place_lines(&mut self, performer: &Performer, now: f64) {
        self.lines.retain_mut(|Line { number, bar, is_reported, is_over }| {
            match performer.lines().find(|spoken| spoken.line == *number) {
                Some(LineTimes { from, said, until, .. }) => {
                    // While more words of the line may follow, the line is not finished.
                    (bar.start, bar.end) = (from, said.max(now.min(until)));
                    *is_over = until <= now;
                }
                None => (bar.end, *is_over) = (bar.end.min(now), true),
            }
            *is_reported || !*is_over || bar.start <= bar.end
        });
    }

    /// Records that a part of the intent with the number `intent` could not be carried out. `now` is the time in
    /// seconds.
    pub fn remark(&mut self, now: f64, intent: u64, why: String) {
        self.events.push((now, EventKind::Dropped { intent, asked: true, why }));
    }

    /// Updates the timeline after the performer was advanced.
    pub fn observe(&mut self, performer: &mut Performer) {
        let now = performer.frame().time();
        let library = Arc::clone(performer.library());
        if let Some(graph) = library.graph() {
            for note in performer.take_notes() {
                self.record_note(graph, &note);
            }
            for layer in Layer::ALL {
                let stance = performer.planner().and_then(|planner| planner.stance(layer));
                self.show_stance(layer, stance.map(|stance| graph.stances()[stance].name.as_str()), now);
            }
        } else {
            let playing = performer.playing(Layer::Body);
            let name = |clip: usize| library.motions().get(clip).map_or("", |motion| motion.name());
            self.show_clip(playing.map(|(clip, since)| (name(clip), since)), now);
        }
        self.watch_eyes(performer, now);
        self.place_lines(performer, now);
        self.report_lines(now);
        let activity = performer.planner().map_or(self.activity, Planner::activity);
        if activity != self.activity {
            self.activity = activity;
            self.events.push((now, EventKind::State { be: activity }));
        }
    }

    fn record_note(&mut self, graph: &Graph, note: &Note) {
        match note {
            Note::Began(began) => {
                if let Some(action) = graph.actions().get(began.action) {
                    self.began(graph, action, began);
                }
            }
            Note::Cut { began, at, .. } => self.cut(*began, *at),
            Note::Dropped { id, origin, at, why } => {
                let asked = *origin == Origin::Agent;
                // Dropped actions of the behaviour model are not reported.
                if asked {
                    let why = why.sentence().to_owned();
                    self.events.push((*at, EventKind::Dropped { intent: *id, asked, why }));
                }
            }
            _ => {}
        }
    }

    fn began(&mut self, graph: &Graph, action: &ActionNode, began: &Began) {
        let name = words::action(graph, action);
        let asked = began.origin == Origin::Agent;
        let kind = match action.kind {
            Kind::Gesture => BarKind::Gesture,
            Kind::Fidget => BarKind::Fidget,
            Kind::Transition => BarKind::Transition,
        };
        for layer in action.layers.iter() {
            let bar = bar(lane(layer), kind, began.at, began.until, name.clone(), asked);
            self.start_bar(layer, Bar { why: Some(words::why(began)), ..bar });
        }
        let (intent, until) = (began.id, began.until);
        self.events.push((began.at, EventKind::Began { name, intent, asked, until }));
    }

    fn cut(&mut self, began: f64, at: f64) {
        let mut name = None;
        for open in &mut self.layers {
            let is_cut = |bar: &Bar| bar.start == began && bar.kind != BarKind::Stance;
            if let Some(mut bar) = open.take_if(|bar| is_cut(bar)) {
                name = Some(bar.name.clone());
                bar.end = at;
                finish(&mut self.finished, bar);
            }
        }
        self.events.extend(name.map(|name| (at, EventKind::Cut { name })));
    }

    /// Starts a bar on a layer and ends the previous bar.
    fn start_bar(&mut self, layer: Layer, bar: Bar) {
        if let Some(mut last) = self.layers[layer as usize].take() {
            last.end = if last.kind == BarKind::Stance { bar.start } else { last.end.min(bar.start) };
            finish(&mut self.finished, last);
        }
        self.layers[layer as usize] = Some(bar);
    }

    /// Shows the stance of a layer between actions.
    fn show_stance(&mut self, layer: Layer, stance: Option<&str>, now: f64) {
        let open = &mut self.layers[layer as usize];
        let since = match open {
            Some(bar) if bar.kind != BarKind::Stance && bar.end > now => return,
            Some(bar) if bar.kind == BarKind::Stance && Some(bar.name.as_str()) == stance => {
                bar.end = now;
                return;
            }
            Some(bar) if bar.kind != BarKind::Stance => bar.end,
            _ => now,
        };
        if let Some(last) = open.take() {
            finish(&mut self.finished, last);
        }
        let stance_bar = |name: &str| bar(lane(layer), BarKind::Stance, since, now, name.to_owned(), false);
        self.layers[layer as usize] = stance.map(stance_bar);
    }

    /// Shows the current clip, for performers that play clips one after another without a repertoire.
    fn show_clip(&mut self, clip: Option<(&str, f64)>, now: f64) {
        let open = &mut self.layers[Layer::Body as usize];
        match (open.as_mut(), clip) {
            (Some(bar), Some((_, since))) if bar.start == since => bar.end = now,
            (_, Some((name, since))) => {
                let bar = bar(Lane::Body, BarKind::Gesture, since, now, name.to_owned(), false);
                self.start_bar(Layer::Body, bar);
            }
            (Some(_), None) => self.finished.extend(open.take()),
            (None, None) => {}
        }
    }

    fn watch_eyes(&mut self, performer: &mut Performer, now: f64) {
        let Some((is_shut, gaze)) = performer.gaze().map(|eyes| (is_blinking(eyes), eyes.gaze)) else {
            return;
        };
        match (&mut self.blink, is_shut) {
            (Some(blink), true) => blink.end = now,
            (Some(blink), false) => {
                blink.end = now;
                self.finished.extend(self.blink.take());
            }
            (None, true) => {
                let asked = (now - self.blink_asked).abs() < ASKED_BLINK_SECS;
                self.blink = Some(bar(Lane::Blinks, BarKind::Blink, now, now, "blink".to_owned(), asked));
                self.events.push((now, EventKind::Blink));
            }
            (None, false) => {}
        }
        self.update_gaze(gaze, now);
    }

    fn update_gaze(&mut self, gaze: DVec3, now: f64) {
        while let Some((_, is_asked)) = self.looks.pop_due(now) {
            (self.is_look_asked, self.followed) = (is_asked, None);
        }
        self.look.iter_mut().for_each(|look| look.end = now);
        let Some(since) = self.landing.add_sample(now, gaze) else { return };
        if self.look.is_some() && angle_between_deg(self.gaze, gaze) > MIN_SHIFT_DEG {
            let Direction { yaw_deg: yaw, pitch_deg: pitch } = Direction::of(gaze);
            self.events.push((since, EventKind::GazeShift { yaw, pitch }));
        }
        self.gaze = gaze;
        let to = |place: DVec3| place - self.eyes;
        let name = words::gaze(gaze, to(self.viewer), self.followed.map(to));
        self.start_look(bar(Lane::Gaze, BarKind::Look, since, now, name, self.is_look_asked));
    }

    /// Starts a bar for a gaze shift. A small shift on the same target continues the previous bar.
    fn start_look(&mut self, bar: Bar) {
        match &mut self.look {
            Some(last) if last.name == bar.name && last.asked == bar.asked => last.end = bar.end,
            look => {
                if let Some(mut last) = look.replace(bar) {
                    last.end = look.as_ref().map_or(last.end, |next| next.start);
                    finish(&mut self.finished, last);
                }
            }
        }
    }

    fn report_lines(&mut self, now: f64) {
        for line in self.lines.iter_mut().filter(|line| !line.is_reported && line.bar.start <= now) {
            line.is_reported = true;
            let (say, until) = (line.bar.name.clone(), line.bar.end);
            self.events.push((line.bar.start, EventKind::Line { say, until }));
        }
        self.finished.extend(self.lines.extract_if(.., |line| line.is_over).map(|line| line.bar));
    }

    /// Returns unfinished bars, and lines that are not spoken yet.
    pub fn open(&self) -> impl Iterator<Item = &Bar> {
        let bars = self.layers.iter().chain([&self.blink, &self.look]).flatten();
        bars.chain(self.lines.iter().map(|line| &line.bar))
    }
}

fn lane(layer: Layer) -> Lane {
    match layer {
        Layer::Body => Lane::Body,
        Layer::Arms => Lane::Arms,
        Layer::Head => Lane::Head,
    }
}

fn bar(lane: Lane, kind: BarKind, start: f64, end: f64, name: String, asked: bool) -> Bar {
    Bar { lane, kind, start, end, name, asked, planned: false, why: None }
}

/// Keeps a finished bar if its duration is not zero.
fn finish(finished: &mut Vec<Bar>, bar: Bar) {
    if bar.end > bar.start {
        finished.push(bar);
    }
}
