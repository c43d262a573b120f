"""The errors of the engine.

EngineError (ValueError)
├── SetupError             a game that cannot be set up
│   ├── UnknownGame
│   ├── InvalidSeats       a number of seats that the game does not allow
│   └── InvalidOption      an unknown option, or a value it does not take
├── ChanceError            an outcome that the pending draw cannot have
├── PositionError          a position that does not belong to the game, or was tampered with
├── IllegalMove            a move that is not legal, with the reason and the legal moves
├── UnknownAction          a move, or a code, that is not in the table of actions
├── InvalidArray           an array that a tensor does not fit into
├── NotCoded               a game without a table of actions or a layout of tensors
└── TranscriptError        a file that is not a readable transcript
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self


def pointer(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) that leads to a value through these keys and indexes."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


class EngineError(ValueError):
    """The base class of all errors of the engine."""


class SetupError(EngineError):
    """A game cannot be set up in this way.

    `pointer` is the JSON pointer to the wrong value in a transcript: `path`, or else `field`.
    """

    field = "setup"

    def __init__(self, reason: str, *path: str | int) -> None:
        super().__init__(reason)
        self.pointer = pointer(*(path or (self.field,)))


class UnknownGame(SetupError):
    """No game of this name is on offer."""

    field = "game"


class InvalidSeats(SetupError):
    """The game is not played by this number of seats."""

    field = "seats"


class InvalidOption(SetupError):
    """An option that the game does not have, or a value that the option does not take."""

    field = "options"


class PositionError(EngineError):
    """A position of another form or another game, tampered with, or too large."""


class UnknownAction(EngineError):
    """A move, or a code, that is not in the table of actions of the game."""


class InvalidArray(EngineError):
    """An array of another size or another type than the tensor that is to be written into it."""


class NotCoded(EngineError):
    """A game that has no table of actions, or no layout of tensors."""


class ChanceError(EngineError):
    """An outcome that the pending draw cannot have, or a missing outcome."""


class TranscriptError(EngineError):
    """A file that cannot be read as a transcript (`docs/transcript.md`).

    `pointer` is the JSON pointer to the wrong value, empty for the file as a whole. For a missing
    value it is the place where the value belongs.
    """

    def __init__(self, reason: str, pointer: str = "") -> None:
        super().__init__(reason)
        self.pointer = pointer


class Reason(str):
    """Why a move is not legal: a sentence in English that also says so for programs.

    `rule` names what is broken, in words that stay; `details` are the values in the sentence, by
    the names that facts use (`seat`, `space`, `building`, `goods`, …). `locales.reasons` tells the
    same in other languages.
    """

    __slots__ = ("details", "rule")

    rule: str
    details: Mapping[str, Any]

    def __new__(cls, sentence: str, rule: str, **details: Any) -> Self:
        """Return the sentence with its rule and details."""
        made = super().__new__(cls, sentence)
        made.rule, made.details = rule, details
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        """Return what `__new__` takes: a process of `cartulary verify` hands reasons over."""
        return (str(self), self.rule), dict(self.details)


class IllegalMove(EngineError):
    """A move answers no pending decision, or it breaks a rule.

    Attributes: `seat` and `kind` of the pending decision (None when the play is over), `reason`
    in words (a `Reason`, where the game says which rule is broken), `legal_moves` as contract
    objects.
    """

    def __init__(
        self,
        reason: str,
        seat: int | None = None,
        kind: str | None = None,
        legal_moves: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seat = seat
        self.kind = kind
        self.legal_moves = list(legal_moves)
