"""Local games: games that a player played on a device without the service, kept in the account.

Each is a transcript under an id that the device chose, so that another device goes on with it. They
are no games of the service: no stream, no rating, no list but this one.

A list of them shows summaries, which are kept apart, because 500 transcripts have up to 50 MB. A
summary that is missing (of a game from a backup, or stored by an earlier release) is made from the
transcript when the games are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.engine.canonical import canonical_json
from cartulary.engine.transcript import Transcript, verify
from cartulary.events.commands.table.transcripts import read_transcript
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid, QuotaExceeded
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.people.tokens import TokenGone
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

MOST: Final = 500
"""The most local games that an account keeps."""

MOST_BYTES: Final = 100_000
"""So long the transcript of a local game may be, as canonical JSON."""

ORIGIN: Final = "local"
"""What a transcript says that a device made without the service."""

_READ_AT_ONCE: Final = 20
"""Transcripts that are read in one round trip: 2 MB at most."""


class TooLong(ValueError):
    """A transcript has more than `MOST_BYTES`."""


class StaleCopy(ValueError):
    """Another device has stored the game meanwhile, at `stored_at` (RFC 3339)."""

    def __init__(self, stored_at: str) -> None:
        super().__init__(f"another device has stored this game at {stored_at}")
        self.stored_at = stored_at


class AccountGame(NamedTuple):
    """A local game as the account has it; `stored_at` is the time of the service (RFC 3339)."""

    id: str
    stored_at: str
    transcript: Json

    def summary(self) -> Json:
        """Return what a list says of it."""
        transcript = self.transcript
        return {
            "id": self.id,
            "stored_at": self.stored_at,
            "game": transcript["game"],
            "seats": transcript["seats"],
            "moves": len(transcript["moves"]),
            "over": "result" in transcript,
        }


class LocalGames:
    """The local games of all players, a part of the registry. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis, rules: Rules, clock: Clock) -> None:
        self._redis, self._rules, self._clock = redis, rules, clock
        self._store, self._move = (
            redis.register_script(read_script("accounts", f"{name}_local_game.lua"))
            for name in ("store", "move")
        )

    def put(self, player_id: str, game_id: str, value: Any, replaces: str = "") -> AccountGame:
        """Store a transcript in place of an earlier one of this id; return the stored game.

        `replaces` is the `stored_at` of the game that a device went on from, empty: in place of
        any. Raises `Invalid` for a transcript that is not valid or has another origin, `TooLong`,
        `QuotaExceeded`, `StaleCopy`, and `TokenGone` when the account is gone meanwhile.
        """
        transcript = self._check(value).to_json()
        if len(canonical_json(transcript).encode()) > MOST_BYTES:
            raise TooLong(f"a local game has {MOST_BYTES} bytes at most")
        game = AccountGame(game_id, format_time(self._clock.now_ms()), transcript)
        # The script reads the time at the beginning of the text.
        text = orjson.dumps({"stored_at": game.stored_at, "transcript": transcript})
        done: Any = self._store(
            keys=[*_name_keys(player_id), keys.player(player_id)],
            args=[game_id, text, orjson.dumps(game.summary()), MOST, replaces],
        )
        _must_be_stored(*done)
        return game

    def _check(self, value: Any) -> Transcript:
        """Return a valid transcript of a local game; raises `Invalid`."""
        try:
            transcript = read_transcript(self._rules, value)
        except Invalid as error:
            places = [(f"/transcript{one['pointer']}", one["detail"]) for one in error.errors]
            raise Invalid(places) from error
        if transcript.extra.get("origin") != ORIGIN:
            raise Invalid([("/transcript/origin", f"must be {ORIGIN!r}")])
        broken = verify(transcript, self._rules).error
        if broken is not None:
            place = "/result" if broken.index is None else f"/moves/{broken.index}"
            raise Invalid([(f"/transcript{place}", broken.reason)])
        return transcript

    def find(self, player_id: str, game_id: str) -> AccountGame | None:
        """Return a local game of a player."""
        found: Any = self._redis.hget(keys.local_games(player_id), game_id)
        return None if found is None else _read(game_id, found)

    def list_summaries(self, player_id: str) -> list[Json]:
        """Return what is to be said of the local games of a player, the newest first."""
        games, summaries = _name_keys(player_id)
        pipe = self._redis.pipeline(transaction=False)
        pipe.hkeys(games)
        pipe.hgetall(summaries)
        ids, kept = pipe.execute()
        found = [orjson.loads(kept[one]) for one in ids if one in kept]
        missing = [one.decode() for one in ids if one not in kept]
        for begin in range(0, len(missing), _READ_AT_ONCE):
            found += self._summarise(player_id, missing[begin : begin + _READ_AT_ONCE])
        return sorted(found, key=lambda one: (one["stored_at"], one["id"]), reverse=True)

    def _summarise(self, player_id: str, game_ids: Sequence[str]) -> list[Json]:
        """Make the summaries of games from their transcripts, and keep them."""
        games, summaries = _name_keys(player_id)
        texts: Any = self._redis.hmget(games, game_ids)
        pipe = self._redis.pipeline(transaction=False)
        found = []
        for game_id, text in zip(game_ids, texts, strict=True):
            if text is None:  # deleted meanwhile
                continue
            found.append(_read(game_id, text).summary())
            # Not over that of a game which is stored meanwhile.
            pipe.hsetnx(summaries, game_id, orjson.dumps(found[-1]))
        pipe.execute()
        return found

    def read_all(self, player_id: str) -> Iterator[AccountGame]:
        """Yield the local games of a player, one after the other, by id."""
        ids: Any = self._redis.hkeys(keys.local_games(player_id))
        for game_id in sorted(ids):
            found = self.find(player_id, game_id.decode())
            if found is not None:
                yield found

    def remove(self, player_id: str, game_id: str) -> None:
        """Forget a local game; nothing happens when it is not there."""
        pipe = self._redis.pipeline(transaction=True)
        for key in _name_keys(player_id):
            pipe.hdel(key, game_id)
        pipe.execute()

    def move(self, guest_id: str, player_id: str) -> None:
        """Give the local games of a guest to an account, which keeps those that it has."""
        guest, player = _name_keys(guest_id), _name_keys(player_id)
        ids: Any = self._redis.hkeys(keys.local_games(guest_id))
        for game_id in ids:
            self._move(keys=[*guest, *player], args=[game_id])


def _name_keys(player_id: str) -> tuple[str, str]:
    return keys.local_games(player_id), keys.local_game_summaries(player_id)


def _must_be_stored(outcome: bytes, about: Any = None) -> None:
    """Raise what hinders the storing of a game, as `store_local_game.lua` says it."""
    if outcome == b"gone":
        raise TokenGone("the account of the token is deleted, or has merged into another")
    if outcome == b"full":
        raise QuotaExceeded("local_games", MOST, int(about), 0, None)
    if outcome == b"stale":
        raise StaleCopy(about.decode())


def _read(game_id: str, text: bytes) -> AccountGame:
    kept = orjson.loads(text)
    return AccountGame(game_id, kept["stored_at"], kept["transcript"])
