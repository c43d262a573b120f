/** The table at which this person plays now: its game is made a moment after the round was paired. */

import { api, Problem } from "../platform/api.js";

/** ms until a game that was missing is looked for again. */
const AGAIN = 1500;

/** @typedef {import("./facts/shown.js").RoundTable} RoundTable */

export class OwnTable {
  /** @param {() => any} again the page is to be read again */
  constructor(again) {
    this.again = again;
    /** The games that are there. @type {Set<string>} */
    this.made = new Set();
    this.timer = 0;
    this.isClosed = false;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Find the game of a table. @param {RoundTable | undefined} table @returns {Promise<string | null | undefined>} null: not made yet; undefined: no table */
  async find(table) {
    if (!table) return undefined;
    if (this.made.has(table.game) || (await isThere(table.game))) {
      this.made.add(table.game);
      return table.game;
    }
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(this.again, AGAIN);
    return null;
  }
}

/** @param {string} id */
async function isThere(id) {
  try {
    await api.game(id);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false;
    throw error;
  }
}
