//! Reads accessors: every accessor becomes a list of `f32`, regardless of its component type.
//!
//! Every index, offset and length in a file may be wrong, so each of them is checked before bytes are read, and an
//! error names the JSON path. Get the description with [`Accessors::named_by`] or [`Accessors::at`], then the numbers
//! with [`Accessors::floats`]; sparse replacements and normalised integers are resolved there. If only a few elements
//! of a large accessor are needed, [`Accessors::some_floats`] is faster. The results are always finite. Compressed
//! buffers are not supported.

use crate::error::{Error, Result};
use crate::gltf::container::Container;
use crate::gltf::field::Field;
use crate::limits::{self, MAX_SAMPLES};
use serde_json::Value;
use std::borrow::Cow;

/// Component type: how one number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub(super) fn from_code(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    pub(super) const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Reads one number from its bytes; missing bytes give zero.
    pub(super) fn read(self, bytes: &[u8]) -> f64 {
        let two = <[u8; 2]>::try_from(bytes).unwrap_or_default();
        let four = <[u8; 4]>::try_from(bytes).unwrap_or_default();
        let one = bytes.first().copied().unwrap_or_default();
        match self {
            Self::I8 => f64::from(one.cast_signed()),
            Self::U8 => f64::from(one),
            Self::I16 => f64::from(i16::from_le_bytes(two)),
            Self::U16 => f64::from(u16::from_le_bytes(two)),
            Self::U32 => f64::from(u32::from_le_bytes(four)),
            Self::F32 => f64::from(f32::from_le_bytes(four)),
        }
    }

    /// Returns the number that represents 1 in normalized accessors.
    pub(super) const fn full(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

/// Returns the count of numbers per element of an accessor type.
pub(super) fn width_of(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// The description of an accessor.
#[derive(Clone, Debug)]
pub(super) struct Accessor<'a> {
    pub(super) field: Field<'a>,
    pub(super) count: usize,
    pub(super) component: Component,
    pub(super) width: usize,
    pub(super) normalized: bool,
}

impl Accessor<'_> {
    /// Size of one element in bytes.
    pub(super) fn size(&self) -> usize {
        self.width * self.component.size()
    }
}

/// The accessors of a document, and the buffers they refer to.
#[derive(Clone, Copy)]
pub(super) struct Accessors<'a> {
    json: &'a Value,
    buffers: &'a [Result<Cow<'a, [u8]>>],
}

/// Elements in a buffer: the bytes from the first element on, and their stride.
pub(super) struct Elements<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) stride: usize,
    size: usize,
}

impl<'a> Elements<'a> {
    pub(super) fn get(&self, index: usize) -> &'a [u8] {
        let start = index.saturating_mul(self.stride);
        self.bytes.get(start..start.saturating_add(self.size)).unwrap_or_default()
    }
}

impl<'a> Accessors<'a> {
    pub(super) fn new(container: &'a Container<'_>) -> Self {
        Self { json: &container.json, buffers: &container.buffers }
    }

    /// Returns the accessor that a field refers to.
    pub(super) fn named_by(&self, reference: &Field<'_>) -> Result<Accessor<'a>> {
        let list = Field::root(self.json).key("accessors");
        let index = reference.index("accessor", list.len()?);
        self.at(reference.required(index, "the index of an accessor")?)
    }

    pub(super) fn at(&self, index: usize) -> Result<Accessor<'a>> {
        let field = Field::root(self.json).key("accessors").at(index);
        let (code, kind, count) = (field.key("componentType"), field.key("type"), field.key("count"));
        let component = code.whole()?.and_then(Component::from_code);
        let width = kind.text()?.and_then(width_of);
        let accessor = Accessor {
            component: component
                .ok_or_else(|| code.error("unknown component type; expected 5120 to 5123, 5125 or 5126"))?,
            width: width.ok_or_else(|| {
                kind.error("unknown element type; expected SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4")
            })?,
            count: count.required(count.whole(), "the number of elements")?,
            normalized: field.key("normalized").flag(),
            field,
        };
        if accessor.count == 0 {
            return Err(count.error("the accessor is empty; at least one element is needed"));
        }
        let numbers = accessor.count.saturating_mul(accessor.width);
        limits::within(accessor.field.path(), "numbers", numbers, MAX_SAMPLES)?;
        Ok(accessor)
    }

    /// Returns all numbers of an accessor, element by element.
    pub(super) fn floats(&self, accessor: &Accessor<'a>) -> Result<Vec<f32>> {
        let place = &accessor.field;
        let numbers = accessor.count.saturating_mul(accessor.width);
        let mut out = Vec::new();
        if place.key("bufferView").exists() {
            let elements = self.elements(place, accessor.size(), accessor.count)?;
            out.reserve_exact(numbers);
            (0..accessor.count).for_each(|i| push(&mut out, accessor, elements.get(i)));
        } else {
            out.resize(numbers, 0.0);
        }
        self.replace_sparse(accessor, &mut out)?;
        match out.iter().position(|x| !x.is_finite()) {
            Some(bad) => {
                let element = bad / accessor.width;
                Err(place.error(format!("element {element} is not finite; export the file again")))
            }
            None => Ok(out),
        }
    }

    /// Returns the numbers of the elements with the given indices. If only a few are needed, this is faster than
    /// reading all.
    pub(super) fn some_floats(
        &self,
        accessor: &Accessor<'a>,
        indices: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Vec<f32>> {
        let place = &accessor.field;
        let width = accessor.width;
        let mut out = Vec::with_capacity(indices.len() * width);
        if place.key("sparse").exists() || !place.key("bufferView").exists() {
            let all = self.floats(accessor)?;
            indices.for_each(|i| out.extend(all.get(i * width..(i + 1) * width).unwrap_or_default()));
            return Ok(out);
        }
        let elements = self.elements(place, accessor.size(), accessor.count)?;
        indices.for_each(|i| push(&mut out, accessor, elements.get(i)));
        match out.iter().all(|x| x.is_finite()) {
            true => Ok(out),
            false => Err(place.error("an element is not finite; export the file again")),
        }
    }

    fn replace_sparse(&self, accessor: &Accessor<'a>, out: &mut [f32]) -> Result<()> {
        let sparse = accessor.field.key("sparse");
        if !sparse.exists() {
            return Ok(());
        }
        let count = sparse.key("count");
        let count = count.required(count.whole(), "the number of replaced elements")?;
        let (at, values) = (sparse.key("indices"), sparse.key("values"));
        let code = at.key("componentType");
        let kind = code.whole()?.and_then(Component::from_code);
        let kind = kind.filter(|k| matches!(k, Component::U8 | Component::U16 | Component::U32));
        let kind = kind.ok_or_else(|| {
            code.error("unknown index type; expected 5121, 5123 or 5125 (unsigned integers)")
        })?;
        let indices = self.elements(&at, kind.size(), count)?;
        let elements = self.elements(&values, accessor.size(), count)?;
        let mut element = Vec::with_capacity(accessor.width);
        for i in 0..count {
            let index = kind.read(indices.get(i)) as usize;
            let start = index.saturating_mul(accessor.width);
            let target = out.get_mut(start..start.saturating_add(accessor.width)).ok_or_else(|| {
                at.error(format!(
                    "element {index} does not exist; the accessor has {} elements",
                    accessor.count
                ))
            })?;
            element.clear();
            push(&mut element, accessor, elements.get(i));
            target.copy_from_slice(&element);
        }
        Ok(())
    }

    /// Returns the bytes of `count` elements, which the `bufferView` and the `byteOffset` of a field refer to.
    pub(super) fn elements(&self, field: &Field<'_>, size: usize, count: usize) -> Result<Elements<'a>> {
        let (view, stride) = self.view(&field.key("bufferView"))?;
        let offset = field.key("byteOffset").whole()?.unwrap_or(0);
        let stride = stride.unwrap_or(size);
        if stride < size {
            return Err(field.error(format!(
                "byteStride is {stride}; it must be at least {size}, the size of an element"
            )));
        }
        let span = count.saturating_sub(1).checked_mul(stride).and_then(|s| s.checked_add(size));
        let end = span.and_then(|s| s.checked_add(offset)).filter(|_| count > 0);
        if end.is_none_or(|end| end > view.len()) {
            let message = format!(
                "{count} elements do not fit into the {} bytes of the buffer view; export the file again",
                view.len()
            );
            return Err(field.error(message));
        }
        Ok(Elements { bytes: view.get(offset..).unwrap_or_default(), stride, size })
    }

    /// Returns the bytes of a buffer view, and its stride.
    pub(super) fn view(&self, reference: &Field<'_>) -> Result<(&'a [u8], Option<usize>)> {
        let list = Field::root(self.json).key("bufferViews");
        let index = reference.index("buffer view", list.len()?);
        let view = list.at(reference.required(index, "the index of a buffer view")?);
        let (length, buffer) = (view.key("byteLength"), view.key("buffer"));
        let index = buffer.index("buffer", self.buffers.len());
        let bytes = self.buffer(buffer.required(index, "the index of a buffer")?)?;
        let start = view.key("byteOffset").whole()?.unwrap_or(0);
        let end = start.checked_add(length.required(length.whole(), "a length in bytes")?);
        let slice = end.and_then(|end| bytes.get(start..end));
        let outside = || {
            view.error(format!(
                "the buffer view exceeds the {} bytes of its buffer; export the file again",
                bytes.len()
            ))
        };
        Ok((slice.ok_or_else(outside)?, view.key("byteStride").whole()?))
    }

    fn buffer(&self, index: usize) -> Result<&'a [u8]> {
        match self.buffers.get(index) {
            Some(Ok(bytes)) => Ok(bytes),
            Some(Err(error)) => Err(error.clone()),
            None => Err(Error::at(
                format!("buffers[{index}]"),
                "this buffer does not exist; export the file again",
            )),
        }
    }
}

fn push(out: &mut Vec<f32>, accessor: &Accessor<'_>, element: &[u8]) {
    let kind = accessor.component;
    let is_fraction = accessor.normalized && kind.full() > 1.0;
    let number = |bytes| match is_fraction {
        true => (kind.read(bytes) / kind.full()).max(-1.0) as f32,
        false => kind.read(bytes) as f32,
    };
    out.extend(element.chunks_exact(kind.size()).map(number));
}
