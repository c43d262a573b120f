"""Games of several people on a clock that tests set, for the tests of the living game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.writer import Written
from cartulary.events.model.table import Table
from cartulary.events.model.thinking import Thinker, ask_once
from cartulary.events.model.types import GAME_CREATED, Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move, everything_stored


class Circle(NamedTuple):
    """A running game and those who play it, by seat; a bot has no player."""

    store: Store
    id: str
    players: list[Player | None]

    @property
    def table(self) -> Table:
        return self.store.projector.table(self.id)

    @property
    def asked(self) -> int:
        """The seat that is asked."""
        decision = self.table.decision
        assert decision is not None
        return decision.seat

    @property
    def scores(self) -> list[int]:
        """The points on the board."""
        state = self.table.state
        assert state is not None
        return list(state.scores)

    def who(self, seat: int) -> Player:
        player = self.players[seat]
        assert player is not None
        return player

    def others(self) -> list[int]:
        """The seats of people that are not asked, in order."""
        return [seat for seat, player in enumerate(self.players) if player and seat != self.asked]

    def move(self) -> Written:
        """Let the owner of the seat that is asked move."""
        return self.store.commands.move(Intent(self.who(self.asked)), self.id, any_move(self.table))

    def bot_moves(self) -> Written:
        """Let the bot that is due move."""
        bot = self.table.bot_to_move
        assert bot is not None
        return play_bot(self.store, self.id)

    def answer_all(self) -> None:
        """Play until everybody has answered once."""
        while not self.table.everybody_has_answered:
            self.move() if self.table.bot_to_move is None else self.bot_moves()

    def events(self) -> list[Json]:
        return self.store.ledger.deliver(self.id, 0, 10_000)

    def types(self) -> list[str]:
        return [event["type"] for event in self.events()]


def play_bot(store: Store, game_id: str) -> Written:
    """Let the bot of a game move; any legal move will do."""
    table = store.projector.table(game_id)
    name = table.bot_to_move
    assert name is not None
    thinker = Thinker(name, ask_once(lambda state, rng: rng.choice(state.moves())))
    return store.commands.bots.move(game_id, table.position, [thinker])


def draft_game(store: Store, seats: list[Player | str], **terms: Any) -> Table:
    """Store a game of beans that has started; a name instead of a player is a bot."""
    host = next(one for one in seats if isinstance(one, Player))
    draft = store.commands.writer.draft(f"01GAME{len(list(store.ledger.game_ids())):020}")
    draft.add(
        GAME_CREATED,
        game="beans",
        options={"goal": 9},
        seats=[_seat_json(number, one) for number, one in enumerate(seats)],
        visibility=terms.pop("visibility", "public"),
        created_by=host.id,
        **terms,
    )
    draft.start(store.draws.source)
    return store.commands.writer.append(draft, 0, None).table


def _seat_json(number: int, one: Player | str) -> Json:
    if isinstance(one, str):
        return {"seat": number, "player": None, "bot": one}
    return {"seat": number, "player": {"id": one.id, "name": one.name}, "bot": None}


def circle(store: Store, *seats: str, **terms: Any) -> Circle:
    """Start a game: a seat is a name of a person, or `bot:<name>`; equal names are one person."""
    known: dict[str, Player] = {}
    for name in seats:
        if not name.startswith("bot:") and name not in known:
            known[name] = store.players.create(name)[0]
    sitting: list[Player | str] = [known.get(name, name[4:]) for name in seats]
    table = draft_game(store, sitting, **terms)
    return Circle(store, table.id, [known.get(name) for name in seats])


def vacant_circle(store: Store) -> Circle:
    """Return a game of three in which seat 0 is vacant and a substitute may sit down."""
    game = circle(store, "Ada", "Bob", "Cleo", substitutes=True)
    store.commands.leaving.resign(Intent(game.who(0)), game.id)
    return game


def refuses(kind: type[Exception], circle: Circle, ask: Callable[[], object]) -> Any:
    """Assert that a command is refused and stores nothing; returns the refusal."""
    before = everything_stored(circle.store)
    with pytest.raises(kind) as refused:
        ask()
    assert everything_stored(circle.store) == before
    return refused.value
