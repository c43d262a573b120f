"""What proposals and takebacks do to a table (`docs/living.md`, "Agreeing")."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.model.effects.clocks import charge_takeback, restart_clocks
from cartulary.events.model.effects.folding import Folding, NothingEarlier, find_seat, must
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Decline, FreeTakeback, Progress, Proposal
from cartulary.events.model.types import Json


def make_proposal(table: Table, event: Json, _folding: Folding) -> Table:
    """Open a proposal; its id is its version."""
    seat, _ = find_seat(table, event)
    must(table.course.proposal is None, "consent", "a proposal is open already")
    proposal = Proposal(
        event["version"],
        seat,
        event["kind"],
        tuple(event["needs"]),
        event["expires_at"],
        event.get("to_version"),
        tuple(event.get("moves", ())),
        event.get("target"),
        event.get("until"),
    )
    course = table.course._replace(proposal=proposal)
    if proposal.target is not None:
        course = course._replace(claimed=table.life.position)
    return table._replace(course=course)


def answer_proposal(table: Table, event: Json, _folding: Folding) -> Table:
    """Note what a seat that was asked answers."""
    proposal = _find_proposal(table, event)
    seat = event["seat"]
    must(seat in proposal.needs, "consent", f"seat {seat} was not asked")
    must(
        all(answered != seat for answered, _ in proposal.answers),
        "consent",
        f"seat {seat} has answered already",
    )
    answers = (*proposal.answers, (seat, event["answer"]))
    proposal = proposal._replace(answers=answers)
    return table._replace(course=table.course._replace(proposal=proposal))


def close_proposal(table: Table, event: Json, _folding: Folding) -> Table:
    """Close the open proposal; a decline is counted for the seat that has asked."""
    proposal = _find_proposal(table, event)
    course = table.course._replace(proposal=None)
    if event["outcome"] == "declined":
        course = _count_decline(course, proposal, event["version"])
    return table._replace(course=course)


def _find_proposal(table: Table, event: Json) -> Proposal:
    proposal = table.course.proposal
    must(
        proposal is not None and proposal.id == event["proposal"],
        "consent",
        f"proposal {event['proposal']} is not open",
    )
    assert proposal is not None
    return proposal


def _count_decline(course: Progress, proposal: Proposal, version: int) -> Progress:
    seat, kind = proposal.seat, proposal.kind
    same = [one for one in course.declines if (one.seat, one.kind) == (seat, kind)]
    others = tuple(one for one in course.declines if one not in same)
    decline = Decline(seat, kind, 1 + sum(one.times for one in same), version)
    return course._replace(declines=(*others, decline))


def take_back_moves(table: Table, event: Json, folding: Folding) -> Table:
    """Give the table the play of an earlier version again; everything else stays as it is.

    The outcomes of the moves that are taken back are kept: the next draws take them.
    """
    to, moves, course = event["to_version"], event["moves"], table.course
    stood = 0 < course.started <= to < event["version"] and course.stands(to)
    must(stood, "takeback", f"version {to} is not a version that stands")
    must(moves and moves[0] > to, "takeback", f"{moves} are not the moves after version {to}")
    if folding.earlier is None:
        raise NothingEarlier
    earlier = folding.earlier.table(to)
    chance = folding.earlier.chance(moves)
    before = tuple(one for one in course.taken_back if one[1] <= to)
    course = course._replace(
        taken_back=(*before, (to, event["version"])),
        remembered=(*chance, *course.remembered),
    )
    life = table.life._replace(run=_run_after(table, earlier, chance))
    after = table._replace(play=earlier.play, course=course, life=life)
    return (
        charge_takeback(after, earlier, event) if "clock" in event else restart_clocks(after, event)
    )


def _run_after(table: Table, earlier: Table, chance: Sequence[str]) -> FreeTakeback | None:
    """Return what may be taken back freely after a takeback.

    Nothing when an outcome is known that was drawn after these moves, or when the seat has another
    owner now.
    """
    run = earlier.life.run
    if run is None or chance:
        return None
    seat = table.seats[run.seat]
    return run if seat.contending and seat.player == earlier.seats[run.seat].player else None
