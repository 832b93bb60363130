//! Parses words of the text form: numbers, directions, arms, fingers and rotations.
//!
//! The text form is meant to be written by hand, so a line consists of plain words, and angles and distances are given
//! as `left 12` or `up 3`. [`Words`] takes the words of a line or key one by one. The functions for values, such as
//! [`angles`] and [`Score::arm_key`], take what they need, check the range, and convert centimetres to metres. An error
//! is a text without a place, because the caller knows the line number and adds it.

use super::{ArmKey, Digit, Edit, HandWay, Score};
use glam::Vec3;

/// The words of a line or a key, read one by one.
pub(super) struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
}

/// Maximum absolute value of each coordinate of a wrist, in centimetres. The origin is between the feet.
const MAX_CM: f32 = 250.0;

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { words: text.split_whitespace().collect(), next: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    pub(super) fn take(&mut self) -> Option<&'a str> {
        let word = self.peek();
        self.next += 1;
        word
    }

    /// Takes the next word if it equals `word`. Returns true if it does.
    pub(super) fn take_if(&mut self, word: &str) -> bool {
        let is_match = self.peek() == Some(word);
        self.next += usize::from(is_match);
        is_match
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.take().ok_or_else(|| format!("{what} is missing; add it"))
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.take() {
            Some(found) if found == word => Ok(()),
            Some(found) => Err(format!("expected “{word}”, found “{found}”")),
            None => Err(format!("expected “{word}”, but the line ends; add it")),
        }
    }

    /// Takes the next word, which must be a name: lower-case letters, digits, `-` and `_`. `what` describes the name
    /// in errors.
    pub(super) fn name(&mut self, what: &str) -> Result<&'a str, String> {
        let name = self.word(what)?;
        is_name(name).then_some(name).ok_or_else(|| {
            format!(
                "“{name}” is not a valid name; \
                names start with a lower-case letter and contain a-z, 0-9, - and _"
            )
        })
    }

    pub(super) fn number(&mut self, what: &str, least: f32, greatest: f32) -> Result<f32, String> {
        let word = self.word(what)?;
        number(word, what, least, greatest)
    }

    pub(super) fn end(&self) -> Result<(), String> {
        self.peek().map_or(Ok(()), |word| Err(format!("unexpected “{word}”; remove it")))
    }
}

pub(super) fn is_name(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    word.len() <= 64 && word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(fits)
}

pub(super) fn number(word: &str, what: &str, least: f32, greatest: f32) -> Result<f32, String> {
    let value: f32 = word.parse().map_err(|_| format!("{what}: “{word}” is not a number"))?;
    if (least..=greatest).contains(&value) {
        Ok(value)
    } else {
        Err(format!("{what} is {word}; it must be {least} to {greatest}"))
    }
}

fn is_number(word: Option<&str>) -> bool {
    word.is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+')))
}

/// Parses `in.3+up`: a sum of weighted directions.
fn direction(word: &str) -> Result<Vec3, String> {
    let mut sum = Vec3::ZERO;
    for part in word.split('+') {
        let cut = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
        let (name, share) = part.split_at(cut);
        let share = if share.is_empty() { 1.0 } else { number(share, "a weight", 0.0, 10.0)? };
        sum += share
            * match name {
                "out" => Vec3::X,
                "in" => Vec3::NEG_X,
                "up" => Vec3::Y,
                "down" => Vec3::NEG_Y,
                "front" => Vec3::Z,
                "back" => Vec3::NEG_Z,
                _ => {
                    return Err(format!(
                        "“{word}” is not a direction; use sums of up, down, in, out, front and back, as in \
                         in.3+up"
                    ));
                }
            };
    }
    sum.try_normalize().ok_or_else(|| {
        format!("“{word}” is not a direction, because its parts cancel each other; remove one")
    })
}

fn metres(words: &mut Words<'_>, least: f32, greatest: f32) -> Result<Vec3, String> {
    let mut cm = [0.0; 3];
    for (value, what) in
        cm.iter_mut().zip(["the distance outwards", "the height", "the distance to the front"])
    {
        *value = words.number(what, least, greatest)?;
    }
    Ok(Vec3::from(cm) * 0.01)
}

impl Score {
    /// Parses an arm: a place, given by name or in centimetres, and changes to it. Without a place, the arm continues
    /// from the previous key.
    pub(super) fn arm_key(&self, words: &mut Words<'_>, before: Option<ArmKey>) -> Result<ArmKey, String> {
        let mut arm = self.arm_start(words, before)?;
        while let Some(word) = words.take() {
            match word {
                "by" => arm.wrist += metres(words, -60.0, 60.0)?,
                "elbow" => arm.elbow = Some(direction(words.word("the elbow's direction")?)?),
                "palm" => arm.palm = Some(direction(words.word("the palm's direction")?)?),
                "hand" if words.take_if("straight") => arm.hand = Some(HandWay::AlongForearm),
                "hand" => arm.hand = Some(HandWay::To(direction(words.word("the fingers' direction")?)?)),
                _ => {
                    return Err(format!(
                        "unexpected “{word}” in an arm; after the place use by, elbow, palm or hand"
                    ));
                }
            }
        }
        Ok(arm)
    }

    fn arm_start(&self, words: &mut Words<'_>, before: Option<ArmKey>) -> Result<ArmKey, String> {
        let stance = ArmKey { from_stance: true, wrist: Vec3::ZERO, elbow: None, palm: None, hand: None };
        if is_number(words.peek()) {
            let wrist = metres(words, -MAX_CM, MAX_CM)?;
            let kept = before.unwrap_or(stance);
            return Ok(ArmKey { from_stance: false, wrist, ..kept });
        }
        match words.peek() {
            None | Some("by" | "elbow" | "palm" | "hand") => Ok(before.unwrap_or(stance)),
            Some("stance") => {
                words.take();
                Ok(stance)
            }
            Some(name) => {
                words.take();
                self.places.get(name).copied().ok_or_else(|| {
                    format!("unknown place “{name}”; define it before, as in place {name} = 20 110 25 …")
                })
            }
        }
    }

    /// Parses a hand shape: names of shapes, and fingers with their degrees.
    pub(super) fn edits(&self, words: &mut Words<'_>) -> Result<Vec<Edit>, String> {
        let mut edits = Vec::new();
        while let Some(word) = words.take() {
            if word == "stance" {
                continue;
            }
            if let Some(shape) = self.shapes.get(word) {
                edits.extend(shape);
                continue;
            }
            let what = digit(word)?;
            let number = words.word("the angle in degrees")?;
            let degrees = self::number(number, "the angle", -90.0, 120.0)?;
            edits.push(Edit { what, degrees, adds: number.starts_with(['+', '-']) });
        }
        if edits.len() > 64 {
            return Err("too many hand changes in one key; define a shape and use its name".to_owned());
        }
        Ok(edits)
    }
}

fn digit(word: &str) -> Result<Digit, String> {
    Ok(match word {
        "curl" => Digit::Curl,
        "index" => Digit::Finger(0),
        "middle" => Digit::Finger(1),
        "ring" => Digit::Finger(2),
        "little" => Digit::Finger(3),
        "spread" => Digit::Spread,
        "thumb" => Digit::Thumb,
        "thumb-in" => Digit::ThumbIn,
        "thumb-out" => Digit::ThumbOut,
        _ => {
            return Err(format!(
                "unknown shape “{word}”; use a defined hand shape, or curl, index, middle, ring, little, \
                 spread, thumb, thumb-in or thumb-out with degrees"
            ));
        }
    })
}

/// The meaning of left and right in a block. It depends on the hand that performs the motion, and on mirroring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sense {
    /// +1 if `out` means to the left, else −1.
    pub(super) out: f32,
    /// −1 if left and right are swapped, else +1.
    pub(super) left: f32,
}

/// Parses rotations such as `left 4 down 2 tilt-right 3`. Returns yaw to the left, pitch down and roll to the right,
/// in degrees.
pub(super) fn angles(words: &mut Words<'_>, sense: Sense) -> Result<[f32; 3], String> {
    let mut sum = [0.0_f32; 3];
    while let Some(word) = words.take() {
        let (axis, sign) = match word {
            "left" => (0, sense.left),
            "right" => (0, -sense.left),
            "out" => (0, sense.out),
            "in" => (0, -sense.out),
            "down" => (1, 1.0),
            "up" => (1, -1.0),
            "tilt-left" => (2, -sense.left),
            "tilt-right" => (2, sense.left),
            "tilt-out" => (2, -sense.out),
            "tilt-in" => (2, sense.out),
            _ => {
                return Err(format!(
                    "unknown rotation “{word}”; use left, right, up, down, in, out, tilt-left, \
                     tilt-right, tilt-in or tilt-out, each with degrees"
                ));
            }
        };
        sum[axis] += sign * words.number("the angle", -90.0, 90.0)?;
    }
    Ok(sum)
}

/// Parses a movement of the hips in centimetres, such as `left 2 down 0.4 back 1`. Returns it in metres.
pub(super) fn way(words: &mut Words<'_>, sense: Sense) -> Result<Vec3, String> {
    let mut sum = Vec3::ZERO;
    while let Some(word) = words.take() {
        let axis = match word {
            "left" => Vec3::X * sense.left,
            "right" => Vec3::NEG_X * sense.left,
            "out" => Vec3::X * sense.out,
            "in" => Vec3::NEG_X * sense.out,
            "up" => Vec3::Y,
            "down" => Vec3::NEG_Y,
            "front" => Vec3::Z,
            "back" => Vec3::NEG_Z,
            _ => {
                return Err(format!(
                    "unknown direction “{word}” for the hips; use left, right, in, out, up, down, front or \
                     back, each with centimetres"
                ));
            }
        };
        sum += axis * words.number("the distance in centimetres", -20.0, 20.0)? * 0.01;
    }
    Ok(sum)
}

/// Parses a movement of a shoulder, such as `up 8 front 3`. Returns the angles up and to the front, in degrees.
pub(super) fn shrug(words: &mut Words<'_>) -> Result<[f32; 2], String> {
    let mut sum = [0.0_f32; 2];
    while let Some(word) = words.take() {
        let (axis, sign) = match word {
            "up" => (0, 1.0),
            "down" => (0, -1.0),
            "front" => (1, 1.0),
            "back" => (1, -1.0),
            _ => {
                return Err(format!(
                    "unknown direction “{word}” for a shoulder; use up, down, front or back, each with degrees"
                ));
            }
        };
        sum[axis] += sign * words.number("the angle", -30.0, 30.0)?;
    }
    Ok(sum)
}
