"""Both clients follow many games of a real service, whose store restarts and whose web ends."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from cartulary.client import AsyncClient, Client, ClosedLine, EventLine, GameLine, ManyLine
from tests.support.missing_tools import missing
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.process, pytest.mark.real]

FOLLOWER = Path(__file__).with_name("follow_games.mjs")
MISSING = "01J00000000000000000000000"
SEATS = [{"kind": "me"}, {"kind": "me"}]

Found = dict[str, list[str]]
"""What a follower has got of each game: versions, and why the game was closed."""


def note(found: Found, line: ManyLine) -> None:
    """Note a line of a game."""
    if isinstance(line, ClosedLine):
        found[line.game].append(line.reason)
    elif isinstance(line, GameLine) and isinstance(line.line, EventLine):
        found[line.game].append(str(line.line.version))


def are_closed(found: Found, games: list[str]) -> bool:
    """Return whether the stream has nothing more of any game; with the inbox it goes on."""
    return all(found[game] and not found[game][-1].isdecimal() for game in games)


def follow(url: str, token: str, games: list[str], found: Found) -> None:
    with Client(url, token) as client:
        for line in client.follow_games(games, inbox=True):
            note(found, line)
            if are_closed(found, games):
                return


def follow_with_a_loop(url: str, token: str, games: list[str], found: Found) -> None:
    async def run() -> None:
        async with AsyncClient(url, token) as client:
            async for line in client.follow_games(games, inbox=True):
                note(found, line)
                if are_closed(found, games):
                    return

    asyncio.run(run())


def follow_with_node(url: str, token: str, games: list[str], found: Found) -> None:
    node = shutil.which("node")
    if node is None:
        missing("node (https://nodejs.org) 20 or newer is missing")
    command = [node, str(FOLLOWER), url, token, ",".join(games)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            game, said = line.split()
            found[game].append(said)
            if are_closed(found, games):
                process.kill()


Follow = Callable[[str, str, list[str], Found], None]
FOLLOWERS: list[Follow] = [follow, follow_with_a_loop, follow_with_node]


def play(ada: Client, games: list[str]) -> None:
    """Make a move in each game."""
    for game in games:
        legal = ada.list_moves(game)
        ada.make_move(game, legal["moves"][0], version=legal["version"])


def end(ada: Client, game: str) -> int:
    """Resign a seat, and return the last version when the game is scored."""
    ada.resign(game, 0)
    until(lambda: ada.read_game(game)["status"] == "over", within=60)
    return ada.read_game(game)["version"]


def test_no_event_is_missed_or_doubled_while_the_store_and_the_web_restart(tmp_path: Path) -> None:
    found: list[Found] = [defaultdict(list) for _ in FOLLOWERS]
    # The service ends before the pool: a follower that waits in vain loses its connection.
    with (
        ThreadPoolExecutor() as pool,
        Served(tmp_path / "data", "--durability=always") as served,
        Client(served.url) as ada,
    ):
        token = ada.create_player("Ada")["token"]
        games = [ada.create_game("carcassonne", SEATS)["id"] for _ in range(2)]
        running: list[Future[None]] = [
            pool.submit(one, served.url, token, [*games, MISSING], into)
            for one, into in zip(FOLLOWERS, found, strict=True)
        ]
        until(lambda: all(into[game] for into in found for game in games), within=60)
        play(ada, games)
        for child in ("valkey", "web"):
            served.kill(child)
            play(ada, games)
        last = {game: end(ada, game) for game in games}
        for one in running:
            one.result(timeout=60)
    wanted = {
        game: [*map(str, range(1, version + 1)), "over"] for game, version in last.items()
    } | {MISSING: ["not_found"]}
    for into in found:
        into.pop("inbox", None)
        assert into == wanted
