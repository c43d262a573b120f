"""`serve --rehearsal`: what is refused, and a whole rehearsal with real processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from random import Random

import httpx
import pytest
from click.testing import CliRunner

from cartulary.cli.main import main
from cartulary.client import Client, Conflict

SERVE = ["serve", "--rehearsal", "--port=0"]
STEPS = """{"form": 1, "steps": [
  {"name": "opened", "to": "create", "do": "drop_answer"},
  {"name": "answer lost", "to": "move", "after": 1, "do": "drop_answer"},
  {"name": "too many", "to": "move", "do": "refuse", "status": 429, "code": "rate_limited",
   "retry_after": 1},
  {"name": "stale", "to": "move", "do": "conflict"},
  {"name": "unknown event", "to": "stream", "after": 2, "do": "unknown_event"},
  {"name": "twice", "to": "stream", "do": "repeat_event"},
  {"name": "cut", "to": "stream", "do": "cut"},
  {"name": "reset", "to": "stream", "do": "reset"},
  {"name": "silence", "to": "stream", "after": 1, "do": "silence"}
]}"""


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ([*SERVE, "--data=data"], {}, "never runs on a real store: leave --data out"),
        (SERVE, {"CARTULARY_EVENTS_URL": "redis://localhost"}, "unset CARTULARY_EVENTS_URL"),
        (SERVE, {"CARTULARY_QUEUE_URL": "redis://localhost"}, "unset CARTULARY_QUEUE_URL"),
        (SERVE, {"CARTULARY_ARCHIVE_URL": "sqlite:///x"}, "unset CARTULARY_ARCHIVE_URL"),
        ([*SERVE, "--host=0.0.0.0"], {}, "this machine only"),
        ([*SERVE, "--host=games.example"], {}, "this machine only"),
        (SERVE, {"CARTULARY_CERTIFICATE": "x.pem"}, "plain HTTP"),
        ([*SERVE, "--script=missing.json"], {}, "script"),
        (["serve", "--script=missing.json"], {}, "--script needs --rehearsal"),
        (["serve", "--report=r"], {}, "--report needs --rehearsal"),
    ],
)
def test_a_rehearsal_that_is_no_rehearsal_is_refused(
    arguments: list[str],
    environment: dict[str, str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cartulary.cli.serve.choose_certificate", lambda *_: {})
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    unset = {f"CARTULARY_{name}_URL": "" for name in ("EVENTS", "QUEUE", "ARCHIVE")}
    result = CliRunner(env={**unset, **environment}).invoke(main, arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "data").exists()


def play(url: str) -> str:
    """Play one's seat against a bot until the script is over; return the id of the game."""
    rng = Random(1)
    with Client(url, silent_after=2.0) as client:
        client.create_player("Ada")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        game = client.create_game("carcassonne", seats)["id"]
        is_over = False
        for _ in client.follow_game(game):
            if is_over:
                return game
            is_over = httpx.get(f"{url}/rehearsal", timeout=60).json()["waiting"] == []
            legal = client.list_moves(game)
            if legal["decision"] is not None and legal["decision"]["seat"] == 0:
                try:
                    client.make_move(game, rng.choice(legal["moves"]), version=legal["version"])
                except Conflict:
                    again = client.list_moves(game)
                    client.make_move(game, rng.choice(again["moves"]), version=again["version"])
    raise AssertionError("the game was over before the script")


@pytest.mark.process
def test_the_client_conforms_in_a_rehearsal_of_the_whole_service(tmp_path: Path) -> None:
    script, report = tmp_path / "script.json", tmp_path / "report.ndjson"
    script.write_text(STEPS)
    options = ["--workers=1", f"--script={script}", f"--report={report}"]
    unset = {f"CARTULARY_{name}_URL": "" for name in ("EVENTS", "QUEUE", "ARCHIVE")}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "cartulary.cli", *SERVE, *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **unset, "CARTULARY_NOTICES": "0", "CARTULARY_WEB_PROCESSES": "1"},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("ready on "), (tmp_path / "log").read_text()
        url = line.removeprefix("ready on ").strip()
        clock = f"{url}/rehearsal/clock"
        httpx.put(clock, json={"advance": 86400}, timeout=60).raise_for_status()
        ahead = datetime.fromisoformat(httpx.get(clock, timeout=60).json()["now"])
        game = play(url)
        answer = httpx.get(f"{url}/api/v1/games/{game}", timeout=60)
        assert answer.headers["Cartulary-Rehearsal"] == "true"
        assert datetime.fromisoformat(answer.json()["created_at"]) >= ahead
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert process.stdout is not None
        process.stdout.close()
    folders = re.findall(r"--folder=(\S+)", (tmp_path / "log").read_text())
    assert not any(Path(folder).exists() for folder in folders)
    result = CliRunner().invoke(main, ["conformance", str(report)])
    assert result.exit_code == 0, result.output
    assert re.search(r"^passed +silence +notices a dead connection$", result.stdout, re.MULTILINE)


def test_the_judge_says_what_failed_and_what_was_not_tested(tmp_path: Path) -> None:
    report = tmp_path / "report.ndjson"
    step = {"name": "a", "to": "move", "do": "drop_answer"}
    head = json.dumps({"t": 0, "what": "rehearsal", "form": 1, "steps": [step]})
    report.write_text(head + "\n")
    result = CliRunner().invoke(main, ["conformance", str(report)])
    assert (result.exit_code, "untested  a" in result.output) == (1, True)
    assert CliRunner().invoke(main, ["conformance", "--partial", str(report)]).exit_code == 0
    move = {"what": "request", "method": "POST", "path": "/games/g/moves", "body": "b"}
    records: list[dict[str, object]] = [
        {"t": 1, **move, "id": 1, "key": "k"},
        {"t": 1, "what": "trouble", "id": 1, "step": "a", "do": "drop_answer"},
        {"t": 2, **move, "id": 2, "key": "another"},
    ]
    report.write_text("\n".join([head, *map(json.dumps, records)]))
    result = CliRunner().invoke(main, ["conformance", "--json", str(report)])
    assert result.exit_code == 1
    assert '"rule": "repeats with the same key", "verdict": "failed"' in result.stdout
    missing = CliRunner().invoke(main, ["conformance", str(tmp_path / "none")])
    assert missing.exit_code == 2
