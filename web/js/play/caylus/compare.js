/** The players of Caylus side by side: points, money, workers, goods, houses, favours, buildings. */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { GOODS, icon } from "../goods.js";
import { findGood } from "../pieces.js";
import { buildingName } from "./effect_words.js";

/** @typedef {import("../game_module.js").Row} Row */

/** @param {Node | string} label @param {View} view @param {(player: CaylusPlayer, seat: number) => Node | string | number} cell @returns {Row} */
function row(label, view, cell) {
  const cells = view.players.map((/** @type {CaylusPlayer} */ player, /** @type {number} */ seat) =>
    String(cell(player, seat)),
  );
  return { label, cells };
}

/** The label of a row: a drawing with its word; that of a good opens the card of the good. @param {string} name @param {string} word */
function drawLabel(name, word) {
  const parts = [icon(name), h("span", {}, word)];
  if (!findGood(name)) return h("span", { class: "good" }, parts);
  return h("button", { class: "plain good", "data-good": name, "data-key": `good-${name}` }, parts);
}

/** @param {string} name */
function nameOf(name) {
  return t(`terms.caylus.goods.${name}`);
}

/** @param {View} view @returns {Row[]} */
export function compare(view) {
  const lines = Object.keys(view.players[0].favours ?? {});
  const sections = Object.keys(view.sections);
  return [
    row(drawLabel("prestige", nameOf("prestige")), view, (player) => player.prestige),
    row(drawLabel("deniers", nameOf("deniers")), view, (player) => player.deniers),
    row(drawLabel("worker", t("ui.sheet.rows.workers")), view, (player) => player.workers),
    ...GOODS.map((name) => row(drawLabel(name, nameOf(name)), view, (player) => player.cubes[name] ?? 0)),
    ...lines.map((line) =>
      row(t("ui.sheet.rows.favour", { line: t(`terms.caylus.lines.${line}`) }), view, ({ favours }) => favours[line]),
    ),
    ...sections.map((name) =>
      row(
        t("ui.sheet.rows.houses", { section: t(`terms.caylus.sections.${name}`) }),
        view,
        (_, seat) => view.sections[name].houses[seat],
      ),
    ),
    buildings(view),
  ];
}

/** The buildings of each player: their number, and their names below the table. @param {View} view @returns {Row} */
function buildings(view) {
  const lists = view.players.map((/** @type {CaylusPlayer} */ _, /** @type {number} */ seat) =>
    view.road.flatMap((/** @type {RoadSpace} */ { owner, building }) =>
      owner === seat && building ? [buildingName(building)] : [],
    ),
  );
  const cells = lists.map((/** @type {string[]} */ list) => String(list.length));
  return { label: t("ui.sheet.rows.buildings"), cells, lists };
}
