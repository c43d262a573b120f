/**
 * News of a game as they happen.
 *
 * After a sleep, a lost network or a restart of the server the stream goes on from the last version
 * that was seen: no event is missed and no event comes twice. Beside the events the stream brings
 * named signals (messages, presence, clocks), which may be lost: what they are about can be asked for.
 */

import { api, openStream, Problem } from "./api.js";
import { lines } from "./lines.js";

const CHECK = 20_000;
const AGAIN = [500, 1000, 2000, 4000, 8000];

/**
 * @typedef {object} Listener
 * @property {(event: any) => void} onevent each new event, in order, once
 * @property {(connected: boolean) => void} onstate the line is up or down
 * @property {(name: string, data: any) => void} onsignal a message, a change of presence or clocks
 * @property {() => void} onreset the server has lost events: what is known of the game is void
 */

export class Live {
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
    this.failures = 0;
    this.ended = false;
    /** @type {AbortController | null} */
    this.stream = null;
    this.timer = 0;
    this.check = setInterval(() => this.#check(), CHECK);
    this.wake = () => this.#woken();
    addEventListener("online", this.wake);
    addEventListener("offline", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  /** Open the stream again, as the player of this device is now. */
  renew() {
    if (this.ended) return;
    this.failures = 0;
    this.#connect();
  }

  /** Stop for good. */
  close() {
    this.ended = true;
    clearInterval(this.check);
    this.#drop();
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  #woken() {
    if (this.ended) return;
    if (!navigator.onLine) {
      this.#drop();
      this.listener.onstate(false);
    } else if (document.visibilityState === "visible") {
      this.failures = 0;
      this.#connect();
    }
  }

  #drop() {
    clearTimeout(this.timer);
    this.stream?.abort();
    this.stream = null;
  }

  #connect() {
    this.#drop();
    if (this.ended) return;
    this.#listen();
  }

  #again() {
    this.#drop();
    if (this.ended) return;
    this.listener.onstate(false);
    const pause = AGAIN[Math.min(this.failures, AGAIN.length - 1)];
    this.failures += 1;
    // Not all at the same time: the streams of a process that stops end together.
    this.timer = setTimeout(() => this.#connect(), pause * (0.5 + Math.random()));
  }

  /** @param {any} event */
  #take(event) {
    if (event.version <= this.version || this.ended) return;
    // The server has lost events and has others by now: the versions do not say so, the hash does.
    const next = event.version === this.version + 1;
    if (next && this.hash && event.prev && event.prev !== this.hash) this.listener.onreset();
    this.version = event.version;
    this.hash = event.hash ?? "";
    if (LAST.has(event.type)) this.close(); // the server ends the stream: that is no failure
    this.listener.onevent(event);
  }

  /** Something between here and the server may hold the stream back: ask now and then as well. */
  async #check() {
    if (!this.stream || document.visibilityState !== "visible") return;
    const before = this.version;
    try {
      const { events, reset, next_after } = await api.events(this.id, before);
      if (reset) this.#reset(next_after);
      events.forEach((/** @type {any} */ event) => this.#take(event));
    } catch {
      this.#again(); // no answer: the stream is most likely dead, too
    }
  }

  /** @param {number} version the version at which the game is now */
  #reset(version) {
    if (this.ended || version >= this.version) return;
    this.version = version;
    this.hash = "";
    this.listener.onreset();
  }

  async #listen() {
    const stream = new AbortController();
    this.stream = stream;
    try {
      for await (const line of lines(this.#open, stream, this.#opened)) this.#read(line);
    } catch (error) {
      // no such game, or no such player: asking again would not help
      if (error instanceof Problem && [401, 404].includes(error.status)) return;
    }
    // Also when the server has ended the stream: it stops, or this client was too slow.
    if (stream === this.stream) this.#again();
  }

  /** @param {AbortSignal} signal */
  #open = (signal) => openStream(this.id, this.version, signal);

  /** @param {boolean} isEmpty the game is finished, and all of it is known */
  #opened = (isEmpty) => {
    if (isEmpty) {
      this.close();
      return;
    }
    this.failures = 0;
    this.listener.onstate(true);
  };

  /** @param {any} line an event has a type; anything else is named by its one key */
  #read(line) {
    if (line.type) this.#take(line);
    else if (line.reset) this.#reset(line.reset.version);
    else for (const [name, data] of Object.entries(line)) this.listener.onsignal(name, data);
  }
}

/** After these comes nothing more. */
const LAST = new Set(["game_scored", "game_aborted"]);
