/**
 * Choosing a move of a position outside of a running game, as of a lesson or a study: with the controls of the game, as
 * at a table. Nothing is sent: the caller says what becomes of the choice.
 */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
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

export class MoveChooser {
  /**
   * @param {Board} board @param {AskedPosition} position
   * @param {(move: Move, ask: Ask) => Promise<void> | void} answer what becomes of the choice
   * @param {{key: string, sheet?: Sheet, isTest?: boolean}} how key: of the button; sheet: where the control lies;
   *   isTest: the person is asked what is right, so nothing is chosen beforehand
   */
  constructor(board, position, answer, { key, sheet, isTest = true }) {
    this.game = position.game;
    this.board = board;
    this.answer = answer;
    /** @type {Move | null} */
    this.chosen = null;
    this.would = h("div", { class: "preview-of", "aria-live": "polite" });
    this.confirm = h(
      "button",
      { class: "confirm", disabled: true, "data-key": key, onclick: () => this.#press() },
      t("ui.sheet.choose"),
    );
    this.ask = this.#asks(position, sheet, isTest);
  }

  /** @param {AskedPosition} position @param {Sheet | undefined} sheet @param {boolean} isTest @returns {Ask} */
  #asks({ view, decision, version, moves, name }, sheet, isTest) {
    return {
      question: { ...decision, version },
      game: undefined, // no running game: nothing can be tried there
      view,
      decision,
      moves,
      name,
      board: this.board,
      sheet,
      choose: (move, _after, how) => this.#choose(move, how),
      touch: (targets) => this.board.touch(targets),
      confirm: () => this.#press(),
      isAnswered: () => true, // a question of one move: what follows it is not asked
      events: null,
      isTest,
    };
  }

  /** The question of the game in words, and its control, which marks its places on the board. */
  draw() {
    const { ask, board, game } = this;
    board.colour(ask.decision.seat);
    return { asked: h("p", { class: "asked" }, sayQuestion(game, ask.decision)), control: makeControl(game, ask) };
  }

  /** Show on the board what asks; to be called when the control has its place. */
  seek() {
    const { ask, board, game } = this;
    board.focusOn(findAsking(game, ask.decision, ask.view));
    board.seek();
  }

  /** @param {Move | null} move @param {import("../play/game_module.js").HowChosen} [how] */
  #choose(move, how = {}) {
    this.chosen = move;
    const description = move && describe(this.game, move, this.ask);
    const words = description ? (description.act ?? description.title) : how.missing;
    this.confirm.textContent = words || t("ui.sheet.choose");
    this.confirm.disabled = !move;
    if (description?.ghost) this.board.ghosts(description.ghost);
    this.would.replaceChildren(...(description ? [drawDescription(description)] : []));
  }

  async #press() {
    const { chosen, confirm } = this;
    if (!chosen || confirm.disabled) return;
    confirm.disabled = true;
    try {
      await this.answer(chosen, this.ask);
    } catch (error) {
      explain(error);
    } finally {
      confirm.disabled = !this.chosen;
    }
  }
}
