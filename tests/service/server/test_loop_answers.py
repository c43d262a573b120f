"""Requests that the event loop answers itself, with an app that a test moves by hand."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cartulary.service.server import loop
from cartulary.service.server.app_interface import AT_ONCE, Claims, Done, Marks, NotAtOnce
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.server import LONGEST
from tests.service.support.server_in_process import GET, Served, answer, came

POST = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b"


class Later:
    """An answer that a test gives."""

    def __init__(self, start: Any, body: bytes) -> None:
        self._start, self.body = start, body

    def follow(self, done: Done) -> None:
        self._done = done

    def answer(self, found: bytes) -> None:
        self._start("200 OK", [("Content-Type", "text/plain")])
        self._done([found], {})

    def answer_badly(self) -> None:
        self._start("200 OK", [("Content-Type", "text/plain")])
        self._done([3], {})  # type: ignore[list-item]

    def give_up(self, **marks: Any) -> None:
        self._done(None, marks)


class App:
    """Answers `/now…` in the loop; `/now/not` says in the loop that a thread has to."""

    def __init__(self) -> None:
        self.laters: list[Later] = []
        self.in_threads: list[tuple[bytes, Marks]] = []
        self.joined = self.left = 0

    def join_loop(self, _loop: EventLoop, _later: Callable[..., object]) -> Claims:
        self.joined += 1
        return lambda method, path: method == "POST" and path.startswith("/now")

    def leave_loop(self) -> None:
        self.left += 1

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        body = environ["wsgi.input"].read()
        if environ.get(AT_ONCE):
            if environ["PATH_INFO"] == "/now/not":
                raise NotAtOnce({"test.not": True})
            if environ["PATH_INFO"] == "/now/failing":
                raise KeyError("of the app")
            self.laters.append(Later(start, body))
            return self.laters[-1]
        self.in_threads.append(
            (body, {name: value for name, value in environ.items() if name.startswith("test.")})
        )
        start("200 OK", [("Content-Type", "text/plain")])
        return [b"thread"]


class Scene(Served):
    def __init__(self, **limits: Any) -> None:
        self.loopy = App()
        super().__init__(**limits)
        self.server.open()

    @property
    def app(self) -> App:
        return self.loopy

    def post(self, path: bytes = b"/now", body: bytes = b"body") -> socket.socket:
        client = self.connect(sent=POST % (path, len(body), body))
        self.turn()
        return client


@pytest.fixture
def scene() -> Iterator[Scene]:
    with Scene() as scene:
        yield scene


def test_the_loop_answers_without_a_thread(scene: Scene) -> None:
    client = scene.post()
    assert scene.app.laters[0].body == b"body"
    scene.app.laters[0].answer(b"yes")
    assert came(client).endswith(answer(b"yes"))
    assert scene.app.in_threads == []


def test_the_connection_lives_on_and_pipelined_requests_wait_their_turn(scene: Scene) -> None:
    client = scene.connect(sent=POST % (b"/now", 1, b"1") + POST % (b"/now", 1, b"2"))
    scene.turn()
    assert [later.body for later in scene.app.laters] == [b"1"]
    scene.app.laters[0].answer(b"one")
    scene.turn()
    assert [later.body for later in scene.app.laters] == [b"1", b"2"]
    scene.app.laters[1].answer(b"two")
    assert came(client).endswith(answer(b"two"))


def test_what_the_app_does_not_claim_goes_to_a_thread(scene: Scene) -> None:
    for client in (scene.post(b"/other"), scene.post(body=b"x" * (LONGEST + 1))):
        assert came(client).endswith(answer(b"thread"))
    assert scene.app.laters == []


def test_a_thread_gets_the_whole_request_and_the_marks_when_the_loop_cannot(scene: Scene) -> None:
    client = scene.post(b"/now/not")
    assert came(client).endswith(answer(b"thread"))
    assert scene.app.in_threads == [(b"body", {"test.not": True})]


def test_a_thread_answers_what_the_loop_has_given_up(scene: Scene) -> None:
    client = scene.post()
    scene.app.laters[0].give_up(**{"test.sent": 3})
    scene.turn()
    assert came(client).endswith(answer(b"thread"))
    assert scene.app.in_threads == [(b"body", {"test.sent": 3})]


def test_a_client_that_has_left_costs_nothing(scene: Scene) -> None:
    client = scene.post()
    client.close()
    scene.turn()
    scene.app.laters[0].answer(b"yes")
    scene.turn()
    assert scene.server.all == set()


def test_a_slow_reader_takes_its_answer_from_the_loop_and_nobody_waits(scene: Scene) -> None:
    slow = scene.post()
    scene.app.laters[0].answer(b"x" * 3_000_000)
    quick = scene.post()
    scene.app.laters[1].answer(b"quick")
    assert came(quick).endswith(answer(b"quick"))
    taken = b""
    while len(taken) < 3_000_000:
        taken += slow.recv(200_000)
        scene.turn()
    assert taken.endswith(b"x" * 3_000_000)


def test_a_request_under_way_is_answered_after_the_process_was_asked_to_stop(scene: Scene) -> None:
    client = scene.post()
    scene.server.stop()
    scene.turn()
    scene.app.laters[0].answer(b"yes")
    scene.wait(3)
    text = came(client)
    assert b"Connection: close\r\n" in text
    assert text.endswith(b"\r\n\r\nyes<end>")
    assert scene.server.all == set()


def test_an_app_that_fails_in_the_loop_is_logged_and_the_client_learns_of_it(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    late = scene.post()
    scene.app.laters[0].answer_badly()
    for client in (late, scene.post(b"/now/failing")):
        scene.turn()
        assert came(client).startswith(b"HTTP/1.1 500 ")
    assert [line.exc_info and line.exc_info[0] for line in caplog.records] == [TypeError, KeyError]
    assert scene.app.in_threads == []


def test_the_app_joins_the_loop_once_and_leaves_it(scene: Scene) -> None:
    assert (scene.app.joined, scene.app.left) == (1, 0)
    scene.server.close()
    assert (scene.app.joined, scene.app.left) == (1, 1)


def test_many_requests_of_one_round_let_other_sockets_in_between(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "TURN", -1.0)
    for _ in range(3):
        scene.connect(sent=POST % (b"/now", 4, b"body"))
    begun: list[int] = []
    while not scene.app.laters:
        scene.server.turn(0)
    while len(scene.app.laters) < 3:
        begun.append(len(scene.app.laters))
        scene.clock.now += 0.001
        scene.server.turn(0)
    assert begun == [1, 2]


def test_an_app_that_knows_nothing_of_loops_is_served_by_threads() -> None:
    with Served() as served:
        client = served.connect(sent=GET % b"/a")
        served.turn()
        assert came(client).endswith(answer(b"/a"))
