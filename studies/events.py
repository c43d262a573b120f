"""The event types of a study's stream, one row each.

A study has a stream of its own with the rules of a game's stream: versions without gaps, `at`,
`prev`, canonical JSON, integers only. Chapters are counted from 1 over the study, and so are nodes:
the start of each chapter is a node, and each move. A number is never used again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cartulary.events.model.effects.kinds import EventRow, Field, component
from cartulary.events.model.types import Json
from cartulary.studies.marks import KINDS

STUDY_CREATED: Final = "study_created"
STUDY_DESCRIBED: Final = "study_described"
CHAPTER_ADDED: Final = "chapter_added"
CHAPTER_RENAMED: Final = "chapter_renamed"
CHAPTER_REMOVED: Final = "chapter_removed"
LINE_ADDED: Final = "line_added"
TEXT_SET: Final = "text_set"
MARKS_SET: Final = "marks_set"
QUESTION_SET: Final = "question_set"
NODE_REMOVED: Final = "node_removed"
NODE_PROMOTED: Final = "node_promoted"
AUTHORS_CHANGED: Final = "authors_changed"
AUTHOR_INVITED: Final = "author_invited"
INVITATION_CLOSED: Final = "invitation_closed"
VISIBILITY_SET: Final = "visibility_set"
STUDY_HIDDEN: Final = "study_hidden"
STUDY_SHOWN: Final = "study_shown"

PRIVATE, LINK, PUBLIC = VISIBILITIES = ("private", "link", "public")
"""Who reads a study: its authors; all who have its address; all, and it stands in lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyEventKind(EventRow):
    """A row of a study's stream."""


def _text(description: str, **more: Any) -> Json:
    return {"type": "string", "description": description, **more}


def _list_of(item: Json, description: str) -> Json:
    return {"type": "array", "items": item, "description": description}


def _number(description: str) -> Json:
    return {"type": "integer", "minimum": 1, "description": description}


_OBJECT: Final[Json] = {"type": "object"}
_BY: Final = Field("by", str, _text("The author who did it, by id."))
_TITLE: Final = Field("title", str, _text("One line."))
_LANGUAGE: Final = Field("language", str, _text("Of the texts: two letters."))
_VISIBILITY: Final = Field("visibility", str, _text("Who reads it.", enum=[*VISIBILITIES]))
_CHAPTER: Final = Field("chapter", int, _number("The number of the chapter."))
_NODE: Final = Field("node", int, _number("The number of the node."))
_PLAIN: Final = Field("text", str, _text("Plain text with a few signs, never HTML."))
_QUESTION: Final = {
    "type": ["object", "null"],
    "description": '"Find the move": `ask`, `right`, `wrong`, `otherwise`, `hints`.',
}
_MARK: Final = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": [*KINDS]}},
    "required": ["kind"],
}
_MARKS: Final = Field("marks", list, _list_of(_MARK, "What is marked on the board."))

_ROWS: Final = (
    StudyEventKind(
        type=STUDY_CREATED,
        text="A player has begun a study.",
        fields=(
            *(_TITLE, _LANGUAGE, _VISIBILITY),
            Field("author", dict, component("PlayerName")),
        ),
    ),
    StudyEventKind(
        type=STUDY_DESCRIBED,
        text="The study has another title or language.",
        fields=(_TITLE, _LANGUAGE, _BY),
    ),
    StudyEventKind(
        type=CHAPTER_ADDED,
        text="The study has a new chapter, with the lines that it brings.",
        fields=(
            *(_CHAPTER, _TITLE),
            Field("start", dict, {**_OBJECT, "description": "A transcript to its first position."}),
            Field("root", int, _number("The node of that position; those of the line follow.")),
            Field("line", list, _list_of(_OBJECT, "As in a study file.")),
            *(_PLAIN, _MARKS),
            Field("question", dict, _QUESTION, nullable=True),
            _BY,
        ),
    ),
    StudyEventKind(
        type=CHAPTER_RENAMED, text="A chapter has another title.", fields=(_CHAPTER, _TITLE, _BY)
    ),
    StudyEventKind(type=CHAPTER_REMOVED, text="A chapter is gone.", fields=(_CHAPTER, _BY)),
    StudyEventKind(
        type=LINE_ADDED,
        text="Moves follow a node, one after the other.",
        fields=(
            Field("parent", int, _number("The node that they follow.")),
            Field("first", int, _number("The node of the first move; the others follow.")),
            Field("moves", list, _list_of(_OBJECT, "Each with `move` and `draws`.")),
            _BY,
        ),
    ),
    StudyEventKind(type=TEXT_SET, text="A node has this text.", fields=(_NODE, _PLAIN, _BY)),
    StudyEventKind(type=MARKS_SET, text="A node has these marks.", fields=(_NODE, _MARKS, _BY)),
    StudyEventKind(
        type=QUESTION_SET,
        text="A node asks this question; null: none.",
        fields=(_NODE, Field("question", dict, _QUESTION, nullable=True), _BY),
    ),
    StudyEventKind(
        type=NODE_REMOVED, text="A move is gone, with all that follows it.", fields=(_NODE, _BY)
    ),
    StudyEventKind(
        type=NODE_PROMOTED, text="A move is the first of its position.", fields=(_NODE, _BY)
    ),
    StudyEventKind(
        type=AUTHORS_CHANGED,
        text="These players write in the study; the first one is its owner.",
        fields=(Field("authors", list, _list_of(component("PlayerName"), "All of them.")), _BY),
    ),
    StudyEventKind(
        type=AUTHOR_INVITED,
        text="A player is asked to write in the study; `authors_changed` is a yes.",
        fields=(Field("player", dict, component("PlayerName")), _BY),
    ),
    StudyEventKind(
        type=INVITATION_CLOSED,
        text="An invitation is declined by its player, or withdrawn.",
        fields=(Field("player", str, _text("The id of the player.")), _BY),
    ),
    StudyEventKind(
        type=VISIBILITY_SET, text="Others may read the study.", fields=(_VISIBILITY, _BY)
    ),
    StudyEventKind(
        type=STUDY_HIDDEN,
        text="The operators have hidden the study: its authors alone read it. Invitations end.",
        fields=(Field("reason", str, _text("Why, for its authors; '' in streams.")),),
    ),
    StudyEventKind(type=STUDY_SHOWN, text="The operators have shown the study again.", fields=()),
)

STUDY_KINDS: Final[Mapping[str, StudyEventKind]] = {row.type: row for row in _ROWS}
"""The rows by type."""
