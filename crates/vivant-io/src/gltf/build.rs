//! Builds a glTF document: JSON and one binary buffer.
//!
//! One builder for all writers keeps alignment and the lengths of chunks in one place. Start with [`Builder::new`], add
//! data with [`Builder::push_bytes`] and JSON with [`Builder::push`], which return the indices that other objects refer
//! to, and end with [`Builder::finish`], which returns a GLB. The builder does not check that the document is valid
//! glTF; the caller is responsible for references. [`Animation`] adds a clip: its channels share their key times, and a
//! channel that does not move has only two keys.

use crate::error::{Error, Result};
use serde_json::{Map, Value, json};
use vivant::clip::Clip;

/// The property that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    Translation,
    Rotation,
    /// Weights of this many morph targets.
    Weights(usize),
}

impl Path {
    const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Weights(_) => "weights",
        }
    }

    /// Numbers per key.
    const fn width(self) -> usize {
        match self {
            Self::Translation => 3,
            Self::Rotation => 4,
            Self::Weights(count) => count,
        }
    }

    const fn element(self) -> (&'static str, usize) {
        match self {
            Self::Translation => ("VEC3", 3),
            Self::Rotation => ("VEC4", 4),
            Self::Weights(_) => ("SCALAR", 1),
        }
    }
}

/// A GLB under construction: JSON and one binary buffer. Vivant writes all GLB files with it.
///
/// ```
/// let mut to = vivant_io::gltf::Builder::new();
/// let view = to.push_bytes(&[0; 12], None);
/// to.push("accessors", serde_json::json!({
///     "bufferView": view, "componentType": 5126, "count": 1, "type": "VEC3",
/// }));
/// assert!(to.finish().unwrap().starts_with(b"glTF"));
/// ```
#[derive(Debug)]
pub struct Builder {
    pub(super) json: Map<String, Value>,
    pub(super) bin: Vec<u8>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Creates an empty document.
    #[must_use]
    pub fn new() -> Self {
        let mut json = Map::new();
        let generator = concat!("Vivant ", env!("CARGO_PKG_VERSION"));
        json.insert("asset".into(), json!({ "version": "2.0", "generator": generator }));
        Self { json, bin: Vec::new() }
    }

    /// Appends to one of the document's lists and returns the index.
    pub fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json.entry(list).or_insert_with(|| Value::Array(Vec::new()));
        if !list.is_array() {
            *list = Value::Array(Vec::new());
        }
        let Value::Array(items) = list else { return 0 };
        items.push(item);
        items.len() - 1
    }

    /// Sets a field of the document.
    pub fn set(&mut self, field: &str, value: Value) {
        self.json.insert(field.into(), value);
    }

    /// Appends bytes to the buffer, aligned for every component type, and returns the index of their buffer view.
    /// `target` is 34962 for vertices, 34963 for indices, and `None` for other data.
    pub fn push_bytes(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    fn push_floats(&mut self, values: &[f32], kind: &str, width: usize, bounds: bool) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.push_bytes(&bytes, None);
        let count = values.len() / width;
        let mut accessor = json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind });
        if bounds {
            let least = values.iter().copied().fold(f32::INFINITY, f32::min);
            let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            accessor["min"] = json!([least]);
            accessor["max"] = json!([most]);
        }
        self.push("accessors", accessor)
    }

    /// Writes the document as a GLB.
    ///
    /// # Errors
    /// If it is larger than a GLB can be (4 GiB).
    pub fn finish(mut self) -> Result<Vec<u8>> {
        let buffers = self.json.entry("buffers").or_insert_with(|| json!([{}]));
        match self.bin.len() {
            0 => drop(self.json.remove("buffers")),
            length => buffers[0]["byteLength"] = json!(length),
        }
        let mut text = serde_json::to_vec(&Value::Object(self.json)).map_err(Error::new)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        glb(&text, &self.bin)
    }
}

fn glb(text: &[u8], bin: &[u8]) -> Result<Vec<u8>> {
    let bin_head = if bin.is_empty() { 0 } else { 8 };
    let total = 20 + text.len() + bin_head + bin.len();
    let short = |n: usize| {
        let message = "the file would exceed 4 GiB, the limit of GLB; write fewer clips";
        u32::try_from(n).map(u32::to_le_bytes).map_err(|_| Error::new(message))
    };
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(b"glTF\x02\0\0\0");
    out.extend(short(total)?);
    out.extend(short(text.len())?);
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(text);
    if !bin.is_empty() {
        out.extend(short(bin.len())?);
        out.extend_from_slice(b"BIN\0");
        out.extend_from_slice(bin);
    }
    Ok(out)
}

/// An animation to be added to a [`Builder`]; its channels share their key times.
pub(super) struct Animation {
    name: String,
    times: Vec<f32>,
    /// Accessor of all key times, once it is written.
    all: Option<usize>,
    /// Accessor of only the first and the last key time, once it is written.
    ends: Option<usize>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Animation {
    pub(super) fn new(clip: &Clip) -> Self {
        // An f32 can represent more distinct times than a clip has frames, so these times always increase.
        let times = (0..clip.frames()).map(|frame| (frame as f64 / clip.rate()) as f32).collect();
        let name = clip.name().to_owned();
        Self { name, times, all: None, ends: None, samplers: Vec::new(), channels: Vec::new() }
    }

    /// Adds a channel with one key per frame, so that readers can derive the frame rate.
    pub(super) fn add(&mut self, to: &mut Builder, node: usize, path: Path, values: &[f32]) {
        let times = &self.times;
        let input = *self.all.get_or_insert_with(|| to.push_floats(times, "SCALAR", 1, true));
        self.add_channel(to, node, path, input, values);
    }

    /// Adds a channel with one key per frame, or with only the first and the last key if nothing moves.
    pub(super) fn add_short(&mut self, to: &mut Builder, node: usize, path: Path, values: &[f32]) {
        let Some(first) = values.get(..path.width()) else { return };
        let moves = values.chunks_exact(path.width()).any(|key| key != first);
        let (Some(start), Some(end)) = (self.times.first(), self.times.last()) else { return };
        if moves || self.times.len() < 3 {
            return self.add(to, node, path, values);
        }
        let ends = [*start, *end];
        let input = *self.ends.get_or_insert_with(|| to.push_floats(&ends, "SCALAR", 1, true));
        self.add_channel(to, node, path, input, &first.repeat(2));
    }

    fn add_channel(&mut self, to: &mut Builder, node: usize, path: Path, input: usize, values: &[f32]) {
        let (kind, width) = path.element();
        let output = to.push_floats(values, kind, width, false);
        let target = json!({ "node": node, "path": path.name() });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }

    /// Adds the animation to the document, unless it has no channels.
    pub(super) fn finish(self, to: &mut Builder) {
        if self.channels.is_empty() {
            return;
        }
        let mut animation = json!({ "samplers": self.samplers, "channels": self.channels });
        if !self.name.is_empty() {
            animation["name"] = json!(self.name);
        }
        to.push("animations", animation);
    }
}
