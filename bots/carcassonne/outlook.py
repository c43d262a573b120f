"""What a position of Carcassonne promises to each seat.

The projected final score adds up: the final scoring if the game ended now, the points that
unfinished features are likely to bring, and the value of the followers in the supply. The beliefs
are in `chances`; the rules behind them are those of `engine.carcassonne.scoring`.
"""

from __future__ import annotations

from cartulary.bots.carcassonne.chances import UNIT, Chances, list_chances
from cartulary.engine.carcassonne.features import OPEN_ENDS, Features
from cartulary.engine.carcassonne.scoring import FARM_POINTS_PER_CITY, majority
from cartulary.engine.carcassonne.state import CarcassonneState


class Outlook:
    """Estimates for one position, in `UNIT`s; the tiles in the bag set how likely things are."""

    def __init__(self, state: CarcassonneState) -> None:
        self.chances: Chances = list_chances(state.left)
        self._tiny_city = int(state.options["tiny_city"])

    def seats(self, state: CarcassonneState) -> list[int]:
        """Return what each seat may expect to have in the end."""
        features, supply = state.features, self.chances.supply
        values = [
            UNIT * score + supply[count]
            for score, count in zip(state.scores, state.supply, strict=True)
        ]
        root = features.root
        kinds = {root(node): kind for node, (_, kind) in state.pieces.items()}
        for feature, kind in kinds.items():
            points, home = self.rate(features, feature, kind)
            followers = features.followers(feature, state.seats)
            for seat in majority(followers):
                values[seat] += points
            for seat, count in enumerate(followers):
                values[seat] += count * home
        return values

    def rate(self, features: Features, root: int, kind: str) -> tuple[int, int]:
        """Return the expected points of a feature, and what each follower gains by coming home."""
        chances, ends = self.chances, features.records[root] & OPEN_ENDS
        if kind == "field":
            return self._farm(features, root), 0
        if kind == "road":
            return UNIT * features.tiles(root), chances.road_home[ends]
        if kind == "city":
            return self._city(features, root, chances.city[ends]), chances.city_home[ends]
        return chances.monastery[ends], chances.monastery_home[ends]

    def _city(self, features: Features, root: int, closes: int) -> int:
        tiles = features.tiles(root)
        now = tiles + features.pennants(root)
        closed = self._tiny_city if tiles == 2 else 2 * now
        return UNIT * now + closes * (closed - now)

    def _farm(self, features: Features, root: int) -> int:
        """Count completed cities in full, open ones by their chance; each once (rules 2, farms)."""
        cities, marks = set(), features.marks[root]
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            cities.add(features.root(lowest.bit_length() - 1))
        closes, records = self.chances.city, features.records
        return FARM_POINTS_PER_CITY * sum(closes[records[city] & OPEN_ENDS] for city in cities)
