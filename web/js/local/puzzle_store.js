/** Puzzles that this browser keeps with their answers, and answers that the service does not have yet. */

import { within } from "./base.js";

/**
 * @typedef {Answer<"show_puzzle_pack">["puzzles"][number]} PackedPuzzle
 * @typedef {object} KeptAttempt
 * @property {string} id of the puzzle @property {string} game @property {string} key the same however often it is sent
 * @property {number} hints so many were seen @property {Move[] | null} moves null: not answered
 * @property {number} made_at ms since the epoch, by the clock of this device
 */

/** @returns {Promise<PackedPuzzle[]>} */
export const listKept = () => within("puzzles", "readonly", (puzzles) => puzzles.getAll());

/** @param {string} id @returns {Promise<PackedPuzzle | undefined>} */
export const readKept = (id) => within("puzzles", "readonly", (puzzles) => puzzles.get(id));

/** Keep the puzzles of a game, those of before no more. @param {string} game @param {PackedPuzzle[]} pack */
export async function keepPack(game, pack) {
  const gone = (await listKept()).filter((one) => one.game === game && !pack.some(({ id }) => id === one.id));
  await within("puzzles", "readwrite", (puzzles) => {
    for (const { id } of gone) puzzles.delete(id);
    for (const one of pack) puzzles.put(one);
    return puzzles.count();
  });
}

/** @returns {Promise<KeptAttempt[]>} */
export const listAttempts = () => within("attempts", "readonly", (attempts) => attempts.getAll());

/** @param {string} id @returns {Promise<KeptAttempt | undefined>} */
export const readAttempt = (id) => within("attempts", "readonly", (attempts) => attempts.get(id));

/** @param {KeptAttempt} attempt */
export const keepAttempt = (attempt) => within("attempts", "readwrite", (attempts) => attempts.put(attempt));

/** The service has it, or has refused it: the puzzle goes as well. @param {string} id */
export async function removeAttempt(id) {
  await within("attempts", "readwrite", (attempts) => attempts.delete(id));
  await within("puzzles", "readwrite", (puzzles) => puzzles.delete(id));
}
