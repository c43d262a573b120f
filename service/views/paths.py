"""Numbers and ids in paths."""

from __future__ import annotations

from werkzeug.routing import BaseConverter


class GameId(BaseConverter):
    """`<game:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!import$)[^/]+"
    part_isolating = True


def whole_in_path(text: str) -> int | None:
    """Return the number that a part of the path is, None when it is none of ours, or not as ours.

    `01` is not: what is kept for ever has one address.
    """
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 10 else None
    return number if str(number) == text else None
