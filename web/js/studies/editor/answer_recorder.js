/** Answers of a question: an author plays them with the controls of the game, and reads them as sentences. */

import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { MoveChooser } from "../../panel/move_chooser.js";
import { t } from "../../platform/i18n.js";
import { isSame } from "../reading/asked_question.js";
import { studies } from "../reading/study_calls.js";

/** The most moves of an answer. */
const LONGEST = 8;

export class AnswerRecorder {
  /**
   * @param {import("../reading/study_board.js").StudyBoard} shown @param {import("../reading/study_tree.js").TreeNode} node
   * @param {any} start the transcript of the chapter
   */
  constructor(shown, node, start) {
    this.shown = shown;
    this.node = node;
    this.start = start;
    this.element = h("div", { class: "study-work" });
    /** @type {(moves: Move[] | null) => void} */
    this.end = () => {};
  }

  /** Let the author play an answer; null: given up. @returns {Promise<Move[] | null>} */
  play() {
    return new Promise((resolve) => {
      this.end = resolve;
      this.#ask([]).catch((error) => {
        explain(error);
        resolve(null);
      });
    });
  }

  /** Ask for the next move of an answer, which may end before it. @param {Move[]} moves @param {number} [seat] who began it */
  async #ask(moves, seat) {
    const { shown, node, start } = this;
    if (!(await shown.show(node.node, [], start, moves))) return;
    const position = shown.question(start.game);
    const isOver =
      !position || shown.position?.draw.length || (seat ?? position.decision.seat) !== position.decision.seat;
    if (isOver || moves.length === LONGEST) {
      this.end(moves);
      return;
    }
    const on = (/** @type {Move} */ move) => this.#ask([...moves, move], position.decision.seat);
    const chooser = new MoveChooser(shown.board, position, on, { key: "play-answer", isTest: false });
    const { asked, control } = chooser.draw();
    const stop = button(t("ui.cancel"), "end-answer", () => this.end(null), "plain");
    const done = moves.length ? button(t("ui.studies.ends_here"), "answer-ends", () => this.end(moves)) : null;
    const buttons = h("div", { class: "buttons" }, stop, done, chooser.confirm);
    show(this.element, h("p", { role: "status" }, t("ui.studies.play_answer")), asked, control, chooser.would, buttons);
    chooser.seek();
    this.element.scrollIntoView({ block: "nearest" });
  }
}

/** Answers as sentences; a position is asked for once. */
export class AnswerWords {
  /** @param {string} id of the study */
  constructor(id) {
    this.id = id;
    /** @type {Map<string, Promise<import("../reading/study_calls.js").Position>>} */
    this.known = new Map();
  }

  /** @param {number} node @param {Move[]} moves those before */
  #position(node, moves) {
    const key = JSON.stringify([node, moves]);
    const asked = this.known.get(key) ?? studies.position(this.id, node, moves);
    asked.catch(() => this.known.delete(key)); // the next one asks again
    this.known.set(key, asked);
    return asked;
  }

  /** @param {number} node @param {Move[]} moves of an answer @returns {Promise<string>} */
  async say(node, moves) {
    const said = moves.map(async (move, at) => {
      const { words } = await this.#position(node, moves.slice(0, at));
      return words.find((one) => isSame(one.move, move))?.text ?? "";
    });
    return (await Promise.all(said)).filter(Boolean).join(" ");
  }
}
