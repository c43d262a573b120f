"""How many moves an answer has at most, by game: the same in every position.

It must not follow from the accepted line: a placement whose follower has no choice would show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MOST_MOVES: Final[Mapping[str, int]] = {"carcassonne": 2, "caylus": 1}
"""A placement and its follower; one answer of Caylus."""
