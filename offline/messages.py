"""The messages of the worker in the browser, in the words of the API.

A message is an object with a `type`; the answer is canonical JSON text: `{"answer": …}`, or
`{"problem": …}` when the message is refused and nothing has changed. Messages about a game name it
by `game_id`; `now` is the time in ms since the epoch, `seed` a text that makes draws and bots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from cartulary.engine.core import Json
from cartulary.engine.errors import EngineError, SetupError, TranscriptError
from cartulary.engine.transcript import from_json
from cartulary.games.describing import describe_offer, describe_pieces
from cartulary.games.offer import Offer, rules_of
from cartulary.offline import answers, board
from cartulary.offline.local_game import LocalGame
from cartulary.offline.refusals import Refusal, invalid, not_found
from cartulary.offline.riddle import Riddles
from cartulary.offline.study import Study

EVENTS: Final = 500
"""The number of events in an answer unless a message says otherwise."""


class Engine:
    """The games that are open in one worker."""

    def __init__(self, offers: Mapping[str, Offer]) -> None:
        self._offers = offers
        self._games: dict[str, LocalGame] = {}
        self._studies: dict[str, Study] = {}
        self._kinds: dict[str, Callable[[Json], Any]] = {
            "new_game": self._new_game,
            "load": self._load,
            "close": self._close,
            "catalogue": self._catalogue,
            "pieces": self._pieces,
            "analyse": self._analyse,
            "puzzle": Riddles(offers).answer,
            **{kind: self._about(answer) for kind, answer in _ABOUT_A_GAME.items()},
        }

    def handle(self, text: str | bytes) -> bytes:
        """Return the answer to a message, both as JSON text."""
        try:
            message = orjson.loads(text)
            if not isinstance(message, dict):
                raise invalid("", "a message is an object")
            kind = message.get("type")
            if kind not in self._kinds:
                raise invalid("/type", f"one of {', '.join(sorted(self._kinds))}")
            shown = {"answer": self._kinds[kind](message)}
        except Refusal as error:
            shown = {"problem": error.to_json()}
        except orjson.JSONDecodeError as error:
            shown = {"problem": Refusal(400, "malformed_json", str(error)).to_json()}
        except EngineError as error:
            pointer = getattr(error, "pointer", "")
            shown = {"problem": invalid(pointer, str(error)).to_json()}
        return orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)

    def _new_game(self, message: Json) -> Any:
        offer, seats = self._find_offer(_text(message, "game")), _seats(message)
        options = _object(message, "options") if "options" in message else {}
        try:
            complete = offer.rules.check(len(seats), options)
        except SetupError as error:
            raise invalid(error.pointer, str(error)) from error
        game = self._make(message, offer, seats)
        game.begin(complete, _whole(message, "now"))
        return self._keep(game)

    def _load(self, message: Json) -> Any:
        try:
            transcript = from_json(message.get("transcript"), rules_of(self._offers))
        except TranscriptError as error:
            raise invalid(f"/transcript{error.pointer}", str(error)) from error
        offer = self._find_offer(transcript.game)
        seats = transcript.extra.get("local_seats") or [{"kind": "me"}] * transcript.seats
        if not isinstance(seats, list) or len(seats) != transcript.seats:
            raise invalid("/transcript/local_seats", "an entry for each seat")
        game = self._make(message, offer, _seats({"seats": seats}))
        game.resume(transcript, _whole(message, "now"))
        return self._keep(game)

    def _make(self, message: Json, offer: Offer, seats: list[Json]) -> LocalGame:
        for number, seat in enumerate(seats):
            if seat["kind"] == "bot" and seat["bot"] not in offer.bots:
                raise invalid(f"/seats/{number}/bot", f"one of {', '.join(offer.bots)}")
        person = _object(message, "person")
        known = {"id": _text(person, "id"), "name": _text(person, "name")}
        return LocalGame(_text(message, "game_id"), offer, seats, known, _text(message, "seed"))

    def _keep(self, game: LocalGame) -> Any:
        self._games[game.id] = game
        self._studies.pop(game.id, None)
        return answers.describe_game(game)

    def _close(self, message: Json) -> None:
        self._games.pop(_text(message, "game_id"), None)
        self._studies.pop(_text(message, "game_id"), None)

    def _catalogue(self, message: Json) -> Json:
        lang = _text(message, "language")
        return {"games": [describe_offer(offer, lang) for offer in self._offers.values()]}

    def _pieces(self, message: Json) -> Json:
        offer = self._find_offer(_text(message, "game"))
        given = {key: str(value) for key, value in _object(message, "options").items()}
        options = {
            option.name: next(
                (value for value in option.values if str(value) == given.get(option.name)),
                option.default,
            )
            for option in offer.rules.options
        }
        return describe_pieces(offer, options, _text(message, "language"))

    def _analyse(self, message: Json) -> Json:
        game = self._find(message)
        if game.id not in self._studies:
            self._studies[game.id] = Study(game)
        return self._studies[game.id].go_on(_whole(message, "after", 0))

    def _about(self, answer: Callable[[LocalGame, Json], Any]) -> Callable[[Json], Any]:
        return lambda message: answer(self._find(message), message)

    def _find(self, message: Json) -> LocalGame:
        game = self._games.get(_text(message, "game_id"))
        if game is None:
            raise not_found("the game")
        return game

    def _find_offer(self, name: str) -> Offer:
        if name not in self._offers:
            raise invalid("/game", f"there is no game {name!r}; there are {sorted(self._offers)}")
        return self._offers[name]


# -- messages about one game ----------------------------------------------------------------------


def _play(game: LocalGame, message: Json) -> Json:
    version = _version(message, "expected_version")
    events = game.play(_object(message, "move"), version, _whole(message, "now"))
    return answers.describe_written(game, events)


def _take_back(game: LocalGame, message: Json) -> Json:
    events = game.take_back(_version(message, "to_version"), _whole(message, "now"))
    return answers.describe_written(game, events)


def _think(game: LocalGame, message: Json) -> Json:
    move, plan = game.think(_text(message, "bot"))
    return {"version": game.table.version, "move": move, "plan": plan}


def _preview(game: LocalGame, message: Json) -> Json:
    further = message.get("next") is True
    return answers.preview(game, _object(message, "move"), _version(message, "version"), further)


def _board(game: LocalGame, message: Json) -> str:
    wishes = _object(message, "wishes") if "wishes" in message else {}
    version, lang = _version(message, "version"), _text(message, "language")
    try:
        return answers.draw_board(game, version, lang, wishes)
    except (TypeError, ValueError) as error:  # a layout, a theme or a wish that no picture has
        raise invalid("/wishes", str(error)) from error


_ABOUT_A_GAME: Final[Mapping[str, Callable[[LocalGame, Json], Any]]] = {
    "game": lambda game, _: answers.describe_game(game),
    "moves": lambda game, _: answers.describe_moves(game),
    "play": _play,
    "take_back": _take_back,
    "think": _think,
    "transcript": lambda game, _: game.transcript().to_json(),
    "view": lambda game, message: answers.describe_state(game, _version(message, "version")),
    "events": lambda game, message: answers.describe_events(
        game, _whole(message, "after", 0), _whole(message, "limit", EVENTS)
    ),
    "features": lambda game, message: answers.describe_features(game, _version(message, "version")),
    "preview": _preview,
    "why": lambda game, message: answers.say_why(
        game, _object(message, "move"), _text(message, "language")
    ),
    "hint": lambda game, message: answers.give_hint(game, _text(message, "language")),
    "consider": lambda game, _: board.consider(game),
    "draw": lambda game, _: board.describe_draw(game),
    "redraw": lambda game, message: board.redraw(game, _text(message, "outcome")),
    "proposals": lambda game, _: answers.describe_proposals(game),
    "board_svg": _board,
}


# -- reading --------------------------------------------------------------------------------------


def _text(message: Json, name: str) -> str:
    value = message.get(name)
    if not isinstance(value, str) or not value:
        raise invalid(f"/{name}", "must be a text")
    return value


def _whole(message: Json, name: str, default: int | None = None) -> int:
    value = message.get(name, default)
    if type(value) is not int or value < 0:
        raise invalid(f"/{name}", "must be a whole number, 0 or more")
    return value


def _version(message: Json, name: str) -> int | None:
    return None if message.get(name) is None else _whole(message, name)


def _object(message: Json, name: str) -> Json:
    value = message.get(name)
    if not isinstance(value, dict):
        raise invalid(f"/{name}", "must be an object")
    return value


def _seats(message: Json) -> list[Json]:
    seats = message.get("seats")
    if not isinstance(seats, list):
        raise invalid("/seats", "must be a list")
    return [_seat(number, seat) for number, seat in enumerate(seats)]


def _seat(number: int, seat: object) -> Json:
    if seat == {"kind": "me"}:
        return {"kind": "me"}
    if isinstance(seat, dict) and seat.keys() == {"kind", "bot"} and seat["kind"] == "bot":
        return {"kind": "bot", "bot": _text(seat, "bot")}
    raise invalid(f"/seats/{number}", 'must be {"kind": "me"} or {"kind": "bot", "bot": name}')
