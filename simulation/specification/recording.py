"""What the real code does to its store, in the order in which the store did it.

Each actor is a thread with connections of its own, as a process has. An actor runs alone until it
calls the store; there a seed decides who goes on, and whether the actor dies or loses the answer.
So one seed is one run. A reader of operations makes steps of a model of them.

This records threads on a real server. A simulator that runs processes on a clock of its own hands
the same operations to the same readers (`simulation.specification.observing`).
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from simulation.specification.model import ModelStep

WAIT_S = 60.0
"""Seconds after which a run in which no actor goes on is a defect of its scene."""

HEARD, LOST = "heard", "lost"


class KilledActor(BaseException):
    """The end of an actor: no code catches it."""


class StoreOperation(NamedTuple):
    """A round trip to the store: the commands in it with their answers, heard or lost."""

    actor: str
    commands: tuple[tuple[tuple[Any, ...], Any], ...]
    fate: str = HEARD


class OperationReader(Protocol):
    """Makes steps of a model of operations."""

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield the steps that an operation is, none where it is no part of the protocol."""

    def is_risky(self, operation: StoreOperation) -> bool:
        """Return whether the answer to this operation may get lost in a run."""


class ActorTurns:
    """Lets one actor at a time go on, which a seed chooses among those that wait."""

    def __init__(self, seed: int, actors: Sequence[str]) -> None:
        self._rng = random.Random(seed)
        self._running, self._waiting = set(actors), set[str]()
        self._chosen = ""
        self._changed = threading.Condition()

    def take(self, actor: str) -> None:
        """Wait until it is the turn of an actor."""
        with self._changed:
            self._running.discard(actor)
            self._waiting.add(actor)
            self._choose()
            if not self._changed.wait_for(lambda: self._chosen == actor, WAIT_S):
                raise TimeoutError(f"{actor} waits for a turn that never comes")
            self._chosen = ""
            self._waiting.discard(actor)
            self._running.add(actor)

    def leave(self, actor: str) -> None:
        """Note that an actor has ended."""
        with self._changed:
            self._running.discard(actor)
            self._choose()

    def _choose(self) -> None:
        if not self._running and self._waiting and not self._chosen:
            self._chosen = self._rng.choice(sorted(self._waiting))
            self._changed.notify_all()


class FaultRates(NamedTuple):
    """How often in a thousand operations an answer gets lost, or an actor dies before it."""

    lost: int = 0
    killed: int = 0


NO_FAULTS = FaultRates()


class RunRecorder:
    """A run of some actors: the steps of a model that they have made, in order."""

    def __init__(
        self,
        seed: int,
        actors: Sequence[str],
        reader: OperationReader,
        faults: FaultRates = NO_FAULTS,
    ) -> None:
        self.steps: list[ModelStep] = []
        self._rng = random.Random(seed + 1)
        self._turns, self._reader, self._faults = ActorTurns(seed, actors), reader, faults
        self._actors, self._acting = list(actors), threading.local()
        self._failures: list[BaseException] = []

    def note(self, action: str, *words: Any) -> None:
        """Note a step that is no operation of the store: a request, an answer."""
        self.steps.append(ModelStep(action, words))

    @property
    def actor(self) -> str:
        """The actor whose thread this is, '' in a thread of no actor or out of its part."""
        return getattr(self._acting, "name", "")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let an actor do what is no part of the run."""
        name, self._acting.name = self.actor, ""
        try:
            yield
        finally:
            self._acting.name = name

    def run(self, parts: Mapping[str, Callable[[], object]]) -> list[ModelStep]:
        """Run the parts of all actors to their ends, and return the steps."""
        threads = [
            threading.Thread(target=self._play, args=(name, part), name=name, daemon=True)
            for name, part in parts.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(2 * WAIT_S)
        for failure in self._failures:
            raise failure
        return self.steps

    def _play(self, name: str, part: Callable[[], object]) -> None:
        self._acting.name = name
        self._turns.take(name)
        try:
            part()
        except KilledActor:
            pass  # the part has noted it where that is a step
        except BaseException as failure:  # raised again in the thread of the test
            self._failures.append(failure)
        finally:
            self._turns.leave(name)

    def follow(self, redis: Redis) -> Redis:
        """Record what a client does, in threads of actors; returns the client."""
        client: Any = redis
        run, make_pipeline = client.execute_command, client.pipeline

        def execute(*words: Any, **options: Any) -> Any:
            return self._do(lambda: run(*words, **options), [words])

        def pipeline(*arguments: Any, **options: Any) -> Any:
            pipe: Any = make_pipeline(*arguments, **options)
            send = pipe.execute

            def execute_all(*given: Any, **more: Any) -> Any:
                words = [tuple(one[0]) for one in pipe.command_stack]
                return self._do(lambda: send(*given, **more), words, is_pipeline=True)

            def execute_now(*words: Any, **more: Any) -> Any:
                return self._do(lambda: watch(*words, **more), [words])

            watch = pipe.immediate_execute_command
            pipe.execute, pipe.immediate_execute_command = execute_all, execute_now
            return pipe

        client.execute_command, client.pipeline = execute, pipeline
        return redis

    def do(self, words: tuple[Any, ...], call: Callable[[], Any]) -> Any:
        """Record a call that is an operation of something else than a client of the store."""
        return self._do(call, [words])

    def _do(
        self,
        call: Callable[[], Any],
        commands: Sequence[tuple[Any, ...]],
        is_pipeline: bool = False,
    ) -> Any:
        actor = self.actor
        if not actor or not commands:
            return call()
        self._turns.take(actor)
        if self._rng.randrange(1000) < self._faults.killed:
            raise KilledActor
        with self.aside():  # what it calls within is part of it
            answer = call()
        answers = answer if is_pipeline else [answer]
        found = tuple(zip(commands, answers, strict=False))
        operation = StoreOperation(actor, found)
        is_lost = self._reader.is_risky(operation) and self._rng.randrange(1000) < self._faults.lost
        with self.aside():
            self.steps += self._reader.read(operation._replace(fate=LOST if is_lost else HEARD))
        if is_lost:
            raise Unreachable("the answer is lost")
        return answer
