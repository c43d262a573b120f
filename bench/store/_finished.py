"""Finished games for the bench of the archive: some are played, the others are copies of these.

A copy has another id, other players, names, times and idempotency keys, so its chain has other
hashes. The hashes of the states and the seeds of the bots stay: the archive stores them as they
are, uncompressed, so equal ones take no less room. The dictionaries are trained from originals that
are not copied, or they would hold whole copies.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
from ulid import ULID

from cartulary.bots.randomly import play_randomly
from cartulary.events.archive.rows import Archived, ListedPerson
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.projections import FORM
from cartulary.events.model.chain import GENESIS, seal
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.events.store import Store

SEATS = {"carcassonne": 2, "caylus": 3}
YEAR_MS = 365 * 24 * 3_600_000
THINKING_MS = {True: (500, 60_000), False: (1, 400)}
"""How long a move takes at least and at most: of a person, of a bot."""


class Original(NamedTuple):
    """A game that was played: its events, its summary, and who plays in which seat."""

    game: str
    events: list[dict[str, Any]]
    summary: dict[str, Any]
    requests: list[tuple[int, int]]
    """First and last version of each request with an idempotency key."""


def play(store: Store, name: str, rng: random.Random, with_person: bool) -> Original:
    """Have bots play a game at random to its end; a person has the first seat if `with_person`."""
    player, _ = store.players.create(make_name(rng))
    bots = [SeatRequest("bot", "random")] * (SEATS.get(name, 2) - with_person)
    request = NewGame(name, [*[SeatRequest("me")] * with_person, *bots])
    table = store.commands.create(Intent(player, key=make_name(rng)), request).table
    requests = [(1, table.version)]
    while (state := table.state) is not None and table.status == "running":
        before = table.version
        if table.seats[state.seat].player is None:
            table = store.commands.bots.move(table.id, before, play_randomly).table
            continue
        move = state.move_json(rng.choice(state.moves()))
        key = f"{rng.getrandbits(128):032x}"
        table = store.commands.move(Intent(player, before, key=key), table.id, move).table
        requests.append((before + 1, table.version))
    store.commands.score(table.id)
    return _read(store, store.projector.table(table.id), requests)


def _read(store: Store, table: Table, requests: list[tuple[int, int]]) -> Original:
    redis: Any = store.redis
    texts = [fields[b"event"] for _, fields in redis.xrange(keys.events(table.id))]
    summary = orjson.loads(orjson.dumps(table.summary(), option=orjson.OPT_SORT_KEYS))
    return Original(table.game, [orjson.loads(text) for text in texts], summary, requests)


def make_name(rng: random.Random) -> str:
    """Return a name that no player has."""
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(5, 12)))


def copy(original: Original, rng: random.Random, now: int) -> Archived:
    """Return a copy of a game as the archive takes it; the same for the same state of `rng`."""
    began = now - rng.randrange(YEAR_MS)
    renamed = _rename(original, rng, began)
    game_id = make_id(rng, began)
    texts, head = _copy_events(original.events, renamed, rng, began)
    first, last = orjson.loads(texts[0]), orjson.loads(texts[-1])
    summary = orjson.loads(replace_texts(orjson.dumps(original.summary), renamed))
    summary |= {"id": game_id, "created_at": first["at"], "updated_at": last["at"]}
    creator = first["created_by"]
    return Archived(
        id=game_id,
        game=original.game,
        status=summary["status"],
        visibility=summary["visibility"],
        pace=None,
        created_by=creator,
        created_at=milliseconds(first["at"]),
        ended_at=milliseconds(last["at"]),
        version=len(texts),
        head=head,
        texts=texts,
        side_keys={"idempotency": _pack_requests(original.requests, creator, rng)},
        people=tuple(list_people(summary, creator)),
        summary=orjson.dumps(summary, option=orjson.OPT_SORT_KEYS),
        form=FORM,
    )


def make_id(rng: random.Random, at: int) -> str:
    """Return an id that was made at this time, in ms."""
    return str(ULID.from_bytes(at.to_bytes(6, "big") + rng.randbytes(10)))


def _rename(original: Original, rng: random.Random, at: int) -> dict[bytes, bytes]:
    """Return what stands for the ids and names of the players."""
    renamed = {original.events[0]["created_by"]: make_id(rng, at - rng.randrange(YEAR_MS))}
    for seat in original.events[0]["seats"]:
        if seat["player"] is not None:
            renamed[seat["player"]["name"]] = make_name(rng)
    return {old.encode(): new.encode() for old, new in renamed.items()}


def replace_texts(text: bytes, renamed: dict[bytes, bytes]) -> bytes:
    """Return JSON in which some texts are replaced by others."""
    for old, new in renamed.items():
        text = text.replace(b'"%b"' % old, b'"%b"' % new)
    return text


def _copy_events(
    events: list[dict[str, Any]], renamed: dict[bytes, bytes], rng: random.Random, began: int
) -> tuple[tuple[bytes, ...], str]:
    """Return the texts of the events with other people and times, and the hash of the last."""
    texts, prev, at = [], GENESIS, began
    for event in events:
        by_person = event["type"] == "move_made" and "bot" not in event
        at += rng.randint(*THINKING_MS[by_person])
        copied = orjson.loads(replace_texts(orjson.dumps(event), renamed))
        schema = copied.pop("schema")
        sealed = seal({**copied, "at": format_time(at), "prev": prev}, schema)
        texts.append(sealed.text)
        prev = sealed.hash
    return tuple(texts), prev


def _pack_requests(requests: list[tuple[int, int]], player: str, rng: random.Random) -> bytes:
    """Return idempotency records in the form of the archiver: two digests for each request."""
    rows = [number for first, last in requests for number in (0, first, last)]
    head = {"scopes": [player], "rows": rows, "rest": []}
    return orjson.dumps(head) + b"\n" + rng.randbytes(32 * len(requests))


def list_people(summary: dict[str, Any], creator: str) -> Iterator[ListedPerson]:
    """Yield under whose names a game is listed; a game without people under its creator's."""
    seated = [seat for seat in summary["seats"] if seat["player"] is not None]
    result = summary["result"]
    for seat in seated:
        number = seat["seat"]
        yield ListedPerson(
            seat["player"]["id"], number, result["ranks"][number], result["scores"][number]
        )
    if not seated:
        yield ListedPerson(creator, None, None, None)
