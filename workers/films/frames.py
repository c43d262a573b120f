"""The pictures of a film: which moments of a game are shown, and how each is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary import locales, pictures
from cartulary.events.films.storage import FilmWish
from cartulary.events.model.seats import call_seats
from cartulary.events.model.table import Table
from cartulary.events.store import Store
from cartulary.games.offer import Offer


class FilmMoment(NamedTuple):
    """A moment of a game: the version, the move that led to it, and the points that it brought."""

    version: int
    move: Mapping[str, Any] | None
    points: int


def list_moments(events: Sequence[Mapping[str, Any]], first: int, last: int) -> list[FilmMoment]:
    """Return the start and each move between two versions, and how the game stands in the end."""
    found: list[FilmMoment] = []
    move: Mapping[str, Any] | None = None
    for event in events:
        if event["type"] == "move_made":
            move = event
        is_end = event["version"] == min(last, events[-1]["version"])
        if first <= event["version"] <= last:
            if event["type"] in ("game_started", "move_made"):
                found.append(FilmMoment(event["version"], move, _count_points(event)))
            elif is_end:
                found.append(FilmMoment(event["version"], move, 0))
    return found


def _count_points(event: Mapping[str, Any]) -> int:
    facts = event.get("facts") or ()
    return sum(abs(fact["points"]) for fact in facts if fact["type"] == "points")


def choose_moments(moments: Sequence[FilmMoment], most: int) -> Sequence[FilmMoment]:
    """Return at most so many moments: both ends, those with the most points, and others between."""
    if len(moments) <= most:
        return moments
    ends, inner = {0, len(moments) - 1}, range(1, len(moments) - 1)
    room = max(0, most - len(ends))
    by_points = sorted(inner, key=lambda at: (-moments[at].points, at))
    chosen = {at for at in by_points[: room // 2] if moments[at].points}
    others = [at for at in inner if at not in chosen]
    wanted = room - len(chosen)
    chosen |= {others[step * len(others) // wanted] for step in range(wanted)}
    return [moments[at] for at in sorted(chosen | ends)]


def draw_moments(
    store: Store, offer: Offer, game_id: str, wish: FilmWish, most: int
) -> Iterator[str]:
    """Yield the pictures of a film as SVG. Raises `LedgerError`, `ArchiveError`, `RedisError`."""
    store.masks.look()
    table = store.projector.table(game_id)
    events = store.ledger.events(game_id, 0, table.version)
    moments = list_moments(events, wish.first, wish.last)
    for moment in choose_moments(moments, most):
        then = store.masks.mask_table(store.projector.table(game_id, moment.version))
        if then.state is not None:
            yield _draw(offer, then, moment, wish.lang)


def _draw(offer: Offer, table: Table, moment: FilmMoment, lang: str) -> str:
    assert offer.picture is not None
    assert table.state is not None
    decision = table.decision
    return pictures.draw(
        offer.picture,
        table.state.view(),
        decision=decision and decision.to_json(),
        players=call_seats(table.names, table.seats, locales.terms(lang).get("bots", {})),
        status=table.status,
        result=table.result,
        last_move=None if moment.move is None else dict(moment.move),
        options=table.state.options,
        words=offer.words.picture(lang),
        layout="share",
        theme="light",
    )
