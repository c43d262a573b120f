/**
 * Packs of puzzles: fetched beforehand with their answers, and refilled. What is answered without a network is sent
 * when there is one: each with the key of its first sending, so that it counts once.
 */

import { note } from "../elements/announce.js";
import { call, Problem, sendWithKey, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { keepPack, listAttempts, listKept, readAttempt, removeAttempt } from "./puzzle_store.js";

/** So many puzzles of each game. */
export const PACK = 50;
const PATH = "/puzzles/pack";
/** Who sends may not send now: it is tried again at the next visit. */
const LATER = [401, 403, 429, 500];
const SECOND = 1000; // ms

/** @typedef {import("./puzzle_store.js").KeptAttempt} KeptAttempt */

let isSending = false;

/** The puzzles that wait for an answer here. */
export async function listOpen() {
  const made = new Set((await listAttempts()).filter(({ moves }) => moves).map(({ id }) => id));
  return (await listKept()).filter(({ id }) => !made.has(id));
}

/** Fill the pack of each game, and keep it here. Raises `Unreachable`, `Problem`, `StorageTrouble`. */
export async function fillPacks() {
  const { games } = await call("/puzzles");
  for (const { game } of games) {
    await call(PATH, "POST", { game, number: PACK });
    const { puzzles } = await call(`${PATH}?game=${encodeURIComponent(game)}`);
    await keepPack(game, puzzles);
  }
}

/** Send what was answered here; without a network nothing happens. */
export async function sendAttempts() {
  if (!me() || isSending || !navigator.onLine) return;
  isSending = true;
  /** @type {string[]} */
  const refused = [];
  let count = 0;
  try {
    for (const { id, moves } of await listAttempts()) if (moves && (await send(id, refused))) count += 1;
  } catch (error) {
    const isPassing = error instanceof Unreachable || (error instanceof Problem && LATER.includes(error.status));
    if (!isPassing) throw error;
  } finally {
    isSending = false;
    say(count, refused);
  }
}

/** @param {number} count so many were sent @param {string[]} refused why others do not count */
function say(count, refused) {
  const lines = refused.map((reason) => t("ui.puzzles.not_counted", { reason }));
  if (count) lines.unshift(t("ui.puzzles.sent", { n: count }));
  if (lines.length) note(lines.join(" "), refused.length ? "trouble" : "news");
}

/** @param {string} id @param {string[]} refused gets the reason of the service @returns {Promise<boolean>} whether it has counted it */
async function send(id, refused) {
  const attempt = await readAttempt(id);
  if (!attempt?.moves) return false; // another tab has sent it
  const { hints, moves, made_at, key } = attempt;
  const path = `/puzzles/${encodeURIComponent(id)}`;
  try {
    if (hints) await hint(path, hints);
    const seconds_ago = Math.max(0, Math.floor((Date.now() - made_at) / SECOND));
    await sendWithKey(`${path}/attempts`, { moves, seconds_ago }, key);
  } catch (error) {
    if (!(error instanceof Problem) || LATER.includes(error.status)) throw error;
    await removeAttempt(id);
    refused.push(error.message);
    return false;
  }
  await removeAttempt(id);
  return true;
}

/** Hints that were seen here; an attempt that is stored already takes no more. @param {string} path @param {number} step */
async function hint(path, step) {
  try {
    await call(`${path}/hints`, "POST", { step });
  } catch (error) {
    if (!(error instanceof Problem && error.code === "puzzle_answered")) throw error;
  }
}
