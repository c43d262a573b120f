"""Scripts: which trouble comes when.

A script is JSON: `{"form": 1, "steps": [STEP, …]}`. A step has

* `name`: how the report calls it;
* `to`: what it meets: `move` (`POST …/moves`), `create` (`POST /games`), `write` (any request but
  GET), `read` (GET, no stream), `stream`;
* `do`: the trouble, a key of `OF_REQUESTS`, `OF_OPENINGS` or `OF_EVENTS`;
* `after`: how many requests of that kind, or events of a stream, pass unharmed before it; 0;
* `times`: how many tries in a row it meets; 1;
* `status`, `code`, `retry_after` (seconds, optional) of a `refuse`; `seconds` of a `delay`.

Steps with the same `to` come in their order. A `refuse` and a `reset` of a stream meet the opening
of a connection, all other troubles of a stream meet the events on an open connection.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any, Final

FORM: Final = 1

OF_REQUESTS: Final = {
    "drop_answer": "the service does it, and the connection ends before the answer",
    "drop_request": "the connection ends before the service has seen the request",
    "refuse": "an answer with `status` and `code`; the service has not seen the request",
    "conflict": "409 `stale_version`, with the version that the game has",
    "delay": "the answer comes after `seconds`",
}
OF_OPENINGS: Final = {
    "refuse": "an answer with `status` and `code`",
    "reset": "the stream begins with a reset to the version that the game has",
}
OF_EVENTS: Final = {
    "unknown_event": "the next event has a type that does not exist yet",
    "unknown_fact": "the next event has a fact and a member that do not exist yet",
    "unknown_line": "a named line comes that does not exist yet",
    "repeat_event": "the next event comes twice",
    "cut": "the connection ends in the middle of the next event",
    "silence": "nothing comes any more, no sign of life either",
}
KINDS: Final = ("move", "create", "write", "read", "stream")
_MEMBERS: Final = frozenset(
    {"name", "to", "do", "after", "times", "status", "code", "retry_after", "seconds"}
)


class BadScript(ValueError):
    """A script that cannot be followed; the message names the step."""


@dataclass(frozen=True, slots=True)
class RehearsedStep:
    """A trouble and when it comes."""

    name: str
    to: str
    do: str
    after: int = 0
    times: int = 1
    status: int = 503
    code: str = "unavailable"
    retry_after: float | None = None
    seconds: float = 0.0


def read_script(path: Path | None) -> list[RehearsedStep]:
    """Return the steps of a file, of the script that is shipped without one.

    Raises `BadScript`, `OSError`.
    """
    if path is None:
        text = files("cartulary.rehearsal").joinpath("script.json").read_text(encoding="utf-8")
    else:
        text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadScript(f"the script is no JSON: {error}") from error
    return check_script(found)


def check_script(found: Any) -> list[RehearsedStep]:
    """Return the steps of a script; raises `BadScript`."""
    if not isinstance(found, Mapping) or found.get("form") != FORM:
        raise BadScript(f'a script is {{"form": {FORM}, "steps": […]}}')
    steps = found.get("steps")
    if not isinstance(steps, list) or not steps:
        raise BadScript("a script has a list of steps")
    checked = [_check_step(number, step) for number, step in enumerate(steps, 1)]
    names = [step.name for step in checked]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise BadScript(f"two steps are called {', '.join(sorted(doubled))}")
    return checked


def _check_step(number: int, found: Any) -> RehearsedStep:
    if not isinstance(found, Mapping) or not {"name", "to", "do"} <= found.keys():
        raise BadScript(f"step {number} must have name, to and do")
    if unknown := found.keys() - _MEMBERS:
        raise BadScript(f"step {number}: unknown members {', '.join(sorted(unknown))}")
    if found["to"] not in KINDS:
        raise BadScript(f"step {number}: `to` is one of {', '.join(KINDS)}")
    known = {**OF_OPENINGS, **OF_EVENTS} if found["to"] == "stream" else OF_REQUESTS
    if found["do"] not in known:
        raise BadScript(f"step {number}: `do` is one of {', '.join(known)}")
    for name in ("after", "times", "status"):
        if name in found and not (type(found[name]) is int and found[name] >= 0):
            raise BadScript(f"step {number}: `{name}` is a whole number, 0 or more")
    for name in ("retry_after", "seconds"):
        if name in found and not (type(found[name]) in (int, float) and found[name] >= 0):
            raise BadScript(f"step {number}: `{name}` is a number of seconds, 0 or more")
    for name in ("name", "code"):
        if name in found and not (isinstance(found[name], str) and found[name]):
            raise BadScript(f"step {number}: `{name}` is a text")
    if not 400 <= found.get("status", 503) <= 599:
        raise BadScript(f"step {number}: `status` is 400 to 599")
    return RehearsedStep(**found)


class Prompter:
    """Says which trouble is due; thread-safe.

    A request meets the first step of each kind that fits it, and that has its turn.
    """

    def __init__(self, steps: list[RehearsedStep]) -> None:
        self._waiting = {kind: [step for step in steps if step.to == kind] for kind in KINDS}
        self._passed = dict.fromkeys(KINDS, 0)
        self._met: dict[str, int] = {}
        self._lock = Lock()

    def choose(self, kinds: tuple[str, ...], troubles: Mapping[str, str]) -> RehearsedStep | None:
        """Return what meets the next request or event of these kinds; None: it passes unharmed."""
        with self._lock:
            for kind in kinds:
                if (step := self._choose(kind, troubles)) is not None:
                    return step
        return None

    def _choose(self, kind: str, troubles: Mapping[str, str]) -> RehearsedStep | None:
        steps = self._waiting[kind]
        if not steps or steps[0].do not in troubles:
            return None
        step = steps[0]
        if self._passed[kind] < step.after:
            self._passed[kind] += 1
            return None
        self._met[step.name] = self._met.get(step.name, 0) + 1
        if self._met[step.name] >= step.times:
            steps.pop(0)
            self._passed[kind] = 0
        return step

    def list_waiting(self) -> list[str]:
        """Return the names of the steps that have not come yet."""
        with self._lock:
            return [step.name for steps in self._waiting.values() for step in steps]
