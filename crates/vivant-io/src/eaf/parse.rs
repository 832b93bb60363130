//! Parses the XML of an EAF as a stream into slots, tiers, annotations and types, without resolving references.
//!
//! Tiers may refer to linguistic types, tiers and annotations that come later in the file, so reading has two steps:
//! [`parse`] returns the [`Raw`] content, and the module `resolve` computes times from it. The text is read as a
//! stream, without a document tree in memory. Elements with unknown names are skipped, but known elements in a wrong
//! place, duplicate attributes and DTDs are errors with a line. [`Names`] replaces identifiers by small numbers, so
//! that references are cheap to compare.

use super::Constraint;
use super::text::{line_at, quote};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;
use std::collections::HashMap;

/// The unresolved content of a file.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) version: String,
    pub(super) slots: Slots,
    pub(super) tiers: Vec<RawTier>,
    pub(super) types: HashMap<String, Constraint>,
    pub(super) ids: Names,
    /// Seconds per unit of a time value.
    pub(super) unit_secs: f64,
}

/// Time slots in file order.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) names: Names,
    /// Index of each slot, by the number of its name in `names`; `None` if the slot does not exist.
    pub(super) place: Vec<Option<usize>>,
    /// Time value of each slot; `None` if the slot has no value.
    pub(super) values: Vec<Option<f64>>,
}

/// An unresolved tier.
#[derive(Default)]
pub(super) struct RawTier {
    pub(super) offset: usize,
    pub(super) name: String,
    pub(super) participant: String,
    pub(super) linguistic_type: String,
    pub(super) parent: Option<String>,
    pub(super) annotations: Vec<RawAnnotation>,
}

/// An unresolved annotation.
pub(super) struct RawAnnotation {
    pub(super) offset: usize,
    /// Number of its identifier in [`Raw::ids`].
    pub(super) id: usize,
    pub(super) value: String,
    pub(super) times: RawTimes,
}

/// Unresolved times. Slots and annotations are given by the numbers of their names.
#[derive(Clone, Copy)]
pub(super) enum RawTimes {
    Slots(usize, usize),
    Refers { to: usize, previous: Option<usize> },
}

/// Numbers identifiers in order of first use.
///
/// Almost all identifiers are a prefix and a number, such as `ts17`. Identifiers with the same prefix as the first
/// one are looked up by their number, which is several times faster than a hash map with a collision-resistant hash.
#[derive(Default)]
pub(super) struct Names {
    list: Vec<Box<str>>,
    prefix: Option<Box<str>>,
    by_number: Vec<Option<u32>>,
    /// Limit of the numbers that are looked up directly. Identifiers with this number or a larger one are looked up
    /// by name, so that a large number in a small file needs little memory.
    most: usize,
    by_name: HashMap<Box<str>, usize>,
}

impl Names {
    /// Creates a table for a text of `bytes` bytes. The size limits the numbers that are looked up directly.
    fn for_bytes(bytes: usize) -> Self {
        Self { most: bytes / 16, ..Self::default() }
    }

    pub(super) fn number(&mut self, name: &str) -> usize {
        let next = self.list.len();
        let number = match self.place(name) {
            Some(place) => {
                self.by_number.resize(self.by_number.len().max(place + 1), None);
                *self.by_number[place].get_or_insert(next as u32) as usize
            }
            None => match self.by_name.get(name) {
                Some(number) => *number,
                None => *self.by_name.entry(name.into()).or_insert(next),
            },
        };
        if number == next {
            self.list.push(name.into());
        }
        number
    }

    /// Returns the number at the end of a name, if the name has the common prefix and the number has no leading zeros
    /// and is below `most`.
    fn place(&mut self, name: &str) -> Option<usize> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, digits) = name.split_at(name.len() - digits);
        if digits.is_empty() || digits.len() > 9 || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        let is_ours = **self.prefix.get_or_insert_with(|| prefix.into()) == *prefix;
        digits.parse().ok().filter(|number| is_ours && *number < self.most)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns all names, indexed by number.
    pub(super) fn into_list(self) -> Vec<Box<str>> {
        self.list
    }
}

/// XML elements that the reader uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Document,
    Header,
    TimeOrder,
    TimeSlot,
    Tier,
    Annotation,
    Alignable,
    Reference,
    Value,
    Type,
    Other,
}

impl Element {
    const ALL: [(&'static str, Self, Self); 9] = [
        ("HEADER", Self::Header, Self::Document),
        ("TIME_ORDER", Self::TimeOrder, Self::Document),
        ("TIME_SLOT", Self::TimeSlot, Self::TimeOrder),
        ("TIER", Self::Tier, Self::Document),
        ("ANNOTATION", Self::Annotation, Self::Tier),
        ("ALIGNABLE_ANNOTATION", Self::Alignable, Self::Annotation),
        ("REF_ANNOTATION", Self::Reference, Self::Annotation),
        ("ANNOTATION_VALUE", Self::Value, Self::Alignable),
        ("LINGUISTIC_TYPE", Self::Type, Self::Document),
    ];

    /// Returns the element with the given name inside `outer`. If it is not allowed there, the error is the name of
    /// the element in which it is allowed.
    fn within(outer: Self, name: &str) -> std::result::Result<Self, &'static str> {
        if outer == Self::Other {
            return Ok(Self::Other);
        }
        let Some((_, element, parent)) = Self::ALL.iter().find(|(known, ..)| *known == name) else {
            return Ok(Self::Other);
        };
        let fits = outer == *parent || (*element == Self::Value && outer == Self::Reference);
        if fits { Ok(*element) } else { Err(parent.name()) }
    }

    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, element, _)| *element == self)
            .map_or("ANNOTATION_DOCUMENT", |(name, ..)| name)
    }
}

/// Parses the whole text.
pub(super) fn parse(text: &str, warnings: &mut Vec<Warning>) -> Result<Raw> {
    let mut reader = Reader::from_str(text);
    let slots = Slots { names: Names::for_bytes(text.len()), ..Slots::default() };
    let raw = Raw { unit_secs: 1e-3, ids: Names::for_bytes(text.len()), slots, ..Raw::default() };
    let mut parser =
        Parser { text, offset: 0, path: Vec::new(), is_done: false, pending: None, raw, warnings };
    loop {
        parser.offset = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let offset = (reader.error_position() as usize).max(parser.offset);
            Error::at(line_at(text.as_bytes(), offset), format!("invalid XML: {error}"))
        })?;
        if matches!(event, Event::Eof) {
            return parser.finish();
        }
        parser.event(&event)?;
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Byte offset of the current event.
    offset: usize,
    path: Vec<Element>,
    is_done: bool,
    pending: Option<RawAnnotation>,
    raw: Raw,
    warnings: &'a mut Vec<Warning>,
}

impl Parser<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => self.start(tag).and_then(|()| self.end()),
            Event::End(_) => self.end(),
            Event::Text(text) if self.is_in_value() => self.value(&text.xml10_content()),
            Event::Text(text) => self.stray(text),
            Event::CData(text) if self.is_in_value() => self.value(&text.xml10_content()),
            Event::GeneralRef(name) if self.is_in_value() => {
                let text = entity(name).ok_or_else(|| self.error_here(unknown_entity(name)))?;
                self.value(&text)
            }
            Event::DocType(_) => Err(self.error_here("DTDs are not supported; delete the <!DOCTYPE …> line")),
            Event::Decl(declaration) => {
                self.encoding(declaration.encoding().and_then(std::result::Result::ok))
            }
            _ => Ok(()),
        }
    }

    fn here(&self) -> String {
        line_at(self.text.as_bytes(), self.offset)
    }

    fn error_here(&self, message: impl std::fmt::Display) -> Error {
        Error::at(self.here(), message)
    }

    fn is_in_value(&self) -> bool {
        self.path.last() == Some(&Element::Value)
    }

    fn value(&mut self, text: &str) -> Result<()> {
        if let Some(annotation) = &mut self.pending {
            annotation.value.push_str(text);
        }
        Ok(())
    }

    /// Rejects text before or after the document. Text between elements is ignored.
    fn stray(&self, text: &str) -> Result<()> {
        let words = if self.path.is_empty() { text.trim() } else { "" };
        if words.is_empty() {
            return Ok(());
        }
        let place = if self.is_done { "after" } else { "before" };
        let what = quote(words.lines().next().unwrap_or_default());
        Err(self.error_here(format!("invalid XML: {what} {place} the document; delete it")))
    }

    /// Checks that the declared encoding is the encoding that was used to decode the file.
    fn encoding(&self, declared: Option<Cow<'_, str>>) -> Result<()> {
        let name = declared.unwrap_or_default().to_ascii_uppercase();
        let is_known = name.is_empty() || name.starts_with("UTF") || name == "US-ASCII";
        if is_known || self.text.is_ascii() {
            return Ok(());
        }
        Err(self.error_here(format!("unsupported encoding {}; convert the file to UTF-8", quote(&name))))
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        limits::within(
            &self.here_if(self.path.len() > limits::MAX_DEPTH),
            "nested elements",
            self.path.len(),
            limits::MAX_DEPTH,
        )?;
        let name = tag.name();
        let element = match self.path.last() {
            None => self.root(name.as_ref())?,
            Some(outer) => Element::within(*outer, name.as_ref())
                .map_err(|parent| self.error_here(format!("<{}> belongs in <{parent}>", name.as_ref())))?,
        };
        self.path.push(element);
        self.open(element, tag)
    }

    /// Returns the current line as text if `is_needed`, otherwise an empty text, because counting lines is slow.
    fn here_if(&self, is_needed: bool) -> String {
        if is_needed { self.here() } else { String::new() }
    }

    fn root(&self, name: &str) -> Result<Element> {
        match name {
            _ if self.is_done => Err(self.error_here(format!("<{name}> after the document; delete it"))),
            "ANNOTATION_DOCUMENT" => Ok(Element::Document),
            _ => Err(self.error_here(format!(
                "not an ELAN file: the root element is <{name}> instead of <ANNOTATION_DOCUMENT>"
            ))),
        }
    }

    fn open(&mut self, element: Element, tag: &BytesStart<'_>) -> Result<()> {
        match element {
            Element::Document => self.document(tag),
            Element::Header => self.header(tag),
            Element::TimeSlot => self.slot(tag),
            Element::Tier => self.tier(tag),
            Element::Alignable => self.alignable(tag),
            Element::Reference => self.reference(tag),
            Element::Type => self.linguistic_type(tag),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> Result<()> {
        match self.path.pop() {
            Some(Element::Alignable | Element::Reference) => self.close_annotation(),
            _ => {
                self.is_done |= self.path.is_empty();
                Ok(())
            }
        }
    }

    fn close_annotation(&mut self) -> Result<()> {
        if let (Some(annotation), Some(tier)) = (self.pending.take(), self.raw.tiers.last_mut()) {
            tier.annotations.push(annotation);
        }
        let (found, most) = (self.raw.ids.len(), limits::MAX_ANNOTATIONS);
        limits::within(&self.here_if(found > most), "annotations", found, most)
    }

    fn finish(self) -> Result<Raw> {
        match self.path.last() {
            Some(element) => Err(self.error_here(format!(
                "the file is truncated: it ends within <{}>; save it again in ELAN",
                element.name()
            ))),
            None if !self.is_done => {
                Err(self.error_here("the file has no <ANNOTATION_DOCUMENT>; is it from ELAN?"))
            }
            None => Ok(self.raw),
        }
    }

    /// Returns the values of the attributes with the given names; `None` for missing ones.
    fn attributes<'t, const N: usize>(
        &self,
        tag: &'t BytesStart<'_>,
        names: [&str; N],
    ) -> Result<[Option<Cow<'t, str>>; N]> {
        let mut values = [const { None }; N];
        let mut all = tag.attributes();
        // Duplicates are found below; quick-xml's own check would allocate a list for every tag.
        for attribute in all.with_checks(false) {
            let attribute = attribute.map_err(|error| self.error_here(format!("invalid XML: {error}")))?;
            let Some(place) = names.iter().position(|name| *name == attribute.key.as_ref()) else { continue };
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let invalid = |error| self.error_here(format!("{}: invalid XML: {error}", names[place]));
            if values[place].replace(value.map_err(invalid)?).is_some() {
                return Err(self.error_here(format!("invalid XML: duplicate attribute {}", names[place])));
            }
        }
        Ok(values)
    }

    fn required<'t>(
        &self,
        value: Option<Cow<'t, str>>,
        element: Element,
        name: &str,
    ) -> Result<Cow<'t, str>> {
        match value.filter(|value| !value.is_empty()) {
            None => Err(self.error_here(format!("<{}> has no {name}; add it", element.name()))),
            Some(value) if value.len() > limits::MAX_NAME_BYTES => {
                let (found, most) = (value.len(), limits::MAX_NAME_BYTES);
                Err(self.error_here(format!("{name} has {found} bytes; at most {most} are allowed")))
            }
            Some(value) => Ok(value),
        }
    }

    fn document(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [format, version] = self.attributes(tag, ["FORMAT", "VERSION"])?;
        self.raw.version = format.or(version).unwrap_or_default().into_owned();
        let major = self.raw.version.split('.').next().unwrap_or_default();
        if !matches!(major, "" | "2" | "3") {
            let message = format!("version {} is newer than 3.0; read as 3.0", quote(&self.raw.version));
            self.warnings.push(Warning::new(WarningCode::Guessed, "ANNOTATION_DOCUMENT", message));
        }
        Ok(())
    }

    fn header(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [units] = self.attributes(tag, ["TIME_UNITS"])?;
        self.raw.unit_secs = match units.as_deref() {
            None | Some("" | "milliseconds") => 1e-3,
            Some("NTSC-frames") => 1001.0 / 30_000.0,
            Some("PAL-frames") => 1.0 / 25.0,
            Some("PAL-50-frames") => 1.0 / 50.0,
            Some(other) => {
                return Err(self.error_here(format!(
                    "TIME_UNITS is {}; use milliseconds, NTSC-frames, PAL-frames or PAL-50-frames",
                    quote(other)
                )));
            }
        };
        Ok(())
    }

    fn slot(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [id, value] = self.attributes(tag, ["TIME_SLOT_ID", "TIME_VALUE"])?;
        let id = self.required(id, Element::TimeSlot, "TIME_SLOT_ID")?;
        let value = value.map(|value| self.time(&value)).transpose()?;
        let slots = &mut self.raw.slots;
        let number = slots.names.number(&id);
        slots.place.resize(slots.names.len().max(slots.place.len()), None);
        if slots.place[number].replace(slots.values.len()).is_some() {
            return Err(self.error_here(format!("duplicate time slot {}; rename one", quote(&id))));
        }
        slots.values.push(value);
        let (found, most) = (slots.values.len(), 2 * limits::MAX_ANNOTATIONS);
        limits::within(&self.here_if(found > most), "time slots", found, most)
    }

    fn time(&self, value: &str) -> Result<f64> {
        value.trim().parse::<u64>().map(|value| value as f64).map_err(|_| {
            self.error_here(format!("TIME_VALUE is {}; it must be a whole number, 0 or more", quote(value)))
        })
    }

    fn tier(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let names = ["TIER_ID", "PARTICIPANT", "LINGUISTIC_TYPE_REF", "PARENT_REF"];
        let [name, participant, linguistic_type, parent] = self.attributes(tag, names)?;
        let name = self.required(name, Element::Tier, "TIER_ID")?;
        if self.raw.tiers.len() >= limits::MAX_NODES {
            return Err(self.error_here(format!("too many tiers; at most {} are allowed", limits::MAX_NODES)));
        }
        self.raw.tiers.push(RawTier {
            offset: self.offset,
            name: name.into_owned(),
            participant: participant.unwrap_or_default().into_owned(),
            linguistic_type: linguistic_type.unwrap_or_default().into_owned(),
            parent: parent.filter(|parent| !parent.is_empty()).map(Cow::into_owned),
            annotations: Vec::new(),
        });
        Ok(())
    }

    fn alignable(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let element = Element::Alignable;
        let names = ["ANNOTATION_ID", "TIME_SLOT_REF1", "TIME_SLOT_REF2"];
        let [id, first, second] = self.attributes(tag, names)?;
        let id = self.required(id, element, names[0])?;
        let first = self.required(first, element, names[1])?;
        let second = self.required(second, element, names[2])?;
        let slots = &mut self.raw.slots.names;
        let times = RawTimes::Slots(slots.number(&first), slots.number(&second));
        self.annotation(&id, times)
    }

    fn reference(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let element = Element::Reference;
        let names = ["ANNOTATION_ID", "ANNOTATION_REF", "PREVIOUS_ANNOTATION"];
        let [id, to, previous] = self.attributes(tag, names)?;
        let id = self.required(id, element, names[0])?;
        let to = self.required(to, element, names[1])?;
        let ids = &mut self.raw.ids;
        let previous = previous.filter(|previous| !previous.is_empty()).map(|previous| ids.number(&previous));
        let times = RawTimes::Refers { to: ids.number(&to), previous };
        self.annotation(&id, times)
    }

    fn annotation(&mut self, id: &str, times: RawTimes) -> Result<()> {
        let id = self.raw.ids.number(id);
        let annotation = RawAnnotation { offset: self.offset, id, value: String::new(), times };
        self.pending = Some(annotation);
        Ok(())
    }

    fn linguistic_type(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [name, constraint] = self.attributes(tag, ["LINGUISTIC_TYPE_ID", "CONSTRAINTS"])?;
        let name = self.required(name, Element::Type, "LINGUISTIC_TYPE_ID")?;
        let constraint = constraint.unwrap_or_default();
        let Some(known) = Constraint::from_name(&constraint) else {
            return Err(self.error_here(format!(
                "CONSTRAINTS is {}; use Time_Subdivision, Included_In, Symbolic_Subdivision or \
                Symbolic_Association",
                quote(&constraint)
            )));
        };
        if self.raw.types.insert(name.to_string(), known).is_some_and(|before| before != known) {
            return Err(self.error_here(format!(
                "conflicting definitions of linguistic type {}; keep one",
                quote(&name)
            )));
        }
        Ok(())
    }
}

/// Resolves `&name;` if it is a predefined XML entity or a character reference.
fn entity(name: &quick_xml::events::BytesRef<'_>) -> Option<String> {
    if let Ok(Some(character)) = name.resolve_char_ref() {
        return Some(character.to_string());
    }
    quick_xml::escape::resolve_xml_entity(name).map(str::to_owned)
}

fn unknown_entity(name: &str) -> String {
    format!("unknown entity {}; write the character itself", quote(&format!("&{name};")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_number() {
        let mut names = Names::for_bytes(1600);
        let all = [
            "ts1",
            "ts2",
            "a1",
            "ts01",
            "ts1x",
            "ts",
            "ts0",
            "ts00",
            "ts99",
            "ts100",
            "ts999999999",
            "ts9999999999",
            "1",
            "é7",
            "a2",
        ];
        for _ in 0..2 {
            for (number, name) in all.iter().enumerate() {
                assert_eq!(names.number(name), number, "{name}");
            }
        }
        assert!(names.by_number.len() <= 100);
        assert!(names.into_list().iter().map(|name| &**name).eq(all));
    }
}
