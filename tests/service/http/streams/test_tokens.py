"""Tokens that expire or are revoked: 401 for requests, and the end of open streams."""

from __future__ import annotations

import time
from itertools import islice

import pytest
import requests
from flask import Flask
from redis import Redis

from cartulary.events.people.players import PlayerRegistry, hash_token
from cartulary.events.people.tokens import Tokens, Wish
from cartulary.events.store import Store
from cartulary.service.http.shared.stream_tokens import StreamTokens
from tests.service.support.caller import Caller
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.scene import problem
from tests.service.support.streaming_player import SSE, Player


def revoke(store: Store, caller: Caller) -> None:
    assert caller.token is not None
    store.tokens.revoke_others(caller.id, None)


def test_an_expired_token_is_unknown(
    app: Flask, ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ada.id is not None
    wish = Wish("", expires_at=int(time.time() * 1000) + 60_000)
    token = store.tokens.issue(ada.id, wish).secret
    caller = Caller(app.test_client(), token, ada.id)
    assert caller.get("/players/me").status_code == 200
    for clock, read in (("_clock", time.time), ("_pulse", time.monotonic)):
        monkeypatch.setattr(store.players, clock, lambda read=read: read() + 61)
    problem(caller.get("/players/me"), 401, "token_unknown")
    problem(caller.get("/games"), 401, "token_unknown")


def test_a_revoked_token_is_unknown_for_moves_as_well(ada: Caller, store: Store) -> None:
    game = ada.open()
    revoke(store, ada)
    problem(ada.post(f"/games/{game['id']}/moves", {"move": {}}), 401, "token_unknown")


class TestOpenTokens:
    def test_each_stream_of_a_revoked_token_is_ended_once(self, store: Store) -> None:
        open_tokens, ended = StreamTokens(store.players), list[str]()
        made = [store.players.create(str(number)) for number in range(5)]
        hashes = [hash_token(token) for _, token in made]
        for token_hash in hashes:
            open_tokens.hold(token_hash, lambda name=token_hash: ended.append(name))  # type: ignore[misc]
        forget = open_tokens.hold(hashes[0], lambda: ended.append("left"))
        forget()
        for player, _ in made[:2]:
            store.tokens.revoke_others(player.id, None)
        for _ in range(3):
            open_tokens.look()
        assert sorted(ended) == sorted(hashes[:2])

    def test_without_streams_nothing_is_read(self, store: Store) -> None:
        open_tokens = StreamTokens(store.players)
        open_tokens.hold("x", lambda: None)()
        store.redis.close()
        store.players.find_invalid = None  # type: ignore[method-assign, assignment]
        open_tokens.look()


@pytest.mark.real
@pytest.mark.parametrize("by_ticket", [False, True], ids=["token", "ticket"])
def test_an_open_stream_ends_soon_after_its_token_is_revoked(
    service: Gunicorn, valkey_url: str, by_ticket: bool
) -> None:
    redis = Redis.from_url(valkey_url)
    tokens = Tokens(redis, PlayerRegistry(redis))
    with Player(service) as ada, Player(service) as bob:
        path = f"{service.api}/games/{ada.open()}/events"
        query = f"?ticket={ask_for_ticket(ada, path)}" if by_ticket else ""
        opener = requests if by_ticket else ada
        with (
            opener.get(f"{path}/stream{query}", headers=SSE, stream=True, timeout=60) as revoked,
            bob.get(f"{path}/stream", headers=SSE, stream=True, timeout=60) as other,
        ):
            ended, lasting = (stream.iter_lines(chunk_size=1) for stream in (revoked, other))
            assert next(ended) == next(lasting) == b": still here"
            tokens.revoke_others(ada.id, None)
            assert [*ended].count(b": still here") < 6, "one comes each second"
            beats = [line for line in islice(lasting, 12) if line == b": still here"]
            assert beats


def ask_for_ticket(player: Player, path: str) -> str:
    ticket: str = player.post(f"{path}/ticket", timeout=60).json()["ticket"]
    return ticket
