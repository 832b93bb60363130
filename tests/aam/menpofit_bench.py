"""Measures fits of menpofit to the same eyes from the same start shapes: menpofit_bench.py FOLDER [REPEATS]

`cargo bench -p vivant-learn --bench aam -- FOLDER` writes the folder. Each of menpofit's algorithms gets a model of the same
images with the same 42 points, the same number of shape and appearance parameters, about the same number of pixels, and at
most as many iterations as ours. All run on one thread.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import json
import sys
import time
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import numpy as np

# menpofit 0.7 uses aliases that newer versions of NumPy removed.
for alias, kind in {"float": float, "int": int, "bool": bool, "complex": complex, "object": object}.items():
    if alias not in np.__dict__:
        setattr(np, alias, kind)

from menpo.feature import no_op
from menpo.image import Image
from menpo.shape import PointCloud
from menpofit import aam

MAX_ITERATIONS = 30
ALGORITHMS = [
    ("simultaneous", "SimultaneousInverseCompositional"),
    ("project-out", "ProjectOutInverseCompositional"),
    ("Wiberg", "WibergInverseCompositional"),
    ("modified alternating", "ModifiedAlternatingInverseCompositional"),
    ("alternating", "AlternatingInverseCompositional"),
]


def pgm(path):
    """Reads a binary PGM as an image with values from 0 to 1."""
    magic, size, maximum, data = path.read_bytes().split(b"\n", 3)
    assert magic == b"P5" and maximum == b"255", path
    width, height = map(int, size.split())
    pixels = np.frombuffer(data, dtype=np.uint8, count=width * height)
    return Image(pixels.reshape(1, height, width) / 255.0)


def cloud(points):
    """Returns points as a PointCloud of menpo, which has y before x."""
    return PointCloud(np.array(points)[:, ::-1])


def labelled(folder, entry):
    image = pgm(folder / entry["image"])
    image.landmarks["PTS"] = cloud(entry["points"])
    return image


def rms_error(found, truth):
    """Returns the root mean square error of the 18 labelled points in pixels."""
    return float(np.sqrt(((found.points[:18] - truth.points[:18]) ** 2).sum(axis=1).mean()))


def model(examples, setup):
    """Builds a model with about as many pixels as ours, by adjusting its diagonal."""
    diagonal = 220.0
    for _ in range(3):
        built = aam.HolisticAAM(
            examples,
            group="PTS",
            diagonal=int(round(diagonal)),
            scales=(1.0,),
            holistic_features=no_op,
            max_shape_components=setup["shapes"],
            max_appearance_components=setup["looks"],
        )
        pixels = built.appearance_models[0].template_instance.n_true_pixels()
        diagonal *= (setup["pixels"] / pixels) ** 0.5
    return built, pixels


def measure(name, fitter, images, starts, truths, repeats):
    best, errors = float("inf"), []
    for _ in range(repeats):
        started = time.perf_counter()
        results = [
            fitter.fit_from_shape(image, start, max_iters=MAX_ITERATIONS) for image, start in zip(images, starts)
        ]
        best = min(best, (time.perf_counter() - started) / len(images))
        errors = sorted(rms_error(result.final_shape, truth) for result, truth in zip(results, truths))
    near = sum(value < 1.0 for value in errors)
    print(
        f"menpofit {name}: best {best * 1e3:.3f} ms per fit, {1 / best:.0f} fps; "
        f"{near} of {len(errors)} below 1 px, median {errors[len(errors) // 2]:.3f} px",
        flush=True,
    )


def main():
    folder = Path(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    setup = json.loads((folder / "aam.json").read_text())
    built, pixels = model([labelled(folder, entry) for entry in setup["examples"]], setup)
    print(f"menpofit: 42 points, {setup['shapes']} + {setup['looks']} parameters, {pixels} pixels", flush=True)
    images = [pgm(folder / entry["image"]) for entry in setup["fits"]]
    starts = [cloud(entry["start"]) for entry in setup["fits"]]
    truths = [cloud(entry["points"]) for entry in setup["fits"]]
    for name, algorithm in ALGORITHMS:
        fitter = aam.LucasKanadeAAMFitter(
            built,
            lk_algorithm_cls=getattr(aam, algorithm),
            n_shape=setup["shapes"],
            n_appearance=setup["looks"],
        )
        measure(name, fitter, images, starts, truths, repeats)


if __name__ == "__main__":
    main()
