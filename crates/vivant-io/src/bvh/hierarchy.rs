//! Reads the skeleton: everything between `HIERARCHY` and `MOTION`.
//!
//! [`read`] returns the joints with parents before children; an End Site counts as a joint without channels, because
//! its offset gives the direction of the last bone. Offsets stay in file units, which the module `units` guesses later.
//! Keywords may be in upper or lower case, channels may have any order and number up to a limit, and missing braces
//! before `MOTION` give a warning. Depth and number of joints are limited.

use super::text::{Text, quoted};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use glam::DVec3;

/// Maximum number of channels per joint. Six are usual; files with scale channels or repeated channels have more.
const MAX_CHANNELS_OF_A_JOINT: usize = 16;

/// A joint or an End Site, in file units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) offset: DVec3,
    pub(super) channels: Vec<Channel>,
}

/// Property that one number of a motion row animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Position along this axis.
    Position(usize),
    /// Rotation about this axis.
    Rotation(usize),
    /// An ignored number, such as a scale.
    Unknown,
}

impl Channel {
    fn from_word(word: &[u8]) -> Option<Self> {
        let word = std::str::from_utf8(word).ok()?.to_ascii_lowercase();
        let axis = match word.as_bytes().first()? {
            b'x' => 0,
            b'y' => 1,
            b'z' => 2,
            _ => return None,
        };
        match word.get(1..)? {
            "position" | "translation" => Some(Self::Position(axis)),
            "rotation" => Some(Self::Rotation(axis)),
            "scale" | "scaling" => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// Reads up to and including `MOTION`, or to the end of the file.
pub(super) fn read(text: &mut Text<'_>, warnings: &mut Vec<Warning>) -> Result<Vec<Joint>> {
    if !text.word().eq_ignore_ascii_case(b"HIERARCHY") {
        return Err(Error::at("line 1", "a BVH file must start with HIERARCHY"));
    }
    let mut reader = Reader { joints: Vec::new(), open: Vec::new() };
    while reader.statement(text, warnings)? {}
    reader.finish(text, warnings)?;
    Ok(reader.joints)
}

struct Reader {
    joints: Vec<Joint>,
    /// The joints whose braces are open, outermost first.
    open: Vec<usize>,
}

impl Reader {
    /// Reads one statement. Returns false at the end of the hierarchy.
    fn statement(&mut self, text: &mut Text<'_>, warnings: &mut Vec<Warning>) -> Result<bool> {
        let start = text.clone();
        let word = text.word().to_ascii_uppercase();
        match (word.as_slice(), self.open.last().copied()) {
            (b"ROOT", None) | (b"JOINT" | b"ROOT", Some(_)) => {
                let name = text.name();
                self.begin(text, name)?;
            }
            (b"END", Some(parent)) => {
                text.name();
                let name = self.joints.get(parent).map(|j| format!("{}_End", j.name));
                self.begin(text, name.unwrap_or_default())?;
            }
            (b"OFFSET", Some(joint)) => {
                let offset = DVec3::new(text.number()?, text.number()?, text.number()?);
                self.joints[joint].offset = offset;
            }
            (b"CHANNELS", Some(joint)) => self.channels(text, joint)?,
            (b"}", Some(_)) => {
                self.open.pop();
            }
            (b"MOTION", open) => {
                if open.is_some() {
                    let message = format!("{} braces are not closed before MOTION", self.open.len());
                    warnings.push(Warning::new(WarningCode::Malformed, start.place(), message));
                }
                return Ok(false);
            }
            (b"", None) => return Ok(false),
            (_, None) => return start.expected("ROOT or MOTION"),
            (_, Some(_)) => return start.expected("OFFSET, CHANNELS, JOINT, End Site or }"),
        }
        Ok(true)
    }

    fn begin(&mut self, text: &mut Text<'_>, name: String) -> Result<()> {
        if text.peek() != b"{" {
            return text.expected("{");
        }
        let place = text.place();
        text.word();
        limits::within(&place, "joints", self.joints.len() + 1, limits::MAX_NODES)?;
        limits::within(&place, "nested joints", self.open.len() + 1, limits::MAX_DEPTH)?;
        let parent = self.open.last().copied();
        self.open.push(self.joints.len());
        self.joints.push(Joint { name, parent, offset: DVec3::ZERO, channels: Vec::new() });
        Ok(())
    }

    fn channels(&mut self, text: &mut Text<'_>, joint: usize) -> Result<()> {
        let place = text.place();
        let word = text.word();
        let count = std::str::from_utf8(word).ok().and_then(|w| w.parse::<usize>().ok());
        let Some(count) = count else {
            return Err(Error::at(place, format!("expected a channel count, found {}", quoted(word))));
        };
        let channels = &mut self.joints[joint].channels;
        let total = channels.len().saturating_add(count);
        limits::within(&place, "channels of one joint", total, MAX_CHANNELS_OF_A_JOINT)?;
        for _ in 0..count {
            let Some(channel) = Channel::from_word(text.peek()) else {
                return text.expected(&format!("{count} channels such as Xposition or Zrotation"));
            };
            channels.push(channel);
            text.word();
        }
        Ok(())
    }

    fn finish(&self, text: &Text<'_>, warnings: &mut Vec<Warning>) -> Result<()> {
        let mut warn = |code, message: String| warnings.push(Warning::new(code, "HIERARCHY", message));
        let roots = self.joints.iter().filter(|j| j.parent.is_none()).count();
        if roots == 0 {
            return text.expected("ROOT");
        }
        if roots > 1 {
            let message =
                format!("{roots} roots instead of one; all are kept, but only one can be the humanoid");
            warn(WarningCode::Malformed, message);
        }
        let unknown = self.joints.iter().filter(|j| j.channels.contains(&Channel::Unknown)).count();
        if unknown > 0 {
            warn(WarningCode::Dropped, format!("scale channels of {unknown} joints were ignored"));
        }
        Ok(())
    }
}
