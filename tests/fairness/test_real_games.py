"""Games played on a real `serve` are proved by checkers that were written from the contract alone.

The service, its command and the independent checkers must agree, on whole and on tampered copies.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import requests
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.audit.offline import verify_delivered
from cartulary.games import GAMES
from tests.fairness.checker import Event, check_events
from tests.fairness.people import Person, play_out, read_game, read_text, verify
from tests.fairness.script import broken_version, run_alone, write_lines
from tests.fairness.tamper import each_type, tamper_with
from tests.support.night import at_night, short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(300)]

KINDS = ["carcassonne", "caylus"]


@pytest.fixture(scope="module")
def served(shared_service: Served) -> Served:
    return shared_service


@pytest.fixture(scope="module")
def people(served: Served) -> list[Person]:
    return [Person(served.url, name) for name in ("Ada Żółć", "Боб 42", "山田太郎")]


def _with_bots(kind: str, people: list[Person]) -> str:
    """One person among bots, seats as asked for."""
    game = people[0].open(kind, "me", "random", "greedy")
    play_out(game, people[0])
    return game


def _by_lot(kind: str, people: list[Person]) -> str:
    """Five seats: a commitment beforehand, people who leave and come, a player on two seats."""
    ada, bob, cat = people
    made = ada.ask("POST", "/fair/commitments")
    kinds = ("open", "me", "random", "open", "me")
    game = ada.open(kind, *kinds, shuffle_seats=True, commitment=made["id"])
    bob.join(game, 3, entropy=bob.entropy)
    bob.leave(game, 3)
    bob.join(game, 0)  # without an entropy: an empty string
    cat.join(game, 3, entropy=cat.entropy)
    play_out(game, *people)
    created = read_game(ada.url.removesuffix("/api/v1"), game)[0]
    assert created["fair"]["commitment"] == made["commitment"]
    return game


def _imported(kind: str, people: list[Person]) -> str:
    """An unfinished game as a file, played on: the outcomes of the file are given."""
    ada = people[0]
    first = ada.open(kind, "me", "me")
    play_out(first, ada, turns=9)
    transcript = {**ada.export(first), "note": {"é": [1, "\u007f"]}}
    game: str = ada.ask("POST", "/games/import", {**transcript, "entropy": ada.entropy})["id"]
    play_out(game, ada)
    return game


def _puzzle(kind: str, people: list[Person]) -> str:
    """A file with a bag of its own, of which nothing is drawn yet; without chance in Caylus."""
    ada = people[0]
    first = ada.export(ada.open(kind, "me", "me"))
    bag = {"draws": [], "bag": {"V": 3, "A": 2, "U": 2}} if kind == "carcassonne" else {}
    game: str = ada.ask("POST", "/games/import", {**first, "moves": [], **bag})["id"]
    play_out(game, ada)
    return game


def _left(kind: str, people: list[Person]) -> str:
    """A game that ends before it starts reveals its secret as well."""
    bob = people[1]
    game = bob.open(kind, "me", "open")
    bob.leave(game, 0)
    return game


def _taken_back(kind: str, people: list[Person]) -> str:
    """One person among bots goes back several times, once to the start."""
    ada = people[0]
    game = ada.open(kind, "me", "random", "me")
    for back in ({}, {"to_version": 2}, {}):
        play_out(game, ada, turns=12)
        done = ada.ask("POST", f"/games/{game}/proposals", {"kind": "takeback", **back})
        assert [event["type"] for event in done["events"]] == ["moves_taken_back"]
    play_out(game, ada)
    return game


PLAYED: dict[str, Callable[[str, list[Person]], str]] = {
    "with bots": _with_bots,
    "by lot": _by_lot,
    "imported": _imported,
    "puzzle": _puzzle,
    "left": _left,
    "taken back": _taken_back,
}
DRAWS = {
    ("carcassonne", "with bots"): 71,
    ("carcassonne", "by lot"): 5 + 71,
    ("carcassonne", "puzzle"): 7,
    ("carcassonne", "left"): 0,
    ("carcassonne", "taken back"): 71,
    ("caylus", "with bots"): 3 + 6,
    ("caylus", "by lot"): 5 + 5 + 6,
    ("caylus", "imported"): 0,
    ("caylus", "puzzle"): 0,
    ("caylus", "left"): 0,
    ("caylus", "taken back"): 3 + 6,
}


WHOLLY_TAMPERED = {("carcassonne", "puzzle"), ("carcassonne", "left"), ("caylus", "left")}
"""Short games: each change to them is checked for each commit. At night that holds of all games."""

OTHERS = 8
"""For a commit each eighth change to the other games is checked.

`test_checkers.py` checks every change to the games that are made by the contract.
"""


class FairGame(NamedTuple):
    """A game that was played to its end, with its events as pages deliver them."""

    kind: str
    name: str
    id: str
    events: list[Event]


@pytest.fixture(scope="module")
def play(served: Served, people: list[Person]) -> Callable[[str, str], FairGame]:
    """Play a game in a way of `PLAYED`: once, however many tests look at it."""

    @cache
    def play_once(kind: str, name: str) -> FairGame:
        game = PLAYED[name](kind, people)
        return FairGame(kind, name, game, read_game(served.url, game))

    return play_once


BY_DAY = [
    ("carcassonne", "with bots"),
    ("caylus", "by lot"),
    ("caylus", "imported"),
    ("carcassonne", "puzzle"),
    ("caylus", "left"),
    ("carcassonne", "taken back"),
]
"""Each way of a game, of one kind or the other; at night of both."""


@pytest.fixture(params=short_or_long(BY_DAY, [(k, p) for k in KINDS for p in PLAYED]), ids=" ".join)
def played(request: pytest.FixtureRequest, play: Callable[[str, str], FairGame]) -> FairGame:
    return play(*request.param)


def run_verify(file: Path) -> Result:
    """Run `cartulary verify --fair` on a file."""
    return CliRunner().invoke(main, ["verify", "--fair", str(file)])


def test_everybody_proves_a_finished_game(served: Served, played: FairGame, tmp_path: Path) -> None:
    kind, name, game, events = played
    text = read_text(served.url, game)
    report, said = check_events(events), verify(served.url, game)
    assert (report.state, report.problems) == ("proved", [])
    assert (said["valid"], said["fair"]["state"]) == (True, "proved")
    assert said["head"] == report.head
    assert said["fair"]["draws"] == report.draws == DRAWS.get((kind, name), report.draws)
    script = run_alone(text)
    assert script.returncode == 0, script.stderr
    assert f"{report.draws} draws, head {report.head}" in script.stdout
    file = tmp_path / "game.ndjson"
    file.write_text(text, encoding="utf-8")
    verified = run_verify(file)
    assert verified.exit_code == 0, verified.output


def test_everybody_names_the_version_of_a_changed_event(played: FairGame) -> None:
    events = played.events
    wholly = (played.kind, played.name) in WHOLLY_TAMPERED
    for event in each_type(events):
        version = event["version"]
        changes = list(tamper_with(event))[:: 1 if wholly else short_or_long(OTHERS, 1)]
        for number, (what, changed) in enumerate(changes):
            copy = [*events[: version - 1], changed, *events[version:]]
            assert check_events(copy).problems[0].version == version, (event["type"], what)
            if number % 3 == 0:  # the tests of made games run the script on every change
                assert broken_version(copy) == version, (event["type"], what)


@pytest.mark.parametrize("kind", short_or_long(["caylus"], KINDS))
def test_the_command_names_the_version_of_a_changed_event(
    play: Callable[[str, str], FairGame], tmp_path: Path, kind: str
) -> None:
    events = play(kind, "by lot").events
    for event in each_type(events):
        version = event["version"]
        # Every change takes a replay of the game.
        for what, changed in list(tamper_with(event))[:: short_or_long(15, 5)]:
            if "type" not in changed or type(changed.get("version")) is not int:
                continue  # the command says that these are not the events of a game
            copy = [*events[: version - 1], changed, *events[version:]]
            problems = verify_delivered(GAMES, copy)["problems"]
            assert problems, (event["type"], what)
            assert problems[0]["version"] == version, (event["type"], what, problems)
    file = tmp_path / "game.ndjson"
    file.write_text(write_lines(copy), encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", "--fair", str(file)])
    assert done.exit_code == 1
    assert str(version) in done.stdout + done.stderr


def test_a_running_game_says_that_its_draws_are_hidden(
    served: Served, people: list[Person]
) -> None:
    game = people[0].open("carcassonne", "me", "me")
    assert verify(served.url, game)["fair"]["state"] == "hidden"
    assert check_events(read_game(served.url, game)).state == "hidden"
    assert broken_version(read_game(served.url, game)) is None


@pytest.mark.parametrize("kind", short_or_long(["caylus"], KINDS))
def test_a_finished_game_that_is_imported_has_no_proof(
    served: Served, people: list[Person], play: Callable[[str, str], FairGame], kind: str
) -> None:
    ada = people[0]
    first = play(kind, "by lot").id
    game = ada.ask("POST", "/games/import", ada.export(first))["id"]
    assert verify(served.url, game)["fair"] is None
    events = read_game(served.url, game)
    assert check_events(events).state == "null"
    assert events[0]["fair"] is None
    assert broken_version(events) is None


@at_night(
    "tests/e2e/test_fair_draws.py::"
    "test_another_key_ends_the_start_and_a_running_game_goes_on_with_a_renewed_secret"
)
def test_a_game_whose_key_is_lost_goes_on_with_another_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    with Served(data) as service:
        ada = Person(service.url, "Ada")
        game = ada.open("carcassonne", "me", "greedy")
        play_out(game, ada, turns=15)
        waiting = ada.open("caylus", "me", "open")
    monkeypatch.setenv("CARTULARY_SECRET", "a7" * 32)
    with Served(data, "--renew-draws") as service:
        ada.url = f"{service.url}/api/v1"
        bob = Person(service.url, "Bob")
        bob.join(waiting, 1, entropy=bob.entropy)
        for one in (game, waiting):
            play_out(one, ada, bob, turns=15)
            ada.ask("POST", f"/games/{one}/resignation", {})
        play_out(waiting, bob)
        for one, before_start in ((game, False), (waiting, True)):
            events, said = read_game(service.url, one), verify(service.url, one)
            report = check_events(events)
            assert (report.state, report.problems) == ("proved", [])
            assert (said["valid"], said["fair"]["state"]) == (True, "proved")
            assert said["fair"]["renewed_at"] == report.renewed_at
            assert said["fair"]["draws"] == report.draws
            (renewed,) = report.renewed_at
            (started,) = (e["version"] for e in events if e["type"] == "game_started")
            assert (renewed < started) == before_start
            assert report.draws > 0


def _traces(served: Served, game: str) -> bytes:
    """Return everything about a game that a person could read before its end."""
    files = [
        path for path in served.data.rglob("*") if path.is_file() and path.name != "secret.key"
    ]
    paths = ("", "/moves", "/events", "/transcript", "/verification", "/board.svg", "/story")
    pages = [read_any(f"{served.url}/api/v1/games/{game}{path}") for path in paths]
    pages += [read_any(f"{served.url}{path}") for path in ("/readyz", "/metrics")]
    return b"".join([*(file.read_bytes() for file in files), served.log().encode(), *pages])


def read_any(address: str) -> bytes:
    return requests.get(address, timeout=60).content


@at_night(
    "tests/e2e/test_fair_draws.py::"
    "test_the_secret_is_nowhere_before_the_end_and_proves_the_draws_after_it"
)
def test_nothing_shows_the_secret_before_the_end(served: Served, people: list[Person]) -> None:
    ada = people[0]
    made = ada.ask("POST", "/fair/commitments")
    game = ada.open("carcassonne", "me", "random", commitment=made["id"])
    play_out(game, ada, turns=15)
    traces = _traces(served, game)
    play_out(game, ada)
    secret = bytes.fromhex(read_game(served.url, game)[-1]["secret"])
    assert made["commitment"].encode() in traces
    forms = [
        *(secret, secret.hex().encode(), secret.hex().upper().encode(), secret[::-1]),
        *(base64.b64encode(secret)[:-1], base64.urlsafe_b64encode(secret)[:-1]),
        json.dumps(list(secret)).encode(),
    ]
    assert [form for form in forms if form in traces] == []
