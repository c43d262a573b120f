"""Films of games that are over: which moments they show, who makes them, what becomes of them."""

from __future__ import annotations

import io
import subprocess
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image

from cartulary.events.commands.commands import Intent
from cartulary.events.films import storage
from cartulary.events.films.storage import ATTEMPTS, DONE, FilmWish, name_shown
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.films import feeding, making
from cartulary.workers.films.feeding import FILMING, FilmFeeder, start_making
from cartulary.workers.films.frames import FilmMoment, choose_moments, list_moments
from cartulary.workers.films.making import make
from cartulary.workers.queues.queues import Queues
from tests.support.small_transcript import small

WISH = FilmWish("webp", 200, 500, 1, 999, "en")


@pytest.fixture
def store(fake_store: Store) -> Store:
    """The fake store alone: a browser test has a film made on a real server."""
    return fake_store


@pytest.fixture
def over(store: Store, ada: Player) -> Table:
    """A short game that is over."""
    return store.commands.import_transcript(Intent(ada), small()).table


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pictures that were drawn; each is one grey surface."""
    found: list[str] = []
    into = io.BytesIO()
    Image.new("RGB", (20, 10)).save(into, "PNG")

    def draw(picture: str, _width: int) -> bytes:
        found.append(picture)
        return into.getvalue()

    monkeypatch.setattr(making, "draw_png", draw)
    return found


def ask(store: Store, table: Table, wish: FilmWish = WISH) -> str:
    shown = name_shown(store.masks, table)
    store.films.start(table.id, wish, shown)
    return shown


def list_moves(store: Store, table: Table) -> list[int]:
    events = store.ledger.events(table.id, 0, table.version)
    return [event["version"] for event in events if event["type"] == "move_made"]


def test_a_film_shows_every_move_and_is_kept_for_a_month(
    store: Store, over: Table, drawn: list[str]
) -> None:
    shown = ask(store, over)
    assert store.films.next() == (over.id, WISH)
    assert make(store, OFFERS, over.id, WISH)
    film = store.films.find(over.id, WISH, shown)
    assert film is not None
    assert film.status == DONE
    assert film.body[8:12] == b"WEBP"
    # The end, after the last move, shows who has won.
    assert len(drawn) >= len(list_moves(store, over)) + 1
    assert "Won" in drawn[-1]
    assert store.films.next() is None
    assert not make(store, OFFERS, over.id, WISH), "it is made already"
    name = f"{{{over.id}}}:film:{WISH}"
    assert 29 * 86_400 < int(store.redis.ttl(name)) <= storage.KEPT_DAYS * 86_400


def test_another_name_is_another_film(store: Store, over: Table, drawn: list[str]) -> None:
    shown = ask(store, over)
    make(store, OFFERS, over.id, WISH)
    assert store.films.find(over.id, WISH, f"{shown}-after-a-deletion") is None


def test_a_film_between_two_versions_shows_no_other_move(
    store: Store, over: Table, drawn: list[str]
) -> None:
    moves = list_moves(store, over)
    wish = WISH._replace(first=moves[0], last=moves[1])
    ask(store, over, wish)
    assert make(store, OFFERS, over.id, wish)
    assert len(drawn) == 2


def test_a_film_whose_process_dies_is_tried_again_and_then_has_failed(
    store: Store, over: Table
) -> None:
    class Killed(BaseException):
        pass

    def die() -> None:
        raise Killed

    shown = ask(store, over)
    for _ in range(ATTEMPTS):
        assert store.films.next() is not None
        with pytest.raises(Killed):
            make(store, OFFERS, over.id, WISH, die)
    assert not make(store, OFFERS, over.id, WISH)
    film = store.films.find(over.id, WISH, shown)
    assert film is not None
    assert film.status == storage.FAILED
    assert store.films.next() is None


def test_what_was_drawn_before_the_deletion_of_a_name_is_not_the_film_after_it(
    store: Store, over: Table, ada: Player
) -> None:
    before = ask(store, over)
    film = store.films.attempt(over.id, WISH)
    assert film is not None
    after = f"{before}-after-a-deletion"
    store.films.start(over.id, WISH, after)
    store.films.finish(over.id, WISH, film.shown, b"the film with the name")
    again = store.films.find(over.id, WISH, after)
    assert again is not None
    assert (again.status, again.body) == (storage.QUEUED, b"")
    store.films.fail(over.id, WISH, film.shown)
    assert store.films.next() == (over.id, WISH), "it is still to be made"


def test_a_name_that_is_deleted_while_a_film_is_drawn_is_in_no_film(
    store: Store, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ask(store, over)
    looks: list[str] = []
    monkeypatch.setattr(store.masks, "look", lambda: looks.append("there is a deletion"))
    monkeypatch.setattr(store.masks, "count", lambda _: len(looks))
    monkeypatch.setattr(making, "_film", lambda *_: b"the film with the name")
    assert not make(store, OFFERS, over.id, WISH)
    film = store.films.find(over.id, WISH, shown)
    assert film is not None
    assert film.body == b""


def test_a_film_of_a_missing_slot_keeps_no_other_waiting(
    store: Store, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(store, over)
    monkeypatch.setattr(store.clock, "now_ms", lambda: 9_999_999_999_999, raising=False)
    store.films.start("another", WISH, "shown")
    monkeypatch.setattr(storage, "is_missing", lambda _, game: game == over.id)
    assert store.films.next() == ("another", WISH)


DAY_MS = 86_400_000


class Shelf:
    """Films of given bytes, kept one after the other at given times."""

    def __init__(self, store: Store, patch: pytest.MonkeyPatch) -> None:
        self._films, self._clock, self._patch = store.films, store.clock, patch

    def keep(self, game: str, size: int, at: int = 1) -> None:
        self._patch.setattr(self._clock, "now_ms", lambda: at, raising=False)
        self._films.start(game, WISH, "shown")
        self._films.finish(game, WISH, "shown", b"x" * size)

    def list_kept(self, *games: str) -> list[str]:
        return [one for one in games if self._films.find(one, WISH, "shown") is not None]


@pytest.fixture
def shelf(store: Store, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr(storage, "MOST_BYTES_KEPT", 1000)
    return Shelf(store, monkeypatch)


def test_of_films_with_too_many_bytes_the_oldest_are_forgotten(shelf: Shelf, store: Store) -> None:
    for at, (game, size) in enumerate([("a", 300), ("b", 300), ("c", 300), ("d", 500)]):
        shelf.keep(game, size, at)
    assert shelf.list_kept(*"abcd") == ["c", "d"]
    assert store.registry.zcard(keys.films_kept()) == 2


def test_small_films_are_kept_however_many_they_are(shelf: Shelf) -> None:
    games = [f"game-{number}" for number in range(100)]
    for game in games:
        shelf.keep(game, 10)
    assert shelf.list_kept(*games) == games


def test_a_film_that_is_made_again_counts_once(shelf: Shelf, store: Store) -> None:
    shelf.keep("a", 500, 1)
    shelf.keep("b", 300, 2)
    for size in (500, 400, 700):
        shelf.keep("b", size, 3)
    assert shelf.list_kept("a", "b") == ["b"]
    assert store.registry.zrange(keys.films_kept(), 0, -1) == [f"b {WISH} 700".encode()]


def test_what_has_expired_takes_no_room(shelf: Shelf, store: Store) -> None:
    shelf.keep("a", 300, 0)
    shelf.keep("b", 300, 31 * DAY_MS)
    assert store.registry.zcard(keys.films_kept()) == 2, "until its names are surely gone"
    shelf.keep("b", 300, 31 * DAY_MS + 1)
    assert store.registry.zcard(keys.films_kept()) == 1


def test_a_film_of_before_whose_bytes_are_unknown_counts_as_the_largest(
    shelf: Shelf, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MOST_BYTES_KEPT", storage.LARGEST + 10)
    store.registry.zadd(keys.films_kept(), {f"old {WISH}": 0})
    shelf.keep("a", 10)
    assert store.registry.zcard(keys.films_kept()) == 2
    shelf.keep("b", 1)
    assert store.registry.zcard(keys.films_kept()) == 2
    store.films.forget(["a", "b"])
    assert store.registry.zcard(keys.films_kept()) == 0


def test_the_dispatcher_enqueues_one_film_at_a_time(
    store: Store, over: Table, queue: Queues
) -> None:
    feeder = FilmFeeder(store, queue)
    assert feeder.run() == 0
    ask(store, over)
    ask(store, over, WISH._replace(width=300))
    assert feeder.run() == 1
    assert feeder.run() == 0, "a job waits already"
    store.redis.delete(queue.analysis.key)
    with store.leases.hold(over.id, FILMING):
        assert feeder.run() == 0, "the film is being made"
    assert feeder.run() == 1


def test_a_worker_starts_one_process_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Process:
        returncode: int | None = None

        def __init__(self, command: list[str]) -> None:
            started.append(command)

        def poll(self) -> int | None:
            return Process.returncode

    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(feeding, "_making", [])
    assert start_making("a", str(WISH))
    assert not start_making("b", str(WISH))
    Process.returncode = 0
    assert start_making("b", str(WISH))
    assert [command[-2:] for command in started] == [["a", str(WISH)], ["b", str(WISH)]]


def test_a_long_game_is_shown_by_its_ends_and_by_the_moves_of_most_points() -> None:
    moments = [FilmMoment(at, None, 50 if at in (7, 61) else 0) for at in range(100)]
    chosen = [one.version for one in choose_moments(moments, 10)]
    assert len(chosen) == len({*chosen}) == 10
    assert chosen == sorted(chosen)
    assert {0, 7, 61, 99} <= {*chosen}
    assert max(after - before for before, after in pairwise(chosen)) < 30
    rich = [FilmMoment(at, None, 50 if at < 50 else 1) for at in range(100)]
    assert sum(one.version >= 50 for one in choose_moments(rich, 10)) > 2  # half are spread
    assert choose_moments(moments, 100) == moments
    assert [one.version for one in choose_moments(moments, 2)] == [0, 99]


def test_a_wish_is_read_as_it_was_written() -> None:
    assert FilmWish.parse(str(WISH)) == WISH


def test_moments_count_the_points_of_all_seats() -> None:
    def event(version: int, type_: str, *points: int) -> dict[str, Any]:
        facts = [{"type": "points", "seat": 0, "points": one} for one in points]
        return {"version": version, "type": type_, "facts": [*facts, {"type": "other"}]}

    events = [
        event(1, "game_created"),
        event(2, "game_started"),
        event(3, "move_made", 3, -2),
        event(4, "message"),
        event(5, "game_scored"),
    ]
    found = [(one.version, one.points) for one in list_moments(events, 1, 99)]
    assert found == [(2, 0), (3, 5), (5, 0)]
