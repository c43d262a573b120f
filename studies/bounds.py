"""Is a study within its limits? Checked when something is written, never when it is read."""

from __future__ import annotations

from cartulary.engine.core import Json
from cartulary.studies.faults import Path, must
from cartulary.studies.limits import (
    AUTHORS,
    BRANCHES,
    CHAPTERS,
    LINE,
    NESTING,
    NODES,
    STREAM,
    TEXTS,
    VERSIONS,
)
from cartulary.studies.lines import name_step
from cartulary.studies.state import StudyNode, StudyTree


def check_bounds(study: StudyTree) -> None:
    """Raise `FaultyStudy` for a study that is larger than a study may be."""
    _must_be_few("chapters", len(study.chapters), CHAPTERS)
    _must_be_few("moves", len(study.nodes) - len(study.chapters), NODES)
    _must_be_few("characters of texts", sum(map(_count_text, study.nodes.values())), TEXTS)
    _must_be_few("authors", len(study.authors) + len(study.invited), AUTHORS)
    _must_be_few("changes", study.version, VERSIONS)
    for chapter in study.chapters.values():
        _check_tree(study, chapter.root)


def check_stream(size: int) -> None:
    """Raise `FaultyStudy` for a study whose events have more bytes than they may have."""
    _must_be_few("bytes of changes", size, STREAM)


def _must_be_few(what: str, count: int, most: int, path: Path = ()) -> None:
    must(count <= most, "too_much", path, f"a study has {most} {what} at most, not {count}")


def _count_text(node: StudyNode) -> int:
    question: Json = node.question or {}
    texts = [node.text, question.get("ask", ""), question.get("otherwise", "")]
    wrong = [one["text"] for one in question.get("wrong", [])]
    return sum(map(len, [*texts, *question.get("hints", []), *wrong]))


def _check_tree(study: StudyTree, root: int) -> None:
    waiting = [(root, 0, 0)]
    while waiting:
        number, depth, nested = waiting.pop()
        children = study.nodes[number].children
        _must_be_few("moves in a line", depth, LINE)
        _must_be_few("branches within branches", nested, NESTING)
        _must_be_few("moves of a position", len(children), BRANCHES)
        _check_twins(study, children)
        waiting += [
            (child, depth + 1, nested + (index > 0)) for index, child in enumerate(children)
        ]


def _check_twins(study: StudyTree, children: tuple[int, ...]) -> None:
    if len(children) < 2:
        return
    nodes = (study.nodes[number] for number in children)
    names = {name_step({"move": one.move, "draws": list(one.draws)}) for one in nodes}
    must(len(names) == len(children), "twice", (), "the position has this move with these draws")
