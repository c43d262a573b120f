"""Tables of the living game for tests: opened in one step, and moved along with few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ulid import ULID

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.commands.table.opening import fair_json, seat_json
from cartulary.events.draws.draws import NewSecret
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_CREATED, Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move, shown


def open_table(
    store: Store,
    seats: Sequence[Player | str],
    takebacks: str = "consent",
    game: str = "beans",
    **more: Any,
) -> Table:
    """Open and start a game; a seat is held by a player or by the bot of that name."""
    rules = store.rules[game]
    draft = store.commands.writer.draft(str(ULID()))
    secret = NewSecret(store.draws, store.vault, "", None)
    creator = next((seat for seat in seats if isinstance(seat, Player)), Player("nobody", "Nobody"))
    draft.add(
        GAME_CREATED,
        game=game,
        options=rules.check(len(seats), {}),
        seats=[
            seat_json(number, seat, None)
            if isinstance(seat, Player)
            else seat_json(number, None, seat)
            for number, seat in enumerate(seats)
        ],
        visibility="public",
        created_by=creator.id,
        fair=fair_json(secret.commit(), 0),
        takebacks=takebacks,
        **more,
    )
    draft.start(store.draws.source)
    secret.store_with(draft)
    return store.commands.writer.append(draft, 0, None).table


class At:
    """A table and the players at it: every command goes to the table as it is now."""

    def __init__(self, store: Store, table: Table, players: Sequence[Player]) -> None:
        self.store, self.id = store, table.id
        self._players = {player.id: player for player in players}

    @property
    def now(self) -> Table:
        return self.store.projector.table(self.id)

    @property
    def number(self) -> int:
        """The number of the next draw."""
        fair = self.now.fair
        assert fair is not None
        return fair.number

    def may(self, move: Json) -> bool:
        """Return whether a move is legal now."""
        state = self.now.state
        assert state is not None
        return move in state.legal_moves()

    def asked(self) -> Player:
        """Return the player who is to move."""
        table = self.now
        assert table.state is not None
        owner = table.seats[table.state.seat].player
        assert owner is not None
        return self._players[owner["id"]]

    def move(self, move: Json | None = None) -> Written:
        """Make a move for the player who is asked, by default the first legal one."""
        table = self.now
        chosen = any_move(table) if move is None else move
        return self.store.commands.move(Intent(self.asked(), table.version), self.id, chosen)

    def propose(
        self,
        player: Player,
        kind: str = "takeback",
        to_version: int | None = None,
        until: int | None = None,
        **more: Any,
    ) -> Written:
        asks = Intent(player, **more)
        return self.store.commands.proposals.propose(asks, self.id, kind, to_version, until)

    @property
    def proposal(self) -> int:
        """The open proposal."""
        found = self.now.course.proposal
        assert found is not None
        return found.id

    def answer(self, player: Player, answer: str = "accept", number: int | None = None) -> Written:
        """Answer a proposal, None: the open one."""
        proposal = self.proposal if number is None else number
        return self.store.commands.proposals.answer(Intent(player), self.id, proposal, answer)

    def must_hold(self) -> None:
        """Check that fold, cached table and audit say the same of everything that is stored."""
        events = self.store.ledger.events(self.id)
        folded = fold(self.store.rules, self.id, None, events)
        assert folded is not None
        now = self.now
        assert shown(folded) == shown(now)
        assert (folded.course, folded.fair, folded.seats) == (now.course, now.fair, now.seats)
        report = self.store.audit.game(self.id)
        assert report.problems == []


def types_of(written: Written) -> list[str]:
    return [event["type"] for event in written.events]
