// The place of a reader of many games and of the inbox: `GET /streams`.

import { EventChain, InboxFollower } from "./following.js";
import { BrokenStream } from "./lines.js";

/**
 * What happens in a game; a game that is closed, with the reason; or an item of the inbox.
 *
 * A game is closed as `over`, `not_found` (missing, or not for this player), `hidden` from the player
 * by now, or `unavailable`: then the client goes on asking for it, and it may come back.
 * @typedef {{kind: "game", game: string, line: import("./following.js").Line}
 *   | {kind: "closed", game: string, reason: string}
 *   | {kind: "item", item: import("./following.js").Item}} ManyLine
 */

/**
 * @typedef {object} ManyWish
 * @property {boolean} [inbox] whether to bring the items of the inbox
 * @property {string} [inboxAfter] the id of the last item that is known
 * @property {string} [include] `messages`, `presence`, `clock`, separated by commas
 * @property {string[]} [present] those of the games that the player has open
 */

/**
 * A reader of many games: each event once and in order, for each of the games.
 *
 * The cursor of the service is given up where it may be ahead of the reader: then the stream goes on
 * after the version of each game, which the reader knows itself.
 * @implements {Follower<ManyLine>}
 */
export class ManyFollower {
  isOver = false;
  isIncomplete = false;
  #cursor = "";
  /** @type {Map<string, EventChain>} */
  #chains;
  #inbox;
  #wish;
  /** @type {Map<string, string>} */
  #closed = new Map();

  /** @param {string[] | Record<string, number>} games ids, or versions by ids @param {ManyWish} wish */
  constructor(games, wish) {
    /** @type {[string, number][]} */
    const begun = Array.isArray(games) ? games.map((game) => [game, 0]) : Object.entries(games);
    this.#chains = new Map(begun.map(([game, after]) => [game, new EventChain(after)]));
    this.#inbox = new InboxFollower(wish.inboxAfter ?? "");
    this.#wish = wish;
  }

  begin() {
    this.isIncomplete = false;
    const { inbox, include = "", present = [] } = this.#wish;
    const games = [...this.#chains.keys()].join(",");
    /** @type {Record<string, string>} */
    const query = { games, include, present: present.join(","), inbox: inbox ? "true" : "" };
    const after = [...this.#chains.values()].map((chain) => chain.version).join(",");
    if (!this.#cursor) Object.assign(query, { after, inbox_after: inbox ? this.#inbox.cursor : "" });
    return { path: "/streams", query, cursor: this.#cursor };
  }

  /** @param {any} found @returns {ManyLine | null} */
  take(found) {
    const { cursor, ...line } = Object(found);
    const said = this.#read(line);
    // A line that says nothing new may repeat an old line, and its cursor is old as well.
    if (said && typeof cursor === "string") this.#cursor = cursor;
    if (said?.kind === "game" && said.line.kind === "reset") this.#cursor = "";
    return said;
  }

  /** A cursor that is refused is given up, once. @param {string} code */
  refuse(code) {
    if (code !== "bad_cursor" || !this.#cursor) return false;
    this.#cursor = "";
    return true;
  }

  /** @param {Record<string, any>} found @returns {ManyLine | null} */
  #read({ game, ...found }) {
    if (game === undefined) {
      const item = found.inbox ? this.#inbox.take(found) : null;
      return item && { kind: "item", item };
    }
    const chain = this.#chains.get(game);
    if (!chain) return null;
    if (typeof found.closed === "string") return this.#close(game, found.closed);
    this.#closed.delete(game);
    const line = this.#takeOf(chain, Object(found.event ?? found));
    return line && { kind: "game", game, line };
  }

  /** @param {EventChain} chain @param {Record<string, any>} found */
  #takeOf(chain, found) {
    try {
      return chain.take(found);
    } catch (error) {
      if (error instanceof BrokenStream) this.#cursor = "";
      throw error;
    }
  }

  /** @param {string} game @param {string} reason @returns {ManyLine | null} */
  #close(game, reason) {
    if (reason === "unavailable") this.isIncomplete = true;
    const isKnown = this.#closed.get(game) === reason;
    this.#closed.set(game, reason);
    const final = [...this.#closed.values()].filter((one) => one !== "unavailable");
    this.isOver = !this.#wish.inbox && final.length === this.#chains.size;
    return isKnown ? null : { kind: "closed", game, reason };
  }
}

/** @template T @typedef {import("./following.js").Follower<T>} Follower */
