"""Inviting: who may be offered a seat, and for how long the offer holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cartulary.events.commands.table.opening import NewGame
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import Invalid
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.time.silence_rules import ANSWER_MS, find_wait
from cartulary.events.model.types import SEAT_DECLINED, SEAT_OFFERED, SEAT_OPENED
from cartulary.events.outside_bots.accepts import Acceptance
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player, PlayerRegistry, name_of


class Inviting:
    """Finds the players who are invited, in the registry, and offers seats to them."""

    def __init__(self, players: PlayerRegistry, blocks: Blocks, acceptance: Acceptance) -> None:
        self._players, self._blocks, self._acceptance = players, blocks, acceptance

    def offer(self, draft: Draft, seat: int, guest: Player, host: Player) -> None:
        """Offer a seat, and decline at once for a bot that the invitation does not fit."""
        offer_seat(draft, seat, guest, host)
        reason = self._acceptance.find_reason(draft.table, guest, host)
        if reason is not None:
            draft.add(SEAT_DECLINED, seat=seat, player=name_of(guest), reason=reason)

    def may_join(self, table: Table, player: Player) -> bool:
        """Return whether a player may take a seat: the host of the table does not block the player.

        The player does not learn of the block: the caller refuses as where no seat is free.
        """
        return not self._blocks.has(table.course.host, player.id)

    def find_partners(self, host: Player, player_ids: Collection[str]) -> Mapping[str, Player]:
        """Return those of some players whom a host may invite again, by id.

        Who blocks the host, or whom the host blocks, is missing.
        """
        apart = self._blocks.find_apart(host.id, player_ids)
        found = {one: self._players.by_id(one) for one in player_ids if one not in apart}
        return {player_id: player for player_id, player in found.items() if player is not None}

    def find_all(self, host: Player, request: NewGame) -> Mapping[int, Player]:
        """Return the players whom a request for a new game invites, by seat.

        Raises `Invalid` for an unknown player, for the host, and for a player invited twice.
        """
        found: dict[int, Player] = {}
        errors = []
        for seat, guest_id in request.invited().items():
            guest = self._find_guest(host, guest_id)
            if (fault := _find_fault(host, guest, list(found.values()))) is not None:
                errors.append((f"/seats/{seat}/player", fault))
            elif guest is not None:
                found[seat] = guest
        if errors:
            raise Invalid(errors)
        return found

    def find(self, table: Table, host: Player, guest_id: str) -> Player:
        """Return a player whom the host of a table may invite; raises `Invalid`."""
        guest = self._find_guest(host, guest_id)
        fault = _find_fault(host, guest, ())
        if fault is None and guest_id in table.course.removed:
            fault = "this player was removed from the table and may not come back"
        if fault is not None or guest is None:
            raise Invalid([("/player", fault or "")])
        return guest

    def _find_guest(self, host: Player, guest_id: str) -> Player | None:
        """Return a player, None for a player who is missing or who blocks the host."""
        guest = self._players.by_id(guest_id)
        return None if guest is None or self._blocks.has(guest.id, host.id) else guest


def _find_fault(host: Player, guest: Player | None, others: list[Player] | tuple[()]) -> str | None:
    if guest is None:
        return "no player with this id can be invited"
    if guest.id == host.id:
        return "this is the id of the caller, who can take a seat"
    return "this player is invited to another seat already" if guest in others else None


def offer_seat(draft: Draft, seat: int, guest: Player, host: Player) -> None:
    """Add the offer of a seat; before the start it holds as long as the table waits."""
    table = draft.table
    terms = table.terms
    holds = ANSWER_MS
    if table.status is Status.OPEN:
        holds = find_wait(terms.visibility, terms.expires_in, table.live)
    draft.add(
        SEAT_OFFERED,
        seat=seat,
        player=name_of(guest),
        by=host.id,
        expires_at=format_time(milliseconds(draft.now()) + holds),
    )


def open_expired(draft: Draft) -> None:
    """Open the seats whose offers are over: each empty seat waits for any player again."""
    now = milliseconds(draft.now())
    for number, seat in enumerate(draft.table.seats):
        offer = seat.offer
        if offer is not None and milliseconds(offer.expires_at) <= now:
            draft.add(
                SEAT_OPENED,
                seat=number,
                was={"player": offer.player},
                by=offer.by,
                reason="offer_expired",
            )
