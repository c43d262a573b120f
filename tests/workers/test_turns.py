"""The dispatcher tells each turn of a long game once, however the moves come in."""

from __future__ import annotations

import random
from collections.abc import Sequence

import orjson
import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.conftest import timed_store
from tests.events.support.clock_reckoning import Json, find_turns
from tests.support.fake_clock import HOUR, FakeClock
from tests.support.games import ALL_GAMES
from tests.support.night import at_night
from tests.workers.conftest import ME

PACE = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}


def read_turns(store: Store, player: Player) -> list[int]:
    """Return the versions of the turns in the inbox of a player."""
    items: list[Json] = []
    after = ""
    while entries := (found := store.inbox.read(player.id, after)).entries:
        items += [orjson.loads(one.text) for one in entries]
        after = found.next_after
    return [item["data"]["version"] for item in items if item["type"] == "your_turn"]


def play_caylus(store: Store, people: Sequence[Player], dispatcher: Dispatcher) -> str:
    """Play a game of five people well, so that it is long; the dispatcher now and then looks."""
    rng, bot = random.Random(0), OFFERS["caylus"].bots["medium"].bot
    seats = [ME, *[SeatRequest("open")] * (len(people) - 1)]
    request = NewGame("caylus", seats, pace=PACE, takebacks="none")
    game = store.commands.create(Intent(people[0]), request).table.id
    for person in people[1:]:
        store.commands.arranging.join(Intent(person), game)
    dispatcher.step()  # a player who comes later learns of what is pending then
    by_id = {person.id: person for person in people}
    while (table := store.projector.table(game)).running:
        assert table.state is not None
        owner = table.seats[table.state.seat].player
        assert owner is not None
        move = table.state.move_json(bot(table.state, rng))
        store.commands.move(Intent(by_id[owner["id"]], table.version), game, move)
        store.clock.advance(rng.randrange(HOUR))  # type: ignore[attr-defined]
        if rng.random() < 0.4:
            dispatcher.step()
    while dispatcher.step():
        pass
    return game


@at_night(
    "tests/events/lists/test_update_lists.py::"
    "test_a_caylus_of_five_tells_every_turn_once_in_any_portions"
)
@pytest.mark.slow
def test_a_caylus_of_five_tells_each_turn_once(fake_store: Store, clock: FakeClock) -> None:
    store = timed_store(fake_store, clock)
    people = [store.players.create(name)[0] for name in ("Ada", "Bob", "Cid", "Dan", "Eve")]
    dispatcher = Dispatcher(store, queues_on(store.redis))
    game = play_caylus(store, people, dispatcher)
    events = store.ledger.deliver(game, 0, 1000)
    turns = find_turns(ALL_GAMES, events)
    assert sum(event["type"] == "move_made" for event in events) > 400
    assert sum(map(len, turns.values())) > 300
    for person in people:
        assert read_turns(store, person) == turns[person.id]
