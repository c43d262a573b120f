"""A full disk: reads go on, writes get 503, and writing works again when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis.exceptions import NoScriptError, ResponseError

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.conditions import read_durability
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import API
from tests.service.support.scene import Scene, problem
from tests.support.games import ALL_OFFERS
from tests.support.polling import until

FULL = "MISCONF Errors writing to the AOF file: No space left on device"


@pytest.mark.slow
@pytest.mark.parametrize("said", [FULL, "OOM command not allowed", "READONLY replica"])
def test_a_store_that_takes_no_writes_is_unavailable(
    scene: Scene, store: Store, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ResponseError(said)

    monkeypatch.setattr(store.players, "create", refuse)
    answer = scene.ada.post("/players", {"name": "Bob"})
    assert "takes no writes" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"


def test_a_store_that_forgets_a_script_between_load_and_call_is_unavailable(
    scene: Scene, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client of Redis loads the script once: a store that is flushed again forgets it again."""

    def refuse(*_: Any, **__: Any) -> None:
        raise NoScriptError("No matching script.")

    monkeypatch.setattr(store.players, "create", refuse)
    answer = scene.ada.post("/players", {"name": "Bob"})
    assert "forgot" in problem(answer, 503, "unavailable")["detail"]


def test_another_refusal_of_the_store_is_a_failure(
    scene: Scene, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ResponseError("WRONGTYPE")

    monkeypatch.setattr(store.players, "create", refuse)
    problem(scene.ada.post("/players", {"name": "Bob"}), 500, "internal_error")


def test_the_durability_in_force_is_shown(make_app: Callable[..., Flask], store: Store) -> None:
    store.heartbeats.write(queued=0, queue_age=0.0)
    client = make_app(durability="always", metrics_token="t").test_client()
    ready: Any = client.get("/readyz").json
    assert ready["durability"] == "always"
    metrics = client.get("/metrics", headers={"Authorization": "Bearer t"}).text
    assert 'cartulary_durability{durability="always"} 1.0' in metrics


@pytest.mark.real
@pytest.mark.parametrize(
    ("configured", "shown"),
    [
        ({"appendonly": "yes", "appendfsync": "always"}, "always"),
        ({"appendonly": "yes", "appendfsync": "no"}, "no"),
        ({"appendonly": "no", "appendfsync": "everysec"}, "off"),
    ],
)
def test_a_store_of_somebody_else_is_shown_as_it_is_configured(
    tmp_path: Path, configured: dict[str, str], shown: str
) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        redis = connect(str(valkey.url))
        for name, value in configured.items():
            redis.config_set(name, value)
        assert read_durability(redis) == shown
        redis.acl_setuser("default", commands=["-config"])
        assert read_durability(redis) == "unknown"
        redis.close()


@pytest.mark.real
def test_the_durability_of_a_store_of_somebody_else_is_in_readiness_and_metrics(
    real_store: Store,
) -> None:
    store = real_store
    store.heartbeats.write(queued=0, queue_age=0.0)
    settings = WebSettings(log_requests=False, durability="", metrics_token="t")
    client = create_app(settings, store, ALL_OFFERS).test_client()

    def show() -> tuple[str, str]:
        ready: Any = client.get("/readyz").json
        metrics = client.get("/metrics", headers={"Authorization": "Bearer t"}).text
        lines = [line for line in metrics.splitlines() if line.startswith("cartulary_durability{")]
        return ready["durability"], " ".join(lines)

    assert show() == ("everysec", 'cartulary_durability{durability="everysec"} 1.0')
    store.redis.config_set("appendfsync", "always")
    try:
        shown, metrics = show()
    finally:
        store.redis.config_set("appendfsync", "everysec")
    assert shown == "always"
    assert 'cartulary_durability{durability="everysec"} 0.0' in metrics
    assert 'cartulary_durability{durability="always"} 1.0' in metrics


@pytest.mark.process
def test_serve_refuses_to_choose_the_durability_of_a_store_of_somebody_else(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "cartulary.cli", "serve", "--durability=always", "--port=0"]
    done = subprocess.run(
        [*serve, f"--data={tmp_path / 'data'}"],
        env={**os.environ, "CARTULARY_EVENTS_URL": "redis://127.0.0.1:1/0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "--durability chooses for the embedded Valkey only" in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.real
@pytest.mark.parametrize("durability", ["everysec", "always"])
def test_the_embedded_server_has_the_durability_asked_for(tmp_path: Path, durability: str) -> None:
    with EmbeddedValkey(tmp_path, durability) as valkey:
        found: Any = connect(str(valkey.url)).config_get("appendfsync")
        assert found == {"appendfsync": durability}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("a file system may not be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.real
def test_a_store_without_memory_is_unavailable_and_takes_writes_later(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        redis = connect(str(valkey.url))
        store = Store(redis, OFFERS)
        client = create_app(WebSettings(log_requests=False), store, OFFERS).test_client()
        ada: Any = client.post(f"{API}/players", json={"name": "Ada"}).json
        token = {"Authorization": f"Bearer {ada['token']}"}
        bot = {"kind": "bot", "bot": "random"}
        table = {"game": "carcassonne", "seats": [{"kind": "me"}, bot]}
        redis.config_set("maxmemory", "1mb")
        # The one is refused by a command, the other by a script.
        problem(client.post(f"{API}/players", json={"name": "Bob"}), 503, "unavailable")
        problem(client.post(f"{API}/games", json=table, headers=token), 503, "unavailable")
        redis.config_set("maxmemory", "0")
        assert client.post(f"{API}/games", json=table, headers=token).status_code == 201
        store.close()


@pytest.mark.real
def test_on_a_full_disk_reads_go_on_and_writes_are_repeated_later(small_disk: Path) -> None:
    with EmbeddedValkey(small_disk / "valkey") as valkey:
        store = Store(connect(str(valkey.url)), OFFERS)
        client = create_app(WebSettings(log_requests=False), store, OFFERS).test_client()
        ada: Any = client.post(f"{API}/players", json={"name": "Ada"}).json
        ballast = small_disk / "ballast"
        with ballast.open("wb") as file:
            try:
                while True:
                    os.write(file.fileno(), b"x" * 4096)
            except OSError:
                pass

        def write() -> Any:
            return client.post(f"{API}/players", json={"name": "Bob" * 20})

        refused = until(lambda: [a] if (a := write()).status_code != 201 else [])[0]
        problem(refused, 503, "unavailable")
        read: Any = client.get(f"{API}/players/{ada['id']}").json
        assert read["name"] == "Ada"
        ballast.unlink()
        until(lambda: write().status_code == 201, every=0.2)
        store.close()
