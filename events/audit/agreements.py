"""What the audit asks of leaving, agreeing and taking back: does each event follow? Pure.

The words are those of the audit: `takeback` (not a position that stands, or not its moves, or a
practice game that should have left its ladder first), `consent` (something happened without the
answers that it needs), `forfeit` (leaving, or an end of the play, that does not follow). The rules
are in `docs/living.md`: "People who leave", "Taking moves back", "Agreeing".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from cartulary.events.commands.game.timeouts import FORFEIT, RETURNS, STAND_IN
from cartulary.events.commands.judging.endings import is_decided
from cartulary.events.model.ladders import PRACTICE, is_harmless
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Proposal
from cartulary.events.model.types import (
    GAME_ABORTED,
    GAME_PAUSED,
    MOVES_TAKEN_BACK,
    PLAY_ENDED,
    PROPOSAL_CLOSED,
    SEAT_FORFEITED,
    Json,
)

Fault = tuple[str, str]
"""The word of the audit, and what should have been."""

CARRIED_OUT_BY: Final = {
    "takeback": MOVES_TAKEN_BACK,
    "abort": GAME_ABORTED,
    "end": PLAY_ENDED,
    "pause": GAME_PAUSED,
    "forfeit": SEAT_FORFEITED,
}
"""The event that follows at once on the acceptance of a proposal, by its kind."""


class RequiredEvent(NamedTuple):
    """An event that has to come next, in the same append; `problem` is the word when it does not.

    `proposal` is the accepted proposal that the event carries out, if any.
    """

    type: str
    problem: str
    proposal: Proposal | None = None


class AgreementAudit:
    """Follows one stream; takes its events in order."""

    def __init__(self) -> None:
        self._moves: dict[int, Json] = {}
        self._due: RequiredEvent | None = None

    def faults(self, before: Table | None, after: Table, event: Json) -> Iterator[Fault]:
        """Take an event that has been folded; yield what does not follow from the events before."""
        due, self._due = self._due, None
        if before is None:
            return
        if due is not None and due.type == PLAY_ENDED and event["type"] == PROPOSAL_CLOSED:
            self._due, due = due, None  # no proposal outlasts the play
        if due is not None and due.type == PLAY_ENDED and _is_absent(before, event):
            due = None  # all who were absent at the start forfeit before the play ends
        if due is not None and due.type != event["type"]:
            yield due.problem, f"{due.type} has to come here"
            due = None
        agreed = None if due is None else due.proposal
        match event["type"]:
            case "proposal_made" | "proposal_closed" | "game_paused":
                yield from self._faults_of_consent(before, event, agreed)
            case "moves_taken_back":
                yield from self._faults_of_takeback(before, event, agreed)
            case "seat_forfeited" | "stand_in_seated":
                yield from _faults_of_leaving(before, event, agreed)
                if _is_decided(after):
                    self._due = RequiredEvent(PLAY_ENDED, "forfeit")
            case "play_ended":
                yield from _faults_of_end(before, event, agreed)
            case "game_aborted":
                yield from _faults_of_abort(before, event, agreed)
            case "move_made":
                self._moves[event["version"]] = event
                yield from _faults_of_move(before, event)

    def unfinished(self) -> Iterator[Fault]:
        """Yield what is missing after the last event."""
        if self._due is not None:
            yield self._due.problem, f"{self._due.type} has to follow"

    def _moves_after(self, version: int) -> list[int]:
        return [move for move in self._moves if move > version]

    def _faults_of_consent(
        self, before: Table, event: Json, agreed: Proposal | None
    ) -> Iterator[Fault]:
        if event["type"] == GAME_PAUSED:
            yield from _faults_of_pause(event, agreed)
        elif event["type"] == PROPOSAL_CLOSED:
            yield from self._faults_of_closing(before, event)
        else:
            yield from self._faults_of_proposal(before, event)

    def _faults_of_proposal(self, before: Table, event: Json) -> Iterator[Fault]:
        proposer = before.seats[event["seat"]]
        if proposer.player is None or not proposer.contending:
            yield "consent", f"seat {event['seat']} may propose nothing"
            return
        asked = {_owner(before, seat) for seat in event["needs"]}
        wanted = _list_asked(before, proposer.player["id"], event.get("target"))
        if asked != wanted:
            yield "consent", f"{sorted(wanted)} have to agree, and {sorted(map(str, asked))} do"
        if event["kind"] == "takeback":
            yield from self._faults_of_moves(before, event["to_version"], event["moves"])

    def _faults_of_closing(self, before: Table, event: Json) -> Iterator[Fault]:
        proposal = before.course.proposal
        assert proposal is not None
        answers = dict(proposal.answers)
        if event["outcome"] == "declined" and "decline" not in answers.values():
            yield "consent", "nobody has declined"
        if event["outcome"] != "accepted":
            return
        missing = [seat for seat in proposal.needs if answers.get(seat) != "accept"]
        if missing:
            yield "consent", f"seats {missing} have not accepted"
        if proposal.kind in CARRIED_OUT_BY:
            self._due = RequiredEvent(CARRIED_OUT_BY[proposal.kind], "consent", proposal)

    def _faults_of_takeback(
        self, before: Table, event: Json, agreed: Proposal | None
    ) -> Iterator[Fault]:
        to = event["to_version"]
        yield from self._faults_of_moves(before, to, event["moves"])
        taken = [move for version, move in self._moves.items() if version > to]
        if before.course.ladder == PRACTICE and not is_harmless(taken):
            yield "takeback", "a practice game leaves its ladder before such a takeback"
        self._moves = {version: move for version, move in self._moves.items() if version <= to}
        if event["proposal"] is None:
            if not _is_free(before, event["seat"], to):
                yield "consent", f"seat {event['seat']} may not go back to {to} without asking"
        elif agreed is None or agreed.id != event["proposal"]:
            yield "consent", f"proposal {event['proposal']} has not been accepted just now"
        elif (agreed.seat, agreed.to_version) != (event["seat"], to):
            yield "consent", f"seat {agreed.seat} may go back to {agreed.to_version}"

    def _faults_of_moves(self, before: Table, to: int, moves: list[int]) -> Iterator[Fault]:
        if not before.course.started <= to <= before.version or not before.stands(to):
            yield "takeback", f"version {to} is not a version that stands"
        elif moves != self._moves_after(to):
            yield "takeback", f"the moves after {to} are {self._moves_after(to)}"


def _is_absent(table: Table, event: Json) -> bool:
    """Return whether a player was not there when a game of a tournament began."""
    at_start = table.position == table.course.started
    left = event["type"] == SEAT_FORFEITED and event["reason"] == "left"
    return table.terms.tournament is not None and at_start and left


def _is_imported(table: Table) -> bool:
    """Return whether a transcript says who left, and how the game ended."""
    return table.terms.bot_seats is not None


def _owner(table: Table, number: int) -> str | None:
    """Return the id of the player who contends on a seat, None without any."""
    if not 0 <= number < len(table.seats):
        return None
    seat = table.seats[number]
    return seat.player["id"] if seat.player is not None and seat.contending else None


def _list_asked(table: Table, proposer: str, target: int | None) -> set[str]:
    """Return the persons who have to agree: all others who contend; in a claim, who are there."""
    seats = _list_people(table) if target is None else table.persons
    without = {proposer, None if target is None else _owner(table, target)}
    return {owner for seat in seats if (owner := _owner(table, seat)) and owner not in without}


def _is_free(table: Table, seat: int, to: int) -> bool:
    """Return whether the player of a seat may go back to a version without asking."""
    free, place = table.free_takeback, table.course.place
    if free is None or _owner(table, seat) is None:
        return False
    return _owner(table, seat) == _owner(table, free.seat) and place(to) >= place(free.free_to)


def _is_decided(table: Table) -> bool:
    """Return whether no opponent is left, or no person is left."""
    if _is_imported(table):
        return False  # a transcript says itself how its game ended
    return is_decided(table, table.contending_seats)


def _list_people(table: Table) -> list[int]:
    """Return the seats of the persons who contend, also of those who are away."""
    return [number for number, seat in enumerate(table.seats) if seat.person]


def _faults_of_leaving(before: Table, event: Json, agreed: Proposal | None) -> Iterator[Fault]:
    seat = event["seat"]
    if agreed is not None and agreed.target != seat:
        yield "consent", f"the players have agreed about seat {agreed.target}"
    if event["type"] != SEAT_FORFEITED or _is_imported(before):
        return
    left = [one for one in before.contending_seats if one != seat]
    ends = is_decided(before, left)
    if ends != (event["stand_in"] is None):
        yield "forfeit", "the play ends here" if ends else f"a bot has to stand in for seat {seat}"
    if _forfeits_by_rule(before, seat):
        return
    present = {_owner(before, one) for one in before.persons} - {_owner(before, seat)}
    if event["reason"] == "timed_out" and agreed is None and len(present) > 1:
        yield "consent", f"{len(present)} players have to agree that seat {seat} forfeits"


def _forfeits_by_rule(before: Table, number: int) -> bool:
    """Return whether the flag of a seat has fallen, and by the terms the seat is lost then."""
    if not before.overdue or before.play is None or before.play.state.seat != number:
        return False
    follows = before.terms.on_timeout
    return follows == FORFEIT or (follows == STAND_IN and before.seats[number].returns >= RETURNS)


def _faults_of_end(before: Table, event: Json, agreed: Proposal | None) -> Iterator[Fault]:
    if event["reason"] == "window":
        if before.terms.tournament is None and not _is_imported(before):
            yield "consent", "only the game of a tournament ends with the window of its round"
    elif event["reason"] == "agreement":
        if agreed is None and not _is_imported(before):
            yield "consent", "no proposal to end the game has been accepted just now"
    elif not _is_imported(before) and not _is_decided(before):
        has_forfeited = any(seat.forfeited is not None for seat in before.seats)
        if not (before.resting and has_forfeited):
            yield "forfeit", "several seats contend, and a person is among them"


def _faults_of_abort(before: Table, event: Json, agreed: Proposal | None) -> Iterator[Fault]:
    code = event.get("code")
    if code == "agreed" and agreed is None:
        asked = before.decision.seat if before.decision is not None else 0
        present = {_owner(before, one) for one in before.persons} - {_owner(before, asked)}
        if len(present) > 1:
            yield "consent", "no proposal to abort the game has been accepted just now"
    if code == "early" and before.running:
        players = {_owner(before, one) for one in _list_people(before)}
        if before.everybody_has_answered or len(players) > 2:
            yield "consent", "nobody may abort the game alone"
    if code == "host" and before.running:
        yield "consent", "the host may abort the game only before its start"


def _faults_of_pause(event: Json, agreed: Proposal | None) -> Iterator[Fault]:
    if event["reason"] != "agreed":
        return
    if agreed is None or (agreed.id, agreed.until) != (event["proposal"], event["until"]):
        yield "consent", "no proposal of this pause has been accepted just now"


def _faults_of_move(before: Table, event: Json) -> Iterator[Fault]:
    number, by = event["seat"], event.get("by")
    if not 0 <= number < len(before.seats) or _is_imported(before):
        return
    seat = before.seats[number]
    gone = seat.forfeited is not None or seat.away is not None
    if gone != (by == "stand_in"):
        moved = "its owner" if gone else "a stand-in"
        yield "forfeit", f"seat {number} has moved by {moved}"
    if by == "standing_answer" and (seat.player is None or list(event["move"]) != ["type"]):
        yield "consent", f"no standing answer can have made the move of seat {number}"
    if before.resting:
        yield "forfeit", "a bot has moved while nobody was at the table"
