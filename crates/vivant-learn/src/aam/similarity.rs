//! Similarity transforms of the plane.

use glam::DVec2;

/// Rotation and scaling by a complex number, then translation: `turn · point + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Scale and rotation as a complex number.
    pub turn: DVec2,
    /// Translation.
    pub shift: DVec2,
}

impl Similarity {
    /// The identity.
    pub const IDENTITY: Self = Self { turn: DVec2::X, shift: DVec2::ZERO };

    /// Transforms a point.
    #[must_use]
    pub fn apply(&self, point: DVec2) -> DVec2 {
        self.turn.rotate(point) + self.shift
    }

    /// Returns the transform that applies `inner` first, then this one.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        Self { turn: self.turn.rotate(inner.turn), shift: self.apply(inner.shift) }
    }

    /// Returns the inverse transform.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let turn = DVec2::new(self.turn.x, -self.turn.y) / self.turn.length_squared();
        Self { turn, shift: -turn.rotate(self.shift) }
    }

    /// Returns the scale factor.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.turn.length()
    }

    /// Returns true if all components are finite and the scale is not zero.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.turn.is_finite() && self.shift.is_finite() && self.turn.length_squared() > 1e-12
    }

    /// Returns the transform that maps the points `from` to the points `to` with the least squared error.
    #[must_use]
    pub fn between(from: &[DVec2], to: &[DVec2]) -> Self {
        let (from_middle, to_middle) = (middle(from), middle(to));
        let (mut turn, mut size) = (DVec2::ZERO, 0.0);
        for (a, b) in from.iter().zip(to) {
            let (a, b) = (*a - from_middle, *b - to_middle);
            turn += DVec2::new(a.dot(b), a.perp_dot(b));
            size += a.length_squared();
        }
        let turn = turn / size.max(f64::MIN_POSITIVE);
        Self { turn, shift: to_middle - turn.rotate(from_middle) }
    }
}

/// Returns the mean of the points.
pub(crate) fn middle(points: &[DVec2]) -> DVec2 {
    points.iter().sum::<DVec2>() / points.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [DVec2; 3] = [DVec2::new(0.0, 1.0), DVec2::new(4.0, 0.0), DVec2::new(-2.0, 7.0)];

    #[test]
    fn between_recovers_a_similarity() {
        let wanted = Similarity { turn: DVec2::new(1.5, -0.4), shift: DVec2::new(9.0, 2.0) };
        let found = Similarity::between(&POINTS, &POINTS.map(|point| wanted.apply(point)));
        assert!(found.turn.distance(wanted.turn) < 1e-12 && found.shift.distance(wanted.shift) < 1e-12);
    }

    #[test]
    fn inverse_undoes_a_similarity() {
        let forward = Similarity { turn: DVec2::new(0.3, 2.0), shift: DVec2::new(-1.0, 5.0) };
        let identity = forward.inverse().after(&forward);
        for point in POINTS {
            assert!(identity.apply(point).distance(point) < 1e-12);
        }
    }
}
