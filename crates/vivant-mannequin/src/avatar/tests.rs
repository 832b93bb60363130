//! Geometric requirements of eyes, lids and face.

use super::eyes::IRIS;
use super::head::{SIDES, eye, rims};
use super::mesh::{Mesh, Part};
use super::*;
use crate::figure::EYE_RADIUS;
use crate::look::HairStyle;
use glam::{EulerRot, Quat, Vec2, Vec3};
use std::collections::HashMap;
use vivant::rig::Expression;

fn avatar() -> Avatar {
    Avatar::new(Look::default())
}

fn part<'a>(avatar: &'a Avatar, name: &str) -> &'a Part {
    avatar.parts.iter().find(|part| part.name == name).unwrap_or_else(|| panic!("no part {name}"))
}

/// Returns the positions of the vertices with the given shape weights.
fn bent(mesh: &Mesh, weights: &[(&str, f32)]) -> Vec<Vec3> {
    let mut positions = mesh.positions.clone();
    for (name, weight) in weights {
        for shape in mesh.shapes.iter().filter(|shape| shape.name == *name) {
            for m in &shape.moves {
                positions[m.vertex as usize] += m.by * *weight;
            }
        }
    }
    positions
}

/// Rotates both eyeballs by yaw and pitch in degrees.
fn turned_eyes(mesh: &Mesh, yaw: f32, pitch: f32) -> Vec<Vec3> {
    let turn = Quat::from_euler(EulerRot::YXZ, yaw.to_radians(), pitch.to_radians(), 0.0);
    let half = mesh.positions.len() / 2;
    let place = |(i, p): (usize, &Vec3)| {
        let middle = eye(if i < half { 1.0 } else { -1.0 });
        middle + turn * (*p - middle)
    };
    mesh.positions.iter().enumerate().map(place).collect()
}

/// Distance of the eyeball's surface from its centre in a direction.
fn eyeball_towards(positions: &[Vec3], triangles: &[[u32; 3]], middle: Vec3, way: Vec3) -> f32 {
    triangles
        .iter()
        .find_map(|t| {
            let [a, b, c] = t.map(|i| positions[i as usize] - middle);
            let normal = (b - a).cross(c - a);
            let slope = normal.dot(way);
            let at = way * (normal.dot(a) / slope);
            let within = |p: Vec3, q: Vec3| (q - p).cross(at - p).dot(normal) >= -1e-14;
            (slope > 1e-12 && within(a, b) && within(b, c) && within(c, a)).then(|| at.length())
        })
        .expect("the front of an eyeball is closed")
}

const BLINK: [&str; 2] = ["eyeBlinkLeft", "eyeBlinkRight"];

fn both(weight: f32) -> [(&'static str, f32); 2] {
    BLINK.map(|name| (name, weight))
}

#[test]
fn lids_lie_on_the_eyeball_at_every_gaze_and_aperture() {
    let avatar = avatar();
    let (face, eyes) = (&part(&avatar, "face").mesh, &part(&avatar, "eyes").mesh);
    let per_eye = eyes.triangles.len() / 2;
    let (mut deepest, mut widest) = (0.0_f32, 0.0_f32);
    for gaze in (0..25).map(|i| [(i % 5 * 20 - 40) as f32, (i / 5 * 20 - 40) as f32]) {
        let ball = turned_eyes(eyes, gaze[0], gaze[1]);
        for step in 0..=20 {
            let lids = bent(face, &both(step as f32 / 20.0));
            for (k, side) in SIDES.into_iter().enumerate() {
                let (middle, triangles) = (eye(side), &eyes.triangles[k * per_eye..(k + 1) * per_eye]);
                let rim = &rims(face)[k];
                for i in 0..rim.len() {
                    let [a, b] = [rim[i], rim[(i + 1) % rim.len()]].map(|v| lids[v as usize]);
                    for p in [a, (a + b) * 0.5] {
                        let from = p - middle;
                        let gap = from.length() - eyeball_towards(&ball, triangles, middle, from.normalize());
                        deepest = deepest.max(-gap);
                        widest = widest.max(gap);
                    }
                }
            }
        }
    }
    assert!(deepest < 0.000_2, "a lid is {} mm inside an eyeball", deepest * 1000.0);
    assert!(widest < 0.000_3, "gap of {} mm below a lid", widest * 1000.0);
    assert!(widest > 0.000_1 && deepest > 0.0, "the measurement found nothing: {widest} {deepest}");
}

#[test]
fn no_skin_is_inside_an_eyeball_and_closed_lids_meet() {
    let avatar = avatar();
    let face = &part(&avatar, "face").mesh;
    for step in 0..=20 {
        let lids = bent(face, &both(step as f32 / 20.0));
        for triangle in &face.triangles {
            let corner = triangle.map(|i| lids[i as usize]);
            let middle = (corner[0] + corner[1] + corner[2]) / 3.0;
            for p in corner.into_iter().chain([middle]) {
                let within = SIDES.map(|side| EYE_RADIUS - p.distance(eye(side)));
                assert!(within.into_iter().all(|w| w < 0.000_2), "{p} is {within:?} m inside an eyeball");
            }
        }
    }
    for shape in
        ["eyeWide", "eyeSquint", "eyeLookDown", "eyeLookUp", "cheekSquint", "browDown", "browInnerUp"]
    {
        let sides = [format!("{shape}Left"), format!("{shape}Right"), shape.to_owned()];
        let lids = bent(face, &sides.each_ref().map(|name| (name.as_str(), 1.0)));
        let within =
            |p: &Vec3| SIDES.map(|side| EYE_RADIUS - p.distance(eye(side))).into_iter().fold(0.0, f32::max);
        let deepest = lids.iter().map(within).fold(0.0, f32::max);
        assert!(deepest < 0.000_2, "with {shape} the skin is {deepest} m inside an eyeball");
    }
    let shut = bent(face, &both(1.0));
    for rim in rims(face) {
        // A vertex of the upper lid has its counterpart below it.
        for i in 1..rim.len() / 2 {
            let [upper, lower] = [rim[i], rim[rim.len() - i]].map(|v| shut[v as usize]);
            assert!(upper.distance(lower) < 0.000_05, "closed lids are {} m apart", upper.distance(lower));
        }
    }
}

/// A depth image of triangles, with pixels of a quarter millimetre.
struct DepthImage {
    depth: Vec<f32>,
    what: Vec<usize>,
}

impl DepthImage {
    const WIDE: usize = 560;
    const HIGH: usize = 240;
    const SCALE: f32 = 0.000_3;

    fn new() -> Self {
        Self {
            depth: vec![f32::NEG_INFINITY; Self::WIDE * Self::HIGH],
            what: vec![0; Self::WIDE * Self::HIGH],
        }
    }

    /// Draws triangles seen by a camera rotated by a yaw.
    fn draw(
        &mut self,
        yaw: f32,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        what: impl Fn(&[u32; 3]) -> usize,
    ) {
        let turn = Quat::from_rotation_y(-yaw.to_radians());
        for triangle in triangles {
            let seen = triangle.map(|i| turn * (positions[i as usize] - Vec3::new(0.0, 1.574, 0.058)));
            let [a, b, c] = seen.map(|p| {
                Vec2::new(
                    p.x / Self::SCALE + Self::WIDE as f32 / 2.0,
                    p.y / Self::SCALE + Self::HIGH as f32 / 2.0,
                )
            });
            let area = (b - a).perp_dot(c - a);
            if area.abs() < 1e-9 {
                continue;
            }
            let [low, high] = [a.min(b).min(c).max(Vec2::ZERO), a.max(b).max(c)];
            let end = high.min(Vec2::new(Self::WIDE as f32 - 1.0, Self::HIGH as f32 - 1.0));
            for y in low.y.ceil() as usize..=end.y.max(0.0) as usize {
                for x in low.x.ceil() as usize..=end.x.max(0.0) as usize {
                    let p = Vec2::new(x as f32, y as f32);
                    let (u, v) = ((b - p).perp_dot(c - p) / area, (c - p).perp_dot(a - p) / area);
                    if u < 0.0 || v < 0.0 || u + v > 1.0 {
                        continue;
                    }
                    let depth = u * seen[0].z + v * seen[1].z + (1.0 - u - v) * seen[2].z;
                    let at = y * Self::WIDE + x;
                    if depth > self.depth[at] {
                        self.depth[at] = depth;
                        self.what[at] = what(triangle);
                    }
                }
            }
        }
    }

    fn count(&self, what: usize) -> usize {
        self.what.iter().filter(|w| **w == what).count()
    }
}

/// Returns the number of visible pixels of the irises and of the whites.
fn seen(avatar: &Avatar, yaw: f32, gaze: [f32; 2], shut: f32) -> [usize; 2] {
    let (face, eyes) = (&part(avatar, "face").mesh, &part(avatar, "eyes").mesh);
    let mut picture = DepthImage::new();
    picture.draw(yaw, &bent(face, &both(shut)), &face.triangles, |_| 3);
    let of_iris = |i: &u32| {
        let half = eyes.positions.len() / 2;
        let middle = eye(if (*i as usize) < half { 1.0 } else { -1.0 });
        (eyes.positions[*i as usize] - middle).angle_between(Vec3::Z).to_degrees() < IRIS + 0.1
    };
    let what = |t: &[u32; 3]| if t.iter().all(of_iris) { 1 } else { 2 };
    picture.draw(yaw, &turned_eyes(eyes, gaze[0], gaze[1]), &eyes.triangles, what);
    [picture.count(1), picture.count(2)]
}

#[test]
fn closed_eyes_are_covered_and_open_ones_show_the_iris() {
    let avatar = avatar();
    let [iris, white] = seen(&avatar, 0.0, [0.0, 0.0], 0.0);
    assert!(iris > 2000 && white > 2000, "open eyes show {iris} and {white}");
    let half = seen(&avatar, 0.0, [0.0, 0.0], 0.5)[0];
    assert!(half > iris / 4 && half < iris * 3 / 4, "half shut, {half} of {iris} is seen");
    for yaw in [-35.0, 0.0, 35.0] {
        for gaze in
            [[0.0, 0.0], [40.0, 0.0], [-40.0, 0.0], [0.0, 40.0], [0.0, -40.0], [40.0, 40.0], [-40.0, -40.0]]
        {
            assert_eq!(seen(&avatar, yaw, gaze, 1.0), [0, 0], "seen from {yaw}° at a gaze of {gaze:?}");
        }
    }
}

#[test]
fn the_skin_is_closed_except_for_eyes_mouth_and_neck() {
    let avatar = avatar();
    let face = &part(&avatar, "face").mesh;
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for [a, b, c] in &face.triangles {
        for [p, q] in [[*a, *b], [*b, *c], [*c, *a]] {
            *edges.entry([p.min(q), p.max(q)]).or_default() += if p < q { 1 } else { -1 };
        }
    }
    // An edge inside the skin is traversed once in each direction. The other edges border an opening.
    let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
    for ([a, b], _) in edges.iter().filter(|(_, n)| **n != 0) {
        next.entry(*a).or_default().push(*b);
        next.entry(*b).or_default().push(*a);
    }
    assert!(next.values().all(|n| n.len() == 2), "openings must not touch");
    let mut left: Vec<u32> = next.keys().copied().collect();
    let mut openings = 0;
    while let Some(start) = left.first().copied() {
        openings += 1;
        let mut stack = vec![start];
        while let Some(v) = stack.pop() {
            if let Some(at) = left.iter().position(|l| *l == v) {
                left.swap_remove(at);
                stack.extend(&next[&v]);
            }
        }
    }
    assert_eq!(openings, 4, "expected two eyes, a mouth and a neck");
}

#[test]
fn every_expression_has_its_shape() {
    let avatar = avatar();
    let has = |name: &str| avatar.parts.iter().any(|part| part.mesh.shapes.iter().any(|s| s.name == name));
    let missing: Vec<&str> = Expression::arkit()
        .chain(Expression::visemes())
        .map(Expression::name)
        .filter(|name| !has(name))
        .collect();
    assert!(missing.is_empty(), "no part has {missing:?}");
    assert!(has("pupilDilate") && has("pupilConstrict"));
}

#[test]
fn mouth_close_compensates_jaw_open() {
    let avatar = avatar();
    let face = &part(&avatar, "face").mesh;
    let gap = |weights: &[(&str, f32)]| {
        let there = bent(face, weights);
        head::lip_pairs(face)
            .into_iter()
            .map(|[u, l]| there[u as usize].distance(there[l as usize]))
            .fold(0.0, f32::max)
    };
    assert!(gap(&[]) < 0.000_1, "at rest the lips are {} m apart", gap(&[]));
    assert!(
        gap(&[("jawOpen", 1.0)]) > 0.02,
        "an open jaw opens the mouth only by {} m",
        gap(&[("jawOpen", 1.0)])
    );
    let shut = gap(&[("jawOpen", 1.0), ("mouthClose", 1.0)]);
    assert!(shut < 0.004, "with mouthClose the lips are {shut} m apart");
}

#[test]
fn looks_are_deterministic_and_within_the_triangle_budget() {
    let seeds = (0..4).map(Look::of_seed);
    let styles = HairStyle::ALL.map(|hair_style| Look { hair_style, build: 1.0, ..Look::default() });
    for look in seeds.chain(styles) {
        let [one, two] = [Avatar::new(look.clone()), Avatar::new(look)];
        assert!(
            (10_000..=40_000).contains(&one.triangles()),
            "{:?}: {} triangles",
            one.look,
            one.triangles()
        );
        assert_eq!(one.parts, two.parts);
        for part in &one.parts {
            let count = part.mesh.positions.len();
            let finite = part.mesh.positions.iter().chain(&part.mesh.normals).all(|p| p.is_finite());
            assert!(
                finite && part.mesh.normals.len() == count && part.mesh.uvs.len() == count,
                "{}",
                part.name
            );
            assert!(part.mesh.triangles.iter().flatten().all(|i| (*i as usize) < count), "{}", part.name);
            for skin in &part.mesh.skins {
                let sum: f32 = skin.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{}: weights sum to {sum}", part.name);
            }
        }
    }
}

/// A hash of the character (FNV-1a over the bits of every coordinate).
fn fingerprint(avatar: &Avatar) -> u64 {
    let coordinates = avatar.parts.iter().flat_map(|part| {
        let moves = part.mesh.shapes.iter().flat_map(|shape| shape.moves.iter().map(|m| m.by));
        part.mesh.positions.iter().copied().chain(moves)
    });
    let bits = coordinates.flat_map(|p| p.to_array()).map(f32::to_bits);
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_avatar_is_bit_identical_everywhere() {
    assert_eq!(format!("{:016x}", fingerprint(&avatar())), "b581f67208399597");
}
