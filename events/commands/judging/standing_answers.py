"""The commands about standing answers, and how a command uses them (`events.ledger.standing`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cartulary.engine.errors import IllegalMove
from cartulary.events.commands.judging.checks import list_contending, must_hold
from cartulary.events.commands.judging.consent import lapse_by_move
from cartulary.events.ledger.drafts import Deal, Draft
from cartulary.events.ledger.ledger import Idempotency
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.standing import (
    GAME,
    ROUND,
    UNTIL,
    Given,
    GivenAnswers,
    StandingAnswer,
    Standings,
    has_rounds,
    read_round,
)
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.errors import GameNotRunning, IdempotencyMismatch, Invalid
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player

LONGEST: Final = 100
"""Standing answers in one append: then the question waits for its player as usual."""


def answer_by_standing(draft: Draft, deal: Deal) -> None:
    """Answer the questions to which the seat that is asked has a standing answer.

    The owner of the seat must be there: for an owner who is away the stand-in answers. A question
    that the answer does not fit waits for its player as usual.
    """
    for _ in range(LONGEST):
        found = _find_answer(draft.table, draft.standing)
        if found is None:
            return
        lapse_by_move(draft, found, by_bot=True)
        draft.play(found, deal, by="standing_answer")


def _find_answer(table: Table, standing: GivenAnswers) -> Any:
    """Return the move (internal form) with which the pending question is answered, or None."""
    if table.play is None or not table.running:
        return None
    state = table.play.state
    seat = table.seats[state.seat]
    if seat.player is None or seat.answering_bot is not None or not seat.contending:
        return None
    given = standing.given.get(seat.player["id"])
    if given is None:
        return None
    move = next((one.move for one in given.list_for(table) if one.kind == state.kind), None)
    if move is None:
        return None
    try:
        return state.find(move)
    except IllegalMove:
        return None


class StandingAnswers:
    """What a player may do with the own standing answers. Thread-safe.

    They hold for all seats of the player in the game, so they outlast a start that shuffles the
    seats; a player who takes a seat over gets none with it.
    """

    def __init__(self, projector: Projector, standings: Standings) -> None:
        self._projector, self._standings = projector, standings

    def show(self, player: Player, game_id: str) -> list[Json]:
        """Return the answers of a player that hold now. Raises `NotFound`, `NotSeated`."""
        table = self._projector.table(game_id)
        must_hold(table, player)
        given = self._standings.read(game_id).given.get(player.id)
        return [] if given is None else [one.to_json() for one in given.list_for(table)]

    def change(
        self, player: Player, game_id: str, answers: Sequence[Json], key: str | None = None
    ) -> tuple[list[Json], bool]:
        """Set all standing answers of a player; the answers from before are gone.

        They hold for questions to come: a question that is pending waits for its player. Returns
        the answers, and whether the key was used before with the same answers: then nothing has
        changed. Raises `IdempotencyMismatch`, `NotFound`, `NotSeated`, `GameNotRunning` (ended),
        `SeatForfeited`, `Invalid`.
        """
        table = self._projector.table(game_id)
        idempotency = Idempotency.of(player.id, key, "standing_answers", answers)
        if idempotency is not None:
            known = self._standings.find_record(game_id, idempotency.field)
            if known is not None:
                return _repeat(known, idempotency, answers)
        seats = must_hold(table, player)
        if table.status not in (Status.OPEN, Status.RUNNING):
            raise GameNotRunning(table.status)
        list_contending(table, seats)
        given = _read_answers(table, answers)
        known = self._standings.write(game_id, player.id, given, *(idempotency or ()))
        if known is not None and idempotency is not None:
            return _repeat(known, idempotency, answers)
        return [one.to_json() for one in given.answers], False


def _repeat(
    known: IdempotencyRecord, idempotency: Idempotency, answers: Sequence[Json]
) -> tuple[list[Json], bool]:
    """Return what a key led to the first time: its answers. Raises `IdempotencyMismatch`."""
    if known.digest != idempotency.digest:
        raise IdempotencyMismatch
    return list(answers), True


def _read_answers(table: Table, answers: Sequence[Json]) -> Given:
    """Return what a player gives at a table; raises `Invalid` with each fault."""
    faults = list(_find_faults(table, answers))
    if faults:
        raise Invalid(faults)
    place, now = table.course.place(table.position), read_round(table)
    found = [
        StandingAnswer(one["kind"], one["move"], one["until"], now if one["until"] == ROUND else 0)
        for one in answers
    ]
    return Given(place, found)


def _find_faults(table: Table, answers: Sequence[Json]) -> Iterator[tuple[str, str]]:
    contract, kinds = table.rules.contract, set()
    for number, one in enumerate(answers):
        kind, at = one["kind"], f"/answers/{number}"
        if kind not in contract.decisions:
            yield f"{at}/kind", f"one of {', '.join(contract.decisions)}"
            continue
        if kind in kinds:
            yield f"{at}/kind", "there is an answer to this kind already"
        kinds.add(kind)
        plain = _list_plain_moves(table, kind)
        if one["move"] not in plain:
            known = " or ".join(f'{{"type": "{move["type"]}"}}' for move in plain)
            yield f"{at}/move", known or "every answer to this kind needs a choice"
        if one["until"] not in UNTIL:
            yield f"{at}/until", f"one of {', '.join(UNTIL)}"
        elif one["until"] == ROUND and not (has_rounds(table) and table.running):
            yield f"{at}/until", f"no round is being played: use `{GAME}`"


def _list_plain_moves(table: Table, kind: str) -> list[Json]:
    """Return the moves of a kind of question that leave no further choice: a type, nothing else."""
    contract = table.rules.contract
    plain = [name for name, schema in contract.moves.items() if len(schema["properties"]) == 1]
    return [{"type": name} for name in contract.decisions[kind].moves if name in plain]
