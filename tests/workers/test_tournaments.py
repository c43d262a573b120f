"""The dispatcher follows tournaments: their own entries of the outbox, and the ends of games."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.matching import TournamentLooker
from cartulary.workers.queues.queues import queues_on
from tests.events.support.tournaments import Cup


@pytest.fixture
def cup(monkeypatch: pytest.MonkeyPatch) -> Cup:
    # Each step of a dispatcher looks.
    monkeypatch.setattr(TournamentLooker, "every_s", 0.0)
    return Cup()


def test_a_start_leads_to_games_and_their_ends_to_the_next_round(cup: Cup) -> None:
    dispatcher = Dispatcher(cup.store, queues_on(cup.store.redis))
    cup.announce(rounds=2)
    cup.enter("Ada", "Bob")
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    for _ in range(2):
        dispatcher.step()
    (first,) = cup.tables()
    assert cup.game(first).running
    cup.play()
    assert cup.now.rounds[0].closed is False
    for _ in range(3):
        dispatcher.step()
    assert [one.closed for one in cup.now.rounds] == [True, False]
    assert cup.store.outbox.depth() == 0


def test_a_tournament_that_cannot_be_read_keeps_no_other_entry_waiting(cup: Cup) -> None:
    cup.announce()
    broken = cup.id
    cup.store.redis.xadd(f"{{{broken}}}:tournament", {"event": b"?"}, "2-0")
    cup.open()
    dispatcher = Dispatcher(cup.store, queues_on(cup.store.redis))
    cup.announce(rounds=1)
    cup.enter("Ada", "Bob")
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    for _ in range(3):
        dispatcher.step()
    assert cup.now.rounds != ()
    assert cup.store.outbox.depth() == 0
