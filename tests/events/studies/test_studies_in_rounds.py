"""Studies during a duplicate round: no line of one shows what its games draw."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.errors import RoundOpen
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.studies.importing import make_chapter
from cartulary.studies.lines import play_node, play_start
from tests.events.support.rounds import DUPLICATE, Round
from tests.studies.examples import GAMES

OWN: Json = {"format": "cartulary-study/1", "title": "An evening", "language": "en"}


class Evening:
    """A duplicate round in which Eve has a seat and Sam has none; its first game as a chapter."""

    def __init__(self, game: str = "carcassonne") -> None:
        self.round = Round()
        self.eve, kim, self.sam = self.round.enter("Eve", "Kim", "Sam")
        made = self.round.make(1, self.eve, kim, game=game, duplicate=DUPLICATE)
        self.table = self.round.play(made.id, 12)
        events = self.round.store.ledger.events(made.id)
        transcript = transcript_of(self.table, events, {}).to_json()
        self.chapter = make_chapter(transcript, "The evening", GAMES, ())

    @property
    def line(self) -> list[Json]:
        """The moves of the game, those with a draw as they were drawn."""
        found: list[Json] = self.chapter["line"]
        return found

    def turn(self, index: int) -> Json:
        """Return a move of the game whose draw is another than in the game."""
        state = play_start(self.chapter["start"], GAMES, ())
        for node in self.line[:index]:
            play_node(state, node["move"], node.get("draws", ()), ())
        play_node(state, self.line[index]["move"], (), ())
        assert state.chance is not None
        both = zip(state.chance.outcomes, state.chance.weights, strict=True)
        drawn = self.line[index]["draws"][:1]
        other = next(one for one, weight in both if weight and [one] != drawn)
        return {"move": self.line[index]["move"], "draws": [other]}

    def with_line(self, *line: Json) -> Json:
        return {**self.chapter, "line": list(line)}

    def begin(self, who: Player, *chapters: Json) -> str:
        body = {**OWN, "chapters": list(chapters)}
        return self.round.store.studies.commands.create(Intent(who, body=body), body)[0]

    def change(self, who: Player, study_id: str, *changes: Json) -> Any:
        return self.round.store.studies.commands.change(Intent(who), study_id, changes)


@pytest.fixture
def evening() -> Evening:
    return Evening()


@pytest.fixture
def drawn(evening: Evening) -> list[int]:
    """Return the moves of the game after which something is drawn."""
    return [index for index, node in enumerate(evening.line) if "draws" in node]


def split(evening: Evening, index: int) -> Json:
    """Return a chapter with another draw in its main line; the game goes on in a branch."""
    before, after = evening.line[:index], evening.line[index:]
    return evening.with_line(*before, {**evening.turn(index), "instead": [after]})


def test_a_game_of_an_open_round_is_no_chapter(evening: Evening) -> None:
    for asked in ({"content": evening.chapter}, {"content": evening.with_line(*evening.line[:5])}):
        study_id = evening.begin(evening.eve)
        with pytest.raises(RoundOpen):
            evening.change(evening.eve, study_id, {"type": "chapter_added", **asked})
    with pytest.raises(RoundOpen):
        evening.begin(evening.eve, evening.chapter)


def test_a_game_of_an_open_round_is_no_branch_of_another_line(
    evening: Evening, drawn: list[int]
) -> None:
    chapter = split(evening, drawn[0])
    with pytest.raises(RoundOpen):
        evening.begin(evening.eve, chapter)
    study_id = evening.begin(evening.eve)
    with pytest.raises(RoundOpen):
        evening.change(evening.eve, study_id, {"type": "chapter_added", "content": chapter})


def test_another_line_from_a_position_of_a_game_of_an_open_round_is_refused(
    evening: Evening, drawn: list[int]
) -> None:
    late = drawn[4]
    with pytest.raises(RoundOpen):
        evening.begin(evening.eve, evening.with_line(*evening.line[:late], evening.turn(late)))


def test_the_draws_of_an_open_round_come_into_no_line_that_is_added_later(
    evening: Evening, drawn: list[int]
) -> None:
    other = evening.with_line(*evening.line[: drawn[0]], evening.turn(drawn[0]))
    study_id = evening.begin(evening.eve, other)
    read = evening.round.store.studies.commands.read
    before = read(study_id, evening.eve.id).study
    (parent, last), moves = (one := sorted(before.nodes))[drawn[0] : drawn[0] + 2], evening.line
    assert before.nodes[last].parent == parent
    added = {"type": "line_added", "parent": parent, "moves": moves[drawn[0] :]}
    removed = {"type": "node_removed", "node": len(one) + 1}
    for changes in ([added], [added, removed]):
        with pytest.raises(RoundOpen):
            evening.change(evening.eve, study_id, *changes)
    assert read(study_id, evening.eve.id).study == before
    bare = {key: value for key, value in moves[drawn[0]].items() if key == "move"}
    evening.change(evening.eve, study_id, {**added, "moves": [bare]})


def test_the_draws_of_a_start_count_although_the_moves_need_them_not(
    evening: Evening, drawn: list[int]
) -> None:
    start = evening.chapter["start"]
    later = [draw for node in evening.line for draw in node.get("draws", ())]
    bag = dict(start["bag"])
    for draw in later:
        bag[draw] -= 1
    full = {**start, "draws": [*start["draws"], *later], "bag": {k: n for k, n in bag.items() if n}}
    chapter = {**evening.with_line(), "start": full}
    turned = {**chapter, "line": [*evening.line[: drawn[0]], evening.turn(drawn[0])]}
    for one in (chapter, turned):
        with pytest.raises(RoundOpen):
            evening.begin(evening.eve, one)
    hidden = {**full, "draws": [*start["draws"], *later[::-1]]}
    evening.begin(evening.eve, {**chapter, "start": hidden})
    with pytest.raises(RoundOpen):
        evening.begin(evening.eve, {**chapter, "start": hidden, "line": evening.line})


def test_a_setup_that_is_drawn_alone_tells_a_game_of_an_open_round() -> None:
    evening = Evening("caylus")
    with pytest.raises(RoundOpen):
        evening.begin(evening.eve, evening.with_line())


def test_who_has_no_seat_in_a_round_or_writes_after_it_writes_what_there_is(
    evening: Evening, drawn: list[int]
) -> None:
    chapter = split(evening, drawn[0])
    evening.begin(evening.sam, chapter)
    study_id = evening.begin(evening.eve)
    evening.round.close(evening.round.play(evening.table.id))
    evening.change(evening.eve, study_id, {"type": "chapter_added", "content": chapter})
