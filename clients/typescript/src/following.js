// The place of a reader in a stream. It lives longer than a connection.

import { BrokenStream } from "./lines.js";

/** @typedef {import("../types/api.js").Event} GameEvent */
/** @typedef {import("../types/api.js").Item} Item */

/** The events after which a game has no other event. */
const LAST = new Set(["game_scored", "game_aborted"]);

/**
 * An event, a reset (read the game again), or something that is not stored, with its name.
 * @typedef {{kind: "event", version: number, event: GameEvent}
 *   | {kind: "reset", version: number}
 *   | {kind: "named", name: string, content: any}} Line
 */

/**
 * Where a request for a stream goes, and the cursor of the last line, "" at the beginning.
 * @typedef {{path: string, query: Record<string, string>, cursor: string}} Place
 */

/**
 * A reader of a stream: `take` returns what the value of a line brings, null for nothing new; `refuse`
 * whether to connect again after a refusal that stands otherwise.
 * @template T
 * @typedef {object} Follower
 * @property {boolean} isOver the stream has no more lines
 * @property {boolean} isIncomplete a part cannot be read for the moment: connect again after a while
 * @property {() => Place} begin
 * @property {(found: any) => T | null} take
 * @property {(code: string) => boolean} refuse
 */

/** Where a reader is in the events of one game: which lines are new to it. */
export class EventChain {
  #hash = "";

  /** @param {number} version of the last event that the reader has */
  constructor(version) {
    this.version = version;
  }

  /**
   * Returns what a line says that is new; throws `BrokenStream` when a version is missing.
   * @param {Record<string, any>} found
   * @returns {Line | null}
   */
  take(found) {
    if (Number.isInteger(found.version) && typeof found.type === "string") return this.#take(found);
    const { reset } = found;
    if (reset && typeof reset === "object" && !Array.isArray(reset)) {
      const { version = 0 } = reset;
      return Number.isInteger(version) ? this.#reset(version) : null;
    }
    const [name, ...others] = Object.keys(found);
    return name === undefined || others.length ? null : { kind: "named", name, content: found[name] };
  }

  /** @param {Record<string, any>} event @returns {Line | null} */
  #take(event) {
    if (event.version <= this.version) return null;
    if (event.version > this.version + 1) throw new BrokenStream(`version ${event.version} follows ${this.version}`);
    // The store has lost events and has others by now: nothing that is known holds.
    if (this.#hash && event.prev && event.prev !== this.#hash) return this.#reset(0);
    this.version = event.version;
    this.#hash = event.hash ?? "";
    return { kind: "event", version: event.version, event: /** @type {GameEvent} */ (event) };
  }

  /** @param {number} version @returns {Line} */
  #reset(version) {
    this.version = version;
    this.#hash = "";
    return { kind: "reset", version };
  }
}

/** A reader of the events of a game. @implements {Follower<Line>} */
export class GameFollower {
  isOver = false;
  isIncomplete = false;
  #chain;
  #game;
  #include;

  /** @param {string} game @param {number} after @param {string} include */
  constructor(game, after, include) {
    this.#game = game;
    this.#chain = new EventChain(after);
    this.#include = include;
  }

  begin() {
    const path = `/games/${encodeURIComponent(this.#game)}/events/stream`;
    const { version } = this.#chain;
    return { path, query: { include: this.#include }, cursor: version ? `${version}` : "" };
  }

  /** @param {any} found */
  take(found) {
    const line = this.#chain.take(Object(found));
    if (line?.kind === "event" && LAST.has(line.event.type)) this.isOver = true;
    return line;
  }

  refuse() {
    return false;
  }
}

/** A reader of the player's inbox. @implements {Follower<Item>} */
export class InboxFollower {
  isOver = false;
  isIncomplete = false;

  /** @param {string} cursor the id of the last item that the reader has */
  constructor(cursor) {
    this.cursor = cursor;
  }

  begin() {
    return { path: "/players/me/inbox/stream", query: {}, cursor: this.cursor };
  }

  /** @param {any} found @returns {Item | null} */
  take(found) {
    const item = Object(found).inbox ?? found;
    if (typeof item?.type !== "string" || (item.id && item.id === this.cursor)) return null;
    if (typeof item.id === "string" && item.type !== "snapshot") this.cursor = item.id;
    return item;
  }

  refuse() {
    return false;
  }
}
