"""Items: which players learn what from an event. Pure: nothing is read but events and tables.

A **turn** is an unbroken run of decisions of one seat, and its owner learns of it once. `Told` says
the turn of which seat is in the inboxes, so that small questions in a row lead to one item, and so
that it does not matter in which portions the events arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cartulary.events.lists.inbox import Item, Type, make_item
from cartulary.events.model import types
from cartulary.events.model.clock import format_time
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED
from cartulary.events.model.time.timing import deadline
from cartulary.events.model.types import Json

NO_SEAT = -1

STANDING_ANSWER = "standing_answer"
"""`by` of a move that a standing answer has made: no player has waited for its decision."""


class Told(NamedTuple):
    """What the inboxes know of a game: all up to `version`, and the turn of `seat`."""

    version: int = 0
    seat: int = NO_SEAT

    def text(self) -> str:
        """Return what the store keeps (`keys.notified`)."""
        return f"{self.version} {self.seat}"

    @classmethod
    def parse(cls, text: bytes) -> Told:
        """Return what the store has kept."""
        version, seat = text.split()
        return cls(int(version), int(seat))


class InboxStep(NamedTuple):
    """An event with the tables before and after it; `before` is None for the first event."""

    before: Table | None
    event: Json
    after: Table


Addressed = tuple[str, Item]
"""An item, and the id of the player in whose inbox it belongs."""


# -- turns ----------------------------------------------------------------------------------------


def find_asked(table: Table) -> int:
    """Return the seat that is asked, `NO_SEAT` unless the game is running."""
    play = table.play
    return play.state.seat if play is not None and table.running else NO_SEAT


def find_person(table: Table, seat: int) -> str | None:
    """Return the id of the player who has to answer for a seat, None when a bot answers."""
    if seat == NO_SEAT:
        return None
    one = table.seats[seat]
    if one.player is None or one.answering_bot is not None or one.forfeited is not None:
        return None
    return str(one.player["id"])


def tell_turn(told: Told, table: Table, asked: int, version: int, at: str) -> Iterator[Addressed]:
    """Yield the item of a turn that begins with the event `version`, unless an inbox has it."""
    player = None if asked == told.seat else find_person(table, asked)
    if player is not None:
        is_now = table.version == version
        yield _address(player, "your_turn", table, version, at, asked, show_deadline=is_now)


def follow_turn(table: Table, asked: int, version: int) -> Told:
    """Return what is known after an event by which the seat `asked` is asked."""
    return Told(version, asked if find_person(table, asked) is not None else NO_SEAT)


def follow_moves(told: Told, moves: Sequence[Json], after: Table) -> tuple[Told, list[Addressed]]:
    """Return what is known after moves, and the items: the last of them has led to `after`.

    Nothing but moves is among the events, so the seats are those of `after`, and each move says
    who was asked before it.
    """
    items: list[Addressed] = []
    for number, move in enumerate(moves):
        following = moves[number + 1] if number + 1 < len(moves) else None
        if following is not None and following.get("by") == STANDING_ANSWER:
            told = told._replace(version=move["version"])
            continue
        asked = find_asked(after) if following is None else following["seat"]
        items += tell_turn(told, after, asked, move["version"], move["at"])
        told = follow_turn(after, asked, move["version"])
    return told, items


# -- all events -----------------------------------------------------------------------------------


def follow_steps(told: Told, steps: Sequence[InboxStep]) -> tuple[Told, list[Addressed]]:
    """Return what is known after some events, and the items that they lead to, in order."""
    items: list[Addressed] = []
    for number, step in enumerate(steps):
        following = steps[number + 1].event if number + 1 < len(steps) else {}
        if not _is_declined_for(step.event, following):
            items += list_items(step)
        told = _prepare(told, step)
        version = step.after.version
        if following.get("by") == STANDING_ANSWER:
            told = told._replace(version=version)
            continue
        asked = find_asked(step.after)
        items += tell_turn(told, step.after, asked, version, step.event["at"])
        told = follow_turn(step.after, asked, version)
    return told, items


def _is_declined_for(event: Json, following: Json) -> bool:
    """Return whether the service declines an offer for a bot at once: the bot need not know."""
    return (
        event["type"] == types.SEAT_OFFERED
        and following.get("type") == types.SEAT_DECLINED
        and "reason" in following
    )


def _prepare(told: Told, step: InboxStep) -> Told:
    """Return what is known before the turn: a player who brings it about needs no item.

    A substitute learns of the turn that waits; a player whose other account has had the seat does
    not, because nothing has changed for that person.
    """
    event, seat = step.event, step.event.get("seat", NO_SEAT)
    match event["type"]:
        case types.SEAT_RETURNED if find_asked(step.after) == seat:
            return told._replace(seat=seat)
        case types.MOVES_TAKEN_BACK if event["proposal"] is None:
            return told._replace(seat=seat)
        case types.SEAT_TAKEN_OVER if seat == told.seat and event["from"].get("reason") != "merged":
            return told._replace(seat=NO_SEAT)
    return told


def list_pending(table: Table) -> list[Addressed]:
    """Return the items of what a table waits for, for inboxes that know nothing of the game."""
    version, at = table.position, table.updated_at
    items = list(tell_turn(Told(), table, find_asked(table), version, at))
    items += _tell_offers(None, table, version, at)
    proposal = table.course.proposal
    if proposal is not None and table.running:
        answered = {seat for seat, _ in proposal.answers}
        waiting = [seat for seat in proposal.needs if seat not in answered]
        items += _tell_seats(
            table, waiting, "proposal_made", proposal.id, at, {"kind": proposal.kind}
        )
    return items


def list_warnings(table: Table, end: int, at: str) -> list[Addressed]:
    """Return the items that tell people when a game ends by itself (ms since the epoch).

    The host of a game that waits for its start, else all players of the game. `at` is the time of
    the items.
    """
    waits = table.status is Status.OPEN
    people: dict[str, int | None] = {table.course.host: None} if waits else {**_people(table)}
    more = {"deadline_at": format_time(end), "code": "unstarted" if waits else "empty"}
    return [
        _address(player, "turn_reminder", table, table.version, at, seat, more)
        for player, seat in people.items()
    ]


def list_items(step: InboxStep) -> Iterator[Addressed]:
    """Yield the items of an event but for those of turns."""
    before, event, after = step
    version, at = after.version, str(event["at"])
    yield from _tell_offers(before, after, version, at)
    match event["type"]:
        case types.GAME_STARTED:
            yield from _tell_start(after, version, at)
        case types.GAME_SCORED:
            yield from _tell_people(after, "game_over", version, at)
        case types.GAME_ABORTED:
            yield from _tell_abort(before or after, event, after)
        case types.SEAT_FORFEITED | types.STAND_IN_SEATED | types.TURN_TIMED_OUT:
            yield from _tell_absence(before or after, event, after, version, at)
        case types.PROPOSAL_MADE:
            more = {"kind": event["kind"]}
            yield from _tell_seats(after, event["needs"], "proposal_made", version, at, more)
        case types.PROPOSAL_CLOSED if before is not None and before.course.proposal is not None:
            proposal, outcome = before.course.proposal, event["outcome"]
            seats = proposal.needs if outcome == "withdrawn" else (proposal.seat,)
            more = {"kind": proposal.kind, "outcome": outcome}
            yield from _tell_seats(after, seats, "proposal_closed", version, at, more)
        case types.MOVES_TAKEN_BACK:
            others = [seat for seat in range(len(after.seats)) if seat != event["seat"]]
            more = {"to_version": event["to_version"]}
            yield from _tell_seats(after, others, "moves_taken_back", version, at, more)


def _tell_start(after: Table, version: int, at: str) -> Iterator[Addressed]:
    """Tell the people at the table, unless a player has started a game alone with bots."""
    people = _people(after)
    if len(people) > 1:
        for player, seat in people.items():
            yield _address(player, "game_started", after, version, at, seat)


def _tell_people(after: Table, type_: Type, version: int, at: str) -> Iterator[Addressed]:
    for player, seat in _people(after).items():
        yield _address(player, type_, after, version, at, seat)


def _tell_abort(before: Table, event: Json, after: Table) -> Iterator[Addressed]:
    """Tell the people, the host and the guests, but not the player who has aborted the game."""
    concerned: dict[str, int | None] = {before.course.host: None}
    concerned |= {offer.player["id"]: seat for seat, offer in before.open_offers.items()}
    concerned |= _people(after)
    more = {"code": event.get("code")}
    for player, seat in concerned.items():
        if player and player != event.get("by"):
            yield _address(player, "game_aborted", after, after.version, event["at"], seat, more)


def _tell_absence(
    before: Table, event: Json, after: Table, version: int, at: str
) -> Iterator[Addressed]:
    """Tell of a flag, of a seat that a bot has because its owner is silent, of a vacant seat."""
    seat, type_, reason = event["seat"], event["type"], event.get("reason")
    everybody = range(len(after.seats))
    if type_ == types.TURN_TIMED_OUT:
        yield from _tell_seats(after, everybody, "timed_out", version, at, about=seat)
    elif reason in ("timed_out", "absent") and not _is_flagged(before):
        # A flag that fell has told of it in the same append.
        yield from _tell_seats(after, [seat], "timed_out", version, at)
    if reason == BOT_FAILED:
        yield from _tell_owner(after, seat, version, at)
    if after.vacant(seat) and not before.vacant(seat):
        others = [number for number in after.persons if number != seat]
        yield from _tell_seats(after, others, "seat_vacant", version, at, about=seat)


def _tell_owner(after: Table, seat: int, version: int, at: str) -> Iterator[Addressed]:
    """Tell the owner of a bot that a stand-in answers for it."""
    bot = after.seats[seat].player
    if bot is not None and "owner" in bot:
        more = {"bot": {"id": bot["id"], "name": bot["name"]}}
        yield _address(bot["owner"], "bot_failed", after, version, at, seat, more)


def _is_flagged(table: Table) -> bool:
    return table.clocks is not None and table.clocks.flagged == table.position > 0


def _tell_offers(before: Table | None, after: Table, version: int, at: str) -> Iterator[Addressed]:
    """Tell the guests of new offers; in a rematch they learn that it is one."""
    known = {} if before is None else before.open_offers
    for seat, offer in after.open_offers.items():
        if (
            known.get(seat) is None or known[seat].player["id"] != offer.player["id"]
        ) and offer.player["id"] != offer.by:
            is_rematch = after.terms.rematch_of is not None and not after.course.started
            type_: Type = "rematch_opened" if is_rematch else "seat_offered"
            more = {"expires_at": offer.expires_at}
            yield _address(offer.player["id"], type_, after, version, at, seat, more)


# -- one item -------------------------------------------------------------------------------------


def _people(table: Table) -> dict[str, int]:
    """Return the players who have seats, each with the first seat."""
    found: dict[str, int] = {}
    for number, seat in enumerate(table.seats):
        if seat.player is not None:
            found.setdefault(seat.player["id"], number)
    return found


def _tell_seats(
    table: Table,
    seats: Iterable[int],
    type_: Type,
    version: int,
    at: str,
    more: Json | None = None,
    about: int | None = None,
) -> Iterator[Addressed]:
    """Tell the owners of seats, each once; the item names the own seat, or the seat `about`."""
    found: dict[str, int] = {}
    for number in seats:
        player = table.seats[number].player
        if player is not None:
            found.setdefault(player["id"], number)
    for player_id, seat in found.items():
        shown = seat if about is None else about
        yield _address(player_id, type_, table, version, at, shown, more)


def _address(
    player: str,
    type_: Type,
    table: Table,
    version: int,
    at: str,
    seat: int | None,
    more: Json | None = None,
    show_deadline: bool = False,
) -> Addressed:
    due = deadline(table) if show_deadline else None
    shown = None if due is None else format_time(due)
    data = describe(table, player, version, seat, shown)
    return player, make_item(table.id, type_, player, at, data | (more or {}), version)


def describe(
    table: Table, player: str, version: int, seat: int | None, deadline_at: str | None = None
) -> Json:
    """Return the `data` of an item about a game: enough to see at a glance which game it is."""
    return {
        "game": table.id,
        "version": version,
        "seat": seat,
        "title": name_game(table, player),
        "deadline_at": deadline_at,
        "url": f"/games/{table.id}",
    }


def name_game(table: Table, player: str) -> str:
    """Return the name of the game with the names of the others at the table."""
    others = [
        seat.player["name"]
        for seat in table.seats
        if seat.player is not None and seat.player["id"] != player
    ]
    return f"{table.rules.title}: {', '.join(others)}" if others else str(table.rules.title)
