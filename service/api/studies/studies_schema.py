"""Studies: requests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, post_load, validate, validates_schema

from cartulary.events.order.orders import LONGEST_REASON
from cartulary.events.order.study_decisions import COMMANDS
from cartulary.events.studies.listing import PAGE
from cartulary.pictures.colours import THEMES
from cartulary.pictures.frame import LAYOUTS
from cartulary.service.api.game.boards_schema import PictureQuery
from cartulary.service.api.game.moves import MoveInWords
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    JsonObject,
    Request,
    list_of,
    nullable,
    one_of,
    text,
    time,
    version,
    whole,
)
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import decision, game_name, moves, study_event, view
from cartulary.studies.editing import CHANGES
from cartulary.studies.events import VISIBILITIES
from cartulary.studies.form import FORMAT
from cartulary.studies.limits import CHAPTERS, TITLE

MOST_CHANGES: Final = 50
HOUSE: Final = "house"
"""The author of the lessons that come with the program, in lists."""
LATEST: Final = 2**31 - 1


class StudyRequest(Request):
    """A study file; without chapters an empty study. Or what is copied, with a title perhaps."""

    copy_of = fields.String(
        validate=validate.Length(1, 100),
        description="The id of a study that the caller may read, also of a lesson of the house: "
        "in place of the file.",
    )
    format = fields.String(
        validate=validate.OneOf([FORMAT]), description="The form of the file; needed with it."
    )
    title = fields.String(
        validate=validate.Length(1, TITLE),
        description="What it is called, on one line; needed with a file.",
    )
    language = fields.String(
        validate=validate.Length(2, 2),
        description="Of the texts: two letters, such as `en`; needed with a file.",
    )
    chapters = fields.List(
        JsonObject(),
        load_default=list,
        validate=validate.Length(max=CHAPTERS),
        description="As in a study file.",
    )

    @validates_schema
    def _be_a_file_or_a_copy(self, data: Mapping[str, Any], **_: Any) -> None:
        whole_file = ("format", "title", "language")
        if "copy_of" not in data:
            missing = {name: ["is missing"] for name in whole_file if name not in data}
        else:
            given = {name for name in ("format", "language") if name in data}
            given |= {"chapters"} if data["chapters"] else set()
            missing = {name: ["is that of the study that is copied"] for name in given}
        if missing:
            raise ValidationError(missing)


class StudyChange(Request):
    """A change: an event of the study as its author asks for it."""

    type = one_of(CHANGES)
    title = fields.String(description="Of a chapter or of the study.")
    language = fields.String(description="With `study_described`.")
    visibility = fields.String(description="With `visibility_set`: `private`, `link`, `public`.")
    chapter = fields.Raw(
        metadata={"type": "integer", "description": "The number of a chapter."},
    )
    content = fields.Raw(
        metadata={"type": "object", "description": "A chapter, as in a study file."},
    )
    transcript = fields.Raw(
        metadata={
            "type": "object",
            "description": "With `title`: a transcript, which becomes the line of a chapter.",
        },
    )
    game = fields.String(description="With `title`: the id of a game that is over, in its place.")
    parent = fields.Raw(
        metadata={"type": "integer", "description": "The node that a line follows."},
    )
    moves = fields.Raw(
        metadata={
            "type": "array",
            "items": {"type": "object"},
            "description": "The moves of a line, each with `move` and the `draws` after it.",
        },
    )
    node = fields.Raw(metadata={"type": "integer", "description": "The number of a node."})
    text = fields.Raw(metadata={"type": "string", "description": "Plain text, never HTML."})
    marks = fields.Raw(
        metadata={
            "type": "array",
            "items": {"type": "object"},
            "description": "Marks on the board, as in a study file.",
        },
    )
    question = fields.Raw(
        allow_none=True,
        metadata={"type": "object", "description": "As in a study file; null: none."},
    )

    @post_load
    def drop_question(self, change: dict[str, Any], **_: object) -> dict[str, Any]:
        """Leave out a null that removes no question: null counts as missing in other changes."""
        if change["type"] != "question_set" and change.get("question", ...) is None:
            del change["question"]
        return change


class StudyChangesRequest(Request):
    """Some changes, which are made all or none."""

    changes = fields.List(
        fields.Nested(StudyChange),
        required=True,
        validate=validate.Length(1, MOST_CHANGES),
        description="In their order: a later one may name what an earlier one adds.",
    )


class StudyListQuery(Request):
    """Which studies."""

    author = fields.String(
        load_default=None,
        validate=validate.OneOf(["me", "invited", HOUSE]),
        description="`me`: those in which the caller writes; `invited`: those that wait for a yes "
        "or a no of the caller; `house`: the lessons that come with the program; missing: public "
        "ones.",
    )
    cursor = whole(0, 1_000_000, text=True, load_default=None, description="From a page before.")
    limit = whole(1, 100, text=True, load_default=PAGE)


class StudyQuery(Request):
    """Which version."""

    version = version(text=True, load_default=None, description="Missing: the last one.")


class StudyEventsQuery(Request):
    """A part of the events."""

    after = whole(0, LATEST, text=True, load_default=0)
    limit = whole(1, 1000, text=True, load_default=100)


class StudyStreamQuery(Request):
    """Where a stream of events begins."""

    after = whole(
        0, LATEST, text=True, load_default=0, description="The stream begins after this version."
    )


def _tried() -> fields.String:
    return fields.String(
        load_default="[]",
        validate=validate.Length(2, 4000),
        description="Moves as a JSON list, which are tried from there; nothing is stored.",
    )


class StudyNodeQuery(Request):
    """The position after some moves."""

    tried = _tried()


class StudyBoardQuery(PictureQuery):
    """The choice of a picture."""

    tried = _tried()

    layout = fields.String(load_default="tall", validate=validate.OneOf(LAYOUTS))
    theme = fields.String(load_default="auto", validate=validate.OneOf(THEMES))


class StudyOrderRequest(Request):
    """A decision of an operator about a study."""

    command = fields.String(
        required=True,
        validate=validate.OneOf(COMMANDS),
        description="`hide`: its authors alone read it; `show`: who could read it reads it again.",
    )
    reason = text(
        "For the log and for its authors, who read it in the inbox and at the study.",
        validate=validate.Length(1, LONGEST_REASON),
    )
    report = fields.String(load_default="", description="The report that has led to it.")


# -- answers --------------------------------------------------------------------------------------


class StudySummary(Answer):
    """A study as lists show it."""

    id = text()
    title = text()
    language = text("Of the texts: two letters.")
    games = fields.List(game_name(), required=True, description="The games of its chapters.")
    chapters = whole(0, required=True, description="How many chapters it has.")
    visibility = one_of(VISIBILITIES)
    hidden = fields.Boolean(required=True, description="Whether the operators hide it.")
    authors = list_of(PlayerName, "The owner first.")
    version = version(required=True)
    created_at = time()
    updated_at = time()


class StudyPage(Answer):
    """Studies, the last changed first."""

    studies = list_of(StudySummary)
    next_cursor = whole(
        0, required=True, allow_none=True, description="For the next page, null at the end."
    )


class StudyHiding(Answer):
    """Since when the operators hide a study, and why."""

    at = time()
    reason = text("For its authors.")


class StudyAnswer(Answer):
    """A study."""

    id = text()
    version = version(required=True)
    visibility = one_of(VISIBILITIES)
    authors = list_of(PlayerName, "The owner first.")
    may_write = fields.Boolean(required=True, description="Whether the caller is an author.")
    is_invited = fields.Boolean(
        required=True, description="Whether the caller is asked to write in it."
    )
    invited = list_of(PlayerName, "Who is asked to write in it; for its authors alone.")
    hidden = nullable(StudyHiding, "Its authors alone read it; null: the operators do not hide it.")
    document = JsonObject(
        required=True,
        description="The study file, with `chapter` and `node`, the numbers that changes name.",
    )
    created_at = time()
    updated_at = time()


class StudyWrittenAnswer(Answer):
    """What a request has done."""

    version = version(required=True)
    events = fields.List(
        study_event(), required=True, description="Empty where nothing had to be done."
    )
    study = fields.Nested(StudyAnswer, required=True)


class StudyEventsPage(Answer):
    """Events of a study."""

    events = fields.List(study_event(), required=True, description="The events, in their order.")
    next_after = whole(0, LATEST, required=True, description="The value of `after` for more.")


class StudyNodeAnswer(Answer):
    """The position of a node."""

    node = whole(1, required=True, description="The number of the node.")
    chapter = whole(1, required=True, description="The number of its chapter.")
    game = game_name()
    seats = whole(2, 5, required=True, description="The number of seats.")
    view = view()
    decision = decision()
    moves = moves(required=True, description="Every legal move.")
    words = fields.List(
        fields.Nested(MoveInWords), required=True, description="The same moves as sentences."
    )
    scores = fields.List(fields.Integer(), required=True)
    over = fields.Boolean(required=True, description="Whether the play is over.")
    explorer = text(
        "The `position` that `GET /explorer/{game}` takes; null without an explorer, and where no "
        "seat decides.",
        allow_none=True,
    )
    draw = fields.List(
        fields.String(),
        required=True,
        description="What may be drawn before the next decision; empty where nothing is drawn.",
    )


class StudyWordsAnswer(Answer):
    """The moves of a chapter as sentences."""

    words = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        description="By the number of the node, as text.",
    )
