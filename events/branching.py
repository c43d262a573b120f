"""Branches: a new game that goes on from any version of another game.

The events of the branch are those of the moves that stand at that version, in one append, as when a
transcript is imported. The draws that follow come from a secret of the branch: nobody learns from a
branch what the other game will draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.chance import RecordedSource
from cartulary.events.checks import must_see
from cartulary.events.creating import Creator
from cartulary.events.drafts import Draft
from cartulary.events.draws import NewSecret
from cartulary.events.errors import Invalid
from cartulary.events.fairness import count_setup
from cartulary.events.ledger import Idempotency, Ledger
from cartulary.events.offers import Offers
from cartulary.events.opening import (
    VISIBILITIES,
    SeatRequest,
    fair_json,
    is_practice,
    must_be_entropy,
    pace_faults,
    pace_terms,
    same_terms,
    seat_faults,
    seat_json,
)
from cartulary.events.players import Player
from cartulary.events.projector import Projector
from cartulary.events.refusals import BranchNotAllowed
from cartulary.events.status import Status
from cartulary.events.table import Table
from cartulary.events.types import GAME_CREATED, GAME_STARTED, MOVE_MADE, Json
from cartulary.events.writer import Written


class BranchRequest(NamedTuple):
    """A request for a branch from `version`.

    `seats` are of the kinds `me` and `bot`, None: the bots stay, the caller has the seats of all
    players. `visibility` None: that of the other game. `entropy` and `commitment` are as in
    `NewGame`. `pace` None: the branch is untimed, whatever the pace of the other game is.
    """

    version: int
    seats: Sequence[SeatRequest] | None = None
    visibility: str | None = None
    entropy: str | None = None
    commitment: str | None = None
    pace: Mapping[str, Any] | None = None

    def body(self) -> Json:
        """Return the request as the digest of its idempotency key covers it.

        Without a pace that is not given: a release that knew none made the same digest.
        """
        seats = None if self.seats is None else [seat.body() for seat in self.seats]
        body = {**self._asdict(), "seats": seats}
        if self.pace is None:
            del body["pace"]
        return body


class Branching:
    """Makes branches. Thread-safe."""

    def __init__(
        self, ledger: Ledger, projector: Projector, creator: Creator, offers: Offers
    ) -> None:
        self._ledger, self._projector = ledger, projector
        self._creator, self._offers = creator, offers

    def branch(
        self, player: Player, game_id: str, request: BranchRequest, key: str | None = None
    ) -> Written:
        """Open a branch; it is running at once.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound` (game),
        `BranchNotAllowed`, `NotFound` (version), `Invalid`, `QuotaExceeded`, `DrawsUnavailable`.
        """
        # A key belongs to a player and a game, here to the game that the branch comes from.
        scoped = None if key is None else f"branch {game_id} {key}"
        idempotency = Idempotency.of(f"create:{player.id}", scoped, "branch", request.body())
        if (done := self._creator.repeat(player, idempotency)) is not None:
            return done
        now = self._projector.table(game_id)
        must_see(now, player)
        _must_allow_branches(now, player)
        origin = self._projector.table(game_id, request.version)
        seats = self._choose_seats(origin, request)
        visibility = _choose_visibility(origin, request.visibility)
        must_be_entropy(request.entropy)
        if request.pace is not None and (faults := list(pace_faults(request.pace))):
            raise Invalid(faults)
        events = self._ledger.events(game_id, 0, request.version)

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=origin.game,
                options=origin.options,
                seats=[
                    seat_json(number, player, None, request.entropy)
                    if seat.kind == "me"
                    else seat_json(number, None, seat.bot)
                    for number, seat in enumerate(seats)
                ],
                visibility=visibility,
                created_by=player.id,
                fair=fair_json(secret.commit(), _count_given(origin, events)),
                branched_from={"game": game_id, "version": request.version},
                **_choose_terms(origin, request, seats),
            )
            if origin.play is None:
                self._creator.start_if_full(draft)
            else:
                _copy_play(draft, origin, events)

        return self._creator.create(player, idempotency, decide, request.commitment, imported=True)

    def _choose_seats(self, origin: Table, request: BranchRequest) -> Sequence[SeatRequest]:
        """Return who sits where in the branch; raises `Invalid`."""
        bots = self._offers[origin.game].bots
        if request.seats is None:
            return [
                SeatRequest("me") if seat.bot is None else SeatRequest("bot", seat.bot)
                for seat in origin.seats
            ]
        if len(request.seats) != len(origin.seats):
            raise Invalid([("/seats", f"the game has {len(origin.seats)} seats at this version")])
        errors = []
        for number, seat in enumerate(request.seats):
            if seat.kind not in ("me", "bot"):
                errors.append((f"/seats/{number}/kind", "a branch is running: one of me, bot"))
                continue
            errors += [
                (f"/seats/{number}/{name}", fault)
                for name, fault in seat_faults(seat, origin.game, bots)
            ]
        if errors:
            raise Invalid(errors)
        return request.seats


def _must_allow_branches(table: Table, player: Player) -> None:
    """Raise `BranchNotAllowed` while somebody else plays the game.

    Who tries moves in a branch would know more than the others.
    """
    if table.status.finished:
        return
    persons = {seat.player["id"] for seat in table.seats if seat.player and seat.contending}
    if table.status is Status.OPEN or persons != {player.id}:
        raise BranchNotAllowed


def _choose_visibility(origin: Table, wish: str | None) -> str:
    """Return the visibility of a branch; raises `Invalid`."""
    if wish is not None and wish not in VISIBILITIES:
        raise Invalid([("/visibility", f"one of {', '.join(VISIBILITIES)}")])
    if origin.visibility == "private" and wish not in (None, "private"):
        raise Invalid([("/visibility", "a branch of a private game is private")])
    return wish or origin.visibility


def _choose_terms(origin: Table, request: BranchRequest, seats: Sequence[SeatRequest]) -> Json:
    """Return the terms of the other game, but with the start and the time of the branch."""
    terms = {**same_terms(origin.terms), "start": "full"}
    for name in ("pace", "on_timeout"):
        terms.pop(name, None)
    if not is_practice(seats):
        terms.pop("hints", None)
    persons = sum(seat.kind == "me" for seat in seats)
    return {**terms, **pace_terms(request.pace, None, persons)}


def _count_given(origin: Table, events: Iterable[Json]) -> int:
    """Return how many outcomes of the branch come from the other game, as draws are numbered."""
    if origin.play is None:
        return 0
    drawn = sum(len(event["chance"]) for event in _list_standing(origin, events))
    return drawn + count_setup(origin.rules, len(origin.seats), origin.options)


def _list_standing(origin: Table, events: Iterable[Json]) -> list[Json]:
    """Return the events of the start and of the moves that stand, in order."""
    played = (GAME_STARTED, MOVE_MADE)
    return [
        event for event in events if event["type"] in played and origin.stands(event["version"])
    ]


def _copy_play(draft: Draft, origin: Table, events: Iterable[Json]) -> None:
    """Add the start of the other game and its moves that stand."""
    start, *moves = _list_standing(origin, events)
    state = origin.rules.new(len(origin.seats), origin.options, start["setup"])
    facts: list[Json] = []
    state.facts = facts
    chance = state.settle(RecordedSource(start["chance"]))
    draft.add_start(start["setup"], chance, facts, state)
    for event in moves:
        step = state.apply(event["move"], RecordedSource(event["chance"]))
        draft.add_move(event["seat"], event["move"], step.chance, step.facts, state)
