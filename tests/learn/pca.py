"""Computes principal components with scikit-learn and natural cubic splines with SciPy, for comparison.

usage: python pca.py < JSON

The Rust test `sklearn` of vivant-learn sends {"matrices": [{"rows": [[…]], "components": n}], "splines":
[{"samples": […], "count": n}]} and compares the answer. This script does not use Vivant.
"""

import json
import sys

import numpy as np
from scipy.interpolate import CubicSpline
from sklearn.decomposition import PCA


def principal_components(matrix):
    pca = PCA(matrix["components"], svd_solver="full").fit(np.array(matrix["rows"]))
    return {
        "mean": pca.mean_.tolist(),
        "vectors": pca.components_.tolist(),
        "variances": pca.explained_variance_.tolist(),
        "shares": pca.explained_variance_ratio_.tolist(),
    }


def resample(spline):
    samples = spline["samples"]
    positions = np.linspace(0, len(samples) - 1, spline["count"])
    return CubicSpline(np.arange(len(samples)), samples, bc_type="natural")(positions).tolist()


def main():
    request = json.load(sys.stdin)
    answer = {
        "matrices": [principal_components(matrix) for matrix in request["matrices"]],
        "splines": [resample(spline) for spline in request["splines"]],
    }
    json.dump(answer, sys.stdout)


main()
