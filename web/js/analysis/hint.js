/** A hint at a question of a practice game: the move that a strong bot would make, and why. */

import { ask } from "../elements/dialog.js";
import { h, show, svg } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { seatName } from "../people/seats.js";
import { api, call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { frameChoice } from "../play/choice_frame.js";
import { shade } from "../play/controls.js";
import { gameModule } from "../play/game_module.js";
import { askOf, nameMoves, sentence } from "./wording.js";

/** A lamp in a square of 24. */
const BULB = "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900v1.600h7v-1.600A6 6 0 0 0 12 3z";

function bulb() {
  return svg("svg", { class: "bulb", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: BULB }));
}

export class Hint {
  /** @param {import("../table/table.js").Table} table @param {import("../board/board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    const label = t("ui.analysis.hint.ask");
    this.button = h(
      "button",
      {
        class: "plain round hint",
        hidden: true,
        "aria-label": label,
        title: label,
        "data-key": "hint",
        onclick: () => this.#ask().catch(explain),
      },
      bulb(),
    );
    this.box = h("p", { class: "hinted", role: "status", hidden: true });
    this.version = 0;
    this.draw = () => {};
    table.addEventListener("change", () => this.update());
    table.addEventListener("talk", () => this.update());
    this.update();
  }

  /** Offer a hint while this player is asked; a new question takes the last hint away. */
  update() {
    const { game, question, talk, version } = this.table;
    this.button.hidden = !game.hints || !question;
    if (this.version === version) return;
    if (this.version) frameChoice(null);
    // Until the first move of this player the table says that there are hints.
    this.box.hidden = this.button.hidden || talk?.may.takeback.own !== false;
    if (!this.box.hidden) show(this.box, t("ui.new.hints"));
  }

  /** Draw the hint once more on a new picture: that of the event that ends the ladder comes after the hint. */
  drawAgain() {
    if (this.version === this.table.version) this.draw();
  }

  /** Whether the person takes hints: where the game counts, they end that. */
  async #mayHelp() {
    const { table } = this;
    if (!table.game.ladder) return true;
    const yes = await ask(t("ui.analysis.hint.ask"), t("ui.analysis.hint.cost"), t("ui.analysis.hint.take"));
    if (yes) await table.act(() => api.takeHints(table.id));
    return yes;
  }

  async #ask() {
    const { table, board, box } = this;
    this.button.disabled = true;
    try {
      if (!(await this.#mayHelp())) return;
      const { version, move, why, text } = await call(`/games/${table.id}/hint`);
      const { question, game } = table;
      if (version !== table.version || !question) return; // the table has moved on
      const asked = askOf({ view: game.view, decision: question }, (seat) => seatName(game, seat), board);
      const moves = gameModule(game.game).planned?.(move, why) ?? [move];
      this.version = version;
      show(
        box,
        h("b", {}, t("ui.analysis.hint.says", { move: nameMoves(game.game, moves, asked) })),
        ` ${sentence(text)}`,
      );
      box.hidden = false;
      this.draw = () => shade(game.game, moves, asked);
      this.draw();
      frameChoice(move);
    } finally {
      this.button.disabled = false;
    }
  }
}
