"""A league goes on where it was, also after a kill."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.games import GAMES
from cartulary.league.matches import LeagueMatch, Task, play_task
from cartulary.league.records import GAMES as LINES
from cartulary.league.records import OtherLeague, Records, open_records
from cartulary.league.running import play_missing
from tests.support.polling import gone, until

OPTIONS = tuple(sorted(GAMES["carcassonne"].check(2, {}).items()))
MATCH = LeagueMatch("carcassonne", "random", "random@2", options=OPTIONS)


def games_of(folder: Path) -> list[tuple[object, ...]]:
    """The games without their times, in the order of the deals."""
    lines = [json.loads(line) for line in (folder / LINES).read_text().splitlines()]
    return sorted((one["match"], one["deal"], one["number"], one["scores"]) for one in lines)


def play(folder: Path, deals: int, jobs: int = 1) -> None:
    with open_records(folder) as records:
        records.check("7", [MATCH])
        play_missing(records, [MATCH], "7", deals, jobs=jobs)


def test_a_league_that_goes_on_has_the_games_of_one_that_was_never_ended(tmp_path: Path) -> None:
    play(tmp_path / "whole", 4)
    play(tmp_path / "parts", 1)
    play(tmp_path / "parts", 1)
    play(tmp_path / "parts", 4)
    assert games_of(tmp_path / "parts") == games_of(tmp_path / "whole")
    assert len(games_of(tmp_path / "whole")) == 8


def test_a_league_that_is_decided_begins_no_further_game(tmp_path: Path) -> None:
    with open_records(tmp_path) as records:
        play_missing(
            records, [MATCH], "7", 50, is_decided=lambda: len(records.list_deals(MATCH)) >= 2
        )
    assert len(games_of(tmp_path)) == 4


def test_half_a_line_of_a_killed_run_is_played_again(tmp_path: Path) -> None:
    play(tmp_path, 2)
    whole = games_of(tmp_path)
    text = (tmp_path / LINES).read_text()
    (tmp_path / LINES).write_text(text[:-20])
    assert len(Records(tmp_path).list_deals(MATCH)) == 1
    play(tmp_path, 2)
    assert games_of(tmp_path) == whole


def test_half_a_line_that_a_full_disk_has_taken_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next game would stand behind it, in a line that no run can read."""
    first, second = (play_task(Task(MATCH, "7", 0, number)) for number in range(2))
    write = os.write
    with open_records(tmp_path) as records:
        with monkeypatch.context() as full:
            full.setattr(os, "write", lambda handle, text: write(handle, fit(text)))
            with pytest.raises(OSError, match="No space"):
                records.add(first)
        assert not records.has(MATCH.name, 0, 0)
        records.add(second)
    assert len(games_of(tmp_path)) == 1
    assert Records(tmp_path).has(MATCH.name, 0, 1)


def fit(text: bytes) -> bytes:
    """Return what of a text a disk still takes: of a whole line a part, and then nothing."""
    if len(text) > 50:
        return text[:-50]
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_deal_counts_when_all_its_games_were_played(tmp_path: Path) -> None:
    with open_records(tmp_path) as records:
        records.add(play_task(Task(MATCH, "7", 0, 1)))
        assert records.list_deals(MATCH) == []
        records.add(play_task(Task(MATCH, "7", 0, 0)))
        assert [[one.number for one in deal] for deal in records.list_deals(MATCH)] == [[0, 1]]


def test_games_of_another_seed_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 1)
    with open_records(tmp_path) as records, pytest.raises(OtherLeague, match="seed 7, not 8"):
        records.check("8", [MATCH])


def test_games_of_another_version_of_a_player_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 1)
    about = json.loads((tmp_path / "league.json").read_text())
    about["players"]["carcassonne random"]["version"] = 9
    (tmp_path / "league.json").write_text(json.dumps(about))
    with open_records(tmp_path) as records, pytest.raises(OtherLeague, match="version 9"):
        records.check("7", [MATCH])


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    play(tmp_path, 1)
    with (tmp_path / LINES).open("a") as file:
        file.write('{"match": 3}\n')
    with pytest.raises(OtherLeague, match="line 3"):
        Records(tmp_path)


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    play(tmp_path, 1)
    with (tmp_path / LINES).open("ab") as file:
        file.write(b"\x80\x81\n")
    with pytest.raises(OtherLeague, match="line 3"):
        Records(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"seed": "7", "players": 3}', "\0"])
def test_a_league_whose_description_is_damaged_is_refused(tmp_path: Path, text: str) -> None:
    play(tmp_path, 1)
    (tmp_path / "league.json").write_text(text)
    with open_records(tmp_path) as records, pytest.raises(OtherLeague, match="damaged"):
        records.check("7", [MATCH])


def test_games_without_their_description_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 1)
    (tmp_path / "league.json").unlink()
    with open_records(tmp_path) as records, pytest.raises(OtherLeague, match="missing"):
        records.check("8", [MATCH])
    assert not (tmp_path / "league.json").exists()


def test_two_runs_do_not_write_to_one_directory(tmp_path: Path) -> None:
    with (
        open_records(tmp_path),
        pytest.raises(OtherLeague, match="another run"),
        open_records(tmp_path),
    ):
        raise AssertionError


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cartulary.cli.main", "league", "carcassonne"]
    command += ["--players", "random,random@2", "--pairs", "4000", "--seed", "7", "--jobs", "2"]
    games = tmp_path / "out" / LINES
    run = subprocess.Popen([*command, "--out", str(tmp_path / "out")], stderr=subprocess.DEVNULL)
    try:
        until(lambda: games.exists() and games.stat().st_size > 2000, within=120)
        children = _list_children(run.pid)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert children
    until(lambda: all(gone(child) for child in children), within=60)
    begun = games.read_text().rpartition("\n")[0].splitlines()
    found = len(begun)
    play(tmp_path / "out", 3)
    assert (tmp_path / "out" / LINES).read_text().splitlines()[:found] == begun
    play(tmp_path / "whole", 3)
    assert set(map(str, games_of(tmp_path / "whole"))) <= set(map(str, games_of(tmp_path / "out")))


def _list_children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]
