"""What a position of Carcassonne promises to each seat, in points.

The projected final score adds up: the final scoring if the game ended now, the points that
unfinished features are likely to bring, and the value of the followers in the supply. The numbers
are estimates, tuned by playing; the rules behind them are those of
`engine.carcassonne.scoring`.
"""

from __future__ import annotations

from typing import Final

from cartulary.engine.carcassonne.features import MONASTERY_ENDS, OPEN_ENDS, Features
from cartulary.engine.carcassonne.scoring import FARM_POINTS_PER_CITY, majority
from cartulary.engine.carcassonne.state import CarcassonneState

END_CLOSED: Final = {"city": 0.72, "road": 0.8, "monastery": 0.86}
"""Chance that one open end of a feature, or one empty cell round a monastery, is ever filled."""

HALF_TIME: Final = 9.0
"""With this many tiles left, that chance is half of what it is in a long game."""

AT_HAND: Final = (0.0, 5.0, 8.0, 10.0, 11.5, 12.5, 13.0, 13.5)
"""What 0 to 7 followers in the supply are good for, early in the game."""

BACK_HOME: Final = 1.5
"""What a follower is good for that comes home one day."""

EARLY: Final = 24.0
"""Below this number of tiles left, followers in the supply lose their value in proportion."""


class Outlook:
    """Estimates for one position; `left`, the tiles in the bag, sets how likely things are."""

    def __init__(self, state: CarcassonneState) -> None:
        left = state.left
        scale = left / (left + HALF_TIME)
        self._closing = {kind: chance * scale for kind, chance in END_CLOSED.items()}
        self._freshness = min(1.0, left / EARLY)
        self._tiny_city = int(state.options["tiny_city"])

    def seats(self, state: CarcassonneState) -> list[float]:
        """Return what each seat may expect to have in the end."""
        features, fresh = state.features, self._freshness
        values = [
            score + fresh * AT_HAND[supply]
            for score, supply in zip(state.scores, state.supply, strict=True)
        ]
        root = features.root
        kinds = {root(node): kind for node, (_, kind) in state.pieces.items()}
        for feature, kind in kinds.items():
            points, closes = self._feature(features, feature, kind)
            followers = features.followers(feature, state.seats)
            for seat in majority(followers):
                values[seat] += points
            if closes:
                for seat, count in enumerate(followers):
                    values[seat] += count * closes * fresh * BACK_HOME
        return values

    def _feature(self, features: Features, root: int, kind: str) -> tuple[float, float]:
        """Return the expected points of a feature, and the chance that its followers come home."""
        if kind == "field":
            return self._farm(features, root), 0.0
        closes = self._closes(features, root, kind)
        if kind == "city":
            return self._city(features, root, closes), closes
        if kind == "road":
            return float(features.tiles(root)), closes
        empty = features.records[root] & OPEN_ENDS
        return 1 + MONASTERY_ENDS - empty + empty * self._closing[kind], closes

    def _closes(self, features: Features, root: int, kind: str) -> float:
        return float(self._closing[kind] ** (features.records[root] & OPEN_ENDS))

    def _city(self, features: Features, root: int, closes: float) -> float:
        tiles = features.tiles(root)
        now = tiles + features.pennants(root)
        closed = self._tiny_city if tiles == 2 else 2 * now
        return now + closes * (closed - now)

    def _farm(self, features: Features, root: int) -> float:
        """Count completed cities in full, open ones by their chance; each once (rules 2, farms)."""
        cities, marks = set(), features.marks[root]
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            cities.add(features.root(lowest.bit_length() - 1))
        return FARM_POINTS_PER_CITY * sum(self._closes(features, c, "city") for c in cities)
