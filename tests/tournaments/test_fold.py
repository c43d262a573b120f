"""The fold refuses what cannot come, and keeps what came."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cartulary.events.model.failures import Misfit
from cartulary.tournaments.events import TOURNAMENT_KINDS
from cartulary.tournaments.fold import evolve, fold
from tests.tournaments.streams import StreamOfTournament, begin, by_strength, play_all

Json = dict[str, Any]
Begin = Callable[[], StreamOfTournament]
Act = Callable[[StreamOfTournament], object]


def announce(**asked: Any) -> StreamOfTournament:
    return StreamOfTournament(**{"rounds": 2, **asked})


def enter(stream: StreamOfTournament, number: int, player: str, owner: str | None = None) -> None:
    named = {"id": player, "name": player}
    stream.add("entered", entrant=number, player=named, owner=owner, entropy=None)


def pair(stream: StreamOfTournament, *tables: list[int], **more: Any) -> None:
    written = [
        {"table": number, "game": f"g{number}", "seats": seats}
        for number, seats in enumerate(tables, start=len(stream.state.tables) + 1)
    ]
    fields = {"round": len(stream.state.rounds) + 1, "tables": written, "byes": [], **more}
    stream.add("round_paired", **{"ends_at": None, **fields})


def begun() -> StreamOfTournament:
    return begin(4, rounds=2)


def paired() -> StreamOfTournament:
    stream = begun()
    stream.pair()
    return stream


def closed() -> StreamOfTournament:
    stream = begun()
    stream.play_round(by_strength)
    return stream


def ended() -> StreamOfTournament:
    stream = begun()
    play_all(stream, by_strength)
    return stream


def scored(stream: StreamOfTournament, **more: Any) -> None:
    table = stream.state.tables[1]
    fields: Json = {
        "table": 1,
        "game": table.game,
        "ranks": [1, 2],
        "scores": [5, 3],
        "outcomes": ["finished", "finished"],
        **more,
    }
    stream.add("table_scored", **fields)


def leave(stream: StreamOfTournament, number: int) -> None:
    stream.add("withdrew", entrant=number, reason="left")


def reinstate(stream: StreamOfTournament, number: int) -> None:
    stream.add("reinstated", entrant=number, by="judge", reason="a mistake")


REFUSED: list[tuple[str, Begin, Act]] = [
    ("entrant", announce, lambda s: enter(s, 2, "a")),
    ("entrant", lambda: announce(entrants={"max": 2}), lambda s: s.enter(3)),
    ("entrant", lambda: _entered("a"), lambda s: enter(s, 2, "a")),
    ("entrant", lambda: _entered("a", duplicate=True), lambda s: enter(s, 2, "bot", owner="a")),
    ("status", begun, lambda s: enter(s, 5, "late")),
    ("entrant", lambda: _entered("a"), lambda s: s.start()),
    ("status", begun, lambda s: s.start()),
    ("entrant", begun, lambda s: leave(s, 9)),
    ("entrant", lambda: _left(1), lambda s: leave(s, 1)),
    ("status", ended, lambda s: leave(s, 1)),
    ("entrant", begun, lambda s: reinstate(s, 1)),
    ("entrant", begun, lambda s: reinstate(s, 9)),
    ("entrant", lambda: _left_early(), lambda s: reinstate(s, 1)),
    ("status", ended, lambda s: reinstate(s, 1)),
    ("status", lambda: announce(), lambda s: pair(s, [1, 2])),
    ("round", begun, lambda s: pair(s, [1, 2], [3, 4], round=2)),
    ("round", paired, lambda s: pair(s, [1, 2], [3, 4])),
    ("entrant", begun, lambda s: pair(s, [1, 2], [1, 3], byes=[4])),
    ("entrant", begun, lambda s: pair(s, [1, 2])),
    ("entrant", begun, lambda s: pair(s, [1, 2], [3, 5], byes=[4])),
    ("table", begun, lambda s: pair(s, [1, 2, 3], byes=[4])),
    ("table", begun, lambda s: pair(s, byes=[1, 2, 3, 4])),
    ("table", paired, lambda s: scored(s, game="other")),
    ("table", paired, lambda s: scored(s, table=9)),
    ("result", paired, lambda s: scored(s, ranks=[1, 3])),
    ("result", paired, lambda s: scored(s, scores=[1])),
    ("result", paired, lambda s: scored(s, absent=[2])),
    ("table", closed, lambda s: scored(s)),
    ("table", closed, lambda s: s.add("table_voided", table=1, reason="window")),
    ("round", paired, lambda s: s.close()),
    ("round", closed, lambda s: s.close()),
    ("secret", closed, lambda s: s.add("chain_renewed", commitment="0" * 64)),
    ("round", paired, lambda s: s.finish()),
    ("secret", closed, lambda s: _finish_with(s, "00" * 32)),
    ("secret", closed, lambda s: _finish_with(s, "no hex")),
    ("status", ended, lambda s: s.finish()),
    ("entrant", paired, lambda s: _accept(s, 9)),
    ("table", closed, lambda s: _accept(s, 1)),
    ("status", begun, lambda s: _create_again(s)),
    ("field", begun, lambda s: s.add("withdrew", entrant="1", reason="left")),
    ("field", begun, lambda s: s.add("game_created")),
]


def _entered(player: str, **asked: Any) -> StreamOfTournament:
    stream = announce(**asked)
    enter(stream, 1, player)
    return stream


def _left_early() -> StreamOfTournament:
    stream = announce()
    stream.enter(3)
    leave(stream, 1)
    stream.start()
    return stream


def _left(number: int) -> StreamOfTournament:
    stream = begun()
    leave(stream, number)
    return stream


def _finish_with(stream: StreamOfTournament, secret: str) -> None:
    stream.add("tournament_over", standings=[], pairing_secret=secret)


def _accept(stream: StreamOfTournament, entrant: int) -> None:
    stream.add("time_accepted", table=1, entrant=entrant, time="2026-11-26T18:00:00.000Z")


def _create_again(stream: StreamOfTournament) -> None:
    skipped = ("version", "type", "at", "prev", "hash")
    fields = {key: value for key, value in stream.events[0].items() if key not in skipped}
    stream.add("tournament_created", **fields)


@pytest.mark.parametrize(("problem", "begin_with", "act"), REFUSED)
def test_an_event_that_cannot_come_is_refused(
    problem: str,
    begin_with: Begin,
    act: Act,
) -> None:
    stream = begin_with()
    with pytest.raises(Misfit) as refused:
        act(stream)
    assert refused.value.problem == problem


def test_versions_have_no_gap() -> None:
    stream = begun()
    with pytest.raises(Misfit) as refused:
        evolve(stream.state, {**stream.events[-1], "version": 99})
    assert refused.value.problem == "version"


def test_the_state_is_a_function_of_the_stream() -> None:
    stream = ended()
    assert fold(stream.events) == stream.state
    assert fold([]) is None


def test_a_player_may_enter_again_after_leaving_and_gets_another_number() -> None:
    stream = _entered("a")
    leave(stream, 1)
    enter(stream, 2, "a")
    found = stream.state.find_entrant("a")
    assert found is not None
    assert (found.number, found.gone) == (2, None)
    assert stream.state.find_entrant("b") is None


def test_an_account_takes_the_place_of_a_guest_and_keeps_the_number() -> None:
    stream = begin(4, rounds=1)
    stream.add("taken_over", **{"from": "p2"}, player={"id": "a", "name": "Ada"})
    taken = stream.state.entrant(2)
    assert (taken.player["id"], taken.former, taken.gone) == ("a", ("p2",), None)
    for guest, player in (("p2", "b"), ("p3", "p4")):
        with pytest.raises(Misfit):
            stream.add("taken_over", **{"from": guest}, player={"id": player, "name": "B"})


def test_who_is_removed_plays_no_more() -> None:
    stream = begun()
    stream.add("entrant_removed", entrant=2, by="host", reason="rude")
    assert [one.number for one in stream.state.playing] == [1, 3, 4]
    assert stream.state.entrant(2).gone == "removed"


def test_who_was_absent_from_two_tables_is_to_be_withdrawn() -> None:
    stream = begun()
    for _ in range(2):
        stream.pair()
        for table in list(stream.state.playing_tables()):
            absent = [seat for seat, number in enumerate(table.seats) if number == 3]
            stream.settle(table, [1, 2], absent=absent)
        assert stream.state.find_absent() == ([] if len(stream.state.rounds) == 1 else [3])
        stream.close()


def test_a_time_is_agreed_when_all_of_the_table_accept_it() -> None:
    stream = paired()
    one, other = stream.state.tables[1].seats
    _accept(stream, one)
    assert stream.state.tables[1].agreed_time is None
    stream.add("time_accepted", table=1, entrant=other, time="2026-11-26T19:00:00.000Z")
    assert stream.state.tables[1].agreed_time is None
    _accept(stream, other)
    assert stream.state.tables[1].agreed_time == "2026-11-26T18:00:00.000Z"


def test_an_operator_voids_a_table_that_has_a_result() -> None:
    stream = closed()
    stream.add("table_voided", table=1, reason="operator")
    assert stream.state.tables[1].status == "voided"


def test_a_cancelled_tournament_voids_the_tables_that_are_played() -> None:
    stream = paired()
    stream.add("tournament_cancelled", code="host", pairing_secret=stream.secret.hex())
    assert {table.status for table in stream.state.tables.values()} == {"voided"}
    assert (stream.state.status, stream.state.code) == ("cancelled", "host")


def test_a_tournament_is_over_early_when_too_few_are_left() -> None:
    stream = closed()
    for number in (1, 2, 3):
        leave(stream, number)
    assert not stream.pair()
    stream.finish()
    assert stream.state.status == "over"


def test_every_type_is_described_and_the_events_of_a_stream_fit_their_schemas() -> None:
    stream = begin(4, rounds=2, duplicate=True)
    play_all(stream, by_strength)
    for event in stream.events:
        schema = TOURNAMENT_KINDS[event["type"]].json_schema()
        for name, described in schema["properties"].items():
            if "$ref" in described:
                schema["properties"][name] = {}
        assert not list(Draft202012Validator(schema).iter_errors(event))
    assert all(row.text for row in TOURNAMENT_KINDS.values())
    ends = {row.type for row in TOURNAMENT_KINDS.values() if row.ends_stream}
    assert ends == {"tournament_over", "tournament_cancelled"}


def test_absences_before_a_reinstatement_withdraw_no_entrant_again() -> None:
    stream = begin(4, rounds=4)

    def play(missing: int) -> None:
        stream.pair()
        for table in list(stream.state.playing_tables()):
            seats = table.seats
            absent = [seats.index(missing)] if missing in seats else []
            stream.settle(table, by_strength(table), absent=absent)
        stream.close()

    play(missing=4)
    assert stream.state.find_absent() == []
    play(missing=4)
    assert stream.state.find_absent() == [4]
    stream.add("withdrew", entrant=4, reason="absent")
    reinstate(stream, 4)
    assert stream.state.find_absent() == []
    assert stream.state.count_absences(4) == 2
    play(missing=4)
    assert stream.state.find_absent() == []
    play(missing=4)
    assert stream.state.find_absent() == [4]


def test_a_stream_from_before_operators_gave_reasons_is_read_as_it_was_stored() -> None:
    stream = closed()
    stream.add("table_voided", table=1, reason="operator")
    stream.add("tournament_cancelled", code="service", pairing_secret=None)
    stored = json.loads(json.dumps(stream.events))
    assert all("explanation" not in one and "by" not in one for one in stored)
    last = fold(stored)
    assert last is not None
    assert (last.tables[1].reason, last.tables[1].explanation) == ("operator", None)
    assert (last.code, last.explanation) == ("service", None)
