/** The question of a position as a reader meets it: a move is chosen on the board, a wrong one is explained. */

import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { MoveChooser } from "../../panel/move_chooser.js";
import { t } from "../../platform/i18n.js";
import { paragraphs } from "./study_text.js";

/** @typedef {import("./study_tree.js").StudyQuestion} StudyQuestion */

/** @param {any} value @returns {string} the same for equal values, whatever the order of their keys */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${name}:${canonical(value[name])}`)}}`;
}

/** @param {any} one @param {any} other */
export const isSame = (one, other) => canonical(one) === canonical(other);

/**
 * The answer to some moves, as `studies.questions.judge_answer` has it; null: it waits for more of them.
 * @param {import("./study_tree.js").StudyQuestion} question @param {Move[]} played
 * @returns {{isRight: boolean, text: string} | null}
 */
function judge({ right, wrong = [], otherwise = "" }, played) {
  const lines = [
    ...right.map((moves) => ({ moves, isRight: true, text: "" })),
    ...wrong.map(({ moves, text }) => ({ moves, isRight: false, text })),
  ];
  const fits = (/** @type {Move[]} */ short, /** @type {Move[]} */ long) =>
    short.length <= long.length && short.every((move, at) => isSame(move, long[at]));
  const found = lines.find(({ moves }) => fits(moves, played));
  if (found) return { isRight: found.isRight, text: found.text };
  return lines.some(({ moves }) => fits(played, moves)) ? null : { isRight: false, text: otherwise };
}

export class AskedQuestion {
  /**
   * @param {import("./study_board.js").StudyBoard} shown @param {import("./study_tree.js").TreeNode} node
   * @param {any} start the transcript of the chapter @param {StudyQuestion} question
   * @param {(moves: Move[]) => Promise<void> | void} done what follows the right answer
   */
  constructor(shown, node, start, question, done) {
    this.shown = shown;
    this.node = node;
    this.start = start;
    this.question = question;
    this.done = done;
    /** Moves of the answer so far. @type {Move[]} */
    this.played = [];
    this.hints = 0;
    this.element = h("div", {});
  }

  /** Ask in the position that is shown. @param {Child} [said] what is said to the last answer */
  open(said = null) {
    const { question, shown, start } = this;
    const position = shown.question(start.game);
    const words = h("div", { class: "study-said", role: "status" }, said);
    const ask = h("p", { class: "ask" }, question.ask);
    if (!position) {
      show(this.element, ask, words);
      return;
    }
    const chooser = new MoveChooser(shown.board, position, (move) => this.#answer(move), { key: "study-answer" });
    const { asked, control } = chooser.draw();
    const buttons = h("div", { class: "buttons" }, chooser.confirm, this.#help());
    show(this.element, ask, words, asked, control, chooser.would, buttons);
    chooser.seek();
  }

  #help() {
    const { hints = [], right } = this.question;
    if (this.hints >= hints.length)
      return button(t("ui.studies.reveal"), "study-reveal", () => this.done(right[0]), "plain");
    const next = () => {
      this.hints += 1;
      this.open(paragraphs(hints[this.hints - 1]));
    };
    return button(t("ui.studies.hint"), "study-hint", next, "plain");
  }

  /** @param {Move} move */
  async #answer(move) {
    const played = [...this.played, move];
    const found = judge(this.question, played);
    if (found?.isRight) {
      await this.done(played);
      return;
    }
    if (!(await this.#goTo(found ? [] : played))) return;
    const sign = found ? h("p", { class: "verdict" }, h("b", {}, `✗ ${t("ui.studies.wrong")}`)) : null;
    this.open([sign, found ? paragraphs(found.text) : null]);
  }

  /** Show the position after some moves; where it does not come, the same question is asked again. @param {Move[]} played */
  async #goTo(played) {
    const { node, played: before, shown, start } = this;
    this.played = played;
    try {
      return await shown.show(node.node, [], start, played);
    } catch (error) {
      this.played = before;
      if (shown.tried === played) await this.#askAgain();
      throw error;
    }
  }

  /** The picture may have come without the position: it goes again, and the places of the question are marked again. */
  async #askAgain() {
    const { played, shown } = this;
    shown.tried = played;
    await shown.draw().catch(explain);
    if (shown.tried === played) this.open();
  }
}

/** What is said to the right answer. */
export const praise = () =>
  h("p", { class: "verdict right", role: "status" }, h("b", {}, `✓ ${t("ui.studies.right")}`));
