"""What is refused where one stream follows many games."""

from __future__ import annotations

import pytest

from tests.service.support.caller import Caller
from tests.service.support.many_games_reader import NDJSON, ManyGamesReader
from tests.service.support.scene import problem

A, B = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW"


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("", "/games"),
        ("inbox=false", "/games"),
        ("games=", "/games"),
        (f"games={A},{B},{A}", "/games"),
        ("games=" + ",".join(f"g{number}" for number in range(51)), "/games"),
        (f"games={A},", "/games"),
        (f"games=,{A}", "/games"),
        ("games=a%20b", "/games"),
        (f"games={'x' * 65}", "/games"),
        (f"games={A}&inbox=yes", "/inbox"),
        (f"games={A}&include=inbox", "/include"),
        (f"games={A}&after=1,2", "/after"),
        (f"games={A}&after=x", "/after"),
        (f"games={A}&after=-1", "/after"),
        (f"games={A}&after=2147483648", "/after"),
        (f"games={A}&present={B}", "/present"),
        (f"games={A}&games={B}", "/games"),
        (f"games={A}&wait=5", "/wait"),
        (f"games={A}&cursor={'x' * 1001}", "/cursor"),
        (f"games={A}&ticket={'x' * 201}", "/ticket"),
        (f"games={','.join(f'{number:0>64}' for number in range(77))}", "/games"),
        (f"games={A}&after={','.join('1' * 2501)}", "/after"),
        (f"games={A}&include={','.join(['messages'] * 12)}", "/include"),
        (f"inbox=true&inbox_after={'1' * 201}", "/inbox_after"),
    ],
)
def test_what_cannot_be_meant_is_refused_at_its_place(
    ada: Caller, query: str, pointer: str
) -> None:
    body = problem(ada.get(f"/streams?{query}"), 422, "invalid")
    assert [error["pointer"] for error in body["errors"]] == [pointer]


def test_fifty_games_are_not_too_many(ada: Caller) -> None:
    games = [f"g{number}" for number in range(50)]
    with ManyGamesReader(ada, f"games={','.join(games)}") as stream:
        lines = stream.read_to_end()
    assert [line["closed"] for line in lines] == ["not_found"] * 50


def test_the_inbox_needs_a_token(visitor: Caller) -> None:
    problem(visitor.get("/streams?inbox=true"), 401, "token_missing")
    problem(visitor.get(f"/streams?games={A}&inbox=true"), 401, "token_missing")


class TestCursors:
    @pytest.fixture
    def query(self, ada: Caller) -> str:
        return f"games={ada.open()['id']}"

    @pytest.fixture
    def cursor(self, ada: Caller, query: str) -> str:
        with ManyGamesReader(ada, query) as stream:
            stream.read(1)
            return stream.cursor

    def refuse(self, caller: Caller, query: str, cursor: str) -> None:
        problem(caller.get(f"/streams?{query}&cursor={cursor}"), 400, "bad_cursor")
        headers = {"Accept": NDJSON, "Last-Event-ID": cursor}
        problem(caller.get(f"/streams?{query}", headers=headers), 400, "bad_cursor")

    def test_of_another_player(self, bob: Caller, visitor: Caller, query: str, cursor: str) -> None:
        self.refuse(bob, query, cursor)
        self.refuse(visitor, query, cursor)

    def test_of_another_list(self, ada: Caller, query: str, cursor: str) -> None:
        self.refuse(ada, f"games={ada.open()['id']}", cursor)
        self.refuse(ada, f"{query},{A}", cursor)
        self.refuse(ada, f"{query}&inbox=true", cursor)

    def test_forged_or_garbage(self, ada: Caller, query: str, cursor: str) -> None:
        other = "A" if cursor[-3] != "A" else "B"
        self.refuse(ada, query, cursor[:-3] + other + cursor[-2:])
        for garbage in ("x", "17", "%21", "A" * 500):
            self.refuse(ada, query, garbage)
        for padded in (f"{cursor[:4]}!!{cursor[4:]}", f"{cursor}====", f"{cursor}."):
            self.refuse(ada, query, padded)

    @pytest.mark.parametrize("place", ["x", "1.5", "01ARZ:3:your_turn:someone"])
    def test_of_no_inbox(self, ada: Caller, place: str) -> None:
        problem(ada.get(f"/streams?inbox=true&inbox_after={place}"), 400, "bad_cursor")


class TestTickets:
    def ask(self, caller: Caller, query: str) -> str:
        answer = caller.post(f"/streams/ticket?{query}")
        assert answer.status_code == 201, answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        ticket: str = answer.json["ticket"]
        return ticket

    def test_a_ticket_opens_the_stream_of_its_list_once(self, ada: Caller, visitor: Caller) -> None:
        first, second = (ada.open(visibility="private")["id"] for _ in range(2))
        ticket = self.ask(ada, f"games={first},{second}&inbox=true&include=clock")
        query = f"games={second},{first}&inbox=true&ticket={ticket}"
        with ManyGamesReader(visitor, query) as stream:
            assert stream.read(1)[0]["inbox"]["type"] == "snapshot"
            assert len(stream.read(4)) == 4
        problem(visitor.get(f"/streams?{query}"), 401, "ticket_unknown")

    @pytest.mark.parametrize(
        ("asked", "used"),
        [
            (f"games={A}", f"games={B}"),
            (f"games={A}", f"games={A},{B}"),
            (f"games={A},{B}", f"games={A}"),
            (f"games={A}", f"games={A}&inbox=true"),
            (f"games={A}&inbox=true", f"games={A}"),
            (f"games={A}", f"games={A}&include=clock"),
        ],
    )
    def test_a_ticket_of_another_list_is_refused(
        self, ada: Caller, visitor: Caller, asked: str, used: str
    ) -> None:
        ticket = self.ask(ada, asked)
        problem(visitor.get(f"/streams?{used}&ticket={ticket}"), 401, "ticket_unknown")

    def test_a_ticket_of_a_game_or_an_inbox_opens_no_stream_of_many(
        self, ada: Caller, visitor: Caller
    ) -> None:
        game_id = ada.open()["id"]
        for path in (f"/games/{game_id}/events/ticket", "/players/me/inbox/ticket"):
            ticket = ada.post(path).json["ticket"]
            answer = visitor.get(f"/streams?games={game_id}&ticket={ticket}")
            problem(answer, 401, "ticket_unknown")

    def test_an_unknown_ticket_is_refused(self, ada: Caller, visitor: Caller) -> None:
        for caller in (ada, visitor):
            problem(caller.get(f"/streams?games={A}&ticket=x"), 401, "ticket_unknown")

    def test_a_ticket_needs_a_token_and_a_list(self, ada: Caller, visitor: Caller) -> None:
        problem(visitor.post(f"/streams/ticket?games={A}"), 401, "token_missing")
        problem(ada.post(f"/streams/ticket?games={A},{A}"), 422, "invalid")
        problem(ada.post("/streams/ticket"), 422, "invalid")
