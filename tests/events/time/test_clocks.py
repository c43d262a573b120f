"""The clock of the service against the reckoning, over games that chance leads anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.events.support.clock_reckoning import Json
from tests.events.support.timed_story import Step, Story
from tests.events.support.told_streams import ADA, BOB
from tests.support.fake_clock import DAY, HOUR, MINUTE

PACES: list[Json] = [
    {"mode": "live", "delay": 5, "bank": 0, "refill": 0},
    {"mode": "live", "delay": 30, "bank": 1200, "refill": 0},
    {"mode": "live", "delay": 60, "bank": 90, "refill": 40},
    {"mode": "correspondence", "delay": 3600, "bank": 0, "refill": 600, "vacation": True},
    {
        "mode": "correspondence",
        "delay": 86_400,
        "bank": 259_200,
        "refill": 21_600,
        "vacation": True,
    },
    {
        "mode": "correspondence",
        "delay": 7200,
        "bank": 3600,
        "refill": 7200,
        "vacation": False,
    },
]
SEATS: list[list[Json | str | None]] = [[ADA, BOB], [ADA, BOB, "random"], [ADA, "random", ADA, BOB]]
WAITS = [0, 1, 700, 5_000, 29_999, 30_000, 61_000, 20 * MINUTE, HOUR, 7 * HOUR, DAY, 3 * DAY]


GAMES = ["beans", "beans", "caylus", "carcassonne"]
waits = st.sampled_from(WAITS)
lots = st.integers(0, 10**6)
seats = st.integers(0, 3)
tenths = st.integers(1, 14)
steps = st.one_of(
    st.tuples(st.just("wait"), waits),
    st.tuples(st.just("wait_for_deadline"), st.integers(-2, 2)),
    st.tuples(st.just("wait_for_delay"), tenths),
    st.tuples(st.just("move"), lots, st.sampled_from([0, 0, 1, 900, 2_000, 2_500, HOUR])),
    st.tuples(st.just("move"), lots, st.just(0)),
    st.tuples(st.just("turn"), lots, tenths),
    st.tuples(st.just("give"), seats, st.sampled_from([1, 4_000, HOUR])),
    st.tuples(st.just("pause"), st.sampled_from([1, 10_000, 2 * HOUR, 2 * DAY])),
    st.tuples(st.just("resume")),
    st.tuples(st.just("flag")),
    st.tuples(st.just("raise_flag"), waits, st.sampled_from([1, HOUR])),
    st.tuples(st.just("go_away"), seats),
    st.tuples(st.just("come_back"), seats),
    st.tuples(st.just("forfeit"), seats),
    st.tuples(st.just("take_over"), seats),
    st.tuples(st.just("take_back"), st.integers(1, 8)),
    st.tuples(st.just("outage"), waits),
    st.tuples(st.just("vacation"), seats, waits, waits),
)


def tell(pace: Json, sitting: list[Json | str | None], game: str, told: Iterable[Step]) -> None:
    story = Story(pace, sitting, game)
    for step in told:
        story.run(step)
    story.must_add_up()
    assert story.told.folded().clocks == story.table.clocks


@pytest.mark.slow
@settings(deadline=None, print_blob=True, suppress_health_check=list(HealthCheck))
@given(
    pace=st.sampled_from(PACES),
    sitting=st.sampled_from(SEATS),
    game=st.sampled_from(GAMES),
    told=st.lists(steps, max_size=40),
)
def test_every_clock_is_as_reckoned(
    pace: Json, sitting: list[Json | str | None], game: str, told: list[Step]
) -> None:
    tell(pace, sitting, game, told)


def draw_step(rng: random.Random) -> Step:
    """Return a step of a game that goes on: mostly moves, with much time between them."""
    seat, lot = rng.randrange(4), rng.randrange(10**6)
    wait = rng.choice(WAITS)
    often: list[Step] = [
        ("turn", lot, rng.randrange(1, 15)),
        ("wait_for_delay", rng.randrange(1, 15)),
        ("move", lot, rng.choice([0, 0, 500, 2_500])),
        ("move", lot, 0),
    ]
    seldom: list[Step] = [
        ("wait", wait),
        ("wait_for_deadline", rng.randrange(-2, 3)),
        ("give", seat, rng.choice([1, 4_000, HOUR])),
        ("pause", rng.choice([1, 10_000, 2 * HOUR])),
        ("resume",),
        ("flag",),
        ("raise_flag", wait, rng.choice([1, HOUR])),
        ("go_away", seat),
        ("come_back", seat),
        ("forfeit", seat),
        ("take_over", seat),
        ("take_back", rng.randrange(1, 6)),
        ("outage", wait),
        ("vacation", seat, rng.choice([0, 0, wait]), rng.choice(WAITS)),
    ]
    rare = rng.random() < 0.4
    return rng.choice(seldom if rare else often)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.slow
def test_the_clocks_of_long_games_are_as_reckoned(seed: int) -> None:
    rng = random.Random(seed)
    pace, sitting, game = PACES[seed % 6], rng.choice(SEATS), rng.choice(GAMES)
    tell(pace, sitting, game, (draw_step(rng) for _ in range(120)))


SIX = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}


def play_turn(told: Iterable[Step]) -> tuple[int, ...]:
    """Return the banks after these steps of a game of Caylus."""
    story = Story({**SIX, "vacation": False}, [ADA, BOB], "caylus")
    for step in told:
        story.run(step)
    assert story.table.clocks is not None
    return story.table.clocks.banks


@given(st.lists(st.integers(0, 3 * DAY), min_size=6, max_size=6))
@settings(deadline=None, max_examples=30)
@pytest.mark.slow
def test_a_turn_cut_into_six_decisions_costs_what_a_turn_of_one_decision_costs(
    pieces: list[int],
) -> None:
    before, turn = find_long_turn()
    cut = [one for wait, move in zip(pieces, turn, strict=True) for one in (("wait", wait), move)]
    whole = [("wait", sum(pieces)), *turn]
    assert play_turn([*before, *cut]) == play_turn([*before, *whole])


@cache
def find_long_turn() -> tuple[list[Step], list[Step]]:
    """Return the moves of a game before a turn of six decisions, and the moves of this turn."""
    story, rng = Story({**SIX, "vacation": False}, [ADA, BOB], "caylus"), random.Random(2)
    before: list[Step] = []
    turn: list[Step] = []
    asked = None
    while (decision := story.table.decision) is not None:
        if decision.seat != asked:
            if len(turn) == 6:
                return before, turn
            before, turn, asked = [*before, *turn], [], decision.seat
        turn.append(("move", rng.randrange(10**6), 0))
        story.run(turn[-1])
    raise AssertionError("no seat has six decisions in a row")
