/**
 * The panel below the board: what is asked, the control for it, what the choice would do, confirm.
 * When it is not for this player to decide, who is thinking about what.
 */

import { announce } from "../announce.js";
import { api, Problem, Unreachable } from "../api.js";
import { h, show } from "../dom.js";
import { explain } from "../explain.js";
import { has, t } from "../i18n.js";
import { control, describe, described, question } from "../play/index.js";
import { seal, seatName } from "./seats.js";
import { tell } from "./story.js";

/** @typedef {import("./model.js").Table} Table */
/** @typedef {import("./board.js").Board} Board */

/** So many sentences about what a move leads to: a last pass may lead to a whole phase. */
const SENTENCES = 6;

export class Panel {
  /**
   * @param {Table} table @param {Board} board @param {HTMLElement} clock how long the question may take
   * @param {import("./standing.js").Standing} standing
   */
  constructor(table, board, clock, standing) {
    this.table = table;
    this.board = board;
    this.clock = clock;
    this.standing = standing;
    this.element = h("section", { class: "panel", "aria-label": t("ui.play.title") });
    /** The decision that the control is for; the control stays as long as it does. */
    this.asked = "";
    this.busy = false;
    /** Ends the preview of a move that is not chosen any more. */
    this.trying = new AbortController();
    /** Allows or forbids to confirm what is chosen now. */
    this.settle = () => {};
    table.addEventListener("unsent", () => this.again());
  }

  /** What the control has to be for; empty when nothing is asked of this player. */
  get #due() {
    const { question, moves, version } = this.table;
    return question && moves.length ? `${version} ${question.seat}` : "";
  }

  /** Take no more answers to a question that is over, until `render`. */
  hold() {
    if (this.asked !== this.#due) this.element.inert = true;
  }

  /** Show what is to be done now; the picture must be there already. */
  render() {
    const { table } = this;
    const decision = table.question;
    const key = this.#due;
    this.element.inert = Boolean(table.unsent); // one move waits already
    if (key && key === this.asked) return;
    this.asked = key;
    this.board.touch([]);
    if (key && decision) this.#ask(decision);
    else {
      this.board.overview();
      show(this.element, this.#waiting(), this.clock);
    }
  }

  /** Ask again from the beginning, for example after the picture was replaced. */
  again() {
    this.asked = "";
    this.render();
  }

  #waiting() {
    const { game } = this.table;
    const decision = game.decision;
    if (game.status !== "running" || !decision) {
      return h("p", { class: "waiting" }, t(`ui.status.${game.status}`));
    }
    const name = seatName(game, decision.seat);
    return h(
      "p",
      { class: "waiting" },
      seal(decision.seat),
      h(
        "span",
        {},
        t("ui.play.thinking", { name }),
        " ",
        h("em", {}, question(game.game, decision)),
      ),
    );
  }

  /** @param {import("./model.js").Decision} decision */
  #ask(decision) {
    const { table, board } = this;
    const { game, moves } = table;
    /** @type {import("./model.js").Move | null} */
    let chosen = null;
    const would = h("div", { class: "preview-of", "aria-live": "polite" });
    const confirm = h(
      "button",
      { class: "confirm", type: "button", disabled: true, "data-key": "confirm" },
      t("ui.play.confirm"),
    );
    const ask = {
      view: game.view,
      decision,
      moves,
      name: (/** @type {number} */ seat) => seatName(game, seat),
      board,
      choose: (/** @type {import("./model.js").Move | null} */ move) => {
        chosen = move;
        this.settle();
        this.standing.offer(decision.kind, move);
        show(would, move ? described(describe(game.game, move, ask)) : null);
        this.#preview(move, would).catch(reportError);
      },
      touch: (/** @type {import("./board.js").Target[]} */ targets) => board.touch(targets),
    };
    this.settle = () => {
      /** @type {HTMLButtonElement} */ (confirm).disabled = !chosen || this.busy;
    };
    confirm.addEventListener(
      "click",
      () =>
        chosen &&
        this.#play(chosen, describe(game.game, chosen, ask).title, /** @type {HTMLButtonElement} */ (confirm)),
    );
    const title = h(
      "h2",
      { class: "question", tabindex: "-1" },
      seal(decision.seat),
      table.mine.length > 1 ? `${seatName(game, decision.seat)}: ` : null,
      question(game.game, decision),
    );
    const whose = this.#whose(decision);
    this.standing.offer(decision.kind, null);
    const choices = control(game.game, ask);
    show(
      this.element,
      title,
      this.clock,
      whose,
      h("div", { class: "control" }, choices),
      h("div", { class: "decide" }, would, this.standing.box, confirm),
    );
    board.seek();
    announce(`${t("ui.play.your_turn")} ${question(game.game, decision)}`);
  }

  /**
   * Let the server say what a move would lead to. Without an answer the move can be made as well.
   * @param {import("./model.js").Move | null} move @param {HTMLElement} would
   */
  async #preview(move, would) {
    this.trying.abort();
    this.trying = new AbortController();
    if (!move) return;
    const { signal } = this.trying;
    const { id, game, version } = this.table;
    try {
      const { facts } = await api.preview(id, move, version, signal);
      const sentences = tell(game, { type: "preview", facts });
      const more = sentences.length > SENTENCES ? ["…"] : [];
      would
        .querySelector("ul")
        ?.append(...[...sentences.slice(0, SENTENCES), ...more].map((line) => h("li", {}, line)));
    } catch (error) {
      const isLate = signal.aborted || error instanceof Problem || error instanceof Unreachable;
      if (!isLate) throw error;
    }
  }

  /** Where the question comes from: the building that asks, whose gift it is. @param {import("./model.js").Decision} decision */
  #whose({ context, kind }) {
    const { game } = this.table.game;
    if (context.building && has(`terms.${game}.buildings.${context.building}`)) {
      const number = /\d+$/.exec(context.space ?? "")?.[0];
      return h(
        "p",
        { class: "whose" },
        `${t(`terms.${game}.buildings.${context.building}`)}${number ? ` (${number})` : ""}`,
      );
    }
    if (
      kind.startsWith("favour") &&
      context.source &&
      has(`terms.${game}.sources.${context.source}`)
    ) {
      return h("p", { class: "whose" }, t(`terms.${game}.sources.${context.source}`));
    }
    return null;
  }

  /** @param {import("./model.js").Move} move @param {string} title @param {HTMLButtonElement} button */
  async #play(move, title, button) {
    if (this.busy) return;
    this.busy = true;
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    this.element.classList.add("sending");
    this.board.stamp(this.table.question?.seat ?? 0);
    try {
      if (await this.table.play(move, null, title)) await this.standing.give();
    } catch (error) {
      explain(error);
      this.again();
    } finally {
      this.busy = false;
      this.element.classList.remove("sending");
      button.removeAttribute("aria-busy");
      // The news of the move may be here before its answer: then this is another question already.
      this.settle();
    }
  }
}
