"""What else costs CPU: a delivery of a notice, a move of a bot besides thinking, a page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bench.capacity._box import Box, BoxCpu
from bench.company.profiles import AskingClient
from bench.notices._house import open_house
from bench.notices._moving import PacedMoves
from bench.notices.notices import LAST_S, WARM_UP_S, WEBHOOKS, measure_deliveries
from bench.service._served import post
from bench.service.http import open_tables
from cartulary.bots.randomly import play_randomly
from cartulary.cli.shared.progress import progress
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.projector import Projector
from cartulary.events.server import keys

WITHIN_S: Final = 120.0


class BotMoveCost(NamedTuple):
    """µs of CPU of a move that a bot makes without thinking: worker, dispatcher, stores."""

    moves: int
    worker_us: float
    dispatcher_us: float
    stores_us: float


def measure_notices(rate: float, seconds: float, tables: int = 60) -> dict[str, float]:
    """Return `received` deliveries and `notifier_us`, the CPU of the notifier for each."""
    with open_house() as house:
        made, tokens = house.open_tables(tables)
        house.add_webhooks(tokens, WEBHOOKS)
        moves = PacedMoves(house.served, made)
        moves.offer(rate, WARM_UP_S)
        time.sleep(LAST_S)
        house.receivers.take()
        found = measure_deliveries(house, moves, rate, seconds)[0]["deliveries"]
        return {name: found[name] for name in ("expected", "received", "notifier_us")}


def measure_bot_moves(box: Box, games: int) -> BotMoveCost:
    """Let bots that do not think play games among themselves to the end."""
    token = post(box.served.port, "/players", {"name": "bench"})["token"]
    body = {"game": "carcassonne", "seats": [{"kind": "bot", "bot": "random"}] * 2}
    before = box.read_cpu()
    opened = [post(box.served.port, "/games", body, token)["id"] for _ in range(games)]
    ends = time.monotonic() + WITHIN_S
    with progress("games of bots") as show:
        while (over := sum(_is_over(box, one) for one in opened)) < games:
            if time.monotonic() > ends:
                raise TimeoutError("the bots do not come to the end of their games")
            show(over, games)
            time.sleep(0.5)
    box.drain()
    spent = box.read_cpu().since(before)
    moves = sum(box.store.ledger.version(one) for one in opened)
    cost = spent.spread(moves, BoxCpu(*[0.0] * 6), 0.0)
    return BotMoveCost(moves, cost.worker, cost.dispatcher, cost.games + cost.registry)


def _is_over(box: Box, game: str) -> bool:
    found: Any = box.store.registry.hget(keys.summary(game), "json")
    return found is not None and b'"status":"over"' in found


def measure_pages(box: Box, number: int) -> float:
    """Return ms of CPU of a request to read: a game, and a page of the lobby's list, in turn."""
    games = [table.id for table in open_tables(box.served, 4)]
    client = AskingClient(box.served, box.store)
    kinds: list[Callable[[], str]] = [lambda: f"/games/{games[0]}", lambda: "/games?status=running"]
    return sum(client.measure(kind, number)["web_ms"] for kind in kinds) / len(kinds)


def measure_catching_up(box: Box, moves: int) -> float:
    """Return µs of CPU of a process that reads and follows a move that another one has made."""
    store, spent = box.store, 0.0
    other = Projector(store.ledger, store.snapshots, store.rules)
    player, _ = store.players.create("bench")
    request = NewGame("carcassonne", [SeatRequest("bot", "random")] * 2)
    table = store.commands.create(Intent(player), request).table
    other.table(table.id)
    for _ in range(moves):
        table = store.commands.bots.move(table.id, table.version, play_randomly).table
        if table.status != "running":
            break
        began = time.process_time()
        other.table(table.id)
        spent += time.process_time() - began
    return 1e6 * spent / moves
