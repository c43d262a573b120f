"""`cartulary mcp` as a host starts it: a real service, the real transport, whole games at night."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from cartulary.cli.main import main
from tests.cli.mcp.model import ScriptedModel, read_id, start_over_stdio
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.process


def make(served: Served, path: str, body: dict[str, Any], token: str = "") -> str:
    """Make a player, a bot or a token, and return the token of the answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.post(f"{served.url}/api/v1{path}", json=body, headers=headers, timeout=60)
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["token"]
    return made


def make_bot(served: Served) -> str:
    """Return the token of a new bot called Model."""
    owner = make(served, "/players", {"name": "Ada"})
    return make(served, "/players/me/bots", {"name": "Model"}, owner)


def write(folder: Path, token: str) -> Path:
    """Return a file with a token."""
    file = folder / "token"
    file.write_text(token, encoding="utf-8")
    return file


GAMES = [
    ("carcassonne", ["easy"], short_or_long(4, 10_000)),
    *short_or_long(
        [], [("caylus", ["easy", "medium"], 10_000), ("carcassonne", ["easy"] * 4, 10_000)]
    ),
]


@pytest.mark.parametrize(("game", "bots", "most"), GAMES)
def test_a_scripted_model_plays_to_the_end_by_numbers_and_text(
    shared_service: Served, tmp_path: Path, game: str, bots: list[str], most: int
) -> None:
    """By day the model gives up after some moves, with the confirmation: that ends the game too."""

    from mcp.client.client import Client
    from mcp.client.stdio import stdio_client

    served = shared_service

    async def play() -> tuple[str, str, Any]:
        command = start_over_stdio(served.url, write(tmp_path, make_bot(served)))
        # Its default is what `sys.stderr` was at its first import: perhaps the pipe of a test.
        async with Client(stdio_client(command, errlog=sys.__stderr__ or sys.stderr)) as client:
            model = ScriptedModel(client)
            first = await model.call("new_game", game=game, opponents=bots)
            text = await model.play(first, most)
            if "The game has ended." not in text:
                await model.call("resign", game=read_id(first), confirm=read_id(first))
                text = await model.call("wait_for_turn", game=read_id(first), seconds=60)
            story = await model.call("story", game=read_id(first))
            uri = f"cartulary://games/{read_id(first)}/board.png"
            return text, story, await client.read_resource(uri)

    text, story, picture = asyncio.run(play())
    assert "The game has ended." in text
    assert '"Model"' in story
    assert base64.b64decode(picture.contents[0].blob).startswith(b"\x89PNG")


@pytest.mark.parametrize("scopes", [["read", "play"], ["read", "play", "account"]])
def test_the_token_of_a_person_is_refused_before_a_model_gets_it(
    shared_service: Served, tmp_path: Path, scopes: list[str]
) -> None:
    served = shared_service
    person = make(served, "/players", {"name": "Ada"})
    token = make(served, "/players/me/tokens", {"label": "x", "scopes": scopes}, person)
    command = ["mcp", "--url", served.url, "--token-file", str(write(tmp_path, token))]
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the token is one of a person (Ada)" in done.stderr
    assert "Settings › My bots" in done.stderr
    assert "POST /api/v1/players/me/bots" in done.stderr
