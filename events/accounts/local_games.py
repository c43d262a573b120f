"""Local games: games that a player played on a device without the service, kept in the account.

Each is a transcript under an id that the device chose, so that another device goes on with it. They
are no games of the service: no stream, no rating, no list but this one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.engine.canonical import canonical_json
from cartulary.engine.transcript import Transcript, verify
from cartulary.events.commands.table.transcripts import read_transcript
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import Invalid, QuotaExceeded
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json, format_time
from cartulary.events.server import keys

MOST: Final = 500
"""So many local games an account keeps."""

MOST_BYTES: Final = 100_000
"""So long the transcript of a local game may be, as canonical JSON."""

ORIGIN: Final = "local"
"""What a transcript says that a device made without the service."""


class TooLong(ValueError):
    """A transcript has more than `MOST_BYTES`."""


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

    def put(self, player_id: str, game_id: str, value: Any) -> AccountGame:
        """Store a transcript in place of an earlier one of this id; return the stored game.

        Raises `Invalid` for a transcript that is not valid or has another origin, `TooLong`,
        `QuotaExceeded`.
        """
        transcript = self._check(value).to_json()
        if len(canonical_json(transcript).encode()) > MOST_BYTES:
            raise TooLong(f"a local game has {MOST_BYTES} bytes at most")
        key = keys.local_games(player_id)
        used: Any = self._redis.hlen(key)
        if used >= MOST and not self._redis.hexists(key, game_id):
            raise QuotaExceeded("local_games", MOST, int(used), 0, None)
        game = AccountGame(game_id, format_time(self._clock.now_ms()), transcript)
        text = orjson.dumps({"stored_at": game.stored_at, "transcript": transcript})
        self._redis.hset(key, game_id, text)
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

    def list_of(self, player_id: str) -> list[AccountGame]:
        """Return the local games of a player, the newest first."""
        found: Any = self._redis.hgetall(keys.local_games(player_id))
        games = [_read(game_id.decode(), text) for game_id, text in found.items()]
        return sorted(games, key=lambda game: (game.stored_at, game.id), reverse=True)

    def remove(self, player_id: str, game_id: str) -> None:
        """Forget a local game; nothing happens when it is not there."""
        self._redis.hdel(keys.local_games(player_id), game_id)

    def move(self, guest_id: str, player_id: str) -> None:
        """Give the local games of a guest to an account, which keeps those that it has."""
        found: Any = self._redis.hgetall(keys.local_games(guest_id))
        pipe = self._redis.pipeline(transaction=True)
        for game_id, text in found.items():
            pipe.hsetnx(keys.local_games(player_id), game_id, text)
        pipe.delete(keys.local_games(guest_id))
        pipe.execute()


def _read(game_id: str, text: bytes) -> AccountGame:
    kept = orjson.loads(text)
    return AccountGame(game_id, kept["stored_at"], kept["transcript"])
