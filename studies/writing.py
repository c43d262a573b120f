"""A study as a study file, and a chapter as a transcript with `variations`."""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.core import Json, State
from cartulary.studies.form import FORMAT
from cartulary.studies.lines import Games, draw_start, play_node
from cartulary.studies.state import StudyNode, StudyTree

OF_LINE: Final = {"comments": "text", "marks": "marks", "questions": "question"}
"""The keys of a transcript that say what its main line has of texts, marks and questions."""


def write_document(study: StudyTree) -> Json:
    """Return a study as a study file, with the number of each node and chapter."""
    return {
        "format": FORMAT,
        "title": study.title,
        "language": study.language,
        "chapters": [_write_chapter(study, number) for number in study.chapters],
    }


def _write_chapter(study: StudyTree, number: int) -> Json:
    chapter = study.chapters[number]
    root = study.nodes[chapter.root]
    return {
        "chapter": number,
        "node": root.number,
        "title": chapter.title,
        "start": chapter.start,
        **_write_notes(root),
        "line": _write_line(study, root),
    }


def _write_notes(node: StudyNode) -> Json:
    notes = {"text": node.text, "marks": list(node.marks), "question": node.question}
    return {name: value for name, value in notes.items() if value}


def _write_line(study: StudyTree, parent: StudyNode) -> list[Json]:
    """Return the main line after a node, with the other moves of each position next to it."""
    line = []
    while parent.children:
        first, *others = (study.nodes[number] for number in parent.children)
        step = _write_node(first)
        if others:
            step["instead"] = [[_write_node(one), *_write_line(study, one)] for one in others]
        line.append(step)
        parent = first
    return line


def _write_node(node: StudyNode) -> Json:
    draws: Json = {"draws": list(node.draws)} if node.draws else {}
    return {"node": node.number, "move": node.move, **draws, **_write_notes(node)}


def write_transcript(study: StudyTree, number: int, games: Games) -> Json:
    """Return a chapter as a transcript: the main line, and the other lines as `variations`.

    Readers that know no variations ignore them: they stand at the top level, as do `comments`,
    `marks` and `questions`.
    """
    chapter = study.chapters[number]
    scribe = _Scribe(study)
    state, drawn = draw_start(chapter.start, games, ())
    before = len(chapter.start["moves"])
    scribe.note(study.nodes[chapter.root], before)
    moves = scribe.write(study.nodes[chapter.root], state, 0, before)
    bag = None if state.over else games[chapter.start["game"]].bag(state)
    draws = [draw for move in moves for draw in move.pop("draws", [])]
    return {
        **{name: value for name, value in chapter.start.items() if name != "bag"},
        "draws": [*drawn, *draws],
        "moves": [*chapter.start["moves"], *moves],
        **({} if bag is None else {"bag": bag}),
        "variations": scribe.variations,
        **{key: found for key, found in scribe.notes.items() if found or key == "comments"},
    }


class _Scribe:
    """Writes the lines of a chapter: line 0 is the main line, the others count from 1."""

    def __init__(self, study: StudyTree) -> None:
        self._study = study
        self.variations: list[Json] = []
        self.notes: dict[str, list[Json]] = {"comments": [], "marks": [], "questions": []}
        """Texts, marks and questions of the main line."""

    def note(self, node: StudyNode, after: int) -> None:
        """Take what is said of a position of the main line, after so many moves."""
        for key, name in OF_LINE.items():
            if found := _write_notes(node).get(name):
                self.notes[key].append({"after": after, name: found})

    def write(self, parent: StudyNode, state: State[Any], line: int, index: int) -> list[Json]:
        """Return the moves of a line from a node on; the state goes to its end.

        `index` is that of the first move in the line. What stands next to it becomes variations.
        """
        moves: list[Json] = []
        while parent.children:
            first, *others = (self._study.nodes[number] for number in parent.children)
            for other in others:
                self._branch(other, state.copy(), line, index)
            moves.append(self._play(first, state, line))
            index, parent = index + 1, first
            if not line:
                self.note(first, index)
        return moves

    def _branch(self, first: StudyNode, state: State[Any], line: int, before: int) -> None:
        variation: Json = {"line": line, "before": before}
        self.variations.append(variation)
        number = len(self.variations)
        begun = self._play(first, state, number)
        variation["moves"] = [begun, *self.write(first, state, number, 1)]

    def _play(self, node: StudyNode, state: State[Any], line: int) -> Json:
        move: Json = {"seat": state.seat, "move": node.move}
        play_node(state, node.move or {}, node.draws, ())
        draws = {"draws": list(node.draws)} if node.draws else {}
        # A move of the main line is that of the contract; what is said of it stands in other keys.
        return {**move, **draws, **(_write_notes(node) if line else {})}
