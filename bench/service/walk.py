"""The walk of a move: which files of ours one `POST …/moves` goes through, in one web process.

A web process runs as always, with a tracer in it (`_traced`). The generator of the bench `http`
plays a game on one connection, and the tracer records each call and each return while a move is
answered. What counts is what runs between the first byte of the request that the process reads and
the last byte of the answer that it writes, in all threads. The bench names no function of the
server, so it works with any worker of gunicorn.

A file is one of ours when it is below the root and outside of `.venv`. The frames of generators,
lambdas and comprehensions count for the file that they stand in; what libraries do between two
functions of ours does not count. A thread *enters* another file when it calls a function of ours
that stands in another file than the function of ours that it called before. It *changes* files also
when it comes back: a call into another file and back are two changes.

The keys of `--json`:

* `files`, `enters`, `changes`: the medians of the moves;
* `least_files`, `least_enters`, `least_changes`: the smallest numbers of a move, and `most_…` the
  largest ones. On a machine that is busy an answer of the store comes in two pieces now and then,
  which is some changes more: the smallest numbers do not depend on that;
* `walk`: the files of the median move in the order in which they come, each with the number of
  changes to it;
* `steps`, with `--steps`: each change of the median move, as `file:line function`.
"""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.service._served import ROOT, serve
from bench.service._traced import CALLED, DIRECTORY, READ, WRITTEN, Recorder
from bench.service.http import BenchConnection, open_tables
from cartulary.cli.embedded.embedded import EmbeddedValkey

WARM = 12
"""Moves that are played before the moves that count: by then caches and connections are there."""


class Place(NamedTuple):
    """A function of ours, and the thread that has come to it."""

    how: str
    thread: int
    file: str
    function: str


class Walk(NamedTuple):
    """What one move goes through."""

    changes: list[Place]
    enters: list[Place]

    @classmethod
    def follow(cls, places: Sequence[Place]) -> Walk:
        """Find the changes between the places of a move."""
        calls = (place for place in places if place.how == CALLED)
        return cls(find_changes(places), find_changes(calls))

    @property
    def files(self) -> dict[str, int]:
        """Return the files in the order in which they come, and the changes to each."""
        return dict(Counter(place.file for place in self.changes))


def main(moves: int = 41, steps: bool = False) -> dict[str, Any]:
    """Return what `moves` moves go through."""
    with tempfile.TemporaryDirectory() as directory:
        walks = [Walk.follow(cut(one)) for one in record(Path(directory), moves)]
    walks.sort(key=lambda walk: len(walk.changes))
    middle = walks[(len(walks) - 1) // 2]
    numbers = {
        "files": [len(walk.files) for walk in walks],
        "enters": [len(walk.enters) for walk in walks],
        "changes": [len(walk.changes) for walk in walks],
    }
    measured: dict[str, Any] = {
        **{name: round(statistics.median(counted)) for name, counted in numbers.items()},
        **{f"least_{name}": min(counted) for name, counted in numbers.items()},
        **{f"most_{name}": max(counted) for name, counted in numbers.items()},
        "walk": middle.files,
    }
    if steps:
        shown = [f"{place.file}:{place.function}" for place in middle.changes]
        measured["steps"] = dict(enumerate(shown, 1))
    return measured


def record(directory: Path, moves: int) -> list[list[Place | str]]:
    """Play in a web process with a tracer; return what it recorded of each move."""
    with EmbeddedValkey(directory) as valkey:
        environment = {"CARTULARY_EVENTS_URL": str(valkey.url), DIRECTORY: str(directory)}
        with serve(["-c", "python:bench.service._traced"], environment) as service:
            [recorder] = (Recorder(directory, process) for process in service.processes)
            connection = BenchConnection(service, open_tables(service, 1))
            for _ in range(WARM):
                _play(connection)
            recorded = []
            for _ in range(moves):
                recorder.begin()
                _play(connection)
                recorded.append(list(read_places(recorder.end())))
            return recorded


def _play(connection: BenchConnection) -> None:
    """Make one move, and wait for the answer."""
    connection.prepare()
    connection.send()
    while (body := connection.receive()) is None:
        pass
    answer = orjson.loads(body)
    connection.follow(answer["event"]["chance"], answer["version"])


def read_places(lines: Iterable[str]) -> Iterable[Place | str]:
    """Yield the places of ours in what a tracer recorded, and the marks of bytes between them."""
    for line in lines:
        if line in (READ, WRITTEN):
            yield line
            continue
        how, thread, path, function = line.split("\t")
        file = name_file(path)
        if file is not None:
            yield Place(how, int(thread), file, function)


@cache
def name_file(path: str) -> str | None:
    """Return the path of a file of ours below the root, without links; None for any other file.

    What the standard library generates (`NamedTuple`) has no file.
    """
    file, root = Path(path).resolve(), ROOT.resolve()
    if not file.is_relative_to(root) or ".venv" in file.parts or path.startswith("<"):
        return None
    return str(file.relative_to(root))


def cut(recorded: Sequence[Place | str]) -> list[Place]:
    """Return the places between the first byte that was read and the last that was written."""
    marks = [number for number, one in enumerate(recorded) if isinstance(one, str)]
    first = next((number for number in marks if recorded[number] == READ), 0)
    last = next((number for number in reversed(marks) if recorded[number] == WRITTEN), None)
    return [one for one in recorded[first:last] if isinstance(one, Place)]


def find_changes(places: Iterable[Place]) -> list[Place]:
    """Return the places at which a thread comes to another file than the one that it was in."""
    within: dict[int, str] = {}
    found = []
    for place in places:
        if within.get(place.thread) != place.file:
            within[place.thread] = place.file
            found.append(place)
    return found
