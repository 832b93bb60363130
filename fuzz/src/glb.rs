//! Wraps JSON in a GLB container, so that a target does not have to guess lengths.

use serde_json::Value;

/// Returns a GLB with a JSON chunk and a binary chunk.
#[must_use]
pub fn wrap(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + binary.len();
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", binary)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}
