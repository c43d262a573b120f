"""The form of a study file, `cartulary-study/1`: what people write, export and import.

    {"format": "cartulary-study/1", "title": "…", "language": "en", "chapters": [CHAPTER, …]}
    CHAPTER  {"title", "start": a transcript, "text"?, "marks"?, "question"?, "line": [NODE, …]}
    NODE     {"move", "draws"?, "text"?, "marks"?, "question"?, "instead"?: [[NODE, …], …]}

`start` is a transcript as in `docs/transcript.md`: its moves lead to the position at which the
chapter begins. `line` is the main line from there. `move` is a move of the contract for the seat
that decides; `draws` is what is drawn after it, named as in transcripts. Text, marks and question
of a node belong to the position after its move and draws, those of a chapter to its start.
`instead` has the lines that could have been played instead of this move. A service adds the
numbers `node` and `chapter`, which readers of a file ignore.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError
from cartulary.engine.strict import check_tree
from cartulary.studies.faults import FaultyStudy, Path, must
from cartulary.studies.limits import BRANCHES, CHAPTERS, DRAWS, LINE, NESTING, NODES
from cartulary.studies.marks import check_marks
from cartulary.studies.questions import check_question
from cartulary.studies.texts import check_text, check_title

FORMAT: Final = "cartulary-study/1"
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_NOTES: Final = frozenset(("text", "marks", "question"))
_STUDY: Final = frozenset(("format", "title", "language", "chapters"))
_CHAPTER: Final = frozenset(("title", "start", "line"))
_NUMBERS: Final = frozenset(("chapter", "node"))
_NODE: Final = frozenset(("draws", "instead", "node"))


def check_form(value: Any) -> Json:
    """Return a study file whose form is right; raises `FaultyStudy` at its first fault."""
    try:
        check_tree(value)
    except TranscriptError as error:
        raise FaultyStudy("form", (), str(error).replace("transcript", "study")) from None
    check_keys(value, _STUDY, frozenset(), ())
    must(value["format"] == FORMAT, "form", ("format",), f"'format' is {FORMAT!r}")
    check_title(value["title"], ("title",))
    check_language(value["language"], ("language",))
    chapters = check_list(value["chapters"], CHAPTERS, ("chapters",))
    for index, chapter in enumerate(chapters):
        check_chapter(chapter, ("chapters", index))
    count = sum(count_nodes(chapter["line"]) for chapter in chapters)
    must(count <= NODES, "too_much", ("chapters",), f"a study has {NODES} moves, not {count}")
    return dict(value)


def check_language(value: Any, path: Path) -> str:
    """Return the language of the texts, as two letters. Raises `FaultyStudy`."""
    known = isinstance(value, str) and _LANGUAGE.fullmatch(value) is not None
    must(known, "form", path, f"a language is two small letters, not {quote(value)}")
    return str(value)


def check_chapter(chapter: Any, path: Path) -> None:
    """Check the form of a chapter. Raises `FaultyStudy`."""
    check_keys(chapter, _CHAPTER, _NOTES | _NUMBERS, path)
    check_title(chapter["title"], (*path, "title"))
    must(isinstance(chapter["start"], dict), "form", (*path, "start"), "a start is a transcript")
    check_notes(chapter, path)
    _check_line(chapter["line"], (*path, "line"), 0, 0)


def check_notes(holder: Json, path: Path) -> None:
    """Check text, marks and question of a position, where it has them. Raises `FaultyStudy`."""
    for key, check in (("text", check_text), ("marks", check_marks), ("question", check_question)):
        if key in holder:
            check(holder[key], (*path, key))


def _check_line(line: Any, path: Path, before: int, nested: int) -> None:
    check_list(line, NODES, path)
    long = f"a line has {LINE} moves at most"
    must(before + len(line) <= LINE, "too_much", path, long)
    for index, node in enumerate(line):
        check_node(node, (*path, index))
        branches = check_list(node.get("instead", []), BRANCHES - 1, (*path, index, "instead"))
        for at, branch in enumerate(branches):
            place = (*path, index, "instead", at)
            must(nested < NESTING, "too_much", place, f"branches nest {NESTING} deep at most")
            must(bool(branch), "form", place, "a branch has a move")
            _check_line(branch, place, before + index, nested + 1)


def check_node(node: Any, path: Path) -> None:
    """Check the form of a node, without its branches. Raises `FaultyStudy`."""
    check_keys(node, frozenset(("move",)), _NODE | _NOTES, path)
    must(isinstance(node["move"], dict), "form", (*path, "move"), "a move is an object")
    check_draws(node, path)
    check_notes(node, path)


def check_draws(node: Json, path: Path) -> None:
    """Check the form of the draws after a move, where it has some. Raises `FaultyStudy`."""
    draws = check_list(node.get("draws", []), DRAWS, (*path, "draws"))
    for index, draw in enumerate(draws):
        must(isinstance(draw, str), "form", (*path, "draws", index), "a draw is a string")


def check_list(value: Any, most: int, path: Path) -> list[Any]:
    """Return a list with so many items at most. Raises `FaultyStudy`."""
    must(isinstance(value, list), "form", path, f"a list is needed, not {quote(value)}")
    must(len(value) <= most, "too_much", path, f"{most} are allowed here, not {len(value)}")
    return list(value)


def check_keys(value: Any, needed: frozenset[str], more: frozenset[str], path: Path) -> None:
    """Check that an object has keys, and no others but some more. Raises `FaultyStudy`."""
    must(isinstance(value, dict), "form", path, f"an object is needed, not {quote(value)}")
    missing, unknown = needed - set(value), set(value) - needed - more
    must(not missing, "form", path, f"{', '.join(sorted(missing))} is missing")
    must(not unknown, "form", path, f"the key {quote(min(unknown, default=''))} is not known here")


def count_nodes(line: list[Json]) -> int:
    """Return how many moves a line has, with its branches."""
    return sum(1 for _ in walk_line(line))


def walk_line(line: list[Json]) -> Iterator[Json]:
    """Yield the nodes of a line and of its branches, each before what follows it."""
    for node in line:
        yield node
        for branch in node.get("instead", []):
            yield from walk_line(branch)
