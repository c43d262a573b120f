"""The houses of the tests of the notifier, on a fake store."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from cartulary.events.store import Store
from cartulary.notices.egress import EgressPolicy
from cartulary.notices.egress.policy import AllowedNetwork
from cartulary.notices.mail.settings import MailSettings
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.notices.mailing import MailSending
from cartulary.workers.notices.notifying import Notifying
from cartulary.workers.queues.queues import queues_on
from tests.conftest import timed_store
from tests.notices.mail.mail_receiver import run_mail_receiver
from tests.support.fake_clock import FakeClock
from tests.support.local_servers import make_certificate, run_receiver
from tests.workers.notices.house import House
from tests.workers.notices.post import ADDRESS, Post


@pytest.fixture(scope="package")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def house(fake_store: Store, clock: FakeClock, certificate: tuple[Path, Path]) -> Iterator[House]:
    statuses: list[int] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(statuses.pop(0) if statuses else 200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    store = timed_store(fake_store, clock)
    with run_receiver(certificate, answer) as receiver:
        policy = EgressPolicy(
            allow=(AllowedNetwork.read(f"127.0.0.1/32:{receiver.port}"),),
            certificates=str(certificate[0]),
            resolvers=("127.0.0.1:1",),
        )
        yield House(
            store,
            clock,
            Dispatcher(store, queues_on(store.redis)),
            store.players.create("Ada")[0],
            store.players.create("Bob")[0],
            receiver,
            policy,
            statuses,
        )


@pytest.fixture
def post(fake_store: Store, clock: FakeClock) -> Iterator[Post]:
    store = timed_store(fake_store, clock)
    with run_mail_receiver() as receiver:
        settings = MailSettings(
            *("127.0.0.1", receiver.port, "none", "games@example.org", "Cartulary", ADDRESS)
        )
        yield Post(
            store,
            clock,
            Dispatcher(store, queues_on(store.redis)),
            store.players.create("Ada")[0],
            store.players.create("Bob")[0],
            receiver,
            Notifying(store),
            MailSending(store, settings),
            settings,
        )
