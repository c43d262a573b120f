"""Answers in a form in which those of the model and of a real server are equal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import hiredis

from simulation.store.compare.operations import LATER, RandomOperation
from simulation.store.values.replies import ErrorReply, Simple

_LINE: Final = re.compile(r"@user_script:\d+")
"""A script that ends with the call that fails has lost its line in the model."""

_VARIES: Final = (b"radix-tree-nodes",)
"""What XINFO STREAM says of the memory alone."""


def bring_to_form(operation: RandomOperation, reply: Any) -> Any:
    """Return an answer without what a server leaves open."""
    plain = _simplify(reply)
    if isinstance(plain, tuple):
        return plain
    if operation.order in _FORMS:
        return _FORMS[operation.order](plain)
    return plain


def bring_all_to_form(operations: Sequence[RandomOperation], reply: Any) -> Any:
    """Return the answers of a transaction, None or a refusal where it was not run."""
    plain = _simplify(reply)
    if not isinstance(plain, list):
        return plain
    return [bring_to_form(one, answer) for one, answer in zip(operations, reply, strict=True)]


def _simplify(reply: Any) -> Any:
    """Return bytes for a status, and a tuple for a refusal."""
    if isinstance(reply, list):
        return [_simplify(one) for one in reply]
    if isinstance(reply, ErrorReply):
        return "refused", _LINE.sub("@user_script:N", reply.write())
    if isinstance(reply, hiredis.ReplyError):
        return "refused", _LINE.sub("@user_script:N", str(reply))
    if isinstance(reply, Simple):
        return reply.encode()
    return reply


def _sort(reply: Any) -> Any:
    return sorted(reply)


def _pair(reply: Any) -> Any:
    return reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2], strict=True))


def _scan(reply: Any) -> Any:
    return reply[0], sorted(reply[1])


def _place_in_time(reply: Any) -> Any:
    """Return a moment that a client has named; `soon` for what depends on the moment of now."""
    return "soon" if 0 < reply < LATER else reply


def _hide_idle(reply: Any) -> Any:
    return [[entry_id, reader, count] for entry_id, reader, _, count in reply]


def _hide_memory(reply: Any) -> Any:
    return {name: value for name, value in _pair(reply).items() if name not in _VARIES}


def _name_sessions(reply: Any) -> Any:
    """Return the names and databases of sessions with a name, in lines of CLIENT LIST."""
    lines = [dict(one.split(b"=", 1) for one in line.split()) for line in reply.splitlines()]
    return sorted((one[b"name"], one[b"db"]) for one in lines if one[b"name"])


_FORMS: Final = {
    "none": _sort,
    "pairs": _pair,
    "scan": _scan,
    "time": _place_in_time,
    "idle": _hide_idle,
    "stream": _hide_memory,
    "sessions": _name_sessions,
}
