"""Many recordings or films, on one machine or on a Ray cluster.

Every file is a task of its own. Its results are written beside each other under one folder, each file as a whole, and
last a receipt that says what they were made of. Whoever is interrupted gives the same command again: what has a
receipt for the same input, options and version is skipped. One file that cannot be read does not stop the others, and
is listed. On Ray and without it the results are the same bytes.

    >>> from vivant import cluster                                                            # doctest: +SKIP
    >>> cluster.run(["a.csv", "b.csv"], "blinks", out="results")                              # doctest: +SKIP

Ray is installed with ``pip install vivant[ray]``; ``run_here`` does without. Paths have to mean the same on all
machines of a cluster, as on a shared disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional, Union

from . import _vivant

Options = Mapping[str, Any]
Work = Callable[[Path, Options], "dict[str, bytes]"]
AnyPath = Union[str, "os.PathLike[str]"]

__all__ = ["Outcome", "Summary", "label_blinks", "process", "run", "run_here", "track_lids"]


def label_blinks(path: Path, options: Options) -> dict[str, bytes]:
    """Labels the blinks of a recording, as ``vivant blinks -o`` does: a .csv and a .json.

    Options are ``map``, ``device`` and ``rate`` of ``read_recording``, and ``eye`` and ``end`` of ``blinks``.
    """
    reading = {name: options[name] for name in ("map", "device", "rate") if name in options}
    labelling = {name: options[name] for name in ("eye", "end") if name in options}
    blinks = _vivant.blinks(_vivant.read_recording(path, **reading), **labelling)
    return {".blinks.csv": blinks.to_csv().encode(), ".blinks.json": blinks.to_json().encode()}


def track_lids(path: Path, options: Options) -> dict[str, bytes]:
    """Follows the lids through a film, as ``vivant track -o`` does: a .csv.

    Options are ``model``, the path of one, and ``fps``. A task takes one core.
    """
    chosen = {name: options[name] for name in ("model", "fps") if name in options}
    return {".track.csv": _vivant.track(path, jobs=1, **chosen).to_csv().encode()}


WORKS: dict[str, Work] = {"blinks": label_blinks, "track": track_lids}


@dataclass(frozen=True)
class Outcome:
    """What became of a file."""

    file: str
    #: "done", "skipped" (its results are there already) or "failed".
    status: str
    #: Why it failed.
    error: str = ""


@dataclass
class Summary:
    """What became of all files, in the order of their names."""

    outcomes: list[Outcome] = field(default_factory=list)

    def files(self, status: str) -> list[str]:
        """Those that were done, skipped, or failed."""
        return [outcome.file for outcome in self.outcomes if outcome.status == status]

    @property
    def failed(self) -> list[Outcome]:
        """Those that failed, with why."""
        return [outcome for outcome in self.outcomes if outcome.status == "failed"]

    def __str__(self) -> str:
        counts = [f"{len(self.files(status))} {status}" for status in ("done", "skipped", "failed")]
        reasons = [f"\n  {outcome.file}: {outcome.error}" for outcome in self.failed]
        return ", ".join(counts) + "".join(reasons)


def run(
    files: Iterable[AnyPath],
    work: Union[str, Work] = "blinks",
    *,
    out: AnyPath,
    root: Optional[AnyPath] = None,
    options: Optional[Options] = None,
    concurrency: Optional[int] = None,
) -> Summary:
    """Processes all files on the Ray cluster that ``ray.init`` connects to, or on this machine.

    ``work`` is "blinks", "track", or a function of a path and options that gives the bytes of each result by how its
    name ends. Results lie under ``out`` as the files lie under ``root``, by default the folder that they have in
    common. ``concurrency`` is how many tasks run at once; by default as many as there are cores.
    """
    import ray.data

    task = _Task.of(files, work, out, root, options)
    if not task.files:
        return task.summary([])
    for file in task.files:
        _remove(task.results(file) + TRIES)
    # A block a file, so that who is killed takes no other file along.
    items = ray.data.from_items([{"file": file} for file in task.files], override_num_blocks=len(task.files))
    rows = items.map(task, num_cpus=1, concurrency=concurrency).take_all()
    return task.summary(Outcome(row["file"], row["status"], row["error"]) for row in rows)


def run_here(
    files: Iterable[AnyPath],
    work: Union[str, Work] = "blinks",
    *,
    out: AnyPath,
    root: Optional[AnyPath] = None,
    options: Optional[Options] = None,
) -> Summary:
    """The same in this process, one file after another, without Ray."""
    task = _Task.of(files, work, out, root, options)
    return task.summary(process(file, task.work, task.results(file), task.options) for file in task.files)


def process(file: str, work: Work, results: str, options: Options) -> Outcome:
    """Processes one file, unless its results are there already. ``results`` is how their names begin."""
    try:
        receipt = {
            "vivant": _vivant.__version__,
            "work": f"{work.__module__}.{work.__qualname__}",
            "options": _described(options),
            "input": _digest(_inputs(Path(file))),
        }
        if _is_done(results, receipt):
            return Outcome(file, "skipped")
        made = work(Path(file), options)
        receipt["results"] = {ending: hashlib.sha256(made[ending]).hexdigest() for ending in sorted(made)}
        for ending in sorted(made):
            _write(results + ending, made[ending])
        _write(results + RECEIPT, _text(receipt))
        return Outcome(file, "done")
    except Exception as error:  # Whatever is wrong with one file, the others go on.
        words = str(error) if isinstance(error, _vivant.Error) else f"{type(error).__name__}: {error}"
        return Outcome(file, "failed", words)


RECEIPT = ".receipt.json"
TRIES = ".tries"
#: How often a file is tried whose worker dies. Ray itself would try for ever.
MOST_TRIES = 3
FAILED = "failed.json"
DIED = "the process that was at it died, again and again; is it too large for the memory?"


@dataclass(frozen=True)
class _Task:
    """What is sent to workers: a row with a file becomes a row with what became of it."""

    work: Work
    out: str
    root: str
    options: Options
    files: tuple[str, ...]

    @classmethod
    def of(
        cls,
        files: Iterable[AnyPath],
        work: Union[str, Work],
        out: AnyPath,
        root: Optional[AnyPath],
        options: Optional[Options],
    ) -> _Task:
        if isinstance(work, str):
            if work not in WORKS:
                raise _vivant.Error(f"work: there is no `{work}`; give one of {', '.join(WORKS)}, or a function")
            work = WORKS[work]
        paths = sorted({os.path.abspath(file) for file in files})
        common = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
        top = os.path.abspath(root) if root is not None else common
        outside = [path for path in paths if os.path.commonpath([path, top]) != top]
        if outside:
            raise _vivant.Error(f"{outside[0]}: does not lie under {top}; give another root")
        return cls(work, os.path.abspath(out), top, _absolute(options or {}), tuple(paths))

    def results(self, file: str) -> str:
        return os.path.join(self.out, os.path.relpath(file, self.root))

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        outcome = self.tried(row["file"])
        return {"file": outcome.file, "status": outcome.status, "error": outcome.error}

    def tried(self, file: str) -> Outcome:
        """Who dies here leaves a mark, and whoever comes next counts the marks."""
        tries = self.results(file) + TRIES
        os.makedirs(os.path.dirname(tries), exist_ok=True)
        with open(tries, "ab") as marks:
            marks.write(b".")
        died = os.path.getsize(tries) > MOST_TRIES
        outcome = Outcome(file, "failed", DIED) if died else process(file, self.work, self.results(file), self.options)
        _remove(tries)
        return outcome

    def summary(self, outcomes: Iterable[Outcome]) -> Summary:
        summary = Summary(sorted(outcomes, key=lambda outcome: outcome.file))
        self.list_failures(summary)
        return summary

    def list_failures(self, summary: Summary) -> None:
        path = os.path.join(self.out, FAILED)
        if summary.failed:
            _write(path, _text({os.path.relpath(o.file, self.root): o.error for o in summary.failed}))
        else:
            _remove(path)


def _inputs(path: Path) -> list[Path]:
    """All files that a result depends on: a recording has others beside it, and a film may be a folder of images."""
    if not path.exists():
        raise _vivant.Error(f"{path}: there is no such file; check the path")
    if path.is_dir():
        return sorted(inside for inside in path.iterdir() if inside.is_file())
    return [Path(file) for file in _vivant.recording_files(path)]


def _digest(paths: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        own = hashlib.sha256()
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(1 << 20), b""):
                own.update(piece)
        whole.update(f"{path.name}\0{own.hexdigest()}\n".encode())
    return whole.hexdigest()


def _is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike)) and os.path.isfile(value)


def _absolute(options: Options) -> dict[str, Any]:
    """Workers are in other folders than we are."""
    return {name: os.path.abspath(value) if _is_file(value) else value for name, value in options.items()}


def _described(options: Options) -> dict[str, Any]:
    """Options as they are compared: of a file, what is in it."""
    described = {}
    for name in sorted(options):
        value = options[name]
        described[name] = {"sha256": _digest([Path(value)])} if _is_file(value) else _plain(value)
    return described


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _is_done(results: str, receipt: dict[str, Any]) -> bool:
    """Whether these results are there, of the same input, options and version."""
    try:
        with open(results + RECEIPT, "rb") as file:
            known = json.load(file)
        made = known.pop("results")
        return known == receipt and all(
            hashlib.sha256(Path(results + ending).read_bytes()).hexdigest() == digest for ending, digest in made.items()
        )
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return False


def _text(value: Any) -> bytes:
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _write(path: str, content: bytes) -> None:
    """Replaces a file as a whole: whoever looks, and whoever is killed, there is the old file or the new one."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
