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


def make_token(served: Served, folder: Path, *scopes: str) -> Path:
    """Return a file with the token of a new player, for these scopes."""
    api = f"{served.url}/api/v1"
    made = requests.post(f"{api}/players", json={"name": "Model"}, timeout=60).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    body = {"label": "model", "scopes": list(scopes)}
    token = requests.post(f"{api}/players/me/tokens", json=body, headers=headers, timeout=60)
    file = folder / "token"
    file.write_text(token.json()["token"], encoding="utf-8")
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
        command = start_over_stdio(served.url, make_token(served, tmp_path, "read", "play"))
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


def test_a_token_for_the_account_is_refused_before_a_model_gets_it(
    shared_service: Served, tmp_path: Path
) -> None:
    served = shared_service
    token = make_token(served, tmp_path, "read", "play", "account")
    command = ["mcp", "--url", served.url, "--token-file", str(token)]
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the token has the scope `account`" in done.stderr
    assert '"scopes": ["read", "play"]' in done.stderr
