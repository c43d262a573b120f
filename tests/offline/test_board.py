"""The analysis board: the best moves with their values, and another draw in place of the last."""

from __future__ import annotations

import pytest

from cartulary.games import OFFERS
from tests.offline.test_messages import NOW, PERSON, Client


@pytest.fixture
def client() -> Client:
    return Client()


def begin_board(client: Client, game: str, seats: int = 2) -> None:
    client.ask(
        type="new_game",
        game_id="g",
        game=game,
        seats=[{"kind": "me"}] * seats,
        person=PERSON,
        seed="1",
        now=NOW,
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(OFFERS))
def test_the_best_moves_are_legal_and_come_once_with_the_best_first(
    client: Client, game: str
) -> None:
    begin_board(client, game)
    client.play(3)
    legal = client.ask(type="moves", game_id="g")
    found = client.ask(type="consider", game_id="g")
    moves = [one["move"] for one in found["moves"]]
    assert found["version"] == legal["version"]
    assert 1 <= len(moves) <= 5
    assert all(move in legal["moves"] for move in moves)
    assert all(moves.count(move) == 1 for move in moves)
    assert client.ask(type="consider", game_id="g") == found, "the same position, the same values"


def test_another_tile_is_drawn_in_place_of_the_last_and_the_bag_has_the_first_again(
    client: Client,
) -> None:
    begin_board(client, "carcassonne")
    for moves in (0, 2):  # the draw of the start, and the draw after a turn
        client.play(moves)
        before = client.ask(type="transcript", game_id="g")
        draw = client.ask(type="draw", game_id="g")
        assert draw["drawn"] == before["draws"][-1]
        wanted = next(
            one["outcome"] for one in draw["outcomes"] if one["outcome"] not in (draw["drawn"], "X")
        )
        changed = client.ask(type="redraw", game_id="g", outcome=wanted)
        assert changed["moves"] == before["moves"]
        assert changed["draws"] == [*before["draws"][:-1], wanted]
        assert changed["bag"][draw["drawn"]] == before["bag"].get(draw["drawn"], 0) + 1
        client.load({**changed, "local_seats": [{"kind": "me"}] * 2}, game_id="g")
        tile = client.ask(type="game", game_id="g")["decision"]["context"]["tile"]
        assert tile == wanted


def test_what_the_bag_does_not_hold_cannot_be_drawn(client: Client) -> None:
    begin_board(client, "carcassonne")
    problem = client.send(type="redraw", game_id="g", outcome="Y")["problem"]
    assert (problem["status"], problem["code"]) == (422, "invalid")


def test_where_nothing_is_drawn_there_is_nothing_to_choose(client: Client) -> None:
    begin_board(client, "caylus")
    assert client.ask(type="draw", game_id="g") is None
    problem = client.send(type="redraw", game_id="g", outcome="A")["problem"]
    assert (problem["status"], problem["code"]) == (409, "nothing_drawn")
