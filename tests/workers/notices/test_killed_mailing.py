"""A notifier that is killed at any step loses no mail of the day and makes no second one.

Each step that changes something outside of the process is tried: every write to the store, and the
mail itself. To be killed before a read is the same as before the step that follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis

from cartulary.events.notices.waiting import LEASE_MS, open_deliveries, open_intents
from cartulary.notices.mail.server import MailServer
from cartulary.workers.notices import mailing as mailing_module
from cartulary.workers.notices import notifying as notifying_module
from cartulary.workers.notices.mailing import MailSending
from cartulary.workers.notices.notifying import Notifying
from tests.support.fake_clock import DAY, HOUR, MINUTE
from tests.workers.notices.post import ADDRESS, Post, read_text

SENT = "send"
READS = {
    *("GET", "EXISTS", "HEXISTS", "HGET", "HGETALL", "HMGET", "HVALS", "HLEN", "MGET", "SMEMBERS"),
    *("XRANGE", "XREVRANGE", "ZCARD", "ZCOUNT", "ZRANGE", "ZRANGEBYSCORE", "ZREVRANGE", "ZSCORE"),
}


class Killed(BaseException):
    """In place of SIGKILL: no `except` of the notifier catches it."""


class Steps:
    """The steps of a notifier; before the one with the number `fatal` comes `fault`, once.

    `strikes_after_mail`: the fatal one is the first after a mail, whatever its number.
    """

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.fatal = 0
        self.strikes_after_mail = False
        self.fault: BaseException = Killed()
        self.are_counted = False

    def watch(self, owner: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count the calls of a method."""
        step: Callable[..., Any] = getattr(owner, name)

        def count(*args: Any, **more: Any) -> Any:
            if self.are_counted and not is_read(*args):
                self.taken.append(name)
                if name == SENT and self.strikes_after_mail:
                    self.fatal = len(self.taken) + 1
                if len(self.taken) == self.fatal:
                    self.taken.append("")  # so that no later step is the fatal one
                    raise self.fault
            return step(*args, **more)

        monkeypatch.setattr(owner, name, count)

    @property
    def follows_mail(self) -> bool:
        """Whether the fatal step is the one after a mail."""
        return self.fatal > 1 and self.taken[self.fatal - 2] == SENT

    @contextmanager
    def count(self) -> Iterator[None]:
        self.are_counted = True
        try:
            yield
        finally:
            self.are_counted = False


def is_read(owner: Any, *args: Any) -> bool:
    """Say whether a step only reads: a command of its own, or all commands of a pipeline."""
    if isinstance(owner, redis.client.Pipeline):
        return all(command[0][0] in READS for command in owner.command_stack)
    return isinstance(owner, redis.Redis) and args[0] in READS


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """The steps of notifiers that take one intent at a time, so a day has several batches."""
    monkeypatch.setattr(notifying_module, "AT_ONCE", 1)
    found = Steps()
    found.watch(redis.Redis, "execute_command", monkeypatch)
    found.watch(redis.client.Pipeline, "execute", monkeypatch)
    found.watch(MailServer, SENT, monkeypatch)
    return found


def work(post: Post, steps: Steps) -> bool:
    """Let a notifier do what is due; returns True for one that was killed: its leases end."""
    notifying, mailing = Notifying(post.store), MailSending(post.store, post.settings)
    try:
        with steps.count():
            while notifying.step() + mailing.step():
                pass
    except Killed:
        post.clock.advance(LEASE_MS + 1000)
        return True
    return False


def spend_day(post: Post, steps: Steps) -> bool:
    """Let it become a minute past eight; returns True when a notifier was killed."""
    was_killed = work(post, steps)
    post.clock.advance((8 * HOUR - post.clock.now_ms()) % DAY + 1000)
    for _ in range(2):
        was_killed = work(post, steps) or was_killed
    return was_killed


def take_mails(post: Post) -> list[tuple[str, str]]:
    """Return id and text of each mail since the last call."""
    found = [post.receiver.read(number) for number in range(len(post.receiver.mails))]
    post.receiver.mails.clear()
    return [(str(mail["Message-ID"]), read_text(mail)) for mail in found]


@pytest.mark.slow
def test_a_day_has_one_mail_at_whatever_step_the_notifier_is_killed(
    post: Post, steps: Steps
) -> None:
    post.subscribe()
    doubled = 0
    while True:
        tables = [post.create() for _ in range(2)]
        steps.fatal, steps.taken = steps.fatal + 1, []
        was_killed = spend_day(post, steps)
        today = take_mails(post)
        if was_killed and steps.follows_mail:
            # The one window of SMTP: the server has the mail, and the store does not know it.
            assert len(today) == 2
            doubled += 1
        else:
            assert len(today) == 1
        assert len({name for name, _ in today}) == 1
        steps.taken = [""] * steps.fatal
        spend_day(post, steps)
        tomorrow = take_mails(post)
        assert len(tomorrow) == 1
        texts = [today[0][1], tomorrow[0][1]]
        for table in tables:
            assert sum(f"{ADDRESS}/games/{table.id}" in text for text in texts) == 1
        assert open_intents(post.store.registry).count() == 0
        assert open_deliveries(post.store.registry, "email").count() == 0
        if not was_killed:
            break
    assert doubled == 1
    assert steps.fatal > 5


def test_a_store_that_is_silent_after_a_mail_makes_no_second_one(
    post: Post, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailing_module, "STORE_PAUSE_S", 0)
    post.subscribe()
    steps.fault, steps.strikes_after_mail = redis.ConnectionError("silent"), True
    post.create()
    spend_day(post, steps)
    assert steps.follows_mail
    post.clock.advance(10 * MINUTE)
    work(post, steps)
    assert len(take_mails(post)) == 1
    assert post.list_outcomes()[-1] == "sent"
