"""Talk: who writes where, how much, and what is left of a deleted message."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from cartulary.events.chat.messages import (
    BEGIN,
    PLAYERS,
    ROOMS,
    SPECTATORS,
    ChatMessage,
    ChatPlace,
    find_place,
    read_cursor,
)
from cartulary.events.chat.pace import AT_ONCE, AT_ONCE_MS, PER_HOUR
from cartulary.events.chat.talk import DELETE_MS, Wording, fault_of_text
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import (
    AccountNeeded,
    IdempotencyMismatch,
    Invalid,
    Muted,
    NotAuthor,
    NotFound,
    NotSeated,
    RateLimited,
    TooLate,
)
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.chat.conftest import Say
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game, everything_stored
from tests.support.fake_clock import HOUR, FakeClock


def read(
    store: Store, table: Table, after: ChatPlace = BEGIN, limit: int = 100
) -> list[ChatMessage]:
    return [entry.message for entry in store.talk.read(table.id, after, limit)]


class TestSaying:
    def test_what_is_said_is_read_in_order_over_both_rooms(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player, eve: Player
    ) -> None:
        said = [say(ada, "Hello"), say(eve, "I watch", SPECTATORS), say(bob, "Hi")]
        found = read(timed, table)
        assert found == [one.message for one in said]
        assert [one.text for one in found] == ["Hello", "I watch", "Hi"]
        assert [one.seat for one in found] == [0, None, 1]
        assert len({one.place for one in found}) == 3

    def test_the_ledger_knows_nothing_of_talk(
        self, timed: Store, table: Table, say: Say, ada: Player
    ) -> None:
        before = timed.projector.table(table.id).version
        say(ada, "Hello")
        assert timed.projector.table(table.id).version == before
        assert timed.ledger.version(table.id) == before

    def test_a_page_goes_on_where_the_page_before_ended(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player, rng: random.Random
    ) -> None:
        said = [say(rng.choice([ada, bob]), str(n), rng.choice(ROOMS)).message for n in range(5)]
        found: list[ChatMessage] = []
        after = BEGIN
        while page := timed.talk.read(table.id, after, 2):
            found += [entry.message for entry in page]
            after = page[-1].place
        assert found == said

    def test_a_clock_that_goes_back_changes_no_order(
        self, timed: Store, table: Table, say: Say, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        first = say(ada, "one").message
        clock.advance(-HOUR)
        second = say(bob, "two", SPECTATORS).message
        assert second.place > first.place
        assert read(timed, table) == [first, second]

    def test_only_who_holds_a_seat_writes_to_the_players(self, say: Say, eve: Player) -> None:
        with pytest.raises(NotSeated):
            say(eve, "Hello")

    def test_a_guest_says_phrases_only(self, timed: Store, table: Table) -> None:
        guest = timed.players.create("Guest")[0]
        with pytest.raises(AccountNeeded):
            timed.talk.say(guest, table.id, Wording(SPECTATORS, "Hello"))
        said = timed.talk.say(guest, table.id, Wording(SPECTATORS, phrase="good_luck"))
        assert (said.message.phrase, said.message.text) == ("good_luck", None)
        assert read(timed, table) == [said.message]

    def test_a_game_that_is_over_is_talked_at(self, timed: Store, ada: Player) -> None:
        table = timed.commands.create(Intent(ada), beans_game()).table
        while table.running:
            table = timed.commands.move(Intent(ada), table.id, any_move(table)).table
        said = timed.talk.say(ada, table.id, Wording(PLAYERS, phrase="good_game"))
        assert read(timed, table) == [said.message]

    def test_a_private_game_of_others_is_not_found(
        self, timed: Store, ada: Player, eve: Player
    ) -> None:
        hidden = timed.commands.create(Intent(ada), beans_game(visibility="private")).table
        with pytest.raises(NotFound):
            timed.talk.say(eve, hidden.id, Wording(SPECTATORS, phrase="hello"))

    @pytest.mark.parametrize(
        "text", ["", " ", "a\nb", "\x00", "\x7f", "\u200b", "\u2028", "a\u202eb", "x" * 501]
    )
    def test_a_text_is_one_line_that_can_be_seen(self, text: str) -> None:
        assert fault_of_text(text) is not None

    @pytest.mark.parametrize("text", ["x", "x" * 500, "Dobrý den 👩‍👩‍👧", "؟"])
    def test_other_texts_are_allowed(self, text: str) -> None:
        assert fault_of_text(text) is None


class TestLimits:
    def test_five_messages_in_ten_seconds(
        self, timed: Store, table: Table, say: Say, clock: FakeClock, ada: Player
    ) -> None:
        for number in range(AT_ONCE):
            say(ada, str(number))
            clock.advance(1000)
        before = everything_stored(timed)
        with pytest.raises(RateLimited) as refused:
            say(ada, "more")
        assert refused.value.retry_after == AT_ONCE_MS // 1000 - AT_ONCE
        assert everything_stored(timed) == before
        clock.advance(AT_ONCE_MS - AT_ONCE * 1000)
        say(ada, "more")

    def test_others_may_still_write(self, say: Say, ada: Player, bob: Player) -> None:
        for number in range(AT_ONCE):
            say(ada, str(number))
        say(bob, "Hi")

    @pytest.mark.slow
    def test_sixty_an_hour_at_one_table(
        self, timed: Store, table: Table, say: Say, clock: FakeClock, ada: Player
    ) -> None:
        for number in range(PER_HOUR):
            say(ada, str(number))
            clock.advance(AT_ONCE_MS)
        with pytest.raises(RateLimited) as refused:
            say(ada, "more")
        assert refused.value.retry_after == (HOUR - PER_HOUR * AT_ONCE_MS) // 1000
        other = timed.commands.create(Intent(ada), beans_game()).table
        timed.talk.say(ada, other.id, Wording(PLAYERS, "elsewhere"))
        clock.advance(refused.value.retry_after * 1000)
        say(ada, "more")

    def test_a_clock_that_was_ahead_silences_nobody(
        self, say: Say, clock: FakeClock, ada: Player
    ) -> None:
        clock.advance(24 * HOUR)
        for number in range(AT_ONCE):
            say(ada, str(number))
        clock.advance(-24 * HOUR)
        say(ada, "now")


class TestKeys:
    def test_a_key_says_once(
        self, timed: Store, table: Table, say: Say, ada: Player, clock: FakeClock
    ) -> None:
        first = say(ada, "Hello", key="once")
        for _ in range(2 * AT_ONCE):
            again = say(ada, "Hello", key="once")
            assert again.replayed
            assert again.message == first.message
        assert read(timed, table) == [first.message]

    def test_a_key_belongs_to_one_request(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player
    ) -> None:
        say(ada, "Hello", key="once")
        with pytest.raises(IdempotencyMismatch):
            say(ada, "Goodbye", key="once")
        current = timed.projector.table(table.id)
        with pytest.raises(IdempotencyMismatch):
            timed.commands.move(Intent(ada, key="once"), table.id, any_move(current))
        with pytest.raises(IdempotencyMismatch):
            timed.notes.write(ada, table.id, "x", "once")
        say(bob, "Goodbye", key="once")

    def test_a_key_of_a_move_says_nothing(
        self, timed: Store, table: Table, say: Say, ada: Player
    ) -> None:
        current = timed.projector.table(table.id)
        timed.commands.move(Intent(ada, key="once"), table.id, any_move(current))
        with pytest.raises(IdempotencyMismatch):
            say(ada, "Hello", key="once")
        assert read(timed, table) == []


class TestDeleting:
    def test_a_stub_without_words_stays(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player, clock: FakeClock
    ) -> None:
        first, second = say(ada, "secret words").message, say(bob, "two").message
        clock.advance(1000)
        stub = timed.talk.delete(ada, table.id, first.id).message
        assert (stub.id, stub.at, stub.text, stub.deleted) == (first.id, first.at, None, True)
        assert read(timed, table) == [second, stub]
        assert read(timed, table, second.place) == [stub], "who follows the room learns of it"
        redis: Any = timed.redis
        assert b"secret words" not in repr(redis.xrange(keys.chat_of_players(table.id))).encode()

    def test_twice_is_as_once(self, timed: Store, table: Table, say: Say, ada: Player) -> None:
        said = say(ada, "one").message
        stub = timed.talk.delete(ada, table.id, said.id, "key").message
        before = everything_stored(timed)
        assert timed.talk.delete(ada, table.id, said.id).message == stub
        assert timed.talk.delete(ada, table.id, said.id, "key") == (stub, True)
        assert everything_stored(timed) == before

    def test_what_was_deleted_is_not_said_again_by_its_key(
        self, timed: Store, table: Table, say: Say, ada: Player
    ) -> None:
        said = say(ada, "one", key="once").message
        stub = timed.talk.delete(ada, table.id, said.id).message
        assert say(ada, "one", key="once") == (stub, True)

    def test_only_the_author_within_ten_minutes(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player, clock: FakeClock
    ) -> None:
        said = say(ada, "one").message
        with pytest.raises(NotAuthor):
            timed.talk.delete(bob, table.id, said.id)
        clock.advance(DELETE_MS + 1)
        with pytest.raises(TooLate):
            timed.talk.delete(ada, table.id, said.id)
        assert read(timed, table) == [said]

    def test_an_unknown_message_is_not_found(
        self, timed: Store, table: Table, say: Say, ada: Player
    ) -> None:
        say(ada, "one")
        for unknown in ("", "0", f"{table.id}.1-0", f"{table.id}.x", "other.1-0"):
            with pytest.raises(NotFound):
                timed.talk.delete(ada, table.id, unknown)

    def test_the_messages_of_a_deleted_account_lose_words_and_name(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player
    ) -> None:
        said = [say(ada, "one"), say(bob, "two"), say(ada, "three", SPECTATORS)]
        timed.talk.delete(ada, table.id, said[2].message.id)
        timed.talk.erase(ada.id, table.id)
        found = {one.id: one for one in read(timed, table)}
        assert found[said[1].message.id] == said[1].message
        for number in (0, 2):
            stub = found[said[number].message.id]
            assert (stub.player, stub.text, stub.deleted) == (None, None, True)


class TestAccounts:
    def test_a_deleted_account_leaves_no_word_in_games_that_it_watched(
        self, timed: Store, table: Table, say: Say, eve: Player
    ) -> None:
        said = say(eve, "I watch", SPECTATORS).message
        timed.notes.write(eve, table.id, "seat 1 cheats")
        timed.accounts.deletion.delete(eve, "Eve")
        assert read(timed, table) == [said.make_stub()._replace(player=None)]
        assert timed.redis.hgetall(keys.notes(table.id)) == {}
        assert timed.talk.list_games(eve.id) == set()

    def test_the_export_has_what_was_written_in_games_that_the_player_watched(
        self, timed: Store, table: Table, say: Say, eve: Player
    ) -> None:
        said = say(eve, "I watch", SPECTATORS).message
        timed.notes.write(eve, table.id, "north first")
        lines = [orjson.loads(line) for line in timed.accounts.exporting.export(eve, "")]
        assert [line for line in lines if line["type"] in ("note", "message")] == [
            {"type": "note", "game": table.id, "text": "north first"},
            {"type": "message", "game": table.id, **said.describe()},
        ]


class TestMuting:
    def test_whom_the_operators_mute_writes_nothing(
        self, timed: Store, table: Table, say: Say, ada: Player, clock: FakeClock
    ) -> None:
        timed.office.muted.impose(ada.id, "insults", clock.now_ms() + HOUR)
        before = everything_stored(timed)
        with pytest.raises(Muted) as refused:
            say(ada, "Hello")
        with pytest.raises(Muted):
            timed.talk.say(ada, table.id, Wording(PLAYERS, phrase="hello"))
        assert refused.value.members()["until"] is not None
        assert everything_stored(timed) == before
        clock.advance(HOUR)
        say(ada, "Hello")

    def test_without_an_end_until_they_allow_it(
        self, timed: Store, say: Say, ada: Player, clock: FakeClock
    ) -> None:
        timed.office.muted.impose(ada.id, "insults")
        assert timed.office.muted.list_all().keys() == {ada.id}
        clock.advance(1000 * HOUR)
        with pytest.raises(Muted):
            say(ada, "Hello")
        assert timed.office.muted.lift(ada.id)
        assert not timed.office.muted.lift(ada.id)
        say(ada, "Hello")

    def test_a_player_mutes_another(self, timed: Store, ada: Player, bob: Player) -> None:
        timed.mutes.mute(ada.id, bob.id)
        timed.mutes.mute(ada.id, bob.id)
        assert timed.mutes.muted_by(ada.id) == {bob.id}
        assert timed.mutes.muted_by(bob.id) == set()
        timed.mutes.unmute(ada.id, bob.id)
        assert timed.mutes.muted_by(ada.id) == set()
        with pytest.raises(Invalid):
            timed.mutes.mute(ada.id, ada.id)


class TestCursors:
    def test_an_id_names_its_place_in_its_game_only(self) -> None:
        assert find_place("01KAB", "01KAB.17-3") == (17, 3)
        assert read_cursor("01KAB", "0") == read_cursor("01KAB", "") == BEGIN
        assert read_cursor("01KAB", "17-3") == (17, 3)
        assert find_place("01KAB", "17-3") is None
        for wrong in ("01KAC.17-3", "01KAB.017-3", "01KAB.17", "01KAB.17-3 ", "-1", "x"):
            assert find_place("01KAB", wrong) is None
            with pytest.raises(Invalid):
                read_cursor("01KAB", wrong)


class TestNotes:
    def test_each_player_has_a_note_of_their_own(
        self, timed: Store, table: Table, ada: Player, bob: Player
    ) -> None:
        assert not timed.notes.write(ada, table.id, "north first")
        assert timed.notes.read(ada, table.id) == "north first"
        assert timed.notes.read(bob, table.id) == ""
        timed.notes.write(ada, table.id, "")
        assert timed.notes.read(ada, table.id) == ""

    def test_a_key_writes_once(self, timed: Store, table: Table, ada: Player) -> None:
        timed.notes.write(ada, table.id, "one", "key")
        timed.notes.write(ada, table.id, "two")
        assert timed.notes.write(ada, table.id, "one", "key")
        assert timed.notes.read(ada, table.id) == "two"
        with pytest.raises(IdempotencyMismatch):
            timed.notes.write(ada, table.id, "three", "key")

    def test_a_spectator_keeps_a_note_until_the_game_is_out_of_sight(
        self, timed: Store, table: Table, ada: Player, eve: Player
    ) -> None:
        timed.notes.write(eve, table.id, "watch seat 1")
        assert timed.notes.read(eve, table.id) == "watch seat 1"
        hidden = timed.commands.create(
            Intent(ada), beans_game(ME, OPEN, visibility="unlisted")
        ).table
        timed.notes.write(eve, hidden.id, "x")
        with pytest.raises(NotFound):
            timed.notes.read(eve, "01UNKNOWN")
