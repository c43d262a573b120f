"""What the tools do: each method is a tool, its text is what the model reads of it."""

from __future__ import annotations

import secrets
from contextlib import aclosing
from typing import Annotated, Any, Final

import anyio
from pydantic import Field

from cartulary.cli.mcp.advice import LOOK
from cartulary.cli.mcp.seat_client import SeatClient
from cartulary.cli.mcp.telling import (
    ENDED,
    describe_game,
    describe_offer,
    is_asked,
    list_choices,
    tell_story,
)

LONGEST_WAIT: Final = 60
"""Seconds that a tool waits: hosts give a call up after a minute or two."""

STORY_LINES: Final = 200
"""Events of a page of the story."""

GameId = Annotated[str, Field(description="The id of the game, or the link to its table.")]


class CallRefused(ValueError):
    """A call that the tools refuse themselves; nothing was sent."""


class TableTools:
    """The tools of one player; `me` is the id of the player.

    The moves that `look` has shown are remembered, so that a number means what the model has read.
    """

    def __init__(self, client: SeatClient, me: str, lang: str) -> None:
        self._client, self._me, self._lang = client, me, lang
        self._shown: dict[str, tuple[int, list[dict[str, Any]]]] = {}

    async def list_games(self) -> str:
        """List your games, invitations included, and what can be played here."""
        page = await self._client.list_games(player="me", limit=50)
        offers = await self._client.list_offers()
        own = [describe_game(game, self._me, self._lang) for game in page["games"]]
        lines = ["Your games:", *(own or ["- none"]), "Can be played:"]
        return "\n".join([*lines, *map(describe_offer, offers)])

    async def new_game(
        self,
        game: Annotated[
            str, Field(description="`caylus` or `carcassonne`; or the id of an open game to join.")
        ],
        opponents: Annotated[
            list[str] | None,
            Field(
                description="A bot for each other seat, by its level (`easy`, `medium`, …); `open` "
                "for a seat that a person may take. Missing: one `medium`."
            ),
        ] = None,
        options: Annotated[
            dict[str, str | int] | None, Field(description="Options of the game, see list_games.")
        ] = None,
    ) -> str:
        """Open a game against bots or people, or join an open game by its id or link."""
        offers = [offer["name"] for offer in await self._client.list_offers()]
        if game not in offers:
            joined = await self._client.join_game(game)
            return await self.look(joined["id"])
        others = [_make_seat(one) for one in opponents or ["medium"]]
        seats = [{"kind": "me"}, *others]
        made = await self._client.create_game(game, seats, options=options or {})
        return await self.look(made["id"])

    async def look(self, game: GameId) -> str:
        """Show the table in words; when it is your turn, every legal move with its number."""
        found: Any = await self._client.read_game(game)
        text = await self._client.read_position(found["id"])
        head = f"Game {found['id']}, version {found['version']}.\n{text}"
        if found["status"] in ENDED:
            return f"{head}The game has ended."
        if not is_asked(found, self._me):
            return f"{head}It is not your turn: call `wait_for_turn`."
        return head + await self._list_choices(found["id"])

    async def _list_choices(self, game: str) -> str:
        legal = await self._client.list_moves_in_words(game)
        self._shown[game] = (legal["version"], legal["moves"])
        choices = list_choices(legal)
        return f"Your moves (call `move` with version {legal['version']}):\n{choices}"

    async def move(
        self,
        game: GameId,
        number: Annotated[int, Field(description="The number of the move in the list.")],
        version: Annotated[int, Field(description="The version that stands above the list.")],
    ) -> str:
        """Make the move with this number. It answers with the table after the move."""
        found = await self._client.read_game(game)
        shown, moves = self._shown.get(found["id"], (0, []))
        if shown != version:
            raise CallRefused(f"version {version} was not the last that you looked at. {LOOK}")
        if not 1 <= number <= len(moves):
            raise CallRefused(f"there is no move {number}, only 1 to {len(moves)}. {LOOK}")
        key = secrets.token_hex(16)
        await self._client.make_move(found["id"], moves[number - 1], version=version, key=key)
        del self._shown[found["id"]]
        return f"Move {number} is made.\n{await self.look(found['id'])}"

    async def wait_for_turn(
        self,
        game: GameId,
        seconds: Annotated[int, Field(ge=1, le=LONGEST_WAIT, description="At most so long.")] = 30,
    ) -> str:
        """Wait until it is your turn or the game has ended, at most a minute; then look."""
        found: Any = await self._client.read_game(game)
        with anyio.move_on_after(seconds):
            await self._follow(found)
        return await self.look(found["id"])

    async def _follow(self, found: Any) -> None:
        """Read a game after each line of its stream, until it waits for the player or has ended."""
        if found["status"] in ENDED or is_asked(found, self._me):
            return
        stream: Any = self._client.follow_game(found["id"], found["version"])
        async with aclosing(stream):
            async for _ in stream:
                found = await self._client.read_game(found["id"])
                if found["status"] in ENDED or is_asked(found, self._me):
                    return

    async def story(
        self,
        game: GameId,
        after: Annotated[
            int, Field(ge=0, description="Tell what happened after this version.")
        ] = 0,
    ) -> str:
        """Tell what has happened in a game, line by line, each with its version."""
        found: Any = await self._client.read_game(game)
        page: Any = await self._client.read_events(found["id"], after, STORY_LINES)
        lines = tell_story(found, page["events"], self._lang)
        if page["next_after"] < found["version"]:
            lines.append(f"There is more: call `story` with after={page['next_after']}.")
        return "\n".join(lines) or "Nothing has happened since."

    async def why(
        self,
        game: GameId,
        move: Annotated[
            dict[str, Any],
            Field(
                description='A move of the contract, as {"type": "place_worker", "space": "inn"}.'
            ),
        ],
    ) -> str:
        """Say why a move is not among the legal ones, by the rule that it breaks."""
        found = await self._client.explain_move(game, move)
        if found["legal"]:
            return f"The move is legal now. {LOOK}"
        return f"{found['rule']}: {found['reason']}"

    async def resign(
        self,
        game: GameId,
        confirm: Annotated[
            str,
            Field(description="The id of the game once more: giving up can never be undone."),
        ],
    ) -> str:
        """Give your seat up for good. Only for a game that your user has told you to give up."""
        found = await self._client.read_game(game)
        if confirm != found["id"]:
            raise CallRefused(
                f"to resign, `confirm` must be the id {found['id']}. If your user has not asked "
                "you to give up, play on: call `look`."
            )
        await self._client.resign(found["id"])
        return "You have given up your seat in this game."


def _make_seat(opponent: str) -> dict[str, str]:
    return {"kind": "open"} if opponent == "open" else {"kind": "bot", "bot": opponent}
