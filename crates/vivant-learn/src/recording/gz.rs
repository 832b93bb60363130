//! Unpacks gzip files.

use super::Source;
use std::borrow::Cow;
use std::io::Read;
use vivant_io::limits::MAX_FILE_BYTES;
use vivant_io::{Error, Result};

fn is_packed(source: &Source) -> bool {
    source.bytes.starts_with(&[0x1f, 0x8b])
}

/// Returns the unpacked files.
pub(super) fn unpacked(sources: &[Source]) -> Result<Cow<'_, [Source]>> {
    if !sources.iter().any(is_packed) {
        return Ok(Cow::Borrowed(sources));
    }
    let mut left = MAX_FILE_BYTES;
    let mut all = Vec::with_capacity(sources.len());
    for source in sources {
        let source = if is_packed(source) { unpack(source, left)? } else { source.clone() };
        left = left.saturating_sub(source.bytes.len());
        all.push(source);
    }
    Ok(Cow::Owned(all))
}

/// Unpacks a file to at most `most` bytes.
fn unpack(source: &Source, most: usize) -> Result<Source> {
    let file_error = |message: String| Error::new(message).in_file(&source.name);
    let mut bytes = Vec::new();
    // A few bytes may unpack to very many, so the size is limited.
    let mut reader = flate2::read::MultiGzDecoder::new(source.bytes.as_slice()).take(most as u64 + 1);
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| file_error(format!("invalid gzip data: {error}; copy the file again")))?;
    if bytes.len() > most {
        return Err(file_error(format!(
            "the unpacked files exceed the limit of {} MiB; use a shorter recording",
            MAX_FILE_BYTES >> 20
        )));
    }
    Ok(Source { name: source.name.clone(), bytes })
}
