"""Films and local games, whose scripts and keys lie on two kinds of servers."""

from __future__ import annotations

import pytest

from cartulary.events.accounts import local_games
from cartulary.events.films.storage import DONE, FilmWish
from cartulary.events.model.errors import QuotaExceeded
from cartulary.events.store import Store
from tests.support.small_transcript import small

pytestmark = pytest.mark.real

WISH = FilmWish("webp", 200, 500, 1, 9, "en")


def test_a_film_is_made_kept_and_forgotten(store: Store) -> None:
    games = [f"01KAB{number}" for number in range(6)]
    for game in games:
        store.films.start(game, WISH, "shown")
    assert store.films.next() == (games[0], WISH)
    for game in games:
        assert store.films.attempt(game, WISH) is not None
        store.films.finish(game, WISH, "other names", b"no film")
        store.films.finish(game, WISH, "shown", b"the film")
        film = store.films.find(game, WISH, "shown")
        assert film is not None
        assert (film.status, film.body) == (DONE, b"the film")
    assert store.films.next() is None
    store.films.forget(games[:5])
    found = [store.films.find(game, WISH, "shown") is not None for game in games]
    assert found == [False] * 5 + [True]


def test_a_local_game_is_stored_listed_and_moved(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_games, "MOST", 1)
    games, transcript = store.accounts.local_games, {**small(), "origin": "local"}
    stored = games.put("guest", "local-1", transcript)
    with pytest.raises(QuotaExceeded):
        games.put("guest", "local-2", transcript)
    with pytest.raises(local_games.StaleCopy):
        games.put("guest", "local-1", transcript, "2020-01-01T00:00:00.000Z")
    games.put("ada", "local-3", transcript)
    games.move("guest", "ada")
    assert stored.summary() in games.list_summaries("ada")
    assert len(games.list_summaries("ada")) == 2
    assert games.list_summaries("guest") == []
