/**
 * The features on the board: what belongs together, who stands in it, what it is worth. All numbers
 * come from the engine (`GET /games/{id}/features`, and `next` of a preview).
 */

import { api } from "../../platform/api.js";

/**
 * @typedef {{x: number, y: number, segment: string}} Segment a segment of a tile
 * @typedef {object} Feature
 * @property {"city" | "road" | "monastery" | "farm"} kind
 * @property {Segment[]} segments
 * @property {number} tiles
 * @property {number} open open edges; of a monastery the empty places round it; 0: completed
 * @property {number[]} followers by seat
 * @property {number} now points if the play ends now; of a completed feature, what it scores
 * @property {number | null} done points when it is completed as large as it is
 * @property {number} [pennants]
 * @property {number} [cities] completed cities next to a farm
 * @property {number} [beside] all cities next to a farm
 *
 * @typedef {{id: string, version: number}} Moment a game at a version
 */

const KEPT = 4;

/** Features that are here or on their way, by moment. @type {Map<string, Promise<Feature[]>>} */
const kept = new Map();

/** @param {Moment} moment @returns {Promise<Feature[]>} */
export function loadFeatures({ id, version }) {
  const key = `${id} ${version}`;
  let found = kept.get(key);
  if (!found) {
    found = api.features(id, version).then(({ features }) => features);
    found.catch(() => kept.delete(key)); // the next question asks again
    kept.set(key, found);
    for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
  }
  return found;
}

/** @param {Feature[]} features @param {Segment} part */
export function featureAt(features, { x, y, segment }) {
  return features.find(({ segments }) => segments.some((one) => one.x === x && one.y === y && one.segment === segment));
}

/** The seats with the most followers; empty without followers. @param {Feature} feature */
export function leaders({ followers }) {
  const most = Math.max(...followers);
  return most ? followers.flatMap((count, seat) => (count === most ? [seat] : [])) : [];
}

/** Is it completed? A farm never is. @param {Feature} feature */
export function isClosed({ kind, open }) {
  return kind !== "farm" && open === 0;
}
