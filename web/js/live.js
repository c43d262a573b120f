/**
 * News of a game as they happen.
 *
 * A public game is listened to with an `EventSource`. It cannot send a token, so a private game is
 * followed by long polling (`?wait=25`). Both go on from the last version that was seen: after a
 * sleep, a lost network or a restart of the server nothing is missed and nothing comes twice.
 */

import { api, Problem, streamAddress } from "./api.js";

const QUIET = 35_000; // the server sends a comment every 15 s; twice missed means a dead line
const CHECK = 20_000;
const AGAIN = [500, 1000, 2000, 4000, 8000];

/**
 * @typedef {object} Listener
 * @property {(event: any) => void} onevent each new event, in order, once
 * @property {(connected: boolean) => void} onstate the line is up or down
 */

export class Live {
  /**
   * @param {string} id the game
   * @param {number} after the last version that is known already
   * @param {boolean} isPublic
   * @param {Listener} listener
   */
  constructor(id, after, isPublic, listener) {
    this.id = id;
    this.version = after;
    this.isPublic = isPublic;
    this.listener = listener;
    this.failures = 0;
    this.ended = false;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {AbortController | null} */
    this.poll = null;
    this.timer = 0;
    this.check = setInterval(() => this.#check(), CHECK);
    this.wake = () => this.#woken();
    addEventListener("online", this.wake);
    addEventListener("offline", this.wake);
    document.addEventListener("visibilitychange", this.wake);
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
    this.source?.close();
    this.poll?.abort();
    this.source = null;
    this.poll = null;
  }

  #connect() {
    this.#drop();
    if (this.ended) return;
    if (this.isPublic) this.#listen();
    else this.#ask();
  }

  #again() {
    this.#drop();
    if (this.ended) return;
    this.listener.onstate(false);
    const pause = AGAIN[Math.min(this.failures, AGAIN.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.#connect(), pause);
  }

  /** @param {any} event */
  #take(event) {
    if (event.version <= this.version || this.ended) return;
    this.version = event.version;
    if (LAST.has(event.type)) this.close(); // the server ends the stream: that is no failure
    this.listener.onevent(event);
  }

  /** Something between here and the server may hold the stream back: ask now and then as well. */
  async #check() {
    if (!this.source || document.visibilityState !== "visible") return;
    const before = this.version;
    try {
      const { events } = await api.events(this.id, before);
      events.forEach((/** @type {any} */ event) => this.#take(event));
    } catch {
      this.#again(); // no answer: the stream is most likely dead, too
    }
  }

  #listen() {
    const source = new EventSource(streamAddress(this.id, this.version));
    this.source = source;
    source.onopen = () => {
      this.failures = 0;
      this.listener.onstate(true);
    };
    // Events carry their type as the SSE event name or none at all: both are listened to.
    source.onmessage = (message) => this.#take(JSON.parse(message.data));
    // Reconnecting is done here and not by the browser: it gives up on any status but 200, and it
    // would ask from where this connection began.
    source.onerror = () => this.#again();
  }

  async #ask() {
    const poll = new AbortController();
    this.poll = poll;
    try {
      while (!poll.signal.aborted) {
        const late = setTimeout(() => poll.abort("late"), QUIET);
        const answer = await api.events(this.id, this.version, { wait: 25 }, poll.signal);
        clearTimeout(late);
        this.failures = 0;
        this.listener.onstate(true);
        answer.events.forEach((/** @type {any} */ event) => this.#take(event));
      }
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return;
      if (poll === this.poll) this.#again();
    }
  }
}

/** After these comes nothing more. */
const LAST = new Set(["game_scored", "game_aborted"]);
