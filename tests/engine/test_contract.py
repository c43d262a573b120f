"""The contract that every game keeps, tried on random games (`docs/moves.md`).

A new game comes under it by being in the list of games; nothing is added here.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cartulary.engine.canonical import JsonText, canonical_json
from cartulary.engine.chance import RandomSource, RecordedSource
from cartulary.engine.core import Game, Json, State
from cartulary.engine.errors import ChanceError, IllegalMove
from cartulary.engine.transcript import read, record, verify, write
from tests.engine.random_play import Played, mutations, pick, play, positions
from tests.support.games import ALL_GAMES

DECLINING = ({"type": "pass"}, {"type": "decline"}, {"type": "skip_follower"})
SEED = 20_050_101
EVERY = 7
"""Of a random game, every seventh position is looked at closely; coprime to two and three."""


def tables() -> Iterator[Any]:
    """Every game, with its fewest and most seats and each option value at least once."""
    for name, game in ALL_GAMES.items():
        for seats in sorted({game.seats_from, game.seats_to}):
            last = seats == game.seats_to
            options = {option.name: option.values[-1 if last else 0] for option in game.options}
            yield pytest.param((game, seats, options), id=f"{name}-{seats}")


@pytest.fixture(params=tables(), scope="module")
def table(request: pytest.FixtureRequest) -> tuple[Game, int, Json]:
    game, seats, options = request.param
    return game, seats, options


@pytest.fixture(scope="module")
def played(table: tuple[Game, int, Json]) -> Played:
    return play(*table, SEED)


@pytest.fixture(scope="module")
def sample(table: tuple[Game, int, Json]) -> list[State[Any]]:
    """Positions of a random game, the first and the last ones among them."""
    every = list(positions(*table, SEED))
    return [*every[:6], *every[6:-6:EVERY], *every[-6:]]


def deciding(sample: list[State[Any]]) -> list[State[Any]]:
    return [state for state in sample if state.decision is not None]


# -- decisions and legal moves ----------------------------------------------------------------


def test_a_state_waits_for_exactly_one_thing(sample: list[State[Any]]) -> None:
    for state in sample:
        waits = (state.decision is not None, state.chance is not None, state.over)
        assert sum(waits) == 1


def test_a_decision_is_of_one_seat_and_one_kind(sample: list[State[Any]]) -> None:
    for state in sample:
        if (decision := state.decision) is None:
            assert (state.seat, state.kind) == (-1, "")
        else:
            assert (state.seat, state.kind) == (decision.seat, decision.kind)
            assert 0 <= decision.seat < state.seats
            assert json.loads(canonical_json(decision.to_json())) == decision.to_json()


def test_every_legal_move_is_listed_once_in_the_same_order(sample: list[State[Any]]) -> None:
    for state in deciding(sample):
        moves = [canonical_json(move) for move in state.legal_moves()]
        assert moves
        assert len(set(moves)) == len(moves)
        assert moves == [canonical_json(move) for move in state.copy().legal_moves()]


def test_every_legal_move_applies_and_leaves_the_original_alone(sample: list[State[Any]]) -> None:
    for state in deciding(sample):
        before = state.state_hash()
        listed = state.legal_moves()
        for move in listed:
            twin = state.copy()
            twin.apply(move, RandomSource(random.Random(SEED)))
            assert state.state_hash() == before
        assert state.legal_moves() == listed


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_a_copy_by_the_module_copy_leaves_the_original_alone(
    sample: list[State[Any]], make: Callable[[State[Any]], State[Any]]
) -> None:
    for state in deciding(sample):
        state.facts = []
        before, twin = state.dump(), make(state)
        assert (type(twin), twin.dump(), twin.facts) == (type(state), before, None)
        for _ in range(3):
            if twin.decision is not None:
                twin.apply(twin.legal_moves()[0], RandomSource(random.Random(SEED)))
        assert state.dump() == before
        state.facts = None


def test_a_move_reads_the_same_shared_or_new(sample: list[State[Any]]) -> None:
    for state in deciding(sample):
        for move in state.moves():
            assert state.wording(move) == state.move_json(move)
            state.move_json(move).clear()
            assert state.wording(move), "what is handed out is not what is shared"


def test_whatever_is_not_in_the_list_is_illegal(sample: list[State[Any]]) -> None:
    for state in deciding(sample):
        listed = state.legal_moves()
        legal = {canonical_json(move) for move in listed}
        before = state.state_hash()
        for move in (other for one in listed[:5] for other in mutations(one)):
            if canonical_json(move) in legal:
                continue
            with pytest.raises(IllegalMove) as refused:
                state.apply(move, RandomSource(random.Random(SEED)))
            assert (refused.value.seat, refused.value.kind) == (state.seat, state.kind)
            assert refused.value.legal_moves == listed
            assert refused.value.reason
        assert state.state_hash() == before


def test_moves_of_other_positions_are_illegal_here(sample: list[State[Any]]) -> None:
    states = deciding(sample)
    for state, other in zip(states, reversed(states), strict=True):
        legal = state.legal_moves()
        for move in other.legal_moves()[:10]:
            if move not in legal:
                with pytest.raises(IllegalMove):
                    state.find(move)


def test_a_decision_with_nothing_but_declining_is_not_asked(sample: list[State[Any]]) -> None:
    for state in deciding(sample):
        assert not (len(state.legal_moves()) == 1 and state.legal_moves()[0] in DECLINING)


def test_when_the_game_is_over_no_move_is_legal(played: Played) -> None:
    state = played.state
    assert state.decision is None
    for entry in played.moves[:20]:
        with pytest.raises(IllegalMove) as refused:
            state.find(entry.move)
        assert refused.value.legal_moves == []


# -- copies, snapshots, hashes ----------------------------------------------------------------


@pytest.mark.slow
def test_a_copy_goes_its_own_way(table: tuple[Game, int, Json], sample: list[State[Any]]) -> None:
    for state in sample:
        before = (state.state_hash(), canonical_json(state.dump()))
        twin = state.copy()
        assert (twin.state_hash(), canonical_json(twin.dump())) == before
        finish(twin, SEED)
        assert (state.state_hash(), canonical_json(state.dump())) == before


def finish(state: State[Any], seed: int) -> list[str]:
    """Play on at random, at most 40 moves; returns the hashes on the way."""
    rng = random.Random(seed)
    source = RandomSource(rng)
    hashes = []
    for _ in range(40):
        state.settle(source)
        hashes.append(state.state_hash())
        if state.over:
            break
        state.play(pick(state, rng))
    return hashes


@pytest.mark.slow
def test_a_reloaded_snapshot_is_the_same_state(
    table: tuple[Game, int, Json], sample: list[State[Any]]
) -> None:
    game = table[0]
    for state in sample:
        dump = json.loads(json.dumps(state.dump()))
        loaded = game.load(dump)
        assert canonical_json(loaded.dump()) == canonical_json(state.dump())
        assert loaded.identity() == state.identity()
        assert loaded.decision == state.decision
        assert loaded.scores == state.scores
        if state.decision is not None:
            assert loaded.legal_moves() == state.legal_moves()
        assert finish(loaded, SEED) == finish(state.copy(), SEED)


def test_what_a_state_gives_away_is_not_its_own(sample: list[State[Any]]) -> None:
    for state in sample:
        before = state.state_hash()
        for given in (state.view(), state.dump(), state.identity(), state.count()):
            scramble(given)
        if state.decision is not None:
            scramble(state.decision.context)
            scramble(state.legal_moves())
        assert state.state_hash() == before
        assert canonical_json(state.view()) == canonical_json(state.copy().view())


def scramble(value: Any) -> None:
    """Change everything that can be changed in a JSON value, in depth."""
    inner = list(value.values()) if isinstance(value, dict) else list(value)
    for item in inner:
        if isinstance(item, (dict, list)):
            scramble(item)
    value.clear()


def test_a_state_cannot_know_what_will_be_drawn(sample: list[State[Any]]) -> None:
    """Whatever may be drawn can still be drawn: there is no pile, so nothing to look at."""
    for state in sample:
        if (question := state.chance) is None:
            continue
        for outcome, weight in zip(question.outcomes, question.weights, strict=True):
            twin = state.copy()
            if weight:
                twin.resolve(outcome)
            else:
                with pytest.raises(ChanceError):
                    twin.resolve(outcome)
        with pytest.raises(ChanceError):
            state.copy().resolve("no such outcome")


def test_views_are_json(sample: list[State[Any]]) -> None:
    for state in sample:
        for value in (state.view(), state.identity(), state.dump(), state.legal_moves()):
            assert json.loads(json.dumps(value)) == value


def test_a_part_of_a_view_that_is_kept_written_is_the_same_value(sample: list[State[Any]]) -> None:
    for state in sample:
        view, parts = state.view(), state.view_parts()
        assert list(parts) == list(view)
        for key, part in parts.items():
            text = part if isinstance(part, JsonText) else canonical_json(part)
            assert text == canonical_json(view[key])


# -- facts and chance -------------------------------------------------------------------------


def replayed(table: tuple[Game, int, Json], played: Played, *, facts: bool) -> list[str]:
    """Return the hashes of a game replayed from its record, with or without facts."""
    game, seats, options = table
    state = game.new(seats, options, played.setup)
    state.settle(start := RecordedSource(played.start))
    assert start.exhausted
    hashes = [state.state_hash()]
    for entry, drawn in zip(played.moves, played.chance, strict=True):
        assert state.seat == entry.seat
        source = RecordedSource(drawn)
        if facts:
            assert state.apply(entry.move, source).chance == drawn
        else:
            state.play(state.find(entry.move))
            state.settle(source)
        assert source.exhausted
        hashes.append(state.state_hash())
    return hashes


def test_replay_from_the_record_gives_the_same_states(
    table: tuple[Game, int, Json], played: Played
) -> None:
    assert replayed(table, played, facts=True) == played.hashes


def test_facts_do_not_interfere(table: tuple[Game, int, Json], played: Played) -> None:
    assert replayed(table, played, facts=False) == played.hashes


def test_facts_of_points_add_up_to_the_scores(
    table: tuple[Game, int, Json], played: Played
) -> None:
    scores = list(table[0].new(*table[1:], played.setup).scores)
    for fact in (fact for facts in played.facts for fact in facts):
        assert isinstance(fact["type"], str)
        if fact["type"] == "points":
            assert isinstance(fact["reason"], str)
            scores[fact["seat"]] += fact["points"]
    assert scores == played.state.scores


def test_a_replay_whose_record_ends_early_fails(
    table: tuple[Game, int, Json], played: Played
) -> None:
    game, seats, options = table
    state = game.new(seats, options, played.setup)
    if state.chance is not None:
        with pytest.raises(ChanceError):
            state.settle(RecordedSource([]))


# -- the end ----------------------------------------------------------------------------------


def test_counting_changes_nothing_and_adds_up(played: Played) -> None:
    state = played.state
    before = state.state_hash()
    result = state.final()
    assert state.state_hash() == before
    added = list(state.scores)
    for entry in result.breakdown:
        assert entry.keys() == {"seat", "reason", "points", "detail"}
        added[entry["seat"]] += entry["points"]
    assert result.scores == added
    assert result.winners == [s for s in range(state.seats) if added[s] == max(added)]
    assert result.breakdown == sorted(result.breakdown, key=lambda entry: entry["seat"])


# -- transcripts ------------------------------------------------------------------------------


def test_a_finished_game_is_a_valid_transcript(
    table: tuple[Game, int, Json], played: Played
) -> None:
    transcript = record(table[0], played.state, played.setup, played.draws, played.moves)
    again = read(write(transcript), ALL_GAMES)
    assert again == transcript
    report = verify(again, ALL_GAMES)
    assert report.error is None
    assert (report.scores, report.winners, report.breakdown) == tuple(played.state.final())


def test_an_unfinished_game_is_a_valid_transcript(
    table: tuple[Game, int, Json], played: Played
) -> None:
    game, seats, options = table
    half = len(played.moves) // 2
    state = game.new(seats, options, played.setup)
    draws = state.settle(RecordedSource(played.start))
    for entry, drawn in zip(played.moves[:half], played.chance[:half], strict=True):
        draws += state.apply(entry.move, RecordedSource(drawn)).chance
    transcript = record(game, state, played.setup, draws, played.moves[:half])
    report = verify(read(write(transcript), ALL_GAMES), ALL_GAMES)
    assert report.valid, report.error
    assert report.winners is None


def test_a_move_of_the_wrong_seat_makes_a_transcript_invalid(
    table: tuple[Game, int, Json], played: Played
) -> None:
    transcript = record(table[0], played.state, played.setup, played.draws, played.moves)
    index = len(played.moves) // 2
    seat, move = transcript.moves[index]
    transcript.moves[index] = transcript.moves[index]._replace(seat=(seat + 1) % table[1])
    report = verify(transcript, ALL_GAMES)
    assert report.error is not None
    assert (report.valid, report.moves, report.error.index) == (False, index, index)
    assert move in report.error.legal_moves
