"""The commands of operators on a fake server, as one types them."""

from __future__ import annotations

import fakeredis
import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.store import Store
from cartulary.games import OFFERS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def open_operator_store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a store that the commands open: each connection to the same fake server."""
    server = fakeredis.FakeServer()

    def connect(*_: object) -> tuple[fakeredis.FakeRedis, fakeredis.FakeRedis]:
        client = fakeredis.FakeRedis(server=server)
        return client, client

    monkeypatch.setenv("CARTULARY_EVENTS_URL", "redis://of-the-test")
    monkeypatch.setattr("cartulary.cli.operators.store.connect_games", connect)
    store = Store(connect()[0], OFFERS)
    store.claim()
    return store
