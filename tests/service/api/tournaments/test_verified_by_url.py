"""`cartulary verify --fair --tournament URL` against a service that runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from werkzeug.serving import make_server

from cartulary.cli.main import main
from cartulary.events.store import Store
from tests.service.api.tournaments.test_tournaments import Register, announce, enter, resign_all
from tests.service.support.caller import Caller


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with serve(app) as found:
        yield found


@contextmanager
def serve(app: Flask) -> Iterator[str]:
    """Yield the address of an app that answers."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def verify(url: str) -> Result:
    return CliRunner().invoke(main, ["verify", "--fair", "--tournament", url])


@pytest.mark.parametrize("duplicate", [False, True])
def test_all_games_of_closed_rounds_are_fetched_and_proved(
    store: Store, ada: Caller, bob: Caller, register: Register, address: str, duplicate: bool
) -> None:
    callers = [ada, bob, register("Eve"), register("Dan")]
    tournament = announce(ada, duplicate=duplicate)
    enter(tournament, *callers)
    assert ada.post(f"/tournaments/{tournament}/start", {}).status_code == 201
    store.tournaments.driver.step(tournament)
    resign_all(store, tournament, *callers)
    found = verify(f"{address}/tournaments/{tournament}")
    first, *games = found.output.splitlines()
    assert (found.exit_code, len(games)) == (0, 2)
    assert "the chain holds" in first
    assert all("proved fair" in line for line in games)
    assert ("1 secrets of rounds" in first) is duplicate


def test_a_url_that_leads_nowhere_is_said(address: str) -> None:
    found = verify(f"{address}/tournaments/01M8BW16P1GDDQDYWBSHYKZNW9")
    assert found.exit_code == 2
    assert "cannot read" in found.output
    assert verify(f"{address}/lobby").exit_code == 2
