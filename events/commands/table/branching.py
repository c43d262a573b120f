"""Branches: a new game that goes on from any version of another game.

The events of the branch are those of the moves that stand at that version, in one append, as when a
transcript is imported. The draws that follow come from a secret of the branch: no player learns
from a branch what the other game will draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.chance import RecordedSource
from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.commands.judging.checks import must_be_of_no_round, must_see
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.judging.ladders import leave_ladder
from cartulary.events.commands.table import opening
from cartulary.events.commands.table.creating import Creator
from cartulary.events.draws.draws import NewSecret
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.errors import BranchNotAllowed, Invalid
from cartulary.events.model.fairness import count_setup
from cartulary.events.model.ladders import BRANCH
from cartulary.events.model.offers import Offers
from cartulary.events.model.sealing import must_be_unsealed
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_CREATED, GAME_STARTED, MOVE_MADE, Json
from cartulary.events.people.players import Player


class NewBranch(NamedTuple):
    """A request for a branch from `version`.

    `seats` are of the kinds `me` and `bot`, None: the bots stay, the caller has the seats of all
    players. `visibility` None: that of the other game. `entropy` and `commitment` are as in
    `NewGame`. `pace` None: the branch is untimed, whatever the pace of the other game is. `hints`
    None: as in the other game, if the branch is a practice game.
    """

    version: int
    seats: Sequence[opening.SeatRequest] | None = None
    visibility: str | None = None
    entropy: str | None = None
    commitment: str | None = None
    pace: Mapping[str, Any] | None = None
    hints: bool | None = None

    def body(self) -> Json:
        """Return the request as the digest of its idempotency key covers it.

        Without a pace or hints that are not given: a release that knew none made the same digest.
        """
        seats = None if self.seats is None else [seat.body() for seat in self.seats]
        body = {**self._asdict(), "seats": seats}
        for name in ("pace", "hints"):
            if body[name] is None:
                del body[name]
        return body


class Branching:
    """Makes branches. Thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        writer: EventWriter,
        creator: Creator,
        offers: Offers,
        bringing_back: BringingBack,
    ) -> None:
        self._bringing_back = bringing_back
        self._ledger, self._projector = ledger, projector
        self._writer, self._creator, self._offers = writer, creator, offers

    def branch(self, intent: Intent, game_id: str, request: NewBranch) -> Written:
        """Open a branch; it is running at once.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound` (game),
        `RoundOpen`, `BranchNotAllowed`, `NotFound` (version), `Invalid`, `QuotaExceeded`,
        `DrawsUnavailable`.
        """
        use = intent.identify("branch", request.body())
        return self._creator.once(game_id, use, lambda: self._branch(intent, game_id, request))

    def _branch(self, intent: Intent, game_id: str, request: NewBranch) -> Written:
        # A key belongs to a player and a game, here to the game that the branch comes from.
        scoped = None if intent.key is None else f"branch {game_id} {intent.key}"
        idempotency = intent._replace(key=scoped).identify_creation("branch", request.body())
        if (done := self._creator.repeat(intent.who, idempotency)) is not None:
            return done
        now = self._projector.table(game_id)
        must_see(now, intent.who)
        _must_allow_branches(now, intent.who)
        origin = self._projector.table(game_id, request.version)
        seats = self._choose_seats(origin, request)
        visibility = _choose_visibility(origin, request.visibility)
        opening.must_be_entropy(request.entropy)
        if request.pace is not None and (faults := list(opening.pace_faults(request.pace))):
            raise Invalid(faults)
        if faults := list(opening.hints_faults(request.hints, seats)):
            raise Invalid(faults)
        events = self._ledger.events(game_id, 0, request.version)

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=origin.game,
                options=origin.options,
                seats=[
                    opening.seat_json(number, intent.who, None, request.entropy)
                    if seat.kind == "me"
                    else opening.seat_json(number, None, seat.bot)
                    for number, seat in enumerate(seats)
                ],
                visibility=visibility,
                created_by=intent.who.id,
                fair=opening.fair_json(secret.commit(), _count_given(origin, events)),
                branched_from={"game": game_id, "version": request.version},
                **_choose_terms(origin, request, seats),
            )
            if origin.play is None:
                self._creator.start_if_full(draft)
            else:
                _copy_play(draft, origin, events)

        def leave() -> None:
            if now.course.ladder is not None and now.running:
                self._writer.write(game_id, None, lambda _table, draft: leave_ladder(draft, BRANCH))

        self._bringing_back.pin(game_id)
        return self._creator.create(
            intent.who, idempotency, decide, request.commitment, imported=True, first=leave
        )

    def _choose_seats(self, origin: Table, request: NewBranch) -> Sequence[opening.SeatRequest]:
        """Return who sits where in the branch; raises `Invalid`."""
        bots = self._offers[origin.game].bots
        if request.seats is None:
            return [
                opening.SeatRequest("me")
                if seat.bot is None
                else opening.SeatRequest("bot", seat.bot)
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
                for name, fault in opening.seat_faults(seat, origin.game, bots)
            ]
        if errors:
            raise Invalid(errors)
        return request.seats


def _must_allow_branches(table: Table, player: Player) -> None:
    """Raise `BranchNotAllowed` while another player plays the game, `RoundOpen` during a round.

    Who tries moves in a branch would know more than the others.
    """
    must_be_unsealed(table)
    if table.status.finished:
        return
    must_be_of_no_round(table, "no player tries moves in a branch")
    persons = {seat.player["id"] for seat in table.seats if seat.player and seat.contending}
    if table.status is Status.OPEN or table.terms.rated or persons != {player.id}:
        raise BranchNotAllowed


def _choose_visibility(origin: Table, wish: str | None) -> str:
    """Return the visibility of a branch; raises `Invalid`."""
    if wish is not None and wish not in opening.VISIBILITIES:
        raise Invalid([("/visibility", f"one of {', '.join(opening.VISIBILITIES)}")])
    if origin.visibility == "private" and wish not in (None, "private"):
        raise Invalid([("/visibility", "a branch of a private game is private")])
    return wish or origin.visibility


def _choose_terms(origin: Table, request: NewBranch, seats: Sequence[opening.SeatRequest]) -> Json:
    """Return the terms of the other game, but with the start and the time of the branch."""
    terms = {**opening.same_terms(origin.terms), "start": "full"}
    for name in ("pace", "on_timeout", "rated"):
        terms.pop(name, None)
    hints = terms.pop("hints", False) if request.hints is None else request.hints
    if hints and opening.is_practice(seats):
        terms["hints"] = True
    persons = sum(seat.kind == "me" for seat in seats)
    return {**terms, **opening.pace_terms(request.pace, None, persons)}


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
