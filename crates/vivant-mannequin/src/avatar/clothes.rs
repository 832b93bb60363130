//! A jumper with ribbed collar, cuffs and hem, and trousers with turned-up legs.
//!
//! Jumper and trousers follow the [capsules](crate::figure) of the figure, and motions keep hands out of these
//! capsules.

use super::field::{bump, capsule, ellipsoid, intersection, profile, ramp, squircle, taper, union};
use super::loft::{Loft, ball, charted, mirrored, reach, ring_about, without};
use super::mesh::{Mesh, rigid};
use super::skinning::body_skin;
use super::surface::{lines, surface_on};
use glam::{Vec2, Vec3};
use vivant::math::atan2_32;
use vivant::rig::Bone;

/// Returns the length in metres that is added to the dimension `size`, for a build from −1 to 1.
///
/// A broad figure exceeds the capsules by at most 12 mm, so that hands on hips do not sink in.
pub(crate) fn girth(size: f32, build: f32) -> f32 {
    if build > 0.0 { (0.12 * size).min(0.0085) * build } else { 0.08 * size * build }
}

/// Trunk of the jumper by height: half width, half depth, and offset of the middle to the front, in metres.
const TRUNK: [(f32, [f32; 3]); 11] = [
    (0.900, [0.1560, 0.0985, 0.000]),
    (0.925, [0.1570, 0.0990, 0.000]),
    (0.950, [0.1565, 0.1020, 0.000]),
    (0.985, [0.1465, 0.0995, 0.000]),
    (1.030, [0.1360, 0.0945, 0.000]),
    (1.090, [0.1375, 0.0932, -0.002]),
    (1.160, [0.1480, 0.0955, -0.006]),
    (1.220, [0.1540, 0.0945, -0.010]),
    (1.280, [0.1560, 0.0875, -0.014]),
    (1.340, [0.1470, 0.0675, -0.022]),
    (1.400, [0.1160, 0.0365, -0.028]),
];

/// Sleeves by distance from the middle: radius, and height of the sleeve's middle, in metres. They are wider above
/// the cuff.
const SLEEVE: [(f32, [f32; 2]); 12] = [
    (0.100, [0.0440, 1.3735]),
    (0.170, [0.0490, 1.3755]),
    (0.230, [0.0480, 1.3785]),
    (0.300, [0.0460, 1.3800]),
    (0.380, [0.0430, 1.3800]),
    (0.445, [0.0435, 1.3800]),
    (0.510, [0.0415, 1.3800]),
    (0.570, [0.0385, 1.3800]),
    (0.615, [0.0372, 1.3800]),
    (0.632, [0.0368, 1.3800]),
    (0.645, [0.0318, 1.3800]),
    (0.672, [0.0310, 1.3800]),
];

/// End of the sleeves inside their cuffs, in metres from the middle of the figure.
const SLEEVE_END: f32 = 0.668;
/// Lower end of the jumper inside its hem, in metres.
const HEM: f32 = 0.912;

fn jumper_field(p: Vec3, build: f32) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    if q.x > 0.27 {
        return sleeve(q, build);
    }
    let sleeve = if q.x > 0.04 { sleeve(q, build) } else { 0.2 };
    let shoulder_ends = [Vec3::new(0.0, 1.380, -0.028), Vec3::new(0.155, 1.372, -0.029)];
    let shoulders = taper(q, shoulder_ends, [0.048, 0.0440]);
    let slope_ends = [Vec3::new(0.0, 1.402, -0.030), Vec3::new(0.13, 1.384, -0.030)];
    let slope = taper(q, slope_ends, [0.046, 0.034]);
    let body = union(union(trunk(q, build), shoulders, 0.045), slope, 0.03);
    let body = union(body, neckline(q), 0.035);
    union(body, sleeve, 0.03)
}

/// Signed distance field of the jumper's rise towards the neck. It is cut off under the collar.
fn neckline(q: Vec3) -> f32 {
    let ends = [Vec3::new(0.0, 1.355, -0.022), Vec3::new(0.0, 1.445, -0.026)];
    intersection(taper(q, ends, [0.072, 0.053]), q.y - collar_height(q.z) + 0.008, 0.010)
}

/// Returns the height at which the jumper ends under the collar. It is lower in front.
fn collar_height(z: f32) -> f32 {
    1.4340 - 0.24 * (z + 0.026)
}

fn trunk(q: Vec3, build: f32) -> f32 {
    let [width, depth, middle] = profile(&TRUNK, q.y);
    let (width, depth) = (width + girth(width, build), depth + 0.75 * girth(depth, build));
    let flat = Vec2::new(q.x, q.z - middle);
    let side = squircle(flat, Vec2::new(width, depth));
    intersection(intersection(side, HEM - q.y, 0.01), q.y - 1.41, 0.05)
}

fn sleeve(q: Vec3, build: f32) -> f32 {
    let [radius, height] = profile(&SLEEVE, q.x);
    // The elbow protrudes at the back, so that it stays round when the arm bends.
    let elbow = 0.004 * bump(q.x, 0.447, 0.05) * ramp(0.0, 0.03, -0.03 - q.z);
    // The shoulder protrudes at the top for the same reason.
    let shoulder = 0.0080 * bump(q.x, 0.178, 0.065) * ramp(0.0, 0.04, q.y - 1.38);
    let radius = radius + girth(radius, build) * ramp(0.14, 0.30, q.x) + elbow + shoulder;
    let round = Vec2::new(q.y - height, q.z + 0.03).length() - radius;
    intersection(intersection(round, q.x - SLEEVE_END, 0.01), 0.09 - q.x, 0.03)
}

/// Length of cloth that one repeat of the texture covers, in metres.
const REPEAT: f32 = 0.04;

/// Builds a filling for the left shoulder, which is needed when the sleeve twists and becomes thin. It is a solid of
/// revolution about the arm, so it can rotate inside the sleeve without being visible.
fn shoulder(build: f32) -> Mesh {
    let wide = girth(0.044, build) * 0.3;
    let rows = [
        (0.1265, 0.0005),
        (0.132, 0.0220),
        (0.148, 0.0381),
        (0.170, 0.0440),
        (0.195, 0.0450),
        (0.228, 0.0445),
        (0.232, 0.0300),
    ];
    let rings = rows.map(|(x, radius)| {
        ring_about(Vec3::X, 14, |_, way| Vec3::new(x, 1.379, -0.03) + way * (radius + wide))
    });
    Loft { rings: &rings, repeat: REPEAT }.mesh(|_| rigid(Bone::LeftUpperArm))
}

/// Builds the jumper without its ribs.
pub(crate) fn jumper(build: f32) -> Mesh {
    let planes = [
        lines(&[
            (-0.690, -0.618, 0.0125),
            (-0.618, -0.50, 0.024),
            (-0.50, -0.39, 0.0160),
            (-0.39, -0.22, 0.024),
            (-0.22, -0.14, 0.0135),
            (-0.14, 0.14, 0.0216),
            (0.14, 0.22, 0.0135),
            (0.22, 0.39, 0.024),
            (0.39, 0.50, 0.0160),
            (0.50, 0.618, 0.024),
            (0.618, 0.690, 0.0125),
        ]),
        lines(&[(0.896, 1.31, 0.0275), (1.31, 1.48, 0.0168)]),
        lines(&[(-0.135, 0.13, 0.0178)]),
    ];
    let net = surface_on(&|p| jumper_field(p, build), planes);
    let net = without(net, |p| p.y < HEM + 0.003 && p.x.abs() < 0.135 && p.z.abs() < 0.07);
    let mut mesh = charted(net, sleeve_chart, knit, body_skin);
    let elbow = ball(Vec3::new(0.445, 1.379, -0.03), 0.0385 + girth(0.04, build), [14, 6], body_skin);
    for joint in [shoulder(build), elbow] {
        mesh.append(&joint);
        mesh.append(&mirrored(&joint));
    }
    mesh
}

/// Returns the texture chart of a point. Trunk and sleeves have separate charts, each for front and back.
fn sleeve_chart(p: Vec3) -> usize {
    let back = usize::from(p.z < -0.03);
    if p.x.abs() > 0.17 { 2 + back } else { back }
}

/// Returns the texture coordinates of the knitted cloth. Its rows go around trunk and sleeves.
fn knit(chart: usize, p: Vec3) -> Vec2 {
    if chart >= 2 {
        let turn = atan2_32(p.y - 1.38, p.z + 0.03);
        return Vec2::new(turn * 0.042, p.x) / REPEAT;
    }
    let ahead = if chart == 1 { -1.0 } else { 1.0 };
    let turn = atan2_32(p.x / 0.15, ahead * (p.z + 0.01) / 0.095);
    // On the horizontal top of the shoulders, rows continue from chest and back until they meet.
    let level = ramp(1.30, 1.40, p.y);
    let across = turn * 0.125 * (1.0 - level) + p.x * level;
    let over = (0.055 - (p.z + 0.028).abs()).max(0.0);
    Vec2::new(across, p.y + over * level) / REPEAT
}

/// Builds the cuffs, the hem and the collar of the jumper.
pub(crate) fn trim(build: f32) -> Mesh {
    let mut mesh = cuff(build);
    mesh.append(&mirrored(&mesh.clone()));
    mesh.append(&hem(build));
    mesh.append(&collar(build));
    mesh
}

/// Builds the left cuff: from under the sleeve, around the end of the sleeve, and back inside.
fn cuff(build: f32) -> Mesh {
    let wide = girth(0.032, build);
    let rows = [
        (0.6405, 0.0315),
        (0.6435, 0.0346),
        (0.649, 0.0352),
        (0.680, 0.0334),
        (0.6845, 0.0312),
        (0.682, 0.0280),
        (0.656, 0.0275),
    ];
    let rings = rows.map(|(x, radius)| {
        ring_about(Vec3::X, 26, |_, way| Vec3::new(x, 1.38, -0.03) + way * (radius + wide))
    });
    Loft { rings: &rings, repeat: REPEAT }.mesh(body_skin)
}

/// Builds the hem. The jumper is gathered into the hem, which extends slightly below the end of the jumper.
fn hem(build: f32) -> Mesh {
    let rows: [(f32, f32); 7] = [
        (0.910, -0.010),
        (0.8983, -0.003),
        (0.903, 0.0022),
        (0.916, 0.0032),
        (0.931, 0.0032),
        (0.936, 0.0018),
        (0.9375, -0.003),
    ];
    let rings = rows.map(|(y, out)| {
        ring_about(Vec3::Y, 48, |_, way| {
            let edge = reach(|p| trunk(p.abs_x(), build), Vec3::new(0.0, 0.925, 0.0), way);
            Vec3::new(0.0, y, 0.0) + way * (edge + out)
        })
    });
    Loft { rings: &rings, repeat: REPEAT }.mesh(body_skin)
}

trait AbsX {
    fn abs_x(self) -> Self;
}

impl AbsX for Vec3 {
    fn abs_x(self) -> Self {
        Self::new(self.x.abs(), self.y, self.z)
    }
}

/// Position of the neck in the jumper, relative to the figure's middle, in metres.
const NECK: Vec3 = Vec3::new(0.0, 0.0, -0.026);

/// Builds the collar, which lies on the jumper around the neck. It is high on the shoulders and low in front.
fn collar(build: f32) -> Mesh {
    // Points of the cross-section: distances outwards and upwards from the middle of the rib, in millimetres.
    let section: [[f32; 2]; 9] = [
        [1.5, -12.0],
        [5.5, -7.5],
        [6.3, -2.0],
        [5.0, 4.0],
        [2.2, 8.0],
        [-1.5, 9.0],
        [-4.5, 6.5],
        [-5.5, 0.0],
        [-5.0, -14.0],
    ];
    let middle = |_, way: Vec3| {
        let flat = NECK + way * (0.0588 + 0.003 * way.x.abs());
        Vec3::new(flat.x, height_of(|p| jumper_field(p, build), flat), flat.z)
    };
    let middles = ring_about(Vec3::Y, 38, middle);
    let rings = section.map(|[out, up]| {
        ring_about(Vec3::Y, 38, |k, way| middles[k] + (way * out + Vec3::Y * (up + 1.5)) * 0.001)
    });
    Loft { rings: &rings, repeat: REPEAT }.mesh(body_skin)
}

/// Returns the height of a field's surface at the horizontal position `flat`, near the shoulders.
fn height_of(field: impl Fn(Vec3) -> f32, flat: Vec3) -> f32 {
    let (mut inside, mut outside) = (1.38, 1.48);
    for _ in 0..12 {
        let y = 0.5 * (inside + outside);
        if field(Vec3::new(flat.x, y, flat.z)) < 0.0 { inside = y } else { outside = y }
    }
    0.5 * (inside + outside)
}

/// Legs of the trousers by height: radius, and position of the middle sideways and to the front, in metres.
const LEG: [(f32, [f32; 3]); 10] = [
    (0.060, [0.0495, 0.0900, -0.0140]),
    (0.120, [0.0495, 0.0900, -0.0130]),
    (0.200, [0.0505, 0.0900, -0.0090]),
    (0.300, [0.0540, 0.0900, -0.0035]),
    (0.400, [0.0575, 0.0900, 0.0030]),
    (0.475, [0.0610, 0.0900, 0.0070]),
    (0.560, [0.0640, 0.0900, 0.0055]),
    (0.680, [0.0715, 0.0895, 0.0035]),
    (0.780, [0.0765, 0.0890, 0.0015]),
    (0.860, [0.0775, 0.0880, 0.0000]),
];

/// Seat of the trousers by height: half width, half depth and position of the middle, in metres.
const SEAT: [(f32, [f32; 3]); 5] = [
    (0.80, [0.1395, 0.0825, -0.001]),
    (0.86, [0.1485, 0.0925, -0.002]),
    (0.90, [0.1480, 0.0925, -0.001]),
    (0.95, [0.1420, 0.0895, 0.000]),
    (1.02, [0.1260, 0.0845, 0.000]),
];

/// Lower end of the legs inside their cuffs, in metres.
const LEG_END: f32 = 0.098;

fn trousers_field(p: Vec3, build: f32) -> f32 {
    let q = p.abs_x();
    if p.y < 0.7 {
        return leg(q, build);
    }
    let legs = union(leg(q, build), leg(q * Vec3::new(-1.0, 1.0, 1.0), build), 0.016);
    union(union(legs, seat(q, build), 0.035), cheeks(q), 0.025)
}

fn leg(q: Vec3, build: f32) -> f32 {
    let [radius, aside, before] = profile(&LEG, q.y);
    // Cloth gathers above the cuff and at the knee.
    let gathers = 0.0012 * (bump(q.y, 0.145, 0.02) + bump(q.y, 0.185, 0.02) * ramp(0.02, -0.05, q.z));
    let radius = radius + girth(radius, build) + gathers;
    let round = Vec2::new(q.x - aside, q.z - before).length() - radius;
    intersection(intersection(round, LEG_END - q.y, 0.008), q.y - 0.88, 0.05)
}

fn seat(q: Vec3, build: f32) -> f32 {
    let [width, depth, middle] = profile(&SEAT, q.y);
    let (width, depth) = (width + 0.7 * girth(width, build), depth + 0.75 * girth(depth, build));
    let flat = Vec2::new(q.x, q.z - middle);
    let side = squircle(flat, Vec2::new(width, depth));
    intersection(intersection(side, 0.80 - q.y, 0.06), q.y - 1.0, 0.02)
}

fn cheeks(q: Vec3) -> f32 {
    let radii = Vec3::new(0.066, 0.066, 0.061);
    ellipsoid(q, Vec3::new(0.062, 0.855, -0.038), radii)
}

/// Builds the trousers with cuffs.
pub(crate) fn trousers(build: f32) -> Mesh {
    let planes = [
        lines(&[(-0.200, 0.0, 0.0250), (0.0, 0.200, 0.0250)]),
        lines(&[
            (0.080, 0.128, 0.016),
            (0.128, 0.40, 0.055),
            (0.40, 0.55, 0.0215),
            (0.55, 0.74, 0.045),
            (0.74, 0.93, 0.0245),
            (0.93, 1.025, 0.030),
        ]),
        lines(&[(-0.145, 0.135, 0.0232)]),
    ];
    let net = surface_on(&|p| trousers_field(p, build), planes);
    let net = without(net, |p| p.y > 0.968);
    let mut mesh = charted(net, leg_chart, weave, body_skin);
    let radius = 0.054 + girth(0.058, build);
    let knee = ball(Vec3::new(0.09, 0.475, 0.008), radius, [10, 6], body_skin);
    let left = [knee, turn_up(build)];
    for part in &left {
        mesh.append(part);
        mesh.append(&mirrored(part));
    }
    mesh
}

fn leg_chart(p: Vec3) -> usize {
    usize::from(p.x < 0.0) + 2 * usize::from(p.z < 0.0)
}

fn weave(chart: usize, p: Vec3) -> Vec2 {
    let side = if chart % 2 == 1 { -1.0 } else { 1.0 };
    let turn = atan2_32(p.x * side - 0.09, p.z);
    Vec2::new(turn * 0.065, p.y) / REPEAT
}

/// Builds the turned-up end of the left leg.
fn turn_up(build: f32) -> Mesh {
    let rows = [
        (0.120, -0.006),
        (0.081, -0.005),
        (0.0798, 0.0005),
        (0.084, 0.0038),
        (0.108, 0.0035),
        (0.1125, 0.0022),
        (0.1135, -0.008),
    ];
    let rings = rows.map(|(y, out)| {
        let [radius, aside, before] = profile(&LEG, y);
        let radius = radius + girth(radius, build) + out;
        ring_about(Vec3::Y, 24, |_, way| Vec3::new(aside, y, before) + way * radius)
    });
    Loft { rings: &rings, repeat: REPEAT }.mesh(body_skin)
}

/// Signed distance field of the neck, from inside the jumper to inside the head.
pub(crate) fn neck_field(p: Vec3, build: f32) -> f32 {
    let wide = girth(0.05, build) * 0.5;
    let ends = [Vec3::new(0.0, 1.36, -0.034), Vec3::new(0.0, 1.50, -0.018)];
    let stem = taper(p, ends, [0.0515 + wide, 0.0475 + wide]);
    // The neck muscles go from behind the ears to the base of the throat.
    let string = [Vec3::new(0.036, 1.49, -0.028), Vec3::new(0.012, 1.40, 0.012)];
    let strings = capsule(p.abs_x(), string, 0.0105);
    union(stem, strings, 0.02)
}
