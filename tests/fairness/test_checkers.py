"""The independent checkers find what the contract forbids, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from tests.fairness import made
from tests.fairness.checker import Draws, Event, check_events, hash_event, read_events
from tests.fairness.script import broken_version, read_script, run_alone, write_lines
from tests.fairness.tamper import change, each_type, flip, tamper_with

GAMES: dict[str, Callable[[], list[Event]]] = {
    "carcassonne": made.carcassonne,
    "carcassonne, seats shuffled": lambda: made.carcassonne(shuffle=True),
    "carcassonne, 20 outcomes given": lambda: made.carcassonne(given=20),
    "carcassonne, moves taken back": made.taken_back,
    "caylus": made.caylus,
    "caylus, seats shuffled": lambda: made.caylus(shuffle=True),
}
EVERYTHING = {**GAMES, "everything": made.everything}


def chain_again(events: list[Event]) -> list[Event]:
    """Return events with a chain that holds, as a server that cheats would write it."""
    bare = [{k: event[k] for k in event if k not in ("prev", "hash")} for event in events]
    return made.deliver(bare)


@pytest.mark.parametrize("game", EVERYTHING)
def test_the_checker_proves_a_game_made_by_the_contract(game: str) -> None:
    report = check_events(EVERYTHING[game]())
    assert (report.state, report.problems) == ("proved", [])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.process
def test_the_script_proves_a_game_made_by_the_contract(game: str) -> None:
    events = GAMES[game]()
    done = run_alone(write_lines(events))
    assert done.returncode == 0, done.stderr
    draws = check_events(events).draws
    assert done.stdout == f"{len(events)} events, {draws} draws, head {events[-1]['hash']}\n"


def test_the_script_has_forty_lines_at_most() -> None:
    assert len(read_script().splitlines()) <= 40


@pytest.mark.parametrize("game", EVERYTHING)
@pytest.mark.slow
def test_the_checker_names_the_version_of_every_changed_event(game: str) -> None:
    events = EVERYTHING[game]()
    for event in each_type(events):
        version = event["version"]
        for what, changed in tamper_with(event):
            copy = [*events[: version - 1], changed, *events[version:]]
            problems = check_events(copy).problems
            assert problems, (event["type"], what)
            assert problems[0].version == version, (event["type"], what)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_the_script_names_the_version_of_every_changed_event(game: str) -> None:
    events = GAMES[game]()
    for event in each_type(events):
        version = event["version"]
        for what, changed in tamper_with(event):
            copy = [*events[: version - 1], changed, *events[version:]]
            assert broken_version(copy) == version, (event["type"], what)


@pytest.mark.parametrize("game", GAMES)
def test_an_event_that_is_missing_doubled_or_moved_is_named(game: str) -> None:
    events = GAMES[game]()
    at = len(events) // 2
    missing = events[:at] + events[at + 1 :]
    doubled = events[: at + 1] + events[at:]
    moved = [*events[: at - 1], events[at], events[at - 1], *events[at + 1 :]]
    for copy, version in ((missing, at + 1), (doubled, at + 2), (moved, at)):
        assert check_events(copy).problems[0].version == version
        assert broken_version(copy) == version


@pytest.mark.parametrize("version", [5, 30, 70])
def test_another_draw_is_named_although_the_chain_is_written_again(version: int) -> None:
    events = made.carcassonne()
    tile = events[version - 1]["chance"][0]
    other = next(x for e in events[version:] for x in e.get("chance", []) if x != tile)
    changed = change(events[version - 1], ("chance", 0), lambda _: other)
    copy = chain_again([*events[: version - 1], changed, *events[version:]])
    assert check_events(copy).problems[0][:2] == (version, "draw")
    assert broken_version(copy) == version


@pytest.mark.parametrize(
    ("version", "path"),
    [
        *((1, ("seats", 0, "entropy")), (1, ("fair", "commitment")), (4, ("entropy",))),
        *((5, ("setup", "turn_order", 0)), (5, ("setup", "neutrals", 0)), (5, ("seating", 0))),
        (7, ("secret",)),
    ],
)
def test_a_change_to_the_lot_is_found_although_the_chain_is_written_again(
    version: int, path: tuple[str | int, ...]
) -> None:
    events = made.caylus(shuffle=True)
    changed = change(events[version - 1], path, flip)
    copy = chain_again([*events[: version - 1], changed, *events[version:]])
    named = 7 if "commitment" in path or "secret" in path else 5
    assert check_events(copy).problems[0][:2] == (named, "draw")
    assert broken_version(copy) == named


def test_the_checker_finds_seats_that_should_have_been_shuffled() -> None:
    events = made.caylus()
    copy = chain_again([{**events[0], "shuffle_seats": True}, *events[1:]])
    assert check_events(copy).problems[0][:2] == (5, "draw")


@pytest.mark.parametrize("version", [10, 13])
def test_the_checker_finds_another_seed_of_a_bot(version: int) -> None:
    events = made.everything()
    for seed in (lambda seed: flip(seed), lambda _: None):
        changed = change(events[version - 1], ("bot", "seed"), seed)
        copy = chain_again([*events[: version - 1], changed, *events[version:]])
        assert check_events(copy).problems[0][:2] == (version, "draw")


def test_the_checker_finds_an_outcome_that_a_takeback_did_not_keep() -> None:
    events = made.everything()
    kept = events[12]["chance"][0]
    other = next(letter for letter in "ABC" if letter != kept)
    copy = chain_again([*events[:12], {**events[12], "chance": [other]}, *events[13:]])
    assert check_events(copy).problems[0][:2] == (13, "draw")


@pytest.mark.parametrize("flag", ["upcast", "masked"])
def test_the_hash_of_an_event_that_is_delivered_otherwise_is_taken_as_given(flag: str) -> None:
    events = made.caylus()
    shown = {**events[1], "player": {"id": "2", "name": None}, flag: True}
    copy = [events[0], shown, *events[2:]]
    assert check_events(copy).state == "proved"
    assert broken_version(copy) is None
    without = [events[0], {**shown, flag: False}, *events[2:]]
    assert check_events(without).problems[0].version == 2


def test_a_stream_from_before_the_chain_begins_it_at_the_first_new_event() -> None:
    old: list[Event] = [
        {"version": v, "type": "move_made", "seat": 0, "chance": []} for v in (1, 2)
    ]
    old[0] |= {"type": "game_created", "seats": []}
    old = [{**event, "hash": hash_event(event)} for event in old]
    new: Event = {"version": 3, "type": "game_aborted", "prev": old[1]["hash"]}
    events = [*old, {**new, "hash": hash_event(new)}]
    assert check_events(events).state == "null"
    assert broken_version(events) is None
    copy = [old[0], {**old[1], "seat": 1}, events[2]]
    assert check_events(copy).problems[0].version == 2
    assert broken_version(copy) == 2


def test_a_running_game_hides_its_draws_and_a_lost_secret_proves_nothing() -> None:
    events = made.caylus()
    assert check_events(events[:-1]).state == "hidden"
    assert broken_version(events[:-1]) is None
    lost = chain_again([*events[:-1], made.end(None)])
    assert check_events(lost).problems[0][1:] == ("draw", "the secret is lost")


@pytest.mark.process
def test_pages_lines_and_indented_json_are_read_alike() -> None:
    events = made.caylus()
    page = {"events": events, "next_after": len(events)}
    for text in (write_lines(events), write_lines([page]), write_lines([page])[:-1]):
        assert read_events(text) == events
        assert run_alone(text).returncode == 0
    with pytest.raises(ValueError, match="twice"):
        read_events('{"version": 1, "version": 2}')


def test_the_derivation_gives_the_numbers_that_openssl_gives() -> None:
    """The numbers are from `openssl dgst -sha256 -mac HMAC` (`docs/fairness.md`)."""
    draws = Draws(made.SECRET, given=0, entropies=list(made.ENTROPIES))
    created: Event = {"game": "beans"}
    draws._start(created, {"type": "game_started", "setup": {}, "chance": []})  # noqa: SLF001
    assert draws.seed.hex() == "4e640b6a0ca3fc7d588b80ae2a16ca9715f7b0205a4d67916923e1d323b19ecf"
    firsts = (0x7BF013840422B005, 0x8D8EBFB3C13A2DB6, 0xB41A4B762224474B, 0x3826A2915C452F81)
    assert [draws.draw(71) for _ in range(4)] == [first % 71 for first in firsts]
    assert made.Lot(made.SECRET, made.ENTROPIES).bot(2, 1) == "0e72deb58e4b95ad"
    commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert hashlib.sha256(made.SECRET).hexdigest() == commitment


def test_an_attempt_beyond_the_last_whole_round_is_repeated() -> None:
    """With 2^63 + 1 outcomes nearly half of the attempts are thrown away."""
    n = 2**63 + 1
    draws, lot = Draws(made.SECRET, given=0), made.Lot(made.SECRET, made.ENTROPIES)
    draws.seed = lot.seed
    assert [draws.draw(n) for _ in range(20)] == [lot.index(n) for _ in range(20)]


def test_the_hash_is_that_of_canonical_json() -> None:
    """Computed with `openssl dgst -sha256` from the bytes that the contract describes."""
    event = {
        "version": 1,
        "prev": "0" * 64,
        "b": [1, True, None],
        "a": 'é"\\/\n\x1f\x7f🎲',
        "hash": "any",
        "schema": 1,
        "masked": True,
    }
    assert hash_event(event) == "0f46a8b81cf3ae9d8b5b7cc33857e104a269017a6ab50fc30171a512997d6c4b"
