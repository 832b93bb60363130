//! Principal component analysis.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Principal components of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// The mean row.
    pub mean: Vec<f64>,
    /// Orthonormal vectors, largest variance first. The largest entry of each is positive.
    pub vectors: Vec<Vec<f64>>,
    /// Sample variance of the rows along each vector.
    pub variances: Vec<f64>,
    /// Total variance, including directions beyond the vectors.
    pub total: f64,
}

/// Share of the largest variance below which a variance is a rounding error. Variances below [`ROUNDING_OF_SQUARES`]
/// times the sum of squares are rounding errors, too.
const ROUNDING: f64 = 1e-13;
const ROUNDING_OF_SQUARES: f64 = 1e-26;

impl Components {
    /// Computes the first components of rows of equal length, at most `most` components.
    ///
    /// Uses the eigenvectors of the smaller of the two products of the centred matrix with itself: rows × rows or
    /// columns × columns.
    #[must_use]
    pub fn of(rows: &[Vec<f64>], most: usize) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Self { mean: Vec::new(), vectors: Vec::new(), variances: Vec::new(), total: 0.0 };
        }
        let mean = mean(rows, columns);
        let centred = DMatrix::from_fn(rows.len(), columns, |i, j| rows[i][j] - mean[j]);
        let freedom = rows.len().saturating_sub(1).max(1) as f64;
        let total = centred.norm_squared() / freedom;
        let is_wide = rows.len() <= columns;
        let product = if is_wide { &centred * centred.transpose() } else { centred.tr_mul(&centred) };
        let eigen = SymmetricEigen::new(product);
        let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
        let squares: f64 = rows.iter().flatten().map(|x| x * x).sum();
        let largest = order.first().map_or(0.0, |first| eigen.eigenvalues[*first]);
        let least = (ROUNDING * largest).max(ROUNDING_OF_SQUARES * squares);
        order.retain(|index| eigen.eigenvalues[*index] > least);
        order.truncate(most);
        let vector = |index: &usize| {
            let own = eigen.eigenvectors.column(*index).into_owned();
            normalized(if is_wide { centred.tr_mul(&own) } else { own })
        };
        Self {
            vectors: order.iter().map(vector).collect(),
            variances: order.iter().map(|index| eigen.eigenvalues[*index] / freedom).collect(),
            mean,
            total,
        }
    }

    /// Returns the coefficients of a row.
    #[must_use]
    pub fn coefficients(&self, row: &[f64]) -> Vec<f64> {
        let along = |vector: &Vec<f64>| {
            vector.iter().zip(row).zip(&self.mean).map(|((v, x), mean)| v * (x - mean)).sum()
        };
        self.vectors.iter().map(along).collect()
    }

    /// Returns the row with the given coefficients.
    #[must_use]
    pub fn row(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut row = self.mean.clone();
        for (coefficient, vector) in coefficients.iter().zip(&self.vectors) {
            row.iter_mut().zip(vector).for_each(|(x, v)| *x += coefficient * v);
        }
        row
    }

    /// Returns the share of the total variance explained by the first `count` components.
    #[must_use]
    pub fn explained(&self, count: usize) -> f64 {
        let sum: f64 = self.variances.iter().take(count).sum();
        if self.total > 0.0 { (sum / self.total).min(1.0) } else { 0.0 }
    }
}

fn mean(rows: &[Vec<f64>], columns: usize) -> Vec<f64> {
    let sum = |column: usize| rows.iter().map(|row| row[column]).sum::<f64>();
    (0..columns).map(|column| sum(column) / rows.len() as f64).collect()
}

/// Normalizes an eigenvector and makes its largest entry positive, because its sign is arbitrary.
fn normalized(vector: DVector<f64>) -> Vec<f64> {
    let largest = vector.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
    let scale = largest.signum() / vector.norm();
    vector.iter().map(|x| x * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::chance::Chance;

    /// Points along (3, 4) with a small deviation, computed by hand.
    #[test]
    fn the_largest_variance_is_the_first_component() {
        let at = |along: f64, across: f64| vec![0.6 * along - 0.8 * across + 7.0, 0.8 * along + 0.6 * across];
        let found = Components::of(&[at(-2.0, 0.0), at(2.0, 0.0), at(0.0, 1.0), at(0.0, -1.0)], 9);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&found.vectors[0], &[0.6, 0.8]) && near(&found.vectors[1], &[0.8, -0.6]), "{found:?}");
        assert!(near(&found.variances, &[8.0 / 3.0, 2.0 / 3.0]) && near(&found.mean, &[7.0, 0.0]));
        assert!((found.explained(1) - 0.8).abs() < 1e-12);
    }

    fn random(rows: u64, columns: usize) -> Vec<Vec<f64>> {
        let chance = Chance::new(1, "matrix");
        let row = |index: u64| {
            let mut draw = chance.event(index);
            (0..columns).map(|column| draw.between(-1.0, 1.0) / (1 + column) as f64).collect()
        };
        (0..rows).map(row).collect()
    }

    #[test]
    fn all_components_reconstruct_every_row() {
        for (rows, columns) in [(40, 7), (7, 40), (10, 10), (2, 5)] {
            let rows = random(rows, columns);
            let found = Components::of(&rows, usize::MAX);
            assert!((found.explained(usize::MAX) - 1.0).abs() < 1e-9);
            for row in &rows {
                let back = found.row(&found.coefficients(row));
                assert!(row.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-9));
            }
        }
    }

    #[test]
    fn equal_rows_have_no_components() {
        for row in [vec![1.0, 2.0], vec![0.1, 0.7, 0.3]] {
            let found = Components::of(&vec![row; 7], 5);
            assert!(found.vectors.is_empty() && found.explained(5) == 0.0, "{found:?}");
        }
        assert!(Components::of(&[], 5).vectors.is_empty());
    }
}
