/** Caylus for the client: what a seat holds, the questions, what a move would do. */

import { h, spoken } from "../../dom.js";
import { t } from "../../i18n.js";
import { facets } from "../facets.js";
import { goods, icon } from "../goods.js";
import { describe } from "./describe.js";
import { plan } from "./plans.js";
import { inspect } from "./inspect.js";

/** @typedef {import("../index.js").Ask} Ask */

/** @param {Ask} ask @returns {import("./plans.js").Asked} */
function asked({ view, decision, name }) {
  return { view, seat: decision.seat, kind: decision.kind, context: decision.context, name };
}

/** @param {any} view @param {number} seat */
function holds(view, seat) {
  const { deniers, workers, cubes } = view.players[seat];
  const held = Object.fromEntries(Object.entries(cubes).filter(([, count]) => count));
  return h(
    "span",
    {},
    goods({ deniers }),
    h(
      "span",
      { class: "good" },
      h("span", { "aria-hidden": "true" }, workers),
      icon("worker"),
      spoken(`${t("terms.caylus.amounts.workers", { n: workers })} `),
    ),
    goods(held),
  );
}

/** @type {import("../index.js").GameModule} */
export const controls = {
  inspect,
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
