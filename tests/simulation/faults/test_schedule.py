"""The schedule of faults is the seed's, and masking one changes no other."""

from __future__ import annotations

from simulation.faults.schedule import HOUR, draw_schedule, mask

RATES = {"pause": 10.0, "crash_after": 20.0, "restart": 5.0}


def test_one_seed_has_one_schedule_in_the_order_of_time() -> None:
    first = draw_schedule("1", RATES, 2.0, ["web-1", "worker-1"])
    assert first == draw_schedule("1", RATES, 2.0, ["web-1", "worker-1"])
    assert first != draw_schedule("2", RATES, 2.0, ["web-1", "worker-1"])
    assert [fault.at for fault in first] == sorted(fault.at for fault in first)
    assert [fault.number for fault in first] == [*range(len(first))]
    assert all(fault.at < 2 * HOUR for fault in first)


def test_another_kind_of_fault_moves_none_of_the_others() -> None:
    with_restarts = draw_schedule("1", RATES, 2.0, ["web-1"])
    without = draw_schedule("1", {"pause": 10.0, "crash_after": 20.0}, 2.0, ["web-1"])
    kept = [fault[1:] for fault in with_restarts if fault.kind != "restart"]
    assert kept == [fault[1:] for fault in without]


def test_a_mask_leaves_the_chosen_faults_as_they_are() -> None:
    drawn = draw_schedule("1", RATES, 1.0, ["web-1"])
    assert mask(drawn, {3, 5}) == [drawn[3], drawn[5]]
    assert mask(drawn, None) == drawn
    assert mask(drawn, set()) == []
