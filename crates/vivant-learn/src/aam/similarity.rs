//! Turning, scaling and moving in the plane.

use glam::DVec2;

/// Turns and scales by a complex number, then moves: `turn · point + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Scale and rotation as a complex number.
    pub turn: DVec2,
    /// Where the origin goes.
    pub shift: DVec2,
}

impl Similarity {
    /// What leaves everything where it is.
    pub const IDENTITY: Self = Self { turn: DVec2::X, shift: DVec2::ZERO };

    /// Where a point goes.
    #[must_use]
    pub fn apply(&self, point: DVec2) -> DVec2 {
        self.turn.rotate(point) + self.shift
    }

    /// First `inner`, then this.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        Self { turn: self.turn.rotate(inner.turn), shift: self.apply(inner.shift) }
    }

    /// What undoes this.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let turn = DVec2::new(self.turn.x, -self.turn.y) / self.turn.length_squared();
        Self { turn, shift: -turn.rotate(self.shift) }
    }

    /// How much larger things become.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.turn.length()
    }

    /// Whether it is made of numbers and has a size.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.turn.is_finite() && self.shift.is_finite() && self.turn.length_squared() > 1e-12
    }

    /// What brings one set of points nearest to another in the sense of least squares.
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

/// The mean of some points.
pub(crate) fn middle(points: &[DVec2]) -> DVec2 {
    points.iter().sum::<DVec2>() / points.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [DVec2; 3] = [DVec2::new(0.0, 1.0), DVec2::new(4.0, 0.0), DVec2::new(-2.0, 7.0)];

    #[test]
    fn the_nearest_similarity_is_found_again() {
        let wanted = Similarity { turn: DVec2::new(1.5, -0.4), shift: DVec2::new(9.0, 2.0) };
        let found = Similarity::between(&POINTS, &POINTS.map(|point| wanted.apply(point)));
        assert!(found.turn.distance(wanted.turn) < 1e-12 && found.shift.distance(wanted.shift) < 1e-12);
    }

    #[test]
    fn there_and_back_is_nowhere() {
        let there = Similarity { turn: DVec2::new(0.3, 2.0), shift: DVec2::new(-1.0, 5.0) };
        let nowhere = there.inverse().after(&there);
        for point in POINTS {
            assert!(nowhere.apply(point).distance(point) < 1e-12);
        }
    }
}
