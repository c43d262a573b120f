"""Every legal move of every kind of decision can be chosen, and says what it would do."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, expect

from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES
from tests.browser.support.chromium import DESKTOP, window
from tests.browser.support.games_cut_at_a_question import Json, eager
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

KINDS = {
    "carcassonne": {"place_follower"},
    "caylus": {
        *("place_worker", "gate", "merchants_guild", "joust_field", "inn", "bribe", "produce"),
        *("owner_bonus", "trade", "build", "build_prestige", "convert", "castle", "favour"),
        *("favour_cubes", "favour_buildings"),
    },
}
ENOUGH = 4
"""Positions per kind: the first ones of different numbers of moves."""

CHOOSE = """async ({ game, view, decision, moves }) => {
  const { speak } = await import("/js/platform/i18n.js");
  await speak("en"); // the page may run the built file, which has modules of its own
  const { describe, makeControl } = await import("/js/play/controls.js");
  const { loadTable } = await import("/js/play/game_module.js");
  await loadTable({ game, options: {} });
  let chosen = null;
  const board = { find: () => null, reveal() {}, overlay() {}, fit() {}, seek() {},
                  piece: () => ({ element: new Text(), turn() {} }) };
  const ask = { view, decision, moves, board, name: (seat) => `P${seat}`,
                choose: (move) => { chosen = move; }, touch() {} };
  const element = makeControl(game, ask);
  document.body.append(element);
  const reached = new Map();
  const words = [];
  const note = () => {
    if (!chosen) return;
    reached.set(JSON.stringify(chosen), chosen);
    const { title, lines } = describe(game, chosen, ask);
    words.push(title, ...lines.filter(Boolean).map((line) => line.textContent ?? line));
  };
  const walk = (depth) => {
    note();
    const field = element.children[depth];
    if (!field) return;
    const count = field.querySelectorAll("input").length;
    for (let at = 0; at < count; at += 1) {
      const input = element.children[depth].querySelectorAll("input")[at];
      words.push(input.parentElement.textContent);
      if (!input.checked) input.click();
      walk(depth + 1);
    }
    if (count === 0) walk(depth + 1);
  };
  const buttons = [...element.querySelectorAll("button.batch")].map((button) => button.dataset.key);
  const press = (key) => element.querySelector(`button[data-key='${key}']`).click();
  for (const key of buttons) {
    words.push(key);
    press(key);
    note();
    press("given-0");
  }
  if (buttons.length) {
    element.querySelector("input").click();
    note();
  } else walk(0);
  element.remove();
  return { reached: [...reached.values()], words: [...new Set(words)] };
}"""


def positions(game: str, games: int) -> list[Json]:
    """Decisions of each kind from random games that favour building, so that all kinds come."""
    rng = random.Random(11)
    found: dict[tuple[str, int], Json] = {}
    for number in range(games):
        state = GAMES[game].new(3, {}, GAMES[game].draw_setup(3, {}, rng))
        source = RandomSource(rng)
        state.settle(source)
        while not state.over:
            decision = state.decision
            assert decision is not None
            moves = state.legal_moves()
            key = (decision.kind, len(moves))
            of_kind = sum(kind == decision.kind for kind, _ in found)
            if decision.kind in KINDS[game] and key not in found and of_kind < ENOUGH:
                found[key] = {
                    "game": game,
                    "view": state.view(),
                    "decision": decision.to_json(),
                    "moves": moves,
                }
            state.apply(eager(state.view(), moves, rng), source)
        if number > 3 and {kind for kind, _ in found} == KINDS[game]:
            break
    assert {kind for kind, _ in found} == KINDS[game]
    return list(found.values())


@pytest.mark.parametrize("game", KINDS)
def test_every_legal_move_can_be_chosen_and_is_described(
    served: Served, browser: Browser, game: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        opened.page.goto("/")
        expect(opened.page.locator(".home")).to_be_visible()
        for position in positions(game, 400):
            answer = opened.page.evaluate(CHOOSE, position)
            kind = position["decision"]["kind"]
            missing = [move for move in position["moves"] if move not in answer["reached"]]
            assert missing == [], kind
            assert len(answer["reached"]) == len(position["moves"]), kind
            for text in answer["words"]:
                assert text, kind
                assert not any(raw in text for raw in ("undefined", "NaN", "ui.", "terms.")), text


def test_an_unknown_kind_of_decision_is_asked_as_a_list(served: Served, browser: Browser) -> None:
    moves = [{"type": "give", "to": 1}, {"type": "keep"}]
    position = {
        "game": "caylus",
        "view": {"scores": [0, 0]},
        "decision": {"seat": 0, "kind": "turn", "context": {}},
        "moves": moves,
    }
    with window(browser, served.url) as opened:
        opened.page.goto("/")
        expect(opened.page.locator(".home")).to_be_visible()
        answer = opened.page.evaluate(CHOOSE, position)
        assert answer["reached"] == moves
        assert "give, to 1" in answer["words"]
