"""Plays a character from its folder, and writes every frame as 32-bit numbers: root, rotations, weights.

    door.py FOLDER SEED SCRIPT.jsonl FPS FRAMES OUT
"""

import sys

import numpy
import vivant

folder, seed, script, fps, frames, out = sys.argv[1:]
eve = vivant.Performer(folder, seed=int(seed))
with open(script) as lines:
    for line in lines:
        eve.tell(line)
taken = eve.perform((int(frames) - 1) / float(fps), fps=float(fps))
rotations = taken["rotations"].reshape(len(taken["time"]), -1)
numpy.concatenate([taken["root"], rotations, taken["weights"]], axis=1).astype("<f4").tofile(out)
