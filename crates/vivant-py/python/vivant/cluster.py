"""Processes many recordings or films, on one machine or on a Ray cluster.

Every file is a separate task. Its results are written under one folder, each file atomically, followed by a receipt
with the input, options and version. To resume after an interruption, run the same command again: files with a matching
receipt are skipped. A file that cannot be read does not stop the others, and is listed. The results are the same bytes
with and without Ray.

    >>> from vivant import cluster                                                            # doctest: +SKIP
    >>> cluster.run(["a.csv", "b.csv"], "blinks", out="results")                              # doctest: +SKIP

Install Ray with ``pip install vivant[ray]``; ``run_here`` does not need it. Paths must be valid on all machines of a
cluster, as on a shared disk.
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
    """Labels the blinks of a recording, like ``vivant blinks -o``: a .csv and a .json.

    Options are ``map``, ``device`` and ``rate`` of ``read_recording``, and ``eye`` and ``end`` of ``blinks``.
    """
    reading = {name: options[name] for name in ("map", "device", "rate") if name in options}
    labelling = {name: options[name] for name in ("eye", "end") if name in options}
    blinks = _vivant.blinks(_vivant.read_recording(path, **reading), **labelling)
    return {".blinks.csv": blinks.to_csv().encode(), ".blinks.json": blinks.to_json().encode()}


def track_lids(path: Path, options: Options) -> dict[str, bytes]:
    """Tracks the lids in a film, like ``vivant track -o``: a .csv.

    Options are ``model``, the path of an eye model, and ``fps``. A task uses one core.
    """
    chosen = {name: options[name] for name in ("model", "fps") if name in options}
    return {".track.csv": _vivant.track(path, jobs=1, **chosen).to_csv().encode()}


WORKS: dict[str, Work] = {"blinks": label_blinks, "track": track_lids}


@dataclass(frozen=True)
class Outcome:
    """The outcome for a file."""

    file: str
    #: "done", "skipped" (its results exist already) or "failed".
    status: str
    #: The error message, if it failed.
    error: str = ""


@dataclass
class Summary:
    """The outcomes for all files, in the order of their names."""

    outcomes: list[Outcome] = field(default_factory=list)

    def files(self, status: str) -> list[str]:
        """Returns the files with a status: "done", "skipped" or "failed"."""
        return [outcome.file for outcome in self.outcomes if outcome.status == status]

    @property
    def failed(self) -> list[Outcome]:
        """The outcomes of failed files."""
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

    ``work`` is "blinks", "track", or a function of a path and options that returns the bytes of each result by the end of
    its file name. Results have the same relative paths under ``out`` as the files have under ``root``, by default their
    common folder. ``concurrency`` is the number of parallel tasks; by default the number of cores.
    """
    import ray.data

    task = _Task.of(files, work, out, root, options)
    if not task.files:
        return task.summary([])
    for file in task.files:
        _remove(task.results(file) + TRIES)
    # One block per file, so that a killed worker does not affect other files.
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
    """Processes all files in this process, one after another, without Ray."""
    task = _Task.of(files, work, out, root, options)
    return task.summary(process(file, task.work, task.results(file), task.options) for file in task.files)


def process(file: str, work: Work, results: str, options: Options) -> Outcome:
    """Processes one file, unless its results exist already. ``results`` is the start of their names."""
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
    except Exception as error:  # An error in one file must not stop the others.
        words = str(error) if isinstance(error, _vivant.Error) else f"{type(error).__name__}: {error}"
        return Outcome(file, "failed", words)


RECEIPT = ".receipt.json"
TRIES = ".tries"
#: Number of attempts for a file whose worker dies. Ray itself would try forever.
MOST_TRIES = 3
FAILED = "failed.json"
DIED = "the worker process died repeatedly; use a smaller file or a machine with more memory"


@dataclass(frozen=True)
class _Task:
    """The task sent to workers: maps a row with a file to a row with its outcome."""

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
                raise _vivant.Error(f"work: unknown work `{work}`; give one of {', '.join(WORKS)}, or a function")
            work = WORKS[work]
        paths = sorted({os.path.abspath(file) for file in files})
        common = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
        top = os.path.abspath(root) if root is not None else common
        outside = [path for path in paths if os.path.commonpath([path, top]) != top]
        if outside:
            raise _vivant.Error(f"{outside[0]}: is not under {top}; give another root")
        return cls(work, os.path.abspath(out), top, _absolute(options or {}), tuple(paths))

    def results(self, file: str) -> str:
        return os.path.join(self.out, os.path.relpath(file, self.root))

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        outcome = self.tried(row["file"])
        return {"file": outcome.file, "status": outcome.status, "error": outcome.error}

    def tried(self, file: str) -> Outcome:
        """Processes a file and counts the attempts in a file, so that a crash is counted too."""
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
    """All files that a result depends on: a recording may have several files, and a film may be a folder of images."""
    if not path.exists():
        raise _vivant.Error(f"{path}: no such file; check the path")
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
    """Makes paths absolute, since workers have other working folders."""
    return {name: os.path.abspath(value) if _is_file(value) else value for name, value in options.items()}


def _described(options: Options) -> dict[str, Any]:
    """Options in a comparable form: files by their content."""
    described = {}
    for name in sorted(options):
        value = options[name]
        described[name] = {"sha256": _digest([Path(value)])} if _is_file(value) else _plain(value)
    return described


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _is_done(results: str, receipt: dict[str, Any]) -> bool:
    """Returns true if the results exist for the same input, options and version."""
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
    """Replaces a file atomically: there is always the old file or the new one."""
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
