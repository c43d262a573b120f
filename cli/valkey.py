"""The embedded Valkey of a data directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cartulary.cli.errors import Unusable
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.errors import EmbeddedError


def start_valkey(data: Path, told_to_stop: Callable[[], bool] = lambda: False) -> EmbeddedValkey:
    """Start the server that keeps its data below `data`.

    Raises `Unusable` when the server cannot start, `ToldToStop` as soon as `told_to_stop` is true.
    """
    valkey = EmbeddedValkey(data / "valkey")
    try:
        valkey.start(told_to_stop=told_to_stop)
    except EmbeddedError as error:
        raise Unusable(str(error)) from error
    return valkey
