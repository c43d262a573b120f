"""Pairing: who plays whom, from the stream and the pairing secret alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine.canonical import canonical_hash
from cartulary.tournaments.circle import pair_circle
from cartulary.tournaments.costs import MET, PairingHistory, find_seat_cost
from cartulary.tournaments.lots import PAIRING_SCHEME, draw_steps
from cartulary.tournaments.pairing import pair_next
from cartulary.tournaments.search import FEW, find_groups
from cartulary.tournaments.sizes import choose_duplicate_sizes, choose_sizes
from tests.tournaments.streams import SECRET, Play, StreamOfTournament, begin, by_strength, play_all

SIZES = st.lists(st.integers(2, 5), min_size=1, max_size=3, unique=True).map(sorted)


@pytest.mark.parametrize(
    ("entrants", "allowed", "sizes"),
    [
        (12, [3, 4], [4, 4, 4]),
        (10, [3, 4], [4, 3, 3]),
        (5, [3, 4], [4]),
        (11, [2, 5], [5, 2, 2, 2]),
        (3, [4], []),
        (1, [2], []),
        (0, [2], []),
    ],
)
def test_the_sizes_leave_the_fewest_byes_and_then_make_the_largest_tables(
    entrants: int, allowed: list[int], sizes: list[int]
) -> None:
    assert choose_sizes(entrants, allowed) == sizes


def list_ways(entrants: int, allowed: list[int], largest: int = 5) -> Iterator[list[int]]:
    yield []
    for size in allowed:
        if size <= min(entrants, largest):
            for way in list_ways(entrants - size, allowed, size):
                yield [size, *way]


@pytest.mark.slow
@given(st.integers(0, 16), SIZES)
def test_no_other_sizes_have_fewer_byes_or_larger_tables(entrants: int, allowed: list[int]) -> None:
    best = max(list_ways(entrants, allowed), key=lambda way: (sum(way), way))
    assert choose_sizes(entrants, allowed) == best


def test_a_round_of_a_duplicate_has_at_least_two_tables() -> None:
    assert choose_duplicate_sizes(9, 4) == [4, 4]
    assert choose_duplicate_sizes(7, 4) == []


def score_randomly(seed: int) -> Play:
    random = Random(seed)
    return lambda table: [random.randrange(4) for _ in table.seats]


@st.composite
def tournaments(draw: st.DrawFn) -> StreamOfTournament:
    """A Swiss after some rounds, in which entrants have withdrawn."""
    allowed = draw(SIZES)
    entrants = draw(st.integers(allowed[0], 22))
    stream = begin(
        entrants, table=allowed, rounds=12, secret=draw(st.binary(min_size=32, max_size=32))
    )
    for _ in range(draw(st.integers(0, 5))):
        if not stream.play_round(score_randomly(draw(st.integers(0, 2**32)))):
            break
        playing = [one.number for one in stream.state.playing]
        for number in draw(st.sets(st.sampled_from(playing), max_size=2)):
            stream.add("withdrew", entrant=number, reason="left")
            if len(stream.state.playing) < 2:
                return stream
    return stream


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(tournaments())
def test_a_round_seats_everybody_once_with_the_fewest_byes(stream: StreamOfTournament) -> None:
    state = stream.state
    paired = pair_next(state, stream.secret)
    playing = sorted(one.number for one in state.playing)
    sizes = choose_sizes(len(playing), state.terms.table)
    if paired is None:
        assert not sizes
        return
    seated = [number for table in paired.tables for number in table]
    assert sorted([*seated, *paired.byes]) == playing
    assert sorted(map(len, paired.tables), reverse=True) == sizes
    had = Counter(number for one in state.rounds for number in one.byes)
    assert max((had[one] for one in paired.byes), default=0) <= min(
        (had[one] for one in seated), default=0
    )


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(tournaments())
def test_the_same_stream_and_secret_give_the_same_pairing(stream: StreamOfTournament) -> None:
    assert pair_next(stream.state, stream.secret) == pair_next(stream.state, stream.secret)


def test_another_secret_gives_another_pairing() -> None:
    state = begin(20).state
    assert pair_next(state, SECRET) != pair_next(state, bytes(32))


def list_matchings(numbers: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not numbers:
        yield []
    for other in numbers[1:]:
        for rest in list_matchings([one for one in numbers if one not in (numbers[0], other)]):
            yield [(numbers[0], other), *rest]


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 8), st.integers(1, 7), st.integers(0, 2**32))
def test_few_entrants_do_not_meet_again_while_that_can_be_avoided(
    entrants: int, rounds: int, seed: int
) -> None:
    stream = begin(entrants, rounds=rounds)
    play = score_randomly(seed)
    met: Counter[frozenset[int]] = Counter()
    while not stream.state.last_round_closed:
        assert stream.pair()
        tables = list(stream.state.playing_tables())
        pairs = [frozenset(table.seats) for table in tables]
        numbers = sorted(frozenset[int]().union(*pairs))
        possible = list_matchings(numbers)
        least = min(sum(met[frozenset(one)] for one in matching) for matching in possible)
        assert sum(met[one] for one in pairs) == least
        met.update(pairs)
        for table in tables:
            stream.settle(table, play(table))
        stream.close()


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(2, 40), st.integers(1, 7))
def test_at_tables_of_two_first_and_second_seats_are_never_more_than_two_apart(
    entrants: int, rounds: int
) -> None:
    stream = begin(entrants, rounds=rounds)
    play_all(stream, by_strength)
    first: Counter[int] = Counter()
    for table in stream.state.tables.values():
        first.update({table.seats[0]: 1, table.seats[1]: -1})
    assert max(map(abs, first.values())) <= 2


def test_winners_meet_winners_in_the_second_round_of_a_swiss() -> None:
    stream = begin(4, rounds=2)
    play_all(stream, by_strength)
    tables = list(stream.state.tables.values())
    won = {min(table.seats) for table in tables[:2]}
    assert set(tables[2].seats) == won or set(tables[3].seats) == won


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4, 5])
def test_over_as_many_rounds_as_seats_nearly_everybody_sits_on_each_seat_once(size: int) -> None:
    stream = begin(size * 10, table=[size], rounds=size)
    play_all(stream, by_strength)
    counts = [
        Counter(table.seats.index(one.number) for table in stream.state.tables_of(one.number))
        for one in stream.state.ranked
    ]
    uneven = [count for count in counts if set(count.values()) != {1}]
    assert len(uneven) <= len(counts) * 2 // 5
    assert all(max(count.values()) <= 2 for count in uneven)


def test_twelve_are_searched_in_every_way_and_thirteen_with_swaps() -> None:
    points = {number: 1000 * (number % 3) for number in range(1, 41)}
    for count in (FEW, 40):
        numbers = [*range(1, count + 1)]
        met = [(one, one + 1) for one in range(1, count, 2)]
        history = PairingHistory(points, met, numbers)
        groups = find_groups(numbers, [2] * (count // 2), history, draw_steps(SECRET, "test"))
        assert sorted(number for group in groups for number in group) == numbers
        assert all(history.find_cost(group) < MET for group in groups)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_cost_of_seats_is_that_of_the_best_order(size: int) -> None:
    random = Random(size)
    for _ in range(30):
        rows = [tuple(random.randrange(5) for _ in range(size)) for _ in range(size)]
        orders = permutations(range(size))
        best = min(sum(rows[row][seat] for row, seat in enumerate(order)) for order in orders)
        assert find_seat_cost(rows) == best


@pytest.mark.slow
def test_two_hundred_are_paired_with_points_that_are_close() -> None:
    stream = begin(200, table=[4], rounds=5)
    for _ in range(2):
        stream.play_round(by_strength)
    assert stream.pair()
    points = dict.fromkeys(range(1, 201), 0)
    for table in stream.state.tables.values():
        for seat, number in enumerate(table.seats):
            points[number] += 0 if not table.ranks else 4 - table.ranks[seat]
    last = [table for table in stream.state.tables.values() if table.round == 3]
    apart = [
        max(points[one] for one in t.seats) - min(points[one] for one in t.seats) for t in last
    ]
    assert sum(apart) / len(apart) <= 1


@given(st.integers(2, 21), st.integers(1, 40))
def test_in_a_circle_everybody_meets_everybody_once_each_time_round(
    entrants: int, round_: int
) -> None:
    order = [*range(1, entrants + 1)]
    once_round = entrants - 1 + entrants % 2
    start = (round_ - 1) // once_round * once_round + 1
    rounds = [pair_circle(order, one) for one in range(start, start + once_round)]
    met = Counter(tuple(sorted(pair)) for pairs, _ in rounds for pair in pairs)
    assert met == Counter(combinations(order, 2))
    assert all(
        sorted([number for pair in pairs for number in pair] + byes) == order
        for pairs, byes in rounds
    )


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 12, 13, 20, 21])
def test_in_a_circle_everybody_sits_first_as_often_as_second(entrants: int) -> None:
    first: Counter[int] = Counter()
    once_round = entrants - 1 + entrants % 2
    for round_ in range(1, 2 * once_round + 1):
        for one, other in pair_circle([*range(entrants)], round_)[0]:
            first.update({one: 1, other: -1})
        apart = max(map(abs, first.values()))
        # The second time round takes back what the first has left.
        assert apart <= (1 if round_ <= once_round else 2)
    assert set(first.values()) == {0}


def test_turns_of_a_circle_in_which_two_cannot_meet_are_left_out() -> None:
    stream = begin(3, format="round_robin")
    assert stream.state.round_count == 3
    stream.play_round(by_strength)
    gone = next(iter(stream.state.tables.values())).seats[0]
    stream.add("withdrew", entrant=gone, reason="left")
    stream.play_round(by_strength)
    assert {*stream.state.tables[2].seats} == {1, 2, 3} - {gone}
    assert pair_next(stream.state, SECRET) is None
    stream.finish()


def begin_arena(entrants: int) -> StreamOfTournament:
    return begin(entrants, format="arena", minutes=60)


def test_an_arena_pairs_those_who_are_free_and_of_an_odd_number_the_last_one_waits() -> None:
    stream = begin_arena(5)
    assert stream.pair()
    one, other = stream.state.playing_tables()
    waiting = {1, 2, 3, 4, 5} - {*one.seats, *other.seats}
    assert pair_next(stream.state, SECRET) is None
    stream.settle(one, [1, 2])
    stream.settle(other, [1, 2])
    assert stream.pair()
    playing = {number for table in stream.state.playing_tables() for number in table.seats}
    assert waiting < playing
    assert {*one.seats} < playing or {*other.seats} - playing


def test_two_who_have_just_met_in_an_arena_wait_while_others_play() -> None:
    stream = begin_arena(4)
    stream.pair()
    one, other = stream.state.playing_tables()
    stream.settle(one, [1, 2])
    assert pair_next(stream.state, SECRET) is None
    stream.settle(other, [2, 1])
    paired = pair_next(stream.state, SECRET)
    assert paired is not None
    assert not {frozenset(pair) for pair in paired.tables} & {
        frozenset(one.seats),
        frozenset(other.seats),
    }


def test_the_last_two_of_an_arena_meet_again() -> None:
    stream = begin_arena(2)
    stream.pair()
    stream.settle(next(stream.state.playing_tables()), [1, 2])
    assert stream.pair()


PAIRED = {
    "swiss": "4789b37ca94991ae299cfcc20d93cc1b5d4214bf155a84eb3ddb349458f9232a",
    "few": "6bd2242e084ddfd4927529574466fa012ca5872fd4bcc0b3aa7c5e7c9c097ef5",
    "round_robin": "32742370a7cf9b6e16c6430d4ab7455328db908b09649bda8f5e80e8099a5e96",
    "arena": "c1ce2b9ba94b7e2aaa8ba9ad9ee8014cf3142652cef543c60e996e8ebe42e446",
}
"""The hash of the seats of all tables, by what is paired."""


def make_paired(name: str) -> StreamOfTournament:
    if name == "arena":
        stream = begin_arena(9)
        for _ in range(12):
            if not stream.pair():
                table = next(stream.state.playing_tables())
                stream.settle(table, by_strength(table))
        return stream
    asked: dict[str, dict[str, object]] = {
        "swiss": {"table": [3, 4], "rounds": 3},
        "few": {"table": [3], "rounds": 3},
        "round_robin": {"format": "round_robin"},
    }
    stream = begin(7 if name != "swiss" else 30, **asked[name])
    play_all(stream, by_strength)
    return stream


@pytest.mark.parametrize("name", PAIRED)
def test_a_version_of_the_pairing_stays_as_it_is(name: str) -> None:
    """Tournaments that are over were paired with it: another pairing is another scheme."""
    assert PAIRING_SCHEME == "cartulary-pairing/1"
    seats = [[*table.seats] for table in make_paired(name).state.tables.values()]
    assert canonical_hash(seats) == PAIRED[name]
