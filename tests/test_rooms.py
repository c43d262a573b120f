"""The rooms: imports point one way, and the pure rooms do no I/O.

    engine <- bots <- analysis <- games; engine <- pictures <- games;
    engine <- events <- {service, workers}

`games` wires what belongs to a game into an offer. Only entry points import the list of offers and
hand it in: `ENTRY_POINTS`, `cartulary/`, `league`, `cli`, `bench`. Other rooms may know the type
`Offer`.
`bots.levels` is the order of strength alone: no bot comes with it. A hint is what a bot of an offer
thinks, and `bots.reasons` says why. The analysis of a game that is over runs in a worker.
`service` and `workers` never meet; `cli` wires everything together, `bench` measures everything.
The modules of `cartulary/` itself are what a bot author imports: they play games with pure rooms.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT: dict[str, set[str]] = {
    "engine": set(),
    "bots": {"engine"},
    "pictures": {"engine"},
    "analysis": {"engine", "bots"},
    "games": {"engine", "bots", "analysis", "pictures", "locales"},
    "league": {"engine", "bots", "games"},
    "events": {"engine", "bots.levels"},
    "locales": set(),
    "service": {
        *("engine", "events", "pictures", "locales", "games.offer.Offer"),
        *("bots.base.Entry", "bots.reasons.explain", "bots.thought.Budget"),
    },
    "workers": {
        *("engine", "events", "analysis", "games.offer.Offer"),
        *("bots.base", "bots.levels", "bots.thought"),
    },
    "cartulary": {"engine", "bots", "analysis", "games", "pictures", "locales"},
    "cli": {
        *("cartulary", "engine", "events", "bots", "analysis", "games", "pictures", "locales"),
        *("league", "service", "workers"),
    },
    "examples": {"engine", "bots", "games", "pictures", "locales"},
    "bench": {
        *("cartulary", "engine", "events", "bots", "analysis", "games", "pictures", "locales"),
        *("league", "service", "workers", "cli"),
    },
}
ENTRY_POINTS = (
    "service/description/__main__.py",
    "service/wsgi.py",
    "workers/dispatcher.py",
    "workers/worker.py",
)
"""The modules of `service` and `workers` that a process starts with: they import `games.OFFERS`."""

WITHIN_THE_SERVICE: dict[str, set[str]] = {
    "shortcuts": set(),
    "process": {"shortcuts"},
    "http": {"process", "shortcuts"},
    "description": {"http"},
    "views": {"description", "http", "shortcuts"},
    "app": {"http", "process", "shortcuts", "views"},
    "wsgi": {"app", "process"},
    "description/__main__": {"app", "description", "process"},
}
"""What the modules and folders of `service` may import of one another."""

IN_THE_PACKAGE = MAY_IMPORT.keys() - {"bench", "cartulary", "examples"}
"""The folders that `cartulary/` links to; the benches and the examples stay outside."""

TEXTS = (
    "*.md",
    "Procfile",
    ".pre-commit-config.yaml",
    ".ci/*",
    "docs/**/*.md",
    "examples/*.sh",
    "script/*",
)
"""Files without the ending of Python that may import or start a module."""

PURE = ("engine", "bots", "analysis", "pictures")

MODULES_OF_THE_PURE = {
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
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
}
"""The imports of the pure rooms that no other module of these rooms may have."""

IMPURE_BUILTINS = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"}
"""`compile` and the like are no I/O, but a way round this test."""


def sources(room: str) -> list[Path]:
    """Return the modules of a room; the links in `cartulary/` lead to rooms of their own."""
    found = (ROOT / room).glob("*.py") if room == "cartulary" else (ROOT / room).rglob("*.py")
    return sorted(found)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that a module imports, wherever it does so.

    A module in a room is given as its folder is called, without `cartulary.` before it.
    """
    for line, name in absolute_imports(path):
        inner = name.removeprefix("cartulary.")
        yield line, inner if inner.split(".")[0] in IN_THE_PACKAGE else name


def absolute_imports(path: Path) -> Iterator[tuple[int, str]]:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def bare_imports(room: str) -> list[str]:
    """Return where a module of `cartulary` is imported by the name of its folder alone.

    It would be loaded a second time, under another name, with classes of its own.
    """
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sources(room)
        for line, name in absolute_imports(path)
        if name.split(".")[0] in IN_THE_PACKAGE
    ]


def bare_names_in_text(text: str) -> list[str]:
    """Return the lines that import or start a module by the name of its folder alone."""
    rooms = "|".join(sorted(IN_THE_PACKAGE))
    bare = rf"(from ({rooms})[\w.]* import |import ({rooms})\b)|-m ({rooms})\b|python:({rooms})\b"
    return [line for line in text.splitlines() if re.search(rf"(?:^|\s|>>> )({bare})", line)]


def circle(room: str) -> list[str]:
    """Return the modules of a room that import each other in a circle, an empty list if none do.

    Imports for the type checker alone are left out: they never run.
    """
    modules = {name_of(path): path for path in sources(room)}
    graph: dict[str, set[str]] = {
        name: {found for asked in imports_at_run_time(path) if (found := inside(asked, modules))}
        for name, path in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_at_run_time(path: Path) -> set[str]:
    for_types = {
        line
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for line in range(node.lineno, (node.body[-1].end_lineno or node.lineno) + 1)
    }
    return {name for line, name in imports(path) if line not in for_types}


def inside(name: str, modules: Mapping[str, Path]) -> str | None:
    """Return the module of the room that an import loads: `a.b` for a name `c` out of `a.b`."""
    return next((m for m in (name, name.rpartition(".")[0]) if m in modules), None)


def within(name: str, allowed: set[str]) -> bool:
    return any(name == room or name.startswith(room + ".") for room in allowed)


def faults_of_direction(room: str) -> list[str]:
    allowed = MAY_IMPORT[room] | {room}
    return [
        f"{place}:{line} imports {name}"
        for path in sources(room)
        for place in [path.relative_to(ROOT).as_posix()]
        for line, name in imports(path)
        if name.split(".")[0] in {*MAY_IMPORT, "tests"} and not within(name, allowed)
        if not (place in ENTRY_POINTS and name == "games.OFFERS")
    ]


def faults_of_purity(room: str) -> list[str]:
    faults = []
    for path in sources(room):
        place = path.relative_to(ROOT)
        for line, name in imports(path):
            top = name.split(".")[0]
            known = top in MODULES_OF_THE_PURE or top in MAY_IMPORT
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


def test_every_folder_of_python_has_a_rule() -> None:
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert rooms - {"tests"} <= set(MAY_IMPORT)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_the_page_about_the_architecture_lists_every_room(room: str) -> None:
    assert f"\n| `{room}/` | " in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("room", [*MAY_IMPORT, "tests"])
def test_every_room_is_imported_as_a_part_of_cartulary(room: str) -> None:
    assert bare_imports(room) == []


def test_no_document_or_script_uses_a_bare_name() -> None:
    files = {file for pattern in TEXTS for file in ROOT.glob(pattern) if file.is_file()}
    assert ROOT / "README.md" in files
    assert ROOT / "script" / "check" in files
    lines = {
        str(file.relative_to(ROOT)): bare_names_in_text(file.read_text("utf-8")) for file in files
    }
    assert {name: found for name, found in lines.items() if found} == {}


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("from engine.core import State", True),
        (">>> import events", True),
        ("python -m workers.dispatcher", True),
        ("web: gunicorn --config python:service.conf", True),
        ("from cartulary.engine.core import State", False),
        ("python -m cartulary.workers.dispatcher", False),
        ("the import of events from a file", False),
    ],
)
def test_the_check_of_documents_finds_bare_names(line: str, bare: bool) -> None:
    assert bool(bare_names_in_text(line)) is bare


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_one_way(room: str) -> None:
    assert faults_of_direction(room) == []


def faults_within_the_service() -> list[str]:
    """Return where a module or folder of `service` imports another against the direction."""
    faults = []
    for path in sources("service"):
        place = path.relative_to(ROOT / "service").with_suffix("")
        part = str(place) if str(place) in WITHIN_THE_SERVICE else place.parts[0]
        allowed = {part, *WITHIN_THE_SERVICE.get(part, set())}
        faults += [
            f"service/{place}:{line} imports {name}"
            for line, name in imports(path)
            if name.startswith("service.") and name.split(".")[1] not in allowed
        ]
    return faults


def test_the_parts_of_the_service_import_each_other_one_way() -> None:
    parts = {path.stem for path in (ROOT / "service").iterdir() if path.name[0] not in "._"}
    assert parts <= set(WITHIN_THE_SERVICE)
    assert faults_within_the_service() == []


def test_a_part_of_the_service_that_imports_against_the_direction_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "service" / "process").mkdir(parents=True)
    bad = tmp_path / "service" / "process" / "bad.py"
    bad.write_text("def f():\n    from cartulary.service.http.problems import Problem")
    found = "service/process/bad:2 imports service.http.problems.Problem"
    assert faults_within_the_service() == [found]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_no_two_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    assert circle(room) == []


@pytest.mark.parametrize("room", PURE)
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
def test_the_test_itself_finds_what_it_looks_for(
    text: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "bad.py").write_text(text)
    assert [found for found in faults_of_purity("engine") if found.endswith(fault)]
    (tmp_path / "engine" / "bad.py").write_text("from cartulary.service.app import create_app")
    assert faults_of_direction("engine") == ["engine/bad.py:1 imports service.app.create_app"]
    (tmp_path / "engine" / "bad.py").write_text("from service.app import create_app")
    assert bare_imports("engine") == ["engine/bad.py:1 imports service.app.create_app"]


def test_a_circle_is_found_unless_it_is_there_for_the_type_checker_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("from cartulary.engine import one")
    (tmp_path / "engine" / "one.py").write_text("from cartulary.engine.two import name")
    two = tmp_path / "engine" / "two.py"
    two.write_text("def f():\n    from cartulary.engine import one")
    assert set(circle("engine")) == {"engine.one", "engine.two"}
    two.write_text("if TYPE_CHECKING:\n    from cartulary.engine.one import name")
    assert circle("engine") == []
