"""The positions of a study, and its chapters as transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import State
from cartulary.engine.strict import Malformed, parse
from cartulary.events.model.errors import Invalid
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.games.drawing import draw_position
from cartulary.service.api.game.boards import SVG
from cartulary.service.api.game.transcripts import TranscriptAnswer
from cartulary.service.api.studies.reading import find_study, tag_study
from cartulary.service.api.studies.studies_schema import (
    StudyBoardQuery,
    StudyNodeAnswer,
    StudyNodeQuery,
    StudyWordsAnswer,
)
from cartulary.service.http.answers import answer_changed, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found
from cartulary.studies.editing import play_position
from cartulary.studies.faults import FaultyStudy
from cartulary.studies.limits import ANSWER
from cartulary.studies.lines import play_node, play_start
from cartulary.studies.state import StudyTree
from cartulary.studies.writing import write_transcript
from cartulary.words.phrases import Phrases
from cartulary.words.speaker import SeenTable, say_move, say_moves

blueprint = Blueprint("study_nodes", __name__)

SAME = AnswerOf("It is what the client has.")
TAGGED = ("ETag",)
_CACHING = revalidate("private")


@blueprint.get("/studies/<study_id>/nodes/<whole:node_number>")
@operation(
    "studies",
    "A position of a study",
    {200: AnswerOf("The position.", StudyNodeAnswer, headers=TAGGED), 304: SAME},
    query=StudyNodeQuery,
    refusals=("not_found",),
)
def show_study_node(
    services: Services,
    study_id: str,
    node_number: int,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """What the board shows there, and every legal move, also as a sentence."""
    study = find_study(services, study_id, who, lang).study
    must_have(study, node_number)
    tried = query["tried"]
    tag = f'W/"{tag_study(services, study).strip(chr(34))}-{node_number}-{digest(tried)}-{lang}"'
    found = reach(services, study, node_number, tried)
    return mark_language(
        answer_changed(known, lambda: describe(services, found, node_number, lang), tag, _CACHING),
        lang,
    )


class Reached(NamedTuple):
    """A position: its chapter, its game, its state, and the last move with its seat."""

    chapter: int
    game: str
    state: State[Any]
    last: Json | None


def reach(services: Services, study: StudyTree, number: int, tried: str) -> Reached:
    """Return the position of a node after the moves that are tried; raises `Invalid`."""
    node = study.nodes[number]
    state = play_position(study, node.parent or number, services.store.rules)
    steps = [] if node.move is None else [(node.move, node.draws)]
    steps += [(move, ()) for move in _read_moves(tried)]
    last = None
    for move, draws in steps:
        last = {"seat": state.seat, "move": move}
        try:
            play_node(state, move, draws, ())
        except FaultyStudy as error:
            raise Invalid([("/tried", error.fault.detail, error.fault.code)]) from error
    game = study.chapters[node.chapter].start["game"]
    return Reached(node.chapter, game, state, last)


def _read_moves(tried: str) -> list[Json]:
    try:
        moves = parse(tried)
    except Malformed as error:
        raise Invalid([("/tried", f"the text is {error}")]) from error
    few = isinstance(moves, list) and len(moves) <= ANSWER
    if not few or not all(isinstance(move, dict) for move in moves):
        raise Invalid([("/tried", f"must be a list of {ANSWER} moves at most")])
    return list(moves)


def digest(text: str) -> str:
    """Return what stands for a text in a tag."""
    return sha256(text.encode()).hexdigest()[:16]


def must_have(study: StudyTree, node: int) -> None:
    """Raise `Problem` 404 for a node that a study does not have."""
    if node not in study.nodes:
        raise not_found("a node with this number")


def describe(services: Services, found: Reached, number: int, lang: str) -> Json:
    """Return a position."""
    chapter, game, state, _ = found
    question, legal = state.chance, [] if state.decision is None else state.legal_moves()
    weights = () if question is None else zip(question.outcomes, question.weights, strict=True)
    return {
        "node": number,
        "chapter": chapter,
        "game": game,
        "seats": state.seats,
        "view": state.view(),
        "decision": state.decision and state.decision.to_json(),
        "moves": legal,
        "words": _say(services, game, state, legal, lang),
        "scores": list(state.scores),
        "over": state.over,
        "explorer": services.store.explorer.find_key(game, state),
        "draw": [outcome for outcome, weight in weights if weight],
    }


def _say(
    services: Services, game: str, state: State[Any], legal: list[Json], lang: str
) -> list[Json]:
    offer = services.offers[game]
    seen = _see(state, legal)
    said = say_moves(offer.speaker, offer.words, lang, seen)
    return [
        {"number": number, "text": text, "move": move}
        for number, (text, move) in enumerate(zip(said, legal, strict=True), 1)
    ]


def _see(state: State[Any], moves: list[Json]) -> SeenTable:
    """Return what is seen of a position of a study: it has no names."""
    return SeenTable(
        status="running",
        names=[None] * state.seats,
        view=state.view(),
        decision=state.decision and state.decision.to_json(),
        features=state.list_features(),
        moves=moves,
    )


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
    study = find_study(services, study_id, who, lang).study
    must_have(study, node_number)
    wish = digest("-".join(str(query[name]) for name in sorted(query)))
    tag = f'W/"{tag_study(services, study).strip(chr(34))}-{node_number}-{wish}-{lang}"'
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        found = reach(services, study, node_number, query.pop("tried"))
        answer = compress(Response(draw(services, found, lang, query), mimetype=SVG))
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = _CACHING
    answer.vary.update(("Accept", "Authorization"))
    return mark_language(answer, lang)


def draw(services: Services, found: Reached, lang: str, wishes: Json) -> str:
    """Return the SVG of a position; raises `Problem` 404 for a game without a picture."""
    offer = services.offers[found.game]
    drawn = draw_position(offer, found.state, lang, found.last, **wishes)
    if drawn is None:
        raise not_found("a picture of this game")
    return drawn


@blueprint.get("/studies/<study_id>/chapters/<whole:chapter_number>/transcript")
@operation(
    "studies",
    "A chapter as a transcript",
    {200: AnswerOf("The transcript.", TranscriptAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_study_transcript(
    services: Services,
    study_id: str,
    chapter_number: int,
    who: Player | None,
    known: ETags,
    lang: str,
) -> Response:
    """Its main line; the other lines stand in `variations`, the texts in `comments`.

    As canonical JSON: a chapter that is made of it is exported with the same bytes.
    """
    study = find_study(services, study_id, who, lang).study
    if chapter_number not in study.chapters:
        raise not_found("a chapter with this number")

    def make() -> bytes:
        return canonical_json(
            write_transcript(study, chapter_number, services.store.rules)
        ).encode()

    answer = answer_changed(known, make, tag_study(services, study), _CACHING)
    return mark_language(answer, study.language)


@blueprint.get("/studies/<study_id>/chapters/<whole:chapter_number>/words")
@operation(
    "studies",
    "The moves of a chapter as sentences",
    {200: AnswerOf("The sentences.", StudyWordsAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_study_words(
    services: Services,
    study_id: str,
    chapter_number: int,
    who: Player | None,
    known: ETags,
    lang: str,
) -> Response:
    """Each move of the tree in the language of the reader, by the number of its node."""
    study = find_study(services, study_id, who, lang).study
    if chapter_number not in study.chapters:
        raise not_found("a chapter with this number")
    tag = f'W/"{tag_study(services, study).strip(chr(34))}-{chapter_number}-words-{lang}"'

    def make() -> Json:
        return {"words": dict(say_chapter(services, study, chapter_number, lang))}

    return mark_language(answer_changed(known, make, tag, _CACHING), lang)


def say_chapter(
    services: Services, study: StudyTree, number: int, lang: str
) -> Iterator[tuple[str, str]]:
    """Yield the number of each node of a chapter that has a move, with the move as a sentence."""
    chapter = study.chapters[number]
    offer = services.offers[chapter.start["game"]]
    phrases = Phrases(lang, offer.words)
    waiting = [(chapter.root, play_start(chapter.start, services.store.rules, ()))]
    while waiting:
        node, state = waiting.pop()
        children = [study.nodes[child] for child in study.nodes[node].children]
        if not children:
            continue
        seen = _see(state, [one.move for one in children if one.move is not None])
        for child in children:
            move = child.move or {}
            yield str(child.number), say_move(offer.speaker, phrases, move, seen)
            after = state.copy()
            play_node(after, move, child.draws, ())
            waiting.append((child.number, after))
