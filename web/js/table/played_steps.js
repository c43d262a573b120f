/** Tells the parts of a table what was played between two states that were shown. */

import { api, Problem, Unreachable } from "../platform/api.js";

/** @typedef {{events: any[], before: any, after: any}} Step what happened, the game before and after */

export class PlayedSteps {
  /** @param {EventTarget & {id: string, game: any}} table */
  constructor(table) {
    this.table = table;
    this.before = table.game;
    /** Newer events than those that the page knows, by version. @type {Map<number, any>} */
    this.heard = new Map();
    this.telling = Promise.resolve();
  }

  /** @param {GameEvent} event */
  hear(event) {
    if (this.before && event.version > this.before.version) this.heard.set(event.version, event);
  }

  /** The server has lost events: begin again with the next state. */
  forget() {
    this.heard.clear();
    this.before = null;
  }

  /** Tell what was played since the last time; nothing when the version is the same. */
  tell() {
    const { before } = this;
    const after = this.table.game;
    this.before = after;
    if (!before || after.version <= before.version) return;
    this.telling = this.telling
      .then(async () => {
        const events = await this.#between(before.version, after.version);
        const detail = /** @type {Step} */ ({ events, before, after });
        if (events.length) this.table.dispatchEvent(new CustomEvent("played", { detail }));
      })
      .catch((error) => {
        // Without the events nothing is shown of them: the table shows their result.
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
      });
  }

  /** @param {number} from @param {number} to @returns {Promise<any[]>} */
  async #between(from, to) {
    const versions = Array.from({ length: to - from }, (_, at) => from + 1 + at);
    const known = versions.map((version) => this.heard.get(version));
    for (const version of versions) this.heard.delete(version);
    if (known.every(Boolean)) return known;
    const { events } = await api.events(this.table.id, from, { limit: versions.length });
    return events.filter(({ version }) => version <= to);
  }
}
