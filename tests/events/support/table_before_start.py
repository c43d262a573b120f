"""A table before its start, with the people around it: what tests of arranging have in common."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from cartulary.events.commands.commands import Intent, SeatRequest, Written
from cartulary.events.model.errors import Refused
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.support.stored_keys import stored

STALE: dict[str, Any] = {"expected": 7}
OPENED, RANDOM = SeatRequest("open"), SeatRequest("bot", "random")


def invite(guest: Player | str) -> SeatRequest:
    return SeatRequest("invite", player=guest if isinstance(guest, str) else guest.id)


def types(written: Written) -> list[str]:
    return [event["type"] for event in written.events]


def states(table: Table) -> list[str]:
    return [seat["state"] for seat in table.seats_json()]


class Scene(NamedTuple):
    """A table of three with Ada as host; what a command refuses there stores nothing."""

    store: Store
    ada: Player
    bob: Player
    eve: Player
    table: Table

    @property
    def id(self) -> str:
        return self.table.id

    def now(self) -> Table:
        return self.store.projector.table(self.id)

    def change(self, who: Player, seat: int, wish: SeatRequest, **more: Any) -> Written:
        return self.store.commands.arranging.change_seat(Intent(who, **more), self.id, seat, wish)

    def join(
        self, who: Player, seat: int | None = None, entropy: str | None = None, **more: Any
    ) -> Written:
        return self.store.commands.arranging.join(Intent(who, **more), self.id, seat, entropy)

    def start(self, who: Player, drop: bool = False, **more: Any) -> Written:
        return self.store.commands.arranging.start(Intent(who, **more), self.id, drop)

    def hand_over(self, who: Player, to: str, **more: Any) -> Written:
        return self.store.commands.arranging.hand_over(Intent(who, **more), self.id, to)

    def abort(self, who: Player, **more: Any) -> Written:
        return self.store.commands.arranging.abort(Intent(who, **more), self.id)


def refused(scene: Scene, command: Callable[[], object]) -> type[Refused]:
    """Return how a command is refused, which must store nothing."""
    before = stored(scene.store)
    with pytest.raises(Refused) as error:
        command()
    assert stored(scene.store) == before
    return type(error.value)


def at_once(commands: list[Callable[[], Written]]) -> list[str]:
    """Run commands in threads; return for each the class of what it returned or raised."""

    def run(command: Callable[[], Written]) -> str:
        try:
            return type(command()).__name__
        except Refused as error:
            return type(error).__name__

    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(run, commands))
