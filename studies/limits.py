"""How much of everything a study may have: so much is read and folded in a moment."""

from __future__ import annotations

from typing import Final

CHAPTERS: Final = 64
"""Chapters of a study."""
NODES: Final = 3000
"""Moves of a study, over all chapters and branches."""
LINE: Final = 1200
"""Moves from the start of a chapter to a leaf; the longest games have half as many."""
NESTING: Final = 6
"""Branches within branches: a file nests three levels for each, and JSON is read 32 levels deep."""
BRANCHES: Final = 40
"""Moves of one position."""
DRAWS: Final = 12
"""Draws after one move: a tile, and those before it that fitted nowhere."""
TITLE: Final = 100
TEXT: Final = 4000
"""Characters of a title and of a text."""
TEXTS: Final = 400_000
"""Characters of all texts of a study."""
VERSIONS: Final = 20_000
"""Changes of a study: it is folded from its first event."""
STREAM: Final = 8 * 1024 * 1024
"""Bytes of all events of a study: they stay in the store when what they say is long gone."""
MARKS: Final = 40
"""Marks of one position."""
HINTS: Final = 3
RIGHT: Final = 40
WRONG: Final = 40
"""Hints, right lines and answered wrong lines of a question."""
ANSWER: Final = 8
"""Moves of one answer."""
AUTHORS: Final = 16
"""People who may write in a study, or are asked to."""
FAULTS: Final = 20
"""The most faults that are named; the rest waits for the next check."""
