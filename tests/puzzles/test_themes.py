"""The themes: each is decided by facts, and each rule takes what it says and nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cartulary.engine.core import Json
from cartulary.puzzles import carcassonne
from cartulary.puzzles.case import Case
from cartulary.puzzles.ideas import find_idea, is_same_idea, name_line
from cartulary.puzzles.telling import ToldLine
from cartulary.puzzles.themes import MOST, THEMES, find_themes

SKIP = {"type": "skip_follower"}
PASS = {"type": "pass"}


def tell_line(
    *reasons: Json,
    facts: list[Json] | None = None,
    move: Json = PASS,
    later: list[Json] | None = None,
    **end: Any,
) -> ToldLine:
    view = {"turn_order": [0, 1], "players": [{"deniers": end.pop("deniers", 0)}] * 2}
    shown: Any = SimpleNamespace(
        view=lambda: view, over=end.pop("over", False), identity=lambda: end
    )
    return ToldLine(
        (1,), facts or [], list(reasons), [{"seat": 0, "move": move}], later or [], shown
    )


def find(game: str, best: ToldLine, tempting: ToldLine, **state: Any) -> list[str]:
    position: Any = SimpleNamespace(
        seat=0,
        kind=state.pop("kind", "place_worker"),
        view=lambda: {"followers": state.pop("followers", [5, 5])},
    )
    return find_themes(game, Case(position, best, tempting))


def reason(kind: str, **details: Any) -> Json:
    return {"type": kind, "seat": 0, **details}


QUIET = reason("quiet")
ORDER = reason("order", place=1)
"""A reason that speaks for a line and decides no theme, while the order stays the same."""
POINTS = {"type": "points", "seat": 0, "points": 4, "reason": "city"}
SPOT = {"seat": 0, "x": 1, "y": 2, "segment": "c0"}
PLACED = {"type": "follower_placed", "feature": "city", **SPOT}
RETURNED = {"type": "follower_returned", **SPOT}


@pytest.mark.parametrize(
    ("theme", "best"),
    [
        ("join_city", tell_line(reason("takes", reason="city", by=1, points=8))),
        ("join_city", tell_line(reason("shares", reason="city", by=1, points=8))),
        ("take_field", tell_line(reason("claims", reason="farm", points=6))),
        ("take_field", tell_line(reason("claims", reason="field", points=0))),
        ("take_field", tell_line(reason("shares", reason="farm", by=1, points=6))),
        ("block", tell_line({"type": "blocks", "seat": 1, "reason": "city", "points": 9})),
        ("sure_points", tell_line(reason("closes", reason="city", points=4), facts=[POINTS])),
        ("sure_points", tell_line(reason("feeds", points=3))),
    ],
)
def test_a_theme_of_carcassonne_is_what_the_best_line_alone_does(
    theme: str, best: ToldLine
) -> None:
    assert find("carcassonne", best, tell_line(QUIET)) == [theme]
    assert find("carcassonne", best, best) == []
    assert find("carcassonne", tell_line(QUIET), best) == []


def test_a_field_that_the_tempting_line_takes_too_early_is_a_theme() -> None:
    tempting = tell_line(reason("claims", reason="field", points=0))
    best = tell_line(reason("claims", reason="city", points=4))
    assert find("carcassonne", best, tempting) == ["leave_field"]


def test_the_last_follower_is_a_theme_where_one_line_uses_it() -> None:
    uses, keeps = tell_line(QUIET, facts=[PLACED]), tell_line(reason("home", followers=1))
    assert find("carcassonne", keeps, uses, followers=[1, 5]) == ["last_follower"]
    assert find("carcassonne", tell_line(QUIET), uses, followers=[1, 5]) == []
    assert find("carcassonne", keeps, uses, followers=[2, 1]) == []
    at_home = tell_line(QUIET, facts=[PLACED, RETURNED])
    assert find("carcassonne", keeps, at_home, followers=[1, 5]) == []
    assert find("carcassonne", uses, uses, followers=[1, 5]) == []


def place(space: str) -> Json:
    return {"type": "place_worker", "space": space}


PLACED_THERE = place("road-4")
RIVAL = {"type": "worker_placed", "seat": 1, "space": "road-4"}


@pytest.mark.parametrize(
    ("theme", "best", "tempting", "kind"),
    [
        ("provost", tell_line(ORDER), tell_line(QUIET), "bribe"),
        ("provost", tell_line(ORDER, move=place("merchants_guild")), tell_line(), "place_worker"),
        ("turn_order", tell_line(ORDER, move=place("stables")), tell_line(), "place_worker"),
        ("favour", tell_line(ORDER), tell_line(), "favour"),
        ("favour", tell_line(ORDER, move=place("joust_field")), tell_line(), "place_worker"),
        ("castle", tell_line(ORDER, move=place("castle")), tell_line(), "place_worker"),
        ("castle", tell_line(reason("houses", houses=1)), tell_line(), "place_worker"),
        ("castle", tell_line(reason("batch")), tell_line(), "place_worker"),
        ("money", tell_line(ORDER, move=place("trading_post")), tell_line(), "place_worker"),
        ("money", tell_line(reason("income", deniers=1)), tell_line(QUIET), "place_worker"),
        (
            "denial",
            tell_line(ORDER, move=place("road-4")),
            tell_line(later=[RIVAL]),
            "place_worker",
        ),
        ("build", tell_line(reason("builds", building="church")), tell_line(), "place_worker"),
        ("last_round", tell_line(ORDER, over=True), tell_line(over=True), "place_worker"),
    ],
)
def test_a_theme_of_caylus_is_what_its_rule_says(
    theme: str, best: ToldLine, tempting: ToldLine, kind: str
) -> None:
    assert find("caylus", best, tempting, kind=kind) == [theme]


def test_no_theme_holds_for_lines_that_do_nothing() -> None:
    assert find("caylus", tell_line(QUIET), tell_line(QUIET)) == []
    assert find("caylus", tell_line(move=place("road-4")), tell_line(later=[])) == []
    assert find("caylus", tell_line(ORDER, over=True), tell_line()) == []


def test_a_line_for_which_no_reason_speaks_is_no_puzzle() -> None:
    costs = reason("costs", goods={"deniers": 1})
    for weak in (QUIET, costs, reason("inn"), reason("passes", slot=1)):
        assert find("caylus", tell_line(weak), tell_line(), kind="bribe") == []
    both = reason("scores", points=6)
    assert find("caylus", tell_line(both), tell_line(both), kind="bribe") == []


def test_reasons_that_name_more_points_for_the_tempting_line_are_no_explanation() -> None:
    best = tell_line(ORDER, reason("scores", points=1))
    for points, themes in ((3, ["provost"]), (4, [])):
        tempting = tell_line(reason("scores", points=points))
        assert find("caylus", best, tempting, kind="bribe") == themes


def test_what_a_line_gives_to_rivals_counts_against_it() -> None:
    helps = {"type": "helps", "seat": 1, "points": 8}
    best = tell_line(reason("claims", reason="farm", points=3), helps)
    assert find("carcassonne", best, tell_line(QUIET)) == []
    farm = tell_line(reason("claims", reason="farm", points=12), helps)
    assert find("carcassonne", farm, tell_line(reason("closes", points=6))) == ["take_field"]
    open_city = tell_line(reason("claims", reason="city", points=20))
    assert find("carcassonne", farm, open_city) == ["take_field"]


def test_a_share_in_a_farm_that_pays_nothing_is_no_gain() -> None:
    best = tell_line(reason("shares", reason="farm", by=1, points=0))
    assert find("carcassonne", best, tell_line(QUIET)) == []


def test_a_follower_that_comes_home_at_once_is_not_left_out_by_mistake() -> None:
    best = tell_line(QUIET, facts=[PLACED, RETURNED], move=place("a"))
    assert not carcassonne.is_question(best, tell_line(QUIET, move=place("a")))
    assert carcassonne.is_question(best, tell_line(QUIET, move=place("b")))
    assert carcassonne.is_question(best, tell_line(QUIET, facts=[PLACED], move=place("a")))
    stays = tell_line(QUIET, facts=[PLACED], move=place("a"))
    assert carcassonne.is_question(stays, tell_line(QUIET, move=place("a")))


def test_lines_touch_rivals_when_a_reason_says_so() -> None:
    blocks, helps = (tell_line({"type": kind, "seat": 1}) for kind in ("blocks", "helps"))
    quiet = tell_line(QUIET)
    assert carcassonne.touches_rivals(blocks, quiet)
    assert carcassonne.touches_rivals(quiet, helps)
    assert not carcassonne.touches_rivals(quiet, quiet)


def test_a_few_more_deniers_are_a_theme_where_the_reasons_name_them() -> None:
    named = reason("brings", goods={"deniers": 2})
    assert find("caylus", tell_line(named, deniers=3), tell_line(deniers=1)) == ["money"]
    assert find("caylus", tell_line(named, deniers=2), tell_line(deniers=1)) == []
    assert find("caylus", tell_line(ORDER, deniers=9), tell_line(deniers=1)) == []


def test_another_building_for_the_same_points_is_no_theme() -> None:
    bank, tailor = (
        tell_line(reason("builds", building=name), reason("scores", points=6))
        for name in ("bank", "tailor")
    )
    assert find("caylus", bank, tailor) == []


def test_a_puzzle_has_three_themes_at_most() -> None:
    best = tell_line(reason("income", deniers=1), move=place("castle"), over=True)
    assert len(find("caylus", best, tell_line(over=True), kind="favour")) == MOST


@pytest.mark.parametrize("game", THEMES)
def test_the_ids_of_themes_are_one_digit_in_a_pack(game: str) -> None:
    assert len({theme.id for theme in THEMES[game]}) == len(THEMES[game]) <= 10
    assert all(theme.says for theme in THEMES[game])


def test_the_same_placement_elsewhere_is_the_same_idea() -> None:
    one, other, third = (
        tell_line(reason("claims", reason=kind, points=2), facts=[fact], move=move)
        for kind, fact, move in (
            ("road", {"type": "tile_placed", "x": 1, "y": 2, "rotation": 0}, place("a")),
            ("road", {"type": "tile_placed", "x": 5, "y": 0, "rotation": 90}, place("b")),
            ("city", {"type": "tile_placed", "x": 5, "y": 0, "rotation": 90}, place("c")),
        )
    )
    assert find_idea(one) == find_idea(other) != find_idea(third)
    assert is_same_idea(one, other)
    assert not is_same_idea(one, third)


def test_what_a_building_is_paid_with_is_no_other_idea() -> None:
    builds = [
        tell_line(
            reason("costs", goods={good: 1}),
            move={"type": "build", "building": "mason", "pay": {good: 1}},
        )
        for good in ("wood", "cloth")
    ]
    assert name_line(builds[0]) == name_line(builds[1])
    assert is_same_idea(*builds)


def test_lines_that_come_to_the_same_position_are_one_idea_in_another_order() -> None:
    def go_on(line: ToldLine) -> ToldLine:
        return line._replace(after=[*line.after, {"seat": 1, "move": PASS}])

    one = go_on(tell_line(reason("brings"), move=place("a"), round=3))
    other = go_on(tell_line(reason("order"), move=place("b"), round=3))
    third = go_on(tell_line(reason("order"), move=place("b"), round=4))
    assert is_same_idea(one, other)
    assert not is_same_idea(one, third)
