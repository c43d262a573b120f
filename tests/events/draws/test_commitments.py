"""What the opener of a game adds to its draws: an entropy, a commitment made beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Invalid
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, MINE, OPEN, beans_game
from tests.support.small_transcript import small

BAD = ("", "x" * 15, "x" * 65, "sixteen chars no!", "ää" * 10, "x" * 16 + "\n", "sixteen.sixteen.")


@pytest.mark.parametrize("entropy", BAD)
def test_entropy_of_another_form_is_refused_and_nothing_is_stored(
    store: Store, ada: Player, bob: Player, open_table: Table, entropy: str
) -> None:
    before = sorted(store.ledger.game_ids())
    attempts: list[Callable[[], Any]] = [
        lambda: store.commands.create(Intent(ada), beans_game(entropy=entropy)),
        lambda: store.commands.arranging.join(Intent(bob), open_table.id, entropy=entropy),
        lambda: store.commands.import_transcript(Intent(ada), small(), entropy=entropy),
    ]
    for attempt in attempts:
        with pytest.raises(Invalid) as refused:
            attempt()
        assert [error["pointer"] for error in refused.value.errors] == ["/entropy"]
    assert sorted(store.ledger.game_ids()) == before
    assert store.ledger.version(open_table.id) == 1


def test_entropy_of_an_opener_without_a_seat_is_refused(store: Store, ada: Player) -> None:
    with pytest.raises(Invalid) as refused:
        store.commands.create(Intent(ada), beans_game(BOT, OPEN, entropy=MINE))
    assert refused.value.errors[0]["pointer"] == "/entropy"


def test_commitment_made_beforehand_is_that_of_the_game(store: Store, ada: Player) -> None:
    made = store.commands.commit(ada)
    request = beans_game(entropy=MINE, commitment=made.id)
    table = store.commands.create(Intent(ada), request).table
    assert store.ledger.events(table.id)[0]["fair"]["commitment"] == made.commitment
    with pytest.raises(Invalid) as refused:
        store.commands.create(Intent(ada), request)
    assert refused.value.errors[0]["pointer"] == "/commitment"
    assert list(store.ledger.game_ids()) == [table.id]


def test_commitment_of_another_player_is_refused(store: Store, ada: Player, bob: Player) -> None:
    made = store.commands.commit(ada)
    with pytest.raises(Invalid) as refused:
        store.commands.create(Intent(bob), beans_game(commitment=made.id))
    assert refused.value.errors[0]["pointer"] == "/commitment"


def test_refused_request_does_not_use_the_commitment_up(store: Store, ada: Player) -> None:
    made = store.commands.commit(ada)
    with pytest.raises(Invalid):
        store.commands.create(Intent(ada), beans_game(commitment=made.id, entropy="short"))
    assert store.commands.create(Intent(ada), beans_game(commitment=made.id)).events


def test_repeated_creation_with_a_key_returns_the_game_although_the_commitment_is_used(
    store: Store, ada: Player
) -> None:
    request = beans_game(commitment=store.commands.commit(ada).id, entropy=MINE)
    first = store.commands.create(Intent(ada, key="k"), request)
    again = store.commands.create(Intent(ada, key="k"), request)
    assert (again.table.id, again.replayed) == (first.table.id, True)


def test_creation_whose_append_failed_may_be_repeated_with_the_same_commitment(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = beans_game(commitment=store.commands.commit(ada).id, entropy=MINE)

    def fail(*_: object) -> None:
        raise ConnectionError("the store does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(store.commands.writer, "append", fail)
        with pytest.raises(ConnectionError):
            store.commands.create(Intent(ada, key="k"), request)
    with pytest.raises(Invalid):
        store.commands.create(Intent(ada, key="another"), request)
    assert store.commands.create(Intent(ada, key="k"), request).events
