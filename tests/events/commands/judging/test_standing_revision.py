"""Standing answers that change while others move, and what the audit says of them."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.model.table_parts import Progress
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.opened_tables import At
from tests.events.support.standing_answers import EVERY_GIFT, NO_GIFTS, said, say
from tests.events.support.takeback_tables import sit


class TestRevision:
    def test_a_process_that_has_not_read_them_uses_them(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        other = At(Store(store.redis, OFFERS), at.now, [ada, bob])
        assert other.now.version == at.now.version
        say(at, bob, NO_GIFTS)
        assert len(other.move({"type": "give", "to": 1}).events) == 2

    def test_a_process_that_has_cached_them_does_not_use_them_once_withdrawn(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        other = At(Store(store.redis, OFFERS), at.now, [ada, bob])
        say(at, bob, NO_GIFTS)
        assert said(other, bob) == [NO_GIFTS]
        say(at, bob)
        assert len(other.move({"type": "give", "to": 1}).events) == 1

    def test_a_revision_never_comes_back(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        seen = set()
        for answers in ([NO_GIFTS], [EVERY_GIFT], [NO_GIFTS]):
            say(at, bob, *answers)
            seen.add(store.redis.hget(keys.idempotency(at.id), "standing"))
        assert len(seen) == 3

    def test_who_changes_them_all_the_time_holds_up_nobody(
        self, store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS)
        append = store.ledger.append

        def change_first(*arguments: Any) -> Any:
            store.redis.hset(keys.idempotency(at.id), "standing", f"r{len(seen)}")
            seen.append(None)
            return append(*arguments)

        seen: list[None] = []
        monkeypatch.setattr(store.ledger, "append", change_first)
        assert at.move({"type": "give", "to": 1}).events[0]["seat"] == 0


class TestAudit:
    def test_a_standing_answer_with_a_choice_is_a_fault(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        draft = store.commands.writer.draft(at.id, at.now)
        state = at.now.state
        assert state is not None
        found = state.find({"type": "give", "to": 1})
        draft.play(found, store.draws.source, by="standing_answer")
        store.commands.writer.append(draft, at.now.version, None)
        assert [one["problem"] for one in store.audit.game(at.id).problems] == ["consent"]


def test_an_answer_outlives_a_takeback_that_does_not_reach_it() -> None:
    course = Progress("ada", started=2, taken_back=((9, 14),))
    assert course.stands(course.place(14))
