"""Bots of others play on while processes die; no game is stuck, no move doubled or lost."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.faults.bots.journal import BotJournal, read_journals
from bench.faults.bots.judging import BotsJudgement, judge_game
from bench.faults.bots.run import BotsRun, Plan
from tests.support.night import at_night

MOVE, OTHER = {"type": "pass"}, {"type": "place_tile", "x": 1}

PLAN = Plan(bots=20, games=20, processes=3, at_once=10)


@at_night("tests/cli/bot/test_on_a_service.py::test_a_bot_that_is_killed_goes_on_with_its_game")
@pytest.mark.slow
@pytest.mark.real
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
@pytest.mark.timeout(2400)
def test_no_game_is_stuck_and_no_move_is_doubled_while_processes_die(tmp_path: Path) -> None:
    run = BotsRun(tmp_path, PLAN, print)
    judgement = run.play()
    assert judgement.is_clean, judgement
    assert judgement.games == PLAN.games
    assert judgement.moves > 50 * PLAN.games
    assert run.inflicted.total() >= 1


def made(version: int, move: Mapping[str, object], **more: object) -> dict[str, object]:
    return {"type": "move_made", "version": version, "move": move, "seat": 0, **more}


def judge(tmp_path: Path, *events: dict[str, object]) -> BotsJudgement:
    """Judge events by the journal of a bot that meant two moves and knows that one is stored."""
    path = tmp_path / "journal"
    journal = BotJournal(path)
    journal.note("meant", "g", 1, MOVE)
    journal.note("stored", "g", 2, MOVE)
    journal.note("meant", "g", 2, OTHER)
    with path.open("ab") as file:
        file.write(b'["stored", "g", 3')  # the kill
    judgement = BotsJudgement()
    judge_game(judgement, "g", events, *read_journals([path]))
    return judgement


def test_moves_that_were_meant_are_clean_also_when_their_answer_was_lost(tmp_path: Path) -> None:
    found = judge(tmp_path, made(2, MOVE), made(3, OTHER), made(4, MOVE, bot={"level": "easy"}))
    assert found.is_clean
    assert (found.games, found.moves) == (1, 2)


def test_a_move_that_was_stored_twice_is_found(tmp_path: Path) -> None:
    found = judge(tmp_path, made(2, MOVE), made(3, MOVE))
    assert found.doubled == ["g v3"]
    assert not found.is_clean


def test_a_stored_move_that_is_missing_is_found(tmp_path: Path) -> None:
    assert judge(tmp_path, made(2, OTHER)).lost == ["g v2"]
