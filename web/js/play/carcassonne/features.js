/**
 * The features on the board: what belongs together, who stands in it, what it is worth. All numbers
 * come from the engine (`GET /games/{id}/features`, and `next` of a preview).
 */

import { api } from "../../platform/api.js";

/**
 * @typedef {{x: number, y: number, segment: string}} Segment a segment of a tile
 * @typedef {Schemas["Feature"]} Feature
 * @typedef {{id: string, version: number}} Moment a game at a version
 */

const KEPT = 4;

/** Features that are here or on their way, by moment. @type {Map<string, Promise<Feature[]>>} */
const kept = new Map();

/** @param {Moment} moment @returns {Promise<Feature[]>} */
export function loadFeatures({ id, version }) {
  const key = `${id} ${version}`;
  const found = kept.get(key);
  if (found) return found;
  const asked = api.features(id, version).then(({ features }) => features);
  asked.catch(() => kept.delete(key)); // the next question asks again
  kept.set(key, asked);
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
  return asked;
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
