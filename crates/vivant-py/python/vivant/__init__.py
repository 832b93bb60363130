"""Virtual characters that look alive, and analysis of eye recordings, as NumPy arrays.

The engine for notebooks: performers, traces of saccades, lids, blinks and gaze shifts as in the papers, eye
recordings, labelled blinks, models learned from them, and eyelids tracked in films. All results are equal to those of
the ``vivant`` command, to the last digit.

    >>> import vivant
    >>> eve = vivant.Performer(seed=7)
    >>> _ = eve.tell({"say": "Hello!", "at": 1})
    >>> eve.perform(3.0, fps=30)["rotations"].shape
    (91, 55, 4)

``vivant.trace`` has the traces, ``vivant.cluster`` processes many files on a Ray cluster.
"""

from . import trace
from ._vivant import (
    BONES,
    DEVICES,
    POINTS,
    SIGNALS,
    Behaviour,
    BlinkModel,
    Blinks,
    Error,
    EyeModel,
    EyeTexture,
    Frames,
    Performer,
    Recording,
    Trace,
    Track,
    Tracked,
    Tracker,
    __version__,
    blinks,
    frames,
    learn_behaviour,
    learn_blinks,
    learn_eyes,
    read_recording,
    recording_files,
    track,
)

__all__ = [
    "BONES",
    "DEVICES",
    "POINTS",
    "SIGNALS",
    "Behaviour",
    "BlinkModel",
    "Blinks",
    "Error",
    "EyeModel",
    "EyeTexture",
    "Frames",
    "Performer",
    "Recording",
    "Trace",
    "Track",
    "Tracked",
    "Tracker",
    "__version__",
    "blinks",
    "frames",
    "learn_behaviour",
    "learn_blinks",
    "learn_eyes",
    "read_recording",
    "recording_files",
    "trace",
    "track",
]
