/** Starts the analysis of a game and waits for it; what is known already is asked for only once. */

import { explain } from "../elements/errors.js";
import { call, Problem, Unreachable } from "../platform/api.js";

/**
 * @typedef {object} Decided one decision of the analysis
 * @property {number} version of the `move_made`
 * @property {number} seat
 * @property {string} kind
 * @property {Move} move
 * @property {any} best
 * @property {number} value
 * @property {number} best_value
 * @property {number} loss
 * @property {number} error
 * @property {number} win
 * @property {number} best_win
 * @property {number} luck
 * @property {import("./grades.js").Mark} mark
 * @property {{move: any, value: number, win: number}[]} alternatives
 * @property {any[]} line
 * @property {{move: any[], best: any[]}} why
 *
 * @typedef {{moves: {seat: number, move: Move}[], draws: string[], scores: number[]}} Future
 *
 * @typedef {object} LessonMoment a decision that cost its seat most, as a question
 * @property {number} version of the `move_made`
 * @property {number} seat
 * @property {Move[]} moves all that were legal
 * @property {number[]} scores
 * @property {Future} made
 * @property {Future} best
 *
 * @typedef {{accuracy: number, loss: number, luck: number, turning_points: number[]}} SeatSummary
 */

const PAUSE = 1000; // ms between two looks
const NOT_FOUND = 404;
const TOO_MANY = 429;

/** Whether another look may help: without a line, and when there were too many requests. @param {unknown} error */
function isPassing(error) {
  return error instanceof Unreachable || (error instanceof Problem && error.status === TOO_MANY);
}

/** Events: `change` when more is known, or the state is another. */
export class AnalysisRun extends EventTarget {
  /** @param {string} id of the game */
  constructor(id) {
    super();
    this.path = `/games/${id}/analysis`;
    /** @type {"none" | "queued" | "running" | "done" | "failed"} */
    this.status = "none";
    this.progress = 0;
    /** @type {Decided[]} */
    this.decisions = [];
    /** @type {SeatSummary[]} */
    this.seats = [];
    /** @type {LessonMoment[]} */
    this.moments = [];
    this.timer = 0;
    this.isClosed = false;
  }

  /** Read the analysis that was started before; returns whether there is one. */
  async find() {
    try {
      await this.#look();
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_FOUND) return false;
      throw error;
    }
  }

  /** Ask for the analysis; it may be there already. */
  async start() {
    await call(this.path, "POST");
    this.status = "queued";
    this.dispatchEvent(new Event("change"));
    await this.#lookOn();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Read what is new; the browser sends the ETag of the answer before. */
  async #look() {
    const last = this.decisions.at(-1)?.version;
    const answer = await call(`${this.path}${last === undefined ? "" : `?after=${last}`}`);
    if (this.isClosed) return;
    this.status = answer.status;
    this.progress = answer.progress;
    this.decisions.push(...answer.decisions.filter((/** @type {Decided} */ { version }) => version > (last ?? 0)));
    this.seats = answer.seats;
    this.moments = answer.moments ?? []; // a game of this device has none
    this.dispatchEvent(new Event("change"));
    if (this.status === "queued" || this.status === "running") this.#lookLater();
  }

  /** Look, and go on until the analysis is over. */
  async #lookOn() {
    try {
      await this.#look();
    } catch (error) {
      if (this.isClosed) return;
      if (isPassing(error)) this.#lookLater();
      else this.#fail(error);
    }
  }

  #lookLater() {
    this.timer = setTimeout(() => this.#lookOn(), PAUSE);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.status = "failed";
    this.dispatchEvent(new Event("change"));
    explain(error);
  }

  /** @param {number} version */
  at(version) {
    return this.decisions.find((one) => one.version === version);
  }
}
