"""`cartulary ratings`: check, void, export; and the program of the documentation."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.ratings.finding import find_result
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.ratings.results import Bucket, Entrant, GameResult
from tests.support.practice_games import lose_practice

PAGE = Path(__file__).parents[2] / "docs" / "ratings.md"
BUCKET = Bucket("practice", "carcassonne", "2")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["ratings", *arguments])


@pytest.fixture
def store(real_redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that the environment names."""
    monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
    store = Store(connect(real_redis_url), OFFERS)
    store.claim()
    return store


@pytest.fixture
def games(store: Store) -> list[str]:
    """Two practice games of Ada that count."""
    ada = store.players.create("Ada")[0]
    tables = [lose_practice(store, ada, bot) for bot in ("easy", "medium")]
    for table in tables:
        result = find_result(table, store.ledger.events)
        assert result is not None
        store.ratings.note(result)
    store.ratings.fold_all()
    return [table.id for table in tables]


def test_a_replay_agrees_with_what_is_stored(games: list[str]) -> None:
    done = run("--replay")
    assert (done.exit_code, done.stdout) == (0, "2 results lead to the ratings that are stored\n")


def test_a_replay_of_what_is_noted_reads_no_game(store: Store, games: list[str]) -> None:
    store.redis.delete(keys.events(games[0]))
    assert run("--replay").exit_code == 1
    done = run("--replay", "--noted")
    assert (done.exit_code, done.stdout) == (0, "2 results lead to the ratings that are stored\n")


def test_a_replay_says_what_differs(store: Store, games: list[str]) -> None:
    store.registry.hdel(keys.ratings("steps", BUCKET.text()), games[0])
    done = run("--replay")
    assert done.exit_code == 1
    assert f"game {games[0]}: the ratings after it" in done.stdout


def test_a_voided_game_counts_no_more(store: Store, games: list[str]) -> None:
    assert run("--void", games[0], "--reason", "a test").stdout == "voided\n"
    assert store.rating_reader.count_results(BUCKET) == 1
    assert run("--replay").exit_code == 0
    assert run("--void", "01JC0M7G5P9R3S6T8V2W4X1Y0B", "--reason", "a test").exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--replay", "--export", "x"),
        ("--void", "g"),
        ("--reason", "r"),
        ("--export", "x", "--noted"),
    ],
)
def test_one_thing_is_done_at_once(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.process
def test_a_stranger_checks_the_export_with_the_program_of_the_documentation(
    store: Store, games: list[str], tmp_path: Path
) -> None:
    people = [Entrant(f"player {number}") for number in range(4)]
    bucket = Bucket("people", "caylus", "many")
    for at, ranks in enumerate([(1, 2, 2, 4), (4, 3, 2, 1), (1, 1, 1, 1)]):
        store.ratings.note(GameResult(at, f"game {at}", bucket, tuple(people), ranks))
    store.ratings.fold_all()
    file = tmp_path / "ratings.ndjson"
    assert run("--export", str(file)).stdout == f"{file}: 5 games\n"
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    lines_of_code = [line for line in code.splitlines() if line and "import" not in line]
    assert len(lines_of_code) <= 20
    command = [sys.executable, "-c", code, str(file)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.stderr) == ("5 ratings agree\n", "")
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    lines[0]["after"] = [[26.0, 7.0] if one else None for one in lines[0]["after"]]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
