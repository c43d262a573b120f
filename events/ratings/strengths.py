"""How strong the bots of players are, on the scale of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cartulary.events.model.ladders import BOTS
from cartulary.events.ratings.reading import RatingReader
from cartulary.ratings.results import TABLES, Bucket
from cartulary.ratings.scale import Standing, find_league_strength


def read_bot_strengths(
    reader: RatingReader, bots: Sequence[str], games: Iterable[str]
) -> dict[str, int]:
    """Return the strengths of those of some bots of which enough rated games are known.

    Of several games, and of tables of two and of more, counts where a bot has played most. Raises
    `RedisError`.
    """
    buckets = [Bucket(BOTS, game, table) for game in games for table in TABLES]
    best: dict[str, Standing] = {}
    for standings in reader.read_in_buckets(bots, buckets):
        for bot, standing in standings.items():
            if bot not in best or standing.games > best[bot].games:
                best[bot] = standing
    return {
        bot: find_league_strength(standing.mu)
        for bot, standing in best.items()
        if not standing.provisional
    }
