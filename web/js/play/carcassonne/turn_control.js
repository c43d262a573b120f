/**
 * A turn in one gesture: touch a place and the tile lies there; touch it again and it turns; its pins
 * say where the follower may stand. One button sends tile and follower, which are two moves for the
 * server. What may follow a tile, and what it is worth, the server says (`preview` with `next`).
 */

import { h, show } from "../../elements/dom.js";
import { api, Problem, Unreachable } from "../../platform/api.js";
import { t } from "../../platform/i18n.js";
import { featureAt } from "./features.js";
import { makeFollowerChoice, segmentsOf } from "./follower_choice.js";
import { clearTurn, drawPins, ghostTile, pinned } from "./ghost_tile.js";
import { outlineOn } from "./outline.js";
import { spots } from "./segment_spots.js";
import { gestureOf, keepGesture } from "./turn_gesture.js";

/** @typedef {import("../game_module.js").Ask} Ask */
/** @typedef {Move & {x: number, y: number}} TileMove */
/** @typedef {{moves: Move[], features: import("./features.js").Feature[]}} Outlook */

const LEAST = 46; // pixels on the screen, so that a place can be touched

/** @param {TileMove[]} moves */
function placesOf(moves) {
  /** @type {Map<string, {x: number, y: number, moves: TileMove[]}>} */
  const places = new Map();
  for (const move of moves) {
    const key = `${move.x},${move.y}`;
    if (!places.has(key)) places.set(key, { x: move.x, y: move.y, moves: [] });
    places.get(key)?.moves.push(move);
  }
  return [...places.values()].sort((a, b) => a.y - b.y || a.x - b.x);
}

class TurnControl {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    this.places = placesOf(/** @type {TileMove[]} */ (ask.moves));
    /** Which place, which of its rotations. */
    this.at = -1;
    this.turn = 0;
    /** Where the follower goes; null: nowhere. @type {string | null} */
    this.segment = null;
    /** What may follow the tile; null: not known. @type {Outlook | null} */
    this.outlook = null;
    /** The spots of the tile as it lies. @type {Map<string, import("./segment_spots.js").Spot>} */
    this.found = new Map();
    this.trying = new AbortController();
    this.outline = outlineOn(ask.board);
    this.words = h("p", { class: "where" }, t("ui.carcassonne.touch", { n: this.places.length }));
    this.whom = h("div", {});
    this.turner = this.#step("turn", "⟳", () => this.#rotate());
    this.hand = ask.board.piece(ask.board.find(".hand use")?.getAttribute("href") ?? "");
    this.element = h(
      "div",
      { class: "placing" },
      h(
        "div",
        { class: "steps" },
        this.hand.element,
        this.#step("before", "‹", () => this.choose(this.at - 1)),
        this.turner,
        this.#step("after", "›", () => this.choose(this.at + 1)),
        this.words,
      ),
      this.whom,
    );
  }

  /** @param {string} name @param {string} face @param {() => void} onclick */
  #step(name, face, onclick) {
    const label = t(`ui.carcassonne.${name}`);
    const props = { class: "round", "aria-label": label, title: label };
    return h("button", { ...props, onclick, "data-key": name }, face);
  }

  /** Begin: with the draft of this question, else with nothing chosen. */
  begin() {
    const draft = this.ask.draft?.read();
    const at = this.places.findIndex(({ x, y }) => x === draft?.x && y === draft?.y);
    const turn = this.places[at]?.moves.findIndex(({ rotation }) => rotation === draft.rotation);
    if (at >= 0 && turn >= 0) this.choose(at, turn, draft.segment ?? null);
    else {
      this.#draw();
      this.ask.choose(null, null, { missing: t("ui.carcassonne.place") });
    }
    queueMicrotask(() => this.#seek()); // when the panel has its size
  }

  /** Show as many places as can be touched, and the last tile if there is room. */
  #seek() {
    const { board } = this.ask;
    const sample = board.find(".open");
    if (this.at >= 0) return;
    if (sample) board.fitFor(sample, LEAST);
    board.gather(board.find("[data-last]"));
  }

  /** @returns {TileMove} */
  get move() {
    return this.places[this.at].moves[this.turn];
  }

  #rotate() {
    this.choose(Math.max(this.at, 0), this.at < 0 ? 0 : this.turn + 1, this.segment);
  }

  /**
   * Lay the tile at a place.
   * @param {number} place @param {number} [rotation] @param {string | null} [segment] where the follower stood
   */
  choose(place, rotation = 0, segment = null) {
    this.at = (place + this.places.length) % this.places.length;
    this.turn = rotation % this.places[this.at].moves.length;
    this.segment = segment;
    this.outlook = null;
    this.#look().catch(reportError);
    this.#draw();
    this.#reveal(LEAST);
  }

  /** Bring the tile and its pins into sight, the tile at least so many pixels wide. @param {number} size */
  #reveal(size) {
    const { board } = this.ask;
    const shown = board.find(".preview .frame");
    if (shown) board.reveal(shown, size, [board.find(".pins")]);
  }

  /** Ask the server what may follow. Without an answer the tile alone can be sent. */
  async #look() {
    this.trying.abort();
    this.trying = new AbortController();
    const { signal } = this.trying;
    const { game } = this.ask;
    keepGesture(this.ask, null);
    this.ask.choose(null, null, { missing: t("ui.carcassonne.looking") });
    try {
      if (game) this.outlook = this.#outlookOf(await api.preview(game.id, this.move, game.version, signal, true));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
    if (signal.aborted || !this.element.isConnected) return;
    if (!this.#segments.includes(this.segment)) this.segment = null;
    this.#draw();
    if (this.#segments.length) this.#reveal(pinned());
    this.#settle(true);
  }

  /**
   * Without the follower, when a standing answer declines it: the server then does not ask.
   * @param {Answer<"preview_move">} preview @returns {Outlook}
   */
  #outlookOf({ moves = [], features = [] }) {
    return { features, moves: this.ask.isAnswered?.("place_follower") ? [] : moves };
  }

  /** The segments that may be taken; null stands for no follower. */
  get #segments() {
    return this.outlook ? segmentsOf(this.outlook.moves) : [];
  }

  /** Put the follower somewhere. @param {string | null} segment @param {boolean} [walks] with the arrow keys */
  #pick(segment, walks = false) {
    if (segment === this.segment && segment !== null && this.ask.confirm && !walks) {
      this.ask.confirm();
      return;
    }
    this.segment = segment;
    this.#draw();
    this.#settle(walks);
  }

  /** @param {boolean} isPreset the person has not ended the choice */
  #settle(isPreset) {
    const { x, y, rotation } = this.move;
    this.ask.draft?.write({ x, y, rotation, segment: this.segment });
    const gesture = this.outlook && gestureOf(this.move, this.segment, this.outlook, this.found);
    keepGesture(this.ask, gesture);
    this.ask.choose(this.move, gesture?.after ?? null, { preset: isPreset, told: this.outlook !== null });
  }

  #draw() {
    const { ask, at } = this;
    ask.touch([...this.#cells(), ...this.#pins()]);
    this.outline.show(null);
    if (at < 0) return;
    const within = ask.board.find(".board");
    const ghost = ghostTile(ask.board, this.move, this.places[at].moves.length > 1);
    if (within) ask.board.overlay(ghost, within);
    this.found = within ? spots(ghost) : new Map();
    clearTurn(ghost, [...this.found.values()]);
    const drawn = drawPins(this.move, this.#segments, this.found, this.segment, ask.decision.seat);
    if (within) ask.board.overlay(drawn, within);
    this.#outlineOf(this.segment);
    this.#say();
  }

  #cells() {
    return this.places.map(({ x, y }, index) => ({
      place: `[data-x="${x}"][data-y="${y}"]`,
      group: "cell",
      chosen: index === this.at,
      pick: () => (index === this.at ? this.#rotate() : this.choose(index)),
    }));
  }

  #pins() {
    return this.#segments.map((segment) => ({
      place: `[data-pin="${segment ?? "none"}"]`,
      group: "pin",
      chosen: segment === this.segment,
      pick: (/** @type {{walks?: boolean} | undefined} */ how) => this.#pick(segment, how?.walks),
    }));
  }

  /** Draw the feature of a segment over the whole board. @param {string | null} segment */
  #outlineOf(segment) {
    const { x, y } = this.move;
    this.outline.show(segment && this.outlook ? featureAt(this.outlook.features, { x, y, segment }) : null);
  }

  /** Write what is chosen, and the list of the followers. */
  #say() {
    const { places, at, turn } = this;
    this.hand.turn(this.move.rotation);
    this.turner.toggleAttribute("disabled", places[at].moves.length < 2);
    show(
      this.words,
      t("ui.carcassonne.place_of", { n: at + 1, of: places.length }),
      " · ",
      t("ui.carcassonne.rotation_of", { n: turn + 1, of: places[at].moves.length }),
    );
    const isAsked = this.outlook && this.#segments.length > 0;
    show(this.whom, isAsked ? this.#choosing(/** @type {Outlook} */ (this.outlook)) : null);
  }

  /** @param {Outlook} outlook */
  #choosing({ features }) {
    return makeFollowerChoice({
      cell: this.move,
      segments: this.#segments,
      chosen: this.segment,
      found: this.found,
      features,
      pick: (segment, walks) => this.#pick(segment, walks),
      look: (segment) => this.#outlineOf(segment),
    });
  }
}

/** @param {Ask} ask */
export function turnControl(ask) {
  const turn = new TurnControl(ask);
  turn.begin();
  return turn.element;
}
