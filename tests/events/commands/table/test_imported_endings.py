"""Games that a player left, as transcripts: out of streams, and into streams."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.company import Company
from cartulary.engine.chance import RandomSource
from cartulary.engine.ranking import FORFEITED
from cartulary.engine.transcript import from_json, verify
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.commands.table.transcripts import read_extra, transcript_of
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.effects.fold import History
from cartulary.events.model.errors import Invalid, NothingToTakeBack
from cartulary.events.model.results import make_result
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    GAME_CREATED,
    GAME_SCORED,
    MOVES_TAKEN_BACK,
    PLAY_ENDED,
    SEAT_FORFEITED,
    SEAT_RETURNED,
    SEAT_TAKEN_OVER,
    STAND_IN_SEATED,
)
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.match import Match, new_game
from tests.events.support.bean_games import ME, OPEN

Json = dict[str, Any]
PEOPLE = [{"id": name.lower(), "name": name} for name in ("Ada", "Bo", "Cy")]


def exported(store: Store, table: Table) -> Json:
    events = store.ledger.events(table.id)
    extra = read_extra(store.ledger, table.id, events[0])
    return transcript_of(table, events, extra).to_json()


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


# -- out of streams -------------------------------------------------------------------------------


class Course:
    """A game of Carcassonne of three people; the test makes its events."""

    def __init__(self) -> None:
        self.rules = {name: offer.rules for name, offer in OFFERS.items()}
        self.rng = random.Random(5)
        self.events: list[Json] = []
        self.draft = Draft(self.rules, "01GAME")
        self.draft.add(
            GAME_CREATED,
            game="carcassonne",
            options={"tiny_city": 4},
            seats=[{"seat": n, "player": player, "bot": None} for n, player in enumerate(PEOPLE)],
            visibility="public",
            created_by="ada",
        )
        self.draft.start(self._deal)
        self._note()

    def _deal(self, _table: Table) -> RandomSource:
        return RandomSource(self.rng)

    def _note(self) -> None:
        self.events += self.draft.events
        history = History(self.rules, "01GAME", None, self.events)
        self.draft = Draft(self.rules, "01GAME", self.draft.table, history)

    @property
    def table(self) -> Table:
        return self.draft.table

    def add(self, type_: str, **fields: Any) -> None:
        self.draft.add(type_, **fields)
        self._note()

    def play(self, moves: int | None = None) -> None:
        """Make so many moves, or (None) all moves to the end of the play."""
        while moves != 0 and self.table.status == "running":
            assert self.table.state is not None
            self.draft.play(self.rng.choice(self.table.state.moves()), self._deal)
            self._note()
            moves = None if moves is None else moves - 1

    def take_back(self, count: int) -> None:
        """Take the last moves back that stand; they are the last events."""
        moves = [event["version"] for event in self.events[-count:]]
        before = History(self.rules, "01GAME", None, self.events).table(moves[0] - 1)
        self.add(
            MOVES_TAKEN_BACK,
            seat=0,
            to_version=moves[0] - 1,
            moves=moves,
            proposal=None,
            state_hash=before.state_hash,
        )

    def leave(self, seat: int, reason: str, stand_in: str | None = "random") -> None:
        player = PEOPLE[seat]
        self.add(SEAT_FORFEITED, seat=seat, player=player, reason=reason, stand_in=stand_in)

    def export(self) -> Json:
        """Return the transcript, which must be valid."""
        made = transcript_of(self.table, self.events, {})
        report = verify(from_json(made.to_json(), GAMES), GAMES)
        assert report.error is None, report.error
        return made.to_json()


@pytest.fixture
def course() -> Course:
    return Course()


def test_moves_that_were_taken_back_are_left_out_with_their_draws(course: Course) -> None:
    course.play(20)
    standing = course.export()
    course.play(6)
    course.take_back(6)
    taken_back = course.export()
    assert taken_back["moves"] == standing["moves"]
    assert taken_back["draws"] == standing["draws"]
    course.play(3)
    course.take_back(3)
    course.play()
    whole = course.export()
    assert whole["moves"][:20] == standing["moves"]
    assert len(whole["moves"]) < sum(event["type"] == "move_made" for event in course.events)
    assert "ending" not in whole


def test_an_export_says_who_left_before_which_move(course: Course) -> None:
    course.play(21)
    asked = course.table.state.seat if course.table.state else -1
    course.leave(asked, "resigned")
    course.play(10)
    course.take_back(4)
    course.play()
    ending = course.export()["ending"]
    assert ending["by"] == "play"
    assert ending["outcomes"][asked] == "resigned"
    assert ending["ranks"][asked] == 3
    assert ending["left"] == [{"seat": asked, "before": 21}]


def test_an_export_says_who_was_away_at_the_end_but_not_who_came_back(course: Course) -> None:
    course.play(9)
    for seat in (0, 1):
        bot: Json = {"bot": "random", "reason": "requested", "by": PEOPLE[seat]["id"]}
        course.add(STAND_IN_SEATED, seat=seat, **bot)
    course.play(12)
    course.add(SEAT_RETURNED, seat=0, player=PEOPLE[0])
    course.play()
    transcript = course.export()
    assert transcript["ending"]["outcomes"] == ["finished", "stand_in", "finished"]
    (leaver,) = transcript["ending"]["left"]
    assert leaver["seat"] == transcript["moves"][leaver["before"]]["seat"] == 1
    assert leaver["before"] >= 9
    assert all(move["seat"] != 1 for move in transcript["moves"][9 : leaver["before"]])


def test_the_order_of_leaving_stays_when_the_first_to_leave_is_asked_last(course: Course) -> None:
    course.play(9)
    assert course.table.state is not None
    asked = course.table.state.seat
    first = (asked + 2) % 3
    course.leave(first, "left")
    course.leave(asked, "resigned")
    course.add(PLAY_ENDED, reason="forfeits")
    course.add(GAME_SCORED, result=make_result(course.table), secret=None)
    ending = course.export()["ending"]
    assert [leaver["seat"] for leaver in ending["left"]] == [first, asked]
    assert (ending["ranks"][first], ending["ranks"][asked]) == (3, 2)


def test_a_substitute_is_not_among_those_who_left(course: Course) -> None:
    course.play(1)
    course.leave(2, "left")
    course.play(11)
    di = {"id": "di", "name": "Di"}
    course.add(
        SEAT_TAKEN_OVER, seat=2, player=di, **{"from": {"player": PEOPLE[2], "reason": "left"}}
    )
    course.play()
    transcript = course.export()
    assert "ending" not in transcript
    assert transcript["players"] == ["Ada", "Bo", "Di"]


@pytest.mark.parametrize("scored", [False, True])
def test_a_game_that_ended_by_forfeits_keeps_its_bag(course: Course, scored: bool) -> None:
    course.play(30)
    course.leave(0, "resigned")
    course.leave(1, "timed_out", None)
    course.add(PLAY_ENDED, reason="forfeits")
    if scored:
        course.add(GAME_SCORED, result=make_result(course.table), secret=None)
    transcript = course.export()
    assert transcript["ending"]["by"] == "forfeits"
    assert transcript["result"]["winners"] == [2]
    assert sum(transcript["bag"].values()) > 30


def test_a_game_that_goes_on_has_no_ending_though_somebody_left(course: Course) -> None:
    course.play(30)
    course.leave(0, "resigned")
    transcript = course.export()
    assert not {"ending", "result"} & transcript.keys()


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
