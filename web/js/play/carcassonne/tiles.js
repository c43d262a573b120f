/** The sides of the 24 tiles (rules 1), to say what would lie where. */

/** North, east, south, west: c city, r road, f field. @type {Record<string, string>} */
const EDGES = {
  A: "ffrf",
  B: "ffff",
  C: "cccc",
  D: "crfr",
  E: "cfff",
  F: "fcfc",
  G: "fcfc",
  H: "fcfc",
  I: "ccff",
  J: "crrf",
  K: "cfrr",
  L: "crrr",
  M: "ccff",
  N: "ccff",
  O: "crrc",
  P: "crrc",
  Q: "ccfc",
  R: "ccfc",
  S: "ccrc",
  T: "ccrc",
  U: "rfrf",
  V: "ffrr",
  W: "frrr",
  X: "rrrr",
};

export const compass = ["north", "east", "south", "west"];

/**
 * The sides of a turned tile, from the north clockwise.
 * @param {string} letter @param {number} rotation degrees clockwise
 */
export function edgesOf(letter, rotation) {
  const edges = EDGES[letter] ?? "";
  const turn = rotation / 90;
  return compass.map((_, at) => edges[(at + 4 - turn) % 4] ?? "f");
}
