"""`cartulary bot`: bots of others on a service."""

from __future__ import annotations

import asyncio
import signal
from datetime import UTC, datetime
from pathlib import Path

import click

from cartulary.bots import Budget
from cartulary.cli.bot.client import PATIENT, BotClient
from cartulary.cli.bot.runner import MOST_TABLES, BotRunner, Wishes
from cartulary.cli.play.token_file import read_token
from cartulary.cli.shared.client_faults import end_on_client_faults
from cartulary.cli.shared.errors import Unusable
from cartulary.cli.shared.numbers import NumberRange
from cartulary.games import OFFERS
from cartulary.outside.bots import LoadedBot, find_bot
from cartulary.outside.spelling import COMMAND, InvalidName

OF_OTHERS = 0o077
"""The rights of a file that other users of the machine may have."""


@click.group()
def bot() -> None:
    """Let a bot of your own play on a service."""


@bot.command()
@click.argument("name", metavar="MODULE:NAME", required=False)
@click.option(
    "--command",
    metavar="PROGRAM",
    help="A program that speaks the line protocol, in place of MODULE:NAME.",
)
@click.option("--url", required=True, help="Address of the service, as http://127.0.0.1:8000.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File with the token of the bot.",
)
@click.option("--games", metavar="GAME[,GAME…]", help="Play these games; else all.")
@click.option(
    "--parallel",
    type=click.IntRange(1, MOST_TABLES),
    default=4,
    show_default=True,
    help="Games at once.",
)
@click.option(
    "--seconds",
    type=NumberRange(0, 3600, min_open=True),
    default=1.0,
    show_default=True,
    help="The budget of a move; less while the clock of the game is short.",
)
@click.option(
    "--fallback",
    is_flag=True,
    help="Make a legal move by lot when the bot fails; without it the bot waits.",
)
def run(
    name: str | None,
    command: str | None,
    url: str,
    token_file: Path,
    games: str | None,
    parallel: int,
    seconds: float,
    fallback: bool,
) -> None:
    """Play on a service until Ctrl-C: accept invitations, think, move.

    MODULE:NAME is a function think(state, rng, budget) of a module that Python finds, also in the
    working directory. One line on stderr says what was moved. A bot that is killed goes on with its
    games at the next start.
    """
    found = _find_bot(name, command)
    wishes = Wishes(_read_games(games), parallel, Budget(seconds=seconds), fallback)
    token = read_token(token_file)
    if token is None:
        raise Unusable(f"{token_file} is missing: write the token of the bot into it")
    if token_file.stat().st_mode & OF_OTHERS:
        write_log(
            f"{token_file} can be read by other users of this machine: chmod 600 {token_file}"
        )
    with end_on_client_faults():
        asyncio.run(_run(found, wishes, url, token))


async def _run(found: LoadedBot, wishes: Wishes, url: str, token: str) -> None:
    """Play until a signal comes."""
    async with BotClient(url, token, policy=PATIENT) as client:
        playing = asyncio.ensure_future(BotRunner(client, found, wishes, write_log).run())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, playing.cancel)
        try:
            await playing
        except asyncio.CancelledError:
            write_log("ends; its games wait for its return")


def write_log(line: str) -> None:
    """Write a line with the time."""
    click.echo(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {line}", err=True)


def _find_bot(name: str | None, command: str | None) -> LoadedBot:
    if (name is None) == (command is None):
        raise Unusable("name a function MODULE:NAME, or a program with --command")
    try:
        return find_bot(name if name is not None else f"{COMMAND}{command}")
    except InvalidName as error:
        raise Unusable(str(error)) from error


def _read_games(games: str | None) -> list[str]:
    """Return names of games, all of them without a choice; raises `Unusable`."""
    names = sorted(OFFERS) if games is None else games.split(",")
    for name in names:
        if name not in OFFERS:
            raise Unusable(f"there is no game {name!r}; there are {', '.join(sorted(OFFERS))}")
    return names
