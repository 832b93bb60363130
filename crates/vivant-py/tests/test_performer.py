"""Performers as arrays: the same bits as in other hosts, at fixed addresses."""

import csv
import io
import threading
import time

import numpy as np
import pytest

import vivant

BONES = {
    "version": 1,
    "bones": {
        "hips": [0, 1, 0],
        "spine": [0, 1.1, 0],
        "neck": [0, 1.4, 0],
        "head": [0, 1.5, 0],
        "leftEye": [0.03, 1.56, 0.08],
        "rightEye": [-0.03, 1.56, 0.08],
    },
    "expressions": ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen"],
}


def address(array):
    return array.__array_interface__["data"][0]


def test_frames_are_views_that_stay_where_they_are():
    eve = vivant.Performer(BONES, motions="none")
    shapes = {"rotations": (55, 4), "weights": (3,), "root": (3,), "signals": (14,)}
    before = {name: getattr(eve, name) for name in shapes}
    kept = {name: view.copy() for name, view in before.items()}
    eve.advance_to(7.3)
    for name, shape in shapes.items():
        view = getattr(eve, name)
        assert view.shape == shape
        assert np.shares_memory(view, before[name]) and address(view) == address(before[name])
        assert not view.flags.writeable and not np.shares_memory(view, kept[name])
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
    assert eve.rotations.dtype == np.float32 and eve.signals.dtype == np.float64
    assert not np.array_equal(before["rotations"], kept["rotations"]), "the view shows the new frame"
    assert eve.time == 7.3 and len(vivant.SIGNALS) == 14 and len(vivant.BONES) == 55
    assert np.allclose(np.linalg.norm(eve.rotations, axis=1), 1, atol=1e-5)


def test_a_performance_is_the_same_at_any_rate_and_frame_by_frame():
    slow, fast, stepped = (vivant.Performer(seed=5) for _ in range(3))
    for eve in (slow, fast, stepped):
        eve.tell({"say": "Hello! How nice that you came.", "at": 1})
        eve.tell('{"act": "gesture", "clip": "wave", "at": 2}')
    at_30, at_60 = slow.perform(6.0, 30), fast.perform(6.0, fps=60)
    assert at_30["rotations"].shape == (181, 55, 4) and at_60["weights"].shape == (361, len(slow.channels))
    assert at_30["signals"].shape == (181, 14) and at_30["root"].shape == (181, 3)
    for name, frames in at_30.items():
        np.testing.assert_array_equal(frames, at_60[name][::2], name)
    for index in (0, 17, 60, 180):
        stepped.advance_to(at_30["time"][index])
        np.testing.assert_array_equal(stepped.rotations, at_30["rotations"][index])
        np.testing.assert_array_equal(stepped.weights, at_30["weights"][index])
        np.testing.assert_array_equal(stepped.signals, at_30["signals"][index])
    other = vivant.Performer(seed=6).perform(6.0)
    assert not np.array_equal(other["rotations"], at_30["rotations"])


def test_the_command_performs_the_same(command, tmp_path):
    script, out = tmp_path / "script.jsonl", tmp_path / "out.csv"
    script.write_text('{"at": 0.5, "say": "Hello there."}\n{"at": 1, "act": "gesture", "clip": "wave"}\n')
    command("perform", script, "--seconds", 4, "--fps", 30, "--seed", 3, "-o", out)
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    eve = vivant.Performer(seed=3)
    for line in script.read_text().splitlines():
        eve.tell(line)
    frames = eve.perform(4.0, 30)
    assert len(rows) == len(frames["time"]) == 121
    for bone in eve.bones:
        theirs = np.array([[row[f"{bone}.{axis}"] for axis in "xyzw"] for row in rows], dtype=np.float32)
        # A file holds a clip, which normalises rotations once more.
        np.testing.assert_allclose(theirs, frames["rotations"][:, vivant.BONES.index(bone)], atol=3e-7, err_msg=bone)
    for index, channel in enumerate(eve.channels):
        theirs = np.array([row.get(channel, 0) for row in rows], dtype=np.float32)
        np.testing.assert_array_equal(theirs, frames["weights"][:, index], channel)


def test_a_copy_continues_like_the_original():
    eve = vivant.Performer(seed=2)
    eve.advance_to(3.0)
    copy = eve.copy()
    one, other = eve.perform(4.0), copy.perform(4.0)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])
    assert not np.shares_memory(eve.rotations, copy.rotations)


def test_events_are_returned_after_watch():
    eve = vivant.Performer(seed=1)
    eve.watch()
    intent = eve.tell({"act": "gesture", "clip": "wave", "at": 1})
    assert isinstance(intent, int)
    eve.perform(20.0)
    events = eve.events()
    assert all(0 <= event["at"] <= 20 for event in events)
    began = [event["what"]["began"] for event in events if "began" in event["what"]]
    assert any(action["name"] == "wave" and action["intent"] == intent for action in began), events
    assert any(event["what"] == "blink" for event in events)
    assert eve.events() == []


def test_temperament_and_models_change_the_performance(blink_model):
    still = vivant.Performer(BONES, motions="none", lives=False, unasked=False).perform(20.0)
    assert np.ptp(still["rotations"], axis=0).max() == 0
    lively = vivant.Performer(BONES, motions="none", seed=3)
    calm = vivant.Performer(BONES, motions="none", seed=3, temperament={"liveliness": 0.2})
    learned = vivant.Performer(BONES, motions="none", seed=3, blink_model=blink_model)
    blinking = [eve.perform(60.0)["weights"][:, 0] for eve in (lively, calm, learned)]
    assert all(weights.max() > 0.9 for weights in (blinking[0], blinking[2]))
    assert not np.array_equal(blinking[0], blinking[1]) and not np.array_equal(blinking[0], blinking[2])


def test_avatars_come_as_bytes_and_paths(command, tmp_path):
    path = tmp_path / "eve.vrm"
    command("mannequin", "-o", path)
    frames = [eve.perform(2.0)["rotations"] for eve in (
        vivant.Performer(seed=4),
        vivant.Performer(path.read_bytes(), seed=4),
        vivant.Performer(path, seed=4),
        vivant.Performer(str(path), seed=4, motions="builtin"),
    )]
    for other in frames[1:]:
        np.testing.assert_array_equal(frames[0], other)


def test_a_characters_folder_is_used_completely(command, tmp_path):
    folder = tmp_path / "eve"
    command("mannequin", "--character", folder)
    whole, dressed = vivant.Performer(folder, seed=4), vivant.Performer(seed=4, motions=folder)
    frames = vivant.Performer(seed=4).perform(5.0)
    for eve in (whole, dressed):
        # Its clips were written to files.
        np.testing.assert_allclose(eve.perform(5.0)["rotations"], frames["rotations"], atol=1e-5)


def test_other_threads_run_while_it_performs():
    eve, ticks = vivant.Performer(seed=1), 0
    worker = threading.Thread(target=lambda: eve.perform(1200.0, 60))
    worker.start()
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 5, "a call that holds the GIL would stop the counter"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: vivant.Performer(b"hello"), "VRM"),
        (lambda: vivant.Performer("no such file.vrm"), "no such file.vrm: no such file"),
        (lambda: vivant.Performer({"version": 1, "bones": {"hip": [0, 1, 0]}}), "did you mean `hips`?"),
        (lambda: vivant.Performer(7), "give a path, the bytes of a file, or a dict"),
        (lambda: vivant.Performer(BONES, motions=7), "give \"builtin\", \"none\""),
        (lambda: vivant.Performer(BONES, motions="nowhere"), "no such folder"),
        (lambda: vivant.Performer(BONES, temperament={"livliness": 1}), "did you mean `liveliness`?"),
        (lambda: vivant.Performer(BONES, attend=[0, 1, 1e9]), "attend[2]: 1000000000 is out of range"),
        (lambda: vivant.Performer(BONES).tell({"sey": "Hello"}), "did you mean `say` by `sey`?"),
        (lambda: vivant.Performer(BONES).tell("{"), "line 1"),
        (lambda: vivant.Performer(BONES).advance_to(float("nan")), "t: NaN is out of range"),
        (lambda: vivant.Performer(BONES).advance_to(-1), "t: -1 is out of range"),
        (lambda: vivant.Performer(BONES).perform(1.0, fps=0), "fps: 0 is out of range"),
        (lambda: vivant.Performer(BONES).perform(1e9), "perform in parts"),
    ],
)
def test_errors_have_clear_messages(make, words):
    with pytest.raises(vivant.Error) as told:
        make()
    assert words in str(told.value)


def test_time_does_not_go_back():
    eve = vivant.Performer(BONES, motions="none")
    eve.advance_to(5.0)
    then = eve.rotations.copy()
    eve.advance_to(2.0)
    np.testing.assert_array_equal(eve.rotations, then)
    assert eve.time == 5.0
