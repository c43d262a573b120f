"""Every module is imported as a part of `cartulary`, never by the name of its folder alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project import source_tree
from tests.project.source_tree import IN_THE_PACKAGE, ROOMS, absolute_imports, sources

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


def bare_imports(room: str) -> list[str]:
    """Return where a module of `cartulary` is imported by the name of its folder alone.

    It would be loaded a second time, under another name, with classes of its own.
    """
    return [
        f"{path.relative_to(source_tree.ROOT)}:{line} imports {name}"
        for path in sources(room)
        for line, name in absolute_imports(path)
        if name.split(".")[0] in IN_THE_PACKAGE
    ]


def bare_names_in_text(text: str) -> list[str]:
    """Return the lines that import or start a module by the name of its folder alone."""
    rooms = "|".join(sorted(IN_THE_PACKAGE))
    bare = rf"(from ({rooms})[\w.]* import |import ({rooms})\b)|-m ({rooms})\b|python:({rooms})\b"
    return [line for line in text.splitlines() if re.search(rf"(?:^|\s|>>> )({bare})", line)]


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
@pytest.mark.slow
def test_every_room_is_imported_as_a_part_of_cartulary(room: str) -> None:
    assert bare_imports(room) == []


def test_no_document_or_script_uses_a_bare_name() -> None:
    files = {file for pattern in TEXTS for file in source_tree.ROOT.glob(pattern) if file.is_file()}
    assert source_tree.ROOT / "README.md" in files
    assert source_tree.ROOT / "script" / "check" in files
    lines = {
        str(file.relative_to(source_tree.ROOT)): bare_names_in_text(file.read_text("utf-8"))
        for file in files
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


def test_a_bare_import_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_tree, "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "bad.py").write_text("from service.app import create_app")
    assert bare_imports("engine") == ["engine/bad.py:1 imports service.app.create_app"]
