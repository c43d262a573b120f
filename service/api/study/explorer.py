"""The explorer: what was played at the question of a position, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from flask import Blueprint, Response

from cartulary.engine.core import Game, Json, State
from cartulary.engine.errors import PositionError, TranscriptError
from cartulary.engine.transcript import InvalidTranscript, Playback, from_json
from cartulary.events.explorer.counting import (
    BOUNDS,
    UNKNOWN,
    WHOLE,
    BestGame,
    GivenAnswer,
    Met,
    Sums,
    list_bands,
)
from cartulary.events.model.errors import OnLadder
from cartulary.events.model.sealing import must_be_unsealed
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.explorer.questions import (
    ExplorerQuestion,
    ask,
    find_kind,
    find_wide,
    group_moves,
    is_key,
)
from cartulary.service.api.game.table_words import say_some
from cartulary.service.api.game.tables import find_table
from cartulary.service.api.study.explorer_schema import (
    NARROW,
    WIDE,
    ExplorerAnswer,
    ExplorerQuery,
    KeysAnswer,
    KeysRequest,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found

if TYPE_CHECKING:
    from cartulary.events.explorer.reading import OpenBook

ENOUGH: Final = 20
"""The number of seats that must have met the narrow key before it counts unasked."""

SHOWN: Final = 5
"""Games to learn from; so many are looked up at once."""

blueprint = Blueprint("explorer", __name__)

_OF_GAME: Final = re.compile(r"([0-9A-Za-z]{1,64})@([1-9][0-9]{0,8})")
_FRESH: Final = {"Cache-Control": "no-store"}


class ExploredPlace(NamedTuple):
    """A question by its keys; of a position also its moves by answer, and the size of the table.

    `texts` has the first of these moves as a sentence.
    """

    wide: str
    narrow: str | None
    moves: Mapping[str, list[Json]]
    texts: Mapping[str, str] = {}
    seats: int | None = None


@blueprint.get("/explorer/<game_name>")
@operation(
    "explorer",
    "What was played in a position",
    {200: AnswerOf("The answers that were given, and how they ended.", ExplorerAnswer)},
    query=ExplorerQuery,
    refusals=("not_found", "ladder", "round_open"),
    token="optional",
)
def explore_position(
    services: Services, game_name: str, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """Counted are public games that were played to their end, from the archive.

    A seat of a game counts once for an answer, however often it gave it. A position that was never
    met has zero games. One in which no seat decides, or that is no position of this game, is 422.
    A running game that counts for a rating, or one of an open duplicate round, is 409, as hints.
    """
    rules = _find_rules(services, game_name)
    place = _find_place(services, rules, who, query.get("position"), lang)
    least = query.get("rating")
    if least is not None and least not in BOUNDS:
        raise invalid("/rating", f"must be one of: {', '.join(map(str, BOUNDS))}")
    seats = query.get("seats", place.seats)
    shown: Json = {
        "game": game_name,
        "keys": {"wide": place.wide, "narrow": place.narrow},
        "seats": seats,
        "rating": least,
    }
    with services.store.explorer.book.open() as book:
        if not book.is_ready():
            nothing = {"breadth": query.get("breadth", WIDE), "games": 0, "times": 0, "learn": []}
            answers = _describe(place, Met(0, []), WIDE)
            told = answer_json({**shown, **nothing, "answers": answers}, headers=_FRESH)
            return mark_language(told, lang)
        breadth, found = _read(book, game_name, place, seats, least, query.get("breadth"))
        key = place.narrow if breadth == NARROW and place.narrow else place.wide
        best = book.read_best(game_name, key, seats)
        games = book.count(game_name)
    shown |= {
        "breadth": breadth,
        "games": games,
        "times": found.asked,
        "answers": _describe(place, found, breadth),
        "learn": list(islice(_list_games(services, best), SHOWN)),
    }
    return mark_language(answer_json(shown, headers=_FRESH), lang)


@blueprint.post("/explorer/<game_name>/keys")
@operation(
    "explorer",
    "The keys of a position",
    {200: AnswerOf("The keys, for `GET /explorer/{game}`.", KeysAnswer)},
    body=KeysRequest,
    body_limit="max_import",
    refusals=("not_found",),
    token="required",
    limit="previews",
    stores_nothing=True,
)
def name_position(services: Services, game_name: str, body: dict[str, Any]) -> Response:
    """For a puzzle, a study or a file: a position that is no version of a game here."""
    rules = _find_rules(services, game_name)
    if len(body) != 1:
        raise invalid("", "say exactly one of `transcript`, `position`")
    pointer = f"/{next(iter(body))}"
    try:
        state = _read_state(rules, body)
    except (PositionError, TranscriptError, InvalidTranscript) as error:
        raise invalid(pointer, str(error)) from error
    question = _must_ask(game_name, state, pointer)
    return answer_json({"wide": question.wide, "narrow": question.narrow}, headers=_FRESH)


def _find_rules(services: Services, game_name: str) -> Game:
    if game_name not in services.offers:
        raise not_found("this game")
    if not services.store.explorer.is_set:
        raise not_found("the explorer: this installation has none")
    return services.offers[game_name].rules


def _read_state(rules: Game, body: dict[str, Any]) -> State[Any]:
    """Return the state that a body describes.

    Raises `Problem` for one of another game, `PositionError`, `TranscriptError`,
    `InvalidTranscript`.
    """
    (pointer, described), *_ = body.items()
    if (game := described.get("game", rules.name)) != rules.name and isinstance(game, str):
        raise invalid(
            f"/{pointer}/game", f"is {game[:64]}, and this is the explorer of {rules.name}"
        )
    if "position" in body:
        return rules.from_position(body["position"])
    playback = Playback(from_json(body["transcript"], {rules.name: rules}), {rules.name: rules})
    while not playback.done:
        playback.step()
    return playback.state


# -- the question ------------------------------------------------------------------------------


def _find_place(
    services: Services, rules: Game, who: Player | None, position: str | None, lang: str
) -> ExploredPlace:
    if position is None:
        raise invalid("/position", "say which position: GAME@VERSION, or a key")
    named = _OF_GAME.fullmatch(position)
    if named is not None:
        table = find_table(services, named[1], who, int(named[2]))
        _must_not_help(services, table, who)
        return _find_in_game(services, rules.name, table, lang)
    if not is_key(position):
        raise invalid("/position", "is neither GAME@VERSION nor a key")
    wide = find_wide(position)
    if find_kind(wide) not in rules.contract.decisions:
        raise invalid("/position", f"is a key of no question of {rules.name}")
    return ExploredPlace(wide, None if wide == position else position, {})


def _must_not_help(services: Services, table: Table, who: Player | None) -> None:
    """Refuse a game of which hints are refused, as long as it runs or its round is open.

    A player can still write the key by hand: this keeps it from being one touch away.
    """
    must_be_unsealed(table)
    if table.course.ladder is not None and find_table(services, table.id, who).running:
        raise OnLadder("the game counts for a rating: the explorer waits for its end")


def _find_in_game(services: Services, game_name: str, table: Table, lang: str) -> ExploredPlace:
    if table.game != game_name:
        raise invalid("/position", f"is a position of {table.game}, not of {game_name}")
    if table.state is None:
        raise invalid("/position", "no seat decides anything there: the game has not begun")
    question = _must_ask(game_name, table.state, "/position")
    moves = group_moves(question, table.state)
    said = say_some(services, table, lang, [some[0] for some in moves.values()])
    texts = dict(zip(moves, said, strict=True))
    return ExploredPlace(question.wide, question.narrow, moves, texts, len(table.seats))


def _must_ask(game_name: str, state: State[Any], pointer: str) -> ExplorerQuestion:
    """Return the question of a state. Raises `Problem` where no seat decides."""
    if state.decision is None:
        raise invalid(pointer, "no seat decides anything there")
    return ask(game_name, state)


# -- the counts --------------------------------------------------------------------------------


def _read(
    book: OpenBook,
    game: str,
    place: ExploredPlace,
    seats: int | None,
    least: int | None,
    wanted: str | None,
) -> tuple[str, Met]:
    """Return the breadth that counts, and the answers."""
    bands = list_bands(least)
    if place.narrow is not None and wanted != WIDE:
        found = book.read(game, place.narrow, seats, bands)
        if wanted == NARROW or found.asked >= ENOUGH:
            return NARROW, found
    return WIDE, book.read(game, place.wide, seats, bands)


def _describe(place: ExploredPlace, found: Met, breadth: str) -> list[Json]:
    """Return the answers that were given, and those that are possible here."""
    shown = [
        _describe_answer(one, place)
        for one in found.answers
        if one.sums.times or one.answer in place.moves
    ]
    known = {one["answer"] for one in shown}
    offered = found.asked if breadth == NARROW else 0
    return shown + [
        _describe_answer(GivenAnswer(answer, Sums(offered, 0, 0, 0, 0)), place)
        for answer in place.moves
        if answer not in known
    ]


def _describe_answer(one: GivenAnswer, place: ExploredPlace) -> Json:
    sums = one.sums
    return {
        "answer": one.answer,
        "offered": sums.offered,
        "times": sums.times,
        "won": sums.won,
        "beaten": round(sums.beaten / WHOLE / sums.times, 3) if sums.times else None,
        "score": round(sums.score / sums.times, 1) if sums.times else None,
        "text": place.texts.get(one.answer),
        "moves": place.moves.get(one.answer, []),
    }


# -- games to learn from -----------------------------------------------------------------------


def _list_games(services: Services, best: Sequence[BestGame]) -> Iterator[Json]:
    """Yield the games of some that are still there; those of players who are gone or hide are not.

    Not all are looked up at once, because the first are enough nearly always.
    """
    for at in range(0, len(best), SHOWN):
        some = best[at : at + SHOWN]
        stored = services.store.archive.summaries([one.id for one in some])
        summaries = {game_id: orjson.loads(text) for game_id, text in stored.items()}
        away = _find_away(
            services, {who for one in summaries.values() for who in _list_people(one)}
        )
        for one in some:
            summary = summaries.get(one.id)
            if summary is not None and away.isdisjoint(_list_people(summary)):
                yield _describe_game(one, summary)


def _find_away(services: Services, players: set[str]) -> set[str]:
    """Return those of some players who are deleted or hide."""
    store = services.store
    store.masks.look()
    return store.preferences.find_hidden(sorted(players)) | (players & store.masks.deleted)


def _describe_game(one: BestGame, summary: Json) -> Json:
    return {
        "id": one.id,
        "rating": None if one.strength == UNKNOWN else one.strength,
        "seats": [
            {"name": _name(seat), "score": summary["result"]["scores"][number]}
            for number, seat in enumerate(summary["seats"])
        ],
    }


def _list_people(summary: Json) -> list[str]:
    return [seat["player"]["id"] for seat in summary["seats"] if seat["player"] is not None]


def _name(seat: Json) -> str:
    return str(seat["bot"] if seat["player"] is None else seat["player"]["name"])
