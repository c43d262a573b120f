"""Talk: write to the rooms of a game, read them, delete one's own message.

No key of talk is read by a command of the ledger, so nothing here delays a move.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple

import orjson
from redis.exceptions import RedisError

from cartulary.events.archive.reading import Carried, select_entries
from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.archiving.renewing import ArchivedRows
from cartulary.events.chat.mentions import find_mentioned, make_mention
from cartulary.events.chat.messages import (
    BEGIN,
    CHANNEL,
    PLAYERS,
    ROOMS,
    SPECTATORS,
    ChatEntry,
    ChatMessage,
    ChatPlace,
    find_place,
    merge,
    read_entry,
)
from cartulary.events.chat.pace import TalkPace
from cartulary.events.chat.rooms import list_rooms
from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.lists.inbox import Inbox
from cartulary.events.live.feeds import Feed, StreamEntry
from cartulary.events.live.signals import Signals
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import (
    AccountNeeded,
    IdempotencyMismatch,
    Muted,
    NotAuthor,
    NotFound,
    NotSeated,
    TooLate,
)
from cartulary.events.model.names import fault_of_line
from cartulary.events.model.table import Table
from cartulary.events.model.types import Entries
from cartulary.events.people.players import Player
from cartulary.events.people.sentences import read_sentence
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

log = logging.getLogger(__name__)

LONGEST: Final = 500
"""Characters of a message."""
KEPT: Final = 2000
"""About so many messages of a room are kept; the oldest go first."""
DELETE_MS: Final = 10 * 60_000
"""For so long the author may delete a message."""

STORED, REPLAYED = 1, 2

_STREAMS: Final = {PLAYERS: keys.chat_of_players, SPECTATORS: keys.chat_of_spectators}


class Wording(NamedTuple):
    """What a player says: in which room, and a text or the name of a phrase."""

    room: str
    text: str | None = None
    phrase: str | None = None


class Said(NamedTuple):
    """A message that is stored; `replayed` when its key was used before."""

    message: ChatMessage
    replayed: bool = False


def fault_of_text(text: str) -> str | None:
    """Return what is wrong with the text of a message, None when nothing is wrong."""
    return fault_of_line(text, LONGEST)


class Talk:
    """The messages of all games. Thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        clock: Clock,
        signals: Signals,
        inbox: Inbox,
        bringing_back: BringingBack,
        rows: ArchivedRows,
    ) -> None:
        self._bringing_back, self._rows = bringing_back, rows
        self._ledger, self._projector, self._clock = ledger, projector, clock
        self._redis, self._registry = ledger.redis, ledger.registry
        self._signals, self._inbox, self._masks = signals, inbox, ledger.masks
        self._pace = TalkPace(self._registry, clock)
        script = read_script("chat", "say.lua")
        self._say = self._redis.register_script(script)

    # -- writing ----------------------------------------------------------------------------------

    def say(self, player: Player, game_id: str, wording: Wording, key: str | None = None) -> Said:
        """Store a message.

        Raises `NotFound`; `NotSeated` in the room of the players; `RatedGame` for a player in the
        room of the spectators; `Muted`; `AccountNeeded` for the own words of a guest;
        `RateLimited`; `IdempotencyMismatch`.
        """
        idempotency = Idempotency.of(player.id, key, "message", wording._asdict())
        table = self._projector.visible(game_id, player.id)
        known = self._check_author(player, table, wording, idempotency)
        if known is not None:
            return Said(known, replayed=True)
        nonce = token_urlsafe(9)
        self._pace.count(player.id, game_id, nonce)
        now = self._clock.now_ms()
        seats = table.seats_of(player.id)
        message = ChatMessage(
            game_id,
            BEGIN,
            wording.room,
            format_time(now),
            {"id": player.id, "name": player.name},
            seats[0] if seats else None,
            wording.text,
            wording.phrase,
        )
        self._bringing_back.pin(game_id)
        # First, so that no message is left behind when the account is deleted.
        self._registry.sadd(keys.wrote(player.id), game_id)
        said = self._store(message, now, nonce, idempotency)
        if not said.replayed:
            self._attempt(lambda: self._announce(said.message, table))
        return said

    def _check_author(
        self, player: Player, table: Table, wording: Wording, idempotency: Idempotency | None
    ) -> ChatMessage | None:
        """Return what the key led to before; refuse an author who may not say this."""
        if idempotency is not None:
            record = self._ledger.record(table.id, idempotency.field)
            if record is not None:
                return self._replay(table.id, wording.room, record, idempotency)
        pipe = self._registry.pipeline(transaction=False)
        pipe.hget(keys.player(player.id), "claimed_at")
        pipe.hget(keys.muted(), player.id)
        claimed_at, muted = pipe.execute()
        if wording.room == PLAYERS and not table.seats_of(player.id):
            raise NotSeated("only who holds a seat writes to the room of the players")
        list_rooms(table, player.id, wording.room)
        if muted is not None and (sentence := read_sentence(muted)).holds(self._clock.now_ms()):
            raise Muted(sentence.until_text)
        if wording.text is not None and claimed_at is None:
            raise AccountNeeded("a guest says phrases only; recovery codes make it an account")
        return None

    def _store(
        self, message: ChatMessage, now: int, nonce: str, idempotency: Idempotency | None
    ) -> Said:
        answer = self._write(message, now, nonce, idempotency)
        if answer[0] == REPLAYED and idempotency is not None:
            found = self._replay(
                message.game_id, message.room, IdempotencyRecord.parse(answer[1]), idempotency
            )
            return Said(found, replayed=True)
        return Said(message._replace(place=ChatPlace(int(answer[1]), int(answer[2]))))

    def _write(
        self,
        message: ChatMessage,
        now: int,
        nonce: str,
        idempotency: Idempotency | None = None,
        instead_of: str = "",
    ) -> Any:
        game_id, room = message.game_id, message.room
        other = next(one for one in ROOMS if one != room)
        names = [keys.idempotency(game_id), _STREAMS[room](game_id), _STREAMS[other](game_id)]
        names.append(keys.events(game_id))
        field, digest = idempotency or ("", "")
        args: list[Any] = [field, digest, now, message.encode(), nonce, instead_of, KEPT]
        return self._bringing_back.write_there(game_id, lambda: self._say(keys=names, args=args))

    def _attempt(self, task: Callable[[], object]) -> None:
        """Do what may fail: the message is stored, and its readers find it in the room."""
        try:
            task()
        except RedisError as error:
            log.warning("after a message: %s", error)

    def _announce(self, message: ChatMessage, table: Table) -> None:
        self._signal(message)
        if message.text is None:
            return
        mentioned = find_mentioned(table, message.text)
        mentioned.pop(message.author or "", None)
        for player_id, seat in mentioned.items():
            if not self._is_hidden_from(player_id, message):
                self._inbox.add(player_id, [make_mention(message, table, player_id, seat)])

    def _signal(self, message: ChatMessage) -> None:
        shown = orjson.dumps(message.describe())
        self._signals.publish_to_game(message.game_id, "message", shown, CHANNEL)

    def _is_hidden_from(self, player_id: str, message: ChatMessage) -> bool:
        author = message.author or ""
        pipe = self._registry.pipeline(transaction=False)
        pipe.sismember(keys.mutes(player_id), author)
        pipe.zscore(keys.blocks(player_id), author)
        muted, blocked = pipe.execute()
        return bool(muted) or blocked is not None

    def _replay(
        self, game_id: str, room: str, record: IdempotencyRecord, idempotency: Idempotency
    ) -> ChatMessage:
        """Return the message of a key as it is now. Raises `IdempotencyMismatch`."""
        if record.digest != idempotency.digest:
            raise IdempotencyMismatch
        place = ChatPlace(record.first, record.last)
        found = self._find_in(game_id, room, place)
        # The room keeps a limited number of messages.
        return found or ChatMessage(
            game_id, place, room, format_time(place.ms), None, None, deleted=True
        )

    def delete(self, player: Player, game_id: str, message_id: str, key: str | None = None) -> Said:
        """Delete a message of the player; a stub without words stays.

        A message that is deleted already stays deleted. Raises `NotFound`, `NotAuthor`; `TooLate`
        after ten minutes; `IdempotencyMismatch`.
        """
        idempotency = Idempotency.of(player.id, key, "delete_message", message_id)
        self._projector.visible(game_id, player.id)
        replayed = self._is_replayed(game_id, idempotency)
        message = self.find(game_id, message_id)
        if message is None:
            raise NotFound("there is no such message")
        if message.author != player.id:
            raise NotAuthor("only the author deletes a message")
        if message.deleted:
            return Said(message, replayed)
        now = self._clock.now_ms()
        if now - message.place.ms > DELETE_MS:
            raise TooLate(f"a message can be deleted for {DELETE_MS // 60_000} minutes")
        return Said(self._remove(message, now, idempotency))

    def _is_replayed(self, game_id: str, idempotency: Idempotency | None) -> bool:
        if idempotency is None:
            return False
        record = self._ledger.record(game_id, idempotency.field)
        if record is None:
            return False
        if record.digest != idempotency.digest:
            raise IdempotencyMismatch
        return True

    def remove(self, message: ChatMessage) -> ChatMessage:
        """Delete a message of any author, and return the stub: for operators."""
        return message if message.deleted else self._remove(message, self._clock.now_ms(), None)

    def _remove(
        self, message: ChatMessage, now: int, idempotency: Idempotency | None
    ) -> ChatMessage:
        stub = message.make_stub()
        self._bringing_back.pin(message.game_id)
        answer = self._write(stub, now, token_urlsafe(9), idempotency, str(message.place))
        if answer[0] == REPLAYED and idempotency is not None:
            self._is_replayed(message.game_id, idempotency)
        self._attempt(lambda: self._signal(stub))
        self._rows.renew(message.game_id)
        return stub

    def list_games(self, player_id: str) -> set[str]:
        """Return the games in which a player has written messages or notes."""
        found: Any = self._registry.smembers(keys.wrote(player_id))
        return {game_id.decode() for game_id in found}

    def erase(self, player_id: str, game_id: str) -> None:
        """Delete all messages of a player whose account is deleted, with the name of the player."""
        found = [one for one in self._read_all(game_id) if one.message.author == player_id]
        if found:
            self._bringing_back.pin(game_id)
            for entry in found:
                stub = entry.message.make_stub()._replace(player=None)
                now, nonce = self._clock.now_ms(), token_urlsafe(9)
                self._write(stub, now, nonce, None, str(entry.place))

    # -- reading ----------------------------------------------------------------------------------

    def read(
        self, game_id: str, after: ChatPlace, limit: int, rooms: Collection[str] = ROOMS
    ) -> list[ChatEntry]:
        """Return the entries after a place, oldest first, at most `limit`.

        Whether the caller may see the game is the caller's business.
        """
        found = merge(self._read_range(game_id, f"({after}", "+", rooms, limit), limit)
        return [entry._replace(message=self._mask(entry.message)) for entry in found]

    def written_by(self, player_id: str, game_id: str) -> list[ChatMessage]:
        """Return the messages of a player in a game, the oldest first, without deleted messages."""
        entries = self._read_all(game_id)
        found = [entry.message for entry in entries if entry.message.author == player_id]
        return [message for message in found if not message.deleted]

    def follow(self, game_id: str) -> Feed:
        """Return the feed of both rooms of a game."""
        rooms = {_STREAMS[room](game_id): room for room in ROOMS}

        def show(stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
            entry = read_entry(game_id, rooms[stream], cursor.encode(), fields)
            entry = entry._replace(message=self._mask(entry.message))
            return orjson.dumps(entry.message.describe())

        def read_archived(after: str) -> list[StreamEntry]:
            if self._ledger.stored_version(game_id):  # then the rooms are in the store as well
                return []
            archived = self._ledger.archive.read_side_keys(game_id)
            return [
                (stream, *entry)
                for stream, room in rooms.items()
                if archived is not None
                for entry in select_entries(archived.read_stream(f"chat:{room}"), f"({after}", "+")
            ]

        return Feed(tuple(rooms), keys.signals(game_id, CHANNEL), show, read_archived)

    def find(self, game_id: str, message_id: str) -> ChatMessage | None:
        """Return a message by its id, deleted or not; None when the game has no such message."""
        place = find_place(game_id, message_id)
        if place is None:
            return None
        found = (self._find_in(game_id, room, place) for room in ROOMS)
        return next((self._mask(message) for message in found if message is not None), None)

    def _mask(self, message: ChatMessage) -> ChatMessage:
        """Return a message as readers get it: a stub when the account of the author is deleted."""
        if message.author not in self._masks.deleted:
            return message
        return message.make_stub()._replace(player=None)

    def _find_in(self, game_id: str, room: str, place: ChatPlace) -> ChatMessage | None:
        found = self._read_range(game_id, str(place), str(place), [room])
        if not found or found[0].message.deleted:
            # The stub of a deleted message stands at a later place.
            found = self._read_range(game_id, f"({place}", "+", [room])
        return next((one.message for one in found if one.message.place == place), None)

    def _read_all(self, game_id: str) -> list[ChatEntry]:
        return self._read_range(game_id, "-", "+", ROOMS)

    def _read_range(
        self,
        game_id: str,
        first: str,
        last: str,
        rooms: Collection[str],
        limit: int | None = None,
    ) -> list[ChatEntry]:

        def read() -> Sequence[Entries] | None:
            pipe = self._redis.pipeline(transaction=True)
            for room in rooms:
                pipe.xrange(_STREAMS[room](game_id), first, last, limit)
            pipe.exists(keys.events(game_id))
            *found, exists = pipe.execute()
            return found if exists or any(found) else None

        def find(archived: Carried) -> Sequence[Entries]:
            return [
                select_entries(archived.read_stream(f"chat:{room}"), first, last, limit)
                for room in rooms
            ]

        found = self._ledger.read_whole(game_id, read, find) or [[] for _ in rooms]
        return [
            read_entry(game_id, room, *entry)
            for room, entries in zip(rooms, found, strict=True)
            for entry in entries
        ]
