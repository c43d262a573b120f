"""The terms of a tournament: what `POST /tournaments` asks, its faults, and its defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from cartulary.engine.core import Game
from cartulary.engine.errors import SetupError
from cartulary.events.model.names import LONGEST, fault_of_line
from cartulary.events.model.time import pace as paces
from cartulary.events.model.types import Json

ROUND_ROBIN, SWISS, ARENA = FORMATS = ("round_robin", "swiss", "arena")

OPPONENTS, MARGIN, HEAD_TO_HEAD, DRAW = TIEBREAKS = ("opponents", "margin", "head_to_head", "draw")
"""What separates entrants of equal points, in the usual order; the draw always separates."""

AT, WHEN_FULL, BY_HOST = STARTS = ("at", "when_full", "by_host")

VISIBILITIES: Final = ("public", "unlisted", "private")

LARGEST_TABLE: Final = 5
MOST_ENTRANTS: Final = 500
MOST_ROUNDS: Final = 30
DEFAULT_MAX: Final = 200
MINUTES: Final = (10, 1_440)
"""How long an arena may last."""
WINDOWS: Final = {paces.LIVE: (1, 48), paces.CORRESPONDENCE: (1, 2_160)}
"""The hours that a round may last, by the mode of the pace."""
DEFAULT_WINDOW: Final = {paces.LIVE: 3, paces.CORRESPONDENCE: 168}


class TournamentTerms(NamedTuple):
    """What a tournament is; complete. `table` is ascending, `window` in hours.

    `rounds` is None in an arena, and where the number follows from the entrants (`count_rounds`).
    `minutes` belongs to an arena, `window` to the other formats. `invited` and `rating` (lowest,
    highest) are None where every player may enter. `start` is one of `STARTS`, `start_at` a time
    (RFC 3339) for `at`.
    """

    name: str
    game: str
    options: dict[str, str | int]
    table: tuple[int, ...]
    format: str
    rounds: int | None
    minutes: int | None
    pace: Json
    window: int | None
    least: int
    most: int
    invited: tuple[str, ...] | None
    rating: tuple[int, int] | None
    rated: bool
    duplicate: bool
    visibility: str
    start: str
    start_at: str | None
    tiebreaks: tuple[str, ...]

    @property
    def arena(self) -> bool:
        """True where entrants are paired again as soon as they are free."""
        return self.format == ARENA

    @property
    def live(self) -> bool:
        """True where the players of a table are there at the same time."""
        return bool(self.pace["mode"] == paces.LIVE)


def read_terms(event: Mapping[str, Any]) -> TournamentTerms:
    """Return the terms of `tournament_created`."""
    entrants, start = event["entrants"], event["start"]
    invited, rating = entrants["invited"], entrants["rating"]
    return TournamentTerms(
        event["name"],
        event["game"],
        event["options"],
        tuple(event["table"]),
        event["format"],
        event["rounds"],
        event["minutes"],
        event["pace"],
        event["window"],
        entrants["min"],
        entrants["max"],
        None if invited is None else tuple(invited),
        None if rating is None else (rating[0], rating[1]),
        event["rated"],
        event["duplicate"],
        event["visibility"],
        next(iter(start)),
        start.get(AT),
        tuple(event["tiebreaks"]),
    )


def count_rounds(terms: TournamentTerms, entrants: int) -> int | None:
    """Return how many rounds a tournament of so many entrants has, None for an arena.

    Without a wish: in a round robin everybody meets everybody once. A Swiss has so many rounds that
    one entrant may have won all of them, and one more, and no fewer than a table has seats.
    """
    if terms.arena or terms.rounds is not None:
        return terms.rounds
    if terms.format == ROUND_ROBIN:
        return entrants - 1 + entrants % 2
    size = terms.table[-1]
    needed = next(n for n in range(1, entrants + 2) if size**n >= entrants)
    return min(MOST_ROUNDS, max(size, needed + 1))


def complete_terms(request: Mapping[str, Any], games: Mapping[str, Game]) -> Json:
    """Return the fields of `tournament_created` for a request without faults, with defaults."""
    game, sizes = games[request["game"]], sorted(request["table"])
    pace = paces.complete(request["pace"])
    arena = request["format"] == ARENA
    duplicate = request.get("duplicate", False)
    window = None if arena else request.get("window") or DEFAULT_WINDOW[pace["mode"]]
    return {
        "name": request["name"],
        "game": request["game"],
        "options": game.check(sizes[0], request.get("options") or {}),
        "table": sizes,
        "format": request["format"],
        "rounds": request.get("rounds"),
        "minutes": request.get("minutes"),
        "pace": pace,
        "window": window,
        "entrants": _complete_entrants(
            request.get("entrants") or {}, _find_least(sizes, duplicate)
        ),
        "rated": request.get("rated", False),
        "duplicate": duplicate,
        "visibility": request.get("visibility", "public"),
        "start": request["start"],
        "tiebreaks": _complete_tiebreaks(request.get("tiebreaks")),
    }


def _complete_entrants(asked: Mapping[str, Any], least: int) -> Json:
    invited = asked.get("invited")
    most = DEFAULT_MAX if invited is None else max(least, len(invited))
    return {
        "min": asked.get("min", least),
        "max": asked.get("max", max(most, asked.get("min", least))),
        "invited": invited,
        "rating": asked.get("rating"),
    }


def _complete_tiebreaks(asked: list[str] | None) -> list[str]:
    found = list(TIEBREAKS if asked is None else asked)
    return found if DRAW in found else [*found, DRAW]


def _find_least(sizes: list[int], duplicate: bool) -> int:
    """Return how many entrants a tournament needs: a table, in a duplicate two."""
    return sizes[0] * (2 if duplicate else 1)


# -- what is wrong with a request -----------------------------------------------------------------

Faults = Iterator[tuple[str, str]]

_ASKED: Final = (
    *("name", "game", "options", "table", "format", "rounds", "minutes", "pace", "window"),
    *("entrants", "rated", "duplicate", "visibility", "start", "tiebreaks"),
)
_ENTRANTS: Final = ("min", "max", "invited", "rating")


def find_faults(request: Mapping[str, Any], games: Mapping[str, Game]) -> Faults:
    """Yield what is wrong with what a host asks for: a JSON pointer and a sentence each.

    It judges forms and combinations. Whether a time is to come, and whether players exist, is not
    for this room to know.
    """
    for name in request:
        if name not in _ASKED:
            yield f"/{name}", f"a tournament has {', '.join(_ASKED)}"
    yield from _faults_of_name(request)
    yield from _faults_of_words(request)
    yield from _faults_of_flags(request)
    sizes = request.get("table")
    if fault := _fault_of_sizes(sizes):
        yield "/table", fault
        sizes = None
    yield from _faults_of_game(request, sizes, games)
    yield from _faults_of_pace(request)
    yield from _faults_of_length(request)
    yield from _faults_of_entrants(request, sizes)
    yield from _faults_of_start(request.get("start"))
    yield from _faults_of_tiebreaks(request.get("tiebreaks"))
    yield from _faults_of_format(request, sizes)


def _faults_of_name(request: Mapping[str, Any]) -> Faults:
    name = request.get("name")
    fault = fault_of_line(name, LONGEST) if type(name) is str else "must be a text"
    if fault:
        yield "/name", fault


def _faults_of_words(request: Mapping[str, Any]) -> Faults:
    if request.get("format") not in FORMATS:
        yield "/format", f"one of {', '.join(FORMATS)}"
    if request.get("visibility", "public") not in VISIBILITIES:
        yield "/visibility", f"one of {', '.join(VISIBILITIES)}"


def _faults_of_flags(request: Mapping[str, Any]) -> Faults:
    for name in ("rated", "duplicate"):
        if type(request.get(name, False)) is not bool:
            yield f"/{name}", "true or false"


def _fault_of_sizes(sizes: Any) -> str | None:
    whole = type(sizes) is list and bool(sizes) and all(type(one) is int for one in sizes)
    if not whole or not all(2 <= one <= LARGEST_TABLE for one in sizes):
        return f"a list of numbers of seats from 2 to {LARGEST_TABLE}"
    return None if len(set(sizes)) == len(sizes) else "each number of seats once"


def _faults_of_game(
    request: Mapping[str, Any], sizes: list[int] | None, games: Mapping[str, Game]
) -> Faults:
    game = games.get(request["game"]) if type(request.get("game")) is str else None
    if game is None:
        yield "/game", f"one of {', '.join(sorted(games))}"
        return
    options = request.get("options") or {}
    if not isinstance(options, Mapping):
        yield "/options", "an object"
        return
    if sizes and not all(game.seats_from <= one <= game.seats_to for one in sizes):
        yield "/table", f"{game.name} is for {game.seats_from} to {game.seats_to} seats"
    try:
        game.check(game.seats_from, options)
    except SetupError as error:
        yield error.pointer or "/options", str(error)


def _faults_of_pace(request: Mapping[str, Any]) -> Faults:
    pace = request.get("pace")
    if not isinstance(pace, Mapping):
        yield "/pace", "a tournament has a pace, so that its rounds end"
        return
    for pointer, fault in paces.find_faults(pace):
        yield f"/pace{pointer}", fault


def _faults_of_length(request: Mapping[str, Any]) -> Faults:
    mode = _find_mode(request)
    bounds = {"rounds": (1, MOST_ROUNDS), "minutes": MINUTES, "window": WINDOWS[mode]}
    for name, (least, most) in bounds.items():
        value = request.get(name)
        if value is not None and (type(value) is not int or not least <= value <= most):
            yield f"/{name}", f"a whole number from {least} to {most}"


def _find_mode(request: Mapping[str, Any]) -> str:
    pace = request.get("pace")
    mode = pace.get("mode") if isinstance(pace, Mapping) else None
    return mode if mode in paces.MODES else paces.CORRESPONDENCE


def _faults_of_entrants(request: Mapping[str, Any], sizes: list[int] | None) -> Faults:
    entrants = request.get("entrants") or {}
    if not isinstance(entrants, Mapping):
        yield "/entrants", "an object"
        return
    for name in entrants:
        if name not in _ENTRANTS:
            yield f"/entrants/{name}", f"entrants have {', '.join(_ENTRANTS)}"
    needed = _find_least(sorted(sizes), request.get("duplicate") is True) if sizes else 2
    yield from _faults_of_numbers(entrants, needed)
    yield from _faults_of_invited(entrants.get("invited"))
    if (rating := entrants.get("rating")) is not None and not _is_range(rating):
        yield "/entrants/rating", "a pair of numbers, the lowest first"


def _faults_of_numbers(entrants: Mapping[str, Any], needed: int) -> Faults:
    least, most = entrants.get("min", needed), entrants.get("max", MOST_ENTRANTS)
    if type(least) is not int or not needed <= least <= MOST_ENTRANTS:
        yield "/entrants/min", f"a whole number from {needed} to {MOST_ENTRANTS}"
    elif type(most) is not int or not least <= most <= MOST_ENTRANTS:
        yield "/entrants/max", f"a whole number from {least} to {MOST_ENTRANTS}"


def _faults_of_invited(invited: Any) -> Faults:
    if invited is None:
        return
    if type(invited) is not list or not all(type(one) is str for one in invited):
        yield "/entrants/invited", "a list of ids of players"
    elif not 1 <= len(invited) <= MOST_ENTRANTS or len(set(invited)) != len(invited):
        yield "/entrants/invited", f"from 1 to {MOST_ENTRANTS} players, each once"


def _is_range(value: Any) -> bool:
    numbers = type(value) is list and len(value) == 2 and all(type(one) is int for one in value)
    return numbers and bool(0 <= value[0] <= value[1] <= 10_000)


def _faults_of_start(start: Any) -> Faults:
    if not isinstance(start, Mapping) or len(start) != 1 or next(iter(start)) not in STARTS:
        yield "/start", f"one of {', '.join(STARTS)}"
    elif AT in start:
        if not _is_time(start[AT]):
            yield "/start/at", "a time with its offset, as in RFC 3339"
    elif next(iter(start.values())) is not True:
        yield f"/start/{next(iter(start))}", "true"


def _is_time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


def _faults_of_tiebreaks(tiebreaks: Any) -> Faults:
    if tiebreaks is None:
        return
    known = type(tiebreaks) is list and all(one in TIEBREAKS for one in tiebreaks)
    if not known or len(set(map(str, tiebreaks))) != len(tiebreaks):
        yield "/tiebreaks", f"some of {', '.join(TIEBREAKS)}, each once"
    elif DRAW in tiebreaks[:-1]:
        yield "/tiebreaks", f"`{DRAW}` separates all entrants, so it comes last"


def _faults_of_format(request: Mapping[str, Any], sizes: list[int] | None) -> Faults:
    """Yield which combinations a format does not allow."""
    kind = request.get("format")
    if kind in (ROUND_ROBIN, ARENA) and sizes is not None and sizes != [2]:
        yield "/table", f"`{kind}` has tables of two"
    if kind == ARENA:
        yield from _faults_of_arena(request)
    elif request.get("minutes") is not None:
        yield "/minutes", "only an arena ends after minutes"
    if request.get("duplicate") is True:
        yield from _faults_of_duplicate(request, sizes)


def _faults_of_arena(request: Mapping[str, Any]) -> Faults:
    if request.get("minutes") is None:
        yield "/minutes", "an arena ends after minutes"
    for name in ("rounds", "window"):
        if request.get(name) is not None:
            yield f"/{name}", "an arena has minutes instead"
    if _find_mode(request) != paces.LIVE:
        yield "/pace/mode", f"an arena is `{paces.LIVE}`"


def _faults_of_duplicate(request: Mapping[str, Any], sizes: list[int] | None) -> Faults:
    if request.get("format") != SWISS:
        yield "/duplicate", f"a duplicate is `{SWISS}`"
    elif request.get("rounds") is None:
        yield "/rounds", "a duplicate says how many rounds it has"
    if sizes is not None and len(sizes) != 1:
        yield "/table", "a duplicate has tables of one size"
