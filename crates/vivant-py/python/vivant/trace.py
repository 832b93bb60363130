"""Motion of eyes, lids and head as in the papers: the tables of ``vivant trace`` as arrays.

    >>> from vivant import trace
    >>> shift = trace.gaze_shift((40, 10), hmf=0.3)
    >>> float(shift["gaze_yaw"][-1])
    40.0
"""

from ._vivant import Trace, blink, eyes, gaze_shift, lid_saccade, saccade

__all__ = ["Trace", "blink", "eyes", "gaze_shift", "lid_saccade", "saccade"]
