"""Games that a player left, as transcripts: out of streams, and into streams."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.company import Company
from cartulary.engine.ranking import FORFEITED
from cartulary.engine.transcript import from_json, verify
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.errors import Invalid, NothingToTakeBack
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import GAMES
from cartulary.match import Match, new_game
from tests.events.support.bean_games import ME, OPEN, exported

Json = dict[str, Any]
PEOPLE = [{"id": name.lower(), "name": name} for name in ("Ada", "Bo", "Cy")]


def simulated(game: str, seats: int, seed: int) -> Json:
    """Return a game with leavers and takebacks as a transcript."""
    match = new_game(game, seats, seed=seed, players=["Ada", "Bo", "Cy", "Di", "Eve"][:seats])
    return Company(match, ["random"] * seats, 0.02, 0.05).play().to_json()


# -- into streams ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [*(("carcassonne", 2 + seed % 4, seed) for seed in range(10)), ("caylus", 5, 1)],
)
@pytest.mark.slow
def test_an_imported_game_with_leavers_holds_and_is_exported_as_it_came(
    store: Store, ada: Player, game: str, seats: int, seed: int
) -> None:
    transcript = simulated(game, seats, seed)
    table = store.commands.import_transcript(Intent(ada), transcript).table
    assert table.status == "over"
    assert table.result is not None
    assert table.result["scores"] == transcript["result"]["scores"]
    assert table.result["winners"] == transcript["result"]["winners"]
    assert store.audit.game(table.id).problems == []
    store.projector.forget()
    assert exported(store, store.projector.table(table.id)) == transcript


def made_up(by: str, outcomes: list[str], left: list[tuple[int, int]]) -> Json:
    """Return a game that was played for 60 moves and ended like this.

    `left` are the seats that were left, each with the index of a move at which it was.
    """
    names = ["Ada", "Bo", "Cy"][: len(outcomes)]
    match = new_game("carcassonne", len(outcomes), seed=by, players=names)
    for _ in range(60):
        match.play_bot("random")
    scores = match.state.final().scores if by == "agreement" else list(match.state.scores)
    behind = [seat for seat, _ in reversed(left)]
    staying = [score for seat, score in enumerate(scores) if seat not in behind]
    ranks = [
        len(staying) + 1 + behind.index(seat)
        if seat in behind
        else 1 + sum(other > score for other in staying)
        for seat, score in enumerate(scores)
    ]
    return {
        **match.transcript().to_json(),
        "result": {"scores": scores, "winners": [s for s, rank in enumerate(ranks) if rank == 1]},
        "ending": {
            "by": by,
            "outcomes": outcomes,
            "ranks": ranks,
            "left": [{"seat": seat, "before": _first(match, seat, at)} for seat, at in left],
        },
    }


def _first(match: Match, seat: int, at: int) -> int:
    later = (n for n, entry in enumerate(match.moves) if n >= at and entry.seat == seat)
    return next(later, len(match.moves))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "outcomes", "left"),
    [
        ("forfeits", ["resigned", "bot", "bot"], [(0, 60)]),
        ("forfeits", ["finished", "timed_out"], [(1, 60)]),
        ("forfeits", ["stand_in", "left", "stand_in"], [(0, 21), (1, 60), (2, 60)]),
        ("agreement", ["finished", "removed", "bot"], [(1, 22)]),
        ("agreement", ["finished", "finished"], []),
    ],
)
def test_every_ending_is_imported_and_exported_as_it_came(
    store: Store, ada: Player, by: str, outcomes: list[str], left: list[tuple[int, int]]
) -> None:
    transcript = made_up(by, outcomes, left)
    assert verify(from_json(transcript, GAMES), GAMES).error is None
    table = store.commands.import_transcript(Intent(ada), transcript).table
    events = store.ledger.events(table.id)
    types = [event["type"] for event in events]
    assert types[-2:] == ["play_ended", "game_scored"]
    forfeits = [outcome for outcome in outcomes if outcome in FORFEITED]
    assert types.count("seat_forfeited") == len(forfeits)
    away = [event["reason"] for event in events if event["type"] == "stand_in_seated"]
    assert away == ["requested"] * outcomes.count("stand_in")
    assert store.audit.game(table.id).problems == []
    assert exported(store, table) == transcript
    del transcript["players"]
    nameless = store.commands.import_transcript(Intent(ada), transcript).table
    assert store.audit.game(nameless.id).problems == []


def test_the_moves_of_a_stand_in_say_so_in_an_imported_game(store: Store, ada: Player) -> None:
    transcript = made_up("agreement", ["finished", "removed", "finished"], [(1, 22)])
    table = store.commands.import_transcript(Intent(ada), transcript).table
    events = store.ledger.events(table.id)
    moves = [event for event in events if event["type"] == "move_made"]
    later = [index for index, move in enumerate(transcript["moves"]) if move["seat"] == 1]
    expected = [index for index in later if index >= 22]
    assert [n for n, move in enumerate(moves) if move.get("by") == "stand_in"] == expected
    assert table.result is not None
    assert table.result["stand_in_moves"] == [0, len(expected), 0]


def test_an_ending_that_does_not_follow_from_the_game_is_refused(store: Store, ada: Player) -> None:
    transcript = made_up("forfeits", ["finished", "timed_out"], [(1, 60)])
    transcript["ending"]["ranks"] = [2, 1]
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert refused.value.errors[0]["pointer"] == "/result"
    transcript["ending"]["left"] = []
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert refused.value.errors[0]["pointer"] == "/ending/left"


# -- whole games by the commands ------------------------------------------------------------------


def act(store: Store, table: Table, people: list[Player], rng: random.Random) -> Table:
    """Let a player leave, come back, take moves back or move, or a bot answer."""
    leaving, away = store.commands.leaving, [n for n, seat in enumerate(table.seats) if seat.away]
    if away and (table.resting or rng.random() < 0.1):
        return leaving.come_back(Intent(people[away[0]]), table.id, away[0]).table
    if rng.random() < 0.03:
        seat = rng.choice(table.persons)
        if len(table.persons) > 1 and rng.random() < 0.6:
            return leaving.go_away(Intent(people[seat]), table.id, seat).table
        return leaving.resign(Intent(people[seat]), table.id, seat).table
    assert table.state is not None
    if table.bot_to_move is not None:
        return store.commands.bots.move(table.id, table.position, choose_any).table
    if table.has_moves and rng.random() < 0.08:
        return take_back(store, table, people, rng)
    move = rng.choice(table.state.legal_moves())
    return store.commands.move(Intent(people[table.state.seat]), table.id, move).table


def take_back(store: Store, table: Table, people: list[Player], rng: random.Random) -> Table:
    """Go back to a position that stands; everybody who is asked agrees."""
    course, proposals = table.course, store.commands.proposals
    standing = [v for v in range(course.started, table.version) if table.stands(v)]
    to = rng.choice(standing[-9:])
    try:
        table = proposals.propose(
            Intent(people[rng.choice(table.persons)]), table.id, "takeback", to
        ).table
    except NothingToTakeBack:
        return table
    while (asked := table.course.proposal) is not None:
        seat = asked.needs[len(asked.answers)]
        table = proposals.answer(Intent(people[seat]), table.id, asked.id, "accept").table
    return table


def choose_any(state: Any, rng: random.Random) -> Any:
    return rng.choice(state.moves())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_a_game_with_leavers_is_exported_verified_and_imported(
    store: Store, ada: Player, bob: Player, seed: int
) -> None:
    rng, people = random.Random(seed), [ada, bob, store.players.create("Cy")[0]]
    wanted = NewGame("carcassonne", [ME, OPEN, OPEN], takebacks="consent")
    table = store.commands.create(Intent(ada), wanted).table
    for player in people[1:]:
        table = store.commands.arranging.join(Intent(player), table.id).table
    while table.status == "running":
        table = act(store, table, people, rng)
    table = store.commands.score(table.id).table
    types = {event["type"] for event in store.ledger.events(table.id)}
    assert types & {"seat_forfeited", "stand_in_seated", "moves_taken_back"}
    assert store.audit.game(table.id).problems == []
    transcript = exported(store, table)
    assert verify(from_json(transcript, GAMES), GAMES).error is None
    again = store.commands.import_transcript(Intent(ada), transcript).table
    assert store.audit.game(again.id).problems == []
    assert exported(store, again) == transcript
    assert table.result is not None
    assert again.result is not None
    for key in ("scores", "winners", "ranks", "outcomes", "ended_by"):
        assert again.result[key] == table.result[key]
