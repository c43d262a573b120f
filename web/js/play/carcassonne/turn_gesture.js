/**
 * Tile, turn and follower as one gesture: what the control has chosen for a question, and what is
 * known of it. `describe` reads it here, because a move of the contract is the tile alone.
 */

import { inBrief } from "./feature_words.js";
import { featureAt, isClosed, leaders } from "./features.js";
import { direction } from "./segment_spots.js";

/**
 * @typedef {import("../game_module.js").Ask} Ask
 * @typedef {import("./features.js").Feature} Feature
 *
 * @typedef {object} Gesture
 * @property {Move | null} after what is sent after the tile; null: nothing is asked then
 * @property {Feature[]} changed the features that the tile makes or changes
 * @property {Feature | null} taken where the follower goes
 * @property {string} where the side of the tile, when another option reads the same; else empty
 */

/** @type {WeakMap<Ask, Gesture>} */
const gestures = new WeakMap();

/** @param {Ask} ask @param {Gesture | null} gesture null: nothing is chosen */
export function keepGesture(ask, gesture) {
  if (gesture) gestures.set(ask, gesture);
  else gestures.delete(ask);
}

/** @param {Ask} ask */
export function findGesture(ask) {
  return gestures.get(ask) ?? null;
}

/**
 * The gesture of a tile with a follower on a segment.
 * @param {Move} tile @param {string | null} segment null: no follower
 * @param {{moves: Move[], features: Feature[]}} outlook what the server says of the tile
 * @param {Map<string, import("./segment_spots.js").Spot>} found where the segments are
 * @returns {Gesture}
 */
export function gestureOf({ x, y }, segment, { moves, features }, found) {
  const wanted = segment ? "place_follower" : "skip_follower";
  const after = moves.find((move) => move.type === wanted && (!segment || move.segment === segment));
  const taken = segment && after ? featureAt(features, { x, y, segment }) : null;
  const segments = moves.map((move) => move.segment ?? null);
  const where = segment && distinguish(segment, segments, { x, y }, features, found);
  return { after: after ?? null, changed: features, taken: taken ?? null, where: where || "" };
}

/**
 * The side of the tile on which a segment lies, when another option has the same words.
 * @param {string} segment @param {(string | null)[]} segments @param {{x: number, y: number}} cell
 * @param {Feature[] | null} features @param {Map<string, import("./segment_spots.js").Spot>} found
 */
export function distinguish(segment, segments, cell, features, found) {
  const words = (/** @type {string} */ one) => {
    const feature = features && featureAt(features, { ...cell, segment: one });
    return feature ? inBrief(feature) : one[0];
  };
  const isAlike = (/** @type {string | null} */ one) =>
    one !== null && one !== segment && one[0] === segment[0] && words(one) === words(segment);
  return segments.some(isAlike) ? direction(found.get(segment)) : "";
}

/**
 * The points and followers that a gesture brings at once, by seat: of every feature that is completed.
 * @param {Gesture} gesture @param {number} seat who makes it
 * @returns {import("../game_module.js").Delta[]}
 */
export function deltasOf({ changed, taken }, seat) {
  const manned = changed.filter((one) => one !== taken);
  const mine = taken ? [{ ...taken, followers: taken.followers.map((n, at) => n + Number(at === seat)) }] : [];
  const closed = [...manned, ...mine].filter(isClosed);
  const points = closed.flatMap((one) => leaders(one).map((at) => ({ seat: at, what: "score", by: one.now })));
  const home = closed.flatMap(({ followers }) => followers.map((by, at) => ({ seat: at, what: "followers", by })));
  const placed = taken ? [{ seat, what: "followers", by: -1 }] : [];
  return sum([...points, ...home, ...placed]);
}

/** One difference for each seat and thing. @param {import("../game_module.js").Delta[]} list */
function sum(list) {
  /** @type {Map<string, import("../game_module.js").Delta>} */
  const found = new Map();
  for (const one of list) {
    const key = `${one.seat} ${one.what}`;
    found.set(key, { ...one, by: one.by + (found.get(key)?.by ?? 0) });
  }
  return [...found.values()].filter(({ by }) => by !== 0);
}
