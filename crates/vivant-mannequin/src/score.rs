//! The text form of motions, and its parser.
//!
//! A file consists of blocks. The first line of a block defines its kind. The indented lines after it are tracks,
//! each with keys separated by commas. `docs/reference/motions.md` explains every word.
//!
//! ```text
//! place ready = 23 112 25  elbow out.6+down+back.6  palm in.8+up.3  hand front
//!
//! gesture beat in arms-at-sides 2.6s L R tags beat likely 0.8 layers arms
//!   arm      0.55 ready, 0.8 by 1 -8 5, 1.75 by 2 2 -3, 2.1 via lift
//!   fingers  0.6 relaxed, 0.85 flat
//!   head     0.82 down 3, 1.15, 1.45 down 3
//! ```

mod block;
mod words;

use crate::hand::HandShape;
use crate::motion::Side;
use glam::Vec3;
use std::collections::BTreeMap;
use std::fmt;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::rig::{Bone, Expression};
use words::Words;

/// The contents of all motion files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    places: BTreeMap<String, ArmKey>,
    shapes: BTreeMap<String, Vec<Edit>>,
    pub(crate) stances: Vec<StanceText>,
    pub(crate) pieces: Vec<Piece>,
}

/// A stance with its pose, and the waypoints of its arms.
#[derive(Clone, Debug)]
pub(crate) struct StanceText {
    pub(crate) name: String,
    pub(crate) layers: Vec<Layer>,
    pub(crate) lines: Vec<Line>,
    /// Waypoints of the left and the right arm, starting with the one nearest to the stance.
    pub(crate) ways: [Vec<ArmKey>; 2],
    /// Hand shapes on the way to the stance, left and right; `None` if they are the same as in the stance.
    pub(crate) way_fingers: [Option<Vec<Edit>>; 2],
}

/// The kind of a motion.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PieceKind {
    Gesture,
    Fidget,
    /// A transition to the stance with this name.
    Transition(String),
    /// A clip that the repertoire does not use.
    Spare,
}

/// A motion.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    pub(crate) name: String,
    pub(crate) stance: String,
    pub(crate) seconds: f32,
    pub(crate) hand: Option<Hand>,
    pub(crate) tags: Vec<String>,
    pub(crate) likelihood: f64,
    pub(crate) layers: Vec<Layer>,
    pub(crate) craft: Craft,
    pub(crate) lines: Vec<Line>,
}

/// Automatic additions to the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Craft {
    /// True if hands and fingers follow their wrists with a delay.
    pub(crate) trails: bool,
    /// True if fast strokes get anticipation and settling.
    pub(crate) swings: bool,
    /// True if two hands with the same track differ slightly.
    pub(crate) uneven: bool,
}

/// A track with its keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) who: Who,
    pub(crate) track: TrackText,
}

/// The side or sides to which a track applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    One(Side),
    Both,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TrackText {
    Arm(Vec<Key<ArmKey>>),
    Fingers(Vec<Key<Vec<Edit>>>),
    /// Yaw to the left, pitch down and roll to the right, in degrees.
    Turn(Part, Vec<Key<[f32; 3]>>),
    /// Movement of a shoulder up and to the front, in degrees.
    Shoulder(Vec<Key<[f32; 2]>>),
    /// Position offsets of the hips in metres.
    Hips(Vec<Key<Vec3>>),
    Face(Expression, Vec<Key<f32>>),
}

/// A part of the body that a track can rotate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Spine, chest and upper chest together. The neck rotates back, so that the gaze stays near the horizon.
    Lean,
    Eyes,
    Bone(Bone),
}

/// A value at a given time of a motion.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key<T> {
    pub(crate) secs: f32,
    pub(crate) is_via: bool,
    pub(crate) value: T,
}

/// The position of an arm, given as for the left arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArmKey {
    /// True if the wrist is relative to the stance, and all values that are not given are as in the stance.
    pub(crate) from_stance: bool,
    /// Position or offset of the wrist in metres.
    pub(crate) wrist: Vec3,
    pub(crate) elbow: Option<Vec3>,
    pub(crate) palm: Option<Vec3>,
    pub(crate) hand: Option<HandWay>,
}

/// Direction of the straight fingers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HandWay {
    AlongForearm,
    To(Vec3),
}

/// A change of a hand shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edit {
    pub(crate) what: Digit,
    pub(crate) degrees: f32,
    /// True if the degrees are added to those of the shape before the change.
    pub(crate) adds: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digit {
    /// All four fingers.
    Curl,
    /// Index, middle, ring or little finger.
    Finger(usize),
    Spread,
    Thumb,
    ThumbIn,
    ThumbOut,
}

impl Edit {
    /// Applies the change to a shape.
    pub(crate) fn apply(&self, shape: &mut HandShape) {
        let set = |value: &mut f32| *value = self.degrees + if self.adds { *value } else { 0.0 };
        match self.what {
            Digit::Curl => shape.fingers.iter_mut().for_each(set),
            Digit::Finger(finger) => set(&mut shape.fingers[finger]),
            Digit::Spread => set(&mut shape.spread),
            Digit::Thumb => set(&mut shape.thumb),
            Digit::ThumbIn => set(&mut shape.thumb_in),
            Digit::ThumbOut => set(&mut shape.thumb_out),
        }
    }
}

/// An error in a motion file, with its position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    file: String,
    line: usize,
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file, self.line, self.message)
    }
}

/// Maximum size of a file in bytes, and the maximum number of motions.
const MAX_BYTES: usize = 1 << 20;
const MAX_PIECES: usize = 2000;

/// A line of text without its comment.
#[derive(Clone, Copy)]
struct Row<'a> {
    number: usize,
    text: &'a str,
}

impl Score {
    /// Reads files, given as name and text. Definitions in one file can be used in the files after it.
    ///
    /// # Errors
    /// Returns the first error, with its file and line.
    pub(crate) fn read(files: &[(&str, &str)]) -> Result<Self, Fault> {
        let mut score = Self::default();
        for (file, text) in files {
            score.read_file(text).map_err(|(line, message)| Fault {
                file: (*file).to_owned(),
                line,
                message,
            })?;
        }
        Ok(score)
    }

    fn read_file(&mut self, text: &str) -> Result<(), (usize, String)> {
        if text.len() > MAX_BYTES {
            return Err((1, format!("the file is longer than {MAX_BYTES} bytes; split it")));
        }
        let rows: Vec<Row<'_>> = text.lines().enumerate().filter_map(Row::new).collect();
        let mut rest = &rows[..];
        while let Some((head, after)) = rest.split_first() {
            if head.is_indented() {
                let message = "there is no motion or stance before this indented line; \
                               start with the first line of a block";
                return Err((head.number, message.to_owned()));
            }
            let length = after.iter().take_while(|row| row.is_indented()).count();
            self.read_block(head, &after[..length])?;
            rest = &after[length..];
        }
        Ok(())
    }

    fn read_block(&mut self, head: &Row<'_>, body: &[Row<'_>]) -> Result<(), (usize, String)> {
        let at_head = |message: String| (head.number, message);
        let mut words = Words::new(head.text);
        let kind = words.word("the kind of block").map_err(at_head)?;
        if matches!(kind, "place" | "shape") {
            if let Some(row) = body.first() {
                return Err((
                    row.number,
                    format!("a {kind} must be a single line; write everything after “=”"),
                ));
            }
            return self.define(kind, words).map_err(at_head);
        }
        if self.pieces.len() >= MAX_PIECES {
            return Err(at_head(format!("too many motions; at most {MAX_PIECES} are supported")));
        }
        match kind {
            "stance" => self.read_stance(words, head, body),
            "gesture" | "fidget" | "clip" | "transition" => self.read_pieces(kind, words, head, body),
            _ => Err(at_head(format!(
                "unknown block “{kind}”; use place, shape, stance, transition, gesture, fidget \
                 or clip"
            ))),
        }
    }

    /// Reads `place chin = …` or `shape fist = …`.
    fn define(&mut self, kind: &str, mut words: Words<'_>) -> Result<(), String> {
        let name = words.name("its name")?.to_owned();
        words.expect("=")?;
        if is_reserved(&name) || self.places.contains_key(&name) || self.shapes.contains_key(&name) {
            return Err(format!("“{name}” is already defined or reserved; choose another name"));
        }
        if kind == "place" {
            let arm = self.arm_key(&mut words, None)?;
            words.end()?;
            self.places.insert(name, arm);
        } else {
            let edits = self.edits(&mut words)?;
            words.end()?;
            self.shapes.insert(name, edits);
        }
        Ok(())
    }
}

/// Returns true for words that cannot be names of places or shapes, because they have a special meaning.
fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "stance"
            | "via"
            | "by"
            | "elbow"
            | "palm"
            | "hand"
            | "curl"
            | "index"
            | "middle"
            | "ring"
            | "little"
            | "spread"
            | "thumb"
            | "thumb-in"
            | "thumb-out"
    )
}

impl<'a> Row<'a> {
    fn new((index, line): (usize, &'a str)) -> Option<Self> {
        let text = line.split('#').next().unwrap_or_default().trim_end();
        (!text.is_empty()).then_some(Self { number: index + 1, text })
    }

    fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t'])
    }
}

#[cfg(test)]
mod tests;
