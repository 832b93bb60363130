//! Finds eyelids that are moved by bones.
//!
//! Some avatars have no blink expression but bones for the lids. [`find`] recognises them by name below the head and
//! returns for each bone the rotation that closes the eye. The angle is measured from the edges of the lids in the mesh
//! or, without a mesh, from the children of the bones; if the result is implausible, a fixed angle is used. Avatars
//! with a blink expression and VRMA files get no lid bones.

use super::Surface;
use crate::humanoid::{self, NamedLid};
use crate::scene::{Kind, LidNode, Source};
use glam::{Quat, Vec3};
use vivant::math::atan2_32;
use vivant::rig::Bone;

/// Closing rotation of an upper lid in degrees, if it cannot be measured (our design).
const UPPER_DEGREES: f32 = 35.0;
/// Rotation of the lower lid relative to the upper lid (Steptoe 2010: a quarter).
const LOWER_SHARE: f32 = 0.25;
/// Plausible angles between the edges of open lids in degrees; other measurements are discarded.
const PLAUSIBLE_DEGREES: std::ops::RangeInclusive<f32> = 8.0..=90.0;

/// Returns the bones that close the lids of a file without a blink expression.
///
/// `surface` is the mesh of the avatar, if it was read. Without a mesh, the children of the lid bones are taken as the
/// edges of the lids.
pub(crate) fn find(source: &Source, axes: Quat, surface: Option<&Surface>) -> Vec<LidNode> {
    let blinks = ["blink", "blinkLeft", "blinkRight", "eyeBlinkLeft", "eyeBlinkRight"];
    let has_blink = source.expressions.iter().any(|e| blinks.contains(&e.channel.name()));
    let Some(head) = source.humanoid.node(Bone::Head).filter(|_| !has_blink && source.kind != Kind::Vrma)
    else {
        return Vec::new();
    };
    let world = source.scene.rest_world();
    let places: Vec<Vec3> = world.iter().map(|t| axes * t.translation).collect();
    let lids = Lids { source, places, surface };
    let named = lids.named(head);
    let eyes = [0, 1].map(|eye| lids.closing(&named, eye));
    eyes.concat()
}

struct Lids<'a> {
    source: &'a Source,
    /// Rest positions of the nodes in humanoid space.
    places: Vec<Vec3>,
    surface: Option<&'a Surface>,
}

impl Lids<'_> {
    /// Returns the lids of the head with their sides. Of a chain of bones, only the first bone is returned.
    fn named(&self, head: usize) -> Vec<(usize, NamedLid)> {
        let scene = &self.source.scene;
        let all: Vec<NamedLid> = humanoid::lids(scene).filter(|lid| scene.is_below(lid.node, head)).collect();
        let is_first = |lid: &&NamedLid| !all.iter().any(|other| scene.is_below(lid.node, other.node));
        let is_bone = |lid: &&NamedLid| self.source.humanoid.bone(lid.node).is_none();
        let across = |lid: &NamedLid| self.places[lid.node].x - self.places[head].x;
        let side = |lid: &NamedLid| lid.eye.unwrap_or(usize::from(across(lid) < 0.0));
        all.iter().filter(is_first).filter(is_bone).map(|lid| (side(lid), *lid)).collect()
    }

    /// Returns the lids of one eye with their closing rotations.
    fn closing(&self, named: &[(usize, NamedLid)], eye: usize) -> Vec<LidNode> {
        let lids: Vec<NamedLid> = named.iter().filter(|(side, _)| *side == eye).map(|(_, l)| *l).collect();
        let has_lower = lids.iter().any(|lid| lid.is_lower);
        let upper = self
            .gap_degrees(&lids)
            .map_or(UPPER_DEGREES, |gap| if has_lower { gap / (1.0 + LOWER_SHARE) } else { gap });
        let angle = |lid: &NamedLid| if lid.is_lower { -LOWER_SHARE * upper } else { upper }.to_radians();
        lids.iter().map(|lid| LidNode { node: lid.node, eye, angle: angle(lid) }).collect()
    }

    /// Returns the angle between the edges of the upper and the lower lid; `None` if unknown.
    fn gap_degrees(&self, lids: &[NamedLid]) -> Option<f32> {
        let edges = |is_lower: bool| {
            let lids = lids.iter().filter(move |lid| lid.is_lower == is_lower);
            lids.flat_map(|lid| self.heights_degrees(lid.node))
        };
        let top = edges(false).reduce(f32::min)?;
        let bottom = edges(true).reduce(f32::max).or_else(|| self.bottom_of_eye(lids))?;
        Some(top - bottom).filter(|gap| PLAUSIBLE_DEGREES.contains(gap))
    }

    /// Returns the elevations of the points that a lid bone moves, seen from the bone, in degrees.
    fn heights_degrees(&self, node: usize) -> Vec<f32> {
        let height = |place: Vec3| height_degrees(place - self.places[node]);
        let carried = self.carried_by(|carrier| carrier == node);
        let skin: Vec<f32> = carried.into_iter().filter_map(height).collect();
        if !skin.is_empty() {
            return skin;
        }
        let nodes = self.source.scene.nodes().iter().zip(&self.places);
        nodes.filter(|(n, _)| n.parent == Some(node)).filter_map(|(_, place)| height(*place)).collect()
    }

    /// Returns the elevation in degrees down to which an upper lid closes if there is no lower lid. The lower edge of
    /// the eyeball is hidden in the head, so the elevation is assumed to be as far below the middle of the eye as the
    /// edge of the open lid is above it.
    fn bottom_of_eye(&self, lids: &[NamedLid]) -> Option<f32> {
        let first = lids.first()?;
        let bones = [Bone::LeftEye, Bone::RightEye].into_iter().filter_map(|b| self.source.humanoid.node(b));
        let from = self.places[first.node];
        let eye =
            bones.min_by(|a, b| self.places[*a].distance(from).total_cmp(&self.places[*b].distance(from)))?;
        let top = self.heights_degrees(first.node).into_iter().reduce(f32::min)?;
        let front =
            self.carried_by(|carrier| carrier == eye).into_iter().max_by(|a, b| a.z.total_cmp(&b.z))?;
        Some(2.0 * height_degrees(front - from)? - top)
    }

    fn carried_by(&self, is_carrier: impl Fn(usize) -> bool) -> Vec<Vec3> {
        let Some(surface) = self.surface else { return Vec::new() };
        let vertices = surface.places.iter().zip(&surface.carriers);
        vertices.filter(|(_, carrier)| is_carrier(**carrier as usize)).map(|(place, _)| *place).collect()
    }
}

/// Returns the angle of a direction above the horizontal, if the direction points forward.
fn height_degrees(direction: Vec3) -> Option<f32> {
    let is_ahead = direction.is_finite() && direction.z > 1e-5;
    is_ahead.then(|| atan2_32(direction.y, direction.z).to_degrees())
}
