"""Tickets: each opens one stream of one game, once, within a minute."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.people.players import hash_token
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.stored_keys import stored


@pytest.fixture
def game_id(ada: Caller) -> str:
    game_id: str = ada.open(visibility="private")["id"]
    return game_id


def ask(caller: Caller, game_id: str) -> str:
    answer = caller.post(f"/games/{game_id}/events/ticket")
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    ticket: str = answer.json["ticket"]
    return ticket


def open_stream(caller: Caller, game_id: str, ticket: str, more: str = "") -> int:
    answer = caller.get(f"/games/{game_id}/events/stream?ticket={ticket}{more}")
    status: int = answer.status_code
    if status == 200:
        answer.close()
    else:
        problem(answer, 401, "ticket_unknown")
        assert "WWW-Authenticate" in answer.headers
    return status


def test_a_ticket_opens_a_stream_of_a_private_game_once(
    ada: Caller, visitor: Caller, game_id: str
) -> None:
    assert visitor.get(f"/games/{game_id}/events/stream").status_code == 404
    ticket = ask(ada, game_id)
    assert open_stream(visitor, game_id, ticket, "&after=1") == 200
    assert open_stream(visitor, game_id, ticket) == 401


def test_a_ticket_is_for_the_game_that_it_was_asked_for(
    ada: Caller, visitor: Caller, game_id: str
) -> None:
    other = ada.open()["id"]
    assert open_stream(visitor, other, ask(ada, game_id)) == 401


def test_a_ticket_expires_after_a_minute(
    ada: Caller, visitor: Caller, game_id: str, store: Store
) -> None:
    ticket = ask(ada, game_id)
    name = keys.ticket(hash_token(ticket))
    assert 55 < store.redis.ttl(name) <= 60
    store.redis.expire(name, 0)
    assert open_stream(visitor, game_id, ticket) == 401


def test_a_ticket_ends_with_the_token_that_asked_for_it(
    ada: Caller, visitor: Caller, game_id: str, store: Store, make_app: Callable[..., object]
) -> None:
    ticket = ask(ada, game_id)
    assert ada.token is not None
    store.redis.delete(keys.token(hash_token(ada.token)))
    fresh = Store(store.redis, {})
    path = f"/api/v1/games/{game_id}/events/stream"
    assert fresh.tickets.redeem(ticket, path) is None


def test_the_store_keeps_no_ticket_only_its_hash(ada: Caller, game_id: str, store: Store) -> None:
    ticket = ask(ada, game_id).encode()
    assert not any(ticket in key + value for key, value in stored(store).items())


def test_an_unknown_ticket_is_refused_also_where_no_ticket_is_needed(
    ada: Caller, visitor: Caller
) -> None:
    assert open_stream(visitor, ada.open()["id"], "x") == 401
    answer = visitor.get(f"/games/{ada.open()['id']}/events/stream?ticket={'x' * 201}")
    problem(answer, 422, "invalid")


def test_a_ticket_needs_a_token_and_a_game_that_the_caller_may_see(
    ada: Caller, bob: Caller, visitor: Caller, game_id: str
) -> None:
    problem(visitor.post(f"/games/{game_id}/events/ticket"), 401, "token_missing")
    problem(bob.post(f"/games/{game_id}/events/ticket"), 404, "not_found")
    problem(ada.post("/games/unknown/events/ticket"), 404, "not_found")


def test_a_stream_with_a_ticket_counts_for_its_player(
    ada: Caller, make_app: Callable[..., object], game_id: str
) -> None:
    narrow = Caller(make_app(streams_per_player=0).test_client())  # type: ignore[attr-defined]
    answer = narrow.get(f"/games/{game_id}/events/stream?ticket={ask(ada, game_id)}")
    problem(answer, 503, "too_many_streams")
