/**
 * The seats of a table. On a phone: a rail of equal chips, this person first, with seal, score and
 * what counts most. On a desktop: all that a seat holds. A touch, a pointer that rests and the focus open
 * the card of a seat, or of a good that it holds; from there a button leads to the sheet that compares all seats.
 */

import { h } from "../elements/dom.js";
import { listenForPointing } from "../elements/long_press.js";
import { renew } from "../elements/morph.js";
import { t } from "../platform/i18n.js";
import { gameModule } from "../play/game_module.js";
import { signed } from "../play/goods.js";
import { inOrder, nameTag, seal, seatStrip } from "./seats.js";

/**
 * @typedef {import("../play/game_module.js").Delta} Delta
 * @typedef {import("../play/game_module.js").Row} Row
 * @typedef {{seat: number | null, good?: string, at: Element, how: "touch" | "rest" | "focus"}} SeatLook a person looks
 *   at a seat, or at a good
 */

const REACH = 5; // px below the seats of a phone which still belong to them

/** The seat of an element in the strip. @param {Element} element */
function seatOf(element) {
  return Number(element.closest("[data-seat]")?.getAttribute("data-seat"));
}

/** Events on `element`: `look` (detail: `Look`), `away` when the pointer or the focus has left. */
export class SeatRail {
  /** @param {import("../table/table.js").Table} table @param {import("../elements/sheet.js").Sheet} sheet */
  constructor(table, sheet) {
    this.table = table;
    this.sheet = sheet;
    this.seats = h("div", { class: "strip" });
    this.compare = h(
      "button",
      { class: "plain compare", "data-key": "compare", onclick: () => this.open() },
      h("span", {}, t("ui.sheet.compare")),
    );
    this.element = h("div", { class: "rail" }, this.seats, this.compare);
    this.#listen();
    /** What is shown: the view and the question at this moment. @type {any} */
    this.view = null;
    /** @type {Delta[]} */
    this.shown = [];
    /** The seats are drawn again: a focus that comes back is no wish to see a card. */
    this.isDrawing = false;
  }

  /**
   * @param {View | null} view another view than that of the table during a replay
   * @param {{seat: number} | null} decision
   * @param {boolean} isFinal the counting is over: its scores are shown
   */
  render(view, decision, isFinal) {
    this.view = view;
    this.isDrawing = true;
    renew(this.seats, seatStrip(this.table, view, decision, isFinal));
    this.isDrawing = false;
    this.compare.hidden = !this.#rows();
    this.deltas(this.shown);
  }

  /**
   * Show the differences that a move would make, next to what a seat has now.
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

  /** On a phone the button of the comparison lies over the seats, so that a touch has room: the card opens there, too. */
  #listen() {
    const { element } = this;
    const look = (/** @type {SeatLook["how"]} */ how) => (/** @type {any} */ _, /** @type {any} */ at) =>
      this.#look(how, at);
    const rest = look("rest");
    listenForPointing(element, look("touch"), (path, at) => (path ? rest(path, at) : this.#away()));
    element.addEventListener(
      "click",
      (event) => {
        const { detail, clientX: x, clientY: y } = event;
        const button = /** @type {Element} */ (event.target).closest?.(".seat-open");
        if (button) this.#tell({ seat: seatOf(button), at: button, how: "touch" });
        else if (detail && this.#look("touch", { x, y })) event.stopPropagation();
      },
      { capture: true },
    );
    element.addEventListener("focusin", ({ target }) => {
      const button = /** @type {Element} */ (target);
      if (!this.isDrawing && button.matches(".seat-open:focus-visible"))
        this.#tell({ seat: seatOf(button), at: button, how: "focus" });
    });
    element.addEventListener("focusout", () => this.isDrawing || this.#away());
  }

  /** What lies under the pointer. @param {SeatLook["how"]} how @param {{x: number, y: number}} at @returns {boolean} false: no seat */
  #look(how, { x, y }) {
    const { bottom } = this.seats.getBoundingClientRect();
    const isOver = this.compare.getBoundingClientRect().top < bottom - REACH;
    const isBelow = isOver && y >= bottom && y < bottom + REACH;
    const found = document.elementsFromPoint(x, isBelow ? bottom - 1 : y);
    const seat = found.map((one) => one.closest(".seat")).find(Boolean);
    if (!seat) return false;
    const good = found.map((one) => one.closest(".good[data-what]")).find(Boolean);
    this.#tell({ seat: seatOf(seat), good: good?.getAttribute("data-what") ?? undefined, at: good ?? seat, how });
    return true;
  }

  /** @param {SeatLook} detail */
  #tell(detail) {
    this.element.dispatchEvent(new CustomEvent("look", { detail }));
  }

  #away() {
    this.element.dispatchEvent(new Event("away"));
  }

  #rows() {
    const { game } = this.table.game;
    return this.view && gameModule(game).compare?.(this.view);
  }

  /** Open the sheet that compares the seats. */
  open() {
    const rows = this.#rows();
    if (!rows) return;
    const matrix = this.#matrix(rows);
    matrix.addEventListener("click", ({ target }) => {
      const good = /** @type {Element} */ (target).closest("[data-good]");
      if (good) this.#tell({ seat: null, good: good.getAttribute("data-good") ?? "", at: good, how: "touch" });
    });
    this.sheet.open(matrix, { label: t("ui.sheet.compare"), at: "full", closes: true });
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
    const head = order.map((/** @type {number} */ seat) => h("th", { scope: "col" }, seal(seat), nameTag(game, seat)));
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
