/**
 * Brings the events that were played and the picture together: the moves of the others are shown when
 * the picture shows them, the move of a replay when the picture of that moment is there.
 */

import { BEAT, MOST } from "./beats.js";
import { Motion } from "./motion.js";

/** @typedef {import("../table/table.js").Table} Table */

export class Playback {
  /** @param {Table} table @param {import("../board/board.js").Board} board @param {() => HTMLElement} page */
  constructor(table, board, page) {
    this.table = table;
    this.motion = new Motion(board, page);
    /** Events that were not shown yet. @type {any[]} */
    this.waiting = [];
    this.version = 0;
    /** When the shown events began, in ms; 0: nothing is being shown. */
    this.since = 0;
    table.addEventListener("played", (event) => {
      this.waiting.push(.../** @type {CustomEvent} */ (event).detail.events);
      this.#show();
    });
  }

  /** The picture shows the present. @param {number} version */
  pictured(version) {
    this.version = version;
    this.#show();
  }

  /** The picture shows a moment of the past: mark what the event has changed. @param {GameEvent} event @param {boolean} isStep */
  recall(event, isStep) {
    this.end();
    this.version = 0; // until the present is shown again
    this.motion.recall(event, isStep);
  }

  end() {
    this.waiting = [];
    this.since = 0;
    this.motion.end();
  }

  /**
   * Bots may answer while a move is being shown: their moves follow, within the same two seconds.
   * What they do later than that is short.
   */
  #show() {
    const { motion, version, waiting } = this;
    const due = waiting.filter((event) => event.version <= version);
    if (!due.length || motion.isPlaying) return;
    this.waiting = waiting.filter((event) => event.version > version);
    this.since ||= performance.now();
    const left = Math.max(BEAT, MOST - (performance.now() - this.since));
    motion.play(due, this.table.mine, left).then((isOver) => {
      if (!isOver) this.waiting = []; // ended by a touch or a key
      if (this.waiting.length) this.#show();
      else this.since = 0;
    });
  }
}
