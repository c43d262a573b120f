"""The embedded Valkey of a data directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cartulary.cli.errors import Unusable
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.errors import EmbeddedError


def start_valkey(data: Path, stop_requested: Callable[[], bool] = lambda: False) -> EmbeddedValkey:
    """Start the server that keeps its data below `data`.

    Raises `Unusable` when the server cannot start, `StopRequested` as soon as `stop_requested`
    returns true.
    """
    valkey = EmbeddedValkey(data / "valkey")
    try:
        valkey.start(stop_requested=stop_requested)
    except EmbeddedError as error:
        raise Unusable(str(error)) from error
    return valkey
