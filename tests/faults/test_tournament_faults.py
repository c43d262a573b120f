"""Tournaments on a real `serve` keep their promises over faults and a move to another directory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.faults.journal import Journal, Json
from bench.faults.tournaments.judging import judge_stream, judge_tournament
from bench.faults.tournaments.playing import PlayedTournament, SeenResult
from bench.faults.tournaments.run import TournamentRun, describe_run
from tests.support.night import at_night
from tests.tournaments.streams import begin, by_strength, play_all


@at_night("tests/faults/test_tournament_faults.py::test_each_broken_promise_is_named")
@pytest.mark.process
@pytest.mark.real
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
@pytest.mark.timeout(390)
def test_a_tournament_goes_on_over_faults_and_from_its_backup(tmp_path: Path) -> None:
    run = TournamentRun(7, ["swiss"], faults=8, seed=7, minutes=3, pause_s=3.0, rounds=2, say=print)
    outcome = run.main(tmp_path)
    assert [*outcome.problems()] == []
    found = describe_run(run, outcome)
    assert found["tables"] == found["results"] + found["voided"] > 0
    assert found["faults"] == 8
    assert (tmp_path / "backup").exists()


def play() -> list[Json]:
    """Return the events of a tournament of six that was played to its end."""
    stream = begin(6, rounds=2)
    play_all(stream, by_strength)
    return stream.events


def repeat_result(events: list[Json]) -> None:
    result = next(one for one in events if one["type"] == "table_scored")
    events.append({**result, "version": len(events) + 1})


def seat_twice(events: list[Json]) -> None:
    tables = next(one for one in events if one["type"] == "round_paired")["tables"]
    tables[0]["seats"][0] = tables[1]["seats"][0]


def leave_open(events: list[Json]) -> None:
    del events[next(n for n, one in enumerate(events) if one["type"] == "round_closed") :]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [(repeat_result, "table 1 has 2 results"), (seat_twice, "two places"), (leave_open, "is open")],
)
def test_each_broken_promise_is_named(spoil: Callable[[list[Json]], None], said: str) -> None:
    events = play()
    assert [*judge_stream(events)] == []
    spoil(events)
    assert any(said in line for line in judge_stream(events)), [*judge_stream(events)]


def test_a_result_that_was_shown_and_is_gone_is_named_unless_the_store_fell_back(
    tmp_path: Path,
) -> None:
    events, journal = play(), Journal(tmp_path / "journal")
    played = PlayedTournament(1, journal, {}, "seed")
    scored = next(one for one in events if one.get("table") == 1)

    def judge() -> list[str]:
        lines = judge_tournament(played, events, lambda _game: [], journal)
        return [line for line in lines if "was shown" in line]

    played.seen[1] = SeenResult(scored["game"], scored["ranks"], 10.0)
    assert judge() == []
    played.seen[1] = SeenResult("another", scored["ranks"], 10.0)
    assert judge() == ["the result of table 1 was shown and is lost"]
    journal.note_fallback(copied=5.0, killed=15.0)
    assert judge() == []
    journal.close()
