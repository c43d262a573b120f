"""Positions of real games for the pictures: cases replayed to a move, and the golden files."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.engine.transcript import Playback, Transcript, read
from cartulary.games import GAMES, OFFERS
from cartulary.pictures import Picture, draw

CASES = Path(__file__).parent.parent / "cases"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Bartholomew of Lyon", "Čedomir", "Дарья", "Eve")

CARCASSONNE = "carcassonne/game-05.json"
CAYLUS = "caylus/game-04-5p-builder.json"


def picture_of(game: str) -> Picture:
    """Return what draws a game."""
    picture = OFFERS[game].picture
    assert picture is not None
    return picture


def words_of(game: str) -> Mapping[str, str]:
    """Return the English words of the pictures of a game."""
    return OFFERS[game].words.picture("en")


class Position(NamedTuple):
    """What a picture is drawn from, and the legal moves there."""

    game: str
    view: dict[str, Any]
    decision: dict[str, Any] | None
    result: dict[str, Any] | None
    last_move: dict[str, Any] | None
    legal_moves: list[dict[str, Any]]

    def draw(self, **more: Any) -> str:
        """Draw the position; the players have names unless others are given."""
        seats = len(self.view.get("scores") or self.view["players"])
        given: dict[str, Any] = {
            "decision": self.decision,
            "players": NAMES[:seats],
            "result": self.result,
            "status": "running" if self.decision else "over",
            "last_move": self.last_move,
            "words": words_of(self.game),
        }
        return draw(picture_of(self.game), self.view, **(given | more))

    def tree(self, **more: Any) -> ElementTree.Element:
        """Draw the position and parse the picture."""
        return ElementTree.fromstring(self.draw(**more))


def of(playback: Playback) -> Position:
    """Return the position that a playback has reached."""
    state, decision = playback.state, playback.state.decision
    last = playback.transcript.moves[playback.index - 1] if playback.index else None
    return Position(
        playback.transcript.game,
        state.view(),
        decision.to_json() if decision else None,
        state.final().to_json() if state.over else None,
        {"seat": last.seat, "move": last.move} if last else None,
        state.legal_moves() if decision else [],
    )


@cache
def transcript(case: str) -> Transcript:
    """Return a case as a transcript."""
    return read((CASES / case).read_bytes(), GAMES)


def walk(case: str, step: int = 1) -> Iterator[Position]:
    """Yield every `step`-th position of a case, the first and the last among them."""
    playback = Playback(transcript(case), GAMES)
    yield of(playback)
    while not playback.done:
        playback.step()
        if playback.index % step == 0 or playback.done:
            yield of(playback)


@cache
def position(case: str, moves: int | None = None) -> Position:
    """Return the position of a case after so many moves, at its end when None."""
    playback = Playback(transcript(case), GAMES)
    while not playback.done and playback.index != moves:
        playback.step()
    return of(playback)


def with_class(tree: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return all elements that have a class."""
    return [e for e in tree.iter() if name in (e.get("class") or "").split()]


def uses(tree: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return all uses of a symbol."""
    return [e for e in tree.iter(f"{SVG}use") if e.get("href") == f"#k-{name}"]
