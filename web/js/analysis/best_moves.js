/** "Think": the best few moves of an analysis board, with their values, on the board and in a list. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { seatName } from "../people/seats.js";
import { call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { findPlace, shade } from "../play/controls.js";
import { amount, askOf, nameMoves, percent, withSign } from "./wording.js";

/** @typedef {{move: Move, margin: number | null, win: number | null}} Considered */

export class BestMoves {
  /** @param {import("../table/table.js").Table} table @param {import("../board/board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    this.list = h("ol", { class: "best-moves" });
    this.status = h("p", { class: "soft", role: "status" });
    this.think = button(t("ui.lab.think"), "think", () => this.#think(), "confirm");
    this.element = h("section", {}, this.think, this.status, this.list);
    /** What was found. @type {Considered[]} */
    this.found = [];
    this.version = 0;
    table.addEventListener("change", () => this.#forget());
    board.host.addEventListener("pictured", () => this.#draw());
  }

  /** Another position: its values are not known. */
  #forget() {
    this.think.hidden = !this.table.question;
    if (this.version === this.table.version) return;
    this.found = [];
    show(this.list);
  }

  async #think() {
    show(this.status, t("ui.lab.thinking"));
    try {
      const { version, moves } = await call(`/games/${this.table.id}/values`);
      if (version !== this.table.version) return; // the board has moved on
      this.version = version;
      this.found = moves;
    } finally {
      show(this.status);
    }
    show(
      this.list,
      this.found.map((one, at) => h("li", {}, this.#entry(one, at))),
    );
    this.#draw();
  }

  get #ask() {
    const { game } = this.table;
    const asked = { view: game.view, decision: this.table.question };
    return askOf(asked, (seat) => seatName(game, seat), this.board);
  }

  /** A touch shows the move as it would be. @param {Considered} one @param {number} at */
  #entry({ move, margin, win }, at) {
    const { game } = this.table.game;
    const worth =
      margin === null || win === null
        ? t("ui.lab.only")
        : t("ui.analysis.worth", { value: amount(margin, withSign), win: percent(win) });
    const onclick = () => {
      this.board.touch(this.board.targets);
      shade(game, [move], this.#ask);
      this.#draw();
    };
    return h(
      "button",
      { class: "plain", "data-key": `best-${at}`, onclick },
      `${nameMoves(game, [move], this.#ask)} `,
      h("span", { class: "soft" }, worth),
    );
  }

  /** Of several moves at one place the best value stands there. */
  #draw() {
    if (this.version !== this.table.version || !this.table.question) return;
    /** @type {Map<string, {place: string, text: string, isBest: boolean}>} */
    const places = new Map();
    this.found.forEach(({ move, margin }, rank) => {
      const place = findPlace(this.table.game.game, move, this.#ask);
      if (!place || margin === null || places.has(place)) return;
      places.set(place, { place, text: `${rank + 1}: ${withSign(margin)}`, isBest: rank === 0 });
    });
    this.board.values([...places.values()]);
  }
}
