"""Works for the cluster's tests, in a module that workers can import too."""

import os
import signal
from pathlib import Path

from vivant import cluster


def dies_once(path, options):
    """Kills the process that does it, the first time that it comes to a file whose name says so."""
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
    """As if somebody pressed Ctrl-C when so many files are done."""
    done = Path(options["marks"])
    if len(list(done.iterdir())) >= 2:
        raise KeyboardInterrupt
    (done / path.name).touch()
    return cluster.label_blinks(path, {})
