"""A position as a file: all that the game needs to go on from here, and the hash that proves it.

`{"form", "game", "options", "seats", "state", "kept", "state_hash"}`. `state` is `State.identity`
in the words of the contract, of which `state_hash` is the SHA-256, and besides `dump`, what
`State.dump` writes, with `dump_hash`. `kept` are the outcomes that later draws take first
(`engine.kept`). It holds nothing that a player may not know: a bag is counted, not ordered, and no
outcome of a later draw is in it.

A position may come from a stranger, and each fault is a `PositionError`. Both hashes must be right,
the dump must give the state that the words describe and must dump to the same JSON again, and the
view must fit the contract. A
stranger can compute both hashes, so a position belongs to a game only where its hash is that of
the event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from cartulary.engine.canonical import canonical_hash, identical, quote
from cartulary.engine.errors import PositionError

Json = dict[str, Any]

FORM: Final = 1
"""The form of a position that this release writes and reads."""

KEYS: Final = ("form", "game", "options", "seats", "state", "kept", "state_hash")

MOST_VALUES: Final = 20_000
"""The most values that a position may hold; the longest games need three thousand."""
LARGEST: Final = 1 << 40
LONGEST: Final = 100
DEEPEST: Final = 12

_BROKEN: Final = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What a state raises that is filled with what no game has written."""


def write_position(game: str, state: Any, kept: Sequence[str]) -> Json:
    """Return a state of a game as a position."""
    words, dump = state.identity(), state.dump()
    return {
        "form": FORM,
        "game": game,
        "options": dict(state.options),
        "seats": state.seats,
        "state": {**words, "dump": dump, "dump_hash": canonical_hash(dump)},
        "kept": [*kept],
        "state_hash": canonical_hash(words),
    }


def must_be_position(position: Any, game: str) -> None:
    """Raise `PositionError` unless this has the outer form of a position of a game."""
    if type(position) is not dict or set(position) != set(KEYS):
        raise PositionError(f"a position has exactly the keys {', '.join(KEYS)}")
    _must_be_small(position)
    if type(position["form"]) is not int or position["form"] != FORM:
        raise PositionError(f"form {quote(position['form'])} is unknown; this is form {FORM}")
    if position["game"] != game:
        raise PositionError(f"this is a position of {quote(position['game'])}, not of {game}")
    if type(position["options"]) is not dict or type(position["state"]) is not dict:
        raise PositionError("options and state are objects")
    kept = position["kept"]
    if type(kept) is not list or any(type(one) is not str for one in kept):
        raise PositionError("kept is a list of outcomes")


def read_state(
    position: Json,
    options: Mapping[str, Any],
    load: Callable[[Json], Any],
    find_faults: Callable[[Json], object],
    is_sound: Callable[[Json], bool],
) -> Any:
    """Return the state of a position that has the outer form, hashed again.

    `find_faults` returns what does not fit the contract in a view, something false for nothing.
    `is_sound` says whether the numbers of a dump are in their ranges: a state that is filled with
    others might fail later, or never come to an end. Raises `PositionError`.
    """
    words = dict(position["state"])
    dump, dump_hash = words.pop("dump", None), words.pop("dump_hash", None)
    if (found := canonical_hash(words)) != position["state_hash"]:
        raise PositionError(f"the state has the hash {found}, not {quote(position['state_hash'])}")
    if type(dump) is not dict or canonical_hash(dump) != dump_hash:
        raise PositionError("the dump does not have the hash that comes with it")
    try:
        # Before the state is filled: its lists are as long as the seats say.
        if not identical(dump["seats"], position["seats"]) or not is_sound(dump):
            raise ValueError("a number of the dump is out of its range")
        state = load(dump)
        fits = identical(state.dump(), dump) and identical(dict(state.options), dict(options))
        fits = fits and identical(state.identity(), words)
        faults = find_faults(state.view())
        if not state.over and state.chance is None:
            fits = fits and len(state.moves()) > 0
    except _BROKEN as error:
        raise PositionError(
            f"the state does not belong to this game: {quote(str(error))}"
        ) from error
    if not fits or faults:
        raise PositionError("the state does not belong to this game")
    return state


def _must_be_small(position: Json) -> None:
    for number, (value, depth) in enumerate(_walk(position)):
        if number >= MOST_VALUES or depth > DEEPEST:
            raise PositionError("the position is too large")
        if isinstance(value, str) and len(value) > LONGEST:
            raise PositionError("the position has a text that is too long")
        if type(value) is int and abs(value) > LARGEST:
            raise PositionError("the position has a number that is too large")
        if isinstance(value, float):
            raise PositionError("numbers of a position are integers")


def _walk(position: Json) -> Iterator[tuple[Any, int]]:
    """Yield every key and value of a position with its depth, one after the other."""
    pending: list[tuple[Any, int]] = [(position, 0)]
    while pending:
        value, depth = pending.pop()
        yield value, depth
        if depth > DEEPEST:
            return
        if type(value) is dict:
            pending += [(one, depth + 1) for pair in value.items() for one in pair]
        elif type(value) is list:
            pending += [(one, depth + 1) for one in value]
