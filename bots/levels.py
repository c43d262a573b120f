"""The levels of the bots: their names, their order of strength, and which bot moves for another.

The names are the same for every game. A game offers some of the levels, and may offer bots of its
own. Functions here take the names on offer, weakest first, as `Offer.bots` lists them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

LEVELS: Final = ("random", "easy", "medium", "able", "good", "strong", "hard", "expert")
"""The levels, the weakest first."""

RANDOM: Final = "random"
MEDIUM: Final = "medium"

OTHER_NAMES: Final = {"greedy": MEDIUM}
"""Names that a request may use, to the level that they mean. Events keep the name asked for."""

SUBSTITUTES: Final = (MEDIUM, RANDOM)
"""The levels that move for a bot that cannot, in this order."""


def find_level(bot: str) -> str:
    """Return the level that a name means: `medium` for `greedy`, else the name itself."""
    return OTHER_NAMES.get(bot, bot)


def rate_strength(bot: str, offered: Collection[str]) -> tuple[int, int]:
    """Return the place of a bot in the order of strength: the smaller, the weaker.

    A bot of a game's own stands directly behind the level that the offer lists before it. A bot
    that is not on offer counts as `medium`, because `medium` moves for it.
    """
    level = find_level(bot)
    if level in LEVELS:
        return LEVELS.index(level), 0
    place = (LEVELS.index(MEDIUM), 0)
    known = (0, 0)
    for name in offered:
        known = (LEVELS.index(name), 0) if name in LEVELS else (known[0], known[1] + 1)
        if name == level:
            place = known
    return place


def find_weakest(bots: Iterable[str], offered: Collection[str]) -> str:
    """Return the weakest of some bots, the first of those that are equally strong.

    Raises `ValueError` without bots.
    """
    return min(bots, key=lambda bot: rate_strength(bot, offered))


def choose_stand_in(asked: str, seated: Iterable[str], offered: Collection[str]) -> str:
    """Return the bot that stands in for a person, by the name under which it sits at the table.

    It is the bot `asked` for, but never stronger than the weakest of the bots `seated` at the table
    (contract, `POST /games/{id}/seats/{n}/stand_in`).
    """
    return find_weakest([asked, *seated], offered)


def find_usual(offered: Collection[str]) -> str:
    """Return the stand-in of a game whose creation asks for no other: `medium`.

    A game without `medium` has the strongest of its bots that is no stronger than `medium`.
    """
    medium = rate_strength(MEDIUM, offered)
    fitting = [bot for bot in offered if rate_strength(bot, offered) <= medium]
    return max(fitting, key=lambda bot: rate_strength(bot, offered), default=RANDOM)


def list_substitutes(bot: str, offered: Collection[str]) -> Iterator[str]:
    """Yield the bots that may move for `bot` when it cannot, in the order in which they try.

    First `medium`, then `random` (`docs/bots.md`, "Levels"), as far as they are on offer and are
    not the bot itself.
    """
    level = find_level(bot)
    return (name for name in SUBSTITUTES if name != level and name in offered)
