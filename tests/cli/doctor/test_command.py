"""`cartulary doctor` as an operator and a program use it; it changes nothing."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.main import main
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.server.format import FORMAT
from tests.cli.doctor.installation import Installation, read_all
from tests.support.night import at_night
from tests.support.polling import until
from tests.support.real_serve import Served

ROOT = Path(__file__).parents[3]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)])


@pytest.fixture
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CARTULARY_")]:
        monkeypatch.delenv(name)


def list_writing(redis: Redis) -> set[str]:
    """Return the commands of the server that may write, scripts included."""
    commands: Any = redis.command()
    scripts = {"eval", "evalsha", "fcall"}
    return {name for name, one in commands.items() if "write" in one["flags"]} | scripts


@pytest.mark.real
def test_no_command_of_the_doctor_writes(installation: Installation) -> None:
    # A fault of each kind: what a check does then is read only as well.
    installation.redis.set("somebody:else", 1)
    installation.redis.delete(keys.summary(installation.running))
    before, archive = read_all(installation.redis), installation.folder / "archive.sqlite"
    bytes_before, writing = archive.read_bytes(), list_writing(installation.redis)
    with installation.redis.monitor() as monitor:
        for whole in (False, True):
            assert len(installation.examine(whole=whole).findings) == 2
        installation.redis.echo("the end")
        seen: set[str] = set()
        while not (one := monitor.next_command())["command"].endswith("the end"):
            seen.add(one["command"].split()[0].lower())
    assert {"info", "scan", "hmget", "zscore"} <= seen
    assert seen & writing == set()
    assert read_all(installation.redis) == before
    assert archive.read_bytes() == bytes_before


@pytest.mark.real
def test_a_healthy_installation_exits_0_and_says_what_was_looked_at(
    installation: Installation,
) -> None:
    result = run("--data", installation.folder)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert all(line.startswith("well (") for line in lines.values())
    assert lines["games"] == "well (4 checks, 2 games)"
    assert lines["store"] == f"well (16 checks, format level {FORMAT})"
    assert lines["archive"] == "well (4 checks, 1 archived games)"


@pytest.mark.real
def test_a_finding_says_what_was_seen_what_follows_and_what_to_do(
    installation: Installation,
) -> None:
    installation.redis.config_set("maxmemory-policy", "allkeys-lru")
    result = run("--data", installation.folder)
    assert result.exit_code == 1
    assert "Error: 1 errors and 0 warnings" in result.stderr
    first, _, rest = result.stdout.partition("\n")
    assert first.startswith("ERROR store_evicts: ")
    assert first.endswith("has `maxmemory-policy allkeys-lru`")
    assert "do:  valkey-cli CONFIG SET maxmemory-policy noeviction" in rest
    assert "see: docs/operations.md#" in rest
    assert "\nstore      1 found (16 checks" in rest
    found = json.loads(run("--data", installation.folder, "--all", "--json").stdout)
    assert (found["healthy"], found["whole"], len(found["made"])) == (False, True, 56)
    (finding,) = found["findings"]
    assert (finding["code"], finding["severity"]) == ("store_evicts", "error")
    assert {"section", "seen", "fault", "remedy", "page"} < finding.keys()


@pytest.mark.real
@pytest.mark.parametrize(("stored", "level"), [(7, 7), (FORMAT + 1, FORMAT + 1), (None, None)])
def test_the_level_is_that_of_the_store_not_of_this_release(
    installation: Installation, stored: int | None, level: int | None
) -> None:
    installation.redis.delete(keys.store_format())
    if stored is not None:
        installation.redis.set(keys.store_format(), stored)
    found = json.loads(run("--data", installation.folder, "--json").stdout)
    assert (found["level"], found["format"]) == (level, FORMAT)
    shown = run("--data", installation.folder).stdout
    assert (f"format level {level})" in shown) == (level is not None)


@pytest.mark.usefixtures("_nothing_set")
def test_without_a_directory_and_an_address_it_cannot_look(tmp_path: Path) -> None:
    result = run("--data", tmp_path / "missing")
    assert result.exit_code == 2
    assert "there is no data directory" in result.stderr
    assert not (tmp_path / "missing").exists()


@pytest.mark.usefixtures("_nothing_set")
def test_beside_a_directory_that_no_service_uses_it_judges_the_settings_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_HEARTBAET", "3")
    found = json.loads(run("--data", tmp_path, "--json").stdout)
    assert [one["code"] for one in found["findings"]] == ["setting_unknown", "store_unknown"]
    assert "did you mean CARTULARY_HEARTBEAT?" in found["findings"][0]["seen"]
    assert found["skipped"]["game_damaged"] == "no store answers"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("_nothing_set")
@pytest.mark.parametrize(
    ("name", "value"),
    [("EVENTS_URL", "http://:hidden@a"), ("QUEUE_URL", "redis+cluster://a:1")],
)
def test_an_address_that_cannot_be_read_is_a_finding_that_shows_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"CARTULARY_{name}", value)
    result = run("--data", tmp_path)
    assert result.exit_code == 1
    assert f"ERROR setting_invalid: CARTULARY_{name} " in result.stdout
    assert "hidden" not in result.output


@pytest.mark.process
@at_night(
    "tests/cli/doctor/test_faults.py::test_a_healthy_installation_is_found_healthy_by_all_checks"
)
@pytest.mark.usefixtures("_nothing_set")
def test_a_fresh_service_is_healthy(tmp_path: Path) -> None:
    with Served(tmp_path / "data", environment={"CARTULARY_NOTICES": "1"}) as served:
        until(lambda: run("--data", served.data).exit_code == 0)
        result = run("--data", served.data, "--all")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "not looked at" not in result.stdout


@pytest.fixture
def _started(valkey: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The processes of the `Procfile`, each on its own; ended afterwards."""
    monkeypatch.setenv("CARTULARY_EVENTS_URL", valkey)
    monkeypatch.setenv("CARTULARY_SECRET", "5e" * 32)
    monkeypatch.setenv("CARTULARY_BIND", f"unix:{tmp_path}/web.sock")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    started = []
    try:
        with (tmp_path / "log").open("wb") as log:
            for line in (ROOT / "Procfile").read_text().splitlines():
                command = shlex.split(line.partition(":")[2])
                started.append(subprocess.Popen(command, stderr=log, stdout=log, cwd=ROOT))
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(60)
        connect(valkey).flushall()


@pytest.mark.process
@pytest.mark.real
@at_night(
    "tests/cli/test_status.py::test_processes_without_serve_are_shown_with_their_own_durability"
)
@pytest.mark.usefixtures("_nothing_set", "_started")
def test_processes_of_the_procfile_are_a_service_that_works(tmp_path: Path) -> None:
    def ask() -> Any:
        shown = CliRunner().invoke(main, ["status", "--json", "--data", str(tmp_path)])
        names = {one["name"] for one in json.loads(shown.stdout)["reporting"]}
        whole = names == {"web", "dispatcher", "fast", "worker", "notifier"}
        return json.loads(shown.stdout) if whole and shown.exit_code == 0 else None

    found = until(ask, within=60)
    assert found is not None
    assert (found["service"]["by"], found["service"]["ready"]) == ("processes", True)
    assert {one["format"] for one in found["reporting"]} == {found["format"]}
    until(lambda: run("--data", tmp_path).exit_code == 0)
