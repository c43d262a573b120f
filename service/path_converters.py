"""Numbers and ids in paths."""

from __future__ import annotations

from werkzeug.routing import BaseConverter


class GameId(BaseConverter):
    """`<game:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!import$)[^/]+"
    part_isolating = True


class MessageId(BaseConverter):
    """`<message:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!stream$)[^/]+"
    part_isolating = True


class PasskeyId(BaseConverter):
    """`<passkey:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!options$)[^/]+"
    part_isolating = True


class SeekId(BaseConverter):
    """`<seek:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!summary$)[^/]+"
    part_isolating = True


class PuzzleId(BaseConverter):
    """`<puzzle:…>`: any part of a path but the words that are paths of their own."""

    regex = "(?!(?:daily|next)$)[^/]+"
    part_isolating = True


class WholeNumberConverter(BaseConverter):
    """`<whole:…>`: a whole number ≥ 0 without leading zeros: each resource has one address."""

    regex = "(?:0|[1-9][0-9]{0,9})"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)
