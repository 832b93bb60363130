//! Reads ELAN annotation files (EAF, versions 2.3 to 3.0): who does what when, on named tiers.
//!
//! ELAN keeps times in slots that annotations share, and only some of them have a value. Annotations on
//! symbolic tiers have no slots at all: they refer to an annotation of the parent tier. Here every
//! annotation gets a start and an end, and says whether they are its own.
//!
//! ```
//! let file = br#"<ANNOTATION_DOCUMENT><TIME_ORDER>
//!   <TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="500"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="1700"/></TIME_ORDER>
//!   <TIER TIER_ID="right arm" LINGUISTIC_TYPE_REF="t"><ANNOTATION>
//!     <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b">
//!       <ANNOTATION_VALUE>gesture</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
//!   <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="t"/></ANNOTATION_DOCUMENT>"#;
//! let annotations = vivant_io::eaf::read(file, &mut Vec::new()).unwrap();
//! let gesture = &annotations.tiers[0].annotations[0];
//! assert_eq!((gesture.start, gesture.end, gesture.value.as_str()), (0.5, 1.7, "gesture"));
//! ```

mod parse;
mod resolve;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use crate::error::{Result, Warning};
use crate::limits;

/// What an EAF says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// The version of the format, such as `3.0`; empty if the file does not say.
    pub version: String,
    /// The tiers, in the order of the file.
    pub tiers: Vec<Tier>,
}

/// A tier: one kind of annotation, of one person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tier {
    /// Its name.
    pub name: String,
    /// Whose it is; empty if the file does not say.
    pub participant: String,
    /// The name of its linguistic type.
    pub linguistic_type: String,
    /// How its annotations relate to those of the parent tier.
    pub constraint: Constraint,
    /// The parent tier, as an index into [`Annotations::tiers`].
    pub parent: Option<usize>,
    /// The annotations, in the order of the file.
    pub annotations: Vec<Annotation>,
}

/// ELAN's stereotypes: how a tier's annotations relate to those of its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// Not at all: times of their own.
    #[default]
    None,
    /// They divide a parent's time without gaps.
    TimeSubdivision,
    /// They lie within a parent's time.
    IncludedIn,
    /// They divide a parent, in order but without times.
    SymbolicSubdivision,
    /// Each belongs to one of the parent's.
    SymbolicAssociation,
}

/// An annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Its identifier, unique within the file.
    pub id: String,
    /// When it begins, in seconds.
    pub start: f64,
    /// When it ends, in seconds.
    pub end: f64,
    /// What it says.
    pub value: String,
    /// Where its times come from.
    pub timing: Timing,
    /// What it refers to, if it has no slots: a tier, and an annotation in it.
    pub refers_to: Option<(usize, usize)>,
}

/// Where an annotation's times come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Someone marked both ends.
    Own,
    /// From its neighbours, or from the annotation that it refers to.
    Derived,
}

impl Constraint {
    /// By the name of ELAN's stereotype; older programs write it with spaces.
    fn from_name(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        Some(match plain.to_ascii_lowercase().as_str() {
            "" => Self::None,
            "timesubdivision" => Self::TimeSubdivision,
            "includedin" => Self::IncludedIn,
            "symbolicsubdivision" => Self::SymbolicSubdivision,
            "symbolicassociation" => Self::SymbolicAssociation,
            _ => return None,
        })
    }
}

/// Reads an EAF.
///
/// # Errors
/// When it is no XML, is no EAF, refers to what it does not have, or is larger than the [limits].
pub fn read(bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<Annotations> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    let text = text::decoded(bytes, "ELAN")?;
    let raw = parse::parse(&text, warnings)?;
    resolve::resolved(raw, &text, warnings)
}
