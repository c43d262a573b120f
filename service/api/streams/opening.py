"""Open a stream of many games: what each game begins with, and what it holds while it is followed.

A game that cannot be followed closes with a line and keeps no other game from being followed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import orjson

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.live.subscriptions import Subscription
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, NewerRelease
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.servers import is_missing
from cartulary.service.api.game.tables import find_table, note_look
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import EVENT_FORMS
from cartulary.service.http.streams.inbox_feed import choose_begin, subscribe_inbox
from cartulary.service.http.streams.many_streams import (
    LINES,
    Closed,
    LineForm,
    ManyStream,
    StreamPart,
)
from cartulary.service.http.streams.message_forms import choose_form_of, find_hidden
from cartulary.service.http.streams.stream_attendance import hold_inbox
from cartulary.service.http.streams.stream_channels import choose_channels
from cartulary.service.http.streams.stream_places import GamePlace, StreamList, StreamPlaces
from cartulary.service.http.streams.stream_revocation import (
    both,
    hold_presence,
    hold_sight,
    hold_token,
)
from cartulary.service.http.streams.waiting import enter

BACKLOG_MOST = 4 * 1024 * 1024
"""Bytes of backlog after which a stream begins with no other game: it ends, and its client goes on
with the cursor. So a list of long games takes no more memory than a few of them."""


class StreamWish(NamedTuple):
    """What a stream is asked for; `present` are the games that the caller has open."""

    followed: StreamList
    places: StreamPlaces
    inbox_after: str
    included: tuple[str, ...]
    present: frozenset[str]
    lang: str

    def knows_all_as_closed(self, services: Services, who: Player | None) -> bool:
        """Return whether the cursor says that each game is closed, and each still is."""
        places = self.places
        return all(places.find(game_id).is_closed for game_id in self.followed.games) and all(
            _is_closed(services, who, game_id, places) for game_id in self.followed.games
        )


def _is_closed(services: Services, who: Player | None, game_id: str, places: StreamPlaces) -> bool:
    found = _find_game(services, who, game_id)
    return not isinstance(found, Table) or _is_over(found, places.find(game_id).version)


def open_stream(
    services: Services, who: Player | None, wish: StreamWish, form: str
) -> Iterable[bytes]:
    """Return the body of a stream.

    Raises `BadPlace` for an `inbox_after` that no inbox has given out, `Problem` 503 when all
    places of streams are taken.
    """
    leave = enter(services)
    stream = ManyStream(EVENT_FORMS[form], wish.places, services.settings.heartbeat)
    try:
        _Opening(services, who, wish, stream).run()
        if who is not None and wish.followed.inbox:
            leave = hold_inbox(services, who, leave)
        elif who is not None:
            leave = both(services.store.presence.hold(who.id), leave)
        leave = hold_token(services, stream.end, leave)
    except BaseException:
        stream.close()
        leave()
        raise
    stream.complete(services.stream_endings, leave)
    return stream


class _Opening:
    """Puts the games and the inbox of a wish into a stream."""

    def __init__(
        self, services: Services, who: Player | None, wish: StreamWish, stream: ManyStream
    ) -> None:
        self._services, self._who, self._wish, self._stream = services, who, wish, stream
        self._backlog = 0
        has_messages = "messages" in wish.included
        self._hidden = find_hidden(services, who) if has_messages else frozenset()

    def _choose_form(self, table: Table) -> LineForm:
        if "messages" not in self._wish.included:
            return LINES
        return choose_form_of(table, self._who, LINES, self._wish.lang, self._hidden)

    def run(self) -> None:
        if self._wish.followed.inbox and self._who is not None:
            self._follow_inbox(self._who)
        for game_id in self._wish.followed.games:
            if self._backlog > BACKLOG_MOST:
                self._stream.end()
                return
            self._follow_game(game_id)

    def _follow_inbox(self, who: Player) -> None:
        after = self._wish.places.inbox or self._wish.inbox_after
        snapshot, place = choose_begin(self._services, who, after)
        if snapshot:
            self._stream.begin("", "inbox", snapshot, place)
        self._add("", LINES, subscribe_inbox(self._services, who, place))

    def _follow_game(self, game_id: str) -> None:
        found = _find_game(self._services, self._who, game_id)
        if not isinstance(found, Table):
            self._close(game_id, found)
            return
        version = self._wish.places.find(game_id).version
        if version > found.version:
            version = found.version
            self._reset(game_id, version)
        if _is_over(found, version):
            self._close(game_id, "over")
        else:
            self._subscribe(found, version)

    def _subscribe(self, table: Table, version: int) -> None:
        services, who = self._services, self._who
        wanted = choose_channels(table, who, self._wish.included)
        try:
            subscription = services.hub.subscribe(table.id, version, wanted)
        except _UNREADABLE:
            self._close(table.id, "unavailable")
            return
        part = self._add(table.id, self._choose_form(table), subscription)
        part.hold(hold_sight(services, table, who, part.hide))
        if table.id in self._wish.present:
            note_look(services, table, who)
            part.hold(hold_presence(services, table, who))
        else:
            subscription.is_watching = False

    def _add(self, game_id: str, form: LineForm, subscription: Subscription) -> StreamPart:
        self._backlog += subscription.waiting_bytes
        return self._stream.add(game_id, form, subscription)

    def _close(self, game_id: str, reason: Closed) -> None:
        place = GamePlace(self._wish.places.find(game_id).version, is_closed=True)
        self._stream.begin(game_id, "closed", orjson.dumps(reason), place)

    def _reset(self, game_id: str, version: int) -> None:
        self._stream.begin(game_id, "reset", orjson.dumps({"version": version}), GamePlace(version))


_UNREADABLE = (ArchiveError, BrokenHistory, NewerRelease)


def _find_game(services: Services, who: Player | None, game_id: str) -> Table | Closed:
    """Return a game, or why it cannot be followed."""
    if is_missing(services.store.redis, game_id):
        return "unavailable"
    try:
        return find_table(services, game_id, who)
    except NotFound:
        return "not_found"
    except _UNREADABLE:
        return "unavailable"


def _is_over(table: Table, version: int) -> bool:
    """Return whether nothing comes of a game after a version."""
    return table.status.finished and version >= table.version
