"""The forms of tournaments that are played, and how their entrants behave."""

from __future__ import annotations

from typing import Any, Final

ABSENT: Final = 0.1
"""How likely it is that an entrant is not there when a table starts."""

LEAVING: Final = 0.05
"""Share of the entrants that leave in the middle of a tournament."""

LIVE: Final = {"mode": "live", "delay": 30, "bank": 600}

ROUNDS: Final = 3

FORMS: Final[dict[str, dict[str, Any]]] = {
    "swiss": {"format": "swiss", "table": [3, 4], "rounds": ROUNDS},
    "round_robin": {"format": "round_robin", "table": [2], "rounds": ROUNDS},
    "arena": {"format": "arena", "table": [2], "minutes": 60},
    "duplicate": {"format": "swiss", "table": [3], "rounds": ROUNDS, "duplicate": True},
}


def write_terms(form: str, **more: Any) -> dict[str, Any]:
    """Return the request that announces a tournament of a form."""
    window = {} if form == "arena" else {"window": 3}
    start = {"by_host": True}
    common = {"name": "Evening", "game": "carcassonne", "pace": LIVE, "start": start}
    return {**common, **window, **FORMS[form], **more}
