"""What does not occur in a room: I/O in the pure rooms; secrets, clocks, Redis in most others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project import source_tree
from tests.project.source_tree import ROOMS, imports, read_imports, sources, within

_WITH_SERVERS = {"events/server/", "tests/", "bench/"}

ONLY: dict[str, set[str]] = {
    # Only these read the machine's clock for what an event or a projection records.
    # The clock of a rehearsal is that clock, set forward.
    "time.time_ns": {"events/model/clock.py", "rehearsal/settable.py"},
    # Only the room of draws knows the secrets, with what wires it and the audit of an operator.
    "events.draws.vault": {
        *("events/draws/", "events/store.py", "events/commands/commands.py"),
        *("events/commands/table/creating.py", "cli/", "tests/", "bench/"),
    },
    # A command decides on the table; its five files show or clean up what they have decided.
    "events.lists": {
        *("events/lists/", "events/archiving/", "events/chat/", "events/accounts/"),
        *("events/outside_bots/connections.py", "events/studies/"),
        "events/analyses/returned_mistakes.py",
        *("events/notices/", "events/company/", "events/order/", "events/tournaments/"),
        *(
            "events/store.py",
            "events/upkeep/",
            "events/audit/audit.py",
            "simulation/checks/inboxes.py",
            "service/",
            "workers/",
            "cli/",
            "tests/",
            "bench/",
        ),
        *("events/commands/commands.py", "events/commands/table/creating.py"),
        *("events/commands/table/seat_requests.py", "events/commands/game/clock_news.py"),
        "events/commands/game/expiry.py",
    },
    # Who knows that there is a cluster: everybody else asks `events/server/servers.py`.
    "events.server.cluster": _WITH_SERVERS,
    # A simulated cluster lets the dispatchers look less often.
    "events.server.cluster_outbox": {*_WITH_SERVERS, "simulation/faults/cluster.py"},
    "events.server.coverage": _WITH_SERVERS,
    "events.server.slots": _WITH_SERVERS,
}
"""What a few places may import: files, or folders with a slash at the end."""

PURE_MODEL_EXCEPTIONS = {
    ("events/model/clock.py", "time.time_ns"),  # The clock of the machine, which commands get.
    ("events/model/cache.py", "threading.Lock"),  # A cache of tables that several threads share.
    # Libraries that compute and read nothing.
    *((f"events/model/{file}.py", "orjson") for file in ("chain", "table")),
    ("events/model/names.py", "unicodedata"),
    ("events/model/thinking.py", "logging"),
    ("events/model/clock.py", "datetime.datetime"),
    ("events/model/clock.py", "datetime.UTC"),
}
"""What `events/model/` imports besides pure modules. The list only shrinks."""

PURE = ("engine", "bots", "explorer", "pictures", "tournaments")

MODULES_OF_THE_PURE = {
    "__future__",
    "abc",
    "array",
    "base64",
    "bisect",
    "calendar",  # The arithmetic of `timegm`; it knows no time of today.
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "itertools",
    "json",
    "math",
    "operator",
    "random",
    "re",
    "string",
    "types",
    "typing",
    "xml",
}
"""Of the standard library, what reads no file, clock or socket; `random` see below."""

EXCEPTIONS_OF_THE_PURE = {
    # A budget of thinking in seconds needs a clock.
    ("bots/thought.py", "time.monotonic"),
    # For the type checker and the compiler alone; nothing imports it at run time.
    ("engine/compiling.py", "mypy_extensions.mypyc_attr"),
    # Arithmetic of times that others have measured; the tables of the zones are read, no clock is.
    ("tournaments/terms.py", "datetime.datetime"),
    *(("tournaments/times.py", f"datetime.{name}") for name in ("UTC", "datetime", "timedelta")),
    ("tournaments/times.py", "zoneinfo.ZoneInfo"),
}
"""The imports of the pure rooms that no other module of these rooms may have."""

IMPURE_BUILTINS = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"}
"""`compile` and the like are no I/O, but a way round this test."""


def faults_of_purity(room: str) -> list[str]:
    faults = []
    for path in sources(room):
        place = path.relative_to(source_tree.ROOT)
        for line, name in imports(path):
            top = name.split(".")[0]
            known = top in MODULES_OF_THE_PURE or top in ROOMS
            if not known and (place.as_posix(), name) not in EXCEPTIONS_OF_THE_PURE:
                faults.append(f"{place}:{line} imports {name}")
            if top == "random" and name not in ("random", "random.Random"):
                faults.append(f"{place}:{line} imports {name}")
        faults += [f"{place}:{line} uses {use}" for line, use in impure_uses(path)]
    return faults


def impure_uses(path: Path) -> Iterator[tuple[int, str]]:
    """Yield calls of built-in I/O, and uses of the shared generator of the `random` module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_BUILTINS:
                yield node.lineno, f"{name}()"
            case ast.Attribute(value=ast.Name(id="random"), attr=name):
                if name not in ("Random", "SystemRandom"):
                    yield node.lineno, f"random.{name}"


def may_know(place: str, allowed: set[str]) -> bool:
    return any(place == one or (one.endswith("/") and place.startswith(one)) for one in allowed)


@pytest.mark.parametrize("name", ONLY)
@pytest.mark.slow
def test_only_a_few_places_know(name: str) -> None:
    known = [
        (place, line)
        for room in {*ROOMS, "tests"} - {"cartulary"}
        for place, line, found in read_imports(room)
        if within(found, {name})
    ]
    assert known
    assert [found for found in known if not may_know(found[0], ONLY[name])] == []


def test_the_model_of_the_ledger_is_pure() -> None:
    assert [
        f"{place}:{line} imports {name}"
        for place, line, name in read_imports("events/model")
        if name.split(".")[0] not in MODULES_OF_THE_PURE | set(ROOMS)
        and (place, name) not in PURE_MODEL_EXCEPTIONS
    ] == []


@pytest.mark.parametrize(
    ("text", "room"),
    [('"append.lua"', "events/ledger"), ("Redis.from_url(", "events/server")],
)
def test_only_one_room_appends_and_only_one_connects(text: str, room: str) -> None:
    code = [path for top in ("events", "service", "workers") for path in sources(top)]
    folders = {path.parent for path in code if text in path.read_text(encoding="utf-8")}
    assert folders == {source_tree.ROOT / room}


@pytest.mark.parametrize("room", PURE)
@pytest.mark.slow
def test_the_pure_rooms_do_no_input_or_output(room: str) -> None:
    assert faults_of_purity(room) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import os", "imports os"),
        ("def f():\n    from socket import socket", "imports socket.socket"),
        ("from random import shuffle", "imports random.shuffle"),
        ("import random\nrandom.seed(1)", "uses random.seed"),
        ("open('x')", "uses open()"),
        ("from time import monotonic", "imports time.monotonic"),
        ("import redis", "imports redis"),
    ],
)
def test_a_fault_of_purity_is_found(
    text: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_tree, "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "bad.py").write_text(text)
    assert [found for found in faults_of_purity("engine") if found.endswith(fault)]
