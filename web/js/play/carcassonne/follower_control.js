/**
 * The follower alone: the tile lies already, for example after a reload between the two moves. Touch
 * a pin on the tile, or take an option from the list.
 */

import { h, show } from "../../elements/dom.js";
import { Problem, Unreachable } from "../../platform/api.js";
import { featureAt, loadFeatures } from "./features.js";
import { makeFollowerChoice, segmentsOf } from "./follower_choice.js";
import { drawPins, pinned } from "./ghost_tile.js";
import { outlineOn } from "./outline.js";
import { spots } from "./segment_spots.js";
import { distinguish, keepGesture } from "./turn_gesture.js";

/** @typedef {import("../game_module.js").Ask} Ask */
/** @typedef {import("./features.js").Feature} Feature */

class Follower {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    this.segments = segmentsOf(ask.moves);
    /** @type {string | null | undefined} */
    this.segment = undefined;
    /** @type {Feature[] | null} */
    this.features = null;
    const { x, y } = ask.decision.context;
    this.cell = { x, y };
    this.tile = ask.board.find(`g.tile[data-x="${x}"][data-y="${y}"]`);
    this.found = this.tile ? spots(this.tile) : new Map();
    this.outline = outlineOn(ask.board);
    this.element = h("div", { class: "following" });
  }

  begin() {
    const draft = this.ask.draft?.read();
    if (draft && this.segments.includes(draft.segment)) this.#pick(draft.segment, true);
    else this.#draw();
    queueMicrotask(() => this.#reveal()); // when the panel has its size
    this.#load().catch(reportError);
  }

  /** Bring the tile and its pins into sight. */
  #reveal() {
    const { board } = this.ask;
    if (this.tile) board.reveal(this.tile, pinned(), [board.find(".pins")]);
  }

  /** The numbers come later: without them the places are known all the same. */
  async #load() {
    const { game } = this.ask;
    if (!game) return;
    try {
      this.features = await loadFeatures(game);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
    if (!this.features || !this.element.isConnected) return;
    this.#draw();
    if (this.segment !== undefined) this.#settle(true);
  }

  /** @param {string | null} segment @param {boolean} [isPreset] the person has not ended the choice */
  #pick(segment, isPreset = false) {
    if (segment === this.segment && this.ask.confirm && !isPreset) {
      this.ask.confirm();
      return;
    }
    this.segment = segment;
    this.#draw();
    this.#settle(isPreset);
  }

  /** @param {boolean} isPreset */
  #settle(isPreset) {
    const { ask, segment } = this;
    ask.draft?.write({ segment });
    const move = ask.moves.find((one) => (one.segment ?? null) === segment) ?? null;
    const taken = segment ? this.#featureOf(segment) : null;
    const where = segment ? distinguish(segment, this.segments, this.cell, this.features, this.found) : "";
    const isKnown = this.features !== null || !segment;
    keepGesture(ask, isKnown ? { after: null, changed: this.#near(), taken: taken ?? null, where } : null);
    ask.choose(move, null, { preset: isPreset });
  }

  /** The features of the tile, which the turn has changed. */
  #near() {
    const { x, y } = this.cell;
    const isNear = (/** @type {Feature} */ { segments }) => segments.some((part) => part.x === x && part.y === y);
    return this.features?.filter(isNear) ?? [];
  }

  /** @param {string} segment */
  #featureOf(segment) {
    return this.features && featureAt(this.features, { ...this.cell, segment });
  }

  #draw() {
    const { ask, cell, found, segments, segment } = this;
    ask.touch(
      segments.map((one) => ({
        place: `[data-pin="${one ?? "none"}"]`,
        group: "pin",
        chosen: one === segment,
        pick: (/** @type {{walks?: boolean} | undefined} */ how) => this.#pick(one, how?.walks),
      })),
    );
    const within = this.tile && ask.board.find(".board");
    const drawn = drawPins(cell, segments, found, segment, ask.decision.seat);
    if (within) ask.board.overlay(drawn, within);
    this.#outlineOf(segment);
    const { features } = this;
    const pick = (/** @type {string | null} */ one, /** @type {boolean} */ walks) => this.#pick(one, walks);
    const look = (/** @type {string | null} */ one) => this.#outlineOf(one);
    show(this.element, makeFollowerChoice({ cell, segments, chosen: segment, found, features, pick, look }));
  }

  /** Draw the feature of a segment over the whole board. @param {string | null | undefined} segment */
  #outlineOf(segment) {
    this.outline.show(segment ? this.#featureOf(segment) : null);
  }
}

/** @param {Ask} ask */
export function followerControl(ask) {
  const follower = new Follower(ask);
  follower.begin();
  return follower.element;
}
