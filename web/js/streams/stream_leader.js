/**
 * The tab that leads holds the stream of this browser: it opens another one when the tables of the tabs
 * change, each game after the version that the tabs have. The old stream goes on until the new one
 * is there, so no signal is lost between them; what comes twice, a table and the inbox know by its
 * version or its id.
 *
 * A hidden tab may wait for nothing (browsers slow its timers down): before it waits to connect again,
 * it hands the lead to a tab that a person sees.
 */

import { openStreams, Problem } from "../platform/api.js";
import { whenGone } from "./lead.js";
import { lines } from "./ndjson.js";

const AGAIN = [500, 1000, 2000, 4000, 8000, 15_000];
const MOST = 50; // games of one stream; a browser with more tables has the others ask
const REMEMBERED = 500; // items

/** The lock that a tab holds as long as it lives. @param {string} tab */
export const lockOf = (tab) => `cartulary.tab.${tab}`;

/**
 * @typedef {object} InboxFollower
 * @property {() => () => void} lead this tab leads from now on, until the returned function is called
 * @property {string} place the id of the last item that is known, "" for none
 * @property {(item: any) => void} take gets each item, in the tab that leads
 */

/** @typedef {{tab: string, games: Record<string, number>, again?: boolean}} Wish the tables of a tab */

/**
 * @typedef {object} Message between tabs
 * @property {Wish} [wish] for the leader
 * @property {true} [ask] of a new leader: what does each tab follow?
 * @property {any} [line]
 * @property {{games: string[], isFresh: boolean}} [up]
 * @property {true} [down]
 * @property {string} [lead] the tab that should lead
 */

export class StreamLeader {
  /** The tables of each tab. @type {Map<string, Record<string, number>>} */
  #wishes = new Map();
  /** The games of the newest stream which it has not closed. @type {Map<string, number>} */
  #followed = new Map();
  /** The stream that is open, and the one that takes its place. @type {AbortController | null} */
  #open = null;
  /** @type {AbortController | null} */
  #opening = null;
  #isStale = false;
  #isEnded = false;
  #failures = 0;
  #timer = 0;
  #ended = new AbortController();
  /** Items that came by the stream. @type {Set<string>} */
  #items = new Set();

  /**
   * @param {string} own this tab
   * @param {InboxFollower | null} inbox null: this browser knows no player
   * @param {(message: Message) => void} tell tells all tabs, this one included
   */
  constructor(own, inbox, tell) {
    this.own = own;
    this.inbox = inbox;
    this.tell = tell;
    this.reconnect = () => this.#reconnect();
    this.seen = () => this.#seen();
    addEventListener("online", this.reconnect);
    addEventListener("offline", this.reconnect);
    document.addEventListener("visibilitychange", this.seen);
  }

  close() {
    this.#isEnded = true;
    this.#ended.abort();
    this.#drop();
    removeEventListener("online", this.reconnect);
    removeEventListener("offline", this.reconnect);
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** What a tab follows from now on. @param {Wish} wish */
  hear({ tab, games, again }) {
    if (!this.#wishes.has(tab) && navigator.locks) whenGone(lockOf(tab), () => this.#forget(tab), this.#ended.signal);
    this.#wishes.set(tab, games);
    if (this.#open && !this.#opening) this.tell({ up: { games: [...this.#followed.keys()], isFresh: false } });
    this.#follow(Boolean(again));
  }

  /** @param {string} tab */
  #forget(tab) {
    this.#wishes.delete(tab);
    this.tell({ ask: true }); // it may have been too early: a tab that lives says what it follows
    this.#follow(false);
  }

  /** The version up to which every tab has a game, by the game. */
  get #wanted() {
    /** @type {Map<string, number>} */
    const wanted = new Map();
    for (const games of this.#wishes.values())
      for (const [id, version] of Object.entries(games)) wanted.set(id, Math.min(version, wanted.get(id) ?? version));
    return new Map([...wanted].slice(-MOST));
  }

  /** Open another stream when this one does not bring what the tabs want. @param {boolean} again in any case */
  #follow(again) {
    if (this.#isEnded) return;
    const wanted = this.#wanted;
    const isRight =
      wanted.size === this.#followed.size &&
      [...wanted].every(([id, version]) => version >= (this.#followed.get(id) ?? Infinity));
    if (isRight && (this.#open || this.#opening) && !again) return;
    // A tab opens several tables at once: they come with the next stream, all together.
    if (this.#opening) this.#isStale = true;
    else if (navigator.onLine) this.#connect(wanted);
  }

  /** @param {Map<string, number>} wanted */
  async #connect(wanted) {
    clearTimeout(this.#timer);
    this.#isStale = false;
    this.#followed = wanted;
    if (!wanted.size && !this.inbox) {
      this.#drop();
      return;
    }
    const stream = new AbortController();
    this.#opening = stream;
    const open = (/** @type {AbortSignal} */ signal) => openStreams(wanted, this.inbox?.place ?? null, signal);
    let error = null;
    try {
      for await (const line of lines(open, stream, () => this.#opened(stream))) this.#take(line);
    } catch (reason) {
      error = reason;
    }
    if (stream === this.#opening || stream === this.#open) this.#lost(stream, error);
  }

  /** @param {AbortController} stream */
  #opened(stream) {
    if (stream !== this.#opening) return;
    const isFresh = this.#open === null;
    this.#open?.abort();
    this.#open = stream;
    this.#opening = null;
    this.#failures = 0;
    this.tell({ up: { games: [...this.#followed.keys()], isFresh } });
    if (this.#isStale) this.#follow(true);
  }

  /** A stream has ended or did not open. @param {AbortController} stream @param {unknown} error */
  #lost(stream, error) {
    if (stream === this.#open) this.#open = null;
    if (stream === this.#opening) this.#opening = null;
    if (this.#isEnded || this.#opening) return;
    if (error instanceof Problem && error.code === "bad_cursor" && this.inbox) this.inbox.place = "";
    else if (isFinal(error)) return;
    if (!this.#open) this.tell({ down: true });
    this.#again();
  }

  /** Connect again after a while, or have a tab that is seen do it. */
  #again() {
    const [seen] = [...this.#wishes].find(([tab, games]) => tab !== this.own && Object.keys(games).length) ?? [];
    if (document.visibilityState !== "visible" && seen) this.tell({ lead: seen });
    const pause = AGAIN[Math.min(this.#failures, AGAIN.length - 1)];
    this.#failures += 1;
    clearTimeout(this.#timer);
    // Not all at the same time: the streams of a process that stops end together.
    this.#timer = setTimeout(() => this.#follow(true), pause * (0.5 + Math.random()));
  }

  #drop() {
    clearTimeout(this.#timer);
    const streams = [this.#open, this.#opening];
    this.#open = null;
    this.#opening = null;
    for (const stream of streams) stream?.abort();
  }

  /** The network is another one, or none: what was open hangs. */
  #reconnect() {
    this.#drop();
    this.#failures = 0;
    if (navigator.onLine) this.#follow(true);
    else this.tell({ down: true });
  }

  #seen() {
    if (document.visibilityState !== "visible" || this.#open || this.#opening) return;
    this.#failures = 0;
    this.#follow(true);
  }

  /** @param {any} line */
  #take(line) {
    if (line.inbox) this.#takeItem(line.inbox);
    if (!line.game) return;
    if (line.event) this.#note(line.game, line.event.version);
    if (line.reset) this.#reset(line.game, line.reset.version);
    if (line.closed) {
      this.#followed.delete(line.game);
      for (const games of this.#wishes.values()) delete games[line.game];
    }
    this.tell({ line });
  }

  /**
   * An event is passed on: a tab has it now that has all before it. A tab that has just come waits for
   * the stream that begins where it is. @param {string} id @param {number} version
   */
  #note(id, version) {
    const followed = this.#followed.get(id);
    if (followed !== undefined) this.#followed.set(id, Math.max(followed, version));
    for (const games of this.#wishes.values()) if (games[id] === version - 1) games[id] = version;
  }

  /** The server is at an earlier version than the tabs. @param {string} id @param {number} version */
  #reset(id, version) {
    if (this.#followed.has(id)) this.#followed.set(id, version);
    for (const games of this.#wishes.values()) if (games[id] > version) games[id] = version;
  }

  /** @param {any} item */
  #takeItem(item) {
    if (item.type !== "snapshot" && this.#items.has(item.id)) return;
    if (this.#items.size > REMEMBERED) this.#items.clear();
    this.#items.add(item.id);
    this.inbox?.take(item);
  }
}

/** The player, or what is asked, is unknown: asking again does not help. @param {unknown} error */
function isFinal(error) {
  return error instanceof Problem && error.status < 500 && error.status !== 429;
}
