"""One class name, one meaning: outside tests each name is defined in one file.

The exception: rooms of two games (a `carcassonne` and a `caylus` folder of the same parent) may use
one name for the same part of each game.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = {"carcassonne", "caylus"}


def list_classes() -> dict[str, set[Path]]:
    """Return the files, relative to the root, that define each class or type alias."""
    found = defaultdict(set)
    rooms = [init.parent for init in ROOT.glob("*/__init__.py")] + [ROOT / "bench"]
    for room in {room for room in rooms if room.name != "tests"}:
        for path in room.rglob("*.py"):
            for name in find_names(ast.parse(path.read_text())):
                found[name].add(path.relative_to(ROOT))
    return found


def find_names(tree: ast.Module) -> set[str]:
    """Return the names of the classes, also of nested classes, and of the type aliases."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    aliases = {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and ast.unparse(node.annotation).endswith("TypeAlias")
    }
    return classes | aliases


def are_twins(paths: set[Path]) -> bool:
    """Tell whether each file is in the room of another game, below the same parent."""
    games = [path.parent.name for path in paths]
    parents = {path.parent.parent for path in paths}
    return len(parents) == 1 and set(games) <= GAMES and len(set(games)) == len(games)


@pytest.mark.slow
def test_each_class_name_has_one_meaning() -> None:
    twice = {
        name: sorted(map(str, paths))
        for name, paths in list_classes().items()
        if len(paths) > 1 and not are_twins(paths)
    }
    assert not twice
