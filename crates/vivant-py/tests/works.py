"""Work functions for the tests of the cluster, in a module that workers can import."""

import os
import signal
from pathlib import Path

from vivant import cluster


def dies_once(path, options):
    """Kills the process at the first attempt for a file with “dies” in its name."""
    mark = Path(options["marks"]) / path.name
    if "dies" in path.name and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return cluster.label_blinks(path, {})


def dies_always(path, options):
    if "dies" in path.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return cluster.label_blinks(path, {})


def stops_after(path, options):
    """Raises KeyboardInterrupt after a number of files."""
    done = Path(options["marks"])
    if len(list(done.iterdir())) >= 2:
        raise KeyboardInterrupt
    (done / path.name).touch()
    return cluster.label_blinks(path, {})
