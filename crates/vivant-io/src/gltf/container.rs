//! Opens a file: the two chunks of a GLB, or the text of a glTF and the buffers it refers to.
//!
//! [`Container::open`] returns the JSON of the document unchanged, and the bytes of each buffer. Files are not trusted:
//! lengths are checked before use, the number of JSON values is limited before parsing, and a URI must stay in the
//! folder of the file. Buffers in other files are requested with a [`Fetch`] function. A missing or compressed buffer
//! is stored as an error that is returned only when the buffer is used, because motion and skeleton can often be read
//! without it.

use crate::error::{Error, Result};
use crate::gltf::field::Field;
use crate::json::base64::{self, Fault};
use crate::limits::{self, MAX_FILE_BYTES};
use serde_json::Value;
use std::borrow::Cow;

/// Maximum number of commas, colons and opening brackets in the JSON. Each of them may cost a few hundred bytes of
/// memory.
const MAX_JSON_MARKS: usize = 2 << 20;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// Returns the bytes of a file by its relative path.
pub(super) type Fetch<'f> = dyn FnMut(&str) -> Result<Vec<u8>> + 'f;

/// An opened file: its unchanged JSON, and the bytes of its buffers.
pub(super) struct Container<'a> {
    pub(super) json: Value,
    /// Bytes of each buffer. A missing buffer causes an error only when it is used.
    pub(super) buffers: Vec<Result<Cow<'a, [u8]>>>,
}

/// Returns true if the bytes look like a GLB or glTF file.
pub(super) fn is_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF") || (is_json(bytes) && bytes.windows(7).any(|w| w == b"\"asset\""))
}

fn is_json(bytes: &[u8]) -> bool {
    without_mark(bytes).iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

/// Removes a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

impl<'a> Container<'a> {
    pub(super) fn open(bytes: &'a [u8], fetch: &mut Fetch<'_>) -> Result<Self> {
        limits::within("file", "bytes", bytes.len(), MAX_FILE_BYTES)?;
        let (text, bin) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
        let json = parse(text)?;
        let buffers = load(&Field::root(&json).key("buffers"), bin, fetch)?;
        Ok(Self { json, buffers })
    }
}

fn parse(text: &[u8]) -> Result<Value> {
    let text = without_mark(text);
    limits::within("JSON", "commas, colons and brackets", marks(text), MAX_JSON_MARKS)?;
    let json: Value = serde_json::from_slice(text).map_err(|e| Error::at("JSON", e))?;
    let version = Field::root(&json).key("asset").key("version");
    match version.text()? {
        Some(text) if !text.starts_with("2.") => {
            Err(version.error(format!("glTF {text} is not supported; export the file as glTF 2.0")))
        }
        _ if json.is_object() => Ok(json),
        _ => Err(Error::at("JSON", "the document must be an object; export the file again")),
    }
}

/// Counts the commas, colons and opening brackets outside strings, to estimate the number of JSON values.
fn marks(text: &[u8]) -> usize {
    let (mut count, mut in_string, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b':' | b'[' | b'{' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

/// Returns the JSON chunk and, if there is one, the BIN chunk of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let header = |at| u32_at(bytes, at).ok_or_else(|| truncated_error("GLB header", bytes.len(), 12));
    let (version, length) = (header(4)?, header(8)? as usize);
    if version != 2 {
        return Err(Error::at(
            "GLB header",
            format!("version {version} is not supported; export the file as glTF 2.0"),
        ));
    }
    let whole = bytes.get(..length).ok_or_else(|| truncated_error("GLB header", bytes.len(), length))?;
    let (json, mut rest) = chunk("GLB chunk 0", whole, 12, JSON_CHUNK)?;
    let json =
        json.ok_or_else(|| Error::at("GLB chunk 0", "the first chunk must be JSON; export the file again"))?;
    let mut number = 1;
    while rest < whole.len() {
        let (bin, next) = chunk(&format!("GLB chunk {number}"), whole, rest, BIN_CHUNK)?;
        if bin.is_some() {
            return Ok((json, bin));
        }
        (rest, number) = (next, number + 1);
    }
    Ok((json, None))
}

/// Returns the chunk at `start` if it is of the given kind, and the start of the next chunk.
fn chunk<'a>(place: &str, bytes: &'a [u8], start: usize, kind: u32) -> Result<(Option<&'a [u8]>, usize)> {
    let head = |at: usize| u32_at(bytes, at).ok_or_else(|| truncated_error(place, bytes.len(), start + 8));
    let (length, found) = (head(start)? as usize, head(start + 4)?);
    let end = (start + 8).checked_add(length);
    let data = end.and_then(|end| bytes.get(start + 8..end));
    let data = data.ok_or_else(|| truncated_error(place, bytes.len(), end.unwrap_or(usize::MAX)))?;
    Ok(((found == kind).then_some(data), start + 8 + length))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn truncated_error(place: &str, found: usize, needed: usize) -> Error {
    let message =
        format!("the file is truncated: {needed} bytes needed, {found} found; download or export it again");
    Error::at(place, message)
}

fn load<'a>(
    fields: &Field<'_>,
    bin: Option<&'a [u8]>,
    fetch: &mut Fetch<'_>,
) -> Result<Vec<Result<Cow<'a, [u8]>>>> {
    let mut buffers = Vec::new();
    let mut total = 0_usize;
    for (index, field) in fields.items()?.enumerate() {
        let buffer = match field.key("uri").text()? {
            None if index == 0 && bin.is_some() => Ok(Cow::Borrowed(bin.unwrap_or_default())),
            None => Err(field.error("the buffer has no data; export the file without compression")),
            Some(uri) => bytes_of(uri, fetch).map(Cow::Owned).map_err(|e| field.error(e)),
        };
        let buffer = buffer.and_then(|bytes| cut_to_length(&field, bytes));
        total = total.saturating_add(buffer.as_ref().map_or(0, |b| b.len()));
        limits::within("buffers", "bytes", total, MAX_FILE_BYTES)?;
        buffers.push(buffer);
    }
    Ok(buffers)
}

/// Cuts a buffer to its stated length. A chunk or file may be longer because of padding, but not shorter.
fn cut_to_length<'a>(field: &Field<'_>, mut bytes: Cow<'a, [u8]>) -> Result<Cow<'a, [u8]>> {
    let Some(length) = field.key("byteLength").whole()? else { return Ok(bytes) };
    if length > bytes.len() {
        let found = bytes.len();
        return Err(field
            .error(format!("byteLength is {length}, but there are {found} bytes; export the file again")));
    }
    match &mut bytes {
        Cow::Borrowed(slice) => *slice = &slice[..length],
        Cow::Owned(vec) => vec.truncate(length),
    }
    Ok(bytes)
}

/// Returns the bytes of a URI: a `data:` URI, or a file in the same folder.
pub(super) fn bytes_of(uri: &str, fetch: &mut Fetch<'_>) -> Result<Vec<u8>> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (head, text) = data.split_once(',').unwrap_or((data, ""));
        return match head.ends_with(";base64") {
            true => base64(text),
            false => Err(Error::new("a data URI must be base64")),
        };
    }
    let path = percent_decode(uri);
    let outside = path.contains(':') || path.starts_with(['/', '\\']);
    if outside || path.split(['/', '\\']).any(|part| part == "..") {
        let shown: String = path.chars().take(80).collect();
        return Err(Error::new(format!(
            "{shown} is outside the folder of this file; move it into this folder and change its URI"
        )));
    }
    fetch(&path)
}

fn percent_decode(uri: &str) -> String {
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => (out.push(byte), rest = &tail[2..]).1,
            _ => (out.push(*first), rest = tail).1,
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Decodes base64; padding may be missing.
fn base64(text: &str) -> Result<Vec<u8>> {
    base64::decode(text).map_err(|fault| {
        Error::new(match fault {
            Fault::Letter(place, letter) => {
                format!(
                    "invalid base64: character {place} is {:?}; export the file again",
                    char::from(letter)
                )
            }
            Fault::End => "invalid base64: the data ends within a byte; export the file again".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_padding() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zg", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")]
        {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        assert!(base64("Zm 9").unwrap_err().to_string().contains("character 2"));
    }

    #[test]
    fn paths_are_decoded_and_stay_in_their_folder() {
        let mut asked = Vec::new();
        let mut fetch = |path: &str| {
            asked.push(path.to_owned());
            Ok(vec![1])
        };
        assert_eq!(bytes_of("a%20b/c%.bin", &mut fetch).unwrap(), [1]);
        for outside in ["/etc/x", "../x.bin", "a/..%2f..%2fx", "http://x/y", "C:\\x", "%2fx"] {
            let error = bytes_of(outside, &mut fetch).unwrap_err().to_string();
            assert!(error.contains("outside the folder"), "{outside}: {error}");
        }
        assert_eq!(asked, ["a b/c%.bin"]);
    }
}
