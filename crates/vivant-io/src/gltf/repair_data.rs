//! Repairs the numbers of an avatar: bounds, weights, normals, rotations.
//!
//! Many exporters write avatars that viewers show but the glTF validator rejects, and a file with such errors should
//! not be passed on. [`repair`] changes the buffer of a [`Builder`] in place and notes in [`Repairs`] how many items
//! each repair changed. Layout comes first and bounds come last, because the other repairs change the numbers that the
//! bounds describe. Accessors that do not fit into the buffer are left alone, and so is a whole file whose accessors
//! read the buffer more than [`MAX_READS`] times, because its repair would take too long.

use crate::gltf::accessor::{Accessors, Component, width_of};
use crate::gltf::build::Builder;
use crate::gltf::container::Container;
use crate::gltf::repair::Repairs;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Largest deviation from unit length that is not repaired. The validator tolerates slightly more.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Maximum total size of all accessors, as a multiple of the buffer size. In normal files, accessors read the buffer
/// once or a few times.
const MAX_READS: usize = 32;

pub(super) fn repair(to: &mut Builder, repairs: &mut Repairs) {
    if count_reads(to) > MAX_READS {
        return;
    }
    let uses = Uses::of(&to.json);
    repairs.note("accessors", "accessors were not aligned and were moved", align(to, &uses));
    repairs.note(
        "bufferViews",
        "buffer views shared by several attributes had no stride",
        strides(to, &uses),
    );
    let mut data = Data { json: &to.json, bin: &mut to.bin };
    repairs.note("accessors", "non-finite numbers were set to 0", data.repair_all(finite));
    let normals = data.repair_each(&uses.normals, |v| unit(v, 3, [0.0, 1.0, 0.0, 0.0]));
    let tangents = data.repair_each(&uses.tangents, tangent);
    repairs.note("meshes", "normals and tangents were normalised", normals + tangents);
    let turns = data.repair_each(&uses.rotations, |v| unit(v, 4, [0.0, 0.0, 0.0, 1.0]));
    repairs.note("animations", "rotations were normalised", turns);
    let rows = data.repair_each(&uses.bind_matrices, bind_matrix);
    repairs.note("skins", "bind matrices had an invalid last row", rows);
    let vertices = uses.skin.iter().map(|sets| data.repair_skin(sets)).sum();
    repairs.note("meshes", "vertices had skin weights that do not sum to 1, or a duplicate joint", vertices);
    repairs.note("accessors", "accessors had wrong or missing bounds", bounds(to, &uses));
}

/// Returns the total size of all accessors as a multiple of the buffer size.
fn count_reads(to: &Builder) -> usize {
    let layouts =
        (0..list(to.json.get("accessors")).count()).filter_map(|a| Layout::of(&to.json, to.bin.len(), a));
    let bytes = layouts.fold(0_usize, |sum, l| sum.saturating_add(l.count.saturating_mul(l.size())));
    bytes / to.bin.len().max(1)
}

/// The uses of accessors.
#[derive(Default)]
struct Uses {
    attributes: BTreeSet<usize>,
    bounded: BTreeSet<usize>,
    normals: BTreeSet<usize>,
    tangents: BTreeSet<usize>,
    rotations: BTreeSet<usize>,
    bind_matrices: BTreeSet<usize>,
    /// Accessors of skin weights and joints of each primitive, four values each.
    skin: BTreeSet<Vec<[usize; 2]>>,
}

impl Uses {
    fn of(json: &Map<String, Value>) -> Self {
        let mut uses = Self::default();
        for primitive in list(json.get("meshes")).flat_map(|mesh| list(mesh.get("primitives"))) {
            uses.add_primitive(primitive);
        }
        for animation in list(json.get("animations")) {
            uses.add_animation(animation);
        }
        let matrices = list(json.get("skins")).filter_map(|skin| index(skin, "inverseBindMatrices"));
        uses.bind_matrices.extend(matrices);
        uses
    }

    fn add_primitive(&mut self, primitive: &Value) {
        for (name, accessor) in indices(primitive.get("attributes")) {
            self.attributes.insert(accessor);
            match name {
                "POSITION" => drop(self.bounded.insert(accessor)),
                "NORMAL" => drop(self.normals.insert(accessor)),
                "TANGENT" => drop(self.tangents.insert(accessor)),
                _ => {}
            }
        }
        let attribute =
            |name: &str, set: usize| index(primitive.get("attributes")?, &format!("{name}_{set}"));
        let set = |set: usize| Some([attribute("WEIGHTS", set)?, attribute("JOINTS", set)?]);
        self.skin.insert((0..).map_while(set).collect());
        for (name, accessor) in list(primitive.get("targets")).flat_map(|target| indices(Some(target))) {
            self.attributes.insert(accessor);
            if name == "POSITION" {
                self.bounded.insert(accessor);
            }
        }
    }

    fn add_animation(&mut self, animation: &Value) {
        let samplers: Vec<&Value> = list(animation.get("samplers")).collect();
        self.bounded.extend(samplers.iter().filter_map(|sampler| index(sampler, "input")));
        for channel in list(animation.get("channels")) {
            let sampler = index(channel, "sampler").and_then(|i| samplers.get(i));
            let path = channel.get("target").and_then(|t| t.get("path")).and_then(Value::as_str);
            // The tangents of a spline are in the same accessor and are not rotations.
            let spline = sampler.and_then(|s| s.get("interpolation")).and_then(Value::as_str);
            if path == Some("rotation") && spline != Some("CUBICSPLINE") {
                self.rotations.extend(sampler.and_then(|s| index(s, "output")));
            }
        }
    }
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn index(value: &Value, key: &str) -> Option<usize> {
    value.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
}

fn indices(value: Option<&Value>) -> impl Iterator<Item = (&str, usize)> {
    let entries = value.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(name, v)| Some((name.as_str(), usize::try_from(v.as_u64()?).ok()?)))
}

/// Layout of an accessor's elements in the buffer.
#[derive(Clone, Copy, Debug)]
struct Layout {
    view: usize,
    start: usize,
    stride: usize,
    count: usize,
    component: Component,
    width: usize,
    has_stride: bool,
}

impl Layout {
    fn of(json: &Map<String, Value>, bin: usize, accessor: usize) -> Option<Self> {
        let accessor = json.get("accessors")?.get(accessor)?;
        let view_index = index(accessor, "bufferView")?;
        let view = json.get("bufferViews")?.get(view_index)?;
        let component = Component::from_code(index(accessor, "componentType")?)?;
        let width = accessor.get("type").and_then(Value::as_str).and_then(width_of)?;
        let stride = index(view, "byteStride");
        let layout = Self {
            view: view_index,
            start: index(view, "byteOffset")
                .unwrap_or(0)
                .checked_add(index(accessor, "byteOffset").unwrap_or(0))?,
            stride: stride.unwrap_or(width * component.size()),
            count: index(accessor, "count")?,
            component,
            width,
            has_stride: stride.is_some(),
        };
        if layout.stride < layout.size() {
            return None;
        }
        let end = layout.count.checked_sub(1)?.checked_mul(layout.stride)?.checked_add(layout.start)?;
        (index(view, "buffer")? == 0 && end.checked_add(layout.size())? <= bin).then_some(layout)
    }

    const fn size(&self) -> usize {
        self.width * self.component.size()
    }

    fn place(&self, element: usize, number: usize) -> std::ops::Range<usize> {
        let start = self.start + element * self.stride + number * self.component.size();
        start..start + self.component.size()
    }
}

/// Access to the numbers in the buffer.
struct Data<'t> {
    json: &'t Map<String, Value>,
    bin: &'t mut [u8],
}

impl Data<'_> {
    fn layout(&self, accessor: usize) -> Option<Layout> {
        Layout::of(self.json, self.bin.len(), accessor)
    }

    fn get(&self, layout: &Layout, element: usize) -> Vec<f64> {
        (0..layout.width).map(|n| layout.component.read(&self.bin[layout.place(element, n)])).collect()
    }

    fn set(&mut self, layout: &Layout, element: usize, numbers: &[f64]) {
        for (n, number) in numbers.iter().enumerate() {
            layout.component.write(*number, &mut self.bin[layout.place(element, n)]);
        }
    }

    fn repair_all(&mut self, repair: impl Fn(&mut [f64]) -> bool + Copy) -> usize {
        let count = list(self.json.get("accessors")).count();
        self.repair_each(&(0..count).collect(), repair)
    }

    /// Repairs elements of `f32` accessors; `repair` returns true if it changed the element.
    fn repair_each(
        &mut self,
        accessors: &BTreeSet<usize>,
        repair: impl Fn(&mut [f64]) -> bool + Copy,
    ) -> usize {
        let layouts =
            accessors.iter().filter_map(|a| self.layout(*a)).filter(|l| l.component == Component::F32);
        let mut mended = 0;
        for layout in layouts.collect::<Vec<_>>() {
            for element in 0..layout.count {
                let mut numbers = self.get(&layout, element);
                if repair(&mut numbers) {
                    self.set(&layout, element, &numbers);
                    mended += 1;
                }
            }
        }
        mended
    }

    /// Normalises the skin weights of a primitive's vertices to a sum of 1, and merges duplicate joints.
    fn repair_skin(&mut self, sets: &[[usize; 2]]) -> usize {
        let layout = |accessor: usize| self.layout(accessor).filter(|layout| layout.width == 4);
        let layouts =
            |which: usize| sets.iter().map(|set| layout(set[which])).collect::<Option<Vec<Layout>>>();
        let (Some(weights), Some(joints)) = (layouts(0), layouts(1)) else { return 0 };
        let Some(component) = weights.first().map(|l| l.component) else { return 0 };
        if weights.iter().any(|l| l.component != component) {
            return 0;
        }
        let vertices = weights.iter().chain(&joints).map(|l| l.count).min().unwrap_or(0);
        (0..vertices).filter(|vertex| self.repair_vertex(*vertex, &weights, &joints, component)).count()
    }

    fn repair_vertex(
        &mut self,
        vertex: usize,
        weights: &[Layout],
        joints: &[Layout],
        component: Component,
    ) -> bool {
        let all = |layouts: &[Layout]| layouts.iter().flat_map(|l| self.get(l, vertex)).collect::<Vec<f64>>();
        let (mut numbers, joints) = (all(weights), all(joints));
        let changed = merge_duplicate_joints(&mut numbers, &joints) | normalise(&mut numbers, component);
        for (layout, four) in weights.iter().zip(numbers.chunks_exact(4)).filter(|_| changed) {
            self.set(layout, vertex, four);
        }
        changed
    }
}

impl Component {
    fn write(self, number: f64, to: &mut [u8]) {
        match (self, to.len()) {
            (Self::I8, 1) => to.copy_from_slice(&(number as i8).to_le_bytes()),
            (Self::U8, 1) => to.copy_from_slice(&(number as u8).to_le_bytes()),
            (Self::I16, 2) => to.copy_from_slice(&(number as i16).to_le_bytes()),
            (Self::U16, 2) => to.copy_from_slice(&(number as u16).to_le_bytes()),
            (Self::U32, 4) => to.copy_from_slice(&(number as u32).to_le_bytes()),
            (Self::F32, 4) => to.copy_from_slice(&(number as f32).to_le_bytes()),
            _ => {}
        }
    }
}

fn finite(numbers: &mut [f64]) -> bool {
    let bad = numbers.iter().any(|n| !n.is_finite());
    numbers.iter_mut().filter(|n| !n.is_finite()).for_each(|n| *n = 0.0);
    bad
}

/// Normalises the first `width` numbers, or sets them to `fallback` if they are zero.
fn unit(numbers: &mut [f64], width: usize, fallback: [f64; 4]) -> bool {
    let Some(vector) = numbers.get_mut(..width) else { return false };
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return false;
    }
    match length > 1e-9 {
        true => vector.iter_mut().for_each(|x| *x /= length),
        false => vector.iter_mut().zip(fallback).for_each(|(x, f)| *x = f),
    }
    true
}

/// Repairs a tangent: a unit vector and a sign.
fn tangent(numbers: &mut [f64]) -> bool {
    let turned = unit(numbers, 3, [1.0, 0.0, 0.0, 0.0]);
    let Some(sign) = numbers.get_mut(3).filter(|sign| sign.abs() != 1.0) else { return turned };
    *sign = if *sign < 0.0 { -1.0 } else { 1.0 };
    true
}

/// Repairs the last row of a bind matrix: 0, 0, 0, 1.
fn bind_matrix(numbers: &mut [f64]) -> bool {
    let mut changed = false;
    for (place, expected) in [(3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0)] {
        // A larger difference is not a rounding error and is left as it is.
        let close = |n: &&mut f64| **n != expected && (**n - expected).abs() < 1e-3;
        if let Some(number) = numbers.get_mut(place).filter(close) {
            *number = expected;
            changed = true;
        }
    }
    changed
}

/// Adds the weight of a duplicate joint to its first occurrence.
fn merge_duplicate_joints(weights: &mut [f64], joints: &[f64]) -> bool {
    let mut changed = false;
    for second in 1..weights.len() {
        let is_duplicate = |first: &usize| joints[*first] == joints[second] && weights[*first] > 0.0;
        if weights[second] > 0.0
            && let Some(first) = (0..second).find(is_duplicate)
        {
            weights[first] += std::mem::take(&mut weights[second]);
            changed = true;
        }
    }
    changed
}

/// Scales weights to a sum of 1. A vertex without weights is attached to its first joint.
fn normalise(weights: &mut [f64], component: Component) -> bool {
    let full = component.full();
    let is_whole = component != Component::F32;
    let used = weights.iter().filter(|w| **w > 0.0).count();
    let sum: f64 = weights.iter().sum();
    // The specification's tolerance for f32; integers have none.
    let tolerance = if is_whole { 0.0 } else { 2e-7 * used as f64 };
    if (sum - full).abs() <= tolerance && weights.iter().all(|w| *w >= 0.0) {
        return false;
    }
    weights.iter_mut().for_each(|w| *w = w.max(0.0));
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        weights.iter_mut().take(1).for_each(|w| *w = full);
        return true;
    }
    let scaled = |w: f64| if is_whole { (w * full / sum).round() } else { f64::from((w / sum) as f32) };
    weights.iter_mut().for_each(|w| *w = scaled(*w));
    // The rounding error is added to the largest weight, where it matters least.
    let rest = full - weights.iter().sum::<f64>();
    if let Some(largest) = weights.iter_mut().max_by(|a, b| a.total_cmp(b)) {
        *largest += rest;
    }
    true
}

/// Moves accessors that are not aligned to their component size into buffer views of their own.
fn align(to: &mut Builder, uses: &Uses) -> usize {
    let mut moved = 0;
    for accessor in 0..list(to.json.get("accessors")).count() {
        let Some(layout) = Layout::of(&to.json, to.bin.len(), accessor) else { continue };
        let is_attribute = uses.attributes.contains(&accessor);
        let grain = if is_attribute { 4 } else { layout.component.size() };
        let fits = layout.start % grain == 0 && (layout.stride % grain == 0 || layout.count == 1);
        let fits_alone = layout.start % layout.component.size() == 0 && !layout.has_stride && !is_attribute;
        if fits || fits_alone {
            continue;
        }
        repack(to, accessor, &layout, is_attribute);
        moved += 1;
    }
    moved
}

fn repack(to: &mut Builder, accessor: usize, layout: &Layout, is_attribute: bool) {
    let size = layout.size();
    let stride = if is_attribute { size.next_multiple_of(4) } else { size };
    let mut bytes = Vec::with_capacity(layout.count * stride);
    for element in 0..layout.count {
        let start = layout.start + element * layout.stride;
        bytes.extend_from_slice(&to.bin[start..start + size]);
        bytes.resize(bytes.len().next_multiple_of(stride), 0);
    }
    let view = to.push_bytes(&bytes, None);
    if is_attribute {
        to.json["bufferViews"][view]["byteStride"] = json!(stride);
        to.json["bufferViews"][view]["target"] = json!(34962);
    }
    if let Some(object) = to.json["accessors"][accessor].as_object_mut() {
        object.insert("bufferView".into(), json!(view));
        object.remove("byteOffset");
    }
}

/// Adds a stride to buffer views with several vertex attributes, as glTF requires.
fn strides(to: &mut Builder, uses: &Uses) -> usize {
    let mut shared: BTreeMap<usize, Vec<Layout>> = BTreeMap::new();
    for layout in uses.attributes.iter().filter_map(|a| Layout::of(&to.json, to.bin.len(), *a)) {
        shared.entry(layout.view).or_default().push(layout);
    }
    let mut mended = 0;
    for (view, layouts) in shared {
        let size = layouts[0].size();
        let alike = layouts.iter().all(|l| l.size() == size && !l.has_stride);
        if layouts.len() > 1 && alike && size % 4 == 0 && (4..=252).contains(&size) {
            to.json["bufferViews"][view]["byteStride"] = json!(size);
            mended += 1;
        }
    }
    mended
}

/// Corrects bounds wherever they are declared or required.
fn bounds(to: &mut Builder, uses: &Uses) -> usize {
    let json = Value::Object(std::mem::take(&mut to.json));
    let buffers = vec![Ok(Cow::Owned(std::mem::take(&mut to.bin)))];
    let mut container = Container { json, buffers };
    let found: Vec<_> = (0..list(container.json.get("accessors")).count())
        .filter_map(|accessor| Some((accessor, wrong_bounds(&container, uses, accessor)?)))
        .collect();
    for (accessor, (least, most)) in &found {
        container.json["accessors"][accessor]["min"] = json!(least);
        container.json["accessors"][accessor]["max"] = json!(most);
    }
    if let Value::Object(json) = container.json {
        to.json = json;
    }
    if let Some(Ok(bin)) = container.buffers.pop() {
        to.bin = bin.into_owned();
    }
    found.len()
}

/// Returns the correct bounds of an accessor, if its declared bounds are wrong or required bounds are missing.
fn wrong_bounds(container: &Container<'_>, uses: &Uses, accessor: usize) -> Option<(Vec<f32>, Vec<f32>)> {
    let object = container.json.get("accessors")?.get(accessor)?;
    let declared = |key: &str| -> Option<Vec<f32>> {
        let numbers = object.get(key)?.as_array()?.iter();
        Some(numbers.map(|n| n.as_f64().map_or(f32::NAN, |n| n as f32)).collect())
    };
    let (min, max) = (declared("min"), declared("max"));
    if min.is_none() && max.is_none() && !uses.bounded.contains(&accessor) {
        return None;
    }
    let accessors = Accessors::new(container);
    // Bounds refer to the stored integers, not to the fractions they represent.
    let raw = crate::gltf::accessor::Accessor { normalized: false, ..accessors.at(accessor).ok()? };
    let numbers = accessors.floats(&raw).ok()?;
    let mut least = vec![f32::INFINITY; raw.width];
    let mut most = vec![f32::NEG_INFINITY; raw.width];
    for element in numbers.chunks_exact(raw.width) {
        for (i, number) in element.iter().enumerate() {
            least[i] = least[i].min(*number);
            most[i] = most[i].max(*number);
        }
    }
    (min.as_ref() != Some(&least) || max.as_ref() != Some(&most)).then_some((least, most))
}
