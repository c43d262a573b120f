/**
 * What a choice will cost and bring, worked out from the view for the eyes of the player; the
 * server has the last word.
 */

import { countColumns } from "../pieces.js";

/** @typedef {import("../../table/model.js").View} View */

/**
 * The entry of the road of a space such as `road-7`.
 * @param {View} view @param {string} space
 * @returns {{space: string, building: string | null, owner: number | null, worker: number | null} | undefined}
 */
export function roadAt(view, space) {
  return view.road.find((/** @type {any} */ entry) => entry.space === space);
}

/**
 * The price of placing a worker (rules 3, phase 2).
 * @param {View} view @param {number} seat @param {string} space
 */
export function placingPrice(view, seat, space) {
  if (roadAt(view, space)?.owner === seat || view.inn.right === seat) return 1;
  if (view.players.length === 2) return view.passed.length ? 3 : 1;
  return view.passed.length + 1;
}

/** How far the favour markers may go now (rules 2). @param {View} view */
export function columnsOpen(view) {
  if (view.sections.walls.scored) return countColumns();
  return view.sections.dungeon.scored ? 4 : 2;
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
      (/** @type {any} */ entry, /** @type {number} */ at) =>
        at + 1 > low && at + 1 <= high && entry.worker !== null,
    )
    .map((/** @type {any} */ { worker, space, building }) => ({ seat: worker, space, building }));
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

/** @param {Record<string, number>} bundle */
function total(bundle) {
  return Object.values(bundle).reduce((sum, count) => sum + count, 0);
}
