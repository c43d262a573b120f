"""`cartulary puzzles`: what it writes, how it goes on, which games it may look at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.games import puzzles as command
from cartulary.cli.main import main
from cartulary.engine.transcript import Transcript
from cartulary.events.commands.commands import Intent
from cartulary.events.mining.public_games import list_public_games
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.puzzles import mining
from cartulary.puzzles.mining import MiningOrigin
from cartulary.puzzles.packs import load_pack, read_pack
from cartulary.puzzles.record import Puzzle
from tests.support.small_transcript import small
from tests.support.store_with_archive import archive_all, find_url, open_with_archive

GAME = "carcassonne"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["puzzles", "--game", GAME, *map(str, arguments)])


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each game has one puzzle, that of its number in the pack; returns the numbers looked at."""
    pack, numbers = load_pack(OFFERS[GAME]), list[int]()

    def mine(offer: Any, _transcript: Any, origin: MiningOrigin, number: int) -> Iterator[Puzzle]:
        numbers.append(number)
        yield pack.read(pack.entries[number].id)._replace(made=origin.describe())

    monkeypatch.setattr(command, "mine_game", mine)
    monkeypatch.setattr(command, "play_table", lambda *_: None)
    return numbers


def test_without_a_file_the_puzzles_are_lines_of_json(looked: list[int]) -> None:
    result = run("--from", "league", "--number", 2, "--seed", "s")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["made"]["seed"] for line in lines] == ["s", "s"]
    assert looked == [0, 1]


def test_a_run_goes_on_after_the_games_that_its_file_has_seen(
    looked: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "mine.jsonl.xz"
    assert run("--from", "league", "--number", 2, "--out", file).exit_code == 0
    result = run("--from", "league", "--number", 3, "--out", file)
    assert "3 puzzles of 3 games" in result.stderr
    assert looked == [0, 1, 2]
    assert len(read_pack(OFFERS[GAME], file)) == 3
    assert not file.with_name("mine.jsonl.xz.part").exists()


def test_a_file_of_another_seed_or_no_pack_is_left_as_it_is(
    looked: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "mine.jsonl.xz"
    run("--from", "league", "--number", 1, "--out", file)
    before = file.read_bytes()
    result = run("--from", "league", "--number", 2, "--seed", "other", "--out", file)
    assert (result.exit_code, file.read_bytes()) == (2, before)
    assert "puzzles of another run" in result.stderr
    file.write_bytes(b"text")
    assert run("--from", "league", "--number", 2, "--out", file).exit_code == 2
    assert file.read_bytes() == b"text"


def test_a_file_of_older_rules_is_written_again_with_retell(
    looked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, newest = tmp_path / "mine.jsonl.xz", mining.VERSION
    monkeypatch.setattr(mining, "VERSION", newest - 1)
    run("--from", "league", "--number", 2, "--out", file)
    monkeypatch.setattr(mining, "VERSION", newest)
    assert run("--from", "league", "--number", 2, "--out", file).exit_code == 2
    result = run("--from", "league", "--number", 2, "--out", file, "--retell")
    assert result.exit_code == 0, result.output
    assert read_pack(OFFERS[GAME], file).head["made"]["version"] == newest
    assert looked == [0, 1]
    other = run("--from", "league", "--number", 2, "--seed", "x", "--out", file, "--retell")
    assert "puzzles of another run" in other.stderr


def test_a_file_in_a_directory_that_is_missing_is_refused_before_the_work(
    looked: list[int], tmp_path: Path
) -> None:
    result = run("--from", "league", "--number", 1, "--out", tmp_path / "no" / "file")
    assert (result.exit_code, looked) == (2, [])


@pytest.fixture
def store(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """An empty store with an archive, both named in the environment."""
    with open_with_archive(real_redis, tmp_path) as store:
        store.claim()
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
        yield store


def add_finished(store: Store, name: str, visibility: str = "public") -> Player:
    """Store a game that a player has imported; return the player."""
    player = store.players.create(name)[0]
    store.commands.import_transcript(Intent(player), small(), visibility=visibility)
    return player


def list_games(store: Store) -> list[Transcript]:
    archive_all(store)
    return list(list_public_games(store, GAME))


@pytest.mark.real
def test_public_games_of_the_archive_alone_are_looked_at(store: Store) -> None:
    for number, visibility in enumerate(("public", "unlisted", "private")):
        add_finished(store, f"Ada{number}", visibility)
    found = list_games(store)
    assert len(found) == 1
    assert list(list_public_games(store, "caylus")) == []


@pytest.mark.real
def test_a_game_of_a_deleted_person_is_left_out(store: Store) -> None:
    add_finished(store, "Ada")
    gone = add_finished(store, "Bob")
    assert len(list_games(store)) == 2
    store.accounts.deletion.delete(gone, "Bob")
    assert len(list_games(store)) == 1


@pytest.mark.real
def test_the_games_of_the_archive_are_mined(store: Store, looked: list[int]) -> None:
    add_finished(store, "Ada")
    archive_all(store)
    result = run("--from", "archive", "--number", 5)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["made"]["source"] == "archive"
    assert looked == [0]


@pytest.mark.real
def test_an_archive_without_a_puzzle_is_a_clear_no(store: Store) -> None:
    result = run("--from", "archive", "--number", 1)
    assert result.exit_code == 1
    assert "no puzzle was found in the games of the archive" in result.stderr


@pytest.mark.real
def test_the_service_has_the_puzzles_that_are_handed_over(store: Store, looked: list[int]) -> None:
    result = run("--from", "league", "--number", 1, "--serve")
    assert (result.exit_code, "new to the service: 1 of 1" in result.stderr) == (0, True)
    mined = json.loads(result.stdout)
    again = run("--from", "league", "--number", 1, "--serve")
    assert "new to the service: 0 of 1" in again.stderr
    store.puzzles.shelf.load = lambda _: None
    found = store.puzzles.shelf.find(mined["id"])
    assert found is not None
    assert found.to_json() == mined
