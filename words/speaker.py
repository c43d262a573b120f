"""What a game says of its moves and of its table: the type that each game fills in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cartulary.locales import GameWords
from cartulary.words.fitting import TextItem, TextLine, fit
from cartulary.words.phrases import Phrases
from cartulary.words.quoting import quote_name

LIMIT: Final = 2000
"""Characters of a table in words, at most."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """What a caller may see of a game, as values of the API.

    `names` are those of the seats, None for an open seat; `own` are the seats of the caller.
    `view` and `decision` are None where the game has none; `features` and `moves` are lists of the
    API. `result` is that of the game, when the score is counted.
    """

    status: str
    names: Sequence[str | None]
    own: Sequence[int] = ()
    view: Json | None = None
    decision: Json | None = None
    features: Sequence[Json] = ()
    moves: Sequence[Json] = ()
    result: Json | None = None


def _add_nothing(_phrases: Phrases, _move: Json, _table: SeenTable) -> dict[str, str]:
    return {}


def _tell_nothing(_phrases: Phrases, _table: SeenTable) -> Iterator[TextLine]:
    yield from ()


def _hold_nothing(_phrases: Phrases, _view: Json, _seat: int) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """How a game speaks.

    `moves` has a template for each type of move: `{ui.…}`, `{story.…}`, `{terms.…}` are texts of
    the game, other parts are members of the move in words, or what `add` returns, which sees a
    table without features. `head` returns what stands behind the title, `hold` what a seat has,
    `tell` the lines about the table.
    """

    moves: Mapping[str, str] = field(default_factory=dict)
    add: Callable[[Phrases, Json, SeenTable], dict[str, str]] = _add_nothing
    head: Callable[[Phrases, Json], list[str]] = lambda _phrases, _view: []
    hold: Callable[[Phrases, Json, int], str] = _hold_nothing
    tell: Callable[[Phrases, SeenTable], Iterator[TextLine]] = _tell_nothing


def say_moves(speaker: Speaker, words: GameWords, lang: str, table: SeenTable) -> list[str]:
    """Return the legal moves of a table as sentences, in their order, each another one.

    A move that the game has no words for is said as the JSON that it is.
    """
    phrases = Phrases(lang, words)
    return [say_move(speaker, phrases, move, table) for move in table.moves]


def say_move(speaker: Speaker, phrases: Phrases, move: Json, table: SeenTable) -> str:
    """Return one move of the pending decision as a sentence."""
    template = speaker.moves.get(move["type"])
    if template is None:
        return json.dumps(move, ensure_ascii=False)
    values = {**phrases.put_into_words(move), "colon": phrases.colon}
    values |= speaker.add(phrases, move, table)
    text = phrases.fill(template, **values)
    return f"{text[:1].upper()}{text[1:]}"


def tell_table(
    speaker: Speaker, words: GameWords, lang: str, table: SeenTable, most: int = LIMIT
) -> str:
    """Return a table in words, at most `most` characters, the important first."""
    phrases = Phrases(lang, words)
    return fit(_tell(speaker, phrases, table), most)


def _tell(speaker: Speaker, phrases: Phrases, table: SeenTable) -> Iterator[TextLine]:
    title = [phrases.read("terms.title")]
    if table.view is not None:
        title += speaker.head(phrases, table.view)
    yield TextLine("", [TextItem(one) for one in title], " · ")
    yield TextLine("", [*map(TextItem, _tell_stand(phrases, table))])
    for seat in range(len(table.names)):
        yield TextLine("", [TextItem(_describe_seat(speaker, phrases, table, seat))])
    if table.view is not None:
        yield from speaker.tell(phrases, table)


def _tell_stand(phrases: Phrases, table: SeenTable) -> Iterator[str]:
    """Yield whose decision is pending and what is asked, else how the game stands or has ended."""
    decision, result = table.decision, table.result
    if decision is not None:
        ask = phrases.read(f"terms.asks.{decision['kind']}")
        yield f"{phrases.seat(decision['seat'])}{phrases.colon}{ask}"
    else:
        yield phrases.read(f"ui.status.{table.status}")
    if result is not None:
        yield phrases.say("ui.lobby.won", names=phrases.seats(result["winners"]))
        for seat, score in enumerate(result["scores"]):
            points = phrases.say("picture.points", points=score)
            yield f"{phrases.seat(seat)}{phrases.colon}{points}"


def _describe_seat(speaker: Speaker, phrases: Phrases, table: SeenTable, seat: int) -> str:
    name = table.names[seat]
    shown = f"({phrases.read('ui.new.open')})" if name is None else quote_name(name)
    own = f" ({phrases.read('picture.you')})" if seat in table.own else ""
    said = f"{phrases.seat(seat)} {shown}{own}"
    held = "" if table.view is None else speaker.hold(phrases, table.view, seat)
    return f"{said}{phrases.colon}{held}" if held else said
