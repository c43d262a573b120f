"""What a fold reads of a move: everything but its facts, which are cut out of the stored text."""

from __future__ import annotations

import orjson
import pytest

from cartulary.bots.randomly import play_randomly
from cartulary.engine.canonical import canonical_json
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.streams import cut_facts, parse_all
from cartulary.events.store import Store

MOVE = {
    "at": "2026-11-24T00:00:00.000Z",
    "chance": [],
    "facts": [],
    "move": {"type": "pass"},
    "seat": 0,
    "type": "move_made",
    "version": 3,
}


def text_of(**changes: object) -> bytes:
    return b'{"schema":2,' + canonical_json(MOVE | changes)[1:].encode()


def stored_texts(store: Store, game: str) -> list[bytes]:
    """The stored events of a game that bots play at random to its end."""
    player, _ = store.players.create("Ada")
    table = store.commands.create(
        Intent(player), NewGame(game, [SeatRequest("bot", "random")] * 2)
    ).table
    while table.status == "running":
        table = store.commands.bots.move(table.id, table.version, play_randomly).table
    return [fields[b"event"] for _, fields in store.ledger.entries(table.id)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_stored_event_is_the_same_without_its_facts(fake_store: Store, game: str) -> None:
    texts = stored_texts(fake_store, game)
    cut = [cut_facts(text) for text in texts]
    events = [orjson.loads(text) for text in texts]
    assert sum(map(len, cut)) < 0.9 * sum(map(len, texts))
    assert [orjson.loads(text) for text in cut] == [
        {key: value for key, value in event.items() if key != "facts" or "move" not in event}
        for event in events
    ]


@pytest.mark.parametrize(
    "facts",
    [
        [{"cells": [1], "move": {"x": 1}}],
        [{"cells": [[1]], "move": {}}, {"cells": [2], "move": {"y": [3]}}],
        [{"facts": [], "move": {}}],
        [{"a": 1, "facts": [{"b": [], "move": {}}]}],
    ],
)
def test_facts_that_look_like_the_end_of_facts_are_read_whole(facts: list[object]) -> None:
    text = text_of(facts=facts)
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(cut_facts(text))
    assert parse_all([cut_facts(text)]) is None


@pytest.mark.parametrize("words", ['],"move":{', ',"facts":['])
def test_words_of_a_person_are_never_cut(words: str) -> None:
    plain = text_of(chance=[words])
    assert orjson.loads(cut_facts(plain))["chance"] == [words]
