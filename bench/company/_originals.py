"""Rated games that were played, and the same games again: other players, another id, another time.

A copy is a whole stream whose hashes follow from what it says, so the service reads it like any
other. The hashes of the states stay: the moves are the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from bench.store._finished import list_people, make_name, replace_texts
from cartulary.bots.randomly import play_randomly
from cartulary.events.archive.rows import Archived
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.projections import FORM
from cartulary.events.model.chain import GENESIS, seal
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.ratings.finding import find_result
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.results import Entrant, GameResult

PACE = {"mode": "live", "delay": 30, "bank": 1200}
SEATS = (2, 3)
TURNS = 3
"""After so many turns of each seat the players of a short game resign, all but the last."""

WHOLE = 8
"""One of so many games is played to its end; the others are short."""


class RatedOriginal(NamedTuple):
    """A game that was played: the JSON of its events and of its summary, its result, its players.

    `ats` are the times of the events, in ms since the epoch.
    """

    events: bytes
    ats: list[int]
    summary: bytes
    result: GameResult
    players: list[Player]


def play_originals(store: Store, rng: random.Random, number: int) -> list[RatedOriginal]:
    """Play so many rated games of each kind and size of table, some of them to the end."""
    return [
        _read(store, _play(store, name, seats, rng, whole=at % WHOLE == WHOLE - 1))
        for at in range(number)
        for name in sorted(store.rules)
        for seats in SEATS
    ]


def claim(store: Store, player: Player) -> None:
    """Give a player what a rated game asks for, without ten codes that take half a second."""
    store.registry.hset(keys.player(player.id), "claimed_at", player.created_at)


def _play(store: Store, name: str, seats: int, rng: random.Random, whole: bool) -> Table:
    players = [store.players.create(make_name(rng))[0] for _ in range(seats)]
    for player in players:
        claim(store, player)
    seated = [SeatRequest("me"), *[SeatRequest("open")] * (seats - 1)]
    request = NewGame(name, seated, rated=True, pace=PACE)
    table = store.commands.create(Intent(players[0]), request).table
    for player in players[1:]:
        table = store.commands.arranging.join(Intent(player), table.id).table
    table = _move(store, table, players, rng, None if whole else TURNS * seats)
    if table.status == "running":
        for player in players[:-1]:
            table = store.commands.leaving.resign(Intent(player), table.id).table
    return store.commands.score(table.id).table


def _move(
    store: Store, table: Table, players: Sequence[Player], rng: random.Random, turns: int | None
) -> Table:
    """Make moves by lot: up to the end, or so many turns."""
    asked: list[int] = []
    by_id = {player.id: player for player in players}
    while (state := table.state) is not None and table.status == "running":
        if asked[-1:] != [state.seat]:
            asked.append(state.seat)
        if turns is not None and len(asked) > turns:
            break
        owner = table.seats[state.seat].player
        if owner is None:
            table = store.commands.bots.move(table.id, table.version, play_randomly).table
            continue
        move = state.move_json(rng.choice(state.moves()))
        mover = Intent(by_id[owner["id"]], table.version)
        table = store.commands.move(mover, table.id, move).table
    return table


def _read(store: Store, table: Table) -> RatedOriginal:
    redis: Any = store.redis
    texts = [fields[b"event"] for _, fields in redis.xrange(keys.events(table.id))]
    events = [orjson.loads(text) for text in texts]
    result = find_result(table, store.ledger.events)
    assert result is not None
    owners = [entrant.player for entrant in result.entrants]
    players = [store.players.by_id(owner or "") for owner in owners]
    return RatedOriginal(
        orjson.dumps(events),
        [milliseconds(event["at"]) for event in events],
        orjson.dumps(table.summary()),
        result,
        [player for player in players if player is not None],
    )


def copy_game(
    original: RatedOriginal, players: Sequence[Player], game_id: str, ended_at: int
) -> tuple[Archived, GameResult]:
    """Return the same game of other players under another id, and its result."""
    renamed = {
        old.encode(): new.encode()
        for before, after in zip(original.players, players, strict=True)
        for old, new in ((before.id, after.id), (before.name, after.name))
    }
    shift = ended_at - original.ats[-1]
    texts, head = _seal_again(original, renamed, shift)
    created_at = original.ats[0] + shift
    summary = orjson.loads(replace_texts(original.summary, renamed))
    summary |= {"id": game_id, "created_at": format_time(created_at)}
    summary["updated_at"] = format_time(ended_at)
    creator = players[0].id
    game = Archived(
        id=game_id,
        game=summary["game"],
        status=summary["status"],
        visibility=summary["visibility"],
        pace=summary["pace"]["mode"],
        created_by=creator,
        created_at=created_at,
        ended_at=ended_at,
        version=len(texts),
        head=head,
        texts=texts,
        side_keys={},
        people=tuple(list_people(summary, creator)),
        summary=orjson.dumps(summary, option=orjson.OPT_SORT_KEYS),
        form=FORM,
    )
    entrants = tuple(Entrant(player.id) for player in players)
    return game, original.result._replace(at=ended_at, id=game_id, entrants=entrants)


def _seal_again(
    original: RatedOriginal, renamed: dict[bytes, bytes], shift: int
) -> tuple[tuple[bytes, ...], str]:
    """Return the texts of the events with other players and times, and the hash of the last."""
    texts, prev = [], GENESIS
    for event, at in _rename(original, renamed, shift):
        schema = event.pop("schema")
        sealed = seal({**event, "at": format_time(at), "prev": prev}, schema)
        texts.append(sealed.text)
        prev = sealed.hash
    return tuple(texts), prev


def _rename(
    original: RatedOriginal, renamed: dict[bytes, bytes], shift: int
) -> Iterator[tuple[Json, int]]:
    events = orjson.loads(replace_texts(original.events, renamed))
    yield from zip(events, (at + shift for at in original.ats), strict=True)
