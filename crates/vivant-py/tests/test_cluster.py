"""Many files: interrupted runs are resumed, and Ray gives the same bytes as one process."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import drawn
import pytest
import works
from conftest import write_recording

import vivant
from vivant import cluster

SCRIPT = Path(__file__).parents[1] / "examples" / "ray_recordings.py"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """Five valid recordings in two folders, and two that cannot be read."""
    folder = tmp_path_factory.mktemp("recordings")
    (folder / "tuesday").mkdir()
    for seed, name in enumerate(["a.csv", "b.csv", "dies.csv", "tuesday/a.csv", "tuesday/c.csv"]):
        write_recording(folder / name, 20.0, seed=seed)
    (folder / "bad.csv").write_text("me,you\n1,2\n")
    return [*sorted(folder.rglob("*.csv")), folder / "none.csv"]


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    pytest.importorskip("ray.data", reason="Ray is not installed with its data")
    # Workers need the import path of the tests.
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=100 << 20,
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def expected(recordings, tmp_path_factory):
    """The results of one process."""
    out = tmp_path_factory.mktemp("here")
    summary = cluster.run_here(recordings, out=out)
    assert len(summary.files("done")) == 5 and [Path(f.file).name for f in summary.failed] == ["bad.csv", "none.csv"]
    return contents(out)


def test_results_are_those_of_the_command(recordings, expected, command, tmp_path):
    assert sorted(name for name in expected if name.endswith(".csv")) == [
        f"{name}.blinks.csv" for name in ("a.csv", "b.csv", "dies.csv", "tuesday/a.csv", "tuesday/c.csv")
    ]
    for ending in ("csv", "json"):
        command("blinks", recordings[0], "-o", tmp_path / f"b.{ending}")
        assert expected[f"a.csv.blinks.{ending}"] == (tmp_path / f"b.{ending}").read_bytes()
    failed = json.loads(expected["failed.json"])
    assert "none.csv: no such file" in failed["none.csv"] and "bad.csv" in failed["bad.csv"]


def test_existing_results_are_skipped_unless_something_changed(recordings, tmp_path):
    good, out = [path for path in recordings if path.name in ("a.csv", "b.csv")], tmp_path / "out"
    root = recordings[0].parent
    assert len(cluster.run_here(good, out=out, root=root).files("done")) == 3
    before = contents(out)
    again = cluster.run_here(good, out=out, root=root)
    assert len(again.files("skipped")) == 3 and contents(out) == before
    # A damaged result, a missing one, a truncated receipt, another option.
    (out / "a.csv.blinks.csv").write_text("damaged")
    (out / "b.csv.blinks.json").unlink()
    (out / "tuesday" / "a.csv.receipt.json").write_text("{")
    assert len(cluster.run_here(good, out=out, root=root).files("done")) == 3 and contents(out) == before
    other = cluster.run_here(good, out=out, root=root, options={"eye": "left"})
    assert len(other.files("done")) == 3 and contents(out) != before


def test_another_input_is_done_again(tmp_path):
    path, out = write_recording(tmp_path / "a.csv", 20.0), tmp_path / "out"
    assert cluster.run_here([path], out=out).files("done")
    write_recording(path, 20.0, seed=2)
    assert cluster.run_here([path], out=out).files("done")
    assert cluster.run_here([path], out=out).files("skipped")


def test_an_interrupt_leaves_whole_files_and_is_resumed(recordings, expected, tmp_path):
    out, marks = tmp_path / "out", tmp_path / "marks"
    marks.mkdir()
    good = [path for path in recordings if path.name not in ("bad.csv", "none.csv")]
    with pytest.raises(KeyboardInterrupt):
        cluster.run_here(good, works.stops_after, out=out, options={"marks": str(marks)})
    assert len(list(out.rglob("*.receipt.json"))) == 2 and not list(out.rglob("*.part"))
    summary = cluster.run_here(recordings, out=out)
    # Those were made by another work function, so all files are processed; the results are still the same.
    assert len(summary.files("done")) == 5
    assert contents(out) == expected


def test_ray_gives_the_bytes_of_one_process(ray, recordings, expected, tmp_path):
    summary = cluster.run(recordings, out=tmp_path / "out")
    assert len(summary.files("done")) == 5 and len(summary.failed) == 2
    assert contents(tmp_path / "out") == expected
    again = cluster.run(recordings, out=tmp_path / "out")
    assert len(again.files("skipped")) == 5 and len(again.failed) == 2
    assert contents(tmp_path / "out") == expected
    assert cluster.run([], out=tmp_path / "none").outcomes == []


def test_a_killed_worker_changes_nothing(ray, recordings, expected, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    good = [path for path in recordings if path.name not in ("bad.csv", "none.csv")]
    summary = cluster.run(good, works.dies_once, out=tmp_path / "out", options={"marks": str(marks)})
    assert len(summary.files("done")) == 5, str(summary)
    assert [path.name for path in marks.iterdir()] == ["dies.csv"], "it was killed"
    made = contents(tmp_path / "out")
    assert all(made[name] == expected[name] for name in made if ".blinks." in name)


def test_a_file_that_kills_every_worker_is_listed_and_the_others_are_done(ray, recordings, tmp_path):
    good = [path for path in recordings if path.name not in ("bad.csv", "none.csv")]
    summary = cluster.run(good, works.dies_always, out=tmp_path / "out")
    assert [Path(outcome.file).name for outcome in summary.failed] == ["dies.csv"], str(summary)
    assert len(summary.files("done")) == 4 and not list((tmp_path / "out").rglob("*.tries"))
    assert "died repeatedly" in str(summary)


def test_films_are_tracked_as_in_one_process(ray, tmp_path):
    films = [drawn.write(tmp_path, 90, name)[0] for name in ("one", "two")]
    model = tmp_path / "me.aam"
    vivant.EyeModel.of_labels(tmp_path / "one.labels.json", films[0]).save(model)
    options = {"model": model}
    here = cluster.run_here(films, "track", out=tmp_path / "here", options=options)
    there = cluster.run(films, "track", out=tmp_path / "there", options=options)
    assert len(here.files("done")) == len(there.files("done")) == 2, f"{here}\n{there}"
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
    assert (tmp_path / "here" / "one.y4m.track.csv").read_text() == vivant.track(films[0], model=model).to_csv()


def script(*words, **about):
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **about)


def test_a_killed_script_is_resumed(recordings, expected, tmp_path):
    pytest.importorskip("ray.data", reason="Ray is not installed")
    out, words = tmp_path / "out", [*recordings, "--cpus", "2"]
    begun = subprocess.Popen([sys.executable, str(SCRIPT), *map(str, words), "--out", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while begun.poll() is None and not list(out.rglob("*.receipt.json")):
        time.sleep(0.05)
    begun.kill()
    begun.wait()
    resumed = script(*words, "--out", out)
    assert resumed.returncode == 1, resumed.stderr
    assert "2 failed" in resumed.stdout and "none.csv: no such file" in resumed.stdout
    skipped = int(resumed.stdout.split(" skipped")[0].split()[-1])
    assert skipped >= 1, resumed.stdout
    assert contents(out) == expected


def test_the_script_does_without_ray(recordings, expected, tmp_path):
    done = script(*recordings, "--out", tmp_path / "out", "--here")
    assert done.returncode == 1 and done.stdout.startswith("5 done, 0 skipped, 2 failed"), done.stderr
    assert contents(tmp_path / "out") == expected
    good = [path for path in recordings if path.name == "b.csv"]
    done = script(*good, "--out", tmp_path / "out", "--root", recordings[0].parent, "--here")
    assert done.returncode == 0 and done.stdout.startswith("0 done, 1 skipped")
    assert "goes on" not in done.stderr and "--out" in script("--help").stdout


@pytest.mark.parametrize(
    ("about", "words"),
    [({"work": "me"}, "unknown work `me`; give one of blinks, track"), ({"root": "/nowhere"}, "is not under")],
)
def test_errors_have_clear_messages(about, words, tmp_path):
    with pytest.raises(vivant.Error) as told:
        cluster.run_here([tmp_path / "a.csv"], out=tmp_path, **about)
    assert words in str(told.value)
