"""Proposals over HTTP: bodies, statuses, headers and codes; the rules are in `tests/events`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.opened_tables import open_table
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored


@pytest.fixture
def game(ada: Caller, bob: Caller, store: Store) -> str:
    """The path of a game of Carcassonne by consent, after a whole turn of the first player."""
    table = open_table(store, [Player(ada.id, "Ada"), Player(bob.id, "Bob")], game="carcassonne")
    for _ in range(2):
        ada.move(table.id)
    return f"/games/{table.id}"


def place(caller: Caller, game: str) -> None:
    """Lay a tile; the question about a follower is open then."""
    answer = caller.move(game.removeprefix("/games/"))
    assert answer.json["game"]["decision"]["kind"] == "place_follower"


class TestFree:
    def test_a_misclick_is_undone_by_one_request(self, game: str, bob: Caller) -> None:
        before = bob.get(game).json
        place(bob, game)
        assert bob.get(game).json["takeback"] == {"seat": 1, "free_to": before["version"]}
        answer = bob.post(f"{game}/proposals", {"kind": "takeback"})
        assert answer.status_code == 201
        assert [event["type"] for event in answer.json["events"]] == ["moves_taken_back"]
        after = answer.json["game"]
        assert (after["view"], after["decision"]) == (before["view"], before["decision"])
        assert answer.headers["ETag"] == f'"v{answer.json["version"]}"'
        assert bob.get(game).json == after

    @pytest.mark.slow
    def test_a_key_takes_back_once(self, game: str, bob: Caller) -> None:
        place(bob, game)
        body, headers = {"kind": "takeback"}, {"Idempotency-Key": "once"}
        first = bob.post(f"{game}/proposals", body, headers=headers)
        again = bob.post(f"{game}/proposals", body, headers=headers)
        assert (again.status_code, again.json) == (201, first.json)
        assert again.headers["Idempotency-Replayed"] == "true"
        other = bob.post(f"{game}/proposals", {"kind": "end"}, headers=headers)
        problem(other, 422, "idempotency_mismatch")

    def test_the_version_that_a_client_knows_decides(self, game: str, bob: Caller) -> None:
        place(bob, game)
        version = bob.get(game).json["version"]
        body = {"kind": "takeback", "expected_version": version - 1}
        stale = problem(bob.post(f"{game}/proposals", body), 409, "stale_version")
        assert stale["current_version"] == version
        body = {"kind": "takeback"}
        old = {"If-Match": f'"v{version - 1}"'}
        problem(bob.post(f"{game}/proposals", body, headers=old), 412, "stale_version")
        now = {"If-Match": f'"v{version}"'}
        assert bob.post(f"{game}/proposals", body, headers=now).status_code == 201

    def test_a_move_on_the_old_position_is_refused_after_a_takeback(
        self, game: str, bob: Caller
    ) -> None:
        place(bob, game)
        version, moves = bob.get(game).json["version"], bob.legal(game.removeprefix("/games/"))
        bob.post(f"{game}/proposals", {"kind": "takeback"})
        body = {"move": moves[0], "expected_version": version}
        problem(bob.post(f"{game}/moves", body), 409, "stale_version")


class TestConsent:
    def test_asked_answered_done(self, game: str, ada: Caller, bob: Caller) -> None:
        answer = ada.post(f"{game}/proposals", {"kind": "takeback"})
        (made,) = answer.json["events"]
        assert (answer.status_code, made["type"], made["needs"]) == (201, "proposal_made", [1])
        assert answer.json["game"]["proposal"]["id"] == made["version"]
        done = bob.post(f"{game}/proposals/{made['version']}/answers", {"answer": "accept"})
        assert done.status_code == 201
        types = [event["type"] for event in done.json["events"]]
        assert types == ["proposal_answered", "proposal_closed", "moves_taken_back"]
        assert done.json["game"]["proposal"] is None
        assert done.json["game"]["decision"]["seat"] == 0

    def test_a_move_of_another_player_answers_with_the_move_and_what_lapsed(
        self, game: str, ada: Caller, bob: Caller
    ) -> None:
        ada.post(f"{game}/proposals", {"kind": "takeback"})
        answer = bob.move(game.removeprefix("/games/"))
        types = [event["type"] for event in answer.json["events"]]
        assert types == ["proposal_closed", "move_made"]
        assert answer.json["event"]["type"] == "move_made"
        headers = {"Prefer": "return=minimal"}
        assert bob.move(game.removeprefix("/games/"), headers=headers).json["event"]["seat"] == 1

    def test_the_same_answer_again_is_a_200_without_events(
        self, ada: Caller, bob: Caller, register: Callable[[str], Caller], store: Store
    ) -> None:
        eve = register("Eve")
        sitting = [Player(who.id, "A player") for who in (ada, bob, eve)]
        game = f"/games/{open_table(store, sitting, game='caylus').id}"
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["version"]
        path, body = f"{game}/proposals/{made}/answers", {"answer": "accept"}
        assert bob.post(path, body).status_code == 201
        again = bob.post(path, body)
        assert (again.status_code, again.json["events"]) == (200, [])
        problem(bob.post(path, {"answer": "decline"}), 403, "not_asked")

    def test_withdrawn(self, game: str, ada: Caller, bob: Caller) -> None:
        made = ada.post(f"{game}/proposals", {"kind": "abort"}).json["version"]
        path = f"{game}/proposals/{made}"
        problem(bob.delete(path), 403, "not_seated")
        answer = ada.delete(path)
        assert (answer.status_code, answer.json["events"][0]["outcome"]) == (200, "withdrawn")
        problem(ada.delete(path), 409, "proposal_closed")

    def test_all_agree_to_end(self, game: str, ada: Caller, bob: Caller, store: Store) -> None:
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["version"]
        done = bob.post(f"{game}/proposals/{made}/answers", {"answer": "accept"})
        assert done.json["game"]["status"] == "scoring"

    def test_the_preference_answers(self, game: str, ada: Caller, bob: Caller) -> None:
        bob.patch("/players/me", {"preferences": {"takebacks": "always"}})
        events = ada.post(f"{game}/proposals", {"kind": "takeback"}).json["events"]
        assert [event["type"] for event in events] == [
            *("proposal_made", "proposal_answered", "proposal_closed", "moves_taken_back")
        ]
        assert events[1]["auto"] is True


class TestRefusals:
    def refuse(self, caller: Caller, game: str, body: Any, status: int, code: str) -> None:
        problem(caller.post(f"{game}/proposals", body), status, code)

    def test_each_code(self, game: str, ada: Caller, bob: Caller, store: Store) -> None:
        takeback = {"kind": "takeback"}
        self.refuse(bob, game, takeback, 409, "nothing_to_take_back")
        bob.patch("/players/me", {"preferences": {"takebacks": "never"}})
        before = stored(store)
        self.refuse(ada, game, takeback, 409, "takebacks_off")
        assert stored(store) == before
        bob.patch("/players/me", {"preferences": {"takebacks": "ask"}})
        made = ada.post(f"{game}/proposals", takeback).json["version"]
        before = stored(store)
        self.refuse(ada, game, takeback, 409, "proposal_open")
        answers = f"{game}/proposals/{made}/answers"
        not_asked = problem(ada.post(answers, {"answer": "accept"}), 403, "not_asked")
        assert not_asked["detail"] == "the proposal does not ask you"
        assert stored(store) == before
        bob.post(answers, {"answer": "decline"})
        before = stored(store)
        self.refuse(ada, game, takeback, 409, "asked_before")
        problem(bob.post(answers, {"answer": "accept"}), 409, "proposal_closed")
        assert stored(store) == before

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, "/kind"),
            ({"kind": "pause"}, "/until"),
            ({"kind": "redo"}, "/kind"),
            ({"kind": "takeback", "to_version": 0}, "/to_version"),
            ({"kind": "takeback", "to_version": 1}, "/to_version"),
            ({"kind": "takeback", "to_version": 99}, "/to_version"),
            ({"kind": "takeback", "to_version": "2"}, "/to_version"),
            ({"kind": "end", "to_version": 2}, "/to_version"),
            ({"kind": "end", "target": 1}, "/target"),
        ],
    )
    @pytest.mark.slow
    def test_what_cannot_be_meant(
        self, game: str, ada: Caller, store: Store, body: dict[str, Any], pointer: str
    ) -> None:
        before = stored(store)
        answer = ada.post(f"{game}/proposals", body)
        assert pointer in pointers(problem(answer, 422, "invalid"))
        assert stored(store) == before

    def test_an_answer_that_cannot_be_meant(self, game: str, ada: Caller, bob: Caller) -> None:
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["version"]
        answer = bob.post(f"{game}/proposals/{made}/answers", {"answer": "perhaps"})
        assert pointers(problem(answer, 422, "invalid")) == ["/answer"]

    @pytest.mark.slow
    @pytest.mark.parametrize("number", ["2", "99", "0"])
    def test_what_is_no_proposal_is_not_found(
        self, game: str, ada: Caller, bob: Caller, number: str
    ) -> None:
        ada.post(f"{game}/proposals", {"kind": "end"})
        path = f"{game}/proposals/{number}"
        problem(bob.post(f"{path}/answers", {"answer": "accept"}), 404, "not_found")
        problem(ada.delete(path), 404, "not_found")

    def test_strangers(self, game: str, register: Callable[[str], Caller], ada: Caller) -> None:
        eve = register("Eve")
        self.refuse(eve, game, {"kind": "takeback"}, 403, "not_seated")
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["version"]
        answer = eve.post(f"{game}/proposals/{made}/answers", {"answer": "accept"})
        problem(answer, 403, "not_seated")

    def test_a_game_that_does_not_run(self, ada: Caller) -> None:
        game = f"/games/{ada.open('me', 'open')['id']}"
        self.refuse(ada, game, {"kind": "takeback"}, 409, "game_not_running")

    def test_nobody_takes_back_in_a_game_of_earlier_releases(
        self, ada: Caller, bob: Caller, store: Store
    ) -> None:
        sitting = [Player(ada.id, "Ada"), Player(bob.id, "Bob")]
        game = f"/games/{open_table(store, sitting, 'none', game='carcassonne').id}"
        place(ada, game)
        self.refuse(ada, game, {"kind": "takeback"}, 409, "takebacks_off")


class TestDescribe:
    def test_no_cache_keeps_it(self, game: str, ada: Caller, visitor: Caller) -> None:
        for caller in (ada, visitor):
            answer = caller.get(f"{game}/proposals")
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
            assert "ETag" not in answer.headers

    def test_what_each_may(self, game: str, ada: Caller, bob: Caller, visitor: Caller) -> None:
        place(bob, game)
        free_to = bob.get(game).json["takeback"]["free_to"]
        for caller, takeback in (
            (bob, {"free_to": free_to, "ask": True, "why_not": None, "own": True}),
            (ada, {"free_to": None, "ask": True, "why_not": None, "own": True}),
            (visitor, {"free_to": None, "ask": False, "why_not": "not_seated", "own": False}),
        ):
            shown = caller.get(f"{game}/proposals").json
            assert (shown["open"], shown["may"]["takeback"]) == (None, takeback)

    def test_never_is_said_beforehand(self, game: str, ada: Caller, bob: Caller) -> None:
        bob.patch("/players/me", {"preferences": {"takebacks": "never"}})
        takeback = ada.get(f"{game}/proposals").json["may"]["takeback"]
        assert takeback["why_not"] == "takebacks_off"
        assert (takeback["free_to"], takeback["ask"]) == (None, False)
