/**
 * The end of a game: one sheet over the board with the winners, where the points came from, the
 * scores over time, and what to do next. It opens once by itself; the action bar opens it again.
 */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { rematch } from "../people/continuations.js";
import { seal, seatName, signOf } from "../people/seats.js";
import { share, sharePicture } from "../people/share.js";
import { list, t } from "../platform/i18n.js";
import { chart } from "./score_chart.js";

/** @typedef {import("../table/table.js").Table} Table */

/**
 * @typedef {object} EndingActs what the page does for the sheet
 * @property {() => void} review open the replay
 * @property {() => Promise<void>} analyse open the analysis
 * @property {import("./score_chart.js").Seeking} seeking the chart is a slider
 */

export class Ending {
  /** @param {Table} table @param {import("../elements/sheet.js").Sheet} sheet @param {EndingActs} acts */
  constructor(table, sheet, acts) {
    this.table = table;
    this.sheet = sheet;
    this.acts = acts;
    this.element = h("div", { class: "ending" });
    /** What the action bar shows: who has won, and the button that opens the sheet. */
    this.foot = h("div", { class: "ended" });
    const reopen = () => this.#reopen().catch(explain);
    this.button = h("button", { class: "confirm", "data-key": "result", onclick: reopen }, t("ui.ending.open"));
    this.isShown = false;
  }

  /** Show the end, once; from then on the button of the action bar shows it. */
  async show() {
    if (this.isShown) return;
    this.isShown = true;
    show(this.foot, this.#won(), this.button);
    await this.#fill();
    this.open();
  }

  /** Write the result; the sources of the points are read from the events. The code that only the end needs comes later. */
  async #fill() {
    const { table } = this;
    const [{ drawMatrix, entries }, { fairness }, { standing }] = await Promise.all([
      import("./score_sources.js"),
      import("./fairness.js"),
      import("./standing.js"),
      table.loadEvents(),
    ]);
    const game = this.#game;
    show(
      this.element,
      h("div", { class: "won" }, this.#won()),
      standing(table),
      h("div", { class: "across" }, drawMatrix(game, table.events)),
      h(
        "div",
        { class: "buttons" },
        rematch(table),
        this.#button("review", () => this.#review()),
        game.status === "over" ? this.#button("analyse", () => this.acts.analyse()) : null,
        this.#button("link", () => share()),
        this.#button("picture", () => sharePicture(table.game, table.mine[0])),
      ),
      chart(game, table.events, undefined, this.#seeking()),
      entries(game),
      fairness(table.id),
    );
  }

  open() {
    this.sheet.open(this.element, { label: t("ui.ending.title"), at: "full", closes: true, back: this.button });
    this.sheet.rise();
  }

  async #reopen() {
    if (!this.element.childElementCount) await this.#fill(); // the events could not be loaded before
    this.open();
    this.sheet.cross.focus(); // so that Escape closes it again
  }

  close() {
    if (this.element.isConnected) this.sheet.close();
  }

  /** The end is shown of a game that has a result. */
  get #game() {
    return /** @type {import("./score_sources.js").EndedGame} */ (this.table.game);
  }

  #won() {
    const game = this.#game;
    const { winners, scores } = game.result;
    const names = list(winners.map((seat) => seatName(game, seat)));
    const signs = winners.map((seat) => [seal(seat), signOf(game, seat)]);
    return h("p", { class: "winners" }, signs, t("ui.ending.won", { names, n: scores[winners[0]] ?? 0 }));
  }

  #review() {
    this.close();
    this.acts.review();
  }

  /** The chart leads to a move; when it is chosen the sheet gives way to the board. */
  #seeking() {
    return { ...this.acts.seeking, first: this.table.started, settle: () => this.close() };
  }

  /** @param {string} name @param {() => any} act */
  #button(name, act) {
    const press = () => Promise.resolve(act()).catch(explain);
    return h("button", { class: "plain", "data-key": name, onclick: press }, t(`ui.ending.${name}`));
  }
}
