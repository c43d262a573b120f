/** What became of an answer: right or not, what it did to the rating, and both futures on the board, step by step. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { explorerLink } from "../explorer/explorer_link.js";
import { t } from "../platform/i18n.js";
import { bringMove } from "../play/bringing.js";
import { describe } from "../play/controls.js";
import { themeName } from "./themes.js";

/** @typedef {"best" | "tempting"} Line */

const LINES = /** @type {Line[]} */ (["best", "tempting"]);

export class OutcomeView {
  /**
   * @param {import("./calls.js").Puzzle} puzzle @param {import("./calls.js").Outcome} outcome
   * @param {import("./source.js").Source} source @param {import("../board/board.js").Board} board @param {(seat: number) => string} name
   */
  constructor(puzzle, outcome, source, board, name) {
    this.puzzle = puzzle;
    this.source = source;
    this.outcome = outcome;
    this.board = board;
    this.name = name;
    /** @type {Line} */
    this.line = "best";
    this.step = 0;
    /** The size of the board for which the picture is drawn. */
    this.size = "";
    /** The line and the step of the picture. */
    this.shown = "";
    this.tabs = h("div", { class: "puzzle-lines", role: "group", "aria-label": t("ui.puzzles.lines") });
    this.reason = h("p", { class: "puzzle-reason" });
    this.said = h("p", { class: "puzzle-step", role: "status" });
    this.back = button(t("ui.replay.back"), "puzzle-back", () => this.#go(this.step - 1));
    this.forward = button(t("ui.replay.forward"), "puzzle-forward", () => this.#go(this.step + 1));
    this.element = h(
      "div",
      { class: "puzzle-outcome" },
      h("h2", { "data-right": outcome.right, tabindex: "-1" }, this.#verdict()),
      this.#rating(),
      h("p", { class: "soft" }, outcome.themes.map((theme) => themeName(puzzle.game, theme)).join(" · ")),
      this.tabs,
      this.reason,
      this.said,
      h("div", { class: "buttons puzzle-steps" }, this.back, this.forward),
      explorerLink(puzzle.game, outcome.explorer),
    );
  }

  #verdict() {
    const { right, hints } = this.outcome;
    if (!right) return t("ui.puzzles.wrong");
    return hints ? t("ui.puzzles.right_with_hint") : t("ui.puzzles.right");
  }

  #rating() {
    const { player, hints } = this.outcome;
    if (!player) {
      const said = [t(hints ? "ui.puzzles.unrated" : "ui.puzzles.unrated_pack")];
      if (this.source.isPacked) said.push(t("ui.puzzles.waits"));
      return h("p", { class: "soft" }, said.join(" "));
    }
    const change = player.after.rating - player.before.rating;
    const by = change < 0 ? `−${-change}` : `+${change}`;
    return h("p", { class: "puzzle-rating" }, t("ui.puzzles.rating_now", { rating: player.after.rating, by }));
  }

  /** Show the best line from its beginning. */
  async begin() {
    await this.#show("best", this.outcome.best.line.length);
  }

  /** @param {Line} line @param {number} step */
  async #show(line, step) {
    this.line = line;
    const future = this.outcome[line];
    show(
      this.tabs,
      LINES.map((one) => {
        const tab = button(t(`ui.puzzles.${one}`), `puzzle-${one}`, () => {
          this.#show(one, this.outcome[one].line.length).catch(explain);
        });
        tab.setAttribute("aria-pressed", String(one === line));
        return tab;
      }),
    );
    show(this.reason, future.text.slice(0, 1).toUpperCase() + future.text.slice(1));
    await this.#goTo(step);
  }

  /** @param {number} step */
  #go(step) {
    this.#goTo(step).catch(explain);
  }

  /** @param {number} step */
  async #goTo(step) {
    const { after } = this.outcome[this.line];
    this.step = Math.min(Math.max(step, 0), after.length);
    this.back.disabled = this.step === 0;
    this.forward.disabled = this.step === after.length;
    show(this.said, this.step ? this.#sayStep(after[this.step - 1]) : t("ui.puzzles.position"));
    const { line } = this;
    const shown = this.step;
    const picture = await this.#draw(line, shown);
    if (line !== this.line || shown !== this.step) return;
    this.shown = `${line} ${shown}`;
    await this.board.set(picture);
    if (shown) bringMove(this.board, this.puzzle.game, after[shown - 1].move, this.#askOf(after[shown - 1]));
  }

  /** A picture that does not come is asked for again at the next size; that of another step goes. @param {Line} line @param {number} step */
  async #draw(line, step) {
    const { wish } = this.board;
    this.size = JSON.stringify(wish);
    try {
      return await this.source.draw(this.puzzle.id, { ...wish, line, step });
    } catch (error) {
      this.size = "";
      if (this.shown !== `${this.line} ${this.step}`) this.board.blank();
      throw error;
    }
  }

  /** @typedef {{seat: number, move: Move}} Made */

  /** @param {Made} made @returns {import("../play/game_module.js").Ask} */
  #askOf({ seat, move }) {
    const decision = { seat, kind: move.type, context: {} };
    return /** @type {any} */ ({ view: this.puzzle.view, decision, name: this.name, board: this.board, moves: [move] });
  }

  /** @param {Made} made */
  #sayStep(made) {
    const { title, lines, act } = describe(this.puzzle.game, made.move, this.#askOf(made));
    const what = lines.length ? title : (act ?? title); // "take" says what is taken on its button only
    return t("ui.puzzles.step", { n: this.step, seat: this.name(made.seat), what });
  }

  /** The window has another size: the picture is drawn for it. A page that was left has no size. */
  async again() {
    if (this.element.isConnected && JSON.stringify(this.board.wish) !== this.size) await this.#goTo(this.step);
  }
}
