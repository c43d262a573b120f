"""`cartulary serve` as people meet it: real processes, a real server, a person over HTTP."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from click.testing import CliRunner

from bench.ports import find_free_port
from cartulary.cli.main import main
from tests.e2e.ended import call, check_audit, check_finished, play_to_the_end
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]


TURNS = short_or_long(2, 6)
"""Turns before each kill."""


def test_a_game_goes_on_whichever_child_is_killed(tmp_path: Path) -> None:
    # So long a path that a Valkey started again has another socket than before.
    with Served(tmp_path / ("d" * 90), "--workers=1") as served:
        person = Person(served)
        game_id = person.create("greedy", "random")
        for child in ("worker 1", "dispatcher", "web", "valkey"):
            person.play(game_id, turns=TURNS)
            served.kill(child)
        assert served.log().count("was killed by SIGKILL; restarting it") == 3
        play_to_the_end(person, game_id)
        check_finished(person, game_id, tmp_path)


def test_bots_among_themselves_play_to_the_end(shared_service: Served, tmp_path: Path) -> None:
    person = Person(shared_service)
    body = {"game": "carcassonne", "seats": [{"kind": "bot", "bot": "greedy"}] * 2}
    game_id = person.create_from(body)
    until(lambda: person.get(f"games/{game_id}")["status"] == "over", within=60, every=0.2)
    check_finished(person, game_id, tmp_path)


def test_a_second_serve_on_the_same_data_is_refused(shared_service: Served) -> None:
    second = cartulary("serve", "--port=0", f"--data={shared_service.data}")
    assert second.returncode == 2
    assert second.stdout == ""
    assert f"is in use by cartulary (pid {shared_service.process.pid})" in second.stderr
    assert Person(shared_service).create("random")


def test_a_port_in_use_is_refused_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = cartulary("serve", f"--port={port}", f"--data={tmp_path / 'data'}")
    assert refused.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in refused.stderr


def test_rebuild_and_audit_work_beside_a_running_service(shared_service: Served) -> None:
    person = Person(shared_service)
    game_id = person.create("greedy")
    person.play(game_id, turns=5)
    before = {game["id"] for game in person.get("games?player=me")["games"]}
    assert game_id in before
    assert call("rebuild", f"--data={shared_service.data}").stdout == "rebuilt\n"
    assert {game["id"] for game in person.get("games?player=me")["games"]} == before
    check_audit(shared_service.data)


def test_rebuild_of_nothing_is_refused(tmp_path: Path) -> None:
    refused = call("rebuild", f"--data={tmp_path / 'missing'}")
    assert refused.exit_code == 2
    assert "there is no data directory" in refused.stderr


def cartulary(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "CARTULARY_EVENTS_URL": ""},
    )


CERTIFICATE = Path(__file__).parent.parent / "service" / "localhost.pem"


def test_it_speaks_https_serves_the_metrics_apart_and_has_the_durability_asked_for(
    tmp_path: Path,
) -> None:
    address = f"127.0.0.1:{find_free_port()}"
    options = [f"--certificate={CERTIFICATE}", f"--metrics={address}", "--durability=always"]
    with Served(tmp_path / "data", *options) as served:
        assert served.url.startswith("https://")
        answer = requests.get(f"{served.url}/livez", verify=str(CERTIFICATE), timeout=60)
        assert answer.json() == {"status": "alive"}
        ready = requests.get(f"{served.url}/readyz", verify=str(CERTIFICATE), timeout=60).json()
        assert ready["durability"] == "always"
        metrics = requests.get(f"{served.url}/metrics", verify=str(CERTIFICATE), timeout=60)
        assert metrics.status_code == 404
        text = until(lambda: _read(f"http://{address}/metrics"))
        assert "cartulary_http_request_seconds_count" in text
        assert served.stop() == 0


def _read(url: str) -> str:
    try:
        return requests.get(url, timeout=60).text
    except requests.ConnectionError:
        return ""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--certificate=missing.pem"], "no certificate and key in missing.pem"),
        ([f"--certificate={__file__}"], "no certificate and key in"),
        (["--key=missing.pem"], "--key needs --certificate"),
        (["--metrics=9100"], "--metrics must be HOST:PORT"),
        (["--metrics=127.0.0.1:x"], "--metrics must be HOST:PORT"),
    ],
)
def test_unusable_certificates_and_addresses_are_refused_before_anything_starts(
    tmp_path: Path, options: list[str], reason: str
) -> None:
    data = tmp_path / "data"
    found = CliRunner().invoke(main, ["serve", f"--data={data}", *options])
    assert found.exit_code == 2, found.output
    assert reason in found.output
    assert not data.exists()
