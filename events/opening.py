"""Requests for a new game: what may be asked for."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.core import Game
from cartulary.engine.errors import InvalidOption, InvalidSeats
from cartulary.events.errors import Invalid
from cartulary.events.offers import Offers
from cartulary.events.players import Player
from cartulary.events.types import Json

KINDS = ("me", "bot", "open")
VISIBILITIES = ("public", "unlisted", "private")
"""In the lobby; for everybody with the link, to watch or to sit down; for its players only."""


class SeatRequest(NamedTuple):
    """A seat of a new game: `kind` is `me`, `bot` (with `bot`, its name) or `open`."""

    kind: str
    bot: str | None = None


class NewGame(NamedTuple):
    """A request for a game; `options` may leave out what has a default."""

    game: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, Any] = {}
    shuffle_seats: bool = False
    visibility: str = "public"


def check_request(request: NewGame, offers: Offers) -> dict[str, str | int]:
    """Return the complete options; raises `Invalid` with everything that is wrong."""
    offer = offers.get(request.game)
    if offer is None:
        raise Invalid([("/game", f"there is no game {request.game!r}; there are {sorted(offers)}")])
    game = offer.rules
    errors = [
        *_seats_errors(request, game, offer.bots),
        *_option_errors(request, game),
        *_visibility_errors(request),
    ]
    if errors:
        raise Invalid(errors)
    return game.check(len(request.seats), request.options)


def _seats_errors(request: NewGame, game: Game, bots: Collection[str]) -> Iterator[tuple[str, str]]:
    try:
        game.check(len(request.seats), {})
    except InvalidSeats as error:
        yield "/seats", str(error)
    for number, seat in enumerate(request.seats):
        if seat.kind not in KINDS:
            yield f"/seats/{number}/kind", f"one of {', '.join(KINDS)}"
        elif seat.kind == "bot" and seat.bot not in bots:
            yield f"/seats/{number}/bot", f"the bots for {game.name} are: {', '.join(sorted(bots))}"
        elif seat.kind != "bot" and seat.bot is not None:
            yield f"/seats/{number}/bot", f"a seat of kind {seat.kind} has no bot"


def _visibility_errors(request: NewGame) -> Iterator[tuple[str, str]]:
    if request.visibility not in VISIBILITIES:
        yield "/visibility", f"one of {', '.join(VISIBILITIES)}"
    elif request.visibility == "private" and any(seat.kind == "open" for seat in request.seats):
        # Only seated players see a private game, so nobody could take the seat: it never starts.
        yield "/visibility", "a private game cannot have an open seat: nobody else can see the game"


def _option_errors(request: NewGame, game: Game) -> Iterator[tuple[str, str]]:
    for name, value in request.options.items():
        try:
            game.check(game.seats_from, {name: value})
        except InvalidOption as error:
            yield error.pointer, str(error)


def seats_json(request: NewGame, player: Player, rng: random.Random) -> list[Json]:
    """Return the seats of `game_created`, in the order asked for or shuffled."""
    order = list(request.seats)
    if request.shuffle_seats:
        rng.shuffle(order)
    return [
        {
            "seat": number,
            "player": {"id": player.id, "name": player.name} if seat.kind == "me" else None,
            "bot": seat.bot,
        }
        for number, seat in enumerate(order)
    ]
