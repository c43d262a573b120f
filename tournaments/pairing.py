"""Pairing: who plays whom next, from the stream and the pairing secret alone.

The same stream and the same secret give the same tables, so every reader can check them once the
secret is out (`tournaments.verification`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cartulary.events.model.types import Json
from cartulary.tournaments.circle import pair_circle
from cartulary.tournaments.costs import PairingHistory
from cartulary.tournaments.lots import draw_lot, draw_steps
from cartulary.tournaments.points import BYE, add_up, list_scores
from cartulary.tournaments.search import find_groups
from cartulary.tournaments.sizes import choose_duplicate_sizes, choose_sizes
from cartulary.tournaments.standings import count_thousandths
from cartulary.tournaments.state import Tournament
from cartulary.tournaments.terms import ROUND_ROBIN


class PairedTables(NamedTuple):
    """The tables of a round, entrants by number in the order of the seats, and the byes."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]

    def write(self, tournament: Tournament, games: Sequence[str]) -> Json:
        """Return `round`, `tables` and `byes` of `round_paired`, with an id of a game each."""
        first = len(tournament.tables) + 1
        tables = [
            {"table": first + place, "game": game, "seats": list(seats)}
            for place, (seats, game) in enumerate(zip(self.tables, games, strict=True))
        ]
        round_ = len(tournament.rounds) + 1
        return {"round": round_, "tables": tables, "byes": list(self.byes)}


def pair_next(tournament: Tournament, secret: bytes) -> PairedTables | None:
    """Return the next round of a running tournament, None when no table can be filled.

    In an arena a round is for those who are free now; None says that they have to wait. In the
    other formats None says that too few are left: the tournament is over. No round may be open.
    """
    if tournament.terms.arena:
        return _pair_free(tournament, secret)
    if tournament.terms.format == ROUND_ROBIN:
        return _pair_in_circle(tournament, secret)
    return _pair_swiss(tournament, secret)


# -- Swiss ----------------------------------------------------------------------------------------


def _pair_swiss(tournament: Tournament, secret: bytes) -> PairedTables | None:
    order = _order_by_standing(tournament, secret)
    terms = tournament.terms
    if terms.duplicate:
        sizes = choose_duplicate_sizes(len(order), terms.table[0])
    else:
        sizes = choose_sizes(len(order), terms.table)
    if not sizes:
        return None
    byes = _choose_byes(tournament, order, len(order) - sum(sizes))
    seated = [number for number in order if number not in byes]
    return PairedTables(_seat(tournament, secret, seated, sizes), tuple(sorted(byes)))


def _order_by_standing(tournament: Tournament, secret: bytes) -> list[int]:
    """Return those who play on: by their points, and equal ones by lots of the round."""
    points = {number: add_up(scores) for number, scores in list_scores(tournament).items()}
    lots = _draw_lots(tournament, secret)
    numbers = [one.number for one in tournament.playing]
    return sorted(numbers, key=lambda number: (-points[number], lots[number]))


def _draw_lots(tournament: Tournament, secret: bytes) -> dict[int, int]:
    round_ = len(tournament.rounds) + 1
    return {one.number: draw_lot(secret, "lot", round_, one.number) for one in tournament.playing}


def _choose_byes(tournament: Tournament, order: Sequence[int], count: int) -> set[int]:
    """Return who has a bye: those who had the fewest, of these the lowest."""
    scores = list_scores(tournament)
    had = {number: sum(one.kind == BYE for one in scores[number]) for number in order}
    places = {number: place for place, number in enumerate(order)}
    chosen = sorted(order, key=lambda number: (had[number], -places[number]))
    return set(chosen[:count])


def _seat(
    tournament: Tournament, secret: bytes, seated: Sequence[int], sizes: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the tables that cost least, those with the best entrants first."""
    lots = _draw_lots(tournament, secret)
    points = {
        number: count_thousandths(add_up(scores))
        for number, scores in list_scores(tournament).items()
    }
    tables = [table.seats for table in tournament.tables.values()]
    history = PairingHistory(points, tables, sorted(lots, key=lots.__getitem__))
    steps = draw_steps(secret, "steps", len(tournament.rounds) + 1)
    groups = find_groups(seated, sizes, history, steps)
    places = {number: place for place, number in enumerate(seated)}
    groups.sort(key=lambda group: min(places[number] for number in group))
    return tuple(history.seat(group) for group in groups)


# -- round robin ----------------------------------------------------------------------------------


def _pair_in_circle(tournament: Tournament, secret: bytes) -> PairedTables | None:
    """Return the next round of the circle in which two who play on meet; None when none is left.

    The circle is that of all who were there at the start: who would have met one who is gone has a
    bye.
    """
    numbers = [one.number for one in tournament.ranked]
    order = sorted(numbers, key=lambda number: draw_lot(secret, "circle", number))
    playing = {one.number for one in tournament.playing}
    for turn in range(_find_turn(tournament, order) + 1, (tournament.round_count or 0) + 1):
        tables = [pair for pair in pair_circle(order, turn)[0] if playing.issuperset(pair)]
        if tables:
            seated = {number for pair in tables for number in pair}
            return PairedTables(tuple(tables), tuple(sorted(playing - seated)))
    return None


def _find_turn(tournament: Tournament, order: Sequence[int]) -> int:
    """Return the last turn of the circle that was played; turns without a table were left out."""
    turn = 0
    for round_ in tournament.rounds:
        pairs = {tournament.tables[number].seats for number in round_.tables}
        later = range(turn + 1, (tournament.round_count or 0) + 1)
        found = (one for one in later if pairs.issubset(pair_circle(order, one)[0]))
        turn = next(found, turn + 1)
    return turn


# -- arena ----------------------------------------------------------------------------------------


def _pair_free(tournament: Tournament, secret: bytes) -> PairedTables | None:
    """Return pairs of those who are free; of an odd number the one who was free last waits.

    Two who have just played each other wait while another table is played.
    """
    free_since = _list_free(tournament)
    lots = _draw_lots(tournament, secret)
    waiting = sorted(free_since, key=lambda number: (free_since[number], lots[number]))
    waiting = waiting[: len(waiting) // 2 * 2]
    points = {number: add_up(scores) for number, scores in list_scores(tournament).items()}
    waiting.sort(key=lambda number: (-points[number], lots[number]))
    tables = _seat(tournament, secret, waiting, [2] * (len(waiting) // 2)) if waiting else ()
    if any(tournament.playing_tables()):
        tables = tuple(pair for pair in tables if not _have_just_met(tournament, pair))
    return PairedTables(tables, ()) if tables else None


def _list_free(tournament: Tournament) -> dict[int, int]:
    """Return the version since which each free entrant is free."""
    since = dict.fromkeys(tournament.free, 0)
    for table in tournament.tables.values():
        for number in table.seats:
            if number in since:
                since[number] = max(since[number], table.settled_at)
    return since


def _have_just_met(tournament: Tournament, pair: Sequence[int]) -> bool:
    one, other = (tournament.tables_of(number) for number in pair)
    return bool(one and other) and one[-1] is other[-1]
