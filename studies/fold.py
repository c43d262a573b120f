"""The fold: what each event does to a study. It refuses what cannot come (`Misfit`).

The problem of a misfit is a word: `status`, `version`, `field`, `chapter`, `node`. The rules of the
games and the limits are not asked here: they hold when an event is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from cartulary.engine.core import Json
from cartulary.events.model.effects.kinds import check_event
from cartulary.events.model.failures import Misfit
from cartulary.studies import events as types
from cartulary.studies.events import STUDY_KINDS
from cartulary.studies.state import StudyChapter, StudyNode, StudyTree


def fold(events: Iterable[Json]) -> StudyTree | None:
    """Return the study that a stream makes, None for an empty one; raises `Misfit`."""
    found: StudyTree | None = None
    for event in events:
        found = evolve(found, event)
    return found


def evolve(before: StudyTree | None, event: Json) -> StudyTree:
    """Return the study after an event; `before` is None for the first one.

    Raises `Misfit` for an event that cannot come here.
    """
    version = 0 if before is None else before.version
    row = check_event(STUDY_KINDS, "a study", version, event)
    if before is None or row.type == types.STUDY_CREATED:
        return _create(before, event)
    after = _EFFECTS[row.type](before, event)
    return after._replace(version=event["version"], updated_at=event["at"])


def _create(before: StudyTree | None, event: Json) -> StudyTree:
    if before is not None or event["type"] != types.STUDY_CREATED:
        raise Misfit("status", "a stream has one creation, its first event")
    return StudyTree(
        title=event["title"],
        language=event["language"],
        visibility=event["visibility"],
        authors=(event["author"],),
        version=event["version"],
        created_at=event["at"],
        updated_at=event["at"],
    )


def _describe(before: StudyTree, event: Json) -> StudyTree:
    return before._replace(title=event["title"], language=event["language"])


def _set_visibility(before: StudyTree, event: Json) -> StudyTree:
    opens = before.visibility == types.PRIVATE != event["visibility"]
    opened = event["version"] if opens else before.opened
    return before._replace(visibility=event["visibility"], opened=opened)


def _change_authors(before: StudyTree, event: Json) -> StudyTree:
    ids = [one["id"] for one in event["authors"]]
    _must(len(set(ids)) == len(ids), "field", "an author stands twice")
    invited = tuple(one for one in before.invited if one["id"] not in ids)
    return before._replace(authors=tuple(event["authors"]), invited=invited)


def _invite(before: StudyTree, event: Json) -> StudyTree:
    player = event["player"]
    known = before.has_author(player["id"]) or before.has_invited(player["id"])
    _must(not known, "field", "this player is an author, or invited")
    return before._replace(invited=(*before.invited, player))


def _close_invitation(before: StudyTree, event: Json) -> StudyTree:
    _must(before.has_invited(event["player"]), "field", "this player is not invited")
    invited = tuple(one for one in before.invited if one["id"] != event["player"])
    return before._replace(invited=invited)


def _hide(before: StudyTree, event: Json) -> StudyTree:
    _must(before.hidden is None, "status", "the study is hidden")
    hidden = {"at": event["at"], "reason": event["reason"]}
    return before._replace(hidden=hidden, invited=())


def _show(before: StudyTree, event: Json) -> StudyTree:
    # What made the operators hide it is in the history, so others read on from here.
    _must(before.hidden is not None, "status", "the study is not hidden")
    return before._replace(hidden=None, opened=event["version"])


# -- chapters -------------------------------------------------------------------------------------


def _add_chapter(before: StudyTree, event: Json) -> StudyTree:
    chapter, root = before.used[0] + 1, before.used[1] + 1
    _must(event["chapter"] == chapter, "chapter", f"the next chapter is chapter {chapter}")
    _must(event["root"] == root, "node", f"the next node is node {root}")
    nodes = dict(before.nodes)
    nodes[root] = StudyNode(root, chapter, **_read_notes(event))
    last = _plant(nodes, root, event["line"], root)
    added = StudyChapter(chapter, event["title"], event["start"], root)
    chapters = {**before.chapters, chapter: added}
    return before._replace(chapters=chapters, nodes=nodes, used=(chapter, last))


def _read_notes(holder: Json) -> Json:
    marks, question = holder.get("marks", []), holder.get("question")
    return {"text": holder.get("text", ""), "marks": tuple(marks), "question": question}


def _plant(nodes: dict[int, StudyNode], parent: int, line: list[Json], last: int) -> int:
    """Add the nodes of a line and its branches; return the last number that is used then."""
    for step in line:
        last += 1
        number = last
        _append_child(nodes, parent, number, step)
        for branch in step.get("instead", []):
            last = _plant(nodes, parent, branch, last)
        parent = number
    return last


def _append_child(nodes: dict[int, StudyNode], parent: int, number: int, step: Json) -> None:
    above = nodes[parent]
    draws = tuple(step.get("draws", []))
    notes = _read_notes(step)
    nodes[number] = StudyNode(number, above.chapter, parent, step["move"], draws, **notes)
    nodes[parent] = above._replace(children=(*above.children, number))


def _rename_chapter(before: StudyTree, event: Json) -> StudyTree:
    found = _find_chapter(before, event["chapter"])
    renamed = found._replace(title=event["title"])
    return before._replace(chapters={**before.chapters, found.number: renamed})


def _remove_chapter(before: StudyTree, event: Json) -> StudyTree:
    gone = _find_chapter(before, event["chapter"]).number
    chapters = {number: one for number, one in before.chapters.items() if number != gone}
    nodes = {number: one for number, one in before.nodes.items() if one.chapter != gone}
    return before._replace(chapters=chapters, nodes=nodes)


# -- nodes ----------------------------------------------------------------------------------------


def _add_line(before: StudyTree, event: Json) -> StudyTree:
    parent, first = _find_node(before, event["parent"]).number, before.used[1] + 1
    _must(event["first"] == first, "node", f"the next node is node {first}")
    nodes = dict(before.nodes)
    last = _plant(nodes, parent, event["moves"], first - 1)
    return before._replace(nodes=nodes, used=(before.used[0], last))


def _set_text(before: StudyTree, event: Json) -> StudyTree:
    return _with_node(before, _find_node(before, event["node"])._replace(text=event["text"]))


def _set_marks(before: StudyTree, event: Json) -> StudyTree:
    marks = tuple(event["marks"])
    return _with_node(before, _find_node(before, event["node"])._replace(marks=marks))


def _set_question(before: StudyTree, event: Json) -> StudyTree:
    found = _find_node(before, event["node"])
    return _with_node(before, found._replace(question=event["question"]))


def _remove_node(before: StudyTree, event: Json) -> StudyTree:
    found = _find_move(before, event["node"])
    gone = {node.number for node in before.walk(found.number)}
    nodes = {number: one for number, one in before.nodes.items() if number not in gone}
    parent = nodes[found.parent]
    children = tuple(number for number in parent.children if number != found.number)
    return before._replace(nodes={**nodes, parent.number: parent._replace(children=children)})


def _promote_node(before: StudyTree, event: Json) -> StudyTree:
    found = _find_move(before, event["node"])
    parent = before.nodes[found.parent]
    others = [number for number in parent.children if number != found.number]
    return _with_node(before, parent._replace(children=(found.number, *others)))


# -- shared ---------------------------------------------------------------------------------------


def _must(holds: bool, problem: str, detail: str) -> None:
    if not holds:
        raise Misfit(problem, detail)


def _find_chapter(before: StudyTree, number: int) -> StudyChapter:
    _must(number in before.chapters, "chapter", f"there is no chapter {number}")
    return before.chapters[number]


def _find_node(before: StudyTree, number: int) -> StudyNode:
    _must(number in before.nodes, "node", f"there is no node {number}")
    return before.nodes[number]


def _find_move(before: StudyTree, number: int) -> StudyNode:
    found = _find_node(before, number)
    _must(found.parent != 0, "node", f"node {number} is the start of a chapter")
    return found


def _with_node(before: StudyTree, node: StudyNode) -> StudyTree:
    return before._replace(nodes={**before.nodes, node.number: node})


_EFFECTS: Final[Mapping[str, Callable[[StudyTree, Json], StudyTree]]] = {
    types.STUDY_DESCRIBED: _describe,
    types.CHAPTER_ADDED: _add_chapter,
    types.CHAPTER_RENAMED: _rename_chapter,
    types.CHAPTER_REMOVED: _remove_chapter,
    types.LINE_ADDED: _add_line,
    types.TEXT_SET: _set_text,
    types.MARKS_SET: _set_marks,
    types.QUESTION_SET: _set_question,
    types.NODE_REMOVED: _remove_node,
    types.NODE_PROMOTED: _promote_node,
    types.AUTHORS_CHANGED: _change_authors,
    types.AUTHOR_INVITED: _invite,
    types.INVITATION_CLOSED: _close_invitation,
    types.VISIBILITY_SET: _set_visibility,
    types.STUDY_HIDDEN: _hide,
    types.STUDY_SHOWN: _show,
}
