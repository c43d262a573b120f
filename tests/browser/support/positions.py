"""Positions in the middle of a game, made from the transcripts of the test cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Page

from cartulary.engine.chance import Chance
from cartulary.games import GAMES
from tests.support.real_serve import Served

Json = dict[str, Any]

CASES = Path(__file__).parents[2] / "cases"
NAMES = ["Wanda", "Konrad", "Zofia", "Emil", "Ola"]


class Listed:
    """Answers draws from a list, and counts how many it has answered."""

    def __init__(self, outcomes: list[str]) -> None:
        self.outcomes = outcomes
        self.count = 0

    def draw(self, _: Chance) -> str:
        """Return the next outcome."""
        self.count += 1
        return self.outcomes[self.count - 1]


def cut(game: str, case: str, moves: int) -> Json:
    """Return the transcript of a case as it was after so many moves."""
    told = json.loads((CASES / game / f"{case}.json").read_text())
    keys = ("format", "game", "options", "seats", "setup")
    rules, draws = GAMES[game], Listed(told["draws"])
    setup = rules.setup_of_transcript(told["setup"], told["draws"], told.get("bag", {}))
    state = rules.new(told["seats"], told["options"], setup)
    state.settle(draws)
    for entry in told["moves"][:moves]:
        state.apply(entry["move"], draws)
    bag = rules.bag(state)
    return {
        **{key: told[key] for key in keys},
        "players": NAMES[: told["seats"]],
        "moves": told["moves"][:moves],
        "draws": told["draws"][: draws.count],
        **({} if bag is None else {"bag": bag}),
    }


def sit_in(served: Served, page: Page, transcript: Json) -> str:
    """Import a transcript, sit on all seats, open the table; return its address in the API."""
    api = f"{served.url}/api/v1"
    known = requests.post(f"{api}/players", json={"name": "Ada"}, timeout=60).json()
    head = {"Authorization": f"Bearer {known['token']}"}
    made = requests.post(f"{api}/games/import", json=transcript, headers=head, timeout=60)
    assert made.status_code == 201, made.text
    kept = json.dumps(json.dumps(known))
    page.add_init_script(f"localStorage['cartulary.player'] = {kept}")
    page.goto(f"/games/{made.json()['id']}")
    page.locator(".panel .question").wait_for()
    return f"{api}/games/{made.json()['id']}"
