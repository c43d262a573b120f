/** Caylus for the client: what a seat holds, the questions, what a move would do. */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { facets } from "../facets.js";
import { GOODS, goods, holding } from "../goods.js";
import { asking } from "./asking.js";
import { compare } from "./compare.js";
import { describe } from "./describe.js";
import { plan } from "./plans.js";
import { inspect } from "./inspect.js";

/** @typedef {import("../index.js").Ask} Ask */

/** @param {Ask} ask @returns {import("./plans.js").Asked} */
function asked({ view, decision, name }) {
  return { view, seat: decision.seat, kind: decision.kind, context: decision.context, name };
}

/** Workers of a seat. @param {number} n */
function workersOf(n) {
  return holding("worker", n, t("terms.caylus.amounts.workers", { n }));
}

/** Money, workers and all goods. @param {any} view @param {number} seat */
function holds(view, seat) {
  const { deniers, workers, cubes } = view.players[seat];
  const all = Object.fromEntries(GOODS.map((name) => [name, cubes[name] ?? 0]));
  return h("span", {}, goods({ deniers }, { held: true }), workersOf(workers), goods(all, { held: true }));
}

/** Money and workers. @param {any} view @param {number} seat */
function brief(view, seat) {
  const { deniers, workers } = view.players[seat];
  return h("span", {}, goods({ deniers }, { held: true }), workersOf(workers));
}

/** @type {import("../index.js").GameModule} */
export const controls = {
  inspect,
  asking,
  brief,
  compare,
  usualSeats: 3,
  scores: (view) => view.players.map((/** @type {any} */ player) => player.prestige),
  holds,
  seatOrder: (view) => view?.turn_order,
  control: (ask) => {
    const steps = plan(asked(ask));
    return steps && facets(ask, steps);
  },
  describe: (move, ask) => describe(move, asked(ask)),
};
