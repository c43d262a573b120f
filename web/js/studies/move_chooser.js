/** Choosing a move of a position with the controls of its game, as at a table; the caller says what becomes of it. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { t } from "../platform/i18n.js";
import { describe, drawDescription, findAsking, makeControl, sayQuestion } from "../play/controls.js";

export class MoveChooser {
  /**
   * @param {string} game @param {import("./study_board.js").StudyBoard} shown
   * @param {(move: Move) => Promise<void>} answer
   */
  constructor(game, shown, answer) {
    this.game = game;
    this.board = shown.board;
    this.answer = answer;
    /** @type {Move | null} */
    this.chosen = null;
    this.would = h("div", { class: "preview-of", "aria-live": "polite" });
    this.confirm = h(
      "button",
      { class: "confirm", disabled: true, "data-key": "study-answer", onclick: () => this.#press() },
      t("ui.sheet.choose"),
    );
    this.ask = shown.asks(
      (move, _after, how) => this.#choose(move, how),
      () => this.#press(),
    );
    this.element = h("div", { class: "chooser" });
  }

  /** Ask; nothing where no seat decides. */
  open() {
    const { ask, board, game } = this;
    if (!ask) return;
    board.colour(ask.decision.seat);
    const control = makeControl(game, ask);
    const said = h("p", { class: "asked" }, sayQuestion(game, ask.decision));
    show(this.element, said, control, this.would, h("div", { class: "buttons" }, this.confirm));
    board.focusOn(findAsking(game, ask.decision, ask.view));
    board.seek();
  }

  /** @param {Move | null} move @param {import("../play/game_module.js").HowChosen} [how] */
  #choose(move, how = {}) {
    if (!this.ask) return;
    this.chosen = move;
    const description = move && describe(this.game, move, this.ask);
    const words = description ? (description.act ?? description.title) : how.missing;
    this.confirm.textContent = words || t("ui.sheet.choose");
    this.confirm.disabled = !move;
    if (description?.ghost) this.board.ghosts(description.ghost);
    show(this.would, description ? drawDescription(description) : null);
  }

  #press() {
    const { chosen } = this;
    if (!chosen || this.confirm.disabled) return;
    this.confirm.disabled = true;
    this.answer(chosen).catch(explain);
  }
}
