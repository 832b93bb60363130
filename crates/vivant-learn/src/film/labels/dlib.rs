//! Imports dlib's XML: images with boxes, and parts in the boxes.
//!
//! ```xml
//! <dataset><images>
//!   <image file='frame_0012.png'>
//!     <box top='40' left='30' width='220' height='220'><part name='00' x='55' y='141'/> … </box>
//!   </image>
//! </images></dataset>
//! ```

use super::{Imported, MAX_FRAMES, MAX_SIDE, sixty_eight};
use glam::DVec2;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;
use vivant_io::json::words::short;
use vivant_io::limits::{MAX_DEPTH, MAX_NAME_BYTES, within};
use vivant_io::{Error, Result, Warning, WarningCode};

/// Maximum file size: three times the largest public face data set in this format (7,764 images).
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of parts in a box.
const MAX_PARTS: usize = 1024;

/// Reads an XML file of dlib's tools with 68 face points or our 18 points in each image.
///
/// Parts are sorted by name, as dlib does. If an image has several faces, the largest is used. Images without points
/// are skipped.
///
/// # Errors
/// Returns an error with the line if the file is not in this format, or if a face has another number of points.
pub fn import_dlib_xml(name: &str, bytes: &[u8]) -> Result<Vec<Imported>> {
    let read = || {
        within("file", "bytes", bytes.len(), MAX_BYTES)?;
        let text = decode_text(bytes);
        let mut parser = Parser { text: &text, ..Parser::default() };
        parser.run()?;
        Ok(parser.images)
    };
    read().map_err(|error: Error| error.in_file(short(name)))
}

/// Decodes UTF-8, or else ISO-8859-1. dlib's files declare ISO-8859-1, but many of them are UTF-8.
fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(), Cow::from)
}

#[derive(Default)]
struct Parser<'a> {
    text: &'a str,
    /// Byte offset of the current XML event.
    offset: usize,
    /// Number of open elements.
    depth: usize,
    has_dataset: bool,
    image: Option<String>,
    faces: Vec<Face>,
    images: Vec<Imported>,
}

#[derive(Default)]
struct Face {
    offset: usize,
    area: f64,
    parts: Vec<(String, DVec2)>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<()> {
        let mut reader = Reader::from_str(self.text);
        loop {
            self.offset = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|error| {
                self.offset = self.offset.max(reader.error_position() as usize);
                self.error(format!("invalid XML: {error}; export the file again"))
            })?;
            match event {
                Event::Start(tag) => self.start(&tag)?,
                Event::Empty(tag) => {
                    self.start(&tag)?;
                    self.end(tag.name().as_ref())?;
                }
                Event::End(tag) => self.end(tag.name().as_ref())?,
                Event::DocType(_) => {
                    return Err(self.error("DTDs are not allowed; delete the <!DOCTYPE …> line"));
                }
                Event::Eof => return self.finished(),
                _ => {}
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!(
                "elements are nested more than {MAX_DEPTH} levels deep; use an XML file of dlib's tools"
            )));
        }
        match tag.name().as_ref() {
            "dataset" if self.depth == 1 => self.has_dataset = true,
            name if self.depth == 1 => {
                return Err(self.error(format!(
                    "the root element is <{}> instead of <dataset>; use an XML file of dlib's tools",
                    short(name)
                )));
            }
            "image" => self.open_image(tag)?,
            "box" => self.open_box(tag)?,
            "part" => self.part(tag)?,
            _ => {}
        }
        Ok(())
    }

    fn open_image(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [file] = self.attributes(tag, ["file"])?;
        let file = file.filter(|file| !file.is_empty() && file.len() <= MAX_NAME_BYTES);
        let file =
            file.ok_or_else(|| self.error("<image> has no `file` attribute, or it is too long; correct it"))?;
        self.faces.clear();
        self.image = Some(file.into_owned());
        Ok(())
    }

    fn open_box(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        if self.image.is_none() {
            return Err(self.error("<box> must be inside <image>"));
        }
        let [width, height] = self.attributes(tag, ["width", "height"])?;
        let [width, height] =
            [("width", width), ("height", height)].map(|(name, value)| self.number(name, value));
        self.faces.push(Face { offset: self.offset, area: width? * height?, parts: Vec::new() });
        Ok(())
    }

    fn part(&mut self, tag: &BytesStart<'_>) -> Result<()> {
        let [name, x, y] = self.attributes(tag, ["name", "x", "y"])?;
        let (x, y) = (self.number("x", x)?, self.number("y", y)?);
        let name = name.ok_or_else(|| self.error("<part> has no `name` attribute; add it"))?;
        if name.len() > MAX_NAME_BYTES {
            return Err(self.error("the `name` of <part> is too long; shorten it"));
        }
        let Some(face) = self.faces.last_mut() else { return Err(self.error("<part> must be inside <box>")) };
        if face.parts.len() == MAX_PARTS {
            return Err(self.error(format!("more than {MAX_PARTS} parts in one <box>; remove some")));
        }
        face.parts.push((name.into_owned(), DVec2::new(x, y)));
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<()> {
        self.depth -= 1;
        if name == "image" { self.close_image() } else { Ok(()) }
    }

    fn close_image(&mut self) -> Result<()> {
        let Some(image) = self.image.take() else { return Ok(()) };
        self.faces.retain(|face| !face.parts.is_empty());
        let count = self.faces.len();
        let Some(mut face) = self.faces.drain(..).max_by(|a, b| a.area.total_cmp(&b.area)) else {
            return Ok(());
        };
        face.parts.sort_by(|a, b| a.0.cmp(&b.0));
        let points: Vec<DVec2> = face.parts.iter().map(|(_, point)| *point).collect();
        let place = line_at(self.text, face.offset);
        let (points, mut warnings) = sixty_eight::points_of(&points, &place)?;
        if count > 1 {
            let message = format!("{count} faces in {}; the largest is used", short(&image));
            warnings.push(Warning::new(WarningCode::Dropped, &place, message));
        }
        within(&place, "images with points", self.images.len() + 1, MAX_FRAMES)?;
        self.images.push(Imported::new(&image, points, warnings));
        Ok(())
    }

    fn finished(&self) -> Result<()> {
        if self.depth > 0 {
            return Err(self.error("the file is truncated inside an element; export it again"));
        }
        if !self.has_dataset {
            return Err(Error::new("the file has no <dataset>; use an XML file of dlib's tools"));
        }
        Ok(())
    }

    fn error(&self, message: impl std::fmt::Display) -> Error {
        Error::at(line_at(self.text, self.offset), message)
    }

    fn number(&self, name: &str, value: Option<Cow<'_, str>>) -> Result<f64> {
        let value = value.ok_or_else(|| self.error(format!("`{name}` is missing; add it")))?;
        let number = value.trim().parse::<f64>().ok().filter(|number| number.abs() <= MAX_SIDE as f64);
        number.ok_or_else(|| {
            self.error(format!("`{name}` is “{}”; it must be a number of pixels", short(&value)))
        })
    }

    /// Returns the values of the given attributes, if present.
    fn attributes<'t, const N: usize>(
        &self,
        tag: &'t BytesStart<'_>,
        names: [&str; N],
    ) -> Result<[Option<Cow<'t, str>>; N]> {
        let mut values = [const { None }; N];
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.error(format!("invalid XML: {error}")))?;
            let Some(place) = names.iter().position(|name| *name == attribute.key.as_ref()) else { continue };
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            values[place] =
                Some(value.map_err(|error| self.error(format!("{}: invalid XML: {error}", names[place])))?);
        }
        Ok(values)
    }
}

/// Returns the line of a byte offset as text.
fn line_at(text: &str, offset: usize) -> String {
    let before = &text.as_bytes()[..offset.min(text.len())];
    format!("line {}", 1 + before.iter().filter(|byte| **byte == b'\n').count())
}
