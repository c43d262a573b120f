"""The client tells every event with the same words as the service."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from cartulary import locales
from cartulary.engine.core import Json
from cartulary.locales.reasoning import Sentences
from cartulary.locales.story import StoryTeller
from cartulary.service.openapi.examples import EVENTS
from tests.locales.test_story import HAPPENINGS, NAMES, events
from tests.support.games import ALL_OFFERS
from tests.support.missing_tools import missing

SOURCES = Path(__file__).parents[2] / "web" / "js"
TELL = Path(__file__).parent / "tell.mjs"
GAMES = ("carcassonne", "caylus")

SEATS = [{"player": {"id": name, "name": name}} for name in NAMES]
RESULT = {
    "scores": [40, 31, 7],
    "winners": [1, 2],
    "ranks": [3, 1, 2],
    "outcomes": ["resigned", "finished", "bot"],
    "ended_by": "play",
}
REASONS = [
    {"type": "closes_city", "seat": 0, "points": 4},
    {"type": "home", "seat": 0, "followers": 2},
    {"type": "costs", "seat": 0, "goods": {"wood": 1, "deniers": 2}},
]


def stories(game: str) -> list[list[Json]]:
    """Two random games, one with a stand-in, and each kind of event that is no move."""
    played = [
        [{**one, "version": at} for at, one in enumerate(events(game, seed))] for seed in (3, 4)
    ]
    by_bot = {"by": "stand_in", "bot": {"level": "medium"}}
    ends = [
        {"type": "game_scored", "result": RESULT | {"ended_by": by}} for by in ("play", "forfeits")
    ]
    return [
        played[0],
        [{**one, **by_bot} for one in played[1]],
        [*EVENTS.values(), *(event for event, _ in HAPPENINGS), *ends],
    ]


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client's modules that every node takes for modules."""
    if shutil.which("node") is None:
        missing("the client's modules need node, and node is not installed")
    folder = tmp_path_factory.mktemp("web")
    shutil.copytree(SOURCES, folder / "js")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return folder


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.process
def test_the_client_tells_every_event_as_the_service_does(lang: str, modules: Path) -> None:
    told = [(game, story) for game in GAMES for story in stories(game)]
    asked = {
        "language": lang,
        "words": locales.join(lang, {game: ALL_OFFERS[game].words for game in GAMES}),
        "stories": [
            {"game": {"game": game, "seats": SEATS}, "events": story} for game, story in told
        ],
        "reasons": REASONS,
    }
    answer = subprocess.run(
        ["node", TELL, modules],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    by_client = json.loads(answer.stdout)
    for (game, story), lines in zip(told, by_client["stories"], strict=True):
        teller = StoryTeller(lang, ALL_OFFERS[game].words, NAMES)
        assert lines == [teller.tell(event) for event in story]
    sentences = Sentences(lang, NAMES)
    for game, said in by_client["reasons"].items():
        assert said == sentences.say(ALL_OFFERS[game].words, REASONS)
