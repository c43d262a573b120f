"""A backup of a service under play is restored elsewhere, and the games go on there."""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cartulary.cli.main import main
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]


def cartulary(*arguments: object) -> str:
    """Run a command, check that it succeeds, and return its stdout."""
    done = CliRunner().invoke(main, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.stdout


@contextmanager
def playing(person: Person) -> Iterator[list[int]]:
    """Let a person play one game after another meanwhile; yields the versions after each turn."""
    stopping, versions = threading.Event(), list[int]()

    def play() -> None:
        while not stopping.is_set():
            game_id, status = person.create("random"), ""
            while status != "over" and not stopping.is_set():
                game = person.play(game_id, turns=1)
                status = game["status"]
                versions.append(game["version"])

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield versions
    finally:
        stopping.set()
        thread.join()


def finish(person: Person, game_id: str) -> Any:
    """Play on and resign, at night to the last tile; return the game as it is then."""
    if (turns := short_or_long(3, None)) is not None:
        person.play(game_id, turns=turns)
        person.post(f"games/{game_id}/resignation", {})
    return person.play(game_id)


def test_a_backup_of_a_live_service_is_served_elsewhere_and_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARTULARY_SECRET", raising=False)
    file, data, elsewhere = tmp_path / "games.backup", tmp_path / "data", tmp_path / "elsewhere"
    with Served(data) as served:
        person, other = Person(served, 1), Person(served, 2)
        game_id, over_id = person.create("greedy"), other.create("random")
        finish(other, over_id)
        version = person.play(game_id, turns=5)["version"]
        with playing(other) as played:
            until(lambda: played)
            already = len(played)
            assert " games, " in cartulary("backup", file, "--data", data)
            until(lambda: len(played) > already)
        served.stop(signal.SIGKILL)
    elsewhere.mkdir()
    shutil.copy(data / "secret.key", elsewhere)
    assert cartulary("restore", file, "--data", elsewhere).endswith("restored\n")
    with Served(elsewhere) as served:
        person.served = other.served = served
        assert person.get(f"games/{game_id}")["version"] >= version
        assert other.get(f"games/{over_id}")["status"] == "over"
        over = finish(person, game_id)
        verified = person.get(f"games/{game_id}/verification")
        assert verified["valid"]
        assert verified["fair"]["state"] == "proved"
        assert verified["fair"]["renewed_at"] == []
        lobby = person.get("games?status=over")["games"]
        assert {game_id, over_id} <= {game["id"] for game in lobby}
        assert over["result"]["scores"]
        assert " games hold\n" in cartulary("audit", "--data", elsewhere)
