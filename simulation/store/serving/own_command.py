"""The shape of a command about the server itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from simulation.store.commands.shape import FindKeys
from simulation.store.values.replies import Blocked, StoreReply, Words
from simulation.store.values.session import ModelSession

OwnHandler: TypeAlias = "Callable[[Any, ModelSession, Words], StoreReply | Blocked]"
"""Gets the server (`BareServer`), the session and the words; raises `StoreRefusal`."""


class OwnCommand(NamedTuple):
    """A command of the server; the fields are those of `commands.shape.Command`."""

    handler: OwnHandler
    arity: int
    flags: str = ""
    keys: FindKeys | None = None
