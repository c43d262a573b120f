"""What an event of a study shows of the draws of a game: those of each line that it adds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cartulary.engine.core import Json
from cartulary.studies import events as types
from cartulary.studies.lines import Games, draw_start
from cartulary.studies.state import StudyTree


class ShownDraws(NamedTuple):
    """The lines through a node of a study, which is as after the event that added the node.

    A later event may take them out again, and they stay in the history.
    """

    study: StudyTree
    node: int

    @property
    def start(self) -> Json:
        """The transcript to the start of the chapter."""
        return self.study.chapters[self.study.nodes[self.node].chapter].start

    def list_lines(self, games: Games) -> list[list[str]]:
        """Return what is drawn in each line through the node, from the beginning of the game on.

        The draws of the start are one more, because some of them may not be drawn yet. A line that
        is the beginning of another is left out.
        """
        lines = sorted([self.start["draws"], *self._walk(games)])
        ends = [one for one, other in pairwise(lines) if other[: len(one)] != one]
        return [*ends, lines[-1]]

    def _walk(self, games: Games) -> Iterator[list[str]]:
        nodes, path = self.study.nodes, self.study.list_path(self.node)
        before = draw_start(self.start, games, ())[1]
        waiting = [(self.node, [*before, *(draw for one in path for draw in one.draws)])]
        while waiting:
            number, drawn = waiting.pop()
            children = nodes[number].children
            if not children:
                yield drawn
            waiting += [(child, [*drawn, *nodes[child].draws]) for child in children]


def find_shown(study: StudyTree, event: Json) -> list[ShownDraws]:
    """Return what an event shows, which is the last one of a study: nothing if it draws nothing."""
    if event["type"] == types.CHAPTER_ADDED:
        return [ShownDraws(study, event["root"])]
    if event["type"] == types.LINE_ADDED and any(one.get("draws") for one in event["moves"]):
        return [ShownDraws(study, event["first"])]
    return []
