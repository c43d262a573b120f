"""A free takeback is charged like an answer (`docs/living.md`, "What a turn costs")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from cartulary.events.audit.audit import make_report
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import TooLate
from cartulary.events.model.table_parts import Clocks
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.opened_tables import At, open_table, types_of
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_GAMES

PACE = {"mode": "correspondence", "delay": 5, "bank": 10, "refill": 0}
ACCEPT, DECLINE = {"type": "accept"}, {"type": "decline"}


class Scene:
    """A table of the toy game in which Ada begins; the tests tell the time in seconds."""

    def __init__(self, store: Store, clock: FakeClock, *seats: Player | str, **terms: Any) -> None:
        players = [one for one in seats if isinstance(one, Player)]
        self.store, self.clock, self.ada = store, clock, players[0]
        while True:
            terms = {"pace": PACE, "takebacks": "undo", **terms}
            self.table = open_table(store, seats, **terms)
            decision = self.table.decision
            assert decision is not None
            if decision.seat == 0 and decision.context["beans"] > 1:
                break
        self.at, self.begin = At(store, self.table, players), clock.now

    def wait_until(self, second: float) -> None:
        self.clock.now = self.begin + round(1000 * second)

    def give(self, second: float, to: int) -> None:
        self.move(second, {"type": "give", "to": to})

    def move(self, second: float, move: dict[str, Any]) -> None:
        self.wait_until(second)
        self.at.move(move)

    def bot_moves(self, second: float) -> None:
        self.wait_until(second)
        position = self.at.now.position
        self.store.commands.bots.move(self.at.id, position, lambda state, _: state.find(ACCEPT))
        assert self.at.now.position > position

    def take_back(self, second: float, **more: Any) -> dict[str, Any]:
        """Ada takes back; returns the event, after an audit of the stream."""
        self.wait_until(second)
        written = self.at.propose(self.ada, **more)
        assert types_of(written) == ["moves_taken_back"]
        self.at.must_hold()
        return written.events[0]

    @property
    def clocks(self) -> Clocks:
        found = self.at.now.clocks
        assert found is not None
        return found

    def seconds(self) -> tuple[float, float, float]:
        """The turn used, the bank of the first seat, and since when its clock runs."""
        clocks = self.clocks
        since = (clocks.since - self.begin) / 1000
        return clocks.turn_used / 1000, clocks.banks[0] / 1000, since


@pytest.fixture
def both(timed: Store, clock: FakeClock, ada: Player, bob: Player) -> Scene:
    """Ada on two seats, and Bob."""
    return Scene(timed, clock, ada, ada, bob)


@pytest.fixture
def two(timed: Store, clock: FakeClock, ada: Player, bob: Player) -> Scene:
    return Scene(timed, clock, ada, bob)


def test_what_was_placed_at_7_and_taken_back_at_9_has_cost_9(both: Scene) -> None:
    both.give(7, 1)
    event = both.take_back(9)
    assert event["clock"] == {
        "used": 9_000,
        "stopped": 0,
        "turn_used": 9_000,
        "banks": [6_000, 10_000, 10_000],
    }
    assert both.seconds() == (9, 6, 9)


def test_takebacks_within_the_time_charge_nothing_twice(both: Scene) -> None:
    both.give(2, 1)  # X
    both.move(4, ACCEPT)  # Y
    both.take_back(6)
    assert both.clocks.turn_used == 4_000  # of the second seat, asked since 2
    both.move(7, ACCEPT)  # Z
    event = both.take_back(8, to_version=2)
    assert (event["clock"]["turn_used"], event["clock"]["banks"][0]) == (8_000, 7_000)
    assert both.clocks.banks[1] == 10_000


def test_placing_and_taking_back_does_not_stop_the_clock(both: Scene) -> None:
    for second in (3, 6, 9, 12):
        both.give(second - 1, 1)
        both.take_back(second)
        assert both.seconds()[0] == second
    both.give(14, 1)
    both.wait_until(15)
    with pytest.raises(TooLate):
        both.at.propose(both.ada)
    assert both.at.now.position == both.at.now.version


def test_the_last_millisecond_is_free_to_take_back_and_the_next_is_too_late(both: Scene) -> None:
    both.give(7, 1)
    both.take_back(14.999)
    assert both.seconds() == (14.999, 0.001, 14.999)
    both.give(15, 1)
    with pytest.raises(TooLate):
        both.at.propose(both.ada)


def test_other_seats_of_the_player_go_back_and_banks_of_others_stay(both: Scene) -> None:
    both.give(1, 1)
    both.move(9, ACCEPT)
    assert both.clocks.banks[1] == 7_000
    both.give(10, 2)
    event = both.take_back(11, to_version=2)
    assert event["clock"] == {
        "used": 10_000,
        "stopped": 1_000,  # from 10 on Bob was asked
        "turn_used": 10_000,
        "banks": [5_000, 10_000, 10_000],
    }
    assert both.clocks.turned == ()


def test_while_another_person_is_asked_the_clock_of_the_player_stands(two: Scene) -> None:
    two.give(7, 1)
    assert two.take_back(600)["clock"]["stopped"] == 593_000
    assert two.seconds() == (7, 8, 600)


def test_a_bot_stops_the_clock_when_it_has_moved_and_else_not(
    timed: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    one = Scene(timed, clock, ada, "random", bob)
    one.give(1, 1)
    one.take_back(3)
    assert one.seconds() == (3, 10, 3)
    one.give(4, 1)
    one.bot_moves(9)  # it is asked again, and may pass on
    one.take_back(10)
    assert one.seconds() == (5, 10, 10)


def test_a_pause_an_outage_and_the_wait_in_the_service_do_not_count(
    timed: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    one = Scene(timed, clock, ada, ada, bob, takebacks="consent")
    one.give(1, 1)
    one.at.propose(ada, "pause", until=one.begin + 60_000)
    one.wait_until(2)
    one.at.answer(bob, "accept")
    one.wait_until(70)
    timed.redis.zadd(keys.outages(), {f"{one.begin + 65_000}-{one.begin + 69_000}": 1})
    timed.calendar.look()
    event = one.take_back(76, received=one.begin + 72_000)
    # 2 s, then the pause until 60, 5 s, the outage, 3 s; 2 of the 4 s of the wait are stopped.
    assert (event["clock"]["used"], event["clock"]["stopped"]) == (10_000, 64_000)
    assert one.seconds() == (10, 5, 74)


def test_time_that_was_given_since_is_added(both: Scene, bob: Player) -> None:
    both.give(7, 1)
    for seat in (0, 1):
        both.store.commands.time.give(Intent(bob), both.at.id, seat, 3)
    assert both.take_back(9)["clock"]["banks"] == [9_000, 13_000, 10_000]


def test_after_a_flag_it_is_too_late_until_the_flag_is_raised(
    timed: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    one = Scene(timed, clock, ada, ada, bob, pace={**PACE, "mode": "live"})
    one.give(1, 1)
    for _ in range(5):
        timed.commands.time.give(Intent(bob), one.at.id, 0, 5)
    one.wait_until(74)  # the second seat had 60 + 10 s, and the first still has time
    timed.outages.beat()
    timed.calendar.look()
    assert types_of(timed.commands.expiry.expire(one.at.id)) == ["turn_timed_out"]
    with pytest.raises(TooLate):
        one.at.propose(ada)
    one.wait_until(76)
    timed.commands.time.give(Intent(bob), one.at.id, 1, 5)
    found = one.take_back(80)["clock"]
    assert (found["used"], found["stopped"]) == (78_000, 2_000)
    assert found["banks"] == [17_000, 15_000, 10_000]


def test_by_consent_and_alone_it_costs_nothing(
    timed: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    asked = Scene(timed, clock, ada, bob, takebacks="consent")
    asked.give(7, 1)
    asked.move(8, DECLINE)
    asked.at.propose(ada, to_version=2)
    asked.wait_until(9)
    assert "clock" not in asked.at.answer(bob, "accept").events[-1]
    assert asked.seconds() == (0, 8, 9)
    alone = Scene(timed, clock, ada, ada, "random")
    alone.give(7, 1)
    assert "clock" not in alone.take_back(9)
    assert alone.seconds() == (0, 8, 9)


def test_an_untimed_takeback_says_nothing_of_a_clock(
    timed: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    one = Scene(timed, clock, ada, bob, pace=None)
    one.give(7, 1)
    assert "clock" not in one.take_back(9)
    stored = timed.redis.xrevrange(keys.events(one.at.id), count=1)
    event = orjson.loads(stored[0][1][b"event"])  # type: ignore[index]
    assert event["schema"] == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda clock: clock | {"used": 2_000, "turn_used": 2_000, "banks": [10_000] * 3},
        lambda clock: clock | {"used": 3_000, "stopped": 6_000, "turn_used": 3_000},
        lambda clock: clock | {"turn_used": 0},
        lambda clock: clock | {"banks": [7_000, 10_000, 10_000]},
        lambda clock: clock | {"banks": [6_000, 9_999, 10_000]},
        lambda clock: clock | {"used": 15_000, "turn_used": 15_000, "banks": [0, 10_000, 10_000]},
    ],
)
def test_the_audit_finds_a_clock_that_does_not_follow(
    both: Scene, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    both.give(7, 1)
    both.take_back(9)
    entries: Any = both.store.redis.xrange(keys.events(both.at.id))
    assert make_report(ALL_GAMES, both.at.id, entries).valid
    event = orjson.loads(entries[-1][1][b"event"])
    event["clock"] = change(event["clock"])
    entries[-1] = (entries[-1][0], {b"event": orjson.dumps(event)})
    found = make_report(ALL_GAMES, both.at.id, entries).problems
    assert {(one["version"], one["problem"]) for one in found} == {(event["version"], "clock")}


def test_the_audit_finds_that_the_time_of_others_was_charged(two: Scene) -> None:
    two.give(2, 1)
    two.take_back(9)
    entries: Any = two.store.redis.xrange(keys.events(two.at.id))
    event = orjson.loads(entries[-1][1][b"event"])
    event["clock"] = {"used": 9_000, "stopped": 0, "turn_used": 9_000, "banks": [6_000, 10_000]}
    entries[-1] = (entries[-1][0], {b"event": orjson.dumps(event)})
    found = make_report(ALL_GAMES, two.at.id, entries).problems
    assert [one["problem"] for one in found] == ["clock"]
