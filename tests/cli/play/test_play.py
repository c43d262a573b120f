"""`cartulary play`: the table as text, the moves in words, and a game by numbers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from rich.console import Console

import cartulary
from cartulary.cli.main import main
from cartulary.cli.play.carcassonne import draw_tile
from cartulary.cli.play.replay import replay
from cartulary.cli.play.tables import draw_view, find_words, say_legal_moves
from cartulary.client import Client
from cartulary.locales import LANGUAGES

SEATS = [
    {"seat": 0, "player": {"id": "p", "name": "Ada"}, "bot": None},
    {"seat": 1, "player": None, "bot": "medium"},
]


def make_game(name: str, **more: Any) -> Any:
    standard = {"id": "g", "game": name, "version": 3, "status": "running", "seats": SEATS}
    return {**standard, "decision": None, "view": None, **more}


def show(thing: Any) -> str:
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(thing)
    return console.export_text()


def find_decision(match: cartulary.Match) -> Any:
    found = match.decision
    return None if found is None else found.to_json()


def play_some(name: str, moves: int) -> Any:
    match = cartulary.new_game(name, seats=2, seed=1)
    rng = random.Random(4)
    for _ in range(moves):
        match.play(rng.choice(match.legal_moves()))
    return match


def test_a_tile_is_drawn_as_it_lies() -> None:
    follower = {"seat": 1, "segment": "c0"}
    start = {"tile": "D", "rotation": 0, "follower": None}
    assert draw_tile(start) == [["..", "##", ".."], ["==", "==", "=="], ["..", "..", ".."]]
    turned = draw_tile({**start, "rotation": 90, "follower": follower})
    assert turned == [["..", "||", ".."], ["..", "||", "<1"], ["..", "||", ".."]]
    assert draw_tile({"tile": "B", "rotation": 180, "follower": {"seat": 0, "segment": "f0"}}) == [
        ["..", "..", ".."],
        ["..", "MM", ".."],
        ["..", "..", "<0"],
    ]
    assert draw_tile({"tile": "C", "rotation": 0}) == [["##"] * 3] * 3


@pytest.mark.parametrize("name", ["carcassonne", "caylus"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_names_the_players_and_everything_on_it(name: str, lang: str) -> None:
    match = play_some(name, 12)
    text = show(draw_view(make_game(name), match.view, lang))
    assert "Ada" in text
    assert "{" not in text
    if name == "caylus":
        for space in match.view["road"]:
            called = find_words(name).terms(lang)["buildings"].get(space["building"] or "")
            assert called is None or called in text


def test_a_game_and_a_move_of_a_later_release_are_shown_as_they_are() -> None:
    assert '"pieces": 3' in show(draw_view(make_game("chess"), {"pieces": 3}, "en"))
    legal: Any = {"version": 9, "decision": None, "moves": [{"type": "castle"}]}
    assert say_legal_moves(make_game("chess"), legal, "en") == ['{"type": "castle"}']


LAST = {"version": 4, "type": "game_aborted"}


class Service:
    """A service with one game of Carcassonne, in which Ada moves and then the game is over."""

    def __init__(self) -> None:
        self.match = cartulary.new_game("carcassonne", seats=2, seed=1)
        self.moved: list[Any] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer."""
        path = request.url.path.removeprefix("/api/v1")
        if (request.method, path) == ("POST", "/players"):
            return httpx.Response(201, json={"id": "p", "token": "secret", "name": "Ada"})
        if path == "/players/me":
            return httpx.Response(200, json={"id": "p"})
        if (request.method, path) == ("POST", "/games/g/moves"):
            self.moved.append(json.loads(request.content)["move"])
            return httpx.Response(201, json={"game": self.game(), "events": [LAST], "version": 4})
        answers = {
            "/games": {"games": []} if request.method == "GET" else self.game(),
            "/games/g": self.game(),
            "/games/g/moves": {
                "version": 3,
                "decision": find_decision(self.match),
                "moves": self.match.legal_moves(),
            },
            "/games/g/events": self.page(int(request.url.params.get("after", 0))),
            **{
                f"/games/g/states/{version}": {"version": version, "view": self.match.view}
                for version in (1, 2)
            },
        }
        if path == "/games/g/events/stream":
            if request.headers.get("Last-Event-ID") == "4":
                return httpx.Response(204)
            return httpx.Response(200, text=json.dumps(LAST) + "\n")
        return httpx.Response(200, json=answers[path])

    def game(self) -> Any:
        if self.moved:
            return make_game("carcassonne", status="aborted", version=4, view=self.match.view)
        return make_game("carcassonne", decision=find_decision(self.match), view=self.match.view)

    def page(self, after: int) -> Any:
        events = [
            {"version": n, "type": kind} for n, kind in ((1, "game_created"), (2, "game_started"))
        ]
        return {"events": events if after == 0 else [], "next_after": 2}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    found = Service()
    real = Client

    def connect(url: str, token: str | None, language: str) -> Client:
        return real(url, token, language=language, transport=httpx.MockTransport(found))

    monkeypatch.setattr("cartulary.cli.play.play.Client", connect)
    return found


def test_a_number_makes_the_move(service: Service, tmp_path: Path) -> None:
    token = tmp_path / "token"
    arguments = ["play", "--url=http://x", "--new=carcassonne", f"--token-file={token}"]
    result = CliRunner().invoke(main, arguments, input="nothing\n0\n2\n")
    assert result.exit_code == 0, result.output
    assert service.moved == [service.match.legal_moves()[1]]
    assert token.read_text() == "secret\n"
    assert token.stat().st_mode & 0o777 == 0o600
    assert "The game was called off" in result.output


def test_q_leaves_the_table(service: Service) -> None:
    result = CliRunner().invoke(main, ["play", "--url=http://x"], input="1\nq\n")
    assert result.exit_code == 0, result.output
    assert service.moved == []


def test_a_watched_game_asks_nothing(service: Service) -> None:
    result = CliRunner().invoke(main, ["play", "--url=http://x", "--watch=g"])
    assert result.exit_code == 0, result.output
    assert "##" in result.output
    assert "q>" not in result.output


def test_keys_step_through_a_game(service: Service) -> None:
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    keys = iter(["n", "n", "p", "G", "?", "\x1b[H", "q"])
    with Client("http://x", transport=httpx.MockTransport(service)) as client:
        replay(client, console, "g", "en", lambda: next(keys))
    shown = console.export_text()
    versions = [
        line.split("·")[1].split()[0] for line in shown.splitlines() if "carcassonne ·" in line
    ]
    assert versions == ["1/2", "2/2", "2/2", "1/2", "2/2", "2/2", "1/2"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--url=x"], 2, "http"),
        (["--url=http://x", "--watch=g", "--replay=g"], 2, "choose one"),
        (["--url=http://x", "--new=chess"], 2, "chess"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], code: int, said: str) -> None:
    result = CliRunner().invoke(main, ["play", *arguments])
    assert result.exit_code == code
    assert said in result.output


def test_a_refusal_of_the_service_is_the_answer_no(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = httpx.Response(404, json={"code": "not_found", "detail": "no such game"})
    monkeypatch.setattr(Service, "__call__", lambda *_: refused)
    result = CliRunner().invoke(main, ["play", "--url=http://x", "--watch=g"])
    assert (result.exit_code, "not_found" in result.stderr) == (1, True)


def test_a_file_that_holds_no_token_is_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("two words\n")
    arguments = ["play", "--url=http://x", f"--token-file={tmp_path / 'token'}"]
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, "holds no token" in result.stderr) == (2, True)
