"""Traces as arrays: the same numbers as the command, to the last digit."""

import numpy as np
import pytest

import vivant
from vivant import trace

SAME = [
    (lambda: trace.saccade(15), ["saccade", "--amplitude", "15"]),
    (lambda: trace.saccade(-8, main_sequence="carpenter", rate=300), ["saccade", "--amplitude", "-8", "--main-sequence", "carpenter", "--rate", "300"]),
    (lambda: trace.lid_saccade(10, -20, rate=500), ["lid-saccade", "--from", "10", "--to", "-20", "--rate", "500"]),
    (lambda: trace.lid_saccade(10, -20, profile="steptoe", rate=60), ["lid-saccade", "--from", "10", "--to", "-20", "--profile", "steptoe", "--rate", "60"]),
    (lambda: trace.blink(), ["blink"]),
    (lambda: trace.blink(30, profile="steptoe", rate=60), ["blink", "--amplitude", "30", "--profile", "steptoe", "--rate", "60"]),
    (lambda: trace.blink(profile="symmetric-linear", duration=0.3), ["blink", "--profile", "symmetric-linear", "--duration", "0.3"]),
    (lambda: trace.blink(profile="pca", seed=3, closure="natural"), ["blink", "--profile", "pca", "--seed", "3", "--closure", "natural"]),
    (lambda: trace.blink(profile="real", seed=2), ["blink", "--profile", "real", "--seed", "2"]),
    (lambda: trace.gaze_shift((50, 0), hmf=0.3), ["gaze-shift", "--to", "50,0", "--hmf", "0.3"]),
    (
        lambda: trace.gaze_shift((30, 10), start=(-30, 0), hmf=0, preset="peters", strategy="ge", seed=4, liveliness=0.5, latency=0.2, eye_only=5, rate=250),
        ["gaze-shift", "--from", "-30,0", "--to", "30,10", "--hmf", "0", "--preset", "peters", "--strategy", "ge", "--seed", "4", "--liveliness", "0.5", "--latency", "0.2", "--eye-only", "5", "--rate", "250"],
    ),
    (
        lambda: trace.eyes(20, seed=7, rate=60, state="speaking", strategy="r+pge", attentiveness=0.2, blink_rate=30, evoked="peters"),
        ["eyes", "--seconds", "20", "--seed", "7", "--rate", "60", "--state", "speaking", "--strategy", "r+pge", "--attentiveness", "0.2", "--blink-rate", "30", "--evoked", "peters"],
    ),
]


@pytest.mark.parametrize(("make", "words"), SAME, ids=[" ".join(words) for _, words in SAME])
def test_numbers_are_those_of_the_command(make, words, command):
    mine, theirs = make(), command.json("trace", *words, "--json")
    np.testing.assert_array_equal(mine.values, np.array(theirs["rows"]))
    assert list(mine.columns) == theirs["columns"] and mine.title == theirs["title"]
    assert mine.facts == {name: theirs[name] for name in mine.facts}
    assert mine.to_csv() == command("trace", *words)


def test_columns_are_views():
    shift = trace.gaze_shift((40, 10))
    assert len(shift) == len(shift.values) and shift.values.flags.c_contiguous
    for index, name in enumerate(shift.columns):
        assert np.shares_memory(shift[name], shift.values)
        np.testing.assert_array_equal(shift[name], shift.values[:, index])
    assert shift.values.base is not None, "the values are not copied"


def test_movements_end_where_they_should():
    assert trace.saccade(12)["eye_left_yaw"][-1] == 12
    lid = trace.lid_saccade(5, -15)["lid_left"]
    assert abs(lid[0] - 5) < 1e-9 and abs(lid[-1] + 15) < 1e-9
    blink = trace.blink(35)
    assert abs(blink["lid_left"].min() + 35) < 0.01 and blink["aperture_left"].min() < 0.01
    shift = trace.gaze_shift((30, 10))
    assert abs(shift["gaze_yaw"][-1] - 30) < 1e-6 and shift.facts["shortfall_deg"] == 0
    far = trace.gaze_shift((170, 0))
    assert far.facts["shortfall_deg"] > 0 and "out of reach" in far.notes[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: trace.saccade(91), "amplitude: 91 is out of range"),
        (lambda: trace.saccade(10, main_sequence="me"), "main_sequence: unknown variant `me`, expected one of"),
        (lambda: trace.saccade(10, rate=0), "rate: 0 is out of range"),
        (lambda: trace.lid_saccade(0, 10, profile="me"), "give one of evinger, steptoe"),
        (lambda: trace.blink(profile="me"), "profile: unknown variant"),
        (lambda: trace.blink(closure="full"), "choose `pca` or `real`"),
        (lambda: trace.gaze_shift((0, 91)), "to: 91 is out of range"),
        (lambda: trace.gaze_shift((0, 0), strategy="me"), "strategy"),
        (lambda: trace.eyes(float("inf")), "seconds: inf"),
        (lambda: trace.eyes(36000, rate=1e6), "too many"),
        (lambda: trace.saccade(5)["me"], "there is no column `me`"),
    ],
)
def test_errors_have_clear_messages(make, words):
    with pytest.raises(vivant.Error) as told:
        make()
    assert words in str(told.value)
