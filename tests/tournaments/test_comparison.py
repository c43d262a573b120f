"""The comparison of a duplicate round: where tables parted, and what each made of its tiles."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import State
from cartulary.engine.errors import EngineError
from cartulary.engine.ranking import ranks
from cartulary.games import GAMES
from cartulary.tournaments.comparison import compare_round, find_partings
from cartulary.tournaments.replaying import TableGame, read_played, replay_table
from tests.tournaments.streams import begin

Json = dict[str, Any]
Choose = Callable[[State[Any], int], Json]
"""(state, number of the move) -> the move."""

CASE = json.loads(
    (Path(__file__).parents[1] / "cases" / "carcassonne" / "game-10.json").read_text("utf-8")
)
"""A game in which the first tile lies so that the tile B fits nowhere and is set aside."""

ROUND = GAMES["carcassonne"]


def play_game(choose: Choose, moves: int = 10_000) -> tuple[list[Json], list[int]]:
    """Play with the draws of the case; return the events of the game and the scores."""
    state = ROUND.new(4, {"tiny_city": 4}, {})
    source = RecordedSource(CASE["draws"])
    events: list[Json] = [
        {"version": 1, "type": "game_created", "seats": [{}, {}, {}, {}]},
        {"version": 2, "type": "game_started", "setup": {}, "chance": state.settle(source)},
    ]
    while state.decision is not None and len(events) - 2 < moves:
        seat, move = state.decision.seat, choose(state, len(events) - 2)
        chance = state.apply(move, source).chance
        version = len(events) + 1
        events.append(
            {"version": version, "type": "move_made", "seat": seat, "move": move, "chance": chance}
        )
    return events, state.final().scores if state.over else list(state.scores)


def follow_case(_: State[Any], number: int) -> Json:
    move: Json = CASE["moves"][number]["move"]
    return move


def play_randomly(seed: int) -> Choose:
    random = Random(seed)
    return lambda state, _: random.choice(state.legal_moves())


def leave_case(at: int, seed: int) -> Choose:
    """Play as in the case, up to a move at which another one is made."""
    otherwise = play_randomly(seed)

    def choose(state: State[Any], number: int) -> Json:
        if number < at:
            return follow_case(state, number)
        if number > at:
            return otherwise(state, number)
        return next(move for move in state.legal_moves() if move != follow_case(state, number))

    return choose


def compare(*choices: Choose, moves: int = 10_000) -> Json:
    """Return the comparison of a round whose tables play like this."""
    stream = begin(4 * len(choices), table=[4], rounds=1, duplicate=True)
    stream.pair()
    played: list[TableGame] = []
    for table, choose in zip(list(stream.state.playing_tables()), choices, strict=True):
        events, scores = play_game(choose, moves)
        found = read_played(table.number, events)
        assert found is not None
        played.append(found)
        outcomes = ["finished"] * 4
        more = {"ranks": ranks(scores, outcomes, []), "outcomes": outcomes}
        stream.settle(table, scores, **more)
    stream.close()
    return compare_round(stream.state, stream.state.rounds[0], ROUND, played)


def test_tables_part_where_their_moves_differ_and_not_before() -> None:
    found = compare(follow_case, leave_case(20, 1), leave_case(20, 2), follow_case)
    first = found["partings"][0]
    assert first["decision"] == 20
    assert sorted(len(choice["tables"]) for choice in first["choices"]) == [2, 2]
    assert {table for choice in first["choices"] for table in choice["tables"]} == {1, 2, 3, 4}
    later = found["partings"][1:]
    assert all(one["decision"] > 20 for one in later)
    assert [{*one["choices"][0]["tables"]} | {*one["choices"][1]["tables"]} for one in later] == [
        {2, 3}
    ]


def test_a_parting_says_who_was_asked_what_and_what_came_of_each_choice() -> None:
    found = compare(follow_case, leave_case(20, 1))
    parting = found["partings"][0]
    move = CASE["moves"][20]
    assert (parting["seat"], parting["kind"]) == (move["seat"], move["move"]["type"])
    leads = {table["table"]: table["leads"][parting["seat"]] for table in found["tables"]}
    for choice in parting["choices"]:
        assert choice["lead"] == leads[choice["tables"][0]]
    assert parting["choices"][0]["move"] == move["move"]


def test_every_turn_of_a_seat_shows_what_each_table_drew_and_did_and_won() -> None:
    found = compare(follow_case, leave_case(60, 3))
    for seat, turns in enumerate(found["seats"]):
        assert turns["seat"] == seat
        for table in (0, 1):
            own = [turn["tables"][table] for turn in turns["turns"] if len(turn["tables"]) == 2]
            gained = sum(turn["gained"] for turn in own)
            assert gained <= found["tables"][table]["scores"][seat]
            # Others may score a feature of the seat, so a turn counts from the turn before it.
            assert own[0]["score"] == own[0]["gained"]
    alike = [turn for turns in found["seats"] for turn in turns["turns"][:5]]
    assert all(turn["same_draws"] and turn["same_moves"] for turn in alike)
    later = [turn for turns in found["seats"] for turn in turns["turns"][10:]]
    assert not any(turn["same_moves"] for turn in later)


def test_a_tile_that_one_table_sets_aside_moves_the_later_tiles_to_other_seats() -> None:
    found = compare(follow_case, leave_case(0, 5))
    assert found["shifts"][0] == {"table": 1, "turn": 1, "seat": 1, "aside": ["B"]}
    second = found["seats"][1]["turns"][0]
    assert [one["drawn"] for one in second["tables"]] == [["B", "R"], ["B"]]
    third = found["seats"][2]["turns"][0]
    assert [one["drawn"] for one in third["tables"]] == [["V"], ["R"]]
    assert not third["same_draws"]


def test_tables_that_draw_alike_have_no_shift() -> None:
    found = compare(follow_case, follow_case)
    assert (found["shifts"], found["partings"]) == ([], [])


def test_a_table_that_ended_early_parted_without_a_move() -> None:
    events, _ = play_game(follow_case, 9)
    table = replay_table(ROUND, {"tiny_city": 4}, _read(1, events))
    whole = replay_table(ROUND, {"tiny_city": 4}, _read(2, play_game(follow_case, 12)[0]))
    parting = find_partings([table, whole])
    assert [one.decision for one in parting] == [9]
    assert parting[0].choices == [(None, [1]), (CASE["moves"][9]["move"], [2])]


def _read(table: int, events: Sequence[Json]) -> TableGame:
    found = read_played(table, events)
    assert found is not None
    return found


def test_a_game_that_has_not_started_has_no_turns() -> None:
    assert read_played(1, [{"version": 1, "type": "game_created", "seats": [{}, {}]}]) is None


def test_moves_that_break_the_rules_are_not_compared() -> None:
    events, _ = play_game(follow_case, 3)
    events[2]["move"] = {"type": "place_tile", "x": 9, "y": 9, "rotation": 0}
    with pytest.raises(EngineError):
        replay_table(ROUND, {"tiny_city": 4}, _read(1, events))


def test_a_move_of_a_stand_in_is_named() -> None:
    events, _ = play_game(follow_case, 3)
    events[2]["by"] = "stand_in"
    decisions = replay_table(ROUND, {"tiny_city": 4}, _read(1, events)).decisions
    assert [one.by for one in decisions] == ["stand_in", None, None]
