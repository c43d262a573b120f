/** The board of a study: the position of a node, its picture and its marks. */

import { Board } from "../../board/board.js";
import { explain } from "../../elements/errors.js";
import { language, t } from "../../platform/i18n.js";
import { prefs } from "../../platform/prefs.js";
import { loadTable } from "../../play/game_module.js";
import { studies } from "./study_calls.js";
import { drawMarks } from "./study_marks.js";

/** @typedef {import("./study_calls.js").Position} Position */

/** @param {number} seat */
const nameSeat = (seat) => t("ui.studies.seat", { n: seat + 1 });

export class StudyBoard {
  /** @param {string} id of the study */
  constructor(id) {
    this.id = id;
    this.board = new Board();
    this.node = 0;
    /** Moves that are tried from the node. @type {Move[]} */
    this.tried = [];
    /** @type {Position | null} */
    this.position = null;
    /** @type {import("./study_marks.js").Mark[]} */
    this.marks = [];
    this.shown = "";
    /** Of which position the picture is. */
    this.pictured = "";
    this.board.host.addEventListener("resized", () => this.draw().catch(explain));
    this.board.host.addEventListener("pictured", () => {
      if (this.board.targets.length) this.board.touch(this.board.targets); // they went with the picture before
      this.remark();
    });
  }

  /**
   * Show a position; false when another one is shown meanwhile.
   * @param {number} node @param {import("./study_marks.js").Mark[]} marks @param {any} start the transcript of the chapter
   * @param {Move[]} [tried]
   */
  async show(node, marks, start, tried = []) {
    Object.assign(this, { node, tried, marks: tried.length ? [] : marks });
    this.board.touch([]);
    const [position] = await Promise.all([studies.position(this.id, node, tried), loadTable(start), this.draw()]);
    if (this.node !== node || this.tried !== tried) return false;
    this.position = position;
    return true;
  }

  async draw() {
    const { board, id, node, tried } = this;
    if (!node || !board.element.isConnected) return;
    const { look } = prefs();
    const theme = look === "light" || look === "dark" ? look : "auto";
    const wish = { ...board.wish, theme };
    const position = JSON.stringify([node, tried]);
    const key = JSON.stringify([position, wish, language()]);
    if (key === this.shown) {
      if (!board.targets.length) this.mark(this.marks); // a question keeps its places
      return;
    }
    this.shown = key;
    try {
      const picture = await studies.picture(id, node, tried, wish);
      if (key !== this.shown) return;
      this.pictured = position;
      await board.set(picture);
    } catch (error) {
      if (key === this.shown) {
        this.shown = ""; // this position is asked for again when it is chosen
        if (position !== this.pictured) board.blank();
      }
      throw error;
    }
  }

  /** Draw these marks in place of those before. @param {import("./study_marks.js").Mark[]} marks */
  mark(marks) {
    this.marks = marks;
    this.board.touch([]);
    this.remark();
  }

  /** Draw the marks again over what a question has marked: it takes away what was drawn before. */
  remark() {
    drawMarks(this.board, this.marks);
  }

  /**
   * What the controls of a game need to ask in this position.
   * @param {string} game
   * @returns {import("../../panel/move_chooser.js").AskedPosition | null} null: no seat decides
   */
  question(game) {
    const { decision = null, view = null, moves = [] } = this.position ?? {};
    if (!decision || !view) return null;
    return { game, view, decision, version: 1, moves, name: nameSeat };
  }
}
