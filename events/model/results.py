"""The result of a game: scores, ranks, and how each seat ended. Pure: the table decides.

The rules are in `docs/living.md`, "Ranks". The command that counts a game and the audit use
the same function.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.engine.canonical import canonical_json
from cartulary.engine.ranking import ranks, winners
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Seat
from cartulary.events.model.types import Json

_COUNTED: Final = ("scores", "winners", "breakdown")
"""What a result says of the count; the rest says who left, and the order of the seats."""


def make_result(table: Table) -> Json:
    """Return the result of a game whose play is over, as `game_scored` has it.

    After forfeits the scores are the points on the board, and nothing is counted; else the end
    count of the rules decides.
    """
    assert table.play is not None
    state, ended_by = table.play.state, _ended_by(table)
    if ended_by == "forfeits":
        found: Json = {"scores": list(state.scores), "winners": [], "breakdown": []}
    else:
        found = state.final().to_json()
    bots = table.terms.bot_seats or ()
    outcomes = [_outcome(seat, number in bots) for number, seat in enumerate(table.seats)]
    slowest = None if table.ending is None else table.ending.slowest
    places = ranks(found["scores"], outcomes, table.course.left, slowest)
    return {
        **found,
        "winners": winners(places, outcomes),
        "ranks": places,
        "outcomes": outcomes,
        "ended_by": ended_by,
        "stand_in_moves": list(table.course.stand_in_moves),
    }


def find_faults(table: Table, stated: Json) -> Iterator[tuple[str, str]]:
    """Yield what a stored result of a table should have said: the problem in a word, and details.

    `result` is about the count, `rank` about the order and the endings of the seats. Results from
    before ranks have none of the latter.
    """
    found = make_result(table)
    counted = {name: found[name] for name in _COUNTED}
    ranked = {name: value for name, value in found.items() if name not in _COUNTED}
    if any(stated.get(name) != value for name, value in counted.items()):
        yield "result", f"the engine counts {canonical_json(counted)}"
    is_old = stated.keys() <= counted.keys()
    if not is_old and any(stated.get(name) != value for name, value in ranked.items()):
        yield "rank", f"the seats end as {canonical_json(ranked)}"
    elif stated.keys() - found.keys():
        yield "result", f"nobody knows {', '.join(sorted(stated.keys() - found.keys()))}"


def _ended_by(table: Table) -> str:
    """Return how the play ended: `play`, its natural end, or what `play_ended` says."""
    return (None if table.ending is None else table.ending.ended_by) or "play"


def _outcome(seat: Seat, had_bot: bool) -> str:
    """Return the outcome of a seat, a word of `engine.ranking.OUTCOMES`.

    `had_bot`: the seat is that of a bot in an imported game.
    """
    if seat.bot is not None or had_bot:
        return "bot"
    if seat.forfeited is not None:
        return seat.forfeited
    return "finished" if seat.away is None else "stand_in"
