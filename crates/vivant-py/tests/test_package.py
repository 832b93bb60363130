"""The package: types, docstrings, and the code of the guide."""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import drawn
import pytest

import vivant

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "python.md"
PUBLIC = ["vivant", "vivant.trace", "vivant.cluster"]


def run(*words, **about):
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False, **about)


def test_stubs_match_the_module():
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = run("-m", "mypy.stubtest", "vivant")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_the_script_are_typed(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    package = Path(vivant.__file__).parent
    assert (package / "py.typed").exists()
    script = Path(__file__).parents[1] / "examples" / "ray_recordings.py"
    options = ["--strict", "--ignore-missing-imports", "--cache-dir", tmp_path]
    done = run("-m", "mypy", *options, "-p", "vivant", env={**os.environ})
    assert done.returncode == 0, done.stdout
    done = run("-m", "mypy", *options, "--disable-error-code", "import-untyped", script)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_a_docstring(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for public in module.__all__:
        thing = getattr(module, public)
        if isinstance(thing, (str, tuple)):
            continue
        assert thing.__doc__ and len(thing.__doc__) > 20, f"{name}.{public}"
        for member in vars(thing) if isinstance(thing, type) else ():
            if not member.startswith("_"):
                assert getattr(thing, member).__doc__, f"{name}.{public}.{member}"


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_in_docstrings_work(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0 and (tried > 0 or name == "vivant.cluster")


def blocks():
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    if not PAGE.exists():
        pytest.skip("docs/guides/python.md is missing")
    monkeypatch.chdir(tmp_path)
    film, _ = drawn.write(tmp_path, 120, "me")
    # The guide's video is recognised by its content.
    film.rename(tmp_path / "me.mp4")
    names = {}
    code = blocks()
    assert len(code) == 8
    for number, block in enumerate(code):
        if "ray" in block:
            pytest.importorskip("ray.data", reason="Ray is not installed")
        exec(compile(block, f"docs/guides/python.md, block {number}", "exec"), names)
