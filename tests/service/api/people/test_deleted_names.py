"""Inbox and export of one player name no other player whose account is deleted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.store import Store
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.service.support.caller import Caller

PATHS = ("/players/me/inbox", "/players/me/export")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.slow
def test_no_item_names_a_deleted_player(
    store: Store, register: Callable[[str], Caller], path: str
) -> None:
    host, guest, other = (register(name) for name in ("Hanna", "Gustav", "Olga"))
    dispatcher = Dispatcher(store, queues_on(store.redis))
    game = host.open("me", "open")["id"]
    assert guest.post(f"/games/{game}/seats", {}).status_code == 201
    asked = host.open("me", "open")["id"]
    assert other.post(f"/games/{asked}/seat_requests", {}).status_code == 202
    dispatcher.step()
    text = host.get(path).text
    assert "Gustav" in text
    assert "Olga" in text
    for player, name in ((guest, "Gustav"), (other, "Olga")):
        gone = player.post("/players/me/deletion", {"confirm": name})
        assert gone.status_code == 204
    dispatcher.step()
    text = host.get(path).text
    assert "seat_requested" in text
    assert "Gustav" not in text
    assert "Olga" not in text
