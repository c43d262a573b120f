"""Mentions and signals: who learns of a message at once."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.chat.mentions import find_mentioned
from cartulary.events.chat.messages import CHANNEL, SPECTATORS
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.chat.conftest import Say
from tests.events.support.opened_tables import open_table


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("@Ada", [0]),
        ("well done, @ada!", [0]),
        ("@ADA and @Bob", [0, 1]),
        ("@Adam", [2]),
        ("@Ada Lovelace, yes", [3]),
        ("@Ada_", []),
        ("Ada", []),
        ("@", []),
        ("@@Ada", [0]),
        ("a@Bob.org", [1]),
        ("@Eve", []),
    ],
)
@pytest.mark.slow
def test_a_name_behind_an_at_means_its_player(store: Store, text: str, meant: list[int]) -> None:
    players = [
        Player(str(n), name) for n, name in enumerate(["Ada", "Bob", "Adam", "Ada Lovelace"])
    ]
    table = open_table(store, players)
    assert find_mentioned(table, text) == {str(number): number for number in meant}


def items(store: Store, player: Player) -> list[Any]:
    return [orjson.loads(entry.text) for entry in store.inbox.read(player.id).entries]


class TestItems:
    def test_who_is_mentioned_finds_it_in_the_inbox(
        self, timed: Store, table: Table, say: Say, ada: Player, bob: Player, eve: Player
    ) -> None:
        said = say(eve, "go on, @Bob! @Eve @bob", SPECTATORS)
        (item,) = items(timed, bob)
        assert item["type"] == "message_mention"
        assert item["data"]["message"] == said.message.id
        assert (item["data"]["game"], item["data"]["seat"]) == (table.id, 1)
        assert items(timed, ada) == items(timed, eve) == []

    def test_nobody_mentions_themselves(self, timed: Store, say: Say, ada: Player) -> None:
        say(ada, "@Ada")
        assert items(timed, ada) == []

    def test_nobody_is_mentioned_by_whom_they_mute_or_block(
        self, timed: Store, say: Say, ada: Player, bob: Player
    ) -> None:
        timed.mutes.mute(bob.id, ada.id)
        say(ada, "@Bob")
        timed.mutes.unmute(bob.id, ada.id)
        timed.blocks.add(bob.id, ada.id)
        say(ada, "@Bob")
        assert items(timed, bob) == []

    def test_a_repeated_request_mentions_once(
        self, timed: Store, say: Say, ada: Player, bob: Player
    ) -> None:
        for _ in range(2):
            say(ada, "@Bob", key="once")
        assert len(items(timed, bob)) == 1


class TestSignals:
    @pytest.fixture
    def published(self, timed: Store, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        found: list[Any] = []

        def note(game_id: str, name: str, data: bytes, room: str = "") -> None:
            found.append((game_id, name, orjson.loads(data), room))

        monkeypatch.setattr(timed.signals, "publish_to_game", note)
        return found

    def test_each_message_and_each_stub_is_published(
        self, timed: Store, table: Table, say: Say, ada: Player, published: list[Any]
    ) -> None:
        said = say(ada, "Hello").message
        assert published == [(table.id, "message", said.describe(), CHANNEL)]
        timed.talk.delete(ada, table.id, said.id)
        timed.talk.delete(ada, table.id, said.id)
        assert published[1:] == [
            (table.id, "message", {**said.describe(), "text": None, "deleted": True}, CHANNEL)
        ]

    def test_a_repeated_request_is_not_published_again(
        self, say: Say, ada: Player, published: list[Any]
    ) -> None:
        for _ in range(2):
            say(ada, "Hello", key="once")
        assert len(published) == 1
