"""The report: what came, what the edge did to it, and what the client did then.

Lines of JSON, in the order in which things happened, so that a rehearsal that is killed leaves a
report. Each has `t`, seconds since the start, and `what`:

* `rehearsal`: the first line, with `form` and the `steps` of the script;
* `request`: `id`, `method`, `path`, `key`, `body` (a digest), `cursor`, `version`;
* `trouble`: `id` of the request, `step`, `do`, `retry_after`, `version`: that of the event met;
* `answer`: `id`, `status`;
* `event`: `id` of the stream, `version`: an event was sent; `ended`: a stream ended, `by` whom;
* `applied`: what the client says it has applied (`PUT /rehearsal/applied`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO, Any

from cartulary.rehearsal.scripts import FORM, RehearsedStep

Record = dict[str, Any]


class BadReport(ValueError):
    """A file that is no report of a rehearsal."""


class RehearsalReport:
    """Writes a report; thread-safe."""

    def __init__(
        self, file: IO[str], steps: Sequence[RehearsedStep], clock: Callable[[], float] = monotonic
    ) -> None:
        self._file, self._clock = file, clock
        self._began = clock()
        self._lock = Lock()
        self._requests = 0
        self.note("rehearsal", form=FORM, steps=[asdict(step) for step in steps])

    def note(self, what: str, **said: Any) -> None:
        """Write a line; members that are None are left out."""
        told = {name: value for name, value in said.items() if value is not None}
        with self._lock:
            self._write(what, told)

    def note_request(self, **said: Any) -> int:
        """Write down a request and return its number."""
        told = {name: value for name, value in said.items() if value is not None}
        with self._lock:
            self._requests += 1
            self._write("request", {"id": self._requests, **told})
            return self._requests

    def _write(self, what: str, told: Record) -> None:
        line = {"t": round(self._clock() - self._began, 3), "what": what, **told}
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def read_report(path: Path) -> list[Record]:
    """Return the lines of a report; raises `BadReport`, `OSError`."""
    try:
        # A text of a client may hold what `splitlines` takes for the end of a line, as U+2028.
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        records = [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise BadReport(f"{path} is no report of a rehearsal: {error}") from error
    first = records[0] if records else None
    if not isinstance(first, dict) or (first.get("what"), first.get("form")) != ("rehearsal", FORM):
        raise BadReport(f"{path} is no report of a rehearsal of form {FORM}")
    if not all(isinstance(one, dict) and "what" in one and "t" in one for one in records):
        raise BadReport(f"{path} has a line that no rehearsal has written")
    return records
