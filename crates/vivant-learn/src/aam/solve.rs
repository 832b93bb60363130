//! Solves small linear systems in place.

/// Solves `matrix · x = vector` for a symmetric positive definite matrix; the result replaces the vector. Returns
/// false if the matrix is not positive definite.
pub(crate) fn solve(matrix: &mut [f64], vector: &mut [f64]) -> bool {
    factor(matrix, vector.len()) && {
        substitute(matrix, vector);
        vector.iter().all(|value| value.is_finite())
    }
}

/// Computes the Cholesky factor in the lower triangle.
fn factor(matrix: &mut [f64], size: usize) -> bool {
    for i in 0..size {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i * size + k] * matrix[j * size + k]).sum();
            let rest = matrix[i * size + j] - inner;
            if i != j {
                matrix[i * size + j] = rest / matrix[j * size + j];
            } else if rest > 0.0 && rest.is_finite() {
                matrix[i * size + i] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

fn substitute(factor: &[f64], vector: &mut [f64]) {
    let size = vector.len();
    for i in 0..size {
        let inner: f64 = (0..i).map(|k| factor[i * size + k] * vector[k]).sum();
        vector[i] = (vector[i] - inner) / factor[i * size + i];
    }
    for i in (0..size).rev() {
        let inner: f64 = (i + 1..size).map(|k| factor[k * size + i] * vector[k]).sum();
        vector[i] = (vector[i] - inner) / factor[i * size + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_definite_systems_are_solved() {
        let mut vector = [10.0, 8.0];
        assert!(solve(&mut [4.0, 2.0, 2.0, 3.0], &mut vector));
        assert!((vector[0] - 1.75).abs() < 1e-12 && (vector[1] - 1.5).abs() < 1e-12, "{vector:?}");
        assert!(!solve(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve(&mut [f64::NAN, 0.0, 0.0, 1.0], &mut [1.0, 1.0]));
    }
}
