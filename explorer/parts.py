"""What an asker of a game says of a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class AskedParts(NamedTuple):
    """The parts of the wide key, what the narrow key has besides (None: no such key), answers."""

    parts: Sequence[str]
    narrow: Sequence[str] | None
    answers: Sequence[str]
