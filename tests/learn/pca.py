"""What scikit-learn and SciPy make of the same numbers: principal components, and natural cubic splines.

usage: python pca.py < JSON

The Rust test `sklearn` of vivant-learn sends {"matrices": [{"rows": [[…]], "components": n}], "splines":
[{"samples": […], "count": n}]} and compares the answer. Nothing here looks at our code.
"""

import json
import sys

import numpy as np
from scipy.interpolate import CubicSpline
from sklearn.decomposition import PCA


def principal(matrix):
    pca = PCA(matrix["components"], svd_solver="full").fit(np.array(matrix["rows"]))
    return {
        "mean": pca.mean_.tolist(),
        "vectors": pca.components_.tolist(),
        "variances": pca.explained_variance_.tolist(),
        "shares": pca.explained_variance_ratio_.tolist(),
    }


def resampled(spline):
    samples = spline["samples"]
    places = np.linspace(0, len(samples) - 1, spline["count"])
    return CubicSpline(np.arange(len(samples)), samples, bc_type="natural")(places).tolist()


def main():
    asked = json.load(sys.stdin)
    answer = {
        "matrices": [principal(matrix) for matrix in asked["matrices"]],
        "splines": [resampled(spline) for spline in asked["splines"]],
    }
    json.dump(answer, sys.stdout)


main()
