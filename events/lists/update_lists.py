"""Updates: bring the summary of a game and the inboxes of its players to a version, in one step.

A dispatcher gets the newest table and not what has changed. What the inboxes know of a game is
kept next to the summaries (`items.Told`); the events since then lead to the items. Another
dispatcher may do the same at the same time, and a dispatcher that is killed may have done it: the
step adds the items only if the inboxes still know what they knew, so no item is lost or comes
twice.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any, NamedTuple

from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists import inbox_items
from cartulary.events.lists.projections import SILENCE, InboxUpdate, Projections
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.effects.fold import evolve
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import InvariantBroken
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED, Progress, Seat
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.server import keys

REMEMBERED = 10_000
"""Games of which a process remembers what it has told."""

TRIES = 5
"""Attempts while other dispatchers tell the same inboxes of the same game."""

NEW_EVENTS, NEW_MS = 50, 3_600_000
"""A game of which the inboxes know nothing is a new one up to so many events and ms; of an older
one, as after an upgrade, the inboxes learn only what it waits for."""

log = logging.getLogger(__name__)


class _Memory(NamedTuple):
    """What this process has told of a game, and the parts that a plain move leaves alone."""

    told: inbox_items.Told
    seats: tuple[Seat, ...]
    course: Progress


class ListUpdater:
    """Tells the inboxes; for one thread, as a dispatcher has it."""

    def __init__(
        self, ledger: Ledger, projector: Projector, projections: Projections, rules: Rules
    ) -> None:
        self._ledger, self._projector = ledger, projector
        self._projections, self._rules = projections, rules
        self._memory: OrderedDict[str, _Memory] = OrderedDict()

    def follow(self, table: Table) -> None:
        """Bring summary, indexes and inboxes to the version of a table.

        An older table changes nothing. Raises `RedisError`.
        """
        memory = self._memory.get(table.id)
        before = self._projections.read_told(table.id) if memory is None else memory.told.text()
        for _ in range(TRIES):
            update, after = self._prepare(table, before, memory)
            now = self._projections.project(table, update).told
            if after is None:
                if memory is None or now == before:
                    return
                # The store fell back to before what this process has told: it tells it again.
            elif now == update.after:
                self._remember(table, after)
                return
            before, memory = now, None
        self._memory.pop(table.id, None)

    def rebuild(self, table: Table, empty_inboxes: bool) -> None:
        """Bring summary and indexes to a table, and tell the inboxes what the game waits for.

        With `empty_inboxes` they learn of each game, otherwise of a game that they do not know.
        Raises `RedisError`.
        """
        before = self._projections.read_told(table.id)
        if before and not empty_inboxes:
            self._projections.project(table)
            return
        for _ in range(TRIES):
            update = self._tell_pending(table, before)
            before = self._projections.project(table, update).told
            if before == update.after:
                return

    def _remember(self, table: Table, told: inbox_items.Told) -> None:
        self._memory[table.id] = _Memory(told, table.seats, table.course)
        self._memory.move_to_end(table.id)
        if len(self._memory) > REMEMBERED:
            self._memory.popitem(last=False)

    def _prepare(
        self, table: Table, before: str, memory: _Memory | None
    ) -> tuple[InboxUpdate, inbox_items.Told | None]:
        """Return what to tell, and what is known then; None where there is nothing to tell."""
        told = inbox_items.Told.parse(before.encode()) if before else inbox_items.Told()
        if told.version == table.version:
            return SILENCE, None
        try:
            found = self._find(table, told, memory, known=bool(before))
            _must_reach(table, found)
        except LedgerError:
            # The summary is brought on in any case. `audit` says what is wrong with the game.
            log.exception("the inboxes are not told of game %s", table.id)
            found = None
        if found is None:
            return SILENCE, None
        after, items = found
        reached = self._reach_owners(items)
        return InboxUpdate(before, after.text(), self._mask(table, reached)), after

    def _reach_owners(self, items: list[inbox_items.Addressed]) -> list[inbox_items.Addressed]:
        """Return items, those for owners of bots addressed to who the owners are now.

        A seat names the owner as of the moment at which the bot took it: a guest may have become
        an account since then. An owner whose account is deleted gets nothing.
        """
        reached = []
        for player, item in items:
            owner = self._find_owner(player) if item.type == BOT_FAILED else player
            if owner is not None:
                reached.append((owner, item))
        return reached

    def _find_owner(self, player_id: str) -> str | None:
        """Return the account that a player has become; None when it is deleted."""
        key = keys.player(player_id)
        shown: Any = self._ledger.registry.hmget(key, "name", "merged_into")
        name, merged_into = shown
        if merged_into is not None:
            return self._find_owner(merged_into.decode())
        return None if name is None else player_id

    def _mask(
        self, table: Table, items: list[inbox_items.Addressed]
    ) -> list[inbox_items.Addressed]:
        """Return items whose titles name no player whose account is deleted."""
        masks = self._ledger.masks
        masks.look()
        if not masks.count(table):
            return items
        shown = masks.mask_table(table)
        return [
            (
                player,
                item._replace(data={**item.data, "title": inbox_items.name_game(shown, player)}),
            )
            for player, item in items
        ]

    def _find(
        self, table: Table, told: inbox_items.Told, memory: _Memory | None, known: bool
    ) -> tuple[inbox_items.Told, list[inbox_items.Addressed]] | None:
        if told.version > table.version:
            return self._go_back(table, told)
        if memory is not None and _is_plain_move(table, memory):
            version, asked = table.version, inbox_items.find_asked(table)
            items = inbox_items.tell_turn(told, table, asked, version, table.updated_at)
            return inbox_items.follow_turn(table, asked, version), list(items)
        if not known and not _is_new(table):
            return _settle(table), inbox_items.list_pending(table)
        return self._follow_events(table, told)

    def _go_back(
        self, table: Table, told: inbox_items.Told
    ) -> tuple[inbox_items.Told, list[inbox_items.Addressed]] | None:
        """Begin again where the store has lost what the inboxes know; None for an old table."""
        if self._ledger.version(table.id) >= told.version:
            return None
        return _settle(table), []

    def _follow_events(
        self, table: Table, told: inbox_items.Told
    ) -> tuple[inbox_items.Told, list[inbox_items.Addressed]] | None:
        events = self._ledger.events(table.id, told.version, table.version - told.version)
        if len(events) < table.version - told.version:
            return None
        if told.version and all(event["type"] == MOVE_MADE for event in events):
            return inbox_items.follow_moves(told, events, table)
        before = self._projector.table(table.id, told.version) if told.version else None
        steps: list[inbox_items.InboxStep] = []
        earlier = self._projector.earlier(table.id)
        for event in events[:-1]:
            after = evolve(self._rules, table.id, before, event, earlier=earlier)
            steps.append(inbox_items.InboxStep(before, event, after))
            before = after
        steps.append(inbox_items.InboxStep(before, events[-1], table))
        return inbox_items.follow_steps(told, steps)

    def _tell_pending(self, table: Table, before: str) -> InboxUpdate:
        pending = self._mask(table, list(inbox_items.list_pending(table)))
        return InboxUpdate(before, _settle(table).text(), pending, silent=True)


def _must_reach(
    table: Table, found: tuple[inbox_items.Told, list[inbox_items.Addressed]] | None
) -> None:
    """Raise `InvariantBroken` where the inboxes would know another version than that of a table."""
    if found is not None and found[0].version != table.version:
        detail = f"the inboxes would know version {found[0].version}"
        raise InvariantBroken(table.id, table.version, "told", detail)


def _settle(table: Table) -> inbox_items.Told:
    """Return what the inboxes know when they know whose turn it is."""
    return inbox_items.follow_turn(table, inbox_items.find_asked(table), table.version)


def _is_plain_move(table: Table, memory: _Memory) -> bool:
    """Return whether the only event since then is a move: everything else changes more."""
    return (
        table.version == memory.told.version + 1
        and table.position == table.version
        and table.seats is memory.seats
        and table.course is memory.course
    )


def _is_new(table: Table) -> bool:
    age = milliseconds(table.updated_at) - milliseconds(table.created_at)
    return table.version <= NEW_EVENTS and age <= NEW_MS
