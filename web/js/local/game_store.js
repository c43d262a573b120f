/**
 * The local games of this browser, in IndexedDB: each as a transcript, so that it can be read, checked
 * and taken along. The browser may wipe the storage, or have no room: both raise `StorageTrouble`.
 */

import { within as withinStore } from "./base.js";

/**
 * @typedef {object} LocalRecord
 * @property {string} id @property {string} game @property {string} updated_at RFC 3339
 * @property {{kind: "me" | "bot", bot?: string}[]} seats
 * @property {any} transcript @property {boolean} over
 * @property {import("./lines.js").Line[]} [lines] of an analysis board; a game has none
 * @property {string} sent the `updated_at` that the account has; "" for none
 * @property {string} stored_at when the account stored it, by the clock of the service; "" for never
 */

/**
 * @template T @param {IDBTransactionMode} mode @param {(games: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
const within = (mode, act) => withinStore("games", mode, act);

/** A game that was deleted here, until the account has heard of it. @typedef {{id: string, gone: true}} GoneGame */

/** @returns {Promise<(LocalRecord | GoneGame)[]>} */
function readAll() {
  return within("readonly", (games) => games.getAll());
}

/** All games, the newest first. @returns {Promise<LocalRecord[]>} */
export async function listGames() {
  const found = /** @type {LocalRecord[]} */ ((await readAll()).filter((one) => !("gone" in one)));
  return found.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
}

/** The games that the account shall forget. @returns {Promise<string[]>} */
export async function listGone() {
  return (await readAll()).filter((one) => "gone" in one).map(({ id }) => id);
}

/** @param {string} id @returns {Promise<LocalRecord | undefined>} */
export async function readGame(id) {
  const found = await within("readonly", (games) => games.get(id));
  return found && "gone" in found ? undefined : found;
}

/** @param {LocalRecord} record */
export function keepGame(record) {
  return within("readwrite", (games) => games.put(record));
}

/**
 * Change a game in one transaction: between a reading and a writing apart another writer would be overwritten.
 * @param {string} id @param {(kept: LocalRecord | undefined, isGone: boolean) => LocalRecord[]} change returns what
 *   is put, this game or others; isGone: it was deleted, and the account has not heard of it
 */
export function changeGame(id, change) {
  return within("readwrite", (games) => {
    const reading = games.get(id);
    reading.onsuccess = () => {
      const isGone = Boolean(reading.result && "gone" in reading.result);
      for (const one of change(isGone ? undefined : reading.result, isGone)) games.put(one);
    };
    return reading;
  });
}

/** Delete a game in a way that the account hears of, else it would come back from there. @param {string} id */
export function markGone(id) {
  return within("readwrite", (games) => games.put({ id, gone: true }));
}

/** @param {string} id */
export function removeGame(id) {
  return within("readwrite", (games) => games.delete(id));
}
