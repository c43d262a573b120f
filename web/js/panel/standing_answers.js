/**
 * Standing answers: "no bribe until I say otherwise". A question that can be declined has a box to
 * answer so from now on; what holds is shown with the way back.
 */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api, Problem, Unreachable } from "../platform/api.js";
import { labelled, t } from "../platform/i18n.js";
import { sayQuestion } from "../play/controls.js";
import { keepStanding } from "../table/standing_answer.js";

/** @typedef {import("../table/standing_answer.js").StandingAnswer} StandingAnswer */

/** Moves that say no and leave nothing to choose. */
const NO = /^(decline|skip)/;

/** How long an answer may hold. @type {("round" | "game")[]} */
const UNTIL = ["round", "game"];
const TEXTS = { round: "this_round", game: "always" };

export class StandingAnswers {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {StandingAnswer[]} */
    this.answers = [];
    /** What is to hold once the next move is stored. @type {StandingAnswer | null} */
    this.wanted = null;
    this.box = h("div", { class: "standing-box" });
    this.element = h("div", { class: "talk standing", hidden: true });
    table.addEventListener("news", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.type === "moves_taken_back") this.load();
    });
    table.addEventListener("always", (event) => this.#keep(/** @type {CustomEvent} */ (event).detail));
  }

  /** Ask what holds; without an answer nothing is shown. */
  async load() {
    const { table } = this;
    if (table.game.status !== "running" || !table.playing.length) return;
    try {
      this.#take((await api.standing(table.id)).answers);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
  }

  /**
   * Offer to answer so from now on, when the chosen move is a plain no; or to answer beforehand what
   * this round may still ask.
   * @param {string} kind @param {Move | null} move
   * @param {import("../play/game_module.js").GameModule} [module]
   * @param {string} [title] of the move, where the button says more than this move
   */
  offer(kind, move, module, title) {
    this.wanted = null;
    const isNo = move && NO.test(move.type) && Object.keys(move).length === 1;
    const later = move && module?.later?.(move);
    if (isNo) {
      // a game without rounds has nothing that ends by itself
      const untils = this.table.game.view?.round === undefined ? UNTIL.slice(1) : UNTIL;
      const answers = untils.map((until) => /** @type {StandingAnswer} */ ({ kind, move, until }));
      const text = (/** @type {StandingAnswer} */ { until }) =>
        title ? labelled(t(`ui.standing.${TEXTS[until]}`), title) : t(`ui.standing.${TEXTS[until]}`);
      show(
        this.box,
        answers.map((answer) => this.#check(answer, text(answer))),
        this.answers.length ? null : h("p", { class: "soft" }, t("ui.standing.note")),
      );
    } else if (later && !this.answers.some((one) => one.kind === later.kind)) {
      const { game } = this.table.game;
      const answer = /** @type {StandingAnswer} */ ({ ...later, until: "round" });
      show(this.box, this.#check(answer, labelled(t("ui.standing.this_round"), questionOf(game, answer))));
    } else show(this.box);
  }

  /** @param {StandingAnswer} answer @param {string} text */
  #check(answer, text) {
    /** @type {HTMLInputElement} */
    const box = h("input", {
      type: "checkbox",
      "data-key": `standing-${answer.until}`,
      onchange: () => {
        this.wanted = box.checked ? answer : null;
        for (const other of this.box.querySelectorAll("input")) if (other !== box) other.checked = false;
      },
    });
    return h("label", { class: "check" }, box, text);
  }

  /** The move is stored: what was wanted with it holds from now on. @param {StandingAnswer} answer */
  async #keep(answer) {
    const answers = await keepStanding(this.table.id, answer);
    if (answers) this.#take(answers);
  }

  /** @param {StandingAnswer} answer */
  async #end(answer) {
    const left = this.answers.filter((one) => one !== answer);
    this.#take((await api.answerAlways(this.table.id, left)).answers);
  }

  /** @param {StandingAnswer[]} answers */
  #take(answers) {
    this.answers = answers;
    this.render();
  }

  render() {
    const { game } = this.table.game;
    const isOn = this.table.game.status === "running" && this.answers.length > 0;
    this.element.hidden = !isOn;
    show(
      this.element,
      this.answers.map((answer) =>
        h(
          "p",
          {},
          h("span", {}, t("ui.standing.holds", { question: questionOf(game, answer) })),
          h(
            "button",
            {
              class: "plain",
              "data-key": `standing-${answer.kind}`,
              onclick: () => this.#end(answer).catch(explain),
            },
            t("ui.standing.ask_again"),
          ),
        ),
      ),
    );
  }
}

/** @param {string} game @param {StandingAnswer} answer */
function questionOf(game, { kind }) {
  return sayQuestion(game, { seat: 0, kind, context: {} });
}
