/** A hint at a question of a practice game: the move that a strong bot would make, and why. */

import { call } from "../api.js";
import { h, show, svg } from "../dom.js";
import { explain } from "../explain.js";
import { t } from "../i18n.js";
import { gameModule, shade } from "../play/index.js";
import { seatName } from "../table/seats.js";
import { askOf, nameMoves, sentence } from "./words.js";

/** A lamp in a square of 24. */
const BULB = "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900v1.600h7v-1.600A6 6 0 0 0 12 3z";

function bulb() {
  return svg("svg", { class: "bulb", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: BULB }));
}

export class Hint {
  /** @param {import("../table/model.js").Table} table @param {import("../table/board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    const label = t("ui.analysis.hint.ask");
    this.button = /** @type {HTMLButtonElement} */ (
      h("button", { type: "button", class: "plain round hint", hidden: true, "aria-label": label, title: label, "data-key": "hint", onclick: () => this.#ask().catch(explain) }, bulb())
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
      const { version, move, why, text } = await call(`/games/${table.id}/hint`);
      const { question, game } = table;
      if (version !== table.version || !question) return; // the table has moved on
      const ask = askOf({ view: game.view, decision: question }, (seat) => seatName(game, seat), board);
      const moves = gameModule(game.game).planned?.(move, why) ?? [move];
      this.version = version;
      show(box, h("b", {}, t("ui.analysis.hint.says", { move: nameMoves(game.game, moves, ask) })), ` ${sentence(text)}`);
      box.hidden = false;
      shade(game.game, moves, ask);
    } finally {
      this.button.disabled = false;
    }
  }
}
