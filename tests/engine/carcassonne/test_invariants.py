"""Random games of Carcassonne against the slow oracle, and what holds in every position.

Hypothesis prints the seed and the shape of a failing game; `random_game` plays it again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cartulary.engine.carcassonne.features import OPEN_ENDS
from cartulary.engine.carcassonne.laid import PERIOD
from cartulary.engine.carcassonne.position import SKIP
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import BAG, LETTERS
from cartulary.engine.carcassonne.tiles import TILES as OURS
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json
from cartulary.games import GAMES
from tests.engine.carcassonne.oracle import TILES, Table, completed_points
from tests.support.night import short_or_long

FULL = dict(zip(LETTERS, BAG, strict=True))

shapes = {
    "seed": st.integers(0, 2**32),
    "seats": st.integers(2, 5),
    "tiny_city": st.sampled_from((4, 2)),
    "skipping": st.sampled_from((0.0, 0.5, 0.9)),
}
bags = st.fixed_dictionaries({letter: st.integers(0, most) for letter, most in FULL.items()})
few = settings(deadline=None, suppress_health_check=list(HealthCheck))


def random_game(
    seed: int, seats: int, tiny_city: int, skipping: float, bag: Json | None = None
) -> Iterator[CarcassonneState]:
    """Yield the state at every decision and at the end; `skipping` is how often one skips.

    The state keeps a list of the facts of the last move.
    """
    rng = random.Random(seed)
    setup: Json = {} if bag is None else {"bag": bag}
    state = GAMES["carcassonne"].new(seats, {"tiny_city": tiny_city}, setup)
    assert isinstance(state, CarcassonneState)
    state.facts = []
    source = RandomSource(rng)
    state.settle(source)
    while not state.over:
        yield state
        moves = list(state.moves())
        if moves[-1] == SKIP and rng.random() < skipping:
            moves = [SKIP]
        state.facts = []
        state.play(moves[int(rng.random() * len(moves))])
        state.settle(source)
    yield state


def check_pieces(state: CarcassonneState) -> None:
    """72 tiles and 7 followers a seat are always somewhere."""
    view = state.view()
    hand = view["tile"] is not None
    laid_or_out = len(view["board"]) + len(view["discarded"]) + hand
    assert laid_or_out + sum(view["remaining"].values()) == 72
    for seat in range(state.seats):
        out = sum(
            t["follower"] is not None and t["follower"]["seat"] == seat for t in view["board"]
        )
        assert out + view["followers"][seat] == 7


def check_features(state: CarcassonneState, table: Table) -> None:
    """The records that moves keep up are those that a flood fill finds."""
    features = state.features
    nodes = {
        (placed.x, placed.y, segment.id): placed.base + number
        for placed in map(state.board.read_tile, state.board.tiles)
        for number, segment in enumerate(placed.tile.segments)
    }
    roots = set()
    for feature in table.features():
        members = {features.root(nodes[node]) for node in feature.nodes}
        assert members == {min(nodes[node] for node in feature.nodes)}
        root = members.pop()
        roots.add(root)
        held = [feature.followers[seat] for seat in range(state.seats)]
        assert features.followers(root, state.seats) == held
        if feature.kind == "field":
            assert features.completed_cities(root) == table.completed_cities(feature)
            continue
        assert features.records[root] & OPEN_ENDS == feature.open
        assert features.pennants(root) == feature.pennants
        if feature.kind != "monastery":
            assert features.tiles(root) == feature.tiles
    assert len(roots) == len({features.root(node) for node in range(len(features.parent))})


def check_legal(state: CarcassonneState, table: Table) -> None:
    moves = state.legal_moves()
    if state.kind == "place_tile":
        listed = {(move["x"], move["y"], move["rotation"]) for move in moves}
        assert listed == table.placements(state.view()["tile"])
    else:
        assert {move.get("segment") for move in moves} == table.free_segments() | {None}
    assert len(moves) == len({tuple(move.values()) for move in moves})


class Ledger:
    """Scores a game by the oracle alone, from the views before and after each turn."""

    def __init__(self, seats: int, tiny_city: int) -> None:
        self.scores = [0] * seats
        self.told = [0] * seats
        self.tiny_city = tiny_city
        self.board: list[dict[str, Any]] = []

    def follow(self, state: CarcassonneState) -> None:
        """Account for the move that led to `state`."""
        placed = [fact for fact in state.facts or [] if fact["type"] == "follower_placed"]
        board = [dict(tile) for tile in state.view()["board"]]
        for fact in placed:
            board[-1]["follower"] = {"seat": fact["seat"], "segment": fact["segment"]}
        if state.kind != "place_follower":
            self._turn_over(board)
        for fact in state.facts or []:
            if fact["type"] == "points":
                self.told[fact["seat"]] += fact["points"]
        self.board = state.view()["board"]
        assert state.scores == self.scores == self.told

    def _turn_over(self, board: list[dict[str, Any]]) -> None:
        """Score with the followers that stood before any was sent home."""
        before = {(tile["x"], tile["y"]): tile["follower"] for tile in self.board}
        for tile in board:
            tile["follower"] = tile["follower"] or before.get((tile["x"], tile["y"]))
        for feature in Table(board).completed_now():
            for seat in feature.majority():
                self.scores[seat] += completed_points(feature, self.tiny_city)


@given(**shapes)
@settings(few, max_examples=short_or_long(4, 8))
@pytest.mark.slow
def test_a_random_game_is_played_as_the_oracle_says(
    seed: int, seats: int, tiny_city: int, skipping: float
) -> None:
    check_game(seed, seats, tiny_city, skipping, None)


@given(**shapes, bag=bags)
@settings(few, max_examples=short_or_long(5, 12))
@pytest.mark.slow
def test_a_game_with_any_bag_is_played_as_the_oracle_says(
    seed: int, seats: int, tiny_city: int, skipping: float, bag: Json
) -> None:
    check_game(seed, seats, tiny_city, skipping, bag)


def check_game(seed: int, seats: int, tiny_city: int, skipping: float, bag: Json | None) -> None:
    ledger = Ledger(seats, tiny_city)
    for state in random_game(seed, seats, tiny_city, skipping, bag):
        table = Table(state.view()["board"])
        ledger.follow(state)
        if not state.over:
            check_legal(state, table)
        check_features(state, table)
    assert sorted((e["seat"], e["reason"], e["points"]) for e in state.count()) == table.end_count()


@given(**shapes)
@settings(few, max_examples=short_or_long(10, 25))
@pytest.mark.slow
def test_tiles_and_followers_are_always_somewhere(
    seed: int, seats: int, tiny_city: int, skipping: float
) -> None:
    for state in random_game(seed, seats, tiny_city, skipping):
        check_pieces(state)
        assert all(0 <= supply <= 7 for supply in state.supply)
    assert state.left == 0
    assert state.view()["remaining"] == {}


@given(**shapes)
@settings(few, max_examples=short_or_long(6, 15))
@pytest.mark.slow
def test_only_tiles_that_fit_nowhere_are_set_aside(
    seed: int, seats: int, tiny_city: int, skipping: float
) -> None:
    for state in random_game(seed, seats, tiny_city, skipping):
        table = Table(state.view()["board"])
        for fact in state.facts or []:
            if fact["type"] == "tile_set_aside":
                assert table.placements(fact["tile"]) == set()


def test_the_tile_table_is_that_of_the_rulebook() -> None:
    assert [tile.letter for tile in OURS] == list(TILES)
    for tile, period in zip(OURS, PERIOD, strict=True):
        row = TILES[tile.letter]
        assert tile.copies == row["count"]
        assert list(tile.edges) == [row["edges"][side] for side in "NESW"]
        assert period * 90 == row["rotation_period"]
        by_id = {segment.id: segment for segment in tile.segments}
        assert len(by_id) == len(tile.segments)
        for city in row["cities"]:
            assert list(by_id.pop(city["id"]).edges) == city["edges"]
        for road in row["roads"]:
            segment = by_id.pop(road["id"])
            assert (list(segment.edges), segment.ends_at) == (road["edges"], road["ends"] or "")
        assert row["monastery"] == (by_id.pop("m0", None) is not None)
        for field in row["fields"]:
            segment = by_id.pop(field["id"])
            assert list(segment.edges) == field["half_edges"]
            touched = [tile.segments[number].id for number in segment.touches]
            assert touched == field["adjacent_cities"]
        assert not by_id


def test_pennants_are_those_of_the_rulebook() -> None:
    pennants = {t.letter: t.copies for t in OURS if any(s.pennant for s in t.segments)}
    assert pennants == {"C": 1, "F": 2, "M": 2, "O": 2, "Q": 1, "S": 2}


def test_the_set_has_the_totals_of_the_rulebook() -> None:
    totals = {"tiles": 0, "city": 0, "road": 0, "field": 0, "monastery": 0}
    for tile in OURS:
        totals["tiles"] += tile.copies
        for segment in tile.segments:
            totals[segment.kind] += tile.copies
    assert totals == {"tiles": 72, "city": 49, "road": 62, "field": 126, "monastery": 6}
    assert sum(BAG) == 71


@few
@given(**shapes, viewed=st.sampled_from((0.1, 0.5, 1.0)))
@pytest.mark.slow
def test_a_view_does_not_depend_on_the_views_before_it(
    seed: int, seats: int, tiny_city: int, skipping: float, viewed: float
) -> None:
    rng = random.Random(seed)
    for state in random_game(seed, seats, tiny_city, skipping):
        if rng.random() < viewed:
            fresh = CarcassonneState.load(state.dump())
            assert state.view_parts()["board"] == fresh.view_parts()["board"]
