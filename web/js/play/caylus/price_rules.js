/**
 * What a choice will cost and bring, worked out from the view for the eyes of the player; the
 * server has the last word.
 */

import { countColumns, findPiece } from "../pieces.js";

/**
 * The entry of the road of a space such as `road-7`.
 * @param {View} view @param {string} space
 * @returns {RoadSpace | undefined}
 */
export function roadAt(view, space) {
  return view.road.find((/** @type {RoadSpace} */ entry) => entry.space === space);
}

/**
 * The price of placing a worker (rules 3, phase 2): the question says the usual price, the catalogue
 * the price on an own building.
 * @param {{view: View, seat: number, context: Record<string, any>}} asked @param {string} space
 */
export function placingPrice({ view, seat, context }, space) {
  const isOwn = roadAt(view, space)?.owner === seat;
  return (isOwn ? findPiece("inn")?.does.price?.deniers : context.price) ?? context.price;
}

/**
 * What a step of the provost costs in this question: nothing for the guild.
 * @param {{kind: string}} asked
 */
export function bribePrice({ kind }) {
  return kind === "bribe" ? (findPiece("merchants_guild")?.does.bribe?.deniers ?? 0) : 0;
}

/** How far the favour markers may go now (rules 2). @param {View} view */
export function columnsOpen(view) {
  const next = Object.keys(view.sections).find((name) => !view.sections[name].scored);
  return findPiece(next ?? "")?.does.columns ?? countColumns();
}

/**
 * Where a marker will stand after a favour on this line.
 * @param {View} view @param {number} seat @param {string} line
 */
export function markerAfter(view, seat, line) {
  const now = view.players[seat].favours[line];
  return now < columnsOpen(view) ? now + 1 : now;
}

/**
 * Whose work begins or ends when the provost moves (rules 3, phase 4).
 * @param {View} view @param {number} steps
 * @returns {{seat: number, space: string, building: string}[]}
 */
export function touchedByProvost(view, steps) {
  const [low, high] = [view.provost, view.provost + steps].sort((a, b) => a - b);
  return view.road
    .filter(
      (/** @type {RoadSpace} */ entry, /** @type {number} */ at) =>
        at + 1 > low && at + 1 <= high && entry.worker !== null,
    )
    .map((/** @type {RoadSpace} */ { worker, space, building }) => ({ seat: worker, space, building }));
}

/**
 * What several prices have in common; where they differ it is one cube of any kind.
 * @param {Record<string, number>[]} prices
 * @returns {Record<string, number>}
 */
export function commonPrice(prices) {
  const [first, ...others] = prices;
  if (!others.length) return first;
  /** @type {Record<string, number>} */
  const common = {};
  for (const [name, count] of Object.entries(first)) {
    const least = Math.min(count, ...others.map((price) => price[name] ?? 0));
    if (least) common[name] = least;
  }
  return prices.every((price) => total(price) === total(common)) ? common : { ...common, any: 1 };
}

/**
 * How much less than usual is paid; null when it is the usual price.
 * @param {Record<string, number> | null | undefined} usual @param {Record<string, number>} pay
 */
export function discount(usual, pay) {
  if (!usual || total(usual) <= total(pay)) return null;
  const less = Object.entries(usual).map(([name, count]) => [name, (pay[name] ?? 0) - count]);
  return Object.fromEntries(less.filter(([, by]) => Number(by) < 0));
}

/** @param {Record<string, number>} bundle */
function total(bundle) {
  return Object.values(bundle).reduce((sum, count) => sum + count, 0);
}

/** @param {View} view @param {string} section @returns {number} */
export function countHouses(view, section) {
  return view.sections[section].houses.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
}
