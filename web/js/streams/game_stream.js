/**
 * News of a game as they happen, by the one stream of this browser (`browser_stream.js`). A hidden tab
 * follows nothing; in sight again it goes on where it stopped.
 *
 * After a sleep, a lost network or a restart of the server the stream goes on from the last version
 * that was seen: no event is missed and no event comes twice. Apart from events the stream brings
 * named signals (messages, presence, clocks), which may be lost: what they are about can be asked for.
 */

import { api, openStream } from "../platform/api.js";
import { isLocal } from "../platform/local_games.js";
import { browserStream } from "./browser_stream.js";
import { lines } from "./ndjson.js";

const CHECK = 20_000;
const LINGER = 5000; // ms for which a hidden tab goes on following: most come back at once
const UNAVAILABLE = 10_000; // ms after which a game that could not be read is asked for again

/**
 * @typedef {object} Listener
 * @property {(event: any) => void} onevent each new event, in order, once
 * @property {(connected: boolean) => void} onstate the line is up or down
 * @property {(name: string, data: any) => void} onsignal a message, a change of presence or clocks
 * @property {() => void} onmissed signals may have been lost: ask again for what they are about
 * @property {() => void} onreset the server has lost events: what is known of the game is void
 * @property {() => void} onhidden this player may not see the game any more
 */

export class GameStream {
  /**
   * @param {string} id the game
   * @param {number} after the last version that is known already
   * @param {Listener} listener
   */
  constructor(id, after, listener) {
    this.id = id;
    this.version = after;
    /** The hash of the last event, "" while it is not known. */
    this.hash = "";
    this.listener = listener;
    this.ended = false;
    /** Signals may have been lost since the stream had this game. */
    this.hasMissed = false;
    this.wasUp = false;
    /** Ends the following; null while this tab follows nothing. @type {(() => void) | null} */
    this.unfollow = null;
    this.timer = 0;
    this.lingering = 0;
    this.check = setInterval(() => this.#check(), CHECK);
    this.wake = () => this.#woken();
    addEventListener("offline", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#follow();
  }

  /** Follow the game as the player of this device is now. */
  renew() {
    if (!this.ended && this.unfollow) browserStream.renew();
  }

  close() {
    this.ended = true;
    clearInterval(this.check);
    this.#letGo();
    removeEventListener("offline", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  #woken() {
    clearTimeout(this.lingering);
    if (!navigator.onLine) this.listener.onstate(false);
    if (document.visibilityState === "visible") this.#follow();
    else this.lingering = setTimeout(() => this.#letGo(), LINGER);
  }

  #follow() {
    if (this.ended || this.unfollow || document.visibilityState !== "visible") return;
    this.unfollow = isLocal(this.id) ? this.#followHere() : browserStream.follow(this);
  }

  #letGo() {
    clearTimeout(this.lingering);
    clearTimeout(this.timer);
    const { unfollow } = this;
    this.unfollow = null;
    this.hasMissed = true;
    unfollow?.();
  }

  /** A game of this device needs no connection: the engine in the browser has it. */
  #followHere() {
    const stream = new AbortController();
    const open = (/** @type {AbortSignal} */ signal) => openStream(this.id, this.version, signal);
    const read = async () => {
      for await (const event of lines(open, stream, () => this.up(false), 0)) this.take({ event });
    };
    read().catch((error) => {
      if (!stream.signal.aborted) throw error;
    });
    return () => stream.abort();
  }

  // -- what the stream of the browser calls ---------------------------------------------------------

  /** @param {boolean} isFresh */
  up(isFresh) {
    this.listener.onstate(true);
    if (this.hasMissed || (isFresh && this.wasUp)) this.listener.onmissed();
    this.hasMissed = false;
    this.wasUp = true;
  }

  down() {
    this.listener.onstate(false);
  }

  /** @param {any} line the game, and one thing of it */
  take({ game, event, reset, closed, ...signals }) {
    if (event) this.#take(event);
    else if (reset) this.#reset(reset.version);
    else if (closed === "unavailable") this.#retry();
    else if (closed) this.#end(closed);
    else for (const [name, data] of Object.entries(signals)) this.listener.onsignal(name, data);
  }

  /** Nothing more comes. @param {string} why */
  #end(why) {
    this.close();
    if (why !== "over") this.listener.onhidden();
  }

  /** The server cannot read the game for the moment. */
  #retry() {
    this.listener.onstate(false);
    this.#letGo();
    this.timer = setTimeout(() => this.#follow(), UNAVAILABLE * (0.5 + Math.random()));
  }

  /** @param {GameEvent} event */
  #take(event) {
    // What lies between comes with the next stream, and this event again after it.
    if (event.version !== this.version + 1 || this.ended) return;
    // The server has lost events and has others by now: the versions do not say so, the hash does.
    if (this.hash && event.prev && event.prev !== this.hash) this.listener.onreset();
    this.version = event.version;
    this.hash = event.hash ?? "";
    if (LAST.has(event.type)) this.close(); // nothing more comes
    this.listener.onevent(event);
  }

  /** Something between here and the server may hold the stream back: ask now and then as well. */
  async #check() {
    if (!this.unfollow || document.visibilityState !== "visible") return;
    const { version } = this;
    try {
      const { events, reset, next_after } = await api.events(this.id, version);
      const isBehind = this.version === version && (reset || events.length > 0);
      if (reset) this.#reset(next_after);
      for (const event of events) this.#take(event);
      if (isBehind && !isLocal(this.id)) browserStream.rescue();
    } catch {
      this.listener.onstate(false); // no answer: the stream is most likely dead, too
      browserStream.renew();
    }
  }

  /** @param {number} version the version at which the game is now */
  #reset(version) {
    if (this.ended || version >= this.version) return;
    this.version = version;
    this.hash = "";
    this.listener.onreset();
  }
}

/** After these comes nothing more. */
const LAST = new Set(["game_scored", "game_aborted"]);
