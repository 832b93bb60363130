"""Fixtures: the ``vivant`` command to compare with, real files, and generated films and recordings."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import vivant
from vivant import trace


def pytest_runtest_logreport(report):
    """Records a skipped test in the folder ``VIVANT_SKIPS``: ``cargo xtask test`` counts them at the end."""
    folder = os.environ.get("VIVANT_SKIPS")
    if folder and report.skipped:
        reason = report.longrepr[2].removeprefix("Skipped: ")
        with open(Path(folder, f"{os.getpid()}.txt"), "a", encoding="utf-8") as file:
            file.write(f"{reason}\t{report.nodeid}\n")


@pytest.fixture(scope="session")
def command():
    """Runs ``vivant`` with arguments, and returns its standard output."""
    program = os.environ.get("VIVANT")
    if not program:
        pytest.skip("VIVANT is not set")

    def run(*words):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.json = lambda *words: json.loads(run(*words))
    return run


@pytest.fixture(scope="session")
def data():
    """The folder with real recordings, films and annotations."""
    folder = os.environ.get("VIVANT_DATA")
    if not folder:
        pytest.skip("VIVANT_DATA is not set")
    return Path(folder)


def eyes(seconds, seed=1, rate=120.0):
    """Generates human-like eyes: time, aperture and gaze."""
    alone = trace.eyes(seconds, seed=seed, rate=rate, hmf=0, state="speaking")
    return {name: alone[column] for name, column in COLUMNS.items()}


COLUMNS = {"time": "t", "left": "aperture_left", "right": "aperture_right", "yaw": "gaze_yaw", "pitch": "gaze_pitch"}


def write_recording(path, seconds, seed=1, rate=120.0):
    """Writes a recording as CSV."""
    samples = eyes(seconds, seed, rate)
    header = "time,openness_left,openness_right,yaw,pitch"
    np.savetxt(path, np.column_stack(list(samples.values())), "%.6f", ",", header=header, comments="")
    return path


@pytest.fixture(scope="session")
def recording(tmp_path_factory):
    """The file of a four-minute recording."""
    return write_recording(tmp_path_factory.mktemp("recording") / "talk.csv", 240.0)


@pytest.fixture(scope="session")
def blink_model(recording):
    return vivant.learn_blinks(recording)
