/** The sides of the tiles, to say what would lie where. */

import { findPiece } from "../pieces.js";

export const compass = ["north", "east", "south", "west"];

/**
 * The sides of a turned tile, from the north clockwise: c city, r road, f field.
 * @param {string} letter @param {number} rotation degrees clockwise
 */
export function edgesOf(letter, rotation) {
  const edges = findPiece(letter)?.does.edges ?? [];
  const turn = rotation / 90;
  return compass.map((_, at) => edges[(at + 4 - turn) % 4]?.[0] ?? "f");
}
