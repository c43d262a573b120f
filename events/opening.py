"""Requests for a new game: what may be asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.core import Game
from cartulary.engine.errors import InvalidOption, InvalidSeats
from cartulary.events.errors import Invalid
from cartulary.events.fairness import SCHEME
from cartulary.events.offers import Offers
from cartulary.events.players import Player
from cartulary.events.types import Json

KINDS = ("me", "bot", "open")
VISIBILITIES = ("public", "unlisted", "private")
"""In the lobby; for everybody with the link, to watch or to sit down; for its players only."""


ENTROPY = "[A-Za-z0-9_-]{16,64}"
"""The pattern of an entropy."""
_ENTROPY = re.compile(ENTROPY)


class SeatRequest(NamedTuple):
    """A seat of a new game: `kind` is `me`, `bot` (with `bot`, its name) or `open`."""

    kind: str
    bot: str | None = None


class NewGame(NamedTuple):
    """A request for a game; `options` may leave out what has a default.

    `entropy` is what the opener adds to the draws, `commitment` the id of a commitment made
    beforehand.
    """

    game: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, Any] = {}
    shuffle_seats: bool = False
    visibility: str = "public"
    entropy: str | None = None
    commitment: str | None = None

    def body(self) -> Json:
        """Return the request as the digest of its idempotency key covers it.

        Without what is not given: a release that knew less made the same digest.
        """
        whole = {**self._asdict(), "options": dict(self.options)}
        later = ("entropy", "commitment")
        return {key: value for key, value in whole.items() if key not in later or value is not None}


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
        *_entropy_errors(request),
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


def _entropy_errors(request: NewGame) -> Iterator[tuple[str, str]]:
    if request.entropy is None:
        return
    if fault := fault_of_entropy(request.entropy):
        yield "/entropy", fault
    elif not any(seat.kind == "me" for seat in request.seats):
        yield "/entropy", "the opener has no seat that the entropy could belong to"


def fault_of_entropy(entropy: object) -> str | None:
    """Say why a value is no entropy, None when it is."""
    if isinstance(entropy, str) and _ENTROPY.fullmatch(entropy):
        return None
    return "an entropy has 16 to 64 characters, each of A-Z, a-z, 0-9, - and _"


def must_be_entropy(entropy: str | None) -> None:
    """Raise `Invalid` for an entropy of another form; None is allowed."""
    if entropy is not None and (fault := fault_of_entropy(entropy)):
        raise Invalid([("/entropy", fault)])


def _option_errors(request: NewGame, game: Game) -> Iterator[tuple[str, str]]:
    for name, value in request.options.items():
        try:
            game.check(game.seats_from, {name: value})
        except InvalidOption as error:
            yield error.pointer, str(error)


def seats_json(request: NewGame, player: Player) -> list[Json]:
    """Return the seats of `game_created`, in the order asked for."""
    return [
        seat_json(number, player, None, request.entropy)
        if seat.kind == "me"
        else seat_json(number, None, seat.bot)
        for number, seat in enumerate(request.seats)
    ]


def seat_json(
    number: int, player: Player | None, bot: str | None, entropy: str | None = None
) -> Json:
    """Return a seat of `game_created`; without entropy the key is missing."""
    sitter = None if player is None else {"id": player.id, "name": player.name}
    seat: Json = {"seat": number, "player": sitter, "bot": bot}
    return seat if entropy is None else {**seat, "entropy": entropy}


def fair_json(commitment: str, given: int) -> Json:
    """Return `fair` of `game_created`."""
    return {"scheme": SCHEME, "commitment": commitment, "given": given}
