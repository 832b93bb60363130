//! Parses blocks of the text form: stances and motions with their tracks.
//!
//! One block can define several motions: one for each stance that it names and, with `L R` or `mirror`, one for each
//! side. The mirrored version is parsed again with left and right exchanged. The parser of the file passes each block
//! to [`Score::read_stance`] or [`Score::read_pieces`], which add the result to the score. Errors carry the line number
//! of the row. Stances, places and hand shapes must be defined before they are used, so the compiler can rely on every
//! name.

use super::words::{Sense, Words, angles, is_name, number, shrug, way};
use super::{Craft, Key, Line, Part, Piece, PieceKind, Row, Score, StanceText, TrackText, Who};
use crate::motion::Side;
use crate::stances::transition_name;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::rig::{Bone, Expression};

/// A result whose error has a line number.
type LineResult<T> = Result<T, (usize, String)>;

/// Minimum and maximum duration of a motion, in seconds.
const SECONDS: [f32; 2] = [0.4, 30.0];

/// Maximum number of keys in a track.
const MAX_KEYS: usize = 200;

/// The first line of a motion.
#[derive(Clone)]
struct Head {
    kind: PieceKind,
    name: String,
    stances: Vec<String>,
    seconds: f32,
    hands: Hands,
    tags: Vec<String>,
    likelihood: f64,
    layers: Vec<Layer>,
    craft: Craft,
}

/// The hands that perform a motion.
#[derive(Clone, Copy, PartialEq)]
enum Hands {
    None,
    One(Hand),
    /// Two motions: one for the left hand, and the mirror image for the right hand.
    Each,
    /// Two motions without a hand label: as written for the left side, and the mirror image.
    Mirror,
}

/// Settings for reading a block.
#[derive(Clone, Copy)]
struct Reading {
    seconds: f32,
    /// True if keys have times: they do in motions, but not in stances.
    timed: bool,
    own: Who,
    swaps: bool,
}

impl Score {
    pub(super) fn read_stance(
        &mut self,
        mut words: Words<'_>,
        head: &Row<'_>,
        body: &[Row<'_>],
    ) -> LineResult<()> {
        let at_head = |message: String| (head.number, message);
        let name = words.name("the stance's name").map_err(at_head)?.to_owned();
        words.expect("layers").map_err(at_head)?;
        let layers = layers(words.word("its layers").map_err(at_head)?).map_err(at_head)?;
        words.end().map_err(at_head)?;
        if self.stances.iter().any(|stance| stance.name == name) {
            return Err(at_head(format!("duplicate stance “{name}”; rename one")));
        }
        let reading = Reading { seconds: 0.0, timed: false, own: Who::Both, swaps: false };
        let mut stance = StanceText {
            name,
            layers,
            lines: Vec::new(),
            ways: Default::default(),
            way_fingers: Default::default(),
        };
        for row in body {
            let at_row = |message: String| (row.number, message);
            let text = row.text.trim_start();
            if let Some(way) = text.strip_prefix("way ") {
                self.read_way(way, &mut stance).map_err(at_row)?;
            } else {
                self.read_line(text, reading, &mut stance.lines).map_err(at_row)?;
            }
        }
        self.stances.push(stance);
        Ok(())
    }

    /// Parses `way left arm near, far` or `way fingers flat`.
    fn read_way(&self, text: &str, stance: &mut StanceText) -> Result<(), String> {
        let reading = Reading { seconds: 0.0, timed: false, own: Who::Both, swaps: false };
        let (who, text) = reading.who(text.trim_start())?;
        let (track, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let sides = Side::BOTH.into_iter().filter(|side| who.unwrap_or(Who::Both).includes(*side));
        match track {
            "arm" => {
                let mut keys = Vec::new();
                for key in rest.split(',') {
                    let before = keys.last().copied();
                    keys.push(self.arm_key(&mut Words::new(key), before)?);
                }
                sides.for_each(|side| stance.ways[side as usize] = keys.clone());
            }
            "fingers" => {
                let edits = self.edits(&mut Words::new(rest))?;
                sides.for_each(|side| stance.way_fingers[side as usize] = Some(edits.clone()));
            }
            _ => return Err(format!("“{track}” cannot have a way; only arm and fingers can")),
        }
        Ok(())
    }

    pub(super) fn read_pieces(
        &mut self,
        kind: &str,
        words: Words<'_>,
        head: &Row<'_>,
        body: &[Row<'_>],
    ) -> LineResult<()> {
        let at_head = |message: String| (head.number, message);
        let block = self.read_head(kind, words).map_err(at_head)?;
        for (index, stance) in block.stances.iter().enumerate() {
            let name = if index == 0 { block.name.clone() } else { format!("{}_{stance}", block.name) };
            for version in block.versions() {
                let lines = self.read_lines(body, block.seconds, version.own, version.swaps)?;
                let stance = if version.swaps { self.mirrored_stance(stance) } else { stance.clone() };
                let name = format!("{name}{}", version.suffix);
                self.add(block.piece(name, stance, version.hand, lines)).map_err(at_head)?;
            }
        }
        Ok(())
    }

    /// Returns the name of the mirrored stance, such as `weight-right` for `weight-left`.
    fn mirrored_stance(&self, name: &str) -> String {
        let swapped = match (name.strip_suffix("-left"), name.strip_suffix("-right")) {
            (Some(stem), _) => format!("{stem}-right"),
            (_, Some(stem)) => format!("{stem}-left"),
            _ => return name.to_owned(),
        };
        if self.stances.iter().any(|stance| stance.name == swapped) { swapped } else { name.to_owned() }
    }

    fn layers_of(&self, stance: &str) -> Result<&[Layer], String> {
        let known = self.stances.iter().find(|known| known.name == stance);
        known
            .map(|known| &known.layers[..])
            .ok_or_else(|| format!("unknown stance “{stance}”; define it before"))
    }

    fn add(&mut self, piece: Piece) -> Result<(), String> {
        let layers = self.layers_of(&piece.stance)?;
        if let PieceKind::Transition(to) = &piece.kind
            && self.layers_of(to)? != layers
        {
            return Err(format!(
                "“{}” and “{to}” use different layers; a transition needs two stances with the same layers",
                piece.stance
            ));
        }
        if let Some(foreign) = piece.layers.iter().find(|layer| !layers.contains(layer)) {
            return Err(format!(
                "the stance “{}” does not use the layer {}; remove it",
                piece.stance,
                foreign.name()
            ));
        }
        if self.pieces.iter().any(|other| other.name == piece.name) {
            return Err(format!("duplicate motion “{}”; rename one", piece.name));
        }
        self.pieces.push(piece);
        Ok(())
    }

    fn read_lines(&self, body: &[Row<'_>], seconds: f32, own: Who, swaps: bool) -> LineResult<Vec<Line>> {
        let reading = Reading { seconds, timed: true, own, swaps };
        let mut lines = Vec::new();
        for row in body {
            self.read_line(row.text.trim_start(), reading, &mut lines)
                .map_err(|message| (row.number, message))?;
        }
        Ok(lines)
    }

    /// Parses a track with its keys. The keys are appended if an earlier line has the same track.
    fn read_line(&self, text: &str, reading: Reading, lines: &mut Vec<Line>) -> Result<(), String> {
        let (who, text) = reading.who(text)?;
        let (track, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let sense = reading.sense();
        let (new, sided) = match track {
            "arm" => (TrackText::Arm(Vec::new()), true),
            "fingers" => {
                let keys = reading.keys(rest, |words| self.edits(words))?;
                (TrackText::Fingers(keys), true)
            }
            "shoulder" => (TrackText::Shoulder(reading.keys(rest, shrug)?), true),
            "hips" => (TrackText::Hips(reading.keys(rest, |words| way(words, sense))?), false),
            "face" => (face(rest, reading)?, false),
            _ => (TrackText::Turn(part(track)?, reading.keys(rest, |words| angles(words, sense))?), false),
        };
        let who = if sided { who.unwrap_or(reading.own) } else { Who::Both };
        if lines.iter().any(|line| line.replaces(who, &new)) {
            return Err(format!(
                "one line has the {track} of both sides and another that of one side; write one line for left and one \
                 for right"
            ));
        }
        let known = lines.iter_mut().find(|line| line.who == who && line.track.is_same(&new));
        let line = match known {
            Some(line) => line,
            None => {
                lines.push(Line { who, track: new.emptied() });
                lines.last_mut().expect("a line was just added")
            }
        };
        if let TrackText::Arm(keys) = &mut line.track {
            let mut before = keys.last().map(|key| key.value);
            let more = reading.keys(rest, |words| {
                let arm = self.arm_key(words, before)?;
                before = Some(arm);
                Ok(arm)
            })?;
            return append(keys, more, reading.timed);
        }
        line.track.extend(new, reading.timed)
    }

    fn read_head(&self, kind: &str, mut words: Words<'_>) -> Result<Head, String> {
        let (kind, name, stances) =
            if kind == "transition" { from_and_to(&mut words)? } else { name_and_stances(kind, &mut words)? };
        let length = words.word("the duration (for example 2.5s)")?;
        let secs = length
            .strip_suffix('s')
            .ok_or_else(|| format!("“{length}” is not a duration; write it as in 2.5s"))?;
        let seconds = number(secs, "the duration", SECONDS[0], SECONDS[1])?;
        let craft = Craft { trails: true, swings: true, uneven: true };
        let (hands, tags, layers) = (Hands::None, Vec::new(), Vec::new());
        let mut head = Head { kind, name, stances, seconds, hands, tags, likelihood: 1.0, layers, craft };
        while let Some(word) = words.take() {
            head.read_option(word, &mut words)?;
        }
        Ok(head)
    }
}

/// Parses `calm -> tense` of a transition. These stances also give the name of the transition.
fn from_and_to(words: &mut Words<'_>) -> Result<(PieceKind, String, Vec<String>), String> {
    let from = words.name("the start stance")?.to_owned();
    words.expect("->")?;
    let to = words.name("the target stance")?.to_owned();
    if from == to {
        return Err(format!("the transition leads from “{from}” to itself; name another target stance"));
    }
    Ok((PieceKind::Transition(to.clone()), transition_name(&from, &to), vec![from]))
}

/// Parses `wave in calm,tense` of other motions.
fn name_and_stances(kind: &str, words: &mut Words<'_>) -> Result<(PieceKind, String, Vec<String>), String> {
    let name = words.name("the motion's name")?.to_owned();
    words.expect("in")?;
    let stances = list(words.word("its stance")?)?;
    let kind = match kind {
        "gesture" => PieceKind::Gesture,
        "fidget" => PieceKind::Fidget,
        _ => PieceKind::Spare,
    };
    Ok((kind, name, stances))
}

/// A version of a motion, performed by one hand or side.
struct Version {
    suffix: &'static str,
    hand: Option<Hand>,
    own: Who,
    swaps: bool,
}

impl Head {
    fn versions(&self) -> Vec<Version> {
        let one =
            |hand: Option<Hand>| Version { suffix: "", hand, own: hand.map_or(Who::Both, who), swaps: false };
        let hand = |hand: Hand| (self.hands == Hands::Each).then_some(hand);
        match self.hands {
            Hands::None => vec![one(None)],
            Hands::One(hand) => vec![one(Some(hand))],
            Hands::Each | Hands::Mirror => vec![
                Version { suffix: "_left", ..one(hand(Hand::Left)) },
                Version { suffix: "_right", swaps: true, ..one(hand(Hand::Right)) },
            ],
        }
    }

    fn piece(&self, name: String, stance: String, hand: Option<Hand>, lines: Vec<Line>) -> Piece {
        Piece {
            kind: self.kind.clone(),
            name,
            stance,
            seconds: self.seconds,
            hand,
            tags: self.tags.clone(),
            likelihood: self.likelihood,
            layers: self.layers.clone(),
            craft: self.craft,
            lines,
        }
    }

    /// Parses a word of the first line, after the duration.
    fn read_option(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), String> {
        match word {
            "L" if words.take_if("R") => self.hands = Hands::Each,
            "L" => self.hands = Hands::One(Hand::Left),
            "R" => self.hands = Hands::One(Hand::Right),
            "LR" => self.hands = Hands::One(Hand::Both),
            "mirror" => self.hands = Hands::Mirror,
            "tags" => self.tags = list(words.word("the list of tags")?)?,
            "likely" => self.likelihood = f64::from(words.number("the likelihood", 0.0, 100.0)?),
            "layers" => self.layers = layers(words.word("the layers")?)?,
            "crisp" => self.craft.trails = false,
            "plain" => self.craft.swings = false,
            "even" => self.craft.uneven = false,
            _ => {
                return Err(format!(
                    "unexpected “{word}”; after the duration use L, R, LR, L R, mirror, tags, likely, \
                     layers, crisp, plain or even"
                ));
            }
        }
        Ok(())
    }
}

impl Who {
    pub(crate) fn includes(self, side: Side) -> bool {
        self == Self::Both || self == Self::One(side)
    }
}

fn who(hand: Hand) -> Who {
    match hand {
        Hand::Left => Who::One(Side::Left),
        Hand::Right => Who::One(Side::Right),
        Hand::Both => Who::Both,
    }
}

impl Reading {
    /// Parses the side at the start of a line. Returns the side, if there is one, and the rest of the line.
    fn who<'a>(&self, text: &'a str) -> Result<(Option<Who>, &'a str), String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let swap = |side: Side| Who::One(if self.swaps { side.other() } else { side });
        let who = match (word, self.own) {
            ("left", _) => swap(Side::Left),
            ("right", _) => swap(Side::Right),
            ("both", _) => Who::Both,
            ("other", Who::One(side)) => Who::One(side.other()),
            ("other", Who::Both) => {
                return Err("“other” needs a motion of one hand; write left or right".to_owned());
            }
            _ => return Ok((None, text)),
        };
        let rest = rest.trim_start();
        let sided = ["arm", "fingers", "shoulder"];
        let track = rest.split_whitespace().next().unwrap_or_default();
        if !sided.contains(&track) {
            return Err(format!("“{track}” cannot have a side; only arm, fingers and shoulder can"));
        }
        Ok((Some(who), rest))
    }

    fn sense(&self) -> Sense {
        let out = if self.own == Who::One(Side::Right) { -1.0 } else { 1.0 };
        let left = if self.swaps { -1.0 } else { 1.0 };
        // In a mirror image without a hand label, `out` is swapped like `left`.
        Sense { out: if self.own == Who::Both { left } else { out }, left }
    }

    /// Parses keys separated by commas.
    fn keys<T>(
        &self,
        text: &str,
        mut value: impl FnMut(&mut Words<'_>) -> Result<T, String>,
    ) -> Result<Vec<Key<T>>, String> {
        text.split(',')
            .map(|key| {
                let mut words = Words::new(key);
                let secs = if self.timed { self.time(&mut words)? } else { 0.0 };
                let is_via = words.take_if("via");
                let value = value(&mut words)?;
                words.end()?;
                Ok(Key { secs, is_via, value })
            })
            .collect()
    }

    fn time(&self, words: &mut Words<'_>) -> Result<f32, String> {
        let secs = words.number("the time of a key", 0.0, SECONDS[1])?;
        if secs > 0.0 && secs < self.seconds {
            Ok(secs)
        } else {
            Err(format!(
                "the key at {secs} s is not within the motion, which lasts {} s; move it",
                self.seconds
            ))
        }
    }
}

fn face(text: &str, reading: Reading) -> Result<TrackText, String> {
    let (name, rest) = text.trim_start().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let expression = Expression::from_name(name)
        .ok_or_else(|| format!("unknown expression “{name}”; use for example happy, relaxed or surprised"))?;
    let keys = reading.keys(rest, |words| words.number("the expression's weight", 0.0, 1.0))?;
    Ok(TrackText::Face(expression, keys))
}

fn part(word: &str) -> Result<Part, String> {
    Ok(match word {
        "lean" => Part::Lean,
        "eyes" => Part::Eyes,
        "head" => Part::Bone(Bone::Head),
        "neck" => Part::Bone(Bone::Neck),
        "upper-chest" => Part::Bone(Bone::UpperChest),
        "chest" => Part::Bone(Bone::Chest),
        "spine" => Part::Bone(Bone::Spine),
        "pelvis" => Part::Bone(Bone::Hips),
        _ => {
            return Err(format!(
                "unknown track “{word}”; use arm, fingers, shoulder, lean, spine, chest, upper-chest, \
                 neck, head, eyes, hips, pelvis or face"
            ));
        }
    })
}

fn list(word: &str) -> Result<Vec<String>, String> {
    word.split(',')
        .map(|name| {
            is_name(name)
                .then(|| name.to_owned())
                .ok_or_else(|| format!("“{word}” is not a list of names; write it as a,b,c without spaces"))
        })
        .collect()
}

fn layers(word: &str) -> Result<Vec<Layer>, String> {
    word.split(',')
        .map(|name| {
            Layer::from_name(name).ok_or_else(|| format!("unknown layer “{name}”; use body, arms or head"))
        })
        .collect()
}

fn append<T>(keys: &mut Vec<Key<T>>, more: Vec<Key<T>>, timed: bool) -> Result<(), String> {
    if !timed && (more.len() > 1 || !keys.is_empty()) {
        return Err("a stance has no motion; give one key per track, without a time".to_owned());
    }
    for key in more {
        if let Some(last) = keys.last().filter(|last| last.secs >= key.secs) {
            return Err(format!(
                "the key at {} s is not after the one at {} s; sort the keys by time",
                key.secs, last.secs
            ));
        }
        keys.push(key);
    }
    if keys.len() > MAX_KEYS {
        Err(format!("a track has more than {MAX_KEYS} keys; remove some"))
    } else {
        Ok(())
    }
}

impl Line {
    /// Returns true if one track would replace the other: both animate the same part, and only one of them is for
    /// both sides. Tracks of shoulders are added up, so they never replace each other.
    fn replaces(&self, who: Who, other: &TrackText) -> bool {
        let sides = [self.who, who];
        let is_mixed = sides.contains(&Who::Both) && sides[0] != sides[1];
        is_mixed && !matches!(other, TrackText::Shoulder(_)) && self.track.is_same(other)
    }
}

impl TrackText {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Turn(a, _), Self::Turn(b, _)) => a == b,
            (Self::Face(a, _), Self::Face(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    fn emptied(&self) -> Self {
        match self {
            Self::Arm(_) => Self::Arm(Vec::new()),
            Self::Fingers(_) => Self::Fingers(Vec::new()),
            Self::Turn(part, _) => Self::Turn(*part, Vec::new()),
            Self::Shoulder(_) => Self::Shoulder(Vec::new()),
            Self::Hips(_) => Self::Hips(Vec::new()),
            Self::Face(face, _) => Self::Face(*face, Vec::new()),
        }
    }

    fn extend(&mut self, more: Self, timed: bool) -> Result<(), String> {
        match (self, more) {
            (Self::Fingers(keys), Self::Fingers(more)) => append(keys, more, timed),
            (Self::Turn(_, keys), Self::Turn(_, more)) => append(keys, more, timed),
            (Self::Shoulder(keys), Self::Shoulder(more)) => append(keys, more, timed),
            (Self::Hips(keys), Self::Hips(more)) => append(keys, more, timed),
            (Self::Face(_, keys), Self::Face(_, more)) => append(keys, more, timed),
            _ => Ok(()),
        }
    }
}
