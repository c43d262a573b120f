"""`GET /games/{id}/replay.webp` and `.gif`: the film of a game that is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from cartulary.events.films import storage
from cartulary.events.films.storage import FilmWish, name_shown
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import API, Caller, played_out
from tests.service.support.scene import problem


def store_film(store: Store, game: str, body: bytes) -> None:
    """Let a worker have made the film that was asked for."""
    found = store.films.next()
    assert found is not None
    assert found[0] == game
    store.films.finish(game, found[1], name_shown_of(store, game), body)


def name_shown_of(store: Store, game: str) -> str:
    return name_shown(store.masks, store.projector.table(game))


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_a_film_is_asked_for_made_and_then_sent(ada: Caller, store: Store, kind: str) -> None:
    game = played_out(ada)
    path = f"/games/{game}/replay.{kind}?width=300&from=2"
    for _ in range(2):
        waits = ada.get(path)
        assert (waits.status_code, waits.json) == (202, {"status": "queued"})
        assert int(waits.headers["Retry-After"]) > 0
    found = store.films.next()
    assert found is not None
    assert found[1] == FilmWish(kind, 300, 500, 2, ada.version(game), "en")
    store_film(store, game, b"the film")
    film = ada.get(path)
    assert (film.status_code, film.mimetype, film.data) == (200, f"image/{kind}", b"the film")
    assert film.headers["Cache-Control"] == "public, max-age=86400"
    known = {"If-None-Match": film.headers["ETag"]}
    assert ada.get(path, headers=known).status_code == 304
    assert ada.get(path.replace("300", "301")).status_code == 202


def test_only_a_game_that_is_over_has_a_film_and_only_for_those_who_see_it(
    ada: Caller, bob: Caller, store: Store
) -> None:
    problem(ada.get(f"/games/{ada.open()['id']}/replay.webp"), 409, "game_running")
    private = ada.open(visibility="private")["id"]
    problem(bob.get(f"/games/{private}/replay.webp"), 404, "not_found")
    problem(ada.get(f"/games/{private}/replay.webp"), 409, "game_running")
    assert store.films.next() is None


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        *((f"width={width}", 422, "invalid") for width in ("199", "801", "1000000000", "abc")),
        *((f"ms={ms}", 422, "invalid") for ms in ("99", "5001", "x")),
        ("from=5&to=4", 422, "invalid"),
        ("from=0", 422, "invalid"),
        ("to=999", 404, "not_found"),
        ("to=1", 404, "not_found"),
        ("version=3", 422, "invalid"),
    ],
)
@pytest.mark.slow
def test_a_bad_wish_is_refused_and_nothing_is_made(
    ada: Caller, store: Store, wish: str, status: int, code: str
) -> None:
    game = played_out(ada)
    problem(ada.get(f"/games/{game}/replay.webp?{wish}"), status, code)
    assert store.films.next() is None


def test_only_so_many_films_wait(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MOST_WAITING", 1)
    path = f"/games/{played_out(ada)}/replay.webp"
    assert ada.get(path).status_code == 202
    refused = ada.get(f"{path}?width=300")
    problem(refused, 503, "busy")
    assert int(refused.headers["Retry-After"]) > 0
    assert ada.get(path).status_code == 202


def test_a_caller_may_have_so_many_films_made_and_others_go_on(
    make_app: Callable[..., Flask], ada: Caller, bob: Caller
) -> None:
    path = f"{API}/games/{played_out(ada)}/replay.webp"
    client = make_app(rates={"films": "1/minute"}).test_client()
    assert client.get(path).status_code == 202
    refused = client.get(f"{path}?width=300")
    problem(refused, 429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get(path).status_code == 202, "it is made already"
    token = {"Authorization": f"Bearer {bob.token}"}
    assert client.get(f"{path}?width=300", headers=token).status_code == 202


def test_a_film_that_has_failed_is_said_and_tried_again_later(ada: Caller, store: Store) -> None:
    game = played_out(ada)
    path = f"/games/{game}/replay.webp"
    ada.get(path)
    found = store.films.next()
    assert found is not None
    shown = name_shown_of(store, game)
    store.films.fail(*found, shown)
    problem(ada.get(path), 500, "internal_error")
    assert store.films.find(game, found[1], shown) is not None
    ttl = int(store.redis.ttl(f"{{{game}}}:film:{found[1]}"))
    assert 0 < ttl <= 60


def test_a_film_whose_web_process_has_died_is_under_way_when_it_is_asked_for_again(
    ada: Caller, store: Store
) -> None:
    path = f"/games/{played_out(ada)}/replay.webp"
    ada.get(path)
    store.registry.delete(keys.films())  # as if it had never come to the second write
    assert ada.get(path).status_code == 202
    assert store.films.next() is not None


def test_the_deletion_of_a_name_takes_the_films_that_show_it(ada: Caller, store: Store) -> None:
    path = f"/games/{played_out(ada)}/replay.webp"
    ada.get(path)
    found = store.films.next()
    assert found is not None
    store_film(store, found[0], b"the film with the name of Ada")
    assert ada.get(path).status_code == 200
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code < 300
    assert not store.redis.exists(keys.film(found[0], str(found[1])))
    assert store.registry.zcard(keys.films_kept()) == 0


def test_a_service_without_the_libraries_says_so(
    ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.service.api.study.films.is_installed", lambda: False)
    problem(ada.get(f"/games/{played_out(ada)}/replay.gif"), 404, "not_installed")
