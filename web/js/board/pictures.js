/** The pictures of one table: the picture that is wanted is fetched once, kept for a while, and shown. */

import { explain } from "../elements/errors.js";
import { api, Problem, Unreachable } from "../platform/api.js";

const AGAIN = 1500; // ms until a picture is asked for again
const PATIENCE = 5000; // ms for which the question waits for the picture
const KEPT = 4;

/**
 * @typedef {import("../table/table.js").Table} Table
 * @typedef {import("./board.js").Board} Board
 *
 * @typedef {object} Uses what the page does with pictures
 * @property {() => number | null} moment the version that is shown; null: the newest version
 * @property {() => void} redrawn the picture of the present was replaced, or came after the question
 * @property {() => void} late the line was cut: try again
 * @property {() => void} without the game has no picture
 */

export class Pictures {
  /** @param {Table} table @param {Board} board @param {Uses} uses */
  constructor(table, board, uses) {
    this.table = table;
    this.board = board;
    this.uses = uses;
    /** What the picture shows: a version and an arrangement. */
    this.shown = "";
    /** Is there a picture of this game? Not every game has one. */
    this.exists = true;
    /** Pictures on their way or here, by what was asked for. @type {Map<string, Promise<string>>} */
    this.kept = new Map();
    /** How often the server has lost events: of the same version there are other pictures since. */
    this.losses = 0;
    this.drawing = Promise.resolve(true);
    this.timer = 0;
    /** The question was shown without the picture that belongs to it. */
    this.isLate = false;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** The picture of a version, as it is to be shown. @param {number} version */
  #wish(version) {
    const { mine } = this.table;
    return {
      version,
      ...this.board.wish,
      ...(mine.length ? { seat: mine[0] } : {}),
    };
  }

  /** The server has lost events: the pictures of this page, and those that the browser keeps, are of another game. */
  forget() {
    this.losses += 1;
    this.kept.clear();
  }

  /** @param {Record<string, any>} wish */
  #keyOf(wish) {
    return JSON.stringify([this.losses, wish]);
  }

  /** Keep the picture of the newest version, which came with the answer to a move. @param {string} picture SVG */
  take(picture) {
    this.kept.set(this.#keyOf(this.#wish(this.table.version)), Promise.resolve(picture));
  }

  /** @param {Record<string, any>} wish @returns {Promise<string>} */
  #fetch(wish) {
    const key = this.#keyOf(wish);
    let picture = this.kept.get(key);
    if (!picture) {
      picture = api.board(this.table.id, wish, this.losses ? "reload" : "default");
      picture.catch(() => this.kept.delete(key));
      this.kept.set(key, picture);
      for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old);
    }
    return picture;
  }

  /**
   * Fetch and show the picture, unless it is there already. False: the picture is late, and no caller should
   * wait for it.
   * @returns {Promise<boolean>}
   */
  async draw() {
    this.drawing = this.drawing.then(() => this.#draw()).catch((error) => this.#undrawn(error));
    let timer = 0;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE);
    });
    const isDrawn = await Promise.race([this.drawing, late]).finally(() => clearTimeout(timer));
    if (!isDrawn) this.isLate = true;
    return isDrawn;
  }

  async #draw() {
    if (!this.table.game.view || !this.board.element.isConnected || !this.exists) return true;
    const wish = this.#wish(this.uses.moment() ?? this.table.version);
    const key = this.#keyOf(wish);
    if (key === this.shown) return true;
    await this.board.set(await this.#fetch(wish));
    const isRedrawn = this.shown !== "" || this.isLate;
    this.shown = key;
    this.isLate = false;
    if (isRedrawn && !this.uses.moment() && wish.version === this.table.version) this.uses.redrawn();
    return true;
  }

  /** There is no picture: try again when the line was cut; else the game goes on without a picture. @param {unknown} error */
  #undrawn(error) {
    clearTimeout(this.timer);
    if (error instanceof Unreachable) this.timer = setTimeout(() => this.uses.late(), AGAIN);
    else if (error instanceof Problem && error.code === "not_found") this.#miss();
    else if (error instanceof Problem) explain(error);
    else reportError(error);
    return !(error instanceof Unreachable);
  }

  /** There is no such picture: of a moment before the start, or of the whole game. */
  #miss() {
    if (this.uses.moment()) return;
    this.exists = false;
    this.board.element.hidden = true;
    this.uses.without();
  }
}
