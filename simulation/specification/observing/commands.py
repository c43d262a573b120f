"""What the web processes of a simulated service do for one game, as steps of `moving`.

The model is that of a move, with what is different of a whole service. A request is a thread of its
own. Its read of a game is two messages, the events and the record of the key, between which others
may come. What other processes append (bots, timers) is a step that no thread makes. An append may
have several events, so a version is called by the number of the append that ends there. What the
store has lost is a step as well; the run says when the store may have lost something.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import count
from typing import Any, Final

from cartulary.events.model.errors import LedgerError
from simulation.specification.accepting import RefusedTrace, accept
from simulation.specification.model import Action, Model, ModelStep, Ways
from simulation.specification.moving import (
    ASKED,
    FAILED,
    GONE,
    HEARD,
    IDLE,
    KNOWN,
    LATE,
    LOST,
    MANY,
    READ,
    SENT,
    STORED,
    Actor,
    Event,
    KeyedRequest,
    MovesOfGame,
    MovingState,
    build,
)
from simulation.specification.observing.appends import SentAppend, find_append
from simulation.specification.observing.moves import OUTCOMES
from simulation.store.replies import ErrorReply

LOOKED: Final = "looked"
"""What an actor does that has the events and not yet the record of the key."""

OTHERS: Final = "others"
BEGUN: Final = Event(KeyedRequest("", 0), "", 0)
STREAM, RECORDS = b":events", b":idempotency"
NO_KEYS: Final = (b"head", b"standing")
"""Fields next to the records of keys."""


class CommandsOfGame(MovesOfGame):
    """The actions of `moving` for threads of a simulated service. `focus` is who acts next."""

    def __init__(self, players: dict[str, str]) -> None:
        super().__init__(players, 1)
        self.focus = ""
        self._places = {name: at for at, name in enumerate(players)}

    def _list(self, now: MovingState, *does: str) -> Iterator[tuple[int, str, Actor]]:
        at = self._places.get(self.focus)
        if at is not None and now.actors[at].does in does:
            yield at, self.focus, now.actors[at]

    def _turn(self, now: MovingState, when: tuple[str, ...], **changed: Any) -> Ways[MovingState]:
        for at, name, actor in self._list(now, *when):
            yield (name,), _become(now, at, actor._replace(**changed))

    def take(self, now: MovingState) -> Ways[MovingState]:
        """Take a request."""
        request = KeyedRequest(self._players.get(self.focus, ""), 1)
        return self._turn(now, (IDLE,), does=ASKED, request=request)

    def look(self, now: MovingState) -> Ways[MovingState]:
        """Read the events of the game, up to its end; again, where the answer got lost."""
        for at, name, actor in self._list(now, ASKED, LOOKED, READ, LATE, KNOWN):
            changed = actor._replace(does=LOOKED, base=now.stream, event=None, version=0)
            yield (name, len(now.stream)), _become(now, at, changed)

    def find(self, now: MovingState) -> Ways[MovingState]:
        """Read the record of the key."""
        for at, name, actor in self._list(now, LOOKED):
            known = next((one for one in now.stream if one.request == actor.request), None)
            changed = actor._replace(does=READ)
            if known is not None:
                version = now.stream.index(known) + 1
                changed = actor._replace(does=KNOWN, event=known, version=version)
            yield (name, known is not None), _become(now, at, changed)

    def refuse(self, now: MovingState) -> Ways[MovingState]:
        """Refuse a request, also because its key names another one."""
        return self._turn(now, (READ, LATE, KNOWN), does=IDLE)

    def fail(self, now: MovingState) -> Ways[MovingState]:
        """Answer that the outcome is unknown: the store does not answer, or has lost something.

        Also after an append that is stored, where what follows on it does not get its answer.
        """
        when = (ASKED, LOOKED, READ, LATE, SENT, KNOWN, STORED, GONE)
        return self._turn(now, when, does=FAILED, event=None, version=0)

    def append_of_others(self, now: MovingState) -> Ways[MovingState]:
        """Let another process append, which follows the last event."""
        number = len(now.stream) + len(now.taken)
        event = Event(KeyedRequest(OTHERS, number), OTHERS, number)
        yield (OTHERS, len(now.stream)), now._replace(stream=(*now.stream, event))

    def lose(self, now: MovingState) -> Ways[MovingState]:
        """Let the store lose the end of the stream."""
        for length in range(len(now.stream)):
            gone = frozenset(now.stream[length:])
            yield (length,), now._replace(stream=now.stream[:length], taken=now.taken | gone)


def _become(now: MovingState, at: int, actor: Actor) -> MovingState:
    return now._replace(actors=(*now.actors[:at], actor, *now.actors[at + 1 :]))


class FocusedSteps(list[ModelStep]):
    """Steps that tell the actions who acts next: others make no step then."""

    acts: CommandsOfGame

    def __iter__(self) -> Iterator[ModelStep]:
        """Yield the steps."""
        for step in super().__iter__():
            self.acts.focus = str(step.words[0])
            yield step


def follow(steps: Sequence[ModelStep], players: dict[str, str]) -> int:
    """Let the model accept a trace; returns the number of its steps. Raises `RefusedTrace`.

    `players` says by the actors which request each of them has.
    """
    acts = CommandsOfGame(players)
    model: Model[MovingState] = build(players, 1, MANY, 0, [BEGUN])
    actions = (
        *(("take", acts.take), ("look", acts.look), ("find", acts.find), ("append", acts.append)),
        *(("send again", acts.send_again), ("check", acts.check), ("answer", acts.answer)),
        *(("refuse", acts.refuse), ("fail", acts.fail)),
        *(("append of others", acts.append_of_others), ("lose", acts.lose)),
    )
    trace = FocusedSteps(steps)
    trace.acts = acts
    own = model._replace(actions=tuple(Action(name, ways, "") for name, ways in actions))
    return accept(own, trace).steps


class ThreadState:
    """What was seen of one thread in one game."""

    def __init__(self) -> None:
        self.request = ""
        """The key of its request, '' while it is not known."""
        self.has_looked = False
        self.nonces: list[str] = []
        self.last_append: int | None = None
        """The place of its last append among the steps of the game, while nothing came after it."""
        self.is_over = False


class GameTrace:
    """The steps of one game, from its creation on."""

    def __init__(self, ends: int) -> None:
        self.steps: list[ModelStep] = []
        self.threads: dict[str, ThreadState] = {}
        self._ends = [ends]
        self.may_be_shorter = self.has_lost = False
        """Whether the store may have lost something since the last look at the end; ever."""
        self.is_unsure = False
        """Whether it is unknown what the stream has: no further step counts.

        An append that is sent again is answered alike where it was found and where it was stored
        again after a loss.
        """

    def note_loss(self) -> None:
        """Note that the store may have lost something."""
        self.may_be_shorter = self.has_lost = True

    def number(self, version: int) -> int:
        """Return the number of the append that ends at a version, 0 where none does."""
        return self._ends.index(version) + 1 if version in self._ends else 0

    def _note(self, action: str, *words: Any) -> None:
        self.steps.append(ModelStep(action, words))

    def _shorten(self, version: int) -> None:
        """Note that the stream ends at a version, where it was longer before a fall-back."""
        if self.may_be_shorter and version < self._ends[-1] and version in self._ends:
            del self._ends[self._ends.index(version) + 1 :]
            self._note("lose", len(self._ends))
        self.may_be_shorter = False

    def _doubts(self, version: int) -> bool:
        """Return whether a version that was read was not seen before, after a loss."""
        self.is_unsure = self.has_lost and version not in self._ends
        return self.is_unsure

    def look(self, name: str, version: int) -> None:
        """Take a read of all events up to the last one."""
        self._shorten(version)
        if self._doubts(version):
            return
        thread = self.threads.setdefault(name, ThreadState())
        thread.has_looked, thread.last_append = True, None
        self._note("look", name, self.number(version))

    def find(self, name: str, field: str, is_known: bool) -> None:
        """Take a read of a record: that which follows on the events, or a second one."""
        thread = self.threads.get(name)
        if thread is None:
            return
        thread.last_append, thread.request = None, field
        self._note("find" if thread.has_looked else "check", name, is_known)
        thread.has_looked = False

    def _end_find(self, name: str, thread: ThreadState) -> None:
        """Note that a thread without a key has looked for no record."""
        if thread.has_looked:
            self._note("find", name, False)
            thread.has_looked = False

    def take(self, name: str, is_web: bool, sent: SentAppend) -> None:
        """Take an append."""
        last = sent.expected + len(sent.events)
        is_new = sent.is_stored and not any(sent.nonce in t.nonces for t in self.threads.values())
        # A refusal names the end of the stream; what is stored now follows on it.
        if sent.code in (0, 3) or is_new:
            self._shorten(int(sent.found) if sent.code in (0, 3) else sent.expected)
        if self._doubts(sent.expected):
            return
        expected = self.number(sent.expected)
        if not is_web:
            if sent.is_stored and last > self._ends[-1]:
                self._note("append of others", OTHERS, expected)
                self._ends.append(last)
            return
        thread = self.threads.setdefault(name, ThreadState())
        self._end_find(name, thread)
        again = sent.nonce in thread.nonces
        if again:
            self._lose_answer(thread)
        else:
            thread.nonces.append(sent.nonce)
        thread.request = sent.field or thread.request or name
        number, outcome = thread.nonces.index(sent.nonce) + 1, OUTCOMES[sent.code]
        thread.last_append = len(self.steps)
        action = "send again" if again else "append"
        self._note(action, name, expected, number, outcome, HEARD)
        if sent.is_stored and last > self._ends[-1]:
            self._ends.append(last)

    def _lose_answer(self, thread: ThreadState) -> None:
        """Correct the last append of a thread: its answer got lost."""
        if thread.last_append is not None:
            action, words = self.steps[thread.last_append]
            self.steps[thread.last_append] = ModelStep(action, (*words[:-1], LOST))

    def end(self, name: str, action: str, version: int) -> None:
        """Take what a thread has answered."""
        thread = self.threads.get(name)
        if thread is None or (action == "answer" and self._doubts(version)):
            return
        self._end_find(name, thread)
        if action == "fail":
            self._lose_answer(thread)
        self._note(action, name, *([self.number(version)] if action == "answer" else []))

    def list_steps(self) -> tuple[list[ModelStep], dict[str, str]]:
        """Return the steps of the threads that have written or asked for a key, and their keys."""
        players = {name: one.request for name, one in self.threads.items() if one.request}
        taken: set[str] = set()
        steps = []
        for step in self.steps:
            name = step.words[0]
            if name in self.threads and name not in players:
                continue  # it has only looked
            if name in players and name not in taken:
                taken.add(name)
                steps.append(ModelStep("take", (name,)))
            steps.append(step)
        return steps, players


class CommandTracer:
    """Hears all requests of a run, and which thread has sent each."""

    def __init__(self) -> None:
        self.games: dict[str, GameTrace] = {}
        self._senders: dict[int, tuple[Sequence[bytes], str]] = {}
        """By the id of a request on its way: the request, and the name of its thread."""
        self._names: dict[Hashable, str] = {}
        self._numbers = count()

    def note_sent(self, process: str, thread: Hashable, words: Sequence[bytes]) -> None:
        """Take a request that a thread of a process sends."""
        if words[0] in (b"XRANGE", b"HGET", b"EVALSHA"):
            name = self._names.get(thread)
            if name is None:
                name = self._names[thread] = f"{process}#{next(self._numbers)}"
            self._senders[id(words)] = words, name

    def note_loss(self) -> None:
        """Note that the store may have lost something."""
        for one in self.games.values():
            one.note_loss()

    def hear(self, words: Sequence[bytes], reply: Any) -> None:
        """Take a request that the store has done, and its reply."""
        _, thread = self._senders.pop(id(words), (words, ""))
        if not thread or isinstance(reply, ErrorReply):
            return
        if words[0] == b"EVALSHA":
            sent = find_append(tuple(word.decode(errors="replace") for word in words), reply)
            if sent is not None and words[3].endswith(STREAM):
                self._take(thread, sent)
            return
        game = self._find(words[1].partition(b"}")[0][1:].decode())
        if game is None or not thread.startswith("web-"):
            return
        if words[0] == b"HGET" and words[1].endswith(RECORDS) and words[2] not in NO_KEYS:
            game.find(thread, words[2].decode(), reply is not None)
        elif words[0] == b"XRANGE" and words[1].endswith(STREAM) and _is_whole(words) and reply:
            game.look(thread, int(reply[-1][0].partition(b"-")[0]))

    def _take(self, thread: str, sent: SentAppend) -> None:
        if sent.expected == 0:  # a creation, which comes again where its answer was lost
            if sent.is_stored:
                self.games.setdefault(sent.game, GameTrace(len(sent.events)))
        elif (game := self._find(sent.game)) is not None:
            game.take(thread, thread.startswith("web-"), sent)

    def _find(self, game_id: str) -> GameTrace | None:
        """Return the trace of a game that is followed."""
        game = self.games.get(game_id)
        return None if game is None or game.is_unsure else game

    def end(self, thread: Hashable, value: Any, error: Exception | None) -> None:
        """Take the end of a request: what it answers with, or why it does not."""
        name = self._names.pop(thread, None)
        if name is None:
            return
        written = getattr(value, "events", None)
        action = "answer" if written else "refuse"
        if error is not None and not isinstance(error, LedgerError):
            action = "fail"
        for game in self.games.values():
            if not game.is_unsure:
                game.end(name, action, written[-1]["version"] if written else 0)

    def find_refusals(self) -> Iterator[str]:
        """Yield a line for each game whose trace is no run of the model."""
        for name, game in self.games.items():
            steps, players = game.list_steps()
            try:
                follow(steps, players)
            except RefusedTrace as refusal:
                yield f"commands of {name}: {refusal}"


def _is_whole(words: Sequence[bytes]) -> bool:
    """Return whether a range of a stream is what a command reads: from an event on to the end."""
    return words[2].startswith(b"(") and words[3] == b"+" and len(words) == 4
