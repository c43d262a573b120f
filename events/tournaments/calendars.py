"""The calendars of players: an address that a calendar program asks, and what it shows.

The address has a secret, of which the store has the SHA-256 alone. A player has one; a new one
voids the one before.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, Final

from redis import Redis

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.offers import Rules
from cartulary.events.people.players import hash_token
from cartulary.events.server import keys
from cartulary.events.tournaments.ical import CalendarEntry
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import KnownTournament, TournamentStreams
from cartulary.events.tournaments.stream.timing import HOUR_MS
from cartulary.tournaments.state import OPEN, Tournament, TournamentTable
from cartulary.tournaments.terms import AT

LENGTH_MS: Final = 2 * HOUR_MS
"""How long an appointment is in the calendar."""


class PlayerCalendars:
    """The calendars of all players. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self, registry: Redis, streams: TournamentStreams, lists: TournamentLists, rules: Rules
    ) -> None:
        self._registry, self._streams, self._lists = registry, streams, lists
        self._rules = rules

    def open(self, player_id: str) -> str:
        """Return the secret of a new address; the one before is void."""
        self.close(player_id)
        secret = secrets.token_urlsafe(32)
        digest = hash_token(secret)
        pipe = self._registry.pipeline(transaction=True)
        pipe.set(keys.calendar(digest), player_id)
        pipe.set(keys.calendar_of(player_id), digest)
        pipe.execute()
        return secret

    def close(self, player_id: str) -> bool:
        """Void the address of a player; return whether there was one."""
        digest: Any = self._registry.getdel(keys.calendar_of(player_id))
        if digest is None:
            return False
        return bool(self._registry.delete(keys.calendar(digest.decode())))

    def find_player(self, secret: str) -> str | None:
        """Return whose address has a secret, None for an unknown or void one."""
        found: Any = self._registry.get(keys.calendar(hash_token(secret)))
        return None if found is None else str(found.decode())

    def list_entries(self, player_id: str, address: str) -> list[CalendarEntry]:
        """Return what a player has before, the earliest first; `address` is that of the service.

        The start of tournaments that the player has entered, the appointments of own tables, and
        the end of their windows.
        """
        found: list[CalendarEntry] = []
        for tournament_id in self._lists.list_entered(player_id):
            known = self._streams.find(tournament_id)
            if known is not None:
                found += self._list_of(known, player_id, address)
        return sorted(found, key=lambda one: (one.begin, one.uid))

    def _list_of(
        self, known: KnownTournament, player_id: str, address: str
    ) -> Iterator[CalendarEntry]:
        tournament, terms = known.tournament, known.tournament.terms
        entrant = tournament.find_entrant(player_id)
        if entrant is None or entrant.gone is not None:
            return
        title = f"{terms.name} · {self._rules[terms.game].title}"
        changed = milliseconds(tournament.updated_at)
        if tournament.status == OPEN and terms.start == AT and terms.start_at is not None:
            begin = milliseconds(terms.start_at)
            url = f"{address}/tournaments/{known.id}"
            uid = f"{known.id}-start@cartulary"
            yield CalendarEntry(uid, begin, begin + HOUR_MS, changed, title, url)
        for table in tournament.playing_tables():
            if entrant.number in table.seats:
                shown = f"{title} · {table.round}"
                yield from _list_of_table(known.id, tournament, table, shown, address)


def _list_of_table(
    tournament_id: str, tournament: Tournament, table: TournamentTable, title: str, address: str
) -> Iterator[CalendarEntry]:
    """Yield the appointment of a table, and the end of its window."""
    changed = milliseconds(tournament.updated_at)
    url, uid = f"{address}/games/{table.game}", f"{tournament_id}-{table.number}"
    if table.agreed_time is not None:
        begin = milliseconds(table.agreed_time)
        yield CalendarEntry(f"{uid}@cartulary", begin, begin + LENGTH_MS, changed, title, url)
    ends_at = tournament.rounds[table.round - 1].ends_at
    if ends_at is not None:
        end = milliseconds(ends_at)
        summary = f"{title} (…)"
        yield CalendarEntry(f"{uid}-end@cartulary", end, end, changed, summary, url)
