"""The tables of all games as text, and their words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from rich.console import RenderableType
from rich.text import Text

from cartulary import locales
from cartulary.cli.play import carcassonne, caylus
from cartulary.client.core.api_types import Game, MoveList
from cartulary.games import OFFERS
from cartulary.locales import GameWords
from cartulary.words.speaker import SeenTable, Speaker, say_moves

Draw = Callable[[Mapping[str, Any], Sequence[str], GameWords, str], RenderableType]

_TABLES: Final[Mapping[str, Draw]] = {
    "carcassonne": carcassonne.draw_table,
    "caylus": caylus.draw_table,
}
_NO_WORDS: Final = GameWords({})


def draw_view(game: Game, view: Mapping[str, Any] | None, lang: str) -> RenderableType:
    """Return a table; a game that this program does not know is shown as the service tells it."""
    if view is None:
        return Text()
    draw = _TABLES.get(game["game"])
    if draw is None:
        return Text(json.dumps(view, indent=1, ensure_ascii=False))
    return draw(view, name_seats(game, lang), find_words(game["game"]), lang)


def find_words(name: str) -> GameWords:
    """Return the words of a game; no words for a game that this program does not know."""
    offer = OFFERS.get(name)
    return _NO_WORDS if offer is None else offer.words


def say_legal_moves(game: Game, legal: MoveList, lang: str) -> list[str]:
    """Return the legal moves of a game as sentences; as JSON for a game that is not known here."""
    offer = OFFERS.get(game["game"])
    seen = SeenTable(
        status=game["status"],
        names=name_seats(game, lang),
        view=cast("Mapping[str, Any] | None", game["view"]),
        decision=cast("Mapping[str, Any] | None", legal["decision"]),
        moves=cast("Sequence[Mapping[str, Any]]", legal["moves"]),
    )
    speaker = Speaker() if offer is None else offer.speaker
    return say_moves(speaker, find_words(game["game"]), lang, seen)


def name_seats(game: Game, lang: str) -> list[str]:
    """Return what the players of a game are called, by seat."""
    bots = locales.terms(lang).get("bots", {})
    names = []
    for seat in game["seats"]:
        player, bot = seat["player"], seat["bot"]
        names.append(player["name"] if player else bots.get(bot, bot or "…"))
    return names
