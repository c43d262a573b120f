/**
 * News of a game as they happen: by a stream while this tab has a slot for it (`stream_slots.js`), else by
 * asking every other second. A hidden tab does neither; in sight again it goes on where it stopped.
 *
 * After a sleep, a lost network or a restart of the server the stream goes on from the last version
 * that was seen: no event is missed and no event comes twice. Apart from events the stream brings
 * named signals (messages, presence, clocks), which may be lost: what they are about can be asked for.
 */

import { api, openStream, Problem } from "./api.js";
import { lines } from "./ndjson.js";
import { StreamSlot } from "./stream_slots.js";

const CHECK = 20_000;
const POLL = 2000; // ms between two questions while other tabs have all slots
const SIGNALS = 5; // polls after which also that is asked for what only a stream tells
const LINGER = 5000; // ms for which a hidden tab keeps its stream: most come back at once
const AGAIN = [500, 1000, 2000, 4000, 8000];

/**
 * @typedef {object} Listener
 * @property {(event: any) => void} onevent each new event, in order, once
 * @property {(connected: boolean) => void} onstate the line is up or down
 * @property {(name: string, data: any) => void} onsignal a message, a change of presence or clocks
 * @property {() => void} onmissed signals may have been lost: ask again for what they are about
 * @property {() => void} onreset the server has lost events: what is known of the game is void
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
    this.failures = 0;
    this.ended = false;
    /** @type {AbortController | null} */
    this.stream = null;
    this.timer = 0;
    this.lingering = 0;
    /** How often this tab has asked since it had a stream; 0: it has one, or had no news to miss. */
    this.polls = 0;
    this.slot = new StreamSlot({ taken: () => this.#connect(), lost: () => this.#lost() });
    this.check = setInterval(() => this.#check(), CHECK);
    this.wake = () => this.#woken();
    addEventListener("online", this.wake);
    addEventListener("offline", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.focused = () => this.ended || this.slot.steal();
    addEventListener("focus", this.focused);
    this.#follow();
  }

  /** Open the stream again, as the player of this device is now. */
  renew() {
    if (this.ended) return;
    this.failures = 0;
    this.#follow();
  }

  close() {
    this.ended = true;
    clearInterval(this.check);
    this.#letGo();
    removeEventListener("focus", this.focused);
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  #woken() {
    if (this.ended) return;
    clearTimeout(this.lingering);
    if (!navigator.onLine) {
      this.#drop();
      this.listener.onstate(false);
    } else if (document.visibilityState === "visible") {
      this.failures = 0;
      this.#follow();
    } else {
      this.lingering = setTimeout(() => this.#letGo(), LINGER);
    }
  }

  #drop() {
    clearTimeout(this.timer);
    this.stream?.abort();
    this.stream = null;
  }

  /** Leave the connection to other tabs. */
  #letGo() {
    clearTimeout(this.lingering);
    this.#drop();
    this.slot.free();
    this.polls = 1;
  }

  /** Follow the game with a stream; until there is a slot for it, by asking. */
  #follow() {
    if (document.visibilityState !== "visible") return;
    if (this.slot.isHeld) {
      this.#connect();
    } else {
      this.slot.ask();
      if (!this.slot.isHeld) this.#pollLater();
    }
  }

  #connect() {
    this.#drop();
    if (this.ended) return;
    this.#listen();
  }

  /** Another tab has the slot of this tab now. */
  #lost() {
    if (this.ended) return;
    this.#drop();
    this.#follow();
  }

  #again() {
    this.#drop();
    if (this.ended) return;
    this.listener.onstate(false);
    const pause = AGAIN[Math.min(this.failures, AGAIN.length - 1)];
    this.failures += 1;
    // Not all at the same time: the streams of a process that stops end together.
    this.timer = setTimeout(() => this.#follow(), pause * (0.5 + Math.random()));
  }

  #pollLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#poll(), POLL);
  }

  /** Ask what is new, as long as there is no slot. */
  async #poll() {
    if (this.ended || this.slot.isHeld || document.visibilityState !== "visible") return;
    try {
      await this.#ask();
      this.listener.onstate(true);
      this.polls += 1;
      if (this.polls % SIGNALS === 0) this.listener.onmissed();
    } catch (error) {
      if (isFinal(error)) return;
      this.listener.onstate(false);
    }
    if (!this.ended && !this.slot.isHeld) this.#pollLater();
  }

  /** @param {GameEvent} event */
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
    try {
      await this.#ask();
    } catch {
      this.#again(); // no answer: the stream is most likely dead, too
    }
  }

  async #ask() {
    const { events, reset, next_after } = await api.events(this.id, this.version);
    if (reset) this.#reset(next_after);
    events.forEach((event) => this.#take(event));
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
      if (isFinal(error)) return;
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
    if (this.polls) this.listener.onmissed();
    this.polls = 0;
  };

  /** @param {any} line an event has a type; anything else is named by its one key */
  #read(line) {
    if (line.type) this.#take(line);
    else if (line.reset) this.#reset(line.reset.version);
    else for (const [name, data] of Object.entries(line)) this.listener.onsignal(name, data);
  }
}

/** No such game, or no such player: asking again does not help. @param {unknown} error */
function isFinal(error) {
  return error instanceof Problem && [401, 404].includes(error.status);
}

/** After these comes nothing more. */
const LAST = new Set(["game_scored", "game_aborted"]);
