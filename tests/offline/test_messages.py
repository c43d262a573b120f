"""Local games by messages: they answer as the API does, and refuse as it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.engine.transcript import from_json, verify
from cartulary.games import GAMES, OFFERS
from cartulary.offline.messages import Engine

NOW = 1_790_000_000_000
PERSON = {"id": "p", "name": "Ada"}
Json = dict[str, Any]


class Client:
    """Sends messages to an engine of its own."""

    def __init__(self) -> None:
        self._engine = Engine(OFFERS)

    def send(self, **message: Any) -> Json:
        found: Json = json.loads(self._engine.handle(json.dumps(message)))
        return found

    def ask(self, **message: Any) -> Any:
        found = self.send(**message)
        assert "answer" in found, found
        return found["answer"]

    def begin(self, game: str, *bots: str, seed: str = "1") -> Json:
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
        found: Json = self.ask(
            type="new_game",
            game_id="g",
            game=game,
            seats=seats,
            person=PERSON,
            seed=seed,
            now=NOW,
        )
        return found

    def load(self, transcript: Json, game_id: str = "h") -> Json:
        found = self.ask(
            type="load", game_id=game_id, transcript=transcript, person=PERSON, seed="2", now=NOW
        )
        return dict(found)

    def play(self, moves: int | None = None) -> Json:
        """Let a bot answer everything; to the end, or for so many moves."""
        while moves is None or moves > 0:
            game = self.ask(type="game", game_id="g")
            if game["decision"] is None:
                break
            move = self.ask(type="think", game_id="g", bot="easy")["move"]
            self.ask(type="play", game_id="g", move=move, expected_version=game["version"], now=NOW)
            moves = None if moves is None else moves - 1
        found: Json = self.ask(type="game", game_id="g")
        return found


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.parametrize("game", sorted(OFFERS))
@pytest.mark.slow
def test_a_local_game_ends_with_a_transcript_that_is_valid_and_loads_to_the_same_hash(
    client: Client, game: str
) -> None:
    client.begin(game, "random")
    over = client.play()
    assert (over["status"], over["rated"]) == ("over", False)
    transcript = client.ask(type="transcript", game_id="g")
    assert transcript["origin"] == "local"
    assert verify(from_json(transcript, GAMES), GAMES).valid
    again = client.load(transcript)
    assert again["result"] == over["result"]
    first, second = (
        [one.get("state_hash") for one in client.ask(type="events", game_id=name)["events"]]
        for name in "gh"
    )
    assert first == second


def test_a_game_that_goes_on_after_it_was_loaded_knows_its_bots(client: Client) -> None:
    client.begin("caylus", "easy", "random")
    before = client.play(5)
    again = client.load(client.ask(type="transcript", game_id="g"))
    assert [seat["bot"] for seat in again["seats"]] == [None, "easy", "random"]
    assert (again["view"], again["decision"]) == (before["view"], before["decision"])
    assert again["hints"] is True


def test_a_move_that_is_taken_back_stands_no_more_and_its_draw_comes_again(client: Client) -> None:
    client.begin("carcassonne", "random", seed="3")
    client.play(2)
    before = client.ask(type="transcript", game_id="g")
    proposals = client.ask(type="proposals", game_id="g")
    assert proposals["may"]["takeback"]["free_to"] == 2
    assert proposals["may"]["takeback"]["own"] is True
    done = client.ask(type="take_back", game_id="g", now=NOW)
    assert done["event"]["type"] == "moves_taken_back"
    after = client.ask(type="transcript", game_id="g")
    assert len(after["moves"]) < len(before["moves"])
    for entry in before["moves"][len(after["moves"]) :]:
        client.ask(type="play", game_id="g", move=entry["move"], now=NOW)
    assert client.ask(type="transcript", game_id="g") == before


@pytest.mark.parametrize("game", sorted(OFFERS))
def test_a_board_to_try_moves_on_gives_hints_without_a_bot_at_it(client: Client, game: str) -> None:
    client.ask(
        type="new_game",
        game_id="g",
        game=game,
        seats=[{"kind": "me"}] * 2,
        person=PERSON,
        seed="1",
        now=NOW,
    )
    assert client.ask(type="game", game_id="g")["hints"] is True
    assert client.ask(type="proposals", game_id="g")["may"]["takeback"]["own"] is False
    hint = client.ask(type="hint", game_id="g", language="en")
    assert hint["move"] in client.ask(type="moves", game_id="g")["moves"]


def test_the_engine_answers_what_a_table_asks(client: Client) -> None:
    game = client.begin("carcassonne", "random")
    moves = client.ask(type="moves", game_id="g")
    assert moves["version"] == game["version"]
    move = moves["moves"][0]
    tried = client.ask(type="preview", game_id="g", move=move, version=2, next=True)
    assert tried["moves"]
    assert tried["features"]
    assert client.ask(type="features", game_id="g")["version"] == 2
    why = client.ask(type="why", game_id="g", move={"type": "pass"}, language="en")
    assert why["legal"] is False
    assert why["text"]
    hint = client.ask(type="hint", game_id="g", language="pl")
    assert hint["move"] in moves["moves"]
    picture = client.ask(
        type="board_svg", game_id="g", language="hr", wishes={"layout": "tall", "parts": "board"}
    )
    assert picture.startswith("<svg")
    pieces = client.ask(type="pieces", game="carcassonne", options={}, language="en")
    assert pieces["pieces"]
    names = [one["name"] for one in client.ask(type="catalogue", language="en")["games"]]
    assert names == sorted(OFFERS)


@pytest.mark.slow
def test_a_finished_game_is_analysed_one_decision_at_a_time(client: Client) -> None:
    client.begin("carcassonne", "random")
    assert client.send(type="analyse", game_id="g")["problem"]["code"] == "game_running"
    client.play()
    first = client.ask(type="analyse", game_id="g")
    second = client.ask(type="analyse", game_id="g", after=first["decisions"][-1]["version"])
    assert (len(first["decisions"]), len(second["decisions"])) == (1, 1)
    assert 0 < first["progress"] < second["progress"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "fly"}, "invalid"),
        ({"type": "moves", "game_id": "missing"}, "not_found"),
        ({"type": "play", "game_id": "g", "move": {"type": "pass"}, "now": NOW}, "illegal_move"),
        (
            {"type": "play", "game_id": "g", "move": {}, "expected_version": 1, "now": NOW},
            "stale_version",
        ),
        ({"type": "think", "game_id": "g", "bot": "nobody"}, "invalid"),
        ({"type": "take_back", "game_id": "g", "now": NOW}, "nothing_to_take_back"),
        ({"type": "view", "game_id": "g", "version": 99}, "not_found"),
        ({"type": "new_game", "game": "chess", "seats": []}, "invalid"),
        ({"type": "load", "transcript": {"format": "other"}}, "invalid"),
    ],
)
def test_a_message_that_is_refused_changes_nothing(
    client: Client, message: Json, code: str
) -> None:
    before = client.begin("carcassonne", "random")
    assert client.send(**message)["problem"]["code"] == code
    assert client.ask(type="game", game_id="g") == before


def test_a_transcript_that_was_changed_by_hand_is_refused(client: Client) -> None:
    client.begin("carcassonne", "random")
    client.play()
    transcript = client.ask(type="transcript", game_id="g")
    scores = transcript["result"]["scores"]
    transcript["result"]["scores"] = [scores[0] + 1, *scores[1:]]
    message = {"transcript": transcript, "person": PERSON, "seed": "1", "now": NOW}
    assert client.send(type="load", game_id="h", **message)["problem"]["code"] == "invalid"
    assert client.send(type="game", game_id="h")["problem"]["code"] == "not_found"


def test_what_is_no_json_is_refused() -> None:
    found = json.loads(Engine(OFFERS).handle("{"))
    assert found["problem"]["code"] == "malformed_json"
