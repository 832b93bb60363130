//! Files that were packed with gzip.

use super::Source;
use std::borrow::Cow;
use std::io::Read;
use vivant_io::limits::MAX_FILE_BYTES;
use vivant_io::{Error, Result};

fn is_packed(source: &Source) -> bool {
    source.bytes.starts_with(&[0x1f, 0x8b])
}

/// The files as they were before they were packed.
pub(super) fn unpacked(sources: &[Source]) -> Result<Cow<'_, [Source]>> {
    if !sources.iter().any(is_packed) {
        return Ok(Cow::Borrowed(sources));
    }
    sources.iter().map(unpack).collect::<Result<Vec<_>>>().map(Cow::Owned)
}

fn unpack(source: &Source) -> Result<Source> {
    if !is_packed(source) {
        return Ok(source.clone());
    }
    let fault = |message: String| Error::new(message).in_file(&source.name);
    let mut bytes = Vec::new();
    // A few bytes may unpack to many: as much is taken as a file may have, and not what they promise.
    let mut reader =
        flate2::read::MultiGzDecoder::new(source.bytes.as_slice()).take(MAX_FILE_BYTES as u64 + 1);
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| fault(format!("cannot be unpacked: {error}; copy it again")))?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(fault(format!(
            "unpacks to more than {} MiB, which is the most that is read",
            MAX_FILE_BYTES >> 20
        )));
    }
    Ok(Source { name: source.name.clone(), bytes })
}
