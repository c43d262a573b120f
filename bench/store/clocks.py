"""Clocks: flags that fall at the same time, timers that wait, and what a clock adds to a move.

`flags`: the flags of many games fall within a minute, and one dispatcher judges them while one
process makes moves as fast as it can. `late_p50_s` and `late_p99_s` say how long after the end of
the grace a flag is in the stream; `moves_ratio` compares the moves per second of that minute with a
minute in which no flag falls. `sweep`: what many timers that are not due cost a look of the sweep,
which looks once a second, in ms of CPU. `move`: CPU ms of a move without and with a clock, taken in
turn in the same process; games with a clock have vacations.

All clocks here run with the time of the machine, moved by the same offset in all processes.
"""

from __future__ import annotations

import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from typing import Any

from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.live.live import Hub
from cartulary.events.model.clock import SYSTEM, milliseconds
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.process.pulse import Pulse
from cartulary.settings.garbage import collect_garbage_less_often
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.sweep import Sweep

WINDOW_S = 60
"""The flags fall within so many seconds."""
SETTLE_S = 8
"""A dispatcher that starts takes over what is due, for so many seconds at most."""
BLITZ = {"mode": "live", "delay": 5, "bank": 0}
DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}
MOVES_AT_ONCE = 20


class Shifted:
    """The clock of the machine and an offset in ms."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset

    def now_ms(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return SYSTEM.now_ms() + self.offset


def main(seconds: float = 20.0, flags: int = 10_000, timers: int = 100_000) -> dict[str, Any]:
    collect_garbage_less_often()  # as the service does
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        url = str(valkey.url)
        return {
            "flags": measure_flags(url, flags),
            "sweep": measure_sweep(url, timers),
            "move": measure_moves(url, seconds),
        }


# -- flags ----------------------------------------------------------------------------------------


def measure_flags(url: str, number: int) -> dict[str, float]:
    """Let the flags of so many games fall within a minute, after a minute without flags."""
    clock = Shifted()
    store = Store(connect(url), OFFERS, clock=clock)
    ada, _ = store.players.create("bench")
    falls = open_games(store, clock, ada, number)
    # The first flag falls after a quiet minute.
    clock.offset = min(falls.values()) - SYSTEM.now_ms() - 1000 * (SETTLE_S + WINDOW_S)
    pulse = Pulse(store, Hub(store.ledger))
    pulse.start()
    with dispatching(url, clock.offset):
        time.sleep(SETTLE_S)
        without = count_moves(store, ada, WINDOW_S)
        during = count_moves(store, ada, WINDOW_S)
        late = sorted(read_lateness(store, falls))
    pulse.stop()
    store.close()
    return {
        "flags": len(late),
        "late_p50_s": late[len(late) // 2],
        "late_p99_s": late[int(len(late) * 0.99)],
        "late_max_s": late[-1],
        "moves_per_s": during / WINDOW_S,
        "moves_ratio": during / without,
    }


def open_games(store: Store, clock: Shifted, ada: Player, number: int) -> dict[str, int]:
    """Start games whose flags fall within the window; return when each falls."""
    falls = {}
    begin = clock.now_ms()
    for count in range(number):
        clock.offset = begin + count * 1000 * WINDOW_S // number - SYSTEM.now_ms()
        seats = [SeatRequest("me")] * 3
        new_game = NewGame("carcassonne", seats, pace=BLITZ, on_timeout="claim")
        table = store.commands.create(Intent(ada), new_game).table
        fall = store.commands.timeouts.find_fall(table)
        assert fall is not None
        falls[table.id] = fall
        store.projector.forget()
    return falls


@contextmanager
def dispatching(url: str, offset: int) -> Iterator[None]:
    """Run a dispatcher in a process of its own."""
    context = multiprocessing.get_context("spawn")
    stopping = context.Event()
    process = context.Process(target=_dispatch, args=(url, offset, stopping), daemon=True)
    process.start()
    try:
        yield
    finally:
        stopping.set()
        process.join(timeout=10)


def _dispatch(url: str, offset: int, stopping: Event) -> None:
    store = Store(connect(url), OFFERS, clock=Shifted(offset))
    dispatcher = Dispatcher(store, queues_on(connect(url)))
    while not stopping.is_set():
        dispatcher.step(100)
    store.close()


def count_moves(store: Store, ada: Player, seconds: float) -> int:
    """Make moves of untimed games as fast as possible; return how many there were."""
    rng, moves = random.Random(1), 0
    ends = time.perf_counter() + seconds
    table = _open(store, ada)
    while time.perf_counter() < ends:
        if not table.running:
            table = _open(store, ada)
        table = store.commands.move(Intent(ada, table.version), table.id, _choose(table, rng)).table
        moves += 1
    return moves


def read_lateness(store: Store, falls: dict[str, int]) -> Iterator[float]:
    """Yield how long after its time each flag has fallen, in s; waits for the last of them."""
    ends = time.monotonic() + WINDOW_S
    for game, fall in falls.items():
        while (at := _find_flag(store, game)) is None and time.monotonic() < ends:
            time.sleep(0.2)
        yield float("inf") if at is None else (at - fall) / 1000


def _find_flag(store: Store, game: str) -> int | None:
    for event in store.ledger.deliver(game, 0, 20):
        if event["type"] == "turn_timed_out":
            return milliseconds(event["at"])
    return None


# -- the sweep ------------------------------------------------------------------------------------


def measure_sweep(url: str, timers: int) -> dict[str, float]:
    """Let the sweep look again and again at timers that are not due."""
    redis = connect(url)
    redis.flushall()
    now = SYSTEM.now_ms()
    pipe = redis.pipeline(transaction=False)
    for number in range(timers):
        pipe.zadd(keys.due(), {f"01TIMER{number:019}": now + 60_000 + number})
        if len(pipe) >= 1000:
            pipe.execute()
    pipe.execute()
    store = Store(redis, OFFERS)
    sweep = Sweep(store, Feeder(queues_on(redis)))
    sweep.run()
    taken = []
    for _ in range(200):
        began = time.process_time()
        sweep.run()
        taken.append(1000 * (time.process_time() - began))
    store.close()
    return {"timers": timers, "look_cpu_ms": statistics.median(taken), "look_max_ms": max(taken)}


# -- a move ---------------------------------------------------------------------------------------


def measure_moves(url: str, seconds: float) -> dict[str, float]:
    """Take turns with moves of games without and with a clock."""
    store = Store(connect(url), OFFERS)
    ada, _ = store.players.create("bench")
    pulse = Pulse(store, Hub(store.ledger))
    pulse.start()
    taken: dict[str, list[float]] = {"untimed": [], "timed": []}
    paces: dict[str, Any] = {"untimed": None, "timed": DAILY}
    ends = time.perf_counter() + seconds
    number = 0
    while time.perf_counter() < ends:
        for kind in taken:
            taken[kind] += _time_game(store, ada, paces[kind], random.Random(number))
        number += 1
    pulse.stop()
    store.close()
    untimed, timed = (statistics.median(times) for times in taken.values())
    return {"untimed_cpu_ms": untimed, "timed_cpu_ms": timed, "ratio": timed / untimed}


def _time_game(store: Store, ada: Player, pace: Any, rng: random.Random) -> list[float]:
    """Return the CPU ms of the moves of a game, some moves at a time."""
    table, taken = _open(store, ada, pace), []
    spent, moves = 0.0, 0
    while table.running:
        move = _choose(table, rng)
        began = time.process_time()
        table = store.commands.move(Intent(ada, table.version), table.id, move).table
        spent, moves = spent + time.process_time() - began, moves + 1
        if moves == MOVES_AT_ONCE:
            taken.append(1000 * spent / moves)
            spent, moves = 0.0, 0
    return taken


def _open(store: Store, ada: Player, pace: Any = None) -> Table:
    new_game = NewGame("carcassonne", [SeatRequest("me")] * 2, pace=pace)
    return store.commands.create(Intent(ada), new_game).table


def _choose(table: Table, rng: random.Random) -> Any:
    state = table.state
    assert state is not None
    return state.move_json(play_randomly(state, rng))
