"""The bench of capacity: its model, the page that it writes, and a small run of its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.capacity import capacity
from bench.capacity._box import FIRST, BoxCpu, open_box
from bench.capacity._knee import KneeStep, drive, find_knee
from bench.capacity._model import (
    LIMITS,
    Coefficients,
    PlayerHabits,
    find_full,
    find_need,
    find_rounds,
    foresee,
    list_limits,
    read_coefficients,
)
from bench.capacity._moves import MoveCost, MoveProbe, take_turns
from bench.capacity._page import ABOUT, PAGE, PARTS, begin, end, list_tables, write_page
from bench.capacity._probing import compare
from tests.support.night import at_night

ONE = Coefficients(
    **{name: 1.0 for name in Coefficients._fields if name != "decision_ms"},
    decision_ms={"medium": 1.0, "hard": 10.0, "expert": 100.0},
)
BUSY = ONE._replace(web_us=300.0, web_alone_us=500.0, reads=0.25, append_us=50.0, follow_us=100.0)
NONE = BoxCpu(*[0.0] * 6)


# -- the model ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0.1, 0.27, 0.6, 1.0])
def test_the_rounds_of_a_loop_follow_from_what_three_masters_read(rounds: float) -> None:
    reads = 3 * (1 - (2 / 3) ** (1 / rounds)) * rounds
    assert find_rounds(reads, 3) == pytest.approx(rounds, rel=1e-6)
    assert find_rounds(rounds, 1) == pytest.approx(rounds, rel=1e-6)


def test_one_server_without_hops_costs_what_was_measured() -> None:
    same = BUSY._replace(bare_tcp_us=1.0, client_in_cluster_us=1.0)
    found = foresee(same, 1, BUSY.reads, 7.0)
    assert found.web_us == pytest.approx(300.0)
    assert found.stores_us == pytest.approx(150.0)
    assert found.dispatcher_us == pytest.approx(1.0)
    assert found.service_us == pytest.approx(451.0)
    assert found.archived == 7.0


def test_hops_over_tcp_and_through_the_client_of_a_cluster_cost_what_they_cost_alone() -> None:
    far = BUSY._replace(bare_tcp_us=11.0, client_in_cluster_us=31.0, games_commands=2.0)
    near = foresee(BUSY, 3, 0.6, 0.0)
    found = foresee(far, 3, 0.6, 0.0)
    assert found.web_us - near.web_us == pytest.approx(0.6 * 10)
    assert found.dispatcher_us - near.dispatcher_us == pytest.approx(2 * 30)


def test_moves_that_are_not_batched_cost_what_a_move_alone_costs() -> None:
    found = foresee(BUSY, 1, 1.0, 0.0)
    assert found.web_us == pytest.approx(500.0)


def test_needs_grow_with_the_players_and_the_lobby_only_to_its_bound() -> None:
    habits = PlayerHabits()
    few, many = (find_need(ONE, habits, players) for players in (1e4, 1e6))
    for name, value in few._asdict().items():
        if name != "lobby_line":
            assert getattr(many, name) == pytest.approx(100 * value)
    assert many.lobby_line > 100 * few.lobby_line
    most, more = (find_need(ONE, habits, players) for players in (1e12, 2e12))
    assert more.lobby_line == pytest.approx(2 * most.lobby_line)


def test_a_month_of_players_makes_the_moves_of_its_habits() -> None:
    habits = PlayerHabits(day=0.5, moves=72.0, peak=0.1, bots=0.5)
    found = find_need(ONE, habits, 1000)
    assert found.moves_per_s == pytest.approx(1000 * 0.5 * 72 * 0.1 / 3600)
    assert found.bot_moves_per_s == pytest.approx(found.moves_per_s / 2)
    assert found.worker_cores > find_need(ONE, habits._replace(bots=0.0), 1000).worker_cores


def test_a_limit_is_full_for_the_players_who_need_all_of_it() -> None:
    for limit in LIMITS:
        players = find_full(BUSY, PlayerHabits(), limit)
        assert limit.needs(find_need(BUSY, PlayerHabits(), players)) == pytest.approx(
            limit.has, rel=1e-3
        )
    reached = [players for _, players in list_limits(BUSY, PlayerHabits())]
    assert reached == sorted(reached)


def test_the_error_of_what_was_foreseen_is_a_share_of_what_was_measured() -> None:
    second = MoveCost(100, 100, 400, 60, 0.6, 2, 60, 40, 1, 1, 80)
    kinds = {"sqlite": {"bytes": 90.0}, "postgresql": {"bytes": 100.0}}
    found = compare(BUSY, second, kinds)
    assert found.keys() == PARTS.keys()
    assert found["archived"]["error"] == pytest.approx(-0.1)
    assert found["service_us"]["measured"] == 400 + 160 + 2


def test_the_knee_is_where_the_latency_leaves() -> None:
    steps = [
        KneeStep(100, 100, 1, 2, 0.2, 0, 2000),
        KneeStep(500, 490, 1, 5, 1.0, 0, 2000),
        KneeStep(1000, 900, 50, 90, 2.0, 10, 2200),
    ]
    found = find_knee(steps, 2000)
    assert (found.at, found.most, found.foreseen) == (1000, 900, 1000)
    assert found.error == pytest.approx(1 / 9)
    assert find_knee(steps[:2], 2000).at is None


# -- the page -------------------------------------------------------------------------------------


def test_the_page_says_what_was_measured_and_what_follows() -> None:
    text = PAGE.read_text("utf-8")
    for name, lines in list_tables(capacity.read_stored()).items():
        table = text.partition(f"{begin(name)}\n")[2].partition(end(name))[0]
        assert table == "".join(f"{line}\n" for line in lines), f"run bench capacity: {name}"


def test_all_that_is_assumed_is_explained() -> None:
    assert ABOUT.keys() == set(PlayerHabits._fields)


def test_a_page_without_a_place_for_a_table_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Capacity\n")
    with pytest.raises(ValueError, match="no place"):
        write_page(capacity.read_stored(), page)


def test_habits_are_changed_by_name_and_unknown_ones_refused() -> None:
    assert capacity.read_habits("") == PlayerHabits()
    assert capacity.read_habits("day=0.5,moves=9") == PlayerHabits(day=0.5, moves=9.0)
    with pytest.raises(ValueError, match="'days' is not one of day"):
        capacity.read_habits("days=1")
    found = capacity.main(stored=True, players=2e6)
    assert (
        found["needs"]
        == find_need(read_coefficients(capacity.read_stored()), PlayerHabits(), 2e6)._asdict()
    )


# -- small runs -----------------------------------------------------------------------------------


def test_what_idle_processes_use_does_not_count() -> None:
    spent = BoxCpu(1.0, 0.5, 0.0, 0.2, 0.0, 9.0)
    idle = NONE._replace(web=0.1, dispatcher=0.3)
    assert spent.spread(10, idle, 5.0) == pytest.approx((5e4, 5e4, 0.0, 0.0, 0.0, 9e5))


@pytest.mark.slow
@pytest.mark.real
def test_a_box_is_measured_and_driven_to_the_knee() -> None:
    with open_box(FIRST) as box:
        [cost] = take_turns([MoveProbe(box, NONE, 8)], 1, 60)
        assert cost.moves > 0
        assert cost.web_us > 0
        assert cost.reads > 0
        assert cost.tables > 0, "the dispatcher has followed"
        knee = drive(box, 20_000, 0.3)
        assert len(knee.steps) == 7
        assert knee.most > 0


@at_night(
    "tests/bench/capacity/test_capacity_bench.py::test_a_box_is_measured_and_driven_to_the_knee"
)
@pytest.mark.slow
@pytest.mark.real
def test_all_of_it_is_measured_in_its_short_form() -> None:
    measured = capacity.main(short=True)["measured"]
    assert measured.keys() == capacity.read_stored().keys()
    assert measured["second"].keys() == PARTS.keys()
    assert min(read_coefficients(measured)[:6]) > 0
