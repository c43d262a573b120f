"""The rooms: imports point one way, and no folder is too large to be read.

    engine <- bots <- games; engine <- pictures <- games; pictures <- raster;
    {engine, locales} <- words <- games;
    {engine <- events, raster} <- {service, workers}; events.model <- tournaments <- events

`games` wires what belongs to a game into an offer. Only entry points import the list of offers and
hand it in: `ENTRY_POINTS`, `cartulary/`, `league`, `envs`, `cli`, `bench`, `simulation`. Other
rooms may know the type `Offer`.
`bots.levels` is the order of strength alone: no bot comes with it. A hint is what a bot of an offer
thinks, and `bots.reasons` says why. The analysis of a game that is over runs in a worker.
`client` and `rehearsal` know the service by its answers alone: they import no other room.
`envs` gives the games to two libraries; no other room needs these.
`service` and `workers` never meet; `cli` wires everything together, `bench` measures everything;
`simulation` runs it on a virtual clock, and no other room needs it.
The modules of `cartulary/` itself are what a bot author imports: they play games with pure rooms.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project import source_tree
from tests.project.source_tree import ROOMS, circle, folders_of, graph_of, read_imports, within

MAY_IMPORT: dict[str, set[str]] = {
    "engine": set(),
    "bots": {"engine"},
    "pictures": {"engine"},
    "raster": {"pictures"},
    "words": {"engine", "locales"},
    "games": {"engine", "bots", "pictures", "locales", "words"},
    "puzzles": {"engine", "bots", "games.offer.Offer"},
    "outside": {"engine", "bots", "events.server.die_with_parent"},
    "league": {"engine", "bots", "games", "outside"},
    "explorer": {"engine"},
    "offline": {
        *("engine", "bots", "pictures", "locales", "words", "games", "events.model"),
        *("events.puzzles.lines", "puzzles.record"),
    },
    "settings": set(),
    "ratings": set(),
    "tournaments": {"engine", "events.model"},
    "studies": {"engine", "events.model"},
    "events": {
        *("engine", "bots.levels", "explorer", "ratings", "tournaments", "studies"),
        *("settings", "puzzles"),
    },
    "locales": set(),
    "service": {
        *("engine", "events", "explorer", "pictures", "raster", "locales", "words", "notices"),
        *(
            "games.offer.Offer",
            "games.describing",
            "games.drawing",
            "bots.base.BotEntry",
            "bots.reasons",
            "bots.thought.Budget",
            "ratings.results",
            "ratings.glicko",
            "puzzles.record.Puzzle",
            "tournaments",
            "studies",
            "settings",
            "studies",
        ),
    },
    "workers": {
        *("engine", "events", "pictures", "raster", "locales", "notices", "games.offer.Offer"),
        "bots.analysis",
        "tournaments",
        "settings",
        *("bots.base", "bots.levels", "bots.thought"),
    },
    "client": set(),
    "rehearsal": set(),
    "notices": set(),
    "envs": {"cartulary", "engine", "games", "raster"},
    "cartulary": {"engine", "bots", "games", "pictures", "locales"},
    "cli": {
        *("cartulary", "engine", "events", "bots", "games", "pictures", "locales"),
        *("league", "outside", "raster", "service", "workers", "client", "rehearsal", "words"),
        "notices",
        "ratings",
        "tournaments",
        "settings",
        "puzzles",
        "studies",
    },
    "examples": {"engine", "bots", "games", "pictures", "locales", "client"},
    "bench": {
        *("cartulary", "engine", "events", "explorer", "bots", "games", "pictures", "locales"),
        *("league", "outside", "raster", "service", "workers", "cli", "client", "envs", "ratings"),
        "notices",
        "settings",
        "tournaments",
        "puzzles",
    },
    "simulation": {
        *("engine", "events", "bots", "games", "pictures", "locales", "raster", "service"),
        *(
            "workers",
            "cli",
            "notices",
            "ratings",
            "tournaments",
            "settings",
            "bench.faults",
            "outside",
        ),
    },
}
ENTRY_POINTS = (
    "service/describe.py",
    "service/wsgi.py",
    "workers/dispatcher.py",
    "workers/films/making.py",
    "workers/notices/notifier.py",
    "workers/worker.py",
)
"""The modules of `service` and `workers` that a process starts with: they import `games.OFFERS`."""

MOST_FILES = 20
"""Files of code in a folder: more of them in a row are a list that no person reads."""

LONGER = {"engine/caylus"}
"""It reads like the table of contents of the rulebook."""

FLOORS = {
    "events": (
        *(
            "tracing",
            "model",
            "model/time",
            "model/effects",
            "server",
            "backup",
            "backup/targets",
            "archive",
            "ledger",
        ),
        *(
            "draws",
            "time",
            "naming",
            "people",
            "live",
            "lists",
            "ratings",
            "profiles",
            "puzzles",
            "notices",
            "archiving",
            "explorer",
            "shipping",
            "analyses",
            "films",
        ),
        *("chat", "outside_bots"),
        *("commands/judging", "commands/table", "commands/game", "commands/rounds", "commands"),
        *(
            "tournaments/stream",
            "tournaments/archiving",
            "tournaments",
            "company",
            "studies",
            "accounts",
            "order",
            "audit",
        ),
        *("", "upkeep", "dumps", "mining"),
    ),
    "service": (
        *("process", "server", "http/wire", "http/shared", "http", "http/streams", "schemas"),
        *("openapi/forms", "openapi/released", "openapi"),
        *("api/game", "api/profiles", "api/ratings", "api/puzzles", "api/people"),
        *("api/study", "api/table", "api/talk"),
        *("api/bots", "api/notices", "api/company", "api/tournaments", "api/studies", "api/order"),
        *("api/streams", "api/fast_moves", "api/docs", "api/site", "api", ""),
    ),
    "simulation": (
        *("store/values", "store/commands", "store/scripts", "store/serving", "store/own"),
        *("store", "store/compare", "specification", "specification/observing", "fuzzing"),
        *("world", "faults", "checks", "releases", "play", "known", "story", ""),
    ),
}
"""The rooms of a room, the lowest first; '' is the room itself. Each imports rooms before it."""


def faults_of_direction(room: str) -> list[str]:
    allowed = MAY_IMPORT[room] | {room}
    return [
        f"{place}:{line} imports {name}"
        for place, line, name in read_imports(room)
        if name.split(".")[0] in {*MAY_IMPORT, "tests"} and not within(name, allowed)
        if not (place in ENTRY_POINTS and name == "games.OFFERS")
    ]


def test_every_folder_of_python_has_a_rule() -> None:
    rooms = {path.parent.name for path in source_tree.ROOT.glob("*/__init__.py")}
    assert rooms - {"tests"} <= set(MAY_IMPORT) == set(ROOMS)


def test_the_page_about_the_architecture_lists_every_room() -> None:
    page = (source_tree.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [room for room in MAY_IMPORT if f"\n| `{room}/` | " not in page] == []


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_one_way(room: str) -> None:
    assert faults_of_direction(room) == []


@pytest.mark.slow
def test_no_file_and_no_folder_is_part_of_a_circle() -> None:
    files = graph_of([*(MAY_IMPORT.keys() - {"cartulary"}), "tests"])
    assert circle(files) == []
    assert circle(folders_of(files)) == []


def faults_of_floors(room: str) -> list[str]:
    """Return which rooms of a room import a room above them, or stand on no floor."""
    order = {source_tree.ROOT / room / name: floor for floor, name in enumerate(FLOORS[room])}
    folders = folders_of(graph_of([room]))
    return [
        f"{path.relative_to(source_tree.ROOT)} imports {other.relative_to(source_tree.ROOT)}"
        for path, others in folders.items()
        for other in others
        if not order.get(other, len(order)) < order.get(path, len(order))
        if other.name != "migrations" and path.name not in ("migrations", "versions")
    ]


@pytest.mark.parametrize("room", FLOORS)
def test_the_rooms_of_a_room_import_rooms_below_them(room: str) -> None:
    assert faults_of_floors(room) == []


def list_folders() -> dict[str, int]:
    """Return the number of files of code in each folder, those of the client included."""
    counted: dict[str, int] = {}
    for room in [*MAY_IMPORT, "tests", "web/js"]:
        for path in [
            *(source_tree.ROOT / room).rglob("*.py"),
            *(source_tree.ROOT / room).rglob("*.[jt]s"),
        ]:
            if path.is_file() and not {"node_modules", "vendor", "built"} & set(path.parts):
                folder = path.parent.relative_to(source_tree.ROOT).as_posix()
                counted[folder] = counted.get(folder, 0) + 1
    return counted


def test_no_folder_has_more_files_than_a_reader_takes_in() -> None:
    counted = list_folders()
    assert "events/model" in counted
    large = {folder for folder, files in counted.items() if files > MOST_FILES}
    assert {name for name in large if not name.startswith("cartulary/")} == LONGER


def test_the_page_about_the_architecture_says_what_holds_in_each_room() -> None:
    page = (source_tree.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [f"{top}/{room}" for top in FLOORS for room in FLOORS[top] if room]
    row = r"^\| `{room}/` \| [^|]+ \| [^|]+ \|$"
    said = [room for room in rooms if re.search(row.format(room=room), page, re.MULTILINE)]
    assert said == rooms


def test_an_import_that_points_the_other_way_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_tree, "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "bad.py").write_text("from cartulary.service.app import create_app")
    assert faults_of_direction("engine") == ["engine/bad.py:1 imports service.app.create_app"]


def test_a_circle_of_files_and_of_folders_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_tree, "ROOT", tmp_path)
    for folder in ("engine", "engine/a", "engine/b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    one, two = tmp_path / "engine" / "a" / "one.py", tmp_path / "engine" / "b" / "two.py"
    one.write_text("from cartulary.engine.b.two import name")
    two.write_text("if TYPE_CHECKING:\n    from cartulary.engine.a.one import name")
    files = graph_of(["engine"])
    assert set(circle(files)) == {"engine/a/one.py", "engine/b/two.py"}
    assert set(circle(folders_of(files))) == {"engine/a", "engine/b"}
    two.write_text("from cartulary.engine.a.three import name")
    (tmp_path / "engine" / "a" / "three.py").touch()
    files = graph_of(["engine"])
    assert circle(files) == []
    assert set(circle(folders_of(files))) == {"engine/a", "engine/b"}


def test_a_room_that_imports_a_room_above_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_tree, "ROOT", tmp_path)
    (tmp_path / "events" / "model").mkdir(parents=True)
    (tmp_path / "events" / "ledger").mkdir()
    (tmp_path / "events" / "ledger" / "ledger.py").touch()
    bad = tmp_path / "events" / "model" / "bad.py"
    bad.write_text("from cartulary.events.ledger.ledger import Ledger")
    assert faults_of_floors("events") == ["events/model imports events/ledger"]
