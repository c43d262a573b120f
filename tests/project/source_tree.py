"""The modules of the project, and what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]

ROOMS = (
    *("engine", "bots", "pictures", "raster", "games", "league", "events", "locales", "words"),
    *("service", "workers", "offline", "outside", "client", "rehearsal", "notices", "envs"),
    *("cartulary", "cli", "examples", "bench", "ratings", "tournaments", "studies", "settings"),
    *("puzzles", "explorer", "simulation"),
)

IN_THE_PACKAGE = set(ROOMS) - {"bench", "cartulary", "examples", "simulation"}
"""The folders that `cartulary/` links to; benches, examples and the simulator stay outside."""


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


def absolute_imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Return line and full name of everything that a module imports."""
    return _find_imports(path, path.read_text(encoding="utf-8"))


@cache
def _find_imports(path: Path, text: str) -> tuple[tuple[int, str], ...]:
    """Return what a text imports as the module of this path; several tests read the same files."""
    return tuple(_read_absolute_imports(path, text))


def _read_absolute_imports(path: Path, text: str) -> Iterator[tuple[int, str]]:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in sorted(list_statements(ast.parse(text)), key=lambda one: one.lineno):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def list_statements(code: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements of a piece of code, those inside others too, but no expressions.

    A module has ten times as many expressions, and `ast.walk` looks at each.
    """
    todo = [code]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, part, ())


def graph_of(rooms: Iterable[str]) -> dict[Path, set[Path]]:
    """Return which files of these rooms import which, imports for the type checker included."""
    modules = {name_of(path): path for room in rooms for path in sources(room)}
    return {
        path: {
            modules[found]
            for _, name in imports(path)
            if (found := inside(name, modules)) and modules[found] != path
        }
        for path in modules.values()
    }


def folders_of(files: Mapping[Path, set[Path]]) -> dict[Path, set[Path]]:
    """Return which folders import which."""
    found: dict[Path, set[Path]] = {}
    for path, others in files.items():
        reached = {other.parent for other in others} - {path.parent}
        found.setdefault(path.parent, set()).update(reached)
    return found


def circle(graph: Mapping[Path, set[Path]]) -> list[str]:
    """Return what imports each other in a circle, an empty list without a circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(path.relative_to(ROOT)) for path in error.args[1]]
    return []


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def inside(name: str, modules: Mapping[str, Path]) -> str | None:
    """Return the module of the room that an import loads: `a.b` for a name `c` out of `a.b`."""
    return next((m for m in (name, name.rpartition(".")[0]) if m in modules), None)


def within(name: str, allowed: set[str]) -> bool:
    return any(name == room or name.startswith(room + ".") for room in allowed)


def read_imports(*rooms: str) -> Iterator[tuple[str, int, str]]:
    """Yield the file, the line and the full name of everything that modules of rooms import."""
    for room in rooms:
        for path in sources(room):
            for line, name in imports(path):
                yield path.relative_to(ROOT).as_posix(), line, name
