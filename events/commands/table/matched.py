"""Matched games: players who have sought a game sit down together, or with bots until others come.

No player is the opener of such a game more than another: the lot decides who sits where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.bots.levels import find_usual
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.opening import (
    NewGame,
    SeatRequest,
    check_request,
    fair_json,
    seat_json,
    terms_json,
)
from cartulary.events.commands.table.rated import RatedTables
from cartulary.events.draws.draws import NewSecret
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import NotFound
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_CREATED
from cartulary.events.people.players import Player
from cartulary.events.server.format import WITH_FILLED_SEATS


class MatchedGame(NamedTuple):
    """A game for players who were matched; the first of them is its host.

    `bots` seats are for bots, which players can take over while the game runs. `pointer` is the key
    that reserves the id of the game: the same match leads to the same game. `rated`: the game
    counts for the ratings of its players.
    """

    players: Sequence[Player]
    game: str
    options: Mapping[str, Any]
    pace: Mapping[str, Any] | None
    bots: int
    pointer: str
    rated: bool = False


class MatchedGames:
    """Opens matched games. Thread-safe. `read_format` returns the format of the store."""

    def __init__(
        self,
        creator: Creator,
        projector: Projector,
        offers: Offers,
        rated: RatedTables,
        read_format: Callable[[], int],
    ) -> None:
        self._creator, self._projector, self._offers = creator, projector, offers
        self._rated, self._read_format = rated, read_format

    def open(self, wish: MatchedGame) -> Table:
        """Open a game that starts at once; repeated, return the game of the first time.

        Raises `Invalid` (what the seeks say is on offer no more), `QuotaExceeded`,
        `AccountNeeded`, `RatedGame`, `DrawsUnavailable`.
        """
        if (found := self.find(wish.pointer)) is not None:
            return found
        request = self._make_request(wish)
        options = check_request(request, self._offers)
        host = wish.players[0]

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=request.game,
                options=options,
                seats=_list_seats(wish, request),
                visibility=request.visibility,
                created_by=host.id,
                shuffle_seats=True,
                fair=fair_json(secret.commit(), 0),
                **terms_json(request),
                **({"fill": "bots"} if wish.bots else {}),
            )
            self._rated.check(draft)
            self._creator.start_if_full(draft)

        try:
            seated = [one.id for one in wish.players[1:]]
            done = self._creator.create(host, None, decide, pointer=wish.pointer, seated=seated)
        except VersionConflict:
            found = self.find(wish.pointer)
            assert found is not None, "a version conflict comes from the game of this match"
            return found
        return done.table

    @property
    def may_fill(self) -> bool:
        """Whether games may begin with bots whose seats players can take over."""
        return self._read_format() >= WITH_FILLED_SEATS

    def find(self, pointer: str) -> Table | None:
        """Return the game of a match, None when it is not there yet."""
        game_id = self._creator.find_reserved(pointer)
        if game_id is None:
            return None
        try:
            return self._projector.table(game_id)
        except NotFound:
            return None

    def _make_request(self, wish: MatchedGame) -> NewGame:
        """Return the match as a request; the time of a game of people runs out for good."""
        offer = self._offers.get(wish.game)
        bot = find_usual(offer.bots) if offer is not None and wish.bots else None
        seats = [SeatRequest("me")] * len(wish.players) + [SeatRequest("bot", bot)] * wish.bots
        forfeit = wish.pace is not None and not wish.bots
        return NewGame(
            wish.game,
            seats,
            wish.options,
            shuffle_seats=True,
            substitutes=bool(wish.bots),
            pace=wish.pace,
            on_timeout="forfeit" if forfeit else None,
            rated=wish.rated or None,
        )


def _list_seats(wish: MatchedGame, request: NewGame) -> list[dict[str, Any]]:
    people = [*wish.players, *[None] * wish.bots]
    return [
        seat_json(number, player, seat.bot)
        for number, (player, seat) in enumerate(zip(people, request.seats, strict=True))
    ]
