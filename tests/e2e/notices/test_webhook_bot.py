"""The bot in `examples/notices` plays at the tables of a running service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.e2e.notices.conftest import Egress
from tests.support.night import NIGHT
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

FILE = Path(__file__).parents[3] / "examples/notices/webhook_bot.py"
TURNS = 6
"""Decisions of the person in CI; in the night the game goes on to its end."""


def register(served: Served, token: str, port: int) -> str:
    """Register the webhook of a bot with its token; return the public key of the service."""
    answer = requests.post(
        f"{served.url}/api/v1/players/me/webhooks",
        json={"url": f"https://127.0.0.1:{port}/", "format": "move"},
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["public_keys"][0]
    return key


def test_a_webhook_bot_plays_without_a_stream(served: Served, egress: Egress) -> None:
    ada = Person(served)
    bot = ada.post("players/me/bots", {"name": "Robo"})
    command = [sys.executable, str(FILE), str(egress.port), *map(str, egress.certificate)]
    command.append(register(served, bot["token"], egress.port))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"listening on")
        seats: list[Any] = [{"kind": "me"}, {"kind": "invite", "player": bot["id"]}]
        game_id = ada.create_from({"game": "carcassonne", "seats": seats})
        until(lambda: ada.get(f"games/{game_id}")["status"] == "running")
        game = ada.play(game_id, TURNS)
        if NIGHT:
            # Another notifier takes over what the first one had in its hands.
            served.kill("notifier")
            game = ada.play(game_id)
        until(lambda: count_moves(ada, game_id) >= 2)
    finally:
        process.terminate()
        process.wait(60)
    events = ada.get(f"games/{game_id}/events?limit=1000")["events"]
    types = {event["type"] for event in events}
    assert "stand_in_seated" not in types
    assert game["status"] == ("over" if NIGHT else "running")
    assert ada.get(f"games/{game_id}/verification")["valid"]
    assert [one["id"] for one in ada.get("bots?online=true")["bots"]] == [bot["id"]]


def count_moves(person: Person, game_id: str) -> int:
    """Return how many moves the bot has made."""
    events = person.get(f"games/{game_id}/events?limit=1000")["events"]
    return sum(event["type"] == "move_made" and event["seat"] == 1 for event in events)


def test_the_bot_has_fewer_than_eighty_lines() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < 80
