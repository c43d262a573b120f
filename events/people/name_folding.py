"""What a name is folded to, so that a search finds it whatever its case and marks."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_UNDECOMPOSED: Final = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode does not decompose into a letter and a mark."""


def fold_name(name: str) -> str:
    """Return a name without case, marks and superfluous blanks: `Łukasz  ŽÁK` is `lukasz zak`."""
    # Twice: a letter that folds to itself may decompose into one that does not (`𝐀` into `A`).
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    bare = "".join(one for one in letters if not unicodedata.combining(one))
    return re.sub(r"\s+", " ", bare.translate(_UNDECOMPOSED)).strip()


def write_entry(name: str, player_id: str) -> str:
    """Return the entry of a player: a name that is exact sorts before longer ones."""
    return f"{fold_name(name)}\0{player_id}"
