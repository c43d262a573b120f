"""Streams of the living game as a test tells them: event by event, without any command."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cartulary.engine.chance import RandomSource
from cartulary.events.ledger.drafts import Draft, FindStops
from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.model.effects.fold import History, fold
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.time.timing import NO_STOPS
from cartulary.events.model.types import GAME_CREATED, MOVES_TAKEN_BACK, Json
from cartulary.events.store import Store

ADA, BOB, CID, DAN = ({"id": f"id-{name}", "name": name} for name in ("Ada", "Bob", "Cid", "Dan"))


class Told:
    """The draft of a game whose seats are held by players, by bots (their names), or empty."""

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Json | str | None],
        game: str = "beans",
        clock: Clock = SYSTEM,
        find_stops: FindStops = NO_STOPS.stops,
        **terms: Any,
    ) -> None:
        self.rules = rules
        self._dealer = RandomSource(Random(5))
        events: list[Json] = []
        self._history = History(rules, "TOLD", None, events)
        self.draft = Draft(rules, "TOLD", None, self._history, clock, find_stops)
        self.draft.events = events
        self.add(
            GAME_CREATED,
            game=game,
            options=rules[game].check(len(seats), {}),
            seats=[
                {
                    "seat": number,
                    "player": seat if isinstance(seat, dict) else None,
                    "bot": seat if isinstance(seat, str) else None,
                }
                for number, seat in enumerate(seats)
            ],
            visibility="public",
            created_by=ADA["id"],
            **terms,
        )

    @property
    def table(self) -> Table:
        return self.draft.table

    @property
    def events(self) -> list[Json]:
        return self.draft.events

    def add(self, type_: str, **fields: Any) -> Told:
        self.draft.add(type_, **fields)
        return self

    def start(self, **more: Any) -> Told:
        self.draft.start(lambda _table: self._dealer, more)
        return self

    def move(self, move: Json | None = None, stand_in: bool = False) -> Told:
        """Answer the decision, by default with the first legal move."""
        state = self.table.state
        assert state is not None
        found = state.moves()[0] if move is None else state.find(move)
        about = {"level": "random", "version": 1} if self._by_bot(stand_in) else None
        self.draft.play(found, lambda _table: self._dealer, about)
        return self

    def _by_bot(self, stand_in: bool) -> bool:
        state = self.table.state
        assert state is not None
        return stand_in or self.table.seats[state.seat].bot is not None

    def take_back(self, seat: int, to: int, proposal: int | None = None, **changes: Any) -> Told:
        """Take all moves after a version back."""
        moves = [
            one["version"]
            for one in self.events
            if one["type"] == "move_made"
            and one["version"] > to
            and self.table.stands(one["version"])
        ]
        state = self._history.table(to).state
        assert state is not None
        fields: Json = {"moves": moves, "proposal": proposal, "state_hash": state.state_hash()}
        return self.add(MOVES_TAKEN_BACK, seat=seat, to_version=to, **{**fields, **changes})

    def folded(self) -> Table:
        """The table as a reader makes it from the first event."""
        table = fold(self.rules, "TOLD", None, self.events, self.table.head)
        assert table is not None
        return table

    def problems(self, store: Store) -> list[tuple[int, str]]:
        """What the audit says of the stream, once it is stored: version and word."""
        store.ledger.append("TOLD", 0, self.draft.sealed)
        report = store.audit.game("TOLD")
        return [(one["version"], one["problem"]) for one in report.problems]
