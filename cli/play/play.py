"""`cartulary play`: play, watch and replay games of a service in a terminal."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from cartulary.cli.play.replay import replay
from cartulary.cli.play.table import TableScreen, ask_number
from cartulary.cli.play.token_file import read_token, write_token
from cartulary.cli.shared.client_faults import end_on_client_faults
from cartulary.cli.shared.errors import Unusable
from cartulary.client import Client
from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES

NAME = "Terminal"
"""What a new player is called until the player chooses a name."""


@click.command()
@click.option("--url", required=True, help="Address of the service, as http://127.0.0.1:8000.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the token of the player; it is made when it is missing. Without it a guest "
    "plays this time only.",
)
@click.option("--name", default=NAME, show_default=True, help="Name of a new player.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--game", help="Play at this table (id or link); else choose one.")
@click.option("--new", "new", type=click.Choice(sorted(OFFERS)), help="Open a game against a bot.")
@click.option("--bot", default="medium", show_default=True, help="The bot of a new game.")
@click.option("--watch", help="Watch this game (id or link) live.")
@click.option("--replay", "again", help="Step through this game (id or link) by keys.")
def play(
    url: str,
    token_file: Path | None,
    name: str,
    lang: str,
    game: str | None,
    new: str | None,
    bot: str,
    watch: str | None,
    again: str | None,
) -> None:
    """Play, watch and replay games of a service in a terminal.

    The board is drawn as text, and the legal moves are numbered: a number makes the move. `q`
    leaves the table; the game goes on, and `--game` with the same token file comes back to it.
    """
    if sum(choice is not None for choice in (game, new, watch, again)) > 1:
        raise Unusable("choose one of --game, --new, --watch and --replay")
    console = Console(highlight=False)
    token = None if token_file is None else read_token(token_file)
    with end_on_client_faults(), Client(url, token, language=lang) as client:
        if again is not None:
            replay(client, console, again, lang)
        elif watch is not None:
            TableScreen(client, console, watch, lang).follow()
        else:
            me = _enter(client, token_file, name)
            chosen = game or _choose_game(client, console, new, bot)
            TableScreen(client, console, _sit_down(client, chosen, me), lang, me).follow()


def _enter(client: Client, token_file: Path | None, name: str) -> str:
    """Return the id of the player of the token, of a new player where there is no token."""
    if client.token is not None:
        return client.read_me()["id"]
    created = client.create_player(name)
    if token_file is not None:
        write_token(token_file, created["token"])
    return created["id"]


def _choose_game(client: Client, console: Console, new: str | None, bot: str) -> str:
    """Return the id of a game of the player, or of a new game against a bot."""
    if new is None:
        running = client.list_games(player="me", status="running")["games"]
        offers = sorted(OFFERS)
        lines = [f"{game['game']} · {game['version']} · {game['id']}" for game in running]
        lines += [f"+ {offer} · {bot}" for offer in offers]
        for number, line in enumerate(lines, 1):
            console.print(f"{number:>4}  {line}")
        chosen = ask_number(len(lines))
        if chosen is None:
            raise click.Abort
        if chosen < len(running):
            return running[chosen]["id"]
        new = offers[chosen - len(running)]
    return client.create_game(new, [{"kind": "me"}, {"kind": "bot", "bot": bot}])["id"]


def _sit_down(client: Client, game: str, me: str) -> str:
    """Take an open seat where the player has no seat yet; return the id of the game."""
    found = client.read_game(game)
    seated = any(seat["player"] and seat["player"]["id"] == me for seat in found["seats"])
    if found["status"] == "open" and not seated:
        client.join_game(game)
    return found["id"]
