/**
 * What just happened, shown: after an update the moves of the others are played over the picture of
 * the new state. It holds nothing up: the question can be answered at once, a touch or a key ends
 * the play, and the picture below is right all the time.
 *
 * With less motion, or with motion turned off, the changed places get an outline for a while. The
 * words stand in the line "Since your last move" in any case.
 */

import { calm, h } from "../elements/dom.js";
import { prefs } from "../platform/prefs.js";
import { feel, hear } from "../sound/wishes.js";
import { schedule } from "./beats.js";
import { placesOf } from "./effects.js";
import { tonesOf } from "./heard.js";
import { Outlines } from "./outlines.js";
import { drawCounter, pointsOf } from "./score_counter.js";
import { flight, rising } from "./sprites.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("./effects.js").Effect} Effect */

const SKIPPING = ["pointerdown", "keydown", "wheel"];
const OUTLINED = 2400; // ms that the outlines stay when nothing moves

/** How fast moves are shown; 0: not at all. */
export function motionSpeed() {
  return calm() || prefs().motion === "off" ? 0 : Number(prefs().motion) || 1;
}

export class Motion {
  /** @param {Board} board @param {() => HTMLElement} page where the seats are found */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    this.marks = new Outlines(board);
    this.layer = h("div", { class: "motion", "aria-hidden": "true" });
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {number[]} */
    this.timers = [];
    /** Counts the moments of a replay: a move that is over only now marks nothing in a later moment. */
    this.turn = 0;
    this.silence = () => {};
    this.skip = () => {
      this.silence();
      this.clear();
    };
  }

  get isPlaying() {
    return this.animations.length > 0;
  }

  /**
   * Show what these events have changed; the picture shows the newest of them already.
   * @param {GameEvent[]} events @param {number[]} mine the seats of this person
   * @param {number} [most] ms for all of them
   * @returns {Promise<boolean>} when it is over; false: it was ended early
   */
  async play(events, mine, most) {
    this.clear();
    const speed = document.hidden ? 0 : motionSpeed();
    const { beats, length, total } = schedule(events, mine, speed || 1, most);
    if (beats.length) this.page().dataset.motion = `${speed ? total : 0} ${beats.length}`;
    if (!document.hidden) this.#hear(events, mine, beats);
    if (!speed) this.#outline(events.flatMap(placesOf));
    if (!speed || !beats.length || !length) return true;
    document.body.append(this.layer);
    const start = beats.flatMap(({ effects, at }) =>
      effects.map((effect) => this.#prepare(effect, { delay: at, duration: length })),
    );
    const counters = this.#counters(beats, total);
    // First all boxes are measured, then everything begins: measuring between would cost a layout each.
    this.animations = start.flatMap((begin) => begin());
    for (const count of counters) {
      const { animations, timers } = count.start();
      this.animations.push(...animations);
      this.timers.push(...timers);
    }
    this.#listen();
    return this.#ended(this.animations);
  }

  /**
   * Show what an event has changed, and leave its places marked: for a replay.
   * @param {GameEvent} event @param {boolean} isStep the move before was shown: it is played as well
   */
  async recall(event, isStep) {
    this.end();
    if (!event) return;
    const { turn } = this;
    const places = placesOf(event);
    this.#bringIntoSight(places);
    if (isStep && motionSpeed()) await this.play([event], []);
    if (turn === this.turn) this.marks.show(places);
  }

  /** End what is shown, and leave no moment of a replay marked. */
  end() {
    this.turn += 1;
    this.clear();
  }

  /** @param {GameEvent[]} events @param {number[]} mine @param {import("./beats.js").Beat[]} beats */
  #hear(events, mine, beats) {
    const own = events.filter(({ type, seat }) => type === "move_made" && seat !== undefined && mine.includes(seat));
    if (own.length) feel("own");
    this.silence = hear(tonesOf(beats, own));
  }

  /** Scroll to the first of these places when none of them is in sight. @param {string[]} places */
  #bringIntoSight(places) {
    const { viewport } = this.board;
    const found = places.map((place) => this.board.find(place)).filter((element) => element !== null);
    if (found.length && !found.some((element) => viewport.shows(element))) viewport.scrollTo(found[0]);
  }

  /** A touch or a key ends it, and acts as usual. */
  #listen() {
    for (const type of SKIPPING) addEventListener(type, this.skip, { capture: true, passive: true });
    addEventListener("visibilitychange", this.skip);
  }

  /** @param {Animation[]} animations @returns {Promise<boolean>} */
  async #ended(animations) {
    const ends = await Promise.allSettled(animations.map(({ finished }) => finished));
    if (animations === this.animations) this.clear();
    return ends.every(({ status }) => status === "fulfilled");
  }

  clear() {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    for (const type of SKIPPING) removeEventListener(type, this.skip, { capture: true });
    removeEventListener("visibilitychange", this.skip);
    const { animations } = this;
    this.animations = [];
    for (const animation of animations) animation.cancel();
    this.layer.replaceChildren();
    this.layer.remove();
    this.marks.clear();
  }

  /** @param {string[]} places */
  #outline(places) {
    if (!this.marks.show([...new Set(places)]).length) return;
    this.timers.push(setTimeout(() => this.marks.clear(), OUTLINED));
  }

  /** @param {import("./beats.js").Beat[]} beats @param {number} total */
  #counters(beats, total) {
    const counters = [...pointsOf(beats)].map(([seat, steps]) => {
      const score = this.#seat(seat);
      return score instanceof HTMLElement ? drawCounter(score, steps, total) : null;
    });
    const found = counters.filter((count) => count !== null);
    this.layer.append(...found.map(({ element }) => element));
    return found;
  }

  /**
   * @param {Effect} effect @param {KeyframeAnimationOptions} when
   * @returns {() => Animation[]} begins the effect
   */
  #prepare(effect, when) {
    if (effect.kind === "mark") return this.#mark(effect.place ?? "", when);
    if (effect.kind === "drop") return this.#drop(effect.place ?? "", when);
    if (effect.kind === "float") return this.#float(effect, when);
    const [from, to] = [this.#box(effect.from), this.#box(effect.to)];
    return from && to ? this.#travel(flight(effect, from, to, when)) : () => [];
  }

  /** @param {Effect} effect @param {KeyframeAnimationOptions} when */
  #float(effect, when) {
    const box = this.#box({ seat: effect.seat ?? -1 });
    return box ? this.#travel(rising(effect, box, when)) : () => [];
  }

  /** @param {{elements: HTMLElement[], start: () => Animation[]}} sprites */
  #travel({ elements, start }) {
    this.layer.append(...elements);
    return start;
  }

  /** @param {string} place @param {KeyframeAnimationOptions} when */
  #mark(place, when) {
    const outlines = this.marks.add([place]);
    const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
    const how = { ...when, fill: /** @type {const} */ ("both") };
    return () => outlines.map((outline) => outline.animate(frames, how));
  }

  /** A tile or a building comes down on its place. @param {string} place @param {KeyframeAnimationOptions} when */
  #drop(place, when) {
    const element = this.board.find(place);
    // `translate` and `scale` come on top of the `transform` that the picture has.
    const frames = [
      { opacity: 0, translate: "0 -24px" },
      { opacity: 1, translate: "0 -24px", offset: 0.3 },
      { opacity: 1, translate: "0 0" },
    ];
    const how = { ...when, easing: "ease-in", fill: /** @type {const} */ ("backwards") };
    return () => (element ? [element.animate(frames, how)] : []);
  }

  /** @param {import("./effects.js").Where | undefined} where @returns {DOMRect | null} */
  #box(where) {
    if (!where) return null;
    const found = "seat" in where ? this.#seat(where.seat) : this.board.find(where.place);
    const box = found?.getBoundingClientRect();
    if (!box?.width) return null;
    return "seat" in where ? box : within(box, this.board.element.getBoundingClientRect());
  }

  /** The score of a seat, else the seat itself, where it is in sight. @param {number} seat */
  #seat(seat) {
    const seats = [...this.page().querySelectorAll(`[data-seat="${seat}"]`)];
    const seen = seats.find((element) => element.getBoundingClientRect().width > 0);
    return seen?.querySelector(".score") ?? seen ?? null;
  }
}

/**
 * A place that lies beyond the part of the board that is in sight is shown at the edge of the board.
 * @param {DOMRect} box @param {DOMRect} board
 */
function within(box, board) {
  const x = Math.min(Math.max(box.x + box.width / 2, board.left), board.right);
  const y = Math.min(Math.max(box.y + box.height / 2, board.top), board.bottom);
  return new DOMRect(x - 1, y - 1, 2, 2);
}
