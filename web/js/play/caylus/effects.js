/** What buildings, favours and places do, as words and drawings. */

import { h } from "../../dom.js";
import { t, term } from "../../i18n.js";
import { exchange, goods } from "../goods.js";
import { BUILDINGS, FAVOURS, SPECIAL } from "./tables.js";

/** @typedef {import("./tables.js").Effect} Effect */

/** @param {string} id */
export function buildingName(id) {
  return term("caylus", "buildings", id);
}

/**
 * The name of a place: its number on the road, and what stands there when a view is given.
 * @param {string} space @param {any} [view]
 */
export function spaceName(space, view) {
  const number = /^road-(\d+)$/.exec(space)?.[1];
  if (!number) return term("caylus", "spaces", space);
  const building = view?.road[Number(number) - 1]?.building;
  return building
    ? `${buildingName(building)} (${number})`
    : t("terms.caylus.spaces.road", { n: number });
}

/** @param {Node[]} parts */
function either(parts) {
  const word = ` ${t("ui.or")} `;
  return parts.flatMap((part, at) => (at ? [h("span", { class: "or" }, word), part] : [part]));
}

/**
 * An effect as a line; null when the effect is not worth a line.
 * @param {Effect} effect
 */
export function effectLine(effect) {
  if (effect.special) return h("span", {}, t(`terms.caylus.effects.${effect.special}`));
  if (effect.take) {
    const own = either(effect.take.map((bundle) => goods(bundle)));
    if (!effect.owner) return h("span", {}, own);
    return h(
      "span",
      {},
      own,
      "; ",
      t("terms.caylus.effects.owner"),
      " ",
      either(effect.owner.map((b) => goods(b))),
    );
  }
  if (effect.trade)
    return h("span", {}, either(effect.trade.map(([give, get]) => exchange(give, get))));
  if (effect.builds) return h("span", {}, t(`terms.caylus.effects.builds_${effect.builds}`));
  if (effect.income)
    return h("span", {}, goods(effect.income), " ", t("terms.caylus.effects.income"));
  return null;
}

/** What a tile does. @param {string} id */
export function buildingEffect(id) {
  return effectLine(BUILDINGS[id]?.does ?? {});
}

/** What happens on a place when a worker is there. @param {string} space @param {any} view */
export function spaceEffect(space, view) {
  if (space in SPECIAL) return effectLine(SPECIAL[space]);
  const building = view.road.find((/** @type {any} */ entry) => entry.space === space)?.building;
  return building ? buildingEffect(building) : null;
}

/** What building a tile brings at once: points and favours. @param {string} id */
export function buildingGain(id) {
  const { points = 0, favours = 0 } = BUILDINGS[id] ?? {};
  return { ...(points && { prestige: points }), ...(favours && { favour: favours }) };
}

/** The effect of a column of the favour table. @param {string} line @param {number} column */
export function favourEffect(line, column) {
  const entry = FAVOURS[line]?.[column - 1];
  if (!entry) return h("span", {}, "–");
  if (line === "prestige" || line === "deniers") return goods(/** @type {any} */ (entry));
  return effectLine(/** @type {Effect} */ (entry)) ?? h("span", {}, "–");
}

/**
 * The face of a building: name, price and points, what it does.
 * @param {string} id
 * @param {Record<string, number>} pay
 */
export function buildingCard(id, pay) {
  const gain = buildingGain(id);
  return h(
    "span",
    { class: `building k-${BUILDINGS[id]?.kind ?? "neutral"}` },
    h("span", { class: "name" }, buildingName(id)),
    exchange(pay, gain),
    h("span", { class: "does" }, buildingEffect(id)),
  );
}
