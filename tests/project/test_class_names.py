"""One class name, one meaning: outside tests each name is defined in one file.

The exceptions: rooms of two games (a `carcassonne` and a `caylus` folder of one parent) may use
one name for the same part of each game. `client/` is a program of its own, which knows the service
by its description: its classes are called as the schemas there, and compared with each other only.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.project.source_tree import list_statements

ROOT = Path(__file__).parents[2]
GAMES = {"carcassonne", "caylus"}


CLIENT = "client"


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
    classes = {node.name for node in list_statements(tree) if isinstance(node, ast.ClassDef)}
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
    twice = {}
    for name, paths in list_classes().items():
        of_client = {path for path in paths if path.parts[0] == CLIENT}
        for of_program in (of_client, paths - of_client):
            if len(of_program) > 1 and not are_twins(of_program):
                twice[name] = sorted(map(str, of_program))
    assert not twice
