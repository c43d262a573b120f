"""Results: what a game that counts says of its players.

Results have one order, by time and id, in which they are folded; a result belongs to one bucket:
a ladder, a game, and a table of two or of more.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

Json = dict[str, Any]

TWO, MANY = TABLES = ("2", "many")


def name_table(seats: int) -> str:
    """Return the word for tables of so many seats."""
    return TWO if seats == 2 else MANY


class Bucket(NamedTuple):
    """Ratings that are compared with each other: of a ladder, a game, and tables (`2`, `many`)."""

    ladder: str
    game: str
    table: str

    def text(self) -> str:
        """Return the bucket as one word."""
        return ":".join(self)

    @classmethod
    def parse(cls, text: str) -> Bucket:
        """Return the bucket of a word; raises `TypeError` for another word."""
        return cls(*text.split(":"))


class Entrant(NamedTuple):
    """Who sat on a seat: a `player` by id, or a level of a `strength` that the league measured."""

    player: str | None
    strength: int | None = None


class GameResult(NamedTuple):
    """The result of a game that counts; `at` is in ms since the epoch.

    `ranks` are those of the entrants: 1 is the best, and ties share a rank.
    """

    at: int
    id: str
    bucket: Bucket
    entrants: tuple[Entrant, ...]
    ranks: tuple[int, ...]

    @property
    def place(self) -> ResultPlace:
        """The place among all results."""
        return ResultPlace(self.at, self.id)

    @property
    def players(self) -> list[str]:
        """The players whose ratings move."""
        return [one.player for one in self.entrants if one.player is not None]

    def to_json(self) -> Json:
        """Return the result as JSON."""
        entrants = [
            {"player": one.player} if one.player is not None else {"strength": one.strength}
            for one in self.entrants
        ]
        return {
            "at": self.at,
            "id": self.id,
            **self.bucket._asdict(),
            "entrants": entrants,
            "ranks": list(self.ranks),
        }

    @classmethod
    def from_json(cls, text: Json) -> GameResult:
        """Return the result of its JSON. Raises `KeyError`, `TypeError`."""
        return cls(
            text["at"],
            text["id"],
            Bucket(text["ladder"], text["game"], text["table"]),
            tuple(Entrant(one.get("player"), one.get("strength")) for one in text["entrants"]),
            tuple(text["ranks"]),
        )


class ResultPlace(NamedTuple):
    """The place of a result in the order of the fold."""

    at: int
    id: str


FIRST: Final = ResultPlace(0, "")
