"""What a server answers, and how the words of a command are read as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple, TypeAlias


class Simple(str):
    """A status, as `OK` or `QUEUED`."""

    __slots__ = ()


class ErrorReply(NamedTuple):
    """A refusal of the server: its code (`WRONGTYPE`) and the text after it."""

    code: str
    text: str

    def write(self) -> str:
        """Return the line that a client reads, without the sign before it."""
        return f"{self.code} {self.text}" if self.text else self.code


class Blocked:
    """The answer comes later, among the `answers` of the session."""

    def __repr__(self) -> str:
        """Name it in the message of a failing comparison."""
        return "Blocked"


StoreReply: TypeAlias = (
    "bytes | int | float | Simple | ErrorReply | list[StoreReply] | dict[bytes, StoreReply] | None"
)
"""A bulk string, a number, a double or a map of RESP3, nil, a status, an error, an array.

A set of RESP3 is a list here: the order of a set of Python depends on the seed of its hashes.
"""

Words: TypeAlias = Sequence[bytes]

BLOCKED: Final = Blocked()
OK: Final = Simple("OK")
QUEUED: Final = Simple("QUEUED")


class StoreRefusal(Exception):
    """A command is refused; nothing was changed unless a script has written before."""

    def __init__(self, text: str, code: str = "ERR") -> None:
        super().__init__(f"{code} {text}")
        self.code, self.text = code, text

    def reply(self) -> ErrorReply:
        """Return it as an answer."""
        return ErrorReply(self.code, self.text)


class Unmodelled(Exception):
    """A command or an option that the project does not use, and the model does not have.

    It is no answer: a real server would have done something, so a simulation cannot go on.
    """


class Down(Exception):
    """The process of the server does not run, or has ended during this very command."""


def refuse_type() -> StoreRefusal:
    """Return the refusal for a key with a value of another type."""
    return StoreRefusal("Operation against a key holding the wrong kind of value", "WRONGTYPE")


def refuse_syntax() -> StoreRefusal:
    """Return the refusal for an option in a wrong place."""
    return StoreRefusal("syntax error")


NOT_AN_INTEGER: Final = "value is not an integer or out of range"
NOT_A_FLOAT: Final = "value is not a valid float"
MOST, LEAST = 2**63 - 1, -(2**63)

_INTEGER: Final = re.compile(rb"(?:0|-?[1-9][0-9]{0,18})\Z")
_FLOAT: Final = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity)\Z", re.IGNORECASE
)


def read_int(word: bytes, text: str = NOT_AN_INTEGER) -> int:
    """Return a number of 64 bits as the server reads it: no sign `+`, no zeros before it."""
    if _INTEGER.match(word):
        number = int(word)
        if LEAST <= number <= MOST:
            return number
    raise StoreRefusal(text)


def read_float(word: bytes, text: str = NOT_A_FLOAT) -> float:
    """Return a double; `nan`, spaces and hexadecimal digits are refused."""
    if not _FLOAT.match(word):
        raise StoreRefusal(text)
    return float(word)


def write_float(number: float) -> bytes:
    """Return a double as the server writes it: the shortest digits that lead to it."""
    if math.isinf(number):
        return b"inf" if number > 0 else b"-inf"
    if -(2**62) <= number <= 2**62 and number == int(number):
        return b"%d" % int(number)
    sign, digits, power = Decimal(repr(number)).normalize().as_tuple()
    text = _place_point("".join(map(str, digits)), int(power))
    return f"{'-' if sign else ''}{text}".encode()


def _place_point(digits: str, power: int) -> str:
    """Return digits times a power of ten: plainly where that is short, else with an exponent."""
    size = power + len(digits) - 1
    if power >= 0 and size < len(digits) + 7:
        return digits + "0" * power
    if power < 0 and (power > -7 or abs(size) < 4):
        whole = len(digits) + power
        return f"{digits[:whole]}.{digits[whole:]}" if whole > 0 else f"0.{'0' * -whole}{digits}"
    point = "." if len(digits) > 1 else ""
    return f"{digits[0]}{point}{digits[1:]}e{'+' if size > 0 else '-'}{abs(size)}"
