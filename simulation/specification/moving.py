"""A move: judged on a table, appended in one step, answered once; also when the store falls back.

Actors (threads of processes) send requests of players. A request has an idempotency key, and a
player may send it again, also through another actor. An actor judges on the table that it has
cached or has read; the append is refused unless it follows the last event, by version and by hash.
An answer of the store may be lost; then the same append is sent again, or the request fails and the
player repeats it. The store may fall back to an earlier copy of itself.

An event is whose request it answers, and the append that has written it. The hash of an event
covers all events before it, so here the stream itself stands for the hash of its last event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

MANY = 10**9
IDLE, ASKED, READ, LATE, SENT, STORED, KNOWN, GONE, FAILED = (
    *("idle", "asked", "read", "late", "sent", "stored", "known", "gone", "failed"),
)
"""What an actor does: nothing; has a request; has read the game for it; must read the game again;
waits for the answer to an append; knows the event that answers the request; knows that the key was
used; knows that this is lost again; has answered that the outcome is unknown."""

APPENDED, REPLAYED, CONFLICT = "appended", "replayed", "conflict"
HEARD, LOST = "heard", "lost"


class KeyedRequest(NamedTuple):
    """What an idempotency key names: the player and the number of the request."""

    player: str
    number: int

    def __repr__(self) -> str:
        return f"{self.player}#{self.number}"


class Event(NamedTuple):
    """An event: the request that it answers, and its nonce (the actor, and which append of it)."""

    request: KeyedRequest
    actor: str
    nonce: int

    def __repr__(self) -> str:
        return f"{self.request}/{self.actor}{self.nonce}"


Stream = tuple[Event, ...]


class Actor(NamedTuple):
    """A thread that serves requests; `base` is the game as it has it cached."""

    does: str = IDLE
    request: KeyedRequest | None = None
    base: Stream = ()
    nonce: int = 0
    event: Event | None = None
    version: int = 0
    """That of the event, as an append or the record of the key has said."""
    sent: int = 0
    """The highest number of a request that this actor has got from its player."""


class MovingState(NamedTuple):
    """The stream of a game with what the actors know of it, and the faults that may still come."""

    stream: Stream
    copy: Stream | None
    actors: tuple[Actor, ...]
    answered: frozenset[Event]
    taken: frozenset[Event]
    faults: int
    falls: int
    judged: bool = True
    """Whether each event was judged on exactly the events before it."""
    is_own: bool = True
    """Whether each answer has shown the event of its own request."""


class MovesOfGame:
    """The actions. `players` says for whom each actor works; `without` leaves defences out."""

    def __init__(
        self, players: dict[str, str], requests: int, without: Collection[str] = ()
    ) -> None:
        self._names, self._players, self._requests = list(players), players, requests
        self._without = frozenset(without)

    # -- requests ---------------------------------------------------------------------------------

    def ask(self, now: MovingState) -> Ways[MovingState]:
        """Take the next request of a player, or one that was sent before."""
        for at, name, actor in self._list(now, IDLE, FAILED):
            player = self._players[name]
            sent = max(
                one.sent
                for other, one in zip(self._names, now.actors, strict=True)
                if self._players[other] == player
            )
            for number in range(1, min(sent + 1, self._requests) + 1):
                again = number <= sent
                if not again or now.faults or actor.does == FAILED:
                    request = KeyedRequest(player, number)
                    free = again and not (actor.does == FAILED and actor.request == request)
                    changed = actor._replace(
                        does=ASKED, request=request, event=None, sent=max(number, actor.sent)
                    )
                    yield (name, number), _put(now, at, changed, faults=now.faults - free)

    def read(self, now: MovingState) -> Ways[MovingState]:
        """Read the game, and the record of the key with it; again, where the cached end is lost."""
        for at, name, actor in self._list(now, ASKED, READ, LATE, KNOWN):
            known = _find(now.stream, actor.request)
            changed = actor._replace(does=READ, base=now.stream, event=None, version=0)
            if known:
                version = now.stream.index(known) + 1
                changed = changed._replace(does=KNOWN, event=known, version=version)
            yield (name, len(now.stream), known is not None), _put(now, at, changed)

    def refuse(self, now: MovingState) -> Ways[MovingState]:
        """Refuse a request: only the stored game may do so. Or nothing is left to do."""
        for at, name, actor in self._list(now, READ):
            yield (name,), _put(now, at, actor._replace(does=IDLE))

    def check(self, now: MovingState) -> Ways[MovingState]:
        """Look at the record of the key again after the events were read that it names."""
        for at, name, actor in self._list(now, KNOWN):
            assert actor.event is not None
            is_there = actor.event in now.stream or "check" in self._without
            shown = now.stream[actor.version - 1] if actor.version <= len(now.stream) else None
            changed = actor._replace(does=STORED, event=shown) if is_there else _forget(actor)
            yield (name, is_there), _put(now, at, changed)

    def answer(self, now: MovingState) -> Ways[MovingState]:
        """Answer with the event that the request has led to."""
        for at, name, actor in self._list(now, STORED):
            if actor.event is not None:
                answered = now.answered | {actor.event}
                is_own = now.is_own and actor.event.request == actor.request
                idle = actor._replace(does=IDLE, event=None, version=0)
                words = (name, actor.version)
                yield words, _put(now, at, idle, answered=answered, is_own=is_own)

    def fail(self, now: MovingState) -> Ways[MovingState]:
        """Answer that the outcome is unknown, or that what was known is no longer stored."""
        for at, name, actor in self._list(now, SENT, KNOWN, GONE):
            if actor.does != KNOWN or actor.event not in now.stream:
                yield (name,), _put(now, at, _forget(actor)._replace(does=FAILED))

    # -- the append, one step of the store --------------------------------------------------------

    def append(self, now: MovingState) -> Ways[MovingState]:
        """Send an append that follows the table that the actor has."""
        for at, name, actor in self._list(now, ASKED, READ):
            if actor.base:
                sent = actor._replace(nonce=actor.nonce + 1)
                yield from self._store(now, at, name, sent)

    def send_again(self, now: MovingState) -> Ways[MovingState]:
        """Send an append again whose answer was lost, with the same nonce."""
        for at, name, actor in self._list(now, SENT):
            yield from self._store(now, at, name, actor)

    def _store(self, now: MovingState, at: int, name: str, actor: Actor) -> Ways[MovingState]:
        assert actor.request is not None
        event, outcome, stream = Event(actor.request, name, actor.nonce), APPENDED, now.stream
        judged = now.judged
        expected, known = len(actor.base), _find(now.stream, actor.request)
        follows = len(stream) == expected if "chain" in self._without else stream == actor.base
        if "fence" in self._without:
            follows = True
        if "record" in self._without:
            known = None
        if (known or not follows) and stream[expected : expected + 1] == (event,):
            pass  # the script has found the nonce
        elif known:
            outcome = REPLAYED
        elif not follows:
            outcome = CONFLICT
        else:
            judged = judged and stream == actor.base
            stream = (*stream, event)
        told = {
            # What others have appended since the process does not know.
            APPENDED: actor._replace(
                does=STORED, base=stream[: expected + 1], event=event, version=expected + 1
            ),
            REPLAYED: actor._replace(
                does=KNOWN, event=known, version=stream.index(known) + 1 if known else 0
            ),
            CONFLICT: actor._replace(does=LATE),
        }
        words = (name, expected, actor.nonce, outcome)
        yield (*words, HEARD), _put(now, at, told[outcome], stream=stream, judged=judged)
        if now.faults:
            lost = actor._replace(does=SENT)
            left = now.faults - 1
            yield (*words, LOST), _put(now, at, lost, stream=stream, judged=judged, faults=left)

    # -- the store --------------------------------------------------------------------------------

    def copy(self, now: MovingState) -> Ways[MovingState]:
        """Keep a copy of the store: its disk is at this state."""
        if now.falls and now.copy != now.stream:
            yield (), now._replace(copy=now.stream)

    def fall_back(self, now: MovingState) -> Ways[MovingState]:
        """Let the store come back as the copy: what was stored after it is gone."""
        if now.falls and now.copy is not None:
            gone = frozenset(now.stream) - frozenset(now.copy)
            yield (), now._replace(stream=now.copy, taken=now.taken | gone, falls=now.falls - 1)

    def _list(self, now: MovingState, *does: str) -> Iterator[tuple[int, str, Actor]]:
        for at, (name, actor) in enumerate(zip(self._names, now.actors, strict=True)):
            if actor.does in does:
                yield at, name, actor


def _put(now: MovingState, at: int, actor: Actor, **changed: Any) -> MovingState:
    return now._replace(actors=put(now.actors, at, actor), **changed)


def _find(stream: Stream, request: KeyedRequest | None) -> Event | None:
    """Return the event of a request: the record of a key is stored and lost with its event."""
    return next((event for event in stream if event.request == request), None)


def _forget(actor: Actor) -> Actor:
    return actor._replace(does=GONE, event=None, version=0)


def is_answered_once(now: MovingState) -> bool:
    """Return whether no request has led to two events, but for one that a fall-back has taken."""
    requests = [event.request for event in now.stream]
    kept = [event.request for event in now.answered - now.taken]
    return len(set(requests)) == len(requests) and len(set(kept)) == len(kept)


def build(
    players: dict[str, str] | None = None,
    requests: int = 1,
    faults: int = 1,
    falls: int = 1,
    begins: Sequence[Event] = (Event(KeyedRequest("", 0), "", 0),),
    without: Collection[str] = (),
) -> Model[MovingState]:
    """Return the model for some actors: by name, for which player each of them works."""
    players = players or {"a": "ada", "b": "bob", "c": "ada"}
    acts = MovesOfGame(players, requests, without)
    stream = tuple(begins)
    initial = MovingState(
        stream,
        None,
        tuple(Actor(base=stream) for _ in players),
        frozenset(),
        frozenset(),
        faults,
        falls,
    )
    weak = Fairness.WEAK
    return Model(
        "a move",
        f"{len(players)} actors for {len(set(players.values()))} players, {requests} requests each,"
        f" {faults} faults, {falls} fall-backs",
        initial,
        (
            Action("ask", acts.ask, "events.commands.commands: Commands.move"),
            Action("read", acts.read, "events.ledger.projector: Projector.current", weak),
            Action("append", acts.append, "events.ledger.writer: EventWriter.append", weak),
            Action("send again", acts.send_again, "events.ledger.ledger: Ledger.send", weak),
            Action("check", acts.check, "events.ledger.writer: EventWriter.replay", weak),
            Action("answer", acts.answer, "events.ledger.writer: EventWriter._conclude", weak),
            Action("refuse", acts.refuse, "events.ledger.writer: EventWriter.write"),
            Action("fail", acts.fail, "events.ledger.writer: EventWriter.repeat", weak),
            Action("copy", acts.copy, "the disk of the store"),
            Action("fall back", acts.fall_back, "the disk of the store"),
        ),
        {
            "each event was judged on the events before it": lambda now: now.judged,
            "what was answered is stored, or a fall-back took it": lambda now: (
                now.answered <= frozenset(now.stream) | now.taken
            ),
            "a key leads to one event": is_answered_once,
            "an answer shows the event of its request": lambda now: now.is_own,
        },
        (
            Promise(
                "each request is answered",
                lambda now: any(one.does not in (IDLE, FAILED) for one in now.actors),
                lambda now: all(one.does in (IDLE, FAILED) for one in now.actors),
            ),
        ),
    )
