/**
 * A question outside of a running game, as of a lesson: the person chooses a move on the board with the controls of
 * the game, as at a table; nothing is sent.
 */

import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { describe, drawDescription, findAsking, makeControl, sayQuestion } from "../play/controls.js";

/**
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("../elements/sheet.js").Sheet} Sheet
 * @typedef {import("../play/game_module.js").Ask} Ask
 *
 * @typedef {object} AskedPosition the position in question
 * @property {string} game the name of the game
 * @property {View} view
 * @property {Decision} decision
 * @property {number} version
 * @property {Move[]} moves all that are legal
 * @property {(seat: number) => string} name
 */

export class BoardQuestion {
  /**
   * @param {Board} board @param {Sheet} sheet @param {AskedPosition} position
   * @param {(move: Move, ask: Ask) => void} answer what becomes of the choice
   */
  constructor(board, sheet, position, answer) {
    this.game = position.game;
    this.board = board;
    this.sheet = sheet;
    /** @type {Move | null} */
    this.chosen = null;
    this.would = h("div", { class: "preview-of", "aria-live": "polite" });
    this.confirm = h(
      "button",
      { class: "confirm", disabled: true, "data-key": "moment-answer", onclick: () => this.#press() },
      t("ui.sheet.choose"),
    );
    this.answer = answer;
    this.ask = this.#asks(position);
  }

  /** @param {AskedPosition} position @returns {Ask} */
  #asks({ view, decision, version, moves, name }) {
    return {
      question: { ...decision, version },
      game: undefined, // no running game: nothing can be tried there
      view,
      decision,
      moves,
      name,
      board: this.board,
      sheet: this.sheet,
      choose: (move, _after, how) => this.#choose(move, how),
      touch: (targets) => this.board.touch(targets),
      confirm: () => this.#press(),
      isAnswered: () => true, // a question of one move: what follows it is not asked
      events: null,
      isTest: true,
    };
  }

  /**
   * Ask.
   * @param {string} label in the head of the sheet
   * @param {{before?: Child, buttons?: Child}} [more] before: what stands above the choices; buttons: next to that of the answer
   * @param {import("../elements/sheet.js").SheetOptions} [how] how the sheet opens
   */
  open(label, { before = null, buttons = null } = {}, how = { at: "half", closes: true }) {
    const { ask, board, sheet, game } = this;
    const { decision, view } = ask;
    board.colour(decision.seat);
    const choices = makeControl(game, ask);
    const question = before ?? h("p", { class: "asked" }, sayQuestion(game, decision));
    sheet.open(h("div", { class: "control" }, question, choices), how);
    sheet.say(label);
    show(sheet.foot, this.would, h("div", { class: "buttons" }, this.confirm, buttons));
    board.focusOn(findAsking(game, decision, view));
    board.seek();
  }

  /** @param {Move | null} move @param {import("../play/game_module.js").HowChosen} [how] */
  #choose(move, how = {}) {
    this.chosen = move;
    const description = move && describe(this.game, move, this.ask);
    this.confirm.textContent = description
      ? (description.act ?? description.title)
      : how.missing || t("ui.sheet.choose");
    this.confirm.disabled = !move;
    if (description?.ghost) this.board.ghosts(description.ghost);
    show(this.would, description ? drawDescription(description) : null);
  }

  #press() {
    if (this.chosen) this.answer(this.chosen, this.ask);
  }
}
