"""The third game, `examples/tictactoe`: new files and one registering line make it complete."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fakeredis
import pytest

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.wiring import provide
from cartulary.workers.worker import make_worker
from examples.tictactoe.bot import play_carefully
from examples.tictactoe.offer import OFFER
from examples.tictactoe.rules import LINES, TicTacToeState
from tests.service.support.caller import API, Caller
from tests.support.package_with_third_game import REGISTERED, ROOT, register_third_game
from tests.support.toy_game import OFFER as BEANS

Json = dict[str, Any]
EXAMPLE = ROOT / "examples" / "tictactoe"
MOST_LINES = 220
GAME = OFFER.name
WITH_IT = {**OFFERS, GAME: OFFER, BEANS.name: BEANS}


def state_of(*cells: int) -> TicTacToeState:
    """The position after marks in these cells, the first seat beginning."""
    state = TicTacToeState()
    for cell in cells:
        state.play(cell)
    return state


@pytest.mark.parametrize("line", LINES)
def test_three_in_a_row_score_a_point_and_end_the_game(line: tuple[int, int, int]) -> None:
    first, second, *_ = (cell for cell in range(9) if cell not in line)
    state = state_of(line[0], first, line[1], second, line[2])
    assert state.over
    assert state.scores == [1, 0]
    assert state.final().winners == [0]


def test_a_full_board_without_three_in_a_row_is_a_draw() -> None:
    state = state_of(0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert state.over
    assert state.final().winners == [0, 1]


def test_the_bot_wins_where_it_can_and_else_prevents_a_loss() -> None:
    assert play_carefully(state_of(0, 3, 1, 4), random.Random(1)) == 2
    assert play_carefully(state_of(0, 8, 1), random.Random(1)) == 2


def test_the_example_is_short() -> None:
    files = [*EXAMPLE.rglob("*.py"), *EXAMPLE.rglob("*.json")]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert sum(bool(line.strip()) for line in lines) <= MOST_LINES


BLOCK = re.compile(
    r"^`(examples/tictactoe/[\w./]+)`:\n\n```\w+\n(.*?)\n```$", re.DOTALL | re.MULTILINE
)


def test_the_page_about_adding_a_game_shows_the_whole_code_of_the_example() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    blocks: dict[str, list[str]] = {}
    for file, block in BLOCK.findall(page):
        assert block in (ROOT / file).read_text(encoding="utf-8"), block[:60]
        blocks.setdefault(file, []).append(block)
    for file in [*EXAMPLE.glob("[a-z]*.py"), *EXAMPLE.rglob("*.json")]:
        shown = "\n".join(blocks[file.relative_to(ROOT).as_posix()])
        written = file.read_text(encoding="utf-8")
        assert shown.replace("\n", "") == written.replace("\n", ""), file
    assert f"\n{REGISTERED}" in page


# -- over HTTP --------------------------------------------------------------------------------


class Table:
    """A service with the third game on offer, and the processes behind it in this one."""

    def __init__(self) -> None:
        redis = fakeredis.FakeRedis()
        self.store = Store(redis, WITH_IT, rng=random.Random(3))
        self.queue = queues_on(redis)
        self._dispatcher = Dispatcher(self.store, self.queue)
        app = create_app(WebSettings(log_requests=False), self.store, WITH_IT)
        client = app.test_client()
        made = client.post(f"{API}/players", json={"name": "Ada"}).get_json()
        self.ada = Caller(client, made["token"], made["id"])

    def open(self, game: str, bot: str) -> str:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
        answer = self.ada.post("/games", {"game": game, "seats": seats})
        assert answer.status_code == 201, answer.text
        game_id: str = answer.json["id"]
        return game_id

    def work(self) -> None:
        """Run the dispatcher and the worker until nothing is left to do."""
        while self._dispatcher.step() or self.queue.job_ids:
            make_worker(self.queue).work(burst=True, logging_level="WARNING")

    def play_out(self, game_id: str) -> Json:
        """Answer with the first legal move until the game is over; returns the game."""
        for _ in range(1000):
            self.work()
            game: Json = self.ada.get(f"/games/{game_id}").json
            if game["status"] == "over":
                return game
            assert self.ada.move(game_id).status_code == 201
        raise AssertionError(f"{game_id} does not end")


@pytest.fixture
def table() -> Iterator[Table]:
    opened = Table()
    provide(opened.store, WITH_IT)
    yield opened
    provide(opened.store, {})


@pytest.fixture
def over(table: Table) -> Json:
    """A game that Ada has played to the end against the bot of the game."""
    return table.play_out(table.open(GAME, "careful"))


@pytest.mark.slow
def test_it_is_played_over_http_to_the_end_against_its_bot(table: Table, over: Json) -> None:
    assert over["result"]["winners"]
    events = table.ada.get(f"/games/{over['id']}/events?limit=100").json["events"]
    assert {event["seat"] for event in events if event["type"] == "move_made"} == {0, 1}
    report = table.ada.get(f"/games/{over['id']}/verification").json
    assert report["valid"], report


@pytest.mark.slow
def test_every_moment_of_it_can_be_seen_again(table: Table, over: Json) -> None:
    for version in range(2, over["version"] + 1):
        state = table.ada.get(f"/games/{over['id']}/states/{version}").json
        picture = table.ada.get(f"/games/{over['id']}/board.svg?version={version}")
        marks = sum(cell is not None for cell in state["view"]["cells"])
        root = ElementTree.fromstring(picture.data)
        cells = [e for e in root.iter() if e.get("data-x")]
        assert len(cells) == 9
        assert sum(any("seal" in (use.get("href") or "") for use in e) for e in cells) == marks


@pytest.mark.slow
def test_a_transcript_of_it_goes_out_and_comes_in(table: Table, over: Json) -> None:
    transcript = table.ada.get(f"/games/{over['id']}/transcript").json
    answer = table.ada.post("/games/import", transcript)
    assert answer.status_code == 201, answer.text
    # Who imports a game sits on all seats, also on those of the bots.
    outcomes = {"outcomes": ["finished", "finished"]}
    assert answer.json["result"] == {**over["result"], **outcomes}
    assert table.ada.get(f"/games/{answer.json['id']}/transcript").json == transcript


@pytest.mark.slow
def test_its_story_is_in_english_where_it_has_no_other_words(table: Table, over: Json) -> None:
    path = f"/games/{over['id']}/story"
    lines = table.ada.get(path, headers={"Accept-Language": "pl"}).json["lines"]
    assert any("column" in line["text"] for line in lines)
    assert lines[-1]["text"].startswith("Punkty policzone")


def test_the_catalogue_shows_it_with_its_bots(table: Table) -> None:
    games = {game["name"]: game for game in table.ada.get("/catalogue").json["games"]}
    assert list(games) == list(WITH_IT)
    assert games[GAME]["title"] == "Tic-tac-toe"
    assert games[GAME]["seats"] == {"from": 2, "to": 2}
    assert [bot["name"] for bot in games[GAME]["bots"]] == ["random", "careful"]


def test_the_client_gets_its_words_and_the_general_controls_and_icon(table: Table) -> None:
    words = table.ada.client.get("/locales/nl.json").get_json()
    assert words["terms"][GAME]["title"] == "Tic-tac-toe"
    assert words["ui"][GAME]["moves"]["mark"] == "Column {x}, row {y}"
    general = table.ada.client.get("/js/play/general/index.js").data
    assert table.ada.client.get(f"/js/play/{GAME}/index.js").data == general
    assert table.ada.client.get("/js/play/chess/index.js").status_code == 404
    assert table.ada.client.get(f"/icons/{GAME}.svg").mimetype == "image/svg+xml"
    assert table.ada.client.get("/icons/chess.svg").status_code == 404


def test_an_illegal_move_is_explained(table: Table) -> None:
    game_id = table.open(GAME, "careful")
    refused = table.ada.move(game_id, {"type": "mark", "x": 3, "y": 0})
    assert (refused.status_code, refused.json["code"]) == (422, "illegal_move")


def test_a_game_without_a_picture_is_played_without_one(table: Table) -> None:
    game_id = table.open("beans", "random")
    table.work()
    picture = table.ada.get(f"/games/{game_id}/board.svg")
    assert (picture.status_code, picture.json["code"]) == (404, "not_found")
    answer = table.ada.post(
        f"/games/{game_id}/moves?board=tall", {"move": table.ada.legal(game_id)[0]}
    )
    assert answer.status_code == 201
    assert answer.json["board"] is None


# -- registered by one line -------------------------------------------------------------------


def cartulary(folder: Path, *arguments: str, module: str = "cartulary.cli") -> str:
    """Run a module of the package in `folder`; returns what it printed."""
    command = [sys.executable, "-m", module, *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.slow
def test_one_line_registers_it_for_every_command(tmp_path: Path) -> None:
    folder = register_third_game(tmp_path)
    arguments = ("simulate", GAME, "--seats=2", "--players=careful,random", "--games=3")
    cartulary(folder, *arguments, "--out=played")
    files = sorted(str(path) for path in (folder / "played").iterdir())
    assert len(files) == 3
    cartulary(folder, "verify", *files)
    assert "data-x" in cartulary(folder, "draw", files[0])
    assert json.loads(cartulary(folder, "verify", "--trace", files[0]).splitlines()[0])
    cartulary(folder, module="cartulary.service.describe")
    assert GAME in (folder / "openapi.yaml").read_text(encoding="utf-8")
