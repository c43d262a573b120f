"""The type of an offer: everything that a game brings, in one object, and its tiers.

A game is complete tier by tier. Nothing demands a tier: the parts that an offer has are tested in
full, those that it lacks are not. `python -m cartulary.games` prints what each game lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, Final

from cartulary.bots.analysis.base import Analyst
from cartulary.bots.base import BotEntry
from cartulary.bots.levels import find_level
from cartulary.bots.randomly import RANDOM
from cartulary.bots.reasons import Finder
from cartulary.engine.contract import Contract
from cartulary.engine.core import Game
from cartulary.engine.pieces import Piece
from cartulary.locales import DEFAULT, LANGUAGES, GameWords
from cartulary.pictures.drawing import Picture
from cartulary.pictures.sheets.sheets import Sheet
from cartulary.words.speaker import Speaker


class Bots(Mapping[str, BotEntry]):
    """The bots of a game by name, the weakest first.

    A look-up also takes the other name of a level, `greedy` for `medium`; the list has each bot
    once.
    """

    def __init__(self, entries: Mapping[str, BotEntry]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> BotEntry:
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
    the analysis of a finished game asks of this game, None for a game without an analysis;
    `reasons`, what finds the reasons for a move, None for a game that gives no reasons; `speaker`,
    how the game says its moves and its table, by default with nothing but the names of things.
    """

    rules: Game
    bots: Mapping[str, BotEntry] = field(default_factory=dict)
    picture: Picture | None = None
    sheet: Sheet | None = None
    words: GameWords = field(default_factory=lambda: GameWords({}))
    analyst: Analyst[Any] | None = None
    reasons: Finder | None = None
    speaker: Speaker = field(default_factory=Speaker)

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

    @property
    def pieces(self) -> Sequence[Piece]:
        """Return the pieces of the game under its default options."""
        return self.rules.list_pieces({one.name: one.default for one in self.rules.options})

    def list_missing(self, tier: Tier) -> list[str]:
        """Return the parts of a tier that this offer lacks; none: the game has the tier."""
        return [part for part, has in TIERS[tier].items() if not has(self)]


class Tier(StrEnum):
    """How far a game is complete. `TIERS` has the parts of each tier."""

    PLAYABLE = "playable"
    DRAWN = "drawn"
    ANALYSED = "analysed"
    TRANSLATED = "translated"


def _speaks(lang: str, offer: Offer) -> bool:
    return offer.words.speaks(lang)


TIERS: Final[Mapping[Tier, Mapping[str, Callable[[Offer], object]]]] = {
    Tier.PLAYABLE: {"words in English": partial(_speaks, DEFAULT)},
    Tier.DRAWN: {
        "picture": lambda offer: offer.picture,
        "sheet (the game lists pieces)": lambda offer: offer.sheet or not offer.pieces,
    },
    Tier.ANALYSED: {
        "analyst": lambda offer: offer.analyst,
        "reasons": lambda offer: offer.reasons,
        "bot `hard`, for hints": lambda offer: "hard" in offer.bots,
        "lesson": lambda offer: offer.words.lesson(DEFAULT),
    },
    Tier.TRANSLATED: {f"words in {lang}": partial(_speaks, lang) for lang in LANGUAGES},
}
"""The parts of each tier; rules with a contract and the bot `random` every offer has."""


def rules_of(offers: Mapping[str, Offer]) -> dict[str, Game]:
    """Return the rules of each game by its name."""
    return {name: offer.rules for name, offer in offers.items()}
