/**
 * The seats of a table. On a phone: a rail of equal chips, this person first, with seal, score and
 * what counts most; a touch opens a sheet that compares all seats. On a desktop: all that a seat holds.
 */

import { h, show } from "../dom.js";
import { t } from "../i18n.js";
import { gameModule } from "../play/index.js";
import { signed } from "../play/goods.js";
import { inOrder, seal, seatName, seatStrip } from "./seats.js";

/**
 * @typedef {{seat: number, what: string, by: number}} Delta a difference that a move would make
 * @typedef {{label: Node | string, cells: (Node | string)[], lists?: string[][]}} Row a row of the comparison:
 *   a cell for each seat; lists: what the cells count, by seat, in words below the table
 */

export class Rail {
  /** @param {import("./model.js").Table} table @param {import("./sheet.js").Sheet} sheet */
  constructor(table, sheet) {
    this.table = table;
    this.sheet = sheet;
    this.seats = h("div", { class: "strip" });
    this.compare = h(
      "button",
      { type: "button", class: "plain compare", "data-key": "compare", onclick: () => this.open() },
      h("span", {}, t("ui.sheet.compare")),
    );
    this.element = h("div", { class: "rail" }, this.seats, this.compare);
    /** What is shown: the view and the question at this moment. @type {any} */
    this.view = null;
    /** @type {Delta[]} */
    this.shown = [];
  }

  /**
   * @param {any} view another view than that of the table during a replay
   * @param {{seat: number} | null} decision
   * @param {boolean} isFinal the counting is over: its scores are shown
   */
  render(view, decision, isFinal) {
    this.view = view;
    show(this.seats, seatStrip(this.table, view, decision, isFinal));
    this.compare.hidden = !this.#rows();
    this.deltas(this.shown);
  }

  /**
   * Show the differences that a move would make, beside what a seat has now.
   * @param {Delta[]} list
   */
  deltas(list) {
    this.shown = list;
    for (const old of this.seats.querySelectorAll(".delta")) old.remove();
    for (const { seat, what, by } of list) {
      for (const place of this.seats.querySelectorAll(`[data-seat="${seat}"] [data-what="${what}"]`)) {
        const sign = by > 0 ? "gain" : "loss";
        const now = place.getAttribute("data-n");
        const text = now === null ? signed(by) : `→ ${Number(now) + by}`;
        place.append(h("span", { class: `delta ${sign}` }, text));
      }
    }
  }

  #rows() {
    const { game } = this.table.game;
    return this.view && gameModule(game).compare?.(this.view);
  }

  /** Open the sheet that compares the seats. */
  open() {
    const rows = this.#rows();
    if (!rows) return;
    this.sheet.open(this.#matrix(rows), { label: t("ui.sheet.compare"), at: "full", closes: true });
    this.sheet.rise();
  }

  /** What the cells of a row count, by seat. @param {Row} row @param {number[]} order */
  #lists({ label, lists = [] }, order) {
    const some = order.filter((seat) => lists[seat].length);
    return h(
      "ul",
      { "aria-label": label },
      some.map((seat) => h("li", {}, seal(seat), ` ${lists[seat].join(", ")}`)),
    );
  }

  /** @param {Row[]} rows */
  #matrix(rows) {
    const { game, mine } = this.table;
    const order = inOrder(game, mine);
    const head = order.map((/** @type {number} */ seat) =>
      h("th", { scope: "col" }, seal(seat), h("span", { class: "name" }, seatName(game, seat))),
    );
    const body = rows.map(({ label, cells }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, label),
        order.map((/** @type {number} */ seat) => h("td", {}, cells[seat])),
      ),
    );
    return h(
      "div",
      { class: "matrix", tabindex: "0", role: "group", "aria-label": t("ui.sheet.compare") },
      h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), head)), h("tbody", {}, body)),
      rows.filter(({ lists }) => lists).map((row) => this.#lists(row, order)),
    );
  }
}
