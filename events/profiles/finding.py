"""Finding: what a finished game says of its players, as a function of its summary and its events.

No engine is needed, so that a rebuild reads archived games as fast as they are unpacked.
`docs/profiles.md` says what counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cartulary.engine.figures import Figures
from cartulary.engine.ranking import move_behind, ranks
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.table_parts import MERGED, is_person
from cartulary.events.model.types import (
    MOVE_MADE,
    MOVES_TAKEN_BACK,
    SEAT_FORFEITED,
    SEAT_TAKEN_OVER,
    Json,
)
from cartulary.events.profiles.turns import find_span, list_turns
from cartulary.ratings.results import name_table

PUBLIC: Final = "public"
"""The visibility of the games that others may learn of."""

FINISHED: Final = "finished"
LEFT: Final = "left"
LEAVING: Final = (SEAT_FORFEITED, SEAT_TAKEN_OVER)

LAST: Final = 1 << 53
"""Later than any version."""

OTHER: Final = "other"
"""The source of points that neither the facts nor the end count tell of."""


class Owner(NamedTuple):
    """Who had a seat: a player or a level of the service, until the end or another one came.

    `outcome` is a word of `engine.ranking.OUTCOMES`; `until` is the version at which another
    player took the seat over, 0 for who had it at the end. `early`: the player left before all
    persons had answered once, which stands in no record.
    """

    player: str | None
    bot: str | None
    outcome: str
    until: int = 0
    early: bool = False


class WholeGame(NamedTuple):
    """What a seat did in a game that its player played to the end; `game` is its id."""

    score: int
    points: Mapping[str, int]
    habits: Mapping[tuple[str, str], int]


class Pairing(NamedTuple):
    """Another player, or a level, and the result: `won`, `tied` or `lost`."""

    player: str | None
    bot: str | None
    result: str


class GameShare(NamedTuple):
    """What a game says of one player.

    `rank` is None for a substitute, whom no figure counts but reliability. `play` is None for a
    player who did not play to the end. `spans` are the turns by span of time.
    """

    player: str
    outcome: str
    rank: int | None = None
    play: WholeGame | None = None
    spans: Mapping[int, int] = {}
    pairings: Sequence[Pairing] = ()


class CountedGame(NamedTuple):
    """What a finished game says of its players; `at` is its end, in ms since the epoch."""

    id: str
    at: int
    game: str
    table: str
    public: bool
    shares: Sequence[GameShare]


def counts(summary: Json) -> bool:
    """Return whether a game counts: it has a result, and it was played here from the start."""
    seats = summary["seats"]
    imported = any("name" in seat for seat in seats)
    return summary["result"] is not None and not imported and not summary["branched_from"]


def find_shares(summary: Json, events: Sequence[Json], figures: Figures) -> CountedGame | None:
    """Return what a game says of its players, None for a game that does not count.

    A game in which a player has two seats does not count.
    """
    if not counts(summary):
        return None
    early = [] if _binds(summary) else _list_early_leaves(summary["seats"], events)
    seats = [
        _mark_early(seat["seat"], _list_owners(seat, events, summary["result"]), early)
        for seat in summary["seats"]
    ]
    first = [owners[0] for owners in seats]
    players = [owner.player for owner in first if owner.player is not None]
    if len(set(players)) < len(players):
        return None
    shares = [*_share_out(summary["result"], first, events, figures), *_list_substitutes(seats)]
    return CountedGame(
        summary["id"],
        milliseconds(summary["updated_at"]),
        summary["game"],
        name_table(len(seats)),
        summary["visibility"] == PUBLIC,
        shares,
    )


# -- who had which seat ------------------------------------------------------------------------


def _binds(summary: Json) -> bool:
    """Return whether leaving a game early counts: a rated game, or one of a tournament."""
    return bool(summary.get("rated") or summary.get("tournament"))


def _list_early_leaves(seats: Iterable[Json], events: Iterable[Json]) -> list[tuple[int, int]]:
    """Return the seats that were left before all persons had answered once, with the versions."""
    events = [one for one in events if one["type"] in (MOVE_MADE, *LEAVING)]
    sitters = {seat["seat"]: seat["player"] for seat in seats}
    for event in reversed(events):
        if event["type"] == SEAT_TAKEN_OVER:
            sitters[event["seat"]] = event["from"].get("player")
    waiting = {seat for seat, player in sitters.items() if is_person(player)}
    answered, found = set[int](), list[tuple[int, int]]()
    for event in events:
        seat: int = event["seat"]
        if event["type"] == MOVE_MADE:
            answered.add(seat)
        elif event["type"] == SEAT_TAKEN_OVER and event["from"].get("reason") != MERGED:
            waiting |= {seat} if is_person(event["player"]) else set()
        elif event["type"] == SEAT_FORFEITED:
            if event["reason"] == LEFT and not waiting <= answered:
                found.append((seat, event["version"]))
            waiting.discard(seat)
    return found


def _mark_early(
    seat: int, owners: Sequence[Owner], early: Iterable[tuple[int, int]]
) -> list[Owner]:
    """Return the owners of a seat, with what is known of those who left early."""
    marked, since = list[Owner](), 0
    for owner in owners:
        until = owner.until or LAST
        left = any(one == seat and since < version < until for one, version in early)
        marked.append(owner._replace(early=left))
        since = until
    return marked


def _list_owners(seat: Json, events: Iterable[Json], result: Json) -> list[Owner]:
    """Return who had a seat, in order. A guest who became an account is the same person."""
    number, player = seat["seat"], seat["player"]
    owners = [Owner(player and player["id"], seat["bot"], _find_outcome(seat, result))]
    for event in reversed([one for one in events if one["type"] == SEAT_TAKEN_OVER]):
        before = event["from"]
        if event["seat"] == number and before.get("reason") != MERGED:
            gone = before.get("player")
            owner = Owner(
                gone and gone["id"], before.get("bot"), before.get("reason", ""), event["version"]
            )
            owners.insert(0, owner)
    return owners


def _find_outcome(seat: Json, result: Json) -> str:
    """Return how a seat ended; old results do not say it."""
    usual = "bot" if seat["player"] is None else FINISHED
    return str(result["outcomes"][seat["seat"]] if "outcomes" in result else usual)


def _list_substitutes(seats: Iterable[Sequence[Owner]]) -> Iterator[GameShare]:
    for owners in seats:
        for owner in owners[1:]:
            if owner.player is not None and not owner.early:
                yield GameShare(owner.player, owner.outcome)


# -- the figures -------------------------------------------------------------------------------


def _share_out(
    result: Json, first: Sequence[Owner], events: Sequence[Json], figures: Figures
) -> Iterator[GameShare]:
    """Yield the share of each player who began."""
    places = _find_ranks(result, first)
    gone = {
        version for one in events if one["type"] == MOVES_TAKEN_BACK for version in one["moves"]
    }
    spans: dict[int, Counter[int]] = {}
    for turn in list_turns(events, gone):
        spans.setdefault(turn.seat, Counter())[find_span(turn.ms)] += 1
    facts = [fact for one in events if one["version"] not in gone for fact in one.get("facts", ())]
    for seat, owner in enumerate(first):
        if owner.player is not None and not owner.early:
            stayed = not owner.until
            yield GameShare(
                owner.player,
                owner.outcome,
                places[seat],
                _find_play(result, owner, seat, facts, figures),
                spans.get(seat, {}) if stayed else {},
                tuple(_pair(first, places, seat)),
            )


def _find_ranks(result: Json, first: Sequence[Owner]) -> list[int]:
    """Return the ranks of those who began; old results have only the scores."""
    found = result.get("ranks") or ranks(result["scores"], [FINISHED] * len(first), [])
    return move_behind(found, {seat: one.until for seat, one in enumerate(first) if one.until})


def _pair(first: Sequence[Owner], places: Sequence[int], seat: int) -> Iterator[Pairing]:
    """Yield the results against the others who began.

    Not against a bot that made room, nor against a player who left early.
    """
    for other, owner in enumerate(first):
        if other != seat and not owner.early and not (owner.bot is not None and owner.until):
            ahead = places[seat] - places[other]
            result = "tied" if not ahead else "won" if ahead < 0 else "lost"
            yield Pairing(owner.player, owner.bot, result)


def _find_play(
    result: Json, owner: Owner, seat: int, facts: Iterable[Json], figures: Figures
) -> WholeGame | None:
    to_the_end = result.get("ended_by", "play") == "play"
    if owner.until or owner.outcome != FINISHED or not to_the_end:
        return None
    own = [fact for fact in facts if fact.get("seat") == seat]
    score = result["scores"][seat]
    counted = [entry for entry in result["breakdown"] if entry["seat"] == seat]
    scored = [fact for fact in own if fact["type"] == "points"]
    return WholeGame(score, _add_points([*scored, *counted], score, figures), _count(own, figures))


def _add_points(entries: Iterable[Json], score: int, figures: Figures) -> dict[str, int]:
    """Return the points by source."""
    points: Counter[str] = Counter()
    for entry in entries:
        points[figures.find_source(entry["reason"])] += entry["points"]
    points[OTHER] = score - sum(points.values())
    return {source: number for source, number in points.items() if number}


def _count(facts: Collection[Json], figures: Figures) -> dict[tuple[str, str], int]:
    """Return how often each value of each habit came."""
    found: Counter[tuple[str, str]] = Counter()
    for habit in figures.habits:
        values: list[Any] = [
            fact[habit.key] for fact in facts if fact["type"] == habit.fact and habit.key in fact
        ]
        found.update((habit.name, str(value)) for value in values[: habit.most or None])
    return dict(found)
