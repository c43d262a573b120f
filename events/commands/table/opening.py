"""Requests for a new game: what may be asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.core import Game
from cartulary.engine.errors import InvalidOption, InvalidSeats
from cartulary.events.model.errors import Invalid
from cartulary.events.model.fairness import SCHEME
from cartulary.events.model.offers import Offers
from cartulary.events.model.table_parts import GameSettings
from cartulary.events.model.time.pace import LIVE, complete, find_faults
from cartulary.events.model.time.silence_rules import DAY_MS, find_wait
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player, name_of

KINDS = ("me", "bot", "open", "invite")
VISIBILITIES = ("public", "unlisted", "private")
"""In the lobby; for everybody with the link, to watch or to sit down; for its people only."""
STARTS = ("full", "host")
"""The last seat that is taken starts the game; or the host starts it."""
TAKEBACKS = ("none", "undo", "consent")
"""No move is taken back; only what is free; and what the others agree to."""

ON_TIMEOUT = ("stand_in", "forfeit", "claim")
"""When a flag falls: a bot answers until the player returns; the player is out; others decide."""
CROWD = 3
"""A live table with this number of seats for persons does not wait for a player whose flag fell."""

EXPIRES_MAX_S = 365 * DAY_MS // 1000
"""A game waits for its start for a year at most."""
BOT_DELAY_MAX_MS = 60_000
"""A bot waits for a minute at most before it moves."""


ENTROPY = "[A-Za-z0-9_-]{16,64}"
"""The pattern of an entropy."""
_ENTROPY = re.compile(ENTROPY)


class SeatRequest(NamedTuple):
    """A seat as a player asks for it.

    `kind` is `me`, `bot` (with `bot`, its name), `open`, or `invite` (with `player`, the id of the
    player who is offered the seat).
    """

    kind: str
    bot: str | None = None
    player: str | None = None

    def body(self) -> Json | list[str | None]:
        """Return the seat as a digest covers it; a release without invitations made a pair."""
        return [self.kind, self.bot] if self.player is None else self._asdict()


class NewGame(NamedTuple):
    """A request for a game; `options` may leave out what has a default.

    `entropy` is what the opener adds to the draws, `commitment` the id of a commitment made
    beforehand. `takebacks` (None: `undo`) says what may be taken back, `start` (None: `full`) what
    starts the game, `substitutes` whether another player may take over the seat of a player who
    left. `stand_in` is the bot that answers for an absent player. `expires_in` is in seconds.
    `pace` (None: untimed) is the time of the players, in the form of the HTTP contract, and
    `on_timeout` (None: by the pace and the seats) says what follows when a flag falls. `hints`: the
    player of a practice game may ask for hints. `bot_delay` (None: 0) says for how many ms after
    the last event no bot moves. `rated`: the game counts for the ratings of its players.
    """

    game: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, Any] = {}
    shuffle_seats: bool = False
    visibility: str = "public"
    entropy: str | None = None
    commitment: str | None = None
    takebacks: str | None = None
    start: str | None = None
    substitutes: bool | None = None
    stand_in: str | None = None
    expires_in: int | None = None
    pace: Mapping[str, Any] | None = None
    on_timeout: str | None = None
    hints: bool | None = None
    bot_delay: int | None = None
    rated: bool | None = None

    def body(self) -> Json:
        """Return the request as the digest of its idempotency key covers it.

        Without what is not given: a release that knew less made the same digest.
        """
        whole = {key: value for key, value in self._asdict().items() if value is not None}
        seats = [seat.body() for seat in self.seats]
        return {**whole, "options": dict(self.options), "seats": seats}

    def invited(self) -> dict[int, str]:
        """Return the ids of the invited players by seat."""
        return {n: seat.player for n, seat in enumerate(self.seats) if seat.player is not None}


def check_request(
    request: NewGame, offers: Offers, more: Iterable[tuple[str, str]] = ()
) -> dict[str, str | int]:
    """Return the complete options; raises `Invalid` with everything that is wrong.

    `more` are faults that the caller has found.
    """
    offer = offers.get(request.game)
    if offer is None:
        raise Invalid([("/game", f"there is no game {request.game!r}; there are {sorted(offers)}")])
    game = offer.rules
    errors = [
        *_seats_errors(request, game, offer.bots),
        *_option_errors(request, game),
        *_terms_errors(request, offer.bots),
        *_pace_errors(request),
        *hints_faults(request.hints, request.seats),
        *_entropy_errors(request),
        *more,
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
        for name, fault in seat_faults(seat, game.name, bots):
            yield f"/seats/{number}/{name}", fault


def seat_faults(seat: SeatRequest, game: str, bots: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a seat that a player asks for: the name of the key, a sentence."""
    if seat.kind not in KINDS:
        yield "kind", f"one of {', '.join(KINDS)}"
        return
    if seat.kind == "bot" and seat.bot not in bots:
        yield "bot", f"the bots for {game} are: {', '.join(sorted(bots))}"
    elif seat.kind != "bot" and seat.bot is not None:
        yield "bot", f"a seat of kind {seat.kind} has no bot"
    if (seat.kind == "invite") != (seat.player is not None):
        yield "player", "is needed with the kind invite, and belongs to it only"


def _terms_errors(request: NewGame, bots: Collection[str]) -> Iterator[tuple[str, str]]:
    chosen: dict[str, tuple[str | None, Collection[str]]] = {
        "visibility": (request.visibility, VISIBILITIES),
        "takebacks": (request.takebacks, TAKEBACKS),
        "start": (request.start, STARTS),
        "stand_in": (request.stand_in, bots),
    }
    for name, (value, allowed) in chosen.items():
        if value is not None and value not in allowed:
            yield f"/{name}", f"one of {', '.join(allowed)}"
    if request.expires_in is not None and not 1 <= request.expires_in <= EXPIRES_MAX_S:
        yield "/expires_in", f"1 to {EXPIRES_MAX_S} seconds"
    if request.bot_delay is not None and not 0 <= request.bot_delay <= BOT_DELAY_MAX_MS:
        yield "/bot_delay", f"0 to {BOT_DELAY_MAX_MS} milliseconds"


def _pace_errors(request: NewGame) -> Iterator[tuple[str, str]]:
    if request.pace is not None:
        yield from pace_faults(request.pace)
    if request.on_timeout is None:
        return
    if request.on_timeout not in ON_TIMEOUT:
        yield "/on_timeout", f"one of {', '.join(ON_TIMEOUT)}"
    elif request.pace is None and request.on_timeout != "claim":
        yield "/on_timeout", "an untimed game has no flag: only claim"


def hints_faults(hints: bool | None, seats: Sequence[SeatRequest]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a wish for hints, as (pointer, sentence)."""
    if hints and not is_practice(seats):
        yield "/hints", "only a practice game has hints: one player, and bots on the other seats"


def is_practice(seats: Sequence[SeatRequest]) -> bool:
    """Return whether these seats make a practice game: the caller alone against bots."""
    return {seat.kind for seat in seats} == {"me", "bot"}


def pace_faults(pace: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the pace of a request: a JSON pointer and a sentence."""
    for pointer, fault in find_faults(pace):
        yield f"/pace{pointer}", fault


def pace_terms(
    pace: Mapping[str, Any] | None, on_timeout: str | None, persons: int, rated: bool = False
) -> Json:
    """Return the terms of `game_created` about time, for a pace without faults; {}: untimed.

    `persons` counts the seats that are for no bot. At a live table for three a stand-in plays on
    when a flag falls (`on_timeout` None), so that the game of the others goes on at once. A player
    whose flag falls in a rated game is out.
    """
    if pace is None:
        return {}
    crowd = pace["mode"] == LIVE and persons >= CROWD
    usual = "forfeit" if rated else "stand_in" if crowd else "claim"
    return {"pace": complete(pace), "on_timeout": on_timeout or usual}


def terms_json(request: NewGame) -> Json:
    """Return the terms of `game_created` besides game, options, seats and visibility.

    What is as in games from before these terms is left out.
    """
    live = request.pace is not None and request.pace["mode"] == LIVE
    wait = find_wait(request.visibility, request.expires_in, live)
    persons = sum(seat.kind != "bot" for seat in request.seats)
    terms: Json = {"takebacks": request.takebacks or "undo", "expires_in": wait // 1000}
    if request.start == "host":
        terms["start"] = request.start
    if request.substitutes:
        terms["substitutes"] = True
    if request.stand_in is not None:
        terms["stand_in"] = request.stand_in
    if request.hints:
        terms["hints"] = True
    if request.bot_delay:
        terms["bot_delay"] = request.bot_delay
    if request.rated:
        terms["rated"] = True
    timed = pace_terms(request.pace, request.on_timeout, persons, bool(request.rated))
    return {**terms, **timed}


def same_terms(terms: GameSettings) -> Json:
    """Return the terms of `game_created` for a game that follows another with these terms."""
    live = terms.pace is not None and terms.pace["mode"] == LIVE
    wait = find_wait(terms.visibility, terms.expires_in, live)
    same: Json = {"takebacks": terms.takebacks, "expires_in": wait // 1000}
    if terms.pace is not None:
        same |= {"pace": terms.pace, "on_timeout": terms.on_timeout}
    usual = GameSettings._field_defaults
    for name in ("on_timeout", "substitutes", "start", "stand_in", "hints", "bot_delay", "rated"):
        if (value := getattr(terms, name)) != usual[name]:
            same[name] = value
    return same


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
    sitter = None if player is None else name_of(player)
    seat: Json = {"seat": number, "player": sitter, "bot": bot}
    return seat if entropy is None else {**seat, "entropy": entropy}


def fair_json(commitment: str, given: int) -> Json:
    """Return `fair` of `game_created`."""
    return {"scheme": SCHEME, "commitment": commitment, "given": given}
