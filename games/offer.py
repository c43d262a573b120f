"""The type of an offer: everything that a game brings, in one object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cartulary.analysis.base import Analyst
from cartulary.bots.base import Entry
from cartulary.bots.levels import find_level
from cartulary.bots.randomly import RANDOM
from cartulary.engine.contract import Contract
from cartulary.engine.core import Game
from cartulary.locales import GameWords
from cartulary.pictures.drawing import Picture
from cartulary.pictures.sheets import Sheet


class Bots(Mapping[str, Entry]):
    """The bots of a game by name, the weakest first.

    A look-up also takes the other name of a level, `greedy` for `medium`; the list has each bot
    once.
    """

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> Entry:
        """Return the bot of this name; raises `KeyError`."""
        found = self._entries.get(name)
        return found if found is not None else self._entries[find_level(name)]

    def __iter__(self) -> Iterator[str]:
        """Yield the names for people, without the other names of levels."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Return how many bots there are."""
        return len(self._entries)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A game on offer.

    Attributes: `rules`, with the contract of the game; `bots` by name, the weakest first (every
    game also has `random`, without being asked); `picture`, the function that draws a table, None
    for a game without a picture; `sheet`, the function that draws all pieces for people who learn
    the game, None for a game without such a drawing; `words`, in English at least; `analyst`, what
    the analysis of a finished game asks of this game, None for a game without an analysis.
    """

    rules: Game
    bots: Mapping[str, Entry] = field(default_factory=dict)
    picture: Picture | None = None
    sheet: Sheet | None = None
    words: GameWords = field(default_factory=lambda: GameWords({}))
    analyst: Analyst[Any] | None = None

    def __post_init__(self) -> None:
        """Put the bot `random` first."""
        object.__setattr__(self, "bots", Bots({"random": RANDOM, **self.bots}))

    @property
    def name(self) -> str:
        """Return the name of the game, as in transcripts and events."""
        return self.rules.name

    @property
    def contract(self) -> Contract:
        """Return the JSON Schemas of the moves, the decisions, the view and the facts."""
        return self.rules.contract


def rules_of(offers: Mapping[str, Offer]) -> dict[str, Game]:
    """Return the rules of each game by its name."""
    return {name: offer.rules for name, offer in offers.items()}
