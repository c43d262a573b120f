"""What an author asks for, as an event of the stream: its form, its rules, its place.

A change is an object with the `type` of its event; what an author need not say is filled in. The
engine plays each new line and each answer from where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json, State
from cartulary.studies import events as types
from cartulary.studies.checking import find_chapter_faults
from cartulary.studies.faults import FaultyStudy, Path, must
from cartulary.studies.form import check_chapter, check_language, check_list, check_node
from cartulary.studies.importing import make_chapter, read_start
from cartulary.studies.limits import LINE
from cartulary.studies.lines import Games, check_answers, play_node, play_start
from cartulary.studies.marks import check_marks
from cartulary.studies.questions import check_question
from cartulary.studies.state import StudyNode, StudyTree
from cartulary.studies.texts import check_text, check_title

Fields = Mapping[str, Any]

OF_OWNER: Final = frozenset((types.VISIBILITY_SET,))
"""Changes that only the owner makes."""


class AskedChange(NamedTuple):
    """A change that is asked of a study, with the rules and where it stands in the request."""

    study: StudyTree
    change: Json
    games: Games
    path: Path

    def take(self, *names: str) -> list[Any]:
        """Return the fields of a change, which has these and no others. Raises `FaultyStudy`."""
        unknown = set(self.change) - {"type", *names}
        known = f"this change has no {quote(min(unknown, default=''))}"
        must(not unknown, "form", self.path, known)
        for name in names:
            must(name in self.change, "form", self.path, f"{name} is missing")
        return [self.change[name] for name in names]

    def at(self, name: str) -> Path:
        """Return the path to a field of the change."""
        return (*self.path, name)


def make_event(asked: AskedChange) -> tuple[str, Fields]:
    """Return the type and the fields of the event of a change. Raises `FaultyStudy`."""
    change = asked.change
    must(isinstance(change, dict), "form", asked.path, "a change is an object")
    known = isinstance(change.get("type"), str) and change["type"] in _MAKERS
    must(known, "form", asked.at("type"), f"a change is one of {', '.join(_MAKERS)}")
    return change["type"], _MAKERS[change["type"]](asked)


def _describe(asked: AskedChange) -> Fields:
    title, language = asked.take("title", "language")
    check_language(language, asked.at("language"))
    return {"title": check_title(title, asked.at("title")), "language": language}


def _set_visibility(asked: AskedChange) -> Fields:
    (visibility,) = asked.take("visibility")
    known = isinstance(visibility, str) and visibility in types.VISIBILITIES
    words = f"one of {', '.join(types.VISIBILITIES)}"
    must(known, "form", asked.at("visibility"), words)
    return {"visibility": visibility}


# -- chapters -------------------------------------------------------------------------------------


def _add_chapter(asked: AskedChange) -> Fields:
    """Take a `content` in the form of a study file, or a `transcript` with a `title`."""
    if "transcript" in asked.change:
        transcript, title = asked.take("transcript", "title")
        check_title(title, asked.at("title"))
        content = make_chapter(transcript, title, asked.games, asked.at("transcript"))
        return place_chapter(asked.study, content, asked.games, asked.at("transcript"))
    (content,) = asked.take("content")
    return place_chapter(asked.study, content, asked.games, asked.at("content"))


def place_chapter(study: StudyTree, content: Any, games: Games, path: Path) -> Fields:
    """Return the fields of a chapter that comes last in a study. Raises `FaultyStudy`."""
    check_chapter(content, path)
    for fault in find_chapter_faults(content, games, path):
        raise FaultyStudy.of(fault)
    return {
        "chapter": study.used[0] + 1,
        "root": study.used[1] + 1,
        "title": content["title"],
        "start": read_start(content["start"], games, (*path, "start")),
        "line": _strip_line(content["line"]),
        "text": content.get("text", ""),
        "marks": content.get("marks", []),
        "question": content.get("question"),
    }


def _strip_line(line: list[Json]) -> list[Json]:
    stripped = []
    for node in line:
        bare = {key: value for key, value in node.items() if key not in ("node", "instead")}
        branches = [_strip_line(branch) for branch in node.get("instead", [])]
        stripped.append({**bare, "instead": branches} if branches else bare)
    return stripped


def _rename_chapter(asked: AskedChange) -> Fields:
    number, title = asked.take("chapter", "title")
    check_title(title, asked.at("title"))
    return {"chapter": _find_chapter(asked, number), "title": title}


def _remove_chapter(asked: AskedChange) -> Fields:
    (number,) = asked.take("chapter")
    return {"chapter": _find_chapter(asked, number)}


def _find_chapter(asked: AskedChange, number: Any) -> int:
    known = type(number) is int and number in asked.study.chapters
    must(known, "form", asked.at("chapter"), f"there is no chapter {quote(number)}")
    return int(number)


# -- nodes ----------------------------------------------------------------------------------------


def _add_line(asked: AskedChange) -> Fields:
    number, moves = asked.take("parent", "moves")
    parent = _find_node(asked, number, "parent")
    path = asked.at("moves")
    check_list(moves, LINE, path)
    must(bool(moves), "form", path, "a line has a move")
    state = play_position(asked.study, parent.number, asked.games)
    for index, node in enumerate(moves):
        check_node(node, (*path, index))
        unknown = set(node) - {"move", "draws"}
        must(not unknown, "form", (*path, index), "a move of a line has 'move' and 'draws'")
        play_node(state, node["move"], node.get("draws", []), (*path, index))
    return {"parent": parent.number, "first": asked.study.used[1] + 1, "moves": moves}


def play_position(study: StudyTree, number: int, games: Games) -> State[Any]:
    """Return the state of a node, whose moves were legal when they came in."""
    path = study.list_path(number)
    chapter = study.chapters[study.nodes[number].chapter]
    state = play_start(chapter.start, games, ())
    for node in path:
        play_node(state, node.move or {}, node.draws, ())
    return state


def _set_text(asked: AskedChange) -> Fields:
    number, text = asked.take("node", "text")
    check_text(text, asked.at("text"))
    return {"node": _find_node(asked, number).number, "text": text}


def _set_marks(asked: AskedChange) -> Fields:
    number, marks = asked.take("node", "marks")
    return {
        "node": _find_node(asked, number).number,
        "marks": check_marks(marks, asked.at("marks")),
    }


def _set_question(asked: AskedChange) -> Fields:
    number, question = asked.take("node", "question")
    node = _find_node(asked, number)
    if question is not None:
        check_question(question, asked.at("question"))
        state = play_position(asked.study, node.number, asked.games)
        check_answers(state, question, asked.at("question"))
    return {"node": node.number, "question": question}


def _choose_move(asked: AskedChange) -> Fields:
    (number,) = asked.take("node")
    node = _find_node(asked, number)
    must(node.parent != 0, "form", asked.at("node"), "this is the start of a chapter")
    return {"node": node.number}


def _find_node(asked: AskedChange, number: Any, name: str = "node") -> StudyNode:
    known = type(number) is int and number in asked.study.nodes
    must(known, "form", asked.at(name), f"there is no node {quote(number)}")
    return asked.study.nodes[number]


_MAKERS: Final[Mapping[str, Callable[[AskedChange], Fields]]] = {
    types.STUDY_DESCRIBED: _describe,
    types.VISIBILITY_SET: _set_visibility,
    types.CHAPTER_ADDED: _add_chapter,
    types.CHAPTER_RENAMED: _rename_chapter,
    types.CHAPTER_REMOVED: _remove_chapter,
    types.LINE_ADDED: _add_line,
    types.TEXT_SET: _set_text,
    types.MARKS_SET: _set_marks,
    types.QUESTION_SET: _set_question,
    types.NODE_REMOVED: _choose_move,
    types.NODE_PROMOTED: _choose_move,
}

CHANGES: Final = tuple(_MAKERS)
"""The types that an author may ask for; authors come and go by calls of their own."""
