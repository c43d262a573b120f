"""Notices: how late a message about a turn is, what it costs a move, and who can hold it up.

One web process, the dispatcher, one notifier and the embedded Valkey. Moves are made at `--rate` a
second at `--tables` tables, each of a player of its own with two webhooks, so a move leads to about
one delivery. The receivers are a process of their own, over TLS. All of it shares the cores of the
machine.

The keys of `--json`:

* `moves_per_second`: how many were made; `rate` is how many were offered;
* `deliveries`: `per_minute`; `expected`, `received` and `repeated` messages; `p50_s`, `p99_s` and
  `max_s` from the request of the move by which a turn begins to the last byte of the message, with
  a `delay` of 0; and the CPU time of the notifier for each;
* `move`: CPU time of web and store for each move, in µs: `without` notices; `noted`, players are to
  be notified in an hour; `sent`, they are notified at once. `ratio` compares `noted` and `sent`
  with `without`, in slices that take turns. What `sent` costs besides is what the notifier asks the
  store for each delivery;
* `trouble`: the p99 of the same deliveries while a host hangs (100 webhooks), another has answered
  500 for five days (100 webhooks) and 1000 browsers answer 410, `ratio` to the p99 without them,
  and what became of those endpoints;
* `waiting`: ms of CPU a second of notifier and store with nothing due, without and with
  `--waiting` intents.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from typing import Any, Final

from bench.faults.notice_receiver import ReceivedNotice
from bench.notices._house import CpuSpent, NoticeHouse, open_house
from bench.notices._moving import OfferedMoves, PacedMoves, Sent
from bench.notices._trouble import Trouble
from bench.notices._waiting import measure_waiting
from bench.service._served import post

WEBHOOKS: Final = 2
"""For each player: a turn has about two moves."""
ROUNDS: Final = 5
WARM_UP_S: Final = 2.0
LAST_S: Final = 3.0
"""Seconds in which the last messages may come."""
LATER_S: Final = 3600


def main(
    seconds: float = 60.0, rate: float = 167.0, tables: int = 400, waiting: int = 100_000
) -> dict[str, Any]:
    with open_house() as house:
        told, tokens = house.open_tables(tables)
        house.add_webhooks(tokens, WEBHOOKS)
        moves = PacedMoves(house.served, told)
        moves.offer(rate, WARM_UP_S)
        time.sleep(LAST_S)
        house.receivers.take()
        measured, alone = measure_deliveries(house, moves, rate, seconds * 0.2)
        measured["move"] = measure_moves(house, moves, rate, tables, seconds * 0.4)
        measured["waiting"] = measure_waiting(house, waiting, seconds * 0.1)
        measured["trouble"] = measure_trouble(house, moves, rate, seconds * 0.3, alone)
        return {"rate": rate, "tables": tables, **measured}


def measure_deliveries(
    house: NoticeHouse, moves: PacedMoves, rate: float, seconds: float
) -> tuple[dict[str, Any], float]:
    """Make moves at a rate; return what was made and delivered, and the p99."""
    before = house.read_cpu()
    made = moves.offer(rate, seconds)
    time.sleep(LAST_S)
    spent = house.read_cpu().since(before)
    found = describe_deliveries(made, house.receivers.take())
    found["notifier_us"] = spent.notifier / max(1, found["received"]) * 1e6
    return {"moves_per_second": made.per_second, "deliveries": found}, found["p99_s"]


def describe_deliveries(made: OfferedMoves, notices: Sequence[ReceivedNotice]) -> dict[str, Any]:
    """Compare the turns that began with the messages that came."""
    late = find_lateness(made.turns, notices)
    hundredths = statistics.quantiles(late, n=100) if len(late) > 1 else [math.inf] * 99
    return {
        "per_minute": 60 * len(late) / made.seconds,
        "expected": WEBHOOKS * len(made.turns),
        "received": len(late),
        "repeated": len(notices) - len({notice.id for notice in notices}),
        "p50_s": hundredths[49],
        "p99_s": hundredths[98],
        "max_s": max(late, default=math.inf),
    }


def find_lateness(turns: Sent, notices: Sequence[ReceivedNotice]) -> list[float]:
    """Return the seconds from each turn to its messages; a repeated message counts once."""
    first: dict[str, ReceivedNotice] = {}
    for notice in notices:
        first.setdefault(notice.id, notice)
    return [
        one.at - turns[one.game, one.version]
        for one in first.values()
        if (one.game, one.version) in turns
    ]


# -- a move -------------------------------------------------------------------------------------


def measure_moves(
    house: NoticeHouse, sent: PacedMoves, rate: float, tables: int, seconds: float
) -> dict[str, Any]:
    """Take turns with moves without a notice, with one due later, and with one that is sent."""
    untold, _ = house.open_tables(tables)
    later, tokens = house.open_tables(tables)
    house.add_webhooks(tokens, WEBHOOKS)
    chosen = {"your_turn": {"webhook": {"delay": LATER_S}}}
    for token in tokens:
        post(house.served.port, "/players/me/notifications", chosen, token, method="PUT")
    kinds = {
        "without": PacedMoves(house.served, untold),
        "noted": PacedMoves(house.served, later),
        "sent": sent,
    }
    spent = {name: CpuSpent(0, 0, 0, 0) for name in kinds}
    counts = dict.fromkeys(kinds, 0)
    for _ in range(ROUNDS):
        for name, moves in kinds.items():
            before = house.read_cpu()
            counts[name] += moves.offer(rate, seconds / ROUNDS / len(kinds)).moves
            time.sleep(LAST_S / 2)
            spent[name] = spent[name].plus(house.read_cpu().since(before))
    house.receivers.take()
    return compare_moves(spent, counts)


def compare_moves(spent: dict[str, CpuSpent], counts: dict[str, int]) -> dict[str, Any]:
    """Return the µs of CPU of a move, and the ratios of web and store to `without`."""
    each = {
        name: {one: 1e6 * value / counts[name] for one, value in cpu._asdict().items()}
        for name, cpu in spent.items()
    }
    costs = {name: (cpu.web + cpu.store) / counts[name] for name, cpu in spent.items()}
    return {
        name: {f"{one}_us": value for one, value in found.items()}
        | {"ratio": costs[name] / costs["without"]}
        for name, found in each.items()
    }


# -- trouble ------------------------------------------------------------------------------------


def measure_trouble(
    house: NoticeHouse, moves: PacedMoves, rate: float, seconds: float, alone: float
) -> dict[str, Any]:
    """Make moves while other endpoints are in trouble; `alone` is the p99 without them."""
    trouble = Trouble(house.store, house.receivers)
    trouble.begin(seconds)
    made = moves.offer(rate, seconds)
    time.sleep(LAST_S)
    found = describe_deliveries(made, house.receivers.take())
    return {**found, "ratio": found["p99_s"] / alone, "endpoints": trouble.describe()}
