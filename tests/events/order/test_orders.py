"""Orders: what each changes, what the player learns, and what is refused."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from cartulary.events.accounts.deletion import Deletion
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Invalid, Muted, NotFound
from cartulary.events.order.telling import Telling
from cartulary.events.people.players import Player, hash_token
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.order.conftest import Give, read_news
from tests.events.support.bean_games import ME, OPEN, beans_game, everything_stored
from tests.events.support.table_before_start import invite
from tests.events.support.takeback_tables import sit as sit_down
from tests.support.fake_clock import DAY, FakeClock


class Interrupted(Exception):
    """The process was killed."""


def interrupt(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, done: int = 0) -> None:
    """Let a method work so many times, and end the process at the next call."""
    method, calls = getattr(owner, name), count()

    def work(*arguments: Any, **more: Any) -> Any:
        if next(calls) == done:
            raise Interrupted
        return method(*arguments, **more)

    monkeypatch.setattr(owner, name, work)


class TestMuting:
    def test_a_muted_player_learns_why_and_the_log_has_it(
        self, store: Store, ada: Player, cleo: Player, give: Give
    ) -> None:
        entry = give("mute", ada, days=7, reason="insults", report="01R")
        assert store.office.muted.list_all().keys() == {ada.id}
        assert read_news(store, ada) == [("muted", "insults")]
        assert store.office.log.read().entries == [entry]
        assert (entry.by, entry.command, entry.player) == (cleo.id, "mute", ada.id)
        assert (entry.reason, entry.report, entry.until is None) == ("insults", "01R", False)

    def test_unmuting_takes_it_back_once(self, store: Store, ada: Player, give: Give) -> None:
        give("mute", ada)
        give("unmute", ada)
        assert store.office.muted.list_all() == {}
        with pytest.raises(Invalid, match="Ada is not muted"):
            give("unmute", ada)
        assert [one.command for one in store.office.log.read().entries] == ["unmute", "mute"]

    def test_the_log_about_a_player_leaves_all_others_out(
        self, store: Store, ada: Player, bob: Player, give: Give
    ) -> None:
        for player in (ada, bob, ada):
            give("mute", player)
        assert [one.player for one in store.office.log.about(ada.id)] == [ada.id] * 2

    def test_nothing_of_it_is_for_push_messages_or_webhooks(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        wishes = b'{"security": {"push": 0}}'
        store.registry.hset("{projections}:notice_wishes", ada.id, wishes)
        give("mute", ada)
        assert not store.registry.exists("{projections}:intents")


class TestSuspension:
    def test_a_suspended_player_leaves_all_games_and_seeks(
        self, store: Store, ada: Player, bob: Player, eve: Player, give: Give
    ) -> None:
        at = sit_down(store, ada, bob, eve)
        store.projections.apply(at.now)
        waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        asked = store.commands.create(Intent(bob), beans_game(ME, invite(ada))).table
        give("suspend", ada, days=1)
        assert at.now.seats[0].forfeited == "left"
        assert (at.now.status, at.now.course.host) == ("running", bob.id)
        assert store.projector.table(waiting.id).status == "aborted"
        assert store.projector.table(asked.id).seats[1].offer is None
        at.must_hold()

    def test_tokens_stay_and_say_that_the_player_is_suspended(
        self, store: Store, give: Give, clock: FakeClock
    ) -> None:
        dora, token = store.players.create("Dora")
        give("suspend", dora, days=1)
        access = store.players.access(hash_token(token))
        assert access is not None
        assert store.players.is_suspended(access)
        clock.advance(DAY)
        assert not store.players.is_suspended(access)
        assert store.office.suspended.find(dora.id) is None

    def test_bots_of_the_player_are_suspended_with_the_player(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        store.registry.set(keys.store_format(), 99)
        bot, _ = store.own_bots.make(ada, "Robo", "")
        give("suspend", ada)
        assert store.office.suspended.list_all().keys() == {ada.id, bot.player.id}
        store.connected_bots.hold(bot.player.id)
        assert not store.bot_questions.is_there(bot.player.id)
        give("unsuspend", ada)
        assert store.office.suspended.list_all() == {}
        assert store.bot_questions.is_there(bot.player.id)

    def test_an_order_that_is_given_again_goes_on(
        self, store: Store, ada: Player, bob: Player, give: Give
    ) -> None:
        at = sit_down(store, ada, bob)
        store.projections.apply(at.now)
        give("suspend", ada)
        version = at.now.version
        give("suspend", ada)
        assert at.now.version == version

    def test_a_suspended_guest_merges_into_no_account(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        guest, token = store.players.create("Phone")
        give("suspend", guest)
        with pytest.raises(Invalid, match="suspended"):
            store.accounts.merging.merge(ada, token)


class TestAccounts:
    def test_a_renamed_player_keeps_no_way_back(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        entry = give("rename", ada, name="Dora")
        assert store.players.name_all([ada.id]) == ["Dora"]
        assert tuple(entry.names) == ("Ada", "Dora")
        with pytest.raises(ValueError, match="taken this name away"):
            store.office.name_rules.prepare("A.d.a", ada.id)

    def test_without_a_name_the_new_one_says_nothing(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        give("rename", ada)
        (name,) = store.players.name_all([ada.id])
        assert name.startswith("Player ")

    def test_an_account_is_closed_as_its_player_could_delete_it(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        entry = give("close", ada)
        assert ada.id in store.masks.deleted
        assert store.players.by_id(ada.id) is None
        assert entry.names == ()
        with pytest.raises(NotFound, match="was deleted at"):
            give("mute", ada)

    def test_the_log_says_nothing_of_a_person_who_is_gone_but_the_id(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        give("mute", ada)
        give("close", ada)
        stored = str(store.registry.xrange(keys.operator_log()))
        assert ada.id in stored
        assert "Ada" not in stored


class TestInterruptions:
    @pytest.mark.parametrize(
        ("before", "command", "more", "what"),
        [
            ("mute", "unmute", {}, "unmuted"),
            ("suspend", "unsuspend", {}, "unsuspended"),
            ("mute", "rename", {"name": "Dora"}, "renamed"),
        ],
    )
    def test_an_order_that_ended_before_the_player_learned_of_it_goes_on(
        self,
        store: Store,
        ada: Player,
        give: Give,
        monkeypatch: pytest.MonkeyPatch,
        before: str,
        command: str,
        more: dict[str, str],
        what: str,
    ) -> None:
        give(before, ada)
        interrupt(monkeypatch, Telling, "tell")
        with pytest.raises(Interrupted):
            give(command, ada, **more)
        monkeypatch.undo()
        give(command, ada, **more)
        assert read_news(store, ada)[-1] == (what, "a test")
        with pytest.raises(Invalid):
            give(command, ada, **more)

    def test_a_suspension_that_is_half_lifted_is_lifted_by_a_second_order(
        self, store: Store, ada: Player, give: Give, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.registry.set(keys.store_format(), 99)
        store.own_bots.make(ada, "Robo", "")
        give("suspend", ada)
        interrupt(monkeypatch, SentenceRegister, "lift", 1)
        with pytest.raises(Interrupted):
            give("unsuspend", ada)
        monkeypatch.undo()
        give("unsuspend", ada)
        assert store.office.suspended.list_all() == {}

    def test_a_closing_that_is_half_done_goes_on(
        self, store: Store, ada: Player, give: Give, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        interrupt(monkeypatch, Deletion, "_forget_account")
        with pytest.raises(Interrupted):
            give("close", ada)
        monkeypatch.undo()
        give("close", ada)
        assert store.players.by_id(ada.id) is None
        with pytest.raises(NotFound, match="was deleted at"):
            give("close", ada)


class TestRefusals:
    @pytest.mark.parametrize(
        ("command", "more", "pointer"),
        [
            ("mute", {"reason": " "}, "/reason"),
            ("mute", {"reason": "x" * 501}, "/reason"),
            ("close", {"days": 3}, "/days"),
            ("mute", {"name": "Dora"}, "/name"),
            ("rename", {"name": "Аdа"}, "/name"),
            ("rename", {"name": "Ada"}, "/name"),
            ("rename", {"name": "CLEO"}, "/name"),
            ("unsuspend", {}, "/command"),
        ],
    )
    def test_an_order_that_makes_no_sense_changes_nothing(
        self,
        store: Store,
        ada: Player,
        give: Give,
        command: str,
        more: dict[str, str],
        pointer: str,
    ) -> None:
        before = everything_stored(store)
        with pytest.raises(Invalid) as refused:
            give(command, ada, **more)
        assert [one["pointer"] for one in refused.value.errors] == [pointer]
        assert everything_stored(store) == before

    def test_operators_are_subject_to_no_order(
        self, store: Store, cleo: Player, give: Give
    ) -> None:
        before = everything_stored(store)
        with pytest.raises(Invalid, match="first `cartulary operator --revoke`"):
            give("suspend", cleo)
        assert everything_stored(store) == before

    def test_an_order_about_a_player_who_is_gone_says_where_to(
        self, store: Store, ada: Player, give: Give
    ) -> None:
        guest, token = store.players.create("Phone")
        store.accounts.merging.merge(ada, token)
        with pytest.raises(NotFound, match=f"is now the account {ada.id}"):
            give("mute", guest)
        with pytest.raises(NotFound, match="there is no player 01UNKNOWN"):
            give("mute", "01UNKNOWN")


def test_a_muted_player_is_refused_by_the_talk(store: Store, ada: Player, give: Give) -> None:
    from cartulary.events.chat.talk import Wording

    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    give("mute", ada)
    with pytest.raises(Muted):
        store.talk.say(ada, table.id, Wording("players", phrase="hello"))
