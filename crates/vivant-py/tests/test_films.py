"""Films: frames as arrays without copies, and tracked lids at their true positions."""

import subprocess
import sys

import drawn
import numpy as np
import pytest

import vivant

FRAMES = 130


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return drawn.write(tmp_path_factory.mktemp("film"), FRAMES)


@pytest.fixture(scope="module")
def model():
    chosen = drawn.labelled()
    return vivant.EyeModel.build([drawn.picture(i) for i in chosen], np.array([drawn.points(i) for i in chosen]))


@pytest.fixture(scope="module")
def track(film, model):
    return vivant.track(film[0], model=model)


def test_frames_are_those_of_the_film(film):
    frames = vivant.frames(film[0])
    assert (frames.width, frames.height, frames.count) == (drawn.WIDTH, drawn.HEIGHT, FRAMES)
    for index, (secs, frame) in enumerate(frames):
        assert secs == index / 60 and frame.dtype == np.uint8 and frame.flags.c_contiguous
        np.testing.assert_array_equal(frame, drawn.picture(index))
    assert index == FRAMES - 1 and frames.warnings() == []
    assert [secs for secs, _ in vivant.frames(film[0], fps=2)][:3] == [0, 0.5, 1]


def test_colours_are_a_view_of_their_planes(tmp_path):
    path = tmp_path / "colours.y4m"
    planes = np.stack([np.full((4, 6), light, np.uint8) for light in (81, 90, 240)])
    path.write_bytes(b"YUV4MPEG2 W6 H4 F25:1 C444\nFRAME\n" + planes.tobytes())
    _, frame = next(vivant.frames(path, colour=True))
    assert frame.shape == (4, 6, 3) and frame.base is not None and frame.strides == (6, 1, 24)
    red, green, blue = frame[0, 0].astype(int)
    assert red > 230 and green < 30 and blue < 30
    _, gray = next(vivant.frames(path))
    assert gray.shape == (4, 6) and gray.flags.c_contiguous


def test_lids_are_found_where_they_were_drawn(track):
    assert track.trusted.all() and len(track) == FRAMES
    truth = np.array([drawn.points(i) for i in range(FRAMES)])
    off = np.linalg.norm(track.points - truth, axis=2)
    assert np.median(off) < 0.5 and np.sqrt((off**2).mean()) < 1.0, np.sqrt((off**2).mean())
    lids = truth[:, [11, 2], 1] - truth[:, [15, 6], 1]
    assert np.corrcoef(track.lid_distance[:, 0], -lids[:, 0])[0, 1] > 0.98
    assert track.aperture.shape == (FRAMES, 2) and track.points.shape == (FRAMES, 18, 2)
    np.testing.assert_array_equal(track.time, np.arange(FRAMES) / 60)
    blinks = vivant.blinks(track.recording())
    np.testing.assert_allclose(blinks["apex"], [20 / 60, 60 / 60, 100 / 60], atol=2 / 60)


def test_a_tracker_frame_by_frame_is_the_film_at_once(film, model, track):
    tracker = vivant.Tracker(model)
    for index, (_, frame) in enumerate(vivant.frames(film[0])):
        found = tracker.next(frame)
        assert found.trusted == track.trusted[index] and found.error == track.error[index]
        np.testing.assert_array_equal(found.points, track.points[index])
        assert found.aperture == tuple(track.aperture[index])
        assert found.lid_distance == tuple(track.lid_distance[index])
    for jobs in (1, 3):
        assert vivant.track(film[0], model=model, jobs=jobs).to_csv() == track.to_csv()


def test_the_command_tracks_the_same(film, model, track, command, tmp_path):
    video, labels = film
    out, saved, colour = tmp_path / "track.csv", tmp_path / "me.aam", tmp_path / "colour.csv"
    command("track", video, "--labels", labels, "--save-model", saved, "-o", out)
    assert vivant.track(video, labels=labels).to_csv() == out.read_text()
    vivant.EyeModel.of_labels(labels, video).save(tmp_path / "mine.aam")
    assert (tmp_path / "mine.aam").read_bytes() == saved.read_bytes()
    command("track", video, "--model", saved, "-o", out)
    assert vivant.track(video, model=saved).to_csv() == out.read_text()
    assert vivant.track(video, model=vivant.EyeModel.load(saved)).to_csv() == out.read_text()
    command("track", video, "--labels", labels, "--colour", "-o", colour)
    assert vivant.track(video, labels=labels, colour=True).to_csv() == colour.read_text()


def test_a_real_film_is_read_as_the_command_reads_it(command, data, model, tmp_path):
    video = data / "face" / "jefapato_2sec.mp4"
    frames = list(vivant.frames(video))
    assert len(frames) == 30 and frames[0][1].ndim == 2
    assert np.all(np.diff([secs for secs, _ in frames]) > 0)
    model.save(tmp_path / "me.aam")
    with pytest.raises(AssertionError, match="no eyes found"):
        command("track", video, "--model", tmp_path / "me.aam", "-o", tmp_path / "track.csv")
    track = vivant.track(video, model=model)
    assert not track.trusted.any() and np.isnan(track.points).all()


def test_strides_and_colours_are_accepted(model):
    gray = drawn.picture(3)
    expected = vivant.Tracker(model).next(gray).points
    strided = np.zeros((drawn.HEIGHT, 2 * drawn.WIDTH), np.uint8)[:, ::2]
    strided[:] = gray
    assert not strided.flags.c_contiguous
    np.testing.assert_array_equal(vivant.Tracker(model).next(strided).points, expected)
    chosen = drawn.labelled()
    coloured = [np.repeat(drawn.picture(i)[:, :, None], 3, axis=2) for i in chosen]
    colours = vivant.EyeModel.build(coloured, np.array([drawn.points(i) for i in chosen]))
    assert colours.channels == 3
    found = vivant.Tracker(colours).next(np.repeat(gray[:, :, None], 3, axis=2))
    assert np.abs(found.points - drawn.points(3)).max() < 2


def test_a_tracker_starts_at_given_points_and_forgets(model):
    tracker = vivant.Tracker(model, max_error=0.5)
    assert tracker.max_error == 0.5
    tracker.start(drawn.points(0))
    assert tracker.next(drawn.picture(0)).trusted
    tracker.forget()
    lost = tracker.next(np.full((drawn.HEIGHT, drawn.WIDTH), 128, np.uint8))
    assert not lost.trusted and lost.points is None and lost.aperture is None


def test_gray_frames_are_not_copied(model, tmp_path):
    # An untouched image of 400 MB: a copy of it would need that much memory.
    model.save(tmp_path / "me.aam")
    code = f"""
import resource, numpy as np, vivant
tracker = vivant.Tracker(vivant.EyeModel.load({str(tmp_path / "me.aam")!r}))
frame = np.zeros((20_000, 20_000), np.uint8)
tracker.start(np.load({str(tmp_path / "points.npy")!r}))
frame[:{drawn.HEIGHT}, :{drawn.WIDTH}] = np.load({str(tmp_path / "frame.npy")!r})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = tracker.next(frame)
print(found.trusted, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    np.save(tmp_path / "points.npy", drawn.points(0))
    np.save(tmp_path / "frame.npy", drawn.picture(0))
    if not sys.platform.startswith("linux"):
        pytest.skip("memory is reported in other units on this system")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    trusted, kilobytes = done.stdout.split()
    assert trusted == "True" and int(kilobytes) < 100_000, done.stdout


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda film, model: vivant.track(film), "give a model, or labels"),
        (lambda film, model: vivant.track(film, model=7), "model: give an EyeModel"),
        (lambda film, model: vivant.track("none.mp4", model=model), "none.mp4: no such file"),
        (lambda film, model: vivant.track(film, model=film), "not an eye model"),
        (lambda film, model: vivant.frames(film, fps=0), "fps: give 0.01 to 100000"),
        (lambda film, model: vivant.frames(film, raw="big"), "raw: expected the size and frame rate"),
        (lambda film, model: vivant.Tracker(model).next(np.zeros((8, 8))), "give an array of uint8"),
        (lambda film, model: vivant.Tracker(model).next(np.zeros((8, 8, 2), np.uint8)), "has shape [8, 8, 2]"),
        (lambda film, model: vivant.Tracker(model).next(np.zeros((8, 8, 3), np.uint8)), "has 3 channels"),
        (lambda film, model: vivant.Tracker(model).start(np.zeros((3, 2))), "has shape [3, 2]; give (18, 2)"),
        (lambda film, model: vivant.EyeModel.build([], np.zeros((0, 18, 2))), "0 labelled images"),
        (lambda film, model: vivant.EyeModel.build([drawn.picture(0)], np.zeros((2, 18, 2))), "1 frames need"),
        (lambda film, model: vivant.EyeModel.build([], np.zeros((0, 18, 2)), mesh=7), "give one of 42, 18"),
    ],
)
def test_errors_have_clear_messages(make, words, film, model):
    with pytest.raises(vivant.Error) as told:
        make(film[0], model)
    assert words in str(told.value)
