"""The positions of a study, and its chapters as transcripts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary import pictures
from cartulary.engine.core import State
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.game.boards import SVG
from cartulary.service.api.game.transcripts import TranscriptAnswer
from cartulary.service.api.studies.reading import find_study, tag_study
from cartulary.service.api.studies.studies_schema import StudyBoardQuery, StudyNodeAnswer
from cartulary.service.http.answers import answer_changed, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found
from cartulary.studies.editing import play_position
from cartulary.studies.lines import play_node
from cartulary.studies.state import Study
from cartulary.studies.writing import write_transcript
from cartulary.words.speaker import SeenTable, say_moves

blueprint = Blueprint("study_nodes", __name__)

SAME = AnswerOf("It is what the client has.")
TAGGED = ("ETag",)
_CACHING = revalidate("private")


@blueprint.get("/studies/<study_id>/nodes/<whole:node_number>")
@operation(
    "studies",
    "A position of a study",
    {200: AnswerOf("The position.", StudyNodeAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_study_node(
    services: Services,
    study_id: str,
    node_number: int,
    who: Player | None,
    known: ETags,
    lang: str,
) -> Response:
    """What the board shows there, and every legal move, also as a sentence."""
    study = find_study(services, study_id, who).study
    must_have(study, node_number)
    tag = f'W/"{tag_study(services, study).strip(chr(34))}-{node_number}-{lang}"'
    return mark_language(
        answer_changed(
            known, lambda: describe_node(services, study, node_number, lang), tag, _CACHING
        ),
        lang,
    )


def must_have(study: Study, node: int) -> None:
    """Raise `Problem` 404 for a node that a study does not have."""
    if node not in study.nodes:
        raise not_found("a node with this number")


def describe_node(services: Services, study: Study, node: int, lang: str) -> Json:
    """Return the position of a node."""
    state = play_position(study, node, services.store.rules)
    chapter = study.nodes[node].chapter
    game = study.chapters[chapter].start["game"]
    question, legal = state.chance, [] if state.decision is None else state.legal_moves()
    weights = () if question is None else zip(question.outcomes, question.weights, strict=True)
    return {
        "node": node,
        "chapter": chapter,
        "game": game,
        "seats": state.seats,
        "view": state.view(),
        "decision": state.decision and state.decision.to_json(),
        "moves": legal,
        "words": _say(services, game, state, legal, lang),
        "scores": list(state.scores),
        "over": state.over,
        "draw": [outcome for outcome, weight in weights if weight],
    }


def _say(
    services: Services, game: str, state: State[Any], legal: list[Json], lang: str
) -> list[Json]:
    offer = services.offers[game]
    seen = SeenTable(
        status="running",
        names=[None] * state.seats,
        view=state.view(),
        decision=state.decision and state.decision.to_json(),
        features=state.list_features(),
        moves=legal,
    )
    said = say_moves(offer.speaker, offer.words, lang, seen)
    return [
        {"number": number, "text": text, "move": move}
        for number, (text, move) in enumerate(zip(said, legal, strict=True), 1)
    ]


@blueprint.get("/studies/<study_id>/nodes/<whole:node_number>/board.svg")
@operation(
    "studies",
    "The picture of a position of a study",
    {200: AnswerOf("The picture.", media=(SVG,), headers=TAGGED), 304: SAME},
    query=StudyBoardQuery,
    refusals=("not_found",),
)
def show_study_board(
    services: Services,
    study_id: str,
    node_number: int,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """As the picture of a table, without names: seats are numbered."""
    study = find_study(services, study_id, who).study
    must_have(study, node_number)
    wish = "-".join(str(query[name]) for name in sorted(query))
    tag = f'W/"{tag_study(services, study).strip(chr(34))}-{node_number}-{wish}-{lang}"'
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        answer = compress(
            Response(draw_node(services, study, node_number, lang, query), mimetype=SVG)
        )
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = _CACHING
    answer.vary.update(("Accept", "Authorization"))
    return mark_language(answer, lang)


def draw_node(services: Services, study: Study, node: int, lang: str, wishes: Json) -> str:
    """Return the SVG of a position; raises `Problem` 404 for a game without a picture."""
    found = study.nodes[node]
    offer = services.offers[study.chapters[found.chapter].start["game"]]
    if offer.picture is None:
        raise not_found("a picture of this game")
    state = play_position(study, found.parent or node, services.store.rules)
    last = None if found.move is None else {"seat": state.seat, "move": found.move}
    if found.move is not None:
        play_node(state, found.move, found.draws, ())
    return pictures.draw(
        offer.picture,
        state.view(),
        decision=state.decision and state.decision.to_json(),
        status="running",
        last_move=last,
        options=state.options,
        words=offer.words.picture(lang),
        **wishes,
    )


@blueprint.get("/studies/<study_id>/chapters/<whole:chapter_number>/transcript")
@operation(
    "studies",
    "A chapter as a transcript",
    {200: AnswerOf("The transcript.", TranscriptAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_study_transcript(
    services: Services, study_id: str, chapter_number: int, who: Player | None, known: ETags
) -> Response:
    """Its main line; the other lines stand in `variations`, the texts in `comments`."""
    study = find_study(services, study_id, who).study
    if chapter_number not in study.chapters:
        raise not_found("a chapter with this number")

    def make() -> Json:
        return write_transcript(study, chapter_number, services.store.rules)

    return answer_changed(known, make, tag_study(services, study), _CACHING)
