"""Eyes, lids, head and body that look alive, as NumPy arrays.

The same engine that characters live by, for notebooks: performers that are advanced to a time, traces of saccades,
lids, blinks and gaze shifts beside the papers, recordings of eyes, labelled blinks, models that are learned from
them, and eyelids in films. What is computed is the same to the last digit as what the ``vivant`` command says.

    >>> import vivant
    >>> eve = vivant.Performer(seed=7)
    >>> _ = eve.tell({"say": "Hello!", "at": 1})
    >>> eve.perform(3.0, fps=30)["rotations"].shape
    (91, 55, 4)

``vivant.trace`` has the traces, ``vivant.cluster`` many files on a Ray cluster.
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
