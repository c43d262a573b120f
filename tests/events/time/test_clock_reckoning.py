"""The reckoning of the tests itself, on figures worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from cartulary.events.model.clock import format_time
from tests.events.support.clock_reckoning import Charge, Dial, Moment, Reckoning, run_out

DAILY = {"mode": "correspondence", "delay": 10, "bank": 30, "refill": 4, "vacation": True}
LIVE = {"mode": "live", "delay": 30, "bank": 100}


class Asked(NamedTuple):
    """A decision."""

    seat: int


class Order:
    """A state that asks seats in a fixed order."""

    over = False

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = list(seats)

    @property
    def decision(self) -> Asked:
        return Asked(self.seats[0])

    def settle(self, _source: Any) -> list[str]:
        return []

    def copy(self) -> Self:
        return type(self)(self.seats)

    def find(self, move: Any) -> Any:
        return move

    def play(self, _move: Any) -> None:
        del self.seats[0]


class Rules:
    """A game whose setup says who is asked."""

    def new(self, _seats: int, _options: Any, setup: Any) -> Order:
        return Order(setup["order"])


def story(pace: Any, order: Sequence[int], *told: Any, **known: Any) -> list[Moment]:
    """Reckon a game of two: `told` are pairs of a second and a type with its fields."""
    events: list[dict[str, Any]] = [
        {
            "type": "game_created",
            "game": "order",
            "options": {},
            "pace": pace,
            "seats": [
                {"seat": 0, "player": {"id": "ada"}, "bot": None},
                {"seat": 1, "player": {"id": "bob"}, "bot": None},
            ],
        },
        {"type": "game_started", "setup": {"order": order}, "chance": []},
    ]
    seconds = [0, 0]
    for second, event in told:
        seconds.append(second)
        events.append(event)
    for number, (second, event) in enumerate(zip(seconds, events, strict=True), 1):
        event |= {"version": number, "at": format_time(1000 * second)}
    rules: Any = {"order": Rules()}
    return Reckoning(rules, **known).read(events)


def move(seat: int, **more: Any) -> dict[str, Any]:
    return {"type": "move_made", "seat": seat, "move": {}, "chance": [], **more}


def seconds(used: float, stopped: float, bank: float) -> Charge:
    return Charge(int(1000 * used), int(1000 * stopped), int(1000 * bank))


def test_a_turn_in_pieces_costs_what_a_turn_in_one_piece_costs() -> None:
    pieces = story(DAILY, [0, 0, 0, 1], (5, move(0)), (9, move(0)), (25, move(0)))
    whole = story(DAILY, [0, 1], (25, move(0)))
    assert [one.charge for one in pieces[2:]] == [
        seconds(5, 0, 30),
        seconds(4, 0, 30),
        seconds(16, 0, 30 - 15 + 4),
    ]
    assert whole[-1].charge == seconds(25, 0, 19)
    assert pieces[-1].banks == whole[-1].banks == (19_000, 30_000)


def test_a_small_question_of_another_seat_begins_a_new_turn() -> None:
    found = story(DAILY, [0, 1, 0, 1], (12, move(0)), (13, move(1)), (24, move(0)))
    assert [one.charge for one in found[2:]] == [
        seconds(12, 0, 30),  # 2 s of the bank, and back again
        seconds(1, 0, 30),
        seconds(11, 0, 30),
    ]


def test_what_comes_back_is_at_most_what_the_turn_used_and_never_above_the_start() -> None:
    given = {"type": "time_given", "seat": 0, "ms": 5_000}
    found = story(DAILY, [0, 1, 0, 1], (3, given), (4, move(0)), (4, move(1)), (20, move(0)))
    assert found[3].charge == seconds(4, 0, 35)
    assert found[5].charge == seconds(16, 0, 30)  # 35 - 6 = 29, and 1 of the 4 s back


def test_pauses_outages_and_vacations_stop_the_clock_once() -> None:
    paused = {"type": "game_paused", "until": format_time(20_000)}
    resumed = {"type": "game_resumed"}
    found = story(
        DAILY,
        [0, 1],
        (5, paused),
        (25, resumed),
        (60, move(0)),
        outages=[(18_000, 30_000)],
        vacations={"ada": [(40_000, 45_000)], "bob": [(45_000, 60_000)]},
    )
    assert found[2].deadline == 70_000  # what is known of the future counts
    assert found[-1].charge == seconds(60 - 15 - 10 - 5, 30, 30 - 20 + 4)


def test_the_hand_that_stops_at_its_last_moment_has_run_out_before_the_stop() -> None:
    assert run_out(Dial(10, 5), 100, [(115, 200)]) == 115
    assert run_out(Dial(10, 6), 100, [(115, 200)]) == 201
    assert run_out(Dial(0, 0), 100, [(90, 150), (150, 200)]) == 200
    assert run_out(Dial(0, 0), 100, [(101, 200)]) == 100


def test_the_first_turn_of_a_seat_at_a_live_table_has_a_minute() -> None:
    found = story(LIVE, [0, 1, 0, 1], (61, move(0)), (61, move(1)), (92, move(0)))
    assert found[1].deadline == 160_000
    assert found[2].charge == seconds(61, 0, 99)
    assert found[4].charge == seconds(31, 0, 98)


def test_a_flag_empties_the_bank_and_a_gift_raises_it_again() -> None:
    flag = {"type": "turn_timed_out", "seat": 0}
    given = {"type": "time_given", "seat": 0, "ms": 7_000}
    found = story(DAILY, [0, 1], (101, flag), (120, given), (124, move(0)))
    assert found[1].deadline == 40_000
    assert (found[2].charge, found[2].overdue) == (seconds(101, 0, 0), True)
    assert (found[3].deadline, found[3].overdue) == (127_000, False)
    assert found[4].charge == seconds(4, 19, 7)


def test_an_answer_after_the_flag_leaves_no_debt() -> None:
    found = story(DAILY, [0, 1], (50, move(0)))
    assert found[-1].charge == seconds(50, 0, 4)


def test_an_owner_who_returns_has_the_whole_delay_and_the_bank_as_it_was() -> None:
    away = {"type": "stand_in_seated", "seat": 0, "bot": "medium"}
    back = {"type": "seat_returned", "seat": 0}
    found = story(DAILY, [0, 0, 1], (15, move(0)), (16, away), (99, back), (108, move(0)))
    assert found[3].seat is None
    assert found[4].deadline == (99 + 10 + 25) * 1000
    assert found[5].charge == seconds(9, 0, 29)


def test_a_takeback_refunds_nothing_and_begins_with_the_whole_delay() -> None:
    back = {"type": "moves_taken_back", "seat": 0, "to_version": 2}
    found = story(DAILY, [0, 0, 1], (15, move(0)), (20, back), (30, move(0)))
    assert (found[3].banks, found[3].deadline) == ((25_000, 30_000), (20 + 10 + 25) * 1000)
    assert found[4].charge == seconds(10, 0, 25)


def test_it_counts_to_the_receipt() -> None:
    found = story(DAILY, [0, 1, 0], (12, move(0)), (13, move(1)), received={3: 11_000, 4: 5_000})
    assert found[2].charge == seconds(11, 0, 30)
    assert found[3].charge == seconds(0, 0, 30)
    assert found[3].since == 13_000


def test_cutting_time_counts_as_looking_at_each_millisecond_does() -> None:
    stops = [(3, 9), (7, 12), (20, 21), (30, 60), (33, 34)]
    moving = [not any(begin <= at < end for begin, end in stops) for at in range(100)]
    for budget in range(60):
        passed = [at for at in range(101) if sum(moving[:at]) == budget]
        assert run_out(Dial(budget // 2, budget - budget // 2), 0, stops) == min(
            passed, default=budget + 38
        )
