/** A hint at a question of a practice game: the move that a strong bot would make, and why. */

import { call } from "../api.js";
import { h, show } from "../dom.js";
import { explain } from "../explain.js";
import { t } from "../i18n.js";
import { shade } from "../play/index.js";
import { seatName } from "../table/seats.js";
import { askOf, nameMoves, sentence } from "./words.js";

export class Hint {
  /** @param {import("../table/model.js").Table} table @param {import("../table/board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    this.button = /** @type {HTMLButtonElement} */ (
      h("button", { type: "button", class: "plain hint", hidden: true, "data-key": "hint", onclick: () => this.#ask().catch(explain) }, t("ui.analysis.hint.ask"))
    );
    /** What the hint says. */
    this.box = h("p", { class: "hinted", role: "status", hidden: true });
    this.version = 0;
    table.addEventListener("change", () => this.update());
    this.update();
  }

  /** Offer a hint while this player is asked; a new question takes the last hint away. */
  update() {
    const { game, question, version } = this.table;
    this.button.hidden = !game.hints || !question;
    if (this.version !== version) this.box.hidden = true;
  }

  async #ask() {
    const { table, board, box } = this;
    this.button.disabled = true;
    try {
      const { version, move, text } = await call(`/games/${table.id}/hint`);
      const { question, game } = table;
      if (version !== table.version || !question) return; // the table has moved on
      const ask = askOf({ view: game.view, decision: question }, (seat) => seatName(game, seat), board);
      this.version = version;
      show(box, h("b", {}, t("ui.analysis.hint.says", { move: nameMoves(game.game, [move], ask) })), ` ${sentence(text)}`);
      box.hidden = false;
      shade(game.game, [move], ask);
    } finally {
      this.button.disabled = false;
    }
  }
}
