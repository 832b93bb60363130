//! Reads ELAN annotation files (EAF, versions 2.3 to 3.0): timed annotations on named tiers.
//!
//! ELAN stores times in slots that annotations share, and slots need not have a value. Annotations on symbolic tiers
//! have no slots; they refer to an annotation of the parent tier. This reader resolves a start and an end for every
//! annotation, and says whether they were marked or derived.
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

/// The content of an EAF.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Format version, such as `3.0`; empty if the file does not state it.
    pub version: String,
    /// The tiers in file order.
    pub tiers: Vec<Tier>,
}

/// A tier: one kind of annotation of one person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tier {
    /// Name of the tier.
    pub name: String,
    /// The annotated person; empty if the file does not say.
    pub participant: String,
    /// Name of the linguistic type.
    pub linguistic_type: String,
    /// Relation of the annotations to the annotations of the parent tier.
    pub constraint: Constraint,
    /// Index of the parent tier in [`Annotations::tiers`].
    pub parent: Option<usize>,
    /// The annotations in file order.
    pub annotations: Vec<Annotation>,
}

/// ELAN's stereotypes: the relation of a tier's annotations to the annotations of its parent tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// No relation: annotations have their own times.
    #[default]
    None,
    /// Annotations divide the parent annotation's time without gaps.
    TimeSubdivision,
    /// Annotations lie within the parent annotation's time.
    IncludedIn,
    /// Annotations divide the parent annotation, in order but without times.
    SymbolicSubdivision,
    /// Each annotation belongs to one annotation of the parent.
    SymbolicAssociation,
}

/// An annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Identifier, unique within the file.
    pub id: String,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// Text of the annotation.
    pub value: String,
    /// Source of the times: marked by the annotator or derived.
    pub timing: Timing,
    /// The annotation that this annotation refers to, if it has no slots: index of the tier, and index of the
    /// annotation in the tier.
    pub refers_to: Option<(usize, usize)>,
}

/// Source of an annotation's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Both ends were marked by the annotator.
    Own,
    /// The times were derived from neighbours or from the annotation that this annotation refers to.
    Derived,
}

impl Constraint {
    /// Parses the name of an ELAN stereotype; older programs write it with spaces.
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
/// If it is not valid XML or not an EAF, has dangling references, or exceeds the [limits].
pub fn read(bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<Annotations> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    let text = text::decode(bytes, "ELAN")?;
    let raw = parse::parse(&text, warnings)?;
    resolve::resolve(raw, &text, warnings)
}
