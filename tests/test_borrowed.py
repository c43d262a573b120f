"""What we borrow from the inside of other libraries: an upgrade that changes it fails here first.

Each room has one module for it, called `borrowed` where nothing else fits, and `pyproject.toml` has
the upper bounds. When a test fails: read the changes of the library, adapt the module, raise the
bound.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis
from redis.exceptions import ConnectionError as Unreachable
from rq import SimpleWorker
from rq.exceptions import StopRequested

from cartulary.workers.borrowed import StoppableWorker
from cartulary.workers.queue import queue_on
from cartulary.workers.worker import make_worker


@pytest.fixture
def _handlers() -> Iterator[None]:
    """Put the handlers of the signals back that a worker sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class TestRQ:
    """`workers/borrowed.py`."""

    @pytest.mark.parametrize(
        "name", ["request_stop", "heartbeat", "dequeue_timeout", "should_run_maintenance_tasks"]
    )
    def test_a_worker_has_what_we_override(self, name: str) -> None:
        theirs, ours = getattr(SimpleWorker, name), getattr(StoppableWorker, name)
        assert isinstance(ours, property) == isinstance(theirs, property)

    def test_a_worker_waits_no_longer_than_this_for_its_server(self) -> None:
        assert isinstance(SimpleWorker.max_connection_wait_time, float)

    def test_a_worker_notes_here_that_it_is_to_stop(self, fake_redis: FakeRedis) -> None:
        assert make_worker(queue_on(fake_redis))._stop_requested is False

    @pytest.mark.usefixtures("_handlers")
    def test_a_worker_that_gets_the_signal_in_a_job_ends_after_this_job(
        self, fake_redis: FakeRedis
    ) -> None:
        queue = queue_on(fake_redis)
        first = queue.enqueue("signal.raise_signal", int(signal.SIGTERM))
        second = queue.enqueue("builtins.len", [])
        assert make_worker(queue).work(logging_level="WARNING")
        assert first.get_status() == "finished"
        assert second.get_status() == "queued"

    @pytest.mark.usefixtures("_handlers")
    def test_a_worker_asks_before_it_waits_for_its_first_job(self, fake_redis: FakeRedis) -> None:
        worker = make_worker(queue_on(fake_redis))
        worker.request_stop(signal.SIGTERM, None)
        assert worker.work(logging_level="WARNING") is False

    def test_a_heartbeat_without_a_server_ends_a_worker_that_is_to_stop(
        self, fake_redis: FakeRedis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(*arguments: object, **options: object) -> None:
            raise Unreachable

        worker = make_worker(queue_on(fake_redis))
        monkeypatch.setattr(SimpleWorker, "heartbeat", away)
        with pytest.raises(Unreachable):
            worker.heartbeat()
        worker.request_stop(signal.SIGTERM, None)
        with pytest.raises(StopRequested):
            worker.heartbeat()
