/** Carcassonne for the client: what a seat holds, the questions, what a move would do. */

import { h, spoken } from "../../dom.js";
import { t } from "../../i18n.js";
import { holding } from "../goods.js";
import { followerControl } from "./follower.js";
import { compass, edgesOf } from "./tiles.js";
import { placingControl } from "./placing.js";
import { inspect } from "./inspect.js";

/** @typedef {import("../index.js").Ask} Ask */
/** @typedef {import("../index.js").Move} Move */

/** @param {any} view @param {number} seat */
function holds(view, seat) {
  const n = view.followers[seat];
  return holding("follower", n, t("terms.carcassonne.amounts.followers", { n }));
}

/** The players side by side. @param {any} view @returns {import("../../table/rail.js").Row[]} */
function compare(view) {
  const on = (/** @type {number} */ seat) =>
    view.board.filter((/** @type {any} */ { follower }) => follower?.seat === seat).length;
  const text = (/** @type {number[]} */ numbers) => numbers.map(String);
  return [
    { label: t("ui.points"), cells: text(view.scores) },
    { label: t("ui.sheet.rows.followers"), cells: text(view.followers) },
    { label: t("ui.sheet.rows.placed"), cells: text(view.scores.map((/** @type {any} */ _, /** @type {number} */ seat) => on(seat))) },
  ];
}

/**
 * Where a tile would lie, and what would be on its sides.
 * @param {Move} move @param {string} tile
 */
export function placementWords(move, tile) {
  const sides = edgesOf(tile, move.rotation).map(
    (edge, at) => `${t(`ui.compass.${compass[at]}`)}: ${t(`terms.carcassonne.edges.${edge}`)}`,
  );
  return [h("span", {}, t("ui.carcassonne.cell", move), spoken(`. ${sides.join(", ")}`))];
}

/** @param {Move} move @param {Ask} ask */
function describe(move, { view, decision }) {
  if (move.type === "place_tile") {
    return { title: t("ui.carcassonne.lay"), lines: placementWords(move, view.tile) };
  }
  if (move.type === "place_follower") {
    const kind = move.segment[0];
    return {
      title: t(`terms.carcassonne.roles.${kind}`),
      lines: [
        t(`ui.carcassonne.scores.${kind}`),
        t("ui.carcassonne.left", { n: view.followers[decision.seat] - 1 }),
      ],
    };
  }
  if (move.type === "skip_follower") return { title: t("ui.carcassonne.skip"), lines: [] };
  return null;
}

/** @type {import("../index.js").GameModule} */
export const controls = {
  inspect,
  compare,
  scores: (view) => view.scores,
  holds,
  control: (ask) => {
    if (ask.decision.kind === "place_tile") return placingControl(ask);
    if (ask.decision.kind === "place_follower") return followerControl(ask);
    return null;
  },
  describe,
};
