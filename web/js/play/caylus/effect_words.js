/** What buildings, favours and places do, as words and drawings. */

import { h } from "../../elements/dom.js";
import { t, term } from "../../platform/i18n.js";
import { exchange, goods } from "../goods.js";
import { findColumn, findPiece } from "../pieces.js";
import { discount } from "./price_rules.js";

/** @typedef {import("../pieces.js").Piece} Piece */

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
  return building ? `${buildingName(building)} (${number})` : t("terms.caylus.spaces.road", { n: number });
}

/** @param {Node[]} parts */
function either(parts) {
  const word = ` ${t("ui.or")} `;
  return parts.flatMap((part, at) => (at ? [h("span", { class: "or" }, word), part] : [part]));
}

/**
 * What a piece does as a line with drawings; null when it does nothing.
 * @param {Piece | undefined} piece
 */
export function effectLine(piece) {
  if (!piece?.effect) return null;
  const { take, trade, get, income } = piece.does;
  if (take ?? get) return h("span", {}, either((take ?? [get ?? {}]).map((one) => goods(one))), ownerPart(piece));
  if (trade) return h("span", {}, either(trade.map(([give, gain]) => exchange(give, gain))));
  if (income) return h("span", {}, goods(income), " ", t("terms.caylus.effects.income"));
  return h("span", {}, piece.effect);
}

/** What the owner gets when another player works here. @param {Piece} piece */
function ownerPart({ owner_gets: gains }) {
  if (!gains.length) return null;
  return [t("ui.signs.semicolon"), t("terms.caylus.effects.owner"), " ", either(gains.map((one) => goods(one)))];
}

/** @param {string} id */
export function buildingEffect(id) {
  return effectLine(findPiece(id));
}

/** What happens on a place when a worker is there. @param {string} space @param {View} view */
export function spaceEffect(space, view) {
  const standing = view.road.find((/** @type {RoadSpace} */ entry) => entry.space === space);
  return effectLine(findPiece(standing ? standing.building : space));
}

/** What building a tile brings at once: points and favours. @param {string} id */
function buildingGain(id) {
  const { points, favours } = findPiece(id) ?? {};
  return { ...(points && { prestige: points }), ...(favours && { favour: favours }) };
}

/** @param {string} line @param {number} column */
export function favourEffect(line, column) {
  return effectLine(findColumn(line, column)) ?? h("span", {}, "–");
}

/**
 * The face of a building: name, price and points, what it does.
 * @param {string} id
 * @param {Record<string, number>} pay
 */
export function buildingCard(id, pay) {
  const gain = buildingGain(id);
  const less = discount(findPiece(id)?.price, pay);
  return h(
    "span",
    { class: `building k-${findPiece(id)?.kind ?? "neutral"}` },
    h("span", { class: "name" }, buildingName(id)),
    exchange(pay, gain),
    less ? h("span", { class: "discount" }, t("ui.caylus.cheaper"), " ", goods(less, { sign: true })) : null,
    h("span", { class: "does" }, buildingEffect(id)),
  );
}
