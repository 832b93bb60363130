//! Encodes and decodes Base64, which JSON messages use for samples and files.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine, alphabet, engine::general_purpose::STANDARD};
use std::borrow::Cow;

/// Decoder that accepts missing padding, but no other deviation from the standard.
const STRICT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The reason why a text is not valid Base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A character that is not in the Base64 alphabet: its byte offset and its value.
    Letter(usize, u8),
    /// The text does not contain a whole number of bytes.
    End,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Letter(place, _) => {
                write!(f, "invalid Base64 character at position {place}; encode the bytes as Base64")
            }
            Self::End => f.write_str("the Base64 data is incomplete; encode each piece separately"),
        }
    }
}

/// Encodes bytes as Base64, with padding.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes Base64 in the standard or the URL-safe alphabet, with or without padding.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    let text = match text.contains(['-', '_']) {
        true => Cow::Owned(text.replace('-', "+").replace('_', "/")),
        false => Cow::Borrowed(text),
    };
    STRICT.decode(&*text).map_err(|error| match error {
        DecodeError::InvalidByte(place, letter) => Fault::Letter(place, letter),
        _ => Fault::End,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_with_and_without_padding() {
        let check = |text: &str, expected: &[u8]| assert_eq!(decode(text).as_deref(), Ok(expected), "{text}");
        // The vectors of RFC 4648.
        check("", b"");
        check("Zg==", b"f");
        check("Zm8=", b"fo");
        check("Zm9v", b"foo");
        check("Zm9vYg", b"foob");
        check("Zm9vYmE=", b"fooba");
        check("Zm9vYmFy", b"foobar");
        check("+/-_", &[0xfb, 0xff, 0xbf]);
        for wrong in ["Z", "Zm9vY", "Zm 9", "Zm9v====", "Zh==", "Zm=v", "ä"] {
            assert!(decode(wrong).is_err(), "{wrong}");
        }
        assert_eq!(decode("A*"), Err(Fault::Letter(1, b'*')));
    }

    #[test]
    fn bytes_are_encoded() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
    }
}
