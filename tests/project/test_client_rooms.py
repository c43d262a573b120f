"""The client's rooms: the folders of `web/js`, as `docs/client.md` describes them.

Types in comments (`import("…")`) count as imports too: they tie two files together just the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from posixpath import dirname, normpath

import pytest

ROOT = Path(__file__).parents[2]
JS = ROOT / "web" / "js"
MOST_FILES = 20

MAY_IMPORT: dict[str, set[str]] = {
    "vendor": set(),
    "platform": set(),
    "streams": {"platform"},
    "elements": {"platform", "vendor"},
    "bots": {"elements", "platform"},
    "table": {"elements", "platform", "streams"},
    "board": {"elements", "platform", "table"},
    "play": {"board", "elements", "platform"},
    "play/carcassonne": {"board", "elements", "platform", "play"},
    "play/caylus": {"board", "elements", "platform", "play"},
    "play/general": {"play"},
    "keys": {"board", "elements", "platform"},
    "sound": {"platform"},
    "inbox": {"elements", "platform", "sound", "streams"},
    "order": {"elements", "platform"},
    "people": {"bots", "elements", "inbox", "order", "platform", "play", "table"},
    "motion": {"board", "elements", "people", "platform", "play", "sound", "table"},
    "story": {"elements", "people", "platform", "play", "table"},
    "panel": {"board", "elements", "keys", "people", "platform", "play", "story", "table"},
    "inspect": {
        *("board", "bots", "elements", "order", "people", "platform", "play", "story", "table"),
    },
    "explorer": {"elements", "platform", "play"},
    "analysis": {
        *("board", "elements", "explorer", "inbox", "panel", "people", "platform", "play"),
        *("story", "table"),
    },
    "learn": {
        *("board", "elements", "panel", "people", "platform", "play", "studies/reading", "table"),
    },
    "home": {"bots", "elements", "inbox", "motion", "people", "platform", "play"},
    "rated": {"elements", "people", "platform", "table"},
    "seeking": {"elements", "inbox", "people", "platform", "play", "rated", "streams"},
    "settings": {"bots", "elements", "inbox", "panel", "people", "platform", "rated", "sound"},
    "local": {"elements", "people", "platform"},
    "profile": {"bots", "elements", "home", "order", "people", "platform", "settings", "story"},
    "notices": {"elements", "inbox", "platform", "settings"},
    "tournaments/facts": {"admin", "elements", "platform"},
    "tournaments/announcing": {
        *("elements", "home", "people", "platform", "play", "settings", "tournaments/facts"),
    },
    "tournaments/checking": {"elements", "people", "platform", "settings", "tournaments/facts"},
    "tournaments": {
        *("bots", "elements", "home", "people", "platform", "play", "story", "streams"),
        *("tournaments/announcing", "tournaments/checking", "tournaments/facts"),
    },
    "studies/reading": {"board", "elements", "panel", "platform", "play"},
    "studies/editor": {
        *("board", "elements", "inspect", "panel", "people", "platform", "play", "settings"),
        "studies/reading",
    },
    "studies": {
        *("elements", "explorer", "order", "people", "platform", "streams", "studies/editor"),
        "studies/reading",
    },
    "admin": {"elements", "platform", "settings"},
    "puzzles": {
        *("board", "elements", "explorer", "local", "panel", "people", "platform", "play"),
        *("profile", "table"),
    },
    "pages": {
        *("analysis", "board", "bots", "elements", "explorer", "home", "inbox", "inspect", "keys"),
        *("learn", "local", "motion", "panel", "people", "platform", "play", "rated", "seeking"),
        *("settings", "story", "streams", "table"),
    },
    "": {
        *("admin", "elements", "explorer", "inbox", "keys", "learn", "local", "notices"),
        *("pages", "people", "platform", "profile", "puzzles", "seeking", "settings", "studies"),
        *("table", "tournaments"),
    },
}
"""What the files of a folder may import besides each other; "" is `web/js` itself."""

ONLY_THERE: dict[str, set[str]] = {
    " fetch(": {"platform", ""},
    "document.createElement": {"elements"},
    "AudioContext": {"sound"},
    "attachShadow": {"board", "home"},  # at home: the thumbnails
    "BroadcastChannel(": {"inbox", "streams"},
    "indexedDB": {"local"},
    "localStorage": {"inbox", "people", "platform", "table"},
    "table.play(": {"panel"},
}
"""Of some texts the folders whose files may contain them."""

NEVER_THERE = {
    "table": 'elements/dom.js"',
    "motion": 'platform/api.js"',
    "keys": 'platform/api.js"',
}
"""Of some folders a text that no file may contain."""

Graph = Mapping[str, set[str]]


def read_imports(root: Path) -> dict[str, set[str]]:
    """Return the files below `root`, each with the files that it imports."""
    graph = {}
    for path in sorted(root.rglob("*.js")):
        name = path.relative_to(root).as_posix()
        found = re.findall(r'(?:from |import |import\()"(\.[^"]+)"', path.read_text("utf-8"))
        graph[name] = {normpath(f"{dirname(name)}/{target}".lstrip("/")) for target in found}
    return graph


def join_folders(files: Graph) -> dict[str, set[str]]:
    folders: dict[str, set[str]] = {}
    for name, targets in files.items():
        known = folders.setdefault(dirname(name), set())
        known |= {dirname(target) for target in targets} - {dirname(name)}
    return folders


def find_circle(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def faults_of_direction(folders: Graph) -> Iterator[str]:
    for folder, targets in folders.items():
        for target in sorted(targets - MAY_IMPORT.get(folder, set())):
            yield f"{folder} imports {target}"


FILES = read_imports(JS)
FOLDERS = join_folders(FILES)


def test_the_folders_of_the_client_import_each_other_one_way() -> None:
    assert list(faults_of_direction(FOLDERS)) == []


def test_every_folder_and_every_permission_of_the_table_is_used() -> None:
    assert FOLDERS == MAY_IMPORT


def test_no_two_files_or_folders_of_the_client_import_each_other_in_a_circle() -> None:
    assert find_circle(FILES) == []
    assert find_circle(FOLDERS) == []


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_of_the_client_has_twenty_files_at_most(folder: str) -> None:
    assert len([name for name in FILES if dirname(name) == folder]) <= MOST_FILES


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT.keys() - {""}))
def test_the_page_about_the_client_lists_every_folder(folder: str) -> None:
    place = "play/<game>" if folder.startswith("play/") else folder
    assert f"\n| `{place}/` | " in (ROOT / "docs" / "client.md").read_text(encoding="utf-8")


def find_users(text: str) -> set[str]:
    users = {dirname(name) for name in FILES if text in (JS / name).read_text(encoding="utf-8")}
    return users - {"vendor"}


@pytest.mark.parametrize("text", ONLY_THERE)
def test_a_text_stands_only_in_the_folders_whose_task_it_is(text: str) -> None:
    assert find_users(text) == ONLY_THERE[text]


@pytest.mark.parametrize("folder", NEVER_THERE)
def test_a_folder_keeps_away_from_what_its_invariant_forbids(folder: str) -> None:
    assert folder not in find_users(NEVER_THERE[folder])


@pytest.mark.parametrize(
    "line",
    [
        'import { b } from "../two/b.js";',
        'const { b } = await import("../two/b.js");',
        '/** @typedef {import("../two/b.js").B} B */',
    ],
)
def test_a_circle_is_found_in_code_and_in_types(line: str, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one" / "a.js").write_text(line)
    (tmp_path / "two" / "b.js").write_text('import "../one/c.js";')
    (tmp_path / "one" / "c.js").write_text("")
    graph = read_imports(tmp_path)
    assert find_circle(graph) == []
    assert set(find_circle(join_folders(graph))) == {"one", "two"}
    assert list(faults_of_direction(join_folders(graph))) == ["one imports two", "two imports one"]
    (tmp_path / "two" / "b.js").write_text('import "../one/a.js";')
    assert set(find_circle(read_imports(tmp_path))) == {"one/a.js", "two/b.js"}
