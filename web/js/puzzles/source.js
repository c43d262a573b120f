/** Who answers about a puzzle: the service, or without a network the pack that this device keeps. */

import { openPacked } from "../local/packed_puzzle.js";
import { sendAttempts } from "../local/packs.js";
import { Unreachable } from "../platform/api.js";
import { me } from "../platform/identity.js";
import { answer, draw, findNext, findPuzzle, takeHint, tryLine } from "./calls.js";

/**
 * @typedef {object} Source
 * @property {boolean} isPacked
 * @property {(id: string, moves: Move[]) => Promise<import("./calls.js").Tried>} tryLine
 * @property {(id: string, moves: Move[]) => Promise<import("./calls.js").Outcome>} answer
 * @property {(id: string, step: 1 | 2) => Promise<import("./calls.js").Hint>} takeHint
 * @property {(id: string, wish: Record<string, any>) => Promise<string>} draw
 * @property {() => Promise<{id: string} | null>} findNext null: there is no other one
 */

/** @param {string} game @returns {Source} */
function serviceFor(game) {
  return { isPacked: false, tryLine, answer, takeHint, draw, findNext: () => findNext({ game }) };
}

/**
 * Open a puzzle: from the service, without a network from the pack. Raises `Unreachable`, `Problem`.
 * @param {string} id @returns {Promise<{puzzle: import("./calls.js").Puzzle, source: Source}>}
 */
export async function openPuzzle(id) {
  if (navigator.onLine) {
    try {
      if (me()) await sendAttempts(); // what was answered here is answered there
      const puzzle = await findPuzzle(id);
      return { puzzle, source: serviceFor(puzzle.game) };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  const source = await openPacked(id);
  if (!source) throw new Unreachable("the puzzle is not in the pack");
  return { puzzle: await source.find(), source };
}
