/** Caylus for the client: what a seat holds, the questions, what a move would do. */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { makeFacets } from "../facets.js";
import { bundleWords, GOODS, goods, holding } from "../goods.js";
import { namesOf } from "../pieces.js";
import { findAskingPlace } from "./asking_place.js";
import { makeBatchControl } from "./batch_control.js";
import { countBatches, stakes } from "./castle_stakes.js";
import { compare } from "./compare.js";
import { findPlan } from "./decision_plans.js";
import { describe } from "./describe.js";
import { foresee, reliesOn } from "./foreseen_turn.js";
import { inspect } from "./inspect.js";
import { dragProvost } from "./provost_drag.js";

/** @typedef {import("../game_module.js").Ask} Ask */

/** @param {Ask} ask @returns {import("./decision_plans.js").CaylusAsk} */
function asked({ view, decision, name, events }) {
  const { seat, kind, context } = decision;
  const batches = events && kind === "castle" ? countBatches(events, view.players.length) : null;
  return { view, seat, kind, context, name, batches };
}

/** @param {Ask} ask */
function control(ask) {
  const given = asked(ask);
  if (given.kind === "castle") return makeBatchControl(ask, given);
  const steps = findPlan(given, ask.moves);
  if (!steps) return null;
  return makeFacets(PROVOST.has(given.kind) ? draggable(ask) : ask, steps);
}

/** Questions about the provost, who can be dragged. */
const PROVOST = new Set(["bribe", "merchants_guild"]);

/** @param {Ask} ask @returns {Ask} */
function draggable(ask) {
  const touch = (/** @type {import("../../board/board.js").Target[]} */ targets) => {
    ask.touch(targets);
    dragProvost(ask, targets);
  };
  return { ...ask, touch };
}

/**
 * The differences between two views, at all seats.
 * @param {View} before @param {View} after @returns {import("../game_module.js").Delta[]}
 */
function deltas(before, after) {
  return before.players.flatMap((/** @type {CaylusPlayer} */ player, /** @type {number} */ seat) => {
    const then = after.players[seat];
    const pairs = [
      ["score", player.prestige, then.prestige],
      ["deniers", player.deniers, then.deniers],
      ["workers", player.workers, then.workers],
      ...GOODS.map((name) => [name, player.cubes[name], then.cubes[name]]),
    ];
    return pairs.filter(([, now, next]) => now !== next).map(([what, now, next]) => ({ seat, what, by: next - now }));
  });
}

/** @param {number} n */
function workersOf(n) {
  return holding("worker", n, t("terms.caylus.amounts.workers", { n }));
}

/** @param {View} view @param {number} seat */
function holds(view, seat) {
  const { deniers, workers } = view.players[seat];
  return h("span", {}, goods({ deniers }, { held: true }), workersOf(workers), stock(view, seat));
}

/** @param {View} view @param {number} seat */
function stock(view, seat) {
  const { cubes } = view.players[seat];
  return goods(Object.fromEntries(GOODS.map((name) => [name, cubes[name] ?? 0])), { held: true });
}

/** The goods by name, and what goods are good for. @param {View} view @param {number} seat */
function holdsWords(view, seat) {
  const { cubes } = view.players[seat];
  const own = Object.fromEntries(GOODS.filter((name) => cubes[name]).map((name) => [name, cubes[name]]));
  return t("ui.caylus.goods_note", { goods: bundleWords(own) || t("ui.caylus.no_goods") });
}

/** @param {View} view @param {number} seat */
function brief(view, seat) {
  const { deniers, workers } = view.players[seat];
  return h("span", {}, goods({ deniers }, { held: true }), workersOf(workers));
}

/** The neutral buildings in their order; the seats begin in theirs. @param {import("../pieces.js").Piece[]} pieces @returns {import("../game_module.js").Opening} */
function opening(pieces) {
  const named = namesOf(pieces.filter(({ kind }) => kind === "neutral"));
  const ids = Object.keys(named);
  const start = (/** @type {string[]} */ neutrals, /** @type {number} */ seats) => ({
    setup: { turn_order: Array.from({ length: seats }, (_, seat) => seat), neutrals },
    draws: [],
  });
  return { label: t("ui.caylus.neutrals"), ids, named, many: ids.length, start };
}

/** @type {import("../game_module.js").GameModule} */
export const controls = {
  inspect,
  opening,
  asking: findAskingPlace,
  brief,
  compare,
  usualSeats: 3,
  sources: {
    building: ["construction"],
    owner: ["owner"],
    castle: ["castle", "no_batch", "no_house"],
    favour: ["favour", "simplified_favour"],
    trade: ["trade"],
    goods: ["gold", "cubes", "deniers"],
  },
  scores: (view) => view.players.map((/** @type {CaylusPlayer} */ player) => player.prestige),
  holds,
  stock,
  holdsWords,
  seatOrder: (view) => view?.turn_order,
  control,
  deltas,
  describe: (move, ask, after) => describe(move, asked(ask), after),
  foresee,
  reliesOn,
  later: ({ type }) => (type === "pass" ? { kind: "bribe", move: { type: "decline" } } : null),
  readsEvents: ({ kind }) => kind === "castle",
  stakes: (ask) => stakes(asked(ask)),
};
