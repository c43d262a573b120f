/** News of a tournament: its stream says that there is something new, and the page reads it again. */

import { followLines } from "../streams/follow_lines.js";
import { tournaments } from "./facts/tournament_calls.js";

/** ms in which the events of one moment come together; spread, because hundreds may watch the same standings. */
const SOON = 150;
const SPREAD = 450;
/** ms until the games of a round are there: they are made after it is paired. */
const MADE = 1200;

export class LiveEvents {
  /** @param {string} id @param {() => void} heard there is something new */
  constructor(id, heard) {
    this.id = id;
    this.heard = heard;
    this.version = 0;
    this.isOver = false;
    this.timer = 0;
    /** @type {AbortController | null} */
    this.stream = null;
    this.seen = () => (document.visibilityState === "visible" ? this.#open(true) : this.#stop());
    document.addEventListener("visibilitychange", this.seen);
  }

  /** The page shows this version. @param {number} version @param {string} status */
  follow(version, status) {
    this.version = Math.max(version, this.version);
    this.isOver = status === "over" || status === "cancelled";
    if (this.isOver) this.#stop();
    else this.#open(false);
  }

  close() {
    this.isOver = true;
    document.removeEventListener("visibilitychange", this.seen);
    this.#stop();
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.stream?.abort();
    this.stream = null;
  }

  /** @param {boolean} isBack the person looks at the page again */
  #open(isBack) {
    if (this.stream || this.isOver || document.visibilityState !== "visible") return;
    this.stream = new AbortController();
    if (isBack) this.heard();
    const open = (/** @type {AbortSignal} */ signal) => tournaments.stream(this.id, this.version, signal);
    followLines(open, this.stream.signal, (line) => this.#take(line));
  }

  /** @param {{version?: number, type?: string}} event */
  #take({ version = 0, type }) {
    if (version <= this.version) return;
    this.version = version;
    const isPaired = type === "round_paired";
    if (this.timer && !isPaired) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.timer = 0;
        this.heard();
      },
      (isPaired ? MADE : SOON) + Math.random() * SPREAD,
    );
  }
}
