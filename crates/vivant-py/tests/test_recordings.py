"""Recordings and their blinks: the same numbers as the command, to the last digit."""

import json

import numpy as np
import pytest
from conftest import eyes, write_recording

import vivant

KINDS = [
    "eyedentify3d/HTC_Vive_Pro_TESTNA01_2D_Fist3.csv",
    "eyedentify3d/Pico_boxing_VR.csv",
    "eyedentify3d/PupilInvisible_trampoline_01_gaze.csv",
    "eyedentify3d/TobiiGlasses3_calibration_1_gazedata.gz",
    "tobii_fusion_openness/P1_squints.tsv",
    "tobii_fusion_openness/P1_long_blinks.tsv",
    "ear/jefapato_30fps.csv",
    "eog/neurokit_eog_100hz.csv",
    "eyelink/pypillometry_002_rlmw_samples_short.asc",
    "irf_lookAtPoint_EL_S1.npy",
    "neon_demo",
]


def same_blinks(blinks, report):
    assert len(blinks) == len(report["events"]) and blinks.rate_hz == report["rate_hz"]
    for name in blinks.table.dtype.names:
        theirs = [event[name] for event in report["events"]]
        if name == "kind":
            assert list(blinks[name]) == theirs
        else:
            theirs = np.array([np.nan if value is None else value for value in theirs], dtype=float)
            np.testing.assert_array_equal(blinks[name], theirs, name)
    assert blinks.statistics == report["statistics"] and blinks.notes == report["notes"]


@pytest.mark.parametrize("kind", KINDS)
def test_devices_are_read_as_the_command_reads_them(kind, command, data):
    path = data / "eye" / kind
    recording = vivant.read_recording(path)
    quality = command.json("inspect", path, "--json")
    mine = recording.quality()
    assert mine == {name: quality[name] for name in mine}
    assert recording.device == quality["device"] in vivant.DEVICES
    assert len(recording) == len(recording.time) == quality["timing"]["samples"]
    assert np.all(np.diff(recording.time) > 0) and recording.time[0] == 0
    assert recording.warnings == [f"{w['place']}: {w['message']}" for w in quality["warnings"]] or quality["warnings"]
    try:
        blinks = vivant.blinks(recording)
    except vivant.Error as error:
        assert "neither apertures nor blinks" in str(error)
        return
    text = command("blinks", path, "--json")
    same_blinks(blinks, json.loads(text))
    assert json.loads(blinks.to_json()) == json.loads(text)


def test_files_of_results_are_those_of_the_command(recording, command, tmp_path):
    for eye in ("both", "left"):
        for name in ("b.csv", "b.json"):
            command("blinks", recording, "--eye", eye, "-o", tmp_path / name)
        blinks = vivant.blinks(recording, eye=eye)
        assert blinks.to_csv() == (tmp_path / "b.csv").read_text()
        assert blinks.to_json() == (tmp_path / "b.json").read_text()


def test_arrays_and_files_are_the_same_recording(recording):
    read = vivant.read_recording(recording)
    table = np.genfromtxt(recording, delimiter=",", names=True)
    made = vivant.Recording(
        table["time"], left=table["openness_left"], right=table["openness_right"], yaw=table["yaw"], pitch=table["pitch"]
    )
    np.testing.assert_array_equal(made.time, read.time)
    for name in ("left", "right", "yaw", "pitch"):
        np.testing.assert_array_equal(getattr(made, name), getattr(read, name), name)
        assert getattr(made, name) is getattr(made, name), "each access returns the same array"
    np.testing.assert_array_equal(vivant.blinks(made).table, vivant.blinks(read).table)
    assert made.rate_hz == 120 and made.seconds == 240


def test_blinks_are_those_that_were_made():
    rate, count = 240.0, 12
    t = np.arange(0, 4.0 * count, 1 / rate)
    shape = vivant.trace.blink(profile="evinger", rate=rate)["aperture_left"]
    openness = np.ones_like(t)
    onsets = np.array([int((4 * i + 1.5) * rate) for i in range(count)])
    for onset in onsets:
        openness[onset : onset + len(shape)] = np.minimum(openness[onset : onset + len(shape)], shape)
    blinks = vivant.blinks(openness, rate=rate)
    assert len(blinks) == count and set(blinks["kind"]) == {"blink"}
    np.testing.assert_allclose(blinks["onset"], onsets / rate, atol=5 / 300)
    np.testing.assert_allclose(blinks["amplitude"], 1.0, atol=0.05)
    assert blinks.statistics["per_minute"] == pytest.approx(15, rel=0.05)
    np.testing.assert_array_equal(blinks.openness, openness)
    np.testing.assert_array_equal(np.asarray(blinks), blinks.table)
    assert len(vivant.blinks(list(openness[:2000]), rate=rate)) == 2


def test_even_steps_fill_short_gaps_and_no_long_ones():
    samples = eyes(10)
    samples["left"] = samples["left"].copy()
    samples["left"][100:104] = np.nan
    samples["left"][400:520] = np.nan
    recording = vivant.Recording(samples["time"], left=samples["left"], unit="share")
    even = recording.even(max_gap=0.075)
    assert np.isfinite(even["openness"][100:104]).all() and np.isnan(even["openness"][405:515]).all()
    assert even["rate_hz"] == 120 and even["yaw"] is None and even["filled"] > 0 and even["unknown"] > 0.09
    assert recording.unit == "share" and recording.right is None and recording.device_blinks is None
    twice = recording.even(rate=240)
    assert len(twice["time"]) == len(twice["openness"]) == 2401


def test_a_map_may_be_a_file_or_its_text(tmp_path):
    path, toml = tmp_path / "lab.csv", "[time]\ncolumn = 'clock'\nunit = 'ms'\n[aperture]\nleft = 'lid'\nunit = 'share'\n"
    path.write_text("clock,lid\n" + "".join(f"{10 * i},{1 - 0.5 * (i == 50)}\n" for i in range(200)))
    (tmp_path / "map.toml").write_text(toml)
    for given in (toml, tmp_path / "map.toml", str(tmp_path / "map.toml")):
        recording = vivant.read_recording(path, map=given)
        assert recording.rate_hz == 100 and recording.left.min() == 0.5 and recording.unit == "share"


def test_the_files_of_a_recording_are_named(tmp_path):
    for name in ("x_gaze.csv", "x_blinks.csv", "other.csv"):
        (tmp_path / name).write_text("")
    files = [path.name for path in vivant.recording_files(tmp_path / "x_gaze.csv")]
    assert files == ["x_gaze.csv", "x_blinks.csv"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda tmp: vivant.read_recording(tmp / "none.csv"), "none.csv: no such file"),
        (lambda tmp: vivant.read_recording(tmp), "this folder is not a known kind of recording"),
        (lambda tmp: vivant.read_recording(write_recording(tmp / "a.csv", 2), device="me"), "me"),
        (lambda tmp: vivant.read_recording(write_recording(tmp / "a.csv", 2), map="[time]\nunit = 'x'"), "expected one of `auto`"),
        (lambda _: vivant.Recording([0, 1, 2, 1], left=[1, 1, 1, 1]), "time[3]: 1 is not later"),
        (lambda _: vivant.Recording([0.0, 0.1], left=[1.0]), "left: 1 samples, but there are 2 times"),
        (lambda _: vivant.Recording([0.0, 0.1], yaw=[1.0, 1.0]), "needs both yaw and pitch"),
        (lambda _: vivant.Recording([0.0, 0.1], left=[1.0, 1.0], unit="m"), "unit: unknown variant `m`"),
        (lambda _: vivant.blinks([1.0, 1.0]), "rate: give the samples per second"),
        (lambda _: vivant.blinks([1.0, 1.0], rate=100, pitch=[1.0]), "pitch: has 1 samples, but openness has 2"),
        (lambda _: vivant.blinks([1.0], rate=100, eye="me"), "eye: unknown name `me`; give one of both, left, right"),
        (lambda _: vivant.blinks(vivant.Recording([0.0, 0.1])), "neither apertures nor blinks"),
    ],
)
def test_errors_have_clear_messages(make, words, tmp_path):
    with pytest.raises(vivant.Error) as told:
        make(tmp_path)
    assert words in str(told.value)


def test_values_that_are_not_arrays_are_type_errors():
    with pytest.raises(TypeError):
        vivant.blinks(object(), rate=100)
