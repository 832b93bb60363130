//! What a performer does, as bars on lanes and as events.
//!
//! It looks on after every step: at what the planner noted, at eyes and lids, at lines that are said. The same
//! look at a copy that runs ahead is the forecast.

mod landing;
mod words;

use crate::signals::is_blinking;
use crate::{Ask, someone_ahead};
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
use vivant::performer::{Performer, Spoken};
use vivant::rig::{Bone, Rig};
use vivant_io::json::protocol::{Bar, BarKind, Happening, Lane};

/// Who lands closer to where they looked before only trembled.
const LEAST_SHIFT_DEG: f64 = 1.0;
/// A blink this soon after one was asked for is that one, in seconds.
const ASKED_BLINK_SECS: f64 = 0.3;
/// How many lines and looks may be known at once; the planner has its own limit.
const MAX_WAITING: usize = 256;

/// What goes on, and what has come of it since somebody took it.
#[derive(Clone, Debug)]
pub struct Lanes {
    layers: [Option<Bar>; 3],
    blink: Option<Bar>,
    look: Option<Bar>,
    lines: Vec<Line>,
    landing: Landing,
    /// Where the gaze landed last.
    gaze: DVec3,
    activity: Activity,
    viewer: DVec3,
    followed: Option<DVec3>,
    /// About where the eyes are.
    eyes: DVec3,
    is_look_asked: bool,
    /// Looks that are to come, and whether they are asked for or free again.
    looks: Agenda<bool>,
    blink_asked: f64,
    /// Bars that are over.
    pub over: Vec<Bar>,
    /// What happened, each with its time.
    pub events: Vec<(f64, Happening)>,
}

/// A line that is said or will be.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    bar: Bar,
    is_told: bool,
    is_over: bool,
}

impl Lanes {
    /// Nothing yet, of somebody with this body, who attends to this place at first.
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
            viewer: attend.unwrap_or_else(|| someone_ahead(rig)).into(),
            followed: None,
            eyes: eyes.as_dvec3(),
            is_look_asked: false,
            looks: Agenda::default(),
            blink_asked: f64::NEG_INFINITY,
            over: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Takes note of what a performer was asked for just now.
    pub fn asked(&mut self, performer: &Performer, ask: &Ask) {
        match ask {
            Ask::Attend { place, .. } => self.viewer = (*place).into(),
            Ask::Follow { place, .. } => {
                (self.followed, self.is_look_asked) = (Some((*place).into()), true);
            }
            Ask::LookFreely => (self.followed, self.is_look_asked) = (None, false),
            Ask::Intend(intent) => self.intended(performer, intent),
            Ask::Temper(_) | Ask::Adopt(..) | Ask::Learn(_) | Ask::Drive(..) => {}
        }
    }

    fn intended(&mut self, performer: &Performer, intent: &Intent) {
        let now = performer.frame().time();
        let at = intent.at().unwrap_or(now).max(now);
        match intent {
            Intent::Say(say) => self.told(&say.say, performer.last_told()),
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

    /// A line, or another piece of one.
    fn told(&mut self, text: &str, line: Option<Spoken>) {
        let Some(Spoken { line: number, from, said, .. }) = line else { return };
        if let Some(Line { bar, .. }) = self.lines.iter_mut().find(|line| line.number == number) {
            bar.name = words::shortened(&format!("{}{text}", bar.name));
        } else if self.lines.len() < MAX_WAITING {
            let bar = bar(Lane::Speech, BarKind::Line, from, said, words::shortened(text), true);
            self.lines.push(Line { number, bar, is_told: false, is_over: false });
        }
    }

    /// Lines are where the performer has them; what it does not know any more is over, or never was.
    fn place_lines(&mut self, performer: &Performer, now: f64) {
        self.lines.retain_mut(|Line { number, bar, is_told, is_over }| {
            match performer.lines().find(|spoken| spoken.line == *number) {
                Some(Spoken { from, said, until, .. }) => {
                    // A floor that is held is not free.
                    (bar.start, bar.end) = (from, said.max(now.min(until)));
                    *is_over = until <= now;
                }
                None => (bar.end, *is_over) = (bar.end.min(now), true),
            }
            *is_told || !*is_over || bar.start <= bar.end
        });
    }

    /// Something that was said could not be done.
    pub fn remark(&mut self, now: f64, wish: u64, why: String) {
        self.events.push((now, Happening::Dropped { wish, asked: true, why }));
    }

    /// Looks at a performer that has just been advanced.
    pub fn look_on(&mut self, performer: &mut Performer) {
        let now = performer.frame().time();
        let library = Arc::clone(performer.library());
        if let Some(graph) = library.graph() {
            for note in performer.take_notes() {
                self.noted(graph, &note);
            }
            for layer in Layer::ALL {
                let stance = performer.planner().and_then(|planner| planner.stance(layer));
                self.held(layer, stance.map(|stance| graph.stances()[stance].name.as_str()), now);
            }
        } else {
            let played = performer.playing(Layer::Body);
            let name = |clip: usize| library.motions().get(clip).map_or("", |motion| motion.name());
            self.played(played.map(|(clip, since)| (name(clip), since)), now);
        }
        self.watch_eyes(performer, now);
        self.place_lines(performer, now);
        self.speak(now);
        let activity = performer.planner().map_or(self.activity, Planner::activity);
        if activity != self.activity {
            self.activity = activity;
            self.events.push((now, Happening::State { be: activity }));
        }
    }

    fn noted(&mut self, graph: &Graph, note: &Note) {
        match note {
            Note::Began(began) => {
                if let Some(action) = graph.actions().get(began.action) {
                    self.began(graph, action, began);
                }
            }
            Note::Cut { began, at, .. } => self.cut(*began, *at),
            Note::Dropped { id, origin, at, why } => {
                let asked = *origin == Origin::Agent;
                // What the behaviour model could not do is nobody's business.
                if asked {
                    let why = why.sentence().to_owned();
                    self.events.push((*at, Happening::Dropped { wish: *id, asked, why }));
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
            self.put(layer, Bar { why: Some(words::why(began)), ..bar });
        }
        let (wish, until) = (began.id, began.until);
        self.events.push((began.at, Happening::Began { name, wish, asked, until }));
    }

    fn cut(&mut self, began: f64, at: f64) {
        let mut name = None;
        for open in &mut self.layers {
            let is_it = |bar: &Bar| bar.start == began && bar.kind != BarKind::Stance;
            if let Some(mut bar) = open.take_if(|bar| is_it(bar)) {
                name = Some(bar.name.clone());
                bar.end = at;
                finish(&mut self.over, bar);
            }
        }
        self.events.extend(name.map(|name| (at, Happening::Cut { name })));
    }

    /// Begins a bar on a layer; what was there ends.
    fn put(&mut self, layer: Layer, bar: Bar) {
        if let Some(mut last) = self.layers[layer as usize].take() {
            last.end = if last.kind == BarKind::Stance { bar.start } else { last.end.min(bar.start) };
            finish(&mut self.over, last);
        }
        self.layers[layer as usize] = Some(bar);
    }

    /// Between actions a layer is in a stance.
    fn held(&mut self, layer: Layer, stance: Option<&str>, now: f64) {
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
            finish(&mut self.over, last);
        }
        let held = |name: &str| bar(lane(layer), BarKind::Stance, since, now, name.to_owned(), false);
        self.layers[layer as usize] = stance.map(held);
    }

    /// Who has clips and no repertoire plays one after another.
    fn played(&mut self, clip: Option<(&str, f64)>, now: f64) {
        let open = &mut self.layers[Layer::Body as usize];
        match (open.as_mut(), clip) {
            (Some(bar), Some((_, since))) if bar.start == since => bar.end = now,
            (_, Some((name, since))) => {
                let bar = bar(Lane::Body, BarKind::Gesture, since, now, name.to_owned(), false);
                self.put(Layer::Body, bar);
            }
            (Some(_), None) => self.over.extend(open.take()),
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
                self.over.extend(self.blink.take());
            }
            (None, true) => {
                let asked = (now - self.blink_asked).abs() < ASKED_BLINK_SECS;
                self.blink = Some(bar(Lane::Blinks, BarKind::Blink, now, now, "blink".to_owned(), asked));
                self.events.push((now, Happening::Blink));
            }
            (None, false) => {}
        }
        self.gaze_at(gaze, now);
    }

    fn gaze_at(&mut self, gaze: DVec3, now: f64) {
        while let Some((_, is_asked)) = self.looks.pop_due(now) {
            (self.is_look_asked, self.followed) = (is_asked, None);
        }
        self.look.iter_mut().for_each(|look| look.end = now);
        let Some(since) = self.landing.see(now, gaze) else { return };
        if self.look.is_some() && angle_between_deg(self.gaze, gaze) > LEAST_SHIFT_DEG {
            let Direction { yaw_deg: yaw, pitch_deg: pitch } = Direction::of(gaze);
            self.events.push((since, Happening::GazeShift { yaw, pitch }));
        }
        self.gaze = gaze;
        let to = |place: DVec3| place - self.eyes;
        let name = words::gaze(gaze, to(self.viewer), self.followed.map(to));
        self.look_at(bar(Lane::Gaze, BarKind::Look, since, now, name, self.is_look_asked));
    }

    /// Begins a look; small shifts on the same thing are one.
    fn look_at(&mut self, bar: Bar) {
        match &mut self.look {
            Some(last) if last.name == bar.name && last.asked == bar.asked => last.end = bar.end,
            look => {
                if let Some(mut last) = look.replace(bar) {
                    last.end = look.as_ref().map_or(last.end, |next| next.start);
                    finish(&mut self.over, last);
                }
            }
        }
    }

    fn speak(&mut self, now: f64) {
        for line in self.lines.iter_mut().filter(|line| !line.is_told && line.bar.start <= now) {
            line.is_told = true;
            let (say, until) = (line.bar.name.clone(), line.bar.end);
            self.events.push((line.bar.start, Happening::Line { say, until }));
        }
        self.over.extend(self.lines.extract_if(.., |line| line.is_over).map(|line| line.bar));
    }

    /// What goes on, and lines that are still to come.
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

/// What took no time is not worth a bar.
fn finish(over: &mut Vec<Bar>, bar: Bar) {
    if bar.end > bar.start {
        over.push(bar);
    }
}
