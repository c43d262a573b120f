"""The secret of the draws on a real `serve`: nowhere before the end, in the events after it."""

from __future__ import annotations

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.cli.shared.data_directory import read_note, url_in_use
from cartulary.events.draws.keyring import Keyring
from cartulary.events.draws.vault import Vault
from cartulary.events.model.fairness import derive_seed
from cartulary.events.server.connection import connect
from tests.fairness.checker import check_events
from tests.fairness.script import run_alone, write_lines
from tests.support.night import short_or_long
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

ENTROPY = "ada_ada_ada_ada_ada"
METRICS = "of-the-metrics"
LOOKS, TURNS = short_or_long((2, 6), (4, 9))
"""How often everything is searched for the secret, and the turns before each search."""


@pytest.fixture(autouse=True, scope="module")
def _own_key() -> Iterator[None]:
    """Let `serve` make its key, as it does for people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CARTULARY_SECRET", raising=False)
        patch.setenv("CARTULARY_METRICS_TOKEN", METRICS)
        yield


@pytest.fixture(scope="module")
def served(_own_key: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that both games are played on."""
    with Served(tmp_path_factory.mktemp("fair") / "data") as service:
        yield service


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield how a secret may look somewhere."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for before in range(3):  # in Base64 the same bytes look different at three offsets
        text = base64.b64encode(b"\0" * before + secret)
        yield text[4 if before else 0 : 40]
        yield text[4 if before else 0 : 40].replace(b"+", b"-").replace(b"/", b"_")


def find_leaks(secrets: list[bytes], places: dict[str, bytes]) -> list[str]:
    """Return the names of the places that hold one of the secrets in any form."""
    needles = [form for secret in secrets for form in forms(secret)]
    return [name for name, text in places.items() if any(one in text for one in needles)]


def read_files(folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # the service has just put another file in its place
            if path.is_file():
                found[str(path)] = path.read_bytes()
    return found


def read_store(url: str) -> dict[str, bytes]:
    """All keys of the store: streams, snapshots, jobs, leases, projections."""
    redis: Any = connect(url)
    return {f"key {key!r}": redis.dump(key) or b"" for key in redis.scan_iter(count=1000)}


def ask_everything(person: Person, game_id: str, version: int) -> dict[str, bytes]:
    """The answers of the service about a game."""
    paths = [
        *("", "/moves", "/events?limit=1000", "/board", "/story", "/transcript", "/verification"),
        *(f"/states/{version}", "/events?after=2&limit=3", "/nothing"),
    ]
    answers = {
        path: requests.get(f"{person.served.url}/api/v1/games/{game_id}{path}", timeout=60)
        for path in paths
    }
    answers["lobby"] = requests.get(f"{person.served.url}/api/v1/games", timeout=60)
    answers["ready"] = requests.get(f"{person.served.url}/readyz", timeout=60)
    token = {"Authorization": f"Bearer {METRICS}"}
    answers["metrics"] = requests.get(f"{person.served.url}/metrics", headers=token, timeout=60)
    assert answers["metrics"].ok
    return {
        f"answer {path}": answer.content + str(answer.headers).encode()
        for path, answer in answers.items()
    }


def read_memory(served: Served) -> dict[str, bytes]:
    """The files in memory: signs of life, metrics."""
    note = read_note(served.data)
    assert note is not None
    found = read_files(Path(note.memory))
    assert found
    return found


@pytest.mark.parametrize("game", short_or_long(["carcassonne"], ["carcassonne", "caylus"]))
def test_the_secret_is_nowhere_before_the_end_and_proves_the_draws_after_it(
    served: Served, game: str, tmp_path: Path
) -> None:
    data = served.data
    person = Person(served)
    game_id = person.create_from(
        {
            "game": game,
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}, {"kind": "me"}],
            "entropy": ENTROPY,
        }
    )
    url = url_in_use(data)
    assert url is not None
    key = (data / "secret.key").read_text()
    assert stat.S_IMODE((data / "secret.key").stat().st_mode) == 0o600
    vault = Vault(connect(url), Keyring.parse(key))
    secret = vault.read(game_id)
    assert secret is not None
    seed = derive_seed(secret, [ENTROPY, "", ENTROPY])
    version = 0
    for _ in range(LOOKS):
        version = person.play_all(game_id, turns=TURNS)["version"]
        places = {
            **read_store(url),
            **read_files(data),
            **read_memory(served),
            **ask_everything(person, game_id, version),
            "log": served.log().encode(),
        }
        assert len(places) > 30
        assert find_leaks([secret, seed], places) == []
        assert find_leaks([bytes.fromhex(key)], {**places, str(data / "secret.key"): b""}) == []
    person.play_all(game_id)
    events = person.get(f"games/{game_id}/events?limit=1000")["events"]
    assert events[-1]["secret"] == secret.hex()
    assert vault.read(game_id) is None
    checked = check_events(events)
    assert (checked.state, checked.problems) == ("proved", [])
    report = person.get(f"games/{game_id}/verification")
    assert (report["valid"], report["fair"]["state"]) == (True, "proved")
    assert report["fair"]["draws"] == checked.draws
    assert run_alone(write_lines(events)).returncode == 0
    check_commands(served, game_id, events, tmp_path)


def check_commands(
    served: Served, game_id: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """`cartulary verify --fair` proves the page, the lines and the URL, and names a changed bit."""
    page, lines = tmp_path / "page.json", tmp_path / "lines.ndjson"
    page.write_text(json.dumps({"events": events, "next_after": len(events)}))
    lines.write_text(write_lines(events))
    for source in (str(page), str(lines), f"{served.url}/games/{game_id}"):
        done = CliRunner().invoke(main, ["verify", "--fair", source])
        assert (done.exit_code, "draws proved fair" in done.stdout) == (0, True), done.output
    version = len(events) // 2
    changed = [dict(event) for event in events]
    changed[version - 1]["at"] = "2026-01-01T00:00:00.000Z"
    lines.write_text(write_lines(changed))
    done = CliRunner().invoke(main, ["verify", "--fair", str(lines)])
    assert done.exit_code == 1
    assert f"version {version}: chain:" in done.stdout


def refused_start(data: Path, *arguments: str) -> str:
    """What `serve` says when it does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "cartulary.cli", "serve", "--port=0", f"--data={data}", *arguments],
        env={**os.environ, "CARTULARY_EVENTS_URL": ""},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    return done.stderr


def rotate(data: Path) -> Result:
    return CliRunner().invoke(main, ["rotate-secret", "--data", str(data)])


def test_another_key_ends_the_start_and_a_running_game_goes_on_with_a_renewed_secret(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    file = data / "secret.key"
    with Served(data) as served:
        person = Person(served)
        game_id = person.create("greedy")
        person.play(game_id, turns=3)
        busy = rotate(data)
        assert busy.exit_code == 2
        assert "in use" in busy.output
    file.unlink()
    said = refused_start(data)
    assert "--renew-draws" in said
    assert "1 unfinished" in said
    file.write_text("no key")
    assert "64 hexadecimal digits" in refused_start(data)
    file.unlink()
    with Served(data, "--renew-draws") as served:
        assert len(play_to_the_end(person, served, game_id)) == 1
    done = rotate(data)  # from now on the new key is that of the store
    assert done.exit_code == 0, done.output


def play_to_the_end(person: Person, served: Served, game_id: str) -> list[int]:
    """Play on and resign: the draws are proved; return the versions that renewed the secret.

    At night play to the last tile.
    """
    person.served = served
    if (turns := short_or_long(3, None)) is not None:
        person.play(game_id, turns=turns)
        person.post(f"games/{game_id}/resignation", {})
    person.play(game_id)
    report = person.get(f"games/{game_id}/verification")
    assert report["problems"] == []
    assert report["fair"]["state"] == "proved"
    renewed: list[int] = report["fair"]["renewed_at"]
    return renewed
