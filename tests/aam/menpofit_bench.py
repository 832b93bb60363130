"""How long menpofit takes to fit the same eyes, from the same starts: menpofit_bench.py FOLDER [REPEATS]

The folder is what `cargo bench -p vivant-learn --bench aam -- FOLDER` wrote. Each of menpofit's algorithms gets a model
of the same pictures with the same 42 points, as many shape and look parameters, and about as many pixels; and as many
steps as ours at most. One thread.
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

# menpofit 0.7 knows these by names that NumPy dropped.
for alias, kind in {"float": float, "int": int, "bool": bool, "complex": complex, "object": object}.items():
    if alias not in np.__dict__:
        setattr(np, alias, kind)

from menpo.feature import no_op
from menpo.image import Image
from menpo.shape import PointCloud
from menpofit import aam

STEPS = 30
ALGORITHMS = [
    ("simultaneous", "SimultaneousInverseCompositional"),
    ("project-out", "ProjectOutInverseCompositional"),
    ("Wiberg", "WibergInverseCompositional"),
    ("modified alternating", "ModifiedAlternatingInverseCompositional"),
    ("alternating", "AlternatingInverseCompositional"),
]


def pgm(path):
    """A binary PGM as a picture from 0 to 1."""
    magic, size, most, data = path.read_bytes().split(b"\n", 3)
    assert magic == b"P5" and most == b"255", path
    width, height = map(int, size.split())
    pixels = np.frombuffer(data, dtype=np.uint8, count=width * height)
    return Image(pixels.reshape(1, height, width) / 255.0)


def cloud(points):
    """menpo has y first."""
    return PointCloud(np.array(points)[:, ::-1])


def labelled(folder, entry):
    picture = pgm(folder / entry["image"])
    picture.landmarks["PTS"] = cloud(entry["points"])
    return picture


def off(found, truth):
    """Of the eighteen labelled points, as a root mean square."""
    return float(np.sqrt(((found.points[:18] - truth.points[:18]) ** 2).sum(axis=1).mean()))


def model(examples, known):
    """With a diagonal that gives about as many pixels as ours has."""
    diagonal = 220.0
    for _ in range(3):
        built = aam.HolisticAAM(
            examples,
            group="PTS",
            diagonal=int(round(diagonal)),
            scales=(1.0,),
            holistic_features=no_op,
            max_shape_components=known["shapes"],
            max_appearance_components=known["looks"],
        )
        pixels = built.appearance_models[0].template_instance.n_true_pixels()
        diagonal *= (known["pixels"] / pixels) ** 0.5
    return built, pixels


def measure(name, fitter, pictures, starts, truths, repeats):
    best, offs = float("inf"), []
    for _ in range(repeats):
        begin = time.perf_counter()
        results = [
            fitter.fit_from_shape(picture, start, max_iters=STEPS) for picture, start in zip(pictures, starts)
        ]
        best = min(best, (time.perf_counter() - begin) / len(pictures))
        offs = sorted(off(result.final_shape, truth) for result, truth in zip(results, truths))
    near = sum(value < 1.0 for value in offs)
    print(
        f"menpofit {name}: best {best * 1e3:.3f} ms a fit, {1 / best:.0f} fps; "
        f"{near} of {len(offs)} below 1 px, median {offs[len(offs) // 2]:.3f} px",
        flush=True,
    )


def main():
    folder = Path(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    known = json.loads((folder / "aam.json").read_text())
    built, pixels = model([labelled(folder, entry) for entry in known["examples"]], known)
    print(f"menpofit: 42 points, {known['shapes']} + {known['looks']} parameters, {pixels} pixels", flush=True)
    pictures = [pgm(folder / entry["image"]) for entry in known["fits"]]
    starts = [cloud(entry["start"]) for entry in known["fits"]]
    truths = [cloud(entry["points"]) for entry in known["fits"]]
    for name, algorithm in ALGORITHMS:
        fitter = aam.LucasKanadeAAMFitter(
            built,
            lk_algorithm_cls=getattr(aam, algorithm),
            n_shape=known["shapes"],
            n_appearance=known["looks"],
        )
        measure(name, fitter, pictures, starts, truths, repeats)


if __name__ == "__main__":
    main()
