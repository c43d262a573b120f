"""Verification: a stream that was tampered with is noticed."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.tournaments.verification import TournamentReport, verify_table, verify_tournament
from tests.tournaments.streams import SECRET, StreamOfTournament, begin, play_all, rank

Json = dict[str, Any]


def play_swiss(**asked: Any) -> StreamOfTournament:
    random = Random(3)
    stream = begin(9, **{"table": [2], "rounds": 3, **asked})
    play_all(stream, lambda table: [random.randrange(50) for _ in table.seats])
    return stream


WHOLE = play_swiss().events


def rehash(events: list[Json]) -> list[Json]:
    """Make the chain whole again, as a person who writes to the store could."""
    before = GENESIS
    for version, event in enumerate(events, start=1):
        event.update(version=version, prev=before)
        event["hash"] = before = hash_event(event)
    return events


def find(events: list[Json], type_: str) -> Json:
    return next(event for event in events if event["type"] == type_)


def verify(change: Callable[[list[Json]], object], again: bool = True) -> TournamentReport:
    events = copy.deepcopy(WHOLE)
    change(events)
    return verify_tournament(rehash(events) if again else events)


def test_a_whole_tournament_is_proved() -> None:
    report = verify_tournament(WHOLE)
    assert (report.valid, report.pairings, report.head) == (True, "proved", WHOLE[-1]["hash"])
    assert report.to_json()["problems"] == []


def test_pairings_are_hidden_while_the_tournament_runs() -> None:
    report = verify_tournament(WHOLE[:-1])
    assert (report.valid, report.pairings) == (True, "hidden")


def test_of_a_tournament_whose_pairing_secret_is_lost_the_pairings_are_lost() -> None:
    stream = begin(4, rounds=2)
    stream.pair()
    stream.add("tournament_cancelled", code="secret_lost", pairing_secret=None)
    report = verify_tournament(stream.events)
    assert (report.valid, report.pairings) == (True, "lost")


def test_an_event_that_was_changed_breaks_the_chain() -> None:
    def change(events: list[Json]) -> None:
        find(events, "table_scored")["scores"][0] += 1

    assert "chain" in {one["problem"] for one in verify(change, again=False).problems}


def test_a_missing_event_breaks_the_chain() -> None:
    report = verify(lambda events: events.pop(4), again=False)
    assert {one["problem"] for one in report.problems} >= {"chain", "version"}


def test_an_event_with_a_deleted_name_keeps_its_hash() -> None:
    def mask(events: list[Json]) -> None:
        events[1]["player"]["name"] = ""
        events[1]["masked"] = True

    report = verify(mask, again=False)
    assert (report.valid, report.masked) == (True, 1)


def exchange_opponents(events: list[Json]) -> None:
    one, other = find(events, "round_paired")["tables"][:2]
    one["seats"][0], other["seats"][0] = other["seats"][0], one["seats"][0]


def exchange_seats(events: list[Json]) -> None:
    find(events, "round_paired")["tables"][0]["seats"].reverse()


def exchange_bye(events: list[Json]) -> None:
    paired = find(events, "round_paired")
    seats = paired["tables"][0]["seats"]
    paired["byes"][0], seats[0] = seats[0], paired["byes"][0]


@pytest.mark.parametrize("change", [exchange_opponents, exchange_seats, exchange_bye])
def test_a_pairing_that_was_not_drawn_is_noticed(change: Callable[[list[Json]], None]) -> None:
    report = verify(change)
    assert report.pairings == "failed"
    assert report.problems[0]["problem"] == "pairing"
    assert report.problems[0]["version"] == find(WHOLE, "round_paired")["version"]


def test_a_result_that_was_changed_is_noticed_by_what_follows_from_it() -> None:
    def change(events: list[Json]) -> None:
        scored = find(events, "table_scored")
        scored["scores"] = [0, 90] if scored["ranks"] == [1, 2] else [90, 0]
        scored["ranks"] = rank(scored["scores"])

    assert {"pairing", "standings"} & {one["problem"] for one in verify(change).problems}


def test_standings_that_do_not_follow_are_noticed() -> None:
    def change(events: list[Json]) -> None:
        standings = events[-1]["standings"]
        standings[0]["entrant"], standings[1]["entrant"] = (
            standings[1]["entrant"],
            standings[0]["entrant"],
        )

    assert [one["problem"] for one in verify(change).problems] == ["standings"]


def test_another_pairing_secret_is_noticed() -> None:
    report = verify(lambda events: events[-1].update(pairing_secret="00" * 32))
    assert (report.pairings, report.problems[0]["problem"]) == ("failed", "secret")


def test_a_pairing_of_another_version_is_named() -> None:
    report = verify(lambda events: events[0]["pairing"].update(scheme="cartulary-pairing/9"))
    assert report.problems[0]["version"] == 1
    assert "cartulary-pairing/1" in report.problems[0]["detail"]


def test_what_is_no_stream_at_all_is_a_problem_and_no_crash() -> None:
    assert not verify_tournament([{"type": "entered"}]).valid
    assert not verify_tournament([{}]).valid
    assert verify_tournament([]).version == 0
    changed = verify(lambda events: find(events, "round_paired")["tables"][0].pop("seats"))
    assert [one["problem"] for one in changed.problems] == ["field"]


def test_an_arena_and_a_round_robin_are_proved_as_well() -> None:
    assert verify_tournament(play_swiss(format="round_robin", rounds=None).events).valid
    arena = begin(7, format="arena", minutes=30)
    random = Random(4)
    for _ in range(30):
        playing = list(arena.state.playing_tables())
        if not arena.pair():
            table = random.choice(playing)
            arena.settle(table, [random.randrange(9) for _ in table.seats])
    for table in list(arena.state.playing_tables()):
        arena.settle(table, None, reason="time_over")
    arena.finish()
    assert verify_tournament(arena.events).valid


def begin_duplicate() -> StreamOfTournament:
    return begin(4, rounds=2, duplicate=True)


def test_the_rounds_of_a_duplicate_are_hidden_proved_or_lost() -> None:
    stream = begin_duplicate()
    stream.pair()
    hidden = verify_tournament(stream.events).rounds
    assert hidden == [
        {"round": 1, "commitment": stream.chain[0].hex(), "secret": None, "state": "hidden"}
    ]
    for table in list(stream.state.playing_tables()):
        stream.settle(table, [1, 2])
    stream.close()
    stream.pair()
    for table in list(stream.state.playing_tables()):
        stream.settle(table, None, reason="secret_lost")
    stream.add("round_closed", round=2, secret=None)
    states = [one["state"] for one in verify_tournament(stream.events).rounds]
    assert states == ["proved", "lost"]


def make_game(stream: StreamOfTournament, number: int, **fair: Any) -> list[Json]:
    """The events of the game of a table that are compared."""
    table = stream.state.tables[number]
    players = [stream.state.entrant(one).player for one in table.seats]
    made = {
        "scheme": "cartulary-fair/1",
        "commitment": stream.chain[0].hex(),
        "given": 0,
        "round": "cup/1",
        "entropy": stream.state.entropy,
        **fair,
    }
    seats = [{"player": player} for player in players]
    result = {name: list(getattr(table, name)) for name in ("ranks", "scores", "outcomes")}
    return [
        {"type": "game_created", "seats": seats, "fair": made},
        {"type": "game_scored", "result": result, "secret": None},
    ]


def play_duplicate_round() -> StreamOfTournament:
    stream = begin_duplicate()
    stream.pair()
    for table in list(stream.state.playing_tables()):
        stream.settle(table, [1, 2])
    stream.close()
    return stream


def test_a_game_fits_its_table() -> None:
    stream = play_duplicate_round()
    assert verify_table("cup", stream.state, 1, make_game(stream, 1)) == []


@pytest.mark.parametrize(
    "fair",
    [{"commitment": "0" * 64}, {"given": 1}, {"round": "cup/2"}, {"entropy": None}, {"scheme": ""}],
)
def test_a_game_with_other_draws_than_its_round_is_noticed(fair: Json) -> None:
    stream = play_duplicate_round()
    faults = verify_table("cup", stream.state, 1, make_game(stream, 1, **fair))
    assert faults == [f"table 1: `fair.{next(iter(fair))}` of its game is not that of the round"]


def test_a_game_of_other_players_or_with_another_result_is_noticed() -> None:
    stream = play_duplicate_round()
    faults = verify_table("cup", stream.state, 1, make_game(stream, 2))
    assert faults == ["table 1: other players sit in its game"]
    game = make_game(stream, 1)
    game[1]["result"]["scores"] = [7, 2]
    assert verify_table("cup", stream.state, 1, game) == [
        "table 1: `scores` are not those of its game"
    ]
    assert verify_table("cup", stream.state, 1, game[:1]) == ["table 1: its game has no result"]
    assert verify_table("cup", stream.state, 1, []) == ["table 1: its game has no beginning"]


def test_the_secret_of_the_tests_is_that_of_the_stream() -> None:
    assert WHOLE[0]["pairing"]["commitment"] == hashlib.sha256(SECRET).hexdigest()
