"""A study at a version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cartulary.engine.core import Json


class StudyNode(NamedTuple):
    """A position: the start of a chapter (`parent` 0), or what a move and its draws lead to.

    `children` are the nodes of the moves that follow, the main one first.
    """

    number: int
    chapter: int
    parent: int = 0
    move: Json | None = None
    draws: tuple[str, ...] = ()
    text: str = ""
    marks: tuple[Json, ...] = ()
    question: Json | None = None
    children: tuple[int, ...] = ()


class StudyChapter(NamedTuple):
    """A chapter: its title, the transcript to its start, and the node of that position."""

    number: int
    title: str
    start: Json
    root: int


class StudyTree(NamedTuple):
    """A study: chapters and nodes by number. `authors` are players with a name, the owner first.

    `used` are the numbers of chapters and nodes that have been given so far. `invited` are players
    who are asked to write. `opened` is the version at which the study was shared last, 0: never.
    `edition` tells the texts of a lesson of the house from those of another release or language, ''
    for all others.
    `hidden` says since when the operators hide it and why (`at`, `reason`), None: they do not.
    """

    title: str
    language: str
    visibility: str
    authors: tuple[Json, ...]
    version: int
    created_at: str
    updated_at: str
    chapters: Mapping[int, StudyChapter] = {}
    nodes: Mapping[int, StudyNode] = {}
    used: tuple[int, int] = (0, 0)
    invited: tuple[Json, ...] = ()
    opened: int = 0
    hidden: Json | None = None
    edition: str = ""

    @property
    def owner(self) -> str:
        """The id of the first author, '' where all are gone."""
        return str(self.authors[0]["id"]) if self.authors else ""

    def has_author(self, player_id: str | None) -> bool:
        """Return whether a player may write in the study."""
        return any(one["id"] == player_id for one in self.authors)

    def has_invited(self, player_id: str | None) -> bool:
        """Return whether a player is asked to write in the study."""
        return any(one["id"] == player_id for one in self.invited)

    def list_path(self, number: int) -> list[StudyNode]:
        """Return the nodes from the start of a chapter to a node, without the start."""
        path = []
        node = self.nodes[number]
        while node.parent:
            path.append(node)
            node = self.nodes[node.parent]
        return path[::-1]

    def walk(self, number: int) -> Iterator[StudyNode]:
        """Yield a node and all that follow it, in no order that matters."""
        waiting = [number]
        while waiting:
            node = self.nodes[waiting.pop()]
            waiting += node.children
            yield node
