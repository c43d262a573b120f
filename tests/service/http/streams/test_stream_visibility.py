"""Streams of private games end when their readers may see the game no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player as Person
from cartulary.events.store import Store
from cartulary.service.http.shared.stream_visibility import StreamVisibility
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import SSE, Player

ME, OPEN = SeatRequest("me"), SeatRequest("open")


class Watched:
    """A game of Ada's that waits, to which Bob is invited, and the streams that have ended."""

    def __init__(self, store: Store, visibility: str = "private") -> None:
        self.store = store
        self.ada, self.bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
        invited = SeatRequest("invite", player=self.bob.id)
        request = NewGame("carcassonne", [ME, OPEN, invited], visibility=visibility)
        self.id = store.commands.create(Intent(self.ada), request).table.id
        self.stream_visibility = StreamVisibility(store.ledger, store.projector)
        self.ended: list[str] = []

    def now(self) -> Table:
        return self.store.projector.table(self.id)

    def hold(self, who: Person) -> Callable[[], None]:
        return self.stream_visibility.hold(self.now(), who.id, lambda: self.ended.append(who.name))

    def decline(self) -> None:
        self.store.commands.arranging.leave(Intent(self.bob), self.id, 2)


@pytest.fixture
def watched(store: Store) -> Watched:
    return Watched(store)


def test_the_stream_of_a_guest_who_declines_ends_once(watched: Watched) -> None:
    watched.hold(watched.ada)
    watched.hold(watched.bob)
    watched.stream_visibility.look()
    assert watched.ended == []
    watched.decline()
    watched.stream_visibility.look()
    assert watched.ended == ["Bob"]


def test_an_event_between_the_first_look_at_the_game_and_the_stream_is_not_missed(
    watched: Watched,
) -> None:
    seen = watched.now()
    watched.decline()
    watched.stream_visibility.hold(seen, watched.bob.id, lambda: watched.ended.append("Bob"))
    watched.stream_visibility.look()
    assert watched.ended == ["Bob"]


def test_a_stream_that_has_ended_by_itself_is_forgotten(watched: Watched) -> None:
    watched.hold(watched.bob)()
    watched.decline()
    watched.stream_visibility.look()
    assert watched.ended == []


def test_who_sits_there_at_the_start_keeps_the_stream(watched: Watched) -> None:
    watched.store.commands.arranging.join(Intent(watched.bob), watched.id)
    watched.hold(watched.bob)
    watched.store.commands.arranging.start(Intent(watched.ada), watched.id, drop_open_seats=True)
    watched.stream_visibility.look()
    assert watched.ended == []


def test_games_without_news_and_games_for_everybody_cost_no_reading(
    watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = Watched(store, "unlisted")
    public.hold(public.bob)
    watched.hold(watched.ada)  # the opener sees the game for ever

    def fail(*_: Any) -> Any:
        raise AssertionError("the store was read")

    with monkeypatch.context() as patch:
        patch.setattr(store.ledger, "last", fail)
        public.stream_visibility.look()
        watched.stream_visibility.look()
    watched.hold(watched.bob)
    with monkeypatch.context() as patch:
        patch.setattr(store.projector, "table", fail)
        watched.stream_visibility.look()
    assert public.ended == watched.ended == []


@pytest.mark.real
@pytest.mark.parametrize("by_ticket", [False, True], ids=["token", "ticket"])
def test_an_open_stream_ends_soon_after_its_reader_is_removed(
    service: Gunicorn, by_ticket: bool
) -> None:
    with Player(service) as ada, Player(service) as bob:
        me = bob.get(f"{service.api}/players/me", timeout=60).json()["id"]
        seats = [{"kind": "me"}, {"kind": "invite", "player": me}, {"kind": "open"}]
        wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
        game = ada.post(f"{service.api}/games", json=wish, timeout=60).json()["id"]
        path = f"{service.api}/games/{game}"
        assert bob.post(f"{path}/seats", timeout=60).status_code == 201
        query = f"?ticket={ask_for_ticket(bob, path)}" if by_ticket else ""
        with (
            (requests if by_ticket else bob).get(
                f"{path}/events/stream{query}", headers=SSE, stream=True, timeout=60
            ) as removed,
            ada.get(f"{path}/events/stream", headers=SSE, stream=True, timeout=60) as lasting,
        ):
            lines = removed.iter_lines(chunk_size=1)
            assert next(lines) == b": still here"
            open_seat = ada.put(f"{path}/seats/1", json={"kind": "open"}, timeout=60)
            assert open_seat.status_code == 200
            assert [*lines].count(b": still here") < 5, "one comes each second"
            ada.put(f"{path}/seats/1", json={"kind": "bot", "bot": "random"}, timeout=60)
            told = lasting.iter_lines(chunk_size=1)
            assert any(b"seat_assigned" in line for line in told)
        assert bob.get(path, timeout=60).status_code == 404


def ask_for_ticket(player: Player, path: str) -> str:
    ticket: str = player.post(f"{path}/events/ticket", timeout=60).json()["ticket"]
    return ticket


@pytest.mark.real
def test_a_long_poll_of_a_reader_who_is_removed_is_answered_as_not_found(
    service: Gunicorn,
) -> None:
    with Player(service) as ada, Player(service) as bob:
        me = bob.get(f"{service.api}/players/me", timeout=60).json()["id"]
        seats = [{"kind": "me"}, {"kind": "invite", "player": me}]
        wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
        game = ada.post(f"{service.api}/games", json=wish, timeout=60).json()
        path = f"{service.api}/games/{game['id']}"
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(
                bob.get, f"{path}/events?after={game['version']}&wait=20", timeout=60
            )
            time.sleep(0.5)
            ada.put(f"{path}/seats/1", json={"kind": "open"}, timeout=60)
            assert waiting.result().status_code == 404


def test_the_stream_of_a_player_who_is_removed_before_the_start_ends(watched: Watched) -> None:
    arranging = watched.store.commands.arranging
    arranging.join(Intent(watched.bob), watched.id)
    watched.hold(watched.bob)
    seat = watched.now().seats_of(watched.bob.id)[0]
    arranging.change_seat(Intent(watched.ada), watched.id, seat, SeatRequest("open"))
    watched.stream_visibility.look()
    assert watched.ended == ["Bob"]
