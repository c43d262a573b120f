"""`cartulary mcp`: the command that a host of language models starts."""

from __future__ import annotations

from pathlib import Path

import anyio
import click

from cartulary.cli.mcp.seat_client import SeatClient
from cartulary.cli.mcp.server import make_server
from cartulary.cli.play.token_file import read_token
from cartulary.cli.shared.client_faults import end_on_client_faults
from cartulary.cli.shared.errors import Unusable
from cartulary.client import Unauthenticated
from cartulary.locales import LANGUAGES


@click.command()
@click.option("--url", required=True, help="Address of the service, as http://127.0.0.1:8000.")
@click.option(
    "--token-file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the token of a bot.",
)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
def mcp(url: str, token_file: Path, lang: str) -> None:
    """Give a language model a seat: an MCP server on stdin and stdout.

    The model lists games, looks at a table in words, moves by numbers and waits for its turn. It
    reads no chat, and its token can do nothing else: it is one of a bot, and that of a person is
    refused.
    """
    token = read_token(token_file)
    if token is None:
        raise Unusable(f"{token_file} is missing: it must hold the token of the model")
    with end_on_client_faults():
        try:
            anyio.run(_serve, url, token, lang)
        except Unauthenticated as error:
            raise Unusable(f"the service does not know the token in {token_file}") from error


async def _serve(url: str, token: str, lang: str) -> None:
    async with SeatClient(url, token, language=lang) as client:
        me = await client.read_me()
        if me["kind"] != "bot":
            raise Unusable(
                f"the token is one of a person ({me['name']}): a model plays as a bot, whose token "
                "can read and play and nothing else. Make one under Settings › My bots, or with "
                'POST /api/v1/players/me/bots {"name": "My model"}, and use the token of its answer'
            )
        await make_server(client, me["id"], lang).run_stdio_async()
