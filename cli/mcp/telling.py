"""What a model reads. Every name in it is quoted: a name is data, whatever it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cartulary import locales
from cartulary.games import OFFERS
from cartulary.locales import GameWords
from cartulary.locales.story import StoryTeller
from cartulary.words.quoting import quote_name

Json = Mapping[str, Any]

ENDED: Final = ("over", "aborted")
_NO_WORDS: Final = GameWords({})


def name_seats(game: Json, lang: str) -> list[str]:
    """Return what the players of a game are called, by seat, each quoted."""
    bots = locales.terms(lang)["bots"]
    names = []
    for seat in game["seats"]:
        player, bot = seat["player"], seat["bot"]
        names.append(quote_name(player["name"] if player else bots.get(bot, bot or "?")))
    return names


def list_own_seats(game: Json, me: str) -> list[int]:
    """Return the seats of a player."""
    return [seat["seat"] for seat in game["seats"] if (seat["player"] or {}).get("id") == me]


def is_asked(game: Json, me: str) -> bool:
    """Return whether a game waits for this player."""
    decision = game["decision"]
    return decision is not None and decision["seat"] in list_own_seats(game, me)


def describe_game(game: Json, me: str, lang: str) -> str:
    """Return a game of a list as one line."""
    turn = "your turn" if is_asked(game, me) else game["status"]
    own = ", ".join(f"seat {seat + 1}" for seat in list_own_seats(game, me)) or "no seat"
    names = ", ".join(name_seats(game, lang))
    return f"- {game['id']}: {game['game']}, {turn}; you have {own}; players: {names}"


def describe_offer(offer: Json) -> str:
    """Return what can be played as one line."""
    bots = ", ".join(bot["name"] for bot in offer["bots"])
    options = "; ".join(
        f"{option['name']}: {', '.join(map(str, option['values']))}" for option in offer["options"]
    )
    seats = offer["seats"]
    said = f"- {offer['name']}: {seats['from']} to {seats['to']} seats; bots: {bots}"
    return f"{said}; options: {options}" if options else said


def list_choices(legal: Json) -> str:
    """Return the legal moves, each with its number."""
    return "\n".join(f"{one['number']}: {one['text']}" for one in legal["words"])


def tell_story(game: Json, events: Sequence[Json], lang: str) -> list[str]:
    """Return events as sentences with the version of each, in the order of the events.

    The service tells the same with the names as they are; here they are quoted first.
    """
    offer = OFFERS.get(game["game"])
    words = _NO_WORDS if offer is None else offer.words
    teller = StoryTeller(lang, words, name_seats(game, lang))
    return [
        f"{event['version']}: {text}" for event in events for text in teller.tell(_quote(event))
    ]


def _quote(value: Any) -> Any:
    """Return a part of an event with each name of a player in it quoted."""
    if isinstance(value, Mapping):
        return {
            key: quote_name(one) if key == "name" and isinstance(one, str) else _quote(one)
            for key, one in value.items()
        }
    return [*map(_quote, value)] if isinstance(value, list) else value
