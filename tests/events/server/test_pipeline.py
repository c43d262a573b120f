"""The connection of an event loop to the store: many commands under way, and nothing is lost."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import hiredis
import pytest
from redis import Redis

from cartulary.events.server import pipeline as pipelines
from cartulary.events.server.connection import connect
from cartulary.events.server.pipeline import BATCH, MOST, Lost, Pipeline
from cartulary.service.server.loop import EventLoop
from tests.support.listening_server import Listening
from tests.support.polling import until

pytestmark = pytest.mark.real


class Scene:
    """A loop that a test turns, and the pipelines on it."""

    def __init__(self) -> None:
        self.loop = EventLoop()
        self.open: list[Pipeline] = []
        self.answers: list[Any] = []

    def pipeline(self, redis: Redis) -> Pipeline:
        made = Pipeline(redis, self.loop)
        self.open.append(made)
        self.until(lambda: made.open)
        return made

    def until(self, holds: Callable[[], Any]) -> None:
        deadline = time.monotonic() + 60
        while not holds():
            assert time.monotonic() < deadline
            self.loop.turn(0.02)

    def close(self) -> None:
        for made in self.open:
            made.close()
        self.loop.close()


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.close()


class Silent(Listening):
    """A store that greets, and then answers what the test says."""

    def __init__(self, answer: bytes = b"") -> None:
        self.answer, self.received = answer, 0
        self.clients: list[socket.socket] = []
        super().__init__()

    def take(self, client: socket.socket) -> None:
        self.clients.append(client)
        threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError):  # the test is over
            self._answer(client)

    def _answer(self, client: socket.socket) -> None:
        reader = hiredis.Reader()
        while data := client.recv(65536):
            reader.feed(data)
            while (command := reader.gets()) is not False:
                if command[0] == b"CLIENT":
                    client.sendall(b"+OK\r\n")
                    continue
                self.received += 1
                if self.answer:
                    client.sendall(self.answer)

    def close(self) -> None:
        super().close()
        for client in self.clients:
            client.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    store = Silent()
    yield store
    store.close()


def test_each_answer_comes_to_the_command_that_it_belongs_to(
    scene: Scene, real_redis: Redis
) -> None:
    pipeline = scene.pipeline(real_redis)
    for number in range(100):
        pipeline.send(("ECHO", number), scene.answers.append)
    scene.until(lambda: len(scene.answers) == 100)
    assert scene.answers == [b"%d" % number for number in range(100)]
    assert pipeline.under_way == 0


def test_a_refusal_of_the_store_is_an_answer(scene: Scene, real_redis: Redis) -> None:
    pipeline = scene.pipeline(real_redis)
    pipeline.send(("EVALSHA", "0" * 40, 0), scene.answers.append)
    pipeline.send(("ECHO", 1), scene.answers.append)
    scene.until(lambda: len(scene.answers) == 2)
    assert isinstance(scene.answers[0], hiredis.ReplyError)
    assert scene.answers[1] == b"1"


def test_commands_that_do_not_fit_the_socket_go_out_later(scene: Scene, real_redis: Redis) -> None:
    pipeline = scene.pipeline(real_redis)
    for _ in range(BATCH * 3):
        pipeline.send(("ECHO", b"x" * 500_000), scene.answers.append)
    scene.until(lambda: len(scene.answers) == BATCH * 3)
    assert {len(answer) for answer in scene.answers} == {500_000}


def test_a_failure_with_one_answer_leaves_the_others_alone(scene: Scene, real_redis: Redis) -> None:
    pipeline = scene.pipeline(real_redis)

    def fail(_answer: Any) -> None:
        raise ZeroDivisionError

    pipeline.send(("ECHO", 1), fail)
    pipeline.send(("ECHO", 2), scene.answers.append)
    scene.until(lambda: scene.answers)
    assert scene.answers == [b"2"]
    assert pipeline.open


def test_no_more_commands_are_taken_than_the_bound(scene: Scene, real_redis: Redis) -> None:
    pipeline = scene.pipeline(real_redis)
    for _ in range(MOST):
        assert pipeline.open
        pipeline.send(("ECHO", 1), scene.answers.append)
    assert not pipeline.open
    scene.until(lambda: pipeline.open)


def test_an_idle_store_gets_a_command_at_once_and_a_busy_store_several_together(
    scene: Scene, silent: Silent
) -> None:
    pipeline = scene.pipeline(connect(silent.url))
    for sent, received in ((1, 1), (BATCH - 1, 1), (1, 1 + BATCH), (1, 1 + BATCH)):
        for _ in range(sent):
            pipeline.send(("ECHO", 1), scene.answers.append)
        until(lambda: silent.received >= received)  # noqa: B023
        time.sleep(0.1)
        assert silent.received == received
    scene.until(lambda: silent.received == 2 + BATCH)  # at the end of the turn


def test_a_silent_store_costs_the_connection_and_every_answer_under_way(
    scene: Scene, silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "SILENT", 0.3)
    pipeline = scene.pipeline(connect(silent.url))
    for _ in range(3):
        pipeline.send(("ECHO", 1), scene.answers.append)
    scene.until(lambda: len(scene.answers) == 3)
    assert all(isinstance(answer, Lost) for answer in scene.answers)
    assert silent.received == 3
    assert not pipeline.open


def test_a_slow_store_that_goes_on_answering_is_not_lost(
    scene: Scene, real_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "SILENT", 0.6)
    pipeline = scene.pipeline(real_redis)
    for _ in range(3):
        pipeline.send(("BLPOP", "test:nothing", 0.4), scene.answers.append)
    scene.until(lambda: len(scene.answers) == 3)
    assert scene.answers == [None] * 3


def test_a_store_that_ends_is_connected_to_again(
    scene: Scene, silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "PAUSE", 0.1)
    pipeline = scene.pipeline(connect(silent.url))
    pipeline.send(("ECHO", 1), scene.answers.append)
    scene.until(lambda: silent.received == 1)
    silent.clients[-1].shutdown(socket.SHUT_RDWR)
    scene.until(lambda: scene.answers)
    assert isinstance(scene.answers[0], Lost)
    silent.answer = b"+yes\r\n"
    scene.until(lambda: pipeline.open)
    pipeline.send(("ECHO", 2), scene.answers.append)
    scene.until(lambda: len(scene.answers) == 2)
    assert scene.answers[1] == b"yes"


@pytest.mark.parametrize("answer", [b"+1\r\n+2\r\n", b"nonsense\r\n"])
def test_a_store_that_answers_what_nobody_asked_costs_the_connection(
    scene: Scene, silent: Silent, answer: bytes
) -> None:
    silent.answer = answer
    pipeline = scene.pipeline(connect(silent.url))
    pipeline.send(("ECHO", 1), scene.answers.append)
    scene.until(lambda: not pipeline.open)
    assert len(scene.answers) == 1


def test_a_store_that_is_away_is_tried_again_after_a_pause(scene: Scene) -> None:
    moment = [100.0]
    scene.loop.close()
    scene.loop = EventLoop(clock=lambda: moment[0])
    attempts: list[socket.socket] = []

    def refuse(listener: socket.socket) -> None:
        while len(attempts) < 2:
            attempts.append(listener.accept()[0])
            attempts[-1].close()

    def try_later() -> bool:
        moment[0] += pipelines.PAUSE
        return pipeline.open or len(attempts) == 2

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=refuse, args=(listener,), daemon=True).start()
        pipeline = Pipeline(connect(f"redis://127.0.0.1:{listener.getsockname()[1]}"), scene.loop)
        scene.open.append(pipeline)
        scene.until(lambda: pipeline.open or attempts)
        for _ in range(20):
            assert not pipeline.open
            scene.loop.turn(0.02)
        assert len(attempts) == 1, "no time has passed"
        scene.until(try_later)


def test_a_closed_pipeline_stays_closed(scene: Scene, real_redis: Redis) -> None:
    pipeline = scene.pipeline(real_redis)
    pipeline.send(("ECHO", 1), scene.answers.append)
    pipeline.close()
    assert isinstance(scene.answers[0], Lost)
    scene.loop.turn(0.05)
    assert not pipeline.open
