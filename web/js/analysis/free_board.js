/**
 * What an analysis board has besides a table, in a sheet: the best moves, the next draw, the lines of play, and the
 * link. The engine of this device answers.
 */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, show, svg } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { share } from "../people/share.js";
import { call } from "../platform/api.js";
import { encodeBoard, LongLink } from "../platform/board_link.js";
import { t } from "../platform/i18n.js";
import { reload } from "../platform/router.js";
import { findPiece } from "../play/pieces.js";
import { BestMoves } from "./best_moves.js";

/** Lines that part, in a square of 24. */
const FORK = "M6 21v-6a4 4 0 0 1 4-4h4a4 4 0 0 0 4-4V3M6 21V3M3 6l3-3 3 3M15 6l3-3 3 3";

/** @typedef {{moves: number, from: number, here: boolean}} ToldLine */

export class FreeBoard {
  /**
   * @param {import("../table/table.js").Table} table @param {import("../board/board.js").Board} board
   * @param {import("../elements/sheet.js").Sheet} sheet
   */
  constructor(table, board, sheet) {
    this.table = table;
    this.sheet = sheet;
    this.best = new BestMoves(table, board);
    this.draws = h("section", { class: "next-draw" });
    this.lines = h("section", { class: "lines" });
    const handOver = button(t("ui.lab.share"), "share-board", () => this.#share(), "confirm");
    this.element = h("div", { class: "lab" }, this.best.element, this.draws, this.lines, handOver);
    const label = t("ui.lab.title");
    this.button = h(
      "button",
      {
        class: "plain round lab-open",
        "aria-label": label,
        title: label,
        "data-key": "lab",
        onclick: () => this.open(),
      },
      svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: FORK })),
    );
    table.addEventListener("change", () => {
      if (this.isOpen) this.#render().catch(explain);
    });
  }

  get isOpen() {
    return this.sheet.isOpen && this.element.isConnected;
  }

  open() {
    this.sheet.open(this.element, { label: t("ui.lab.title"), at: "half", closes: true });
    this.sheet.cross.focus();
    this.#render().catch(explain);
  }

  async #render() {
    const { id } = this.table;
    const [draw, { lines, moves }] = await Promise.all([call(`/games/${id}/draw`), call(`/games/${id}/lines`)]);
    show(this.draws, draw ? this.#draws(draw) : null);
    show(this.lines, h("h3", {}, t("ui.lab.lines")), this.#steps(lines, moves), this.#list(lines));
  }

  /** @param {{drawn: string, outcomes: {outcome: string, weight: number}[]}} draw */
  #draws({ drawn, outcomes }) {
    const chips = outcomes.map(({ outcome, weight }) => {
      const name = findPiece(outcome)?.name ?? outcome;
      const choose = button(`${name} ×${weight}`, `draw-${outcome}`, () => this.#move("draw", { outcome }), "plain");
      choose.setAttribute("aria-pressed", String(outcome === drawn));
      return choose;
    });
    return [
      h("h3", {}, t("ui.lab.next")),
      h("div", { class: "draws", role: "group", "aria-label": t("ui.lab.next") }, chips),
    ];
  }

  /** One move back and forward in the line. @param {ToldLine[]} lines @param {number} moves */
  #steps(lines, moves) {
    const line = lines.findIndex(({ here }) => here);
    const step = (/** @type {"back" | "forward"} */ name, /** @type {number} */ to) => {
      const made = button(t(`ui.replay.${name}`), `line-${name}`, () => this.#move("lines", { line, moves: to }));
      made.disabled = line < 0 || to < 0 || to > lines[line].moves;
      return made;
    };
    return h("div", { class: "buttons" }, step("back", moves - 1), step("forward", moves + 1));
  }

  /** @param {ToldLine[]} lines */
  #list(lines) {
    const entry = (/** @type {ToldLine} */ { moves, from, here }, /** @type {number} */ line) => {
      const words = line ? t("ui.lab.line", { n: line + 1, moves, from }) : t("ui.lab.main", { moves });
      const made = button(words, `line-${line}`, () => this.#move("lines", { line, moves }));
      if (here) made.setAttribute("aria-current", "true");
      return h("li", {}, made);
    };
    return h("ol", { class: "line-list" }, lines.map(entry));
  }

  /**
   * Another course is shown: its versions are others, so the page is opened again.
   * @param {"draw" | "lines"} what @param {Record<string, any>} wanted
   */
  async #move(what, wanted) {
    await call(`/games/${this.table.id}/${what}`, "POST", wanted);
    reopen.add(this.table.id);
    await reload();
  }

  async #share() {
    try {
      const code = await encodeBoard(await call(`/games/${this.table.id}/transcript`));
      await share(`${location.origin}/analysis#${code}`);
    } catch (error) {
      if (!(error instanceof LongLink)) throw error;
      note(t("ui.lab.long"), "trouble");
    }
  }
}

/** Boards whose page is opened again with the sheet. @type {Set<string>} */
const reopen = new Set();

/** Open the sheet again after the page was opened again. @param {FreeBoard} lab */
export function openAgain(lab) {
  if (reopen.delete(lab.table.id)) lab.open();
}
