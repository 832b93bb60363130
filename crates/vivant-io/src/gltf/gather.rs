//! Converts an avatar's file to one document with one buffer, ready for additions.
//!
//! An exported GLB has to work without other files, and animations are added to its first buffer. [`gather`] therefore
//! joins all buffers, moves the buffer views, embeds images, and returns a [`Builder`] to which the caller adds data.
//! Meshes, materials and unknown extensions are kept as they are. Placeholder buffers of compressed data stay separate,
//! because they contain no bytes. An image that is missing stays a reference, with a warning; a missing buffer is an
//! error.

use crate::error::{Error, Result, Warning, WarningCode};
use crate::gltf::build::Builder;
use crate::gltf::container::{Container, Fetch, bytes_of};
use serde_json::{Map, Value, json};

/// New location of a buffer: index of the new buffer, and offset in it.
type Place = (usize, usize);

/// Joins the buffers and images of a file into one buffer. Everything else is unchanged.
pub(super) fn gather(
    container: Container<'_>,
    fetch: &mut Fetch<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Builder> {
    let Container { json, buffers } = container;
    let Value::Object(mut json) = json else {
        return Err(Error::at("JSON", "the document must be an object"));
    };
    let old = json.remove("buffers").and_then(into_objects).unwrap_or_default();
    let (mut joined, mut kept) = (Map::new(), Vec::new());
    let mut bin = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    for (mut object, bytes) in old.into_iter().zip(buffers) {
        match bytes {
            Ok(bytes) => {
                bin.resize(bin.len().next_multiple_of(4), 0);
                places.push((0, bin.len()));
                bin.extend_from_slice(&bytes);
                object.remove("uri");
                joined.extend(object);
            }
            // A buffer without a URI is a placeholder for compressed data and is kept.
            Err(_) if !object.contains_key("uri") => {
                kept.push(Value::Object(object));
                places.push((kept.len(), 0));
            }
            Err(error) => return Err(error),
        }
    }
    move_views(&mut json, &places);
    let mut to = Builder { json, bin };
    embed_images(&mut to, fetch, warnings);
    to.json
        .insert("buffers".into(), Value::Array(std::iter::once(Value::Object(joined)).chain(kept).collect()));
    Ok(to)
}

/// Converts the items of a list to objects; other items become empty objects.
fn into_objects(list: Value) -> Option<Vec<Map<String, Value>>> {
    let Value::Array(items) = list else { return None };
    let object = |item| if let Value::Object(object) = item { object } else { Map::new() };
    Some(items.into_iter().map(object).collect())
}

fn move_views(json: &mut Map<String, Value>, places: &[Place]) {
    let views = json.get_mut("bufferViews").and_then(Value::as_array_mut);
    for view in views.into_iter().flatten() {
        move_view(view, places);
        // The extensions for compressed data have an offset of their own.
        for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
            if let Some(inner) = view.get_mut("extensions").and_then(|e| e.get_mut(extension)) {
                move_view(inner, places);
            }
        }
    }
}

fn move_view(view: &mut Value, places: &[Place]) {
    let Some(view) = view.as_object_mut() else { return };
    let buffer = view.get("buffer").and_then(Value::as_u64).and_then(|b| usize::try_from(b).ok());
    let Some(&(index, offset)) = buffer.and_then(|b| places.get(b)) else { return };
    view.insert("buffer".into(), json!(index));
    if offset > 0 {
        let before = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
        view.insert("byteOffset".into(), json!(before.saturating_add(offset as u64)));
    }
}

/// Embeds images that are stored in separate files. Images that cannot be read stay references.
fn embed_images(to: &mut Builder, fetch: &mut Fetch<'_>, warnings: &mut Vec<Warning>) {
    let mut images =
        to.json.remove("images").and_then(|list| if let Value::Array(l) = list { Some(l) } else { None });
    let mut missing = Vec::new();
    for image in images.iter_mut().flatten().filter_map(Value::as_object_mut) {
        let Some(uri) = image.get("uri").and_then(Value::as_str) else { continue };
        match bytes_of(uri, fetch) {
            Ok(bytes) if media_type(&bytes).is_some() => {
                let kind = media_type(&bytes).unwrap_or_default();
                image.remove("uri");
                image.insert("mimeType".into(), json!(kind));
                image.insert("bufferView".into(), json!(to.push_bytes(&bytes, None)));
            }
            _ => missing.push(uri.chars().take(80).collect::<String>()),
        }
    }
    if let Some(images) = images {
        to.json.insert("images".into(), Value::Array(images));
    }
    if !missing.is_empty() {
        let message = format!(
            "{} images are missing or in an unknown format, and were not embedded: {}",
            missing.len(),
            missing.join(", ")
        );
        warnings.push(Warning::new(WarningCode::Dropped, "images", message));
    }
}

/// Detects the media type of an image from its first bytes.
pub(super) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [0xAB, b'K', b'T', b'X', ..] => Some("image/ktx2"),
        _ if is_webp => Some("image/webp"),
        _ => None,
    }
}
