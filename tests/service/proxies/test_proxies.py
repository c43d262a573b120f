"""The files for nginx and Caddy: events go on at once, and no client chooses its address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
import requests
from flask import Flask
from requests.adapters import HTTPAdapter
from werkzeug.serving import make_server

from cartulary.settings.table import SETTINGS
from tests.service.proxies.running_proxy import NAMES, Proxy, read_file, run_proxy
from tests.support.local_servers import make_certificate
from tests.support.real_serve import Person, Served

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PLAYERS = "/api/v1/players"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"), "games.example")


@pytest.fixture
def local_app(make_app: Callable[..., Flask]) -> Iterator[str]:
    """The service behind one proxy; each address may register one player. Yields `HOST:PORT`."""
    app = make_app(proxies=1, rates={"players": "1/hour"})
    server = make_server("127.0.0.1", 0, read_bodies_first(app))
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def read_bodies_first(app: Flask) -> WSGIApplication:
    """Return an app that answers when it has read the body, as the server of the service does.

    The server of this test would close a connection with bytes that were not read, which resets it:
    a proxy may then lose the body of an answer.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        size = int(environ.get("CONTENT_LENGTH") or 0)
        environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(size))
        return app(environ, start_response)

    return answer


class From(HTTPAdapter):
    """Connects from an address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *given: Any, **named: Any) -> None:
        super().init_poolmanager(*given, **named, source_address=(self._address, 0))


def register(proxy: Proxy, address: str, forged: dict[str, str]) -> int:
    """Register a player from an address; return the status."""
    with requests.Session() as session:
        session.mount("https://", From(address))
        answer = session.post(
            proxy.url + PLAYERS,
            json={"name": "Ada"},
            headers=forged,
            verify=proxy.certificate,
            timeout=60,
        )
    return answer.status_code


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_a_client_cannot_choose_its_address(
    name: str, tmp_path: Path, local_app: str, certificate: tuple[Path, Path]
) -> None:
    with run_proxy(name, tmp_path, local_app, certificate) as proxy:
        assert register(proxy, "127.0.0.2", {}) == 201
        for forged in (
            {"X-Forwarded-For": "203.0.113.7"},
            {"X-Forwarded-For": "203.0.113.8, 127.0.0.1"},
            {"Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"},
        ):
            assert register(proxy, "127.0.0.2", forged) == 429
        assert register(proxy, "127.0.0.3", {"X-Forwarded-For": "127.0.0.2"}) == 201


@pytest.mark.real
@pytest.mark.parametrize("name", NAMES)
def test_each_event_arrives_while_the_stream_goes_on(
    name: str, tmp_path: Path, shared_service: Served, certificate: tuple[Path, Path]
) -> None:
    ada = Person(shared_service)
    game_id = ada.create_from({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]})
    service = shared_service.url.removeprefix("http://")
    with (
        run_proxy(name, tmp_path, service, certificate) as proxy,
        watch(proxy, game_id) as stream,
    ):
        # An empty line is a sign of life.
        versions = (json.loads(line)["version"] for line in stream.iter_lines(1) if line)
        version = ada.get(f"games/{game_id}")["version"]
        assert [next(versions) for _ in range(version)] == [*range(1, version + 1)]
        for _ in range(3):
            moved = ada.answer(game_id, version)["version"]
            assert [next(versions) for _ in range(moved - version)] == [
                *range(version + 1, moved + 1)
            ]
            version = moved


def watch(proxy: Proxy, game_id: str) -> requests.Response:
    """Open the stream of a game; a line that does not come within five seconds is an error."""
    return requests.get(
        f"{proxy.url}/api/v1/games/{game_id}/events?after=0",
        headers={"Accept": "application/x-ndjson"},
        stream=True,
        verify=proxy.certificate,
        timeout=5,
    )


def test_a_proxy_waits_longer_than_a_stream_or_a_page_is_silent() -> None:
    silent = max(int(SETTINGS[name].default) for name in ("HEARTBEAT", "MAX_WAIT"))
    times = re.findall(r"proxy_(?:read|send)_timeout (\d+)s;", read_file("nginx"))
    assert len(times) == 2
    assert all(int(time) > silent for time in times)
    # Caddy has no limit unless its file names one.
    assert "timeout" not in read_file("caddy")


def test_a_proxy_takes_each_body_that_the_service_takes() -> None:
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", read_file("nginx"))
    assert int(megabytes) << 20 > int(SETTINGS["MAX_IMPORT"].default)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_of_a_proxy_says_what_the_service_needs(name: str) -> None:
    text = " ".join(re.sub(r"^\s*#", "", read_file(name), flags=re.MULTILINE).split())
    assert "CARTULARY_PROXIES=1 and CARTULARY_PUBLIC_URL=https://games.example" in text
