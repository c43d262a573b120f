"""The packs that ship with the service, as the shelf reads them."""

from __future__ import annotations

from typing import Any

from cartulary.events.puzzles.shelf import Shipped
from cartulary.puzzles.packs import ENDING, FOLDER, read_pack


def find_pack(offer: Any) -> Shipped | None:
    """Return the pack of a game on offer, None for a game without one.

    `offer` is an `Offer` of the list of games: a pack is read with its bots, which this room does
    not know. Raises `PuzzleError` for a pack that is damaged.
    """
    path = FOLDER / f"{offer.name}{ENDING}"
    return read_pack(offer, path) if path.is_file() else None
