"""Standing answers: how a player answers a kind of question until further notice.

They are no events: no other player sees them. The answer to a question that a move leads to comes
in the same append as that move (`by: standing_answer`). The append compares the revision of the
answers that it was judged with, so an answer that was withdrawn a moment ago is never used; and a
process that caches the answers needs no round trip for them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Final, NamedTuple

import orjson

from cartulary.events.archive.reading import Carried
from cartulary.events.ledger.streams import IdempotencyRecord, Streams
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

GAME, ROUND = UNTIL = ("game", "round")
"""How long an answer holds: to the end of the game, or of the round in which it was given."""

CACHED: Final = 10_000
"""Games whose standing answers a process caches; games without standing answers take no place."""


class StandingAnswer(NamedTuple):
    """The answer to one kind of question; `round` is that in which it was given, 0 without."""

    kind: str
    move: Json
    until: str = GAME
    round: int = 0

    def to_json(self) -> Json:
        """Return the answer as in the HTTP contract."""
        return {"kind": self.kind, "move": self.move, "until": self.until}


class Given(NamedTuple):
    """What a player has given at the position `place`.

    A takeback to before that position drops the answers.
    """

    place: int
    answers: Sequence[StandingAnswer]

    def list_for(self, table: Table) -> list[StandingAnswer]:
        """Return the answers that hold at a table."""
        if not table.course.stands(self.place):
            return []
        return [one for one in self.answers if one.until == GAME or one.round == read_round(table)]


class GivenAnswers(NamedTuple):
    """The standing answers of a game, by player id.

    `revision` changes with each of them; it is '' as long as no player has any.
    """

    revision: str
    given: Mapping[str, Given]


NO_ANSWERS: Final = GivenAnswers("", {})
ANY_ANSWERS: Final = GivenAnswers("*", {})
"""For an append to which the standing answers do not matter."""


def has_rounds(table: Table) -> bool:
    """Return whether the game of a table is played in rounds: its view says which."""
    return "round" in table.rules.contract.view["properties"]


def read_round(table: Table) -> int:
    """Return the round of a table; 0 before the start and in a game without rounds."""
    view = table.view_text()
    if view is None or not has_rounds(table):
        return 0
    return int(orjson.loads(view)["round"])


class Standings:
    """The standing answers of all games, as they are stored. Thread-safe."""

    def __init__(self, streams: Streams) -> None:
        self._streams, self._redis = streams, streams.redis
        script = read_script("ledger", "standing.lua")
        self._change = self._redis.register_script(script)
        self.known: OrderedDict[str, GivenAnswers] = OrderedDict()
        """What this process knows of games that have answers; an append may come too late."""
        self._lock = Lock()

    def read(self, game_id: str) -> GivenAnswers:
        """Read the standing answers of a game, and cache them."""

        def read() -> tuple[bytes | None, dict[bytes, bytes]] | None:
            pipe = self._redis.pipeline(transaction=True)
            pipe.hget(keys.idempotency(game_id), "standing")
            pipe.hgetall(keys.standing(game_id))
            pipe.exists(keys.events(game_id))
            revision, stored, exists = pipe.execute()
            return (revision, stored) if exists or revision else None

        def find(archived: Carried) -> tuple[bytes | None, dict[bytes, bytes]]:
            revision = archived.read_hash("idempotency").get(b"standing")
            return revision, archived.read_hash("standing")

        revision, stored = self._streams.read_whole(game_id, read, find) or (None, {})
        given = {player.decode(): _load(text) for player, text in stored.items()}
        found = GivenAnswers(revision.decode(), given) if revision else NO_ANSWERS
        self._keep(game_id, found)
        return found

    def find_record(self, game_id: str, field: str) -> IdempotencyRecord | None:
        """Return the record of an idempotency field, if there is one."""
        return self._streams.record(game_id, field)

    def write(
        self, game_id: str, player_id: str, given: Given, field: str = "", digest: str = ""
    ) -> IdempotencyRecord | None:
        """Store what a player gives, in place of what the player has given before.

        `field` and `digest` are those of an idempotency key. Returns the record of a key that was
        used before: then nothing has changed.
        """
        text = orjson.dumps([given.place, [list(one) for one in given.answers]])
        record: Any = self._change(
            keys=[keys.idempotency(game_id), keys.standing(game_id)],
            args=[player_id, text if given.answers else b"", token_urlsafe(9), field, digest],
        )
        self.read(game_id)
        return IdempotencyRecord.parse(record) if record else None

    def _keep(self, game_id: str, standing: GivenAnswers) -> None:
        with self._lock:
            self.known.pop(game_id, None)
            if standing.revision:
                self.known[game_id] = standing
            if len(self.known) > CACHED:
                self.known.popitem(last=False)


def _load(text: bytes) -> Given:
    place, answers = orjson.loads(text)
    return Given(place, [StandingAnswer(*one) for one in answers])
