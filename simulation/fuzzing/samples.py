"""A service in memory with games in it: their bytes are what the fuzzing changes."""

from __future__ import annotations

import io
import random
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import fakeredis
import orjson

from cartulary.engine.transcript import from_json
from cartulary.events.archive.rows import Archived, ListedPerson
from cartulary.events.backup.dump import write_backup
from cartulary.events.backup.records import BackupRecord
from cartulary.events.model.chain import hash_stored
from cartulary.events.model.clock import now
from cartulary.events.server.key_catalogue import is_carried
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.service.app import ServiceApp, create_app
from cartulary.service.process.settings import WebSettings

MOVES: Final = 10
"""Moves of a game: some bytes of each kind of event, and few enough to be read quickly."""
PATH: Final = "/api/v1"


class SampleService(NamedTuple):
    """The app over a store in memory with a running game of each kind, and a player's token."""

    store: Store
    app: ServiceApp
    games: tuple[str, ...]
    headers: dict[str, str]

    def texts(self, game_id: str) -> tuple[bytes, ...]:
        """Return the events of a game as they are stored, oldest first."""
        return tuple(fields[b"event"] for _, fields in self.store.ledger.entries(game_id))

    def transcript(self, game_id: str) -> bytes:
        """Return the transcript of a game, which must be readable."""
        answer = self.app.test_client().get(
            f"{PATH}/games/{game_id}/transcript", headers=self.headers
        )
        from_json(answer.json, GAMES)
        return bytes(answer.data)


@cache
def open_service() -> SampleService:
    """Return the service of this process, which is made at the first call."""
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(36))
    settings = WebSettings(max_wait=0.01, rates={}, log_requests=False)
    app = create_app(settings, store, OFFERS)
    web = app.test_client()
    made: Any = web.post(f"{PATH}/players", json={"name": "Ada"}).json
    headers = {"Authorization": f"Bearer {made['token']}"}
    games = []
    for game in GAMES:
        terms = {"game": game, "seats": [{"kind": "me"}, {"kind": "me"}]}
        opened: Any = web.post(f"{PATH}/games", json=terms, headers=headers).json
        path = f"{PATH}/games/{opened['id']}"
        games.append(opened["id"])
        for _ in range(MOVES):
            legal: Any = web.get(f"{path}/moves", headers=headers).json
            web.post(f"{path}/moves", json={"move": legal["moves"][0]}, headers=headers)
        web.post(f"{path}/resignation", json={"seat": 1}, headers=headers)
    return SampleService(store, app, tuple(games), headers)


@cache
def make_backup() -> bytes:
    """Return a backup of the streams, strings and hashes of the service.

    `dump` asks for a connection of its own, which a store in memory does not have.
    """
    redis = open_service().store.redis
    file = io.BytesIO()
    keys: Any = redis.keys()
    records = (_read_key(redis, key) for key in keys if is_carried(key.decode()))
    write_backup(file, sorted(filter(None, records), key=lambda record: record.place), now())
    return file.getvalue()


def _read_key(redis: Any, key: bytes) -> BackupRecord | None:
    kind = redis.type(key).decode()
    if kind == "stream":
        entries = redis.xrange(key)
        items = [(name, *chain.from_iterable(fields.items())) for name, fields in entries]
        return BackupRecord(key, kind, items, last=entries[-1][0].decode())
    if kind == "hash":
        return BackupRecord(key, kind, list(redis.hgetall(key).items()))
    return BackupRecord(key, kind, [redis.get(key)]) if kind == "string" else None


@cache
def make_archived() -> Archived:
    """Return the first game of the service as if it had ended and were archived."""
    service = open_service()
    game_id = service.games[0]
    texts = service.texts(game_id)
    start = orjson.loads(texts[0])
    return Archived(
        id=game_id,
        game=start["game"],
        status="over",
        visibility="public",
        pace=None,
        created_by="ada",
        created_at=1,
        ended_at=2,
        version=len(texts),
        head=hash_stored(texts[-1]),
        texts=texts,
        side_keys={"answers": b"{}"},
        people=(ListedPerson("ada", 0, 1, 10),),
        summary=b'{"id":"a"}',
        form=1,
    )
