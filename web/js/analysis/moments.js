/**
 * The moments of a finished game as a lesson: first "what would you do?" on the board, then the answer, with both
 * futures to step through. The service draws them; nothing is played here.
 */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { explorerLink, positionOf } from "../explorer/explorer_link.js";
import { inbox } from "../inbox/inbox.js";
import { BoardQuestion } from "../panel/board_question.js";
import { withPlayer } from "../people/guest_name.js";
import { seatName } from "../people/seats.js";
import { api, call, text } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { bringMove } from "../play/bringing.js";
import { sayReasons } from "../story/teller.js";
import { amount, nameMoves, sentence } from "./wording.js";

/**
 * @typedef {import("./analysis_run.js").LessonMoment} LessonMoment
 * @typedef {import("./analysis_run.js").Decided} Decided
 * @typedef {{right: boolean, best: boolean, made: boolean, loss: number | null}} Judged
 * @typedef {"best" | "made"} FutureName
 *
 * @typedef {object} MomentParts the parts of a table that a lesson uses
 * @property {import("../board/board.js").Board} board
 * @property {import("../elements/sheet.js").Sheet} choices
 * @property {import("../elements/sheet.js").Sheet} over
 * @property {import("../story/replay.js").Replay} replay
 * @property {HTMLElement} element the table
 */

export class Moments {
  /**
   * @param {MomentParts} parts @param {import("../table/table.js").Table} table
   * @param {import("./analysis_run.js").AnalysisRun} run @param {() => void} done what follows the last moment
   */
  constructor(parts, table, run, done) {
    this.parts = parts;
    this.table = table;
    this.run = run;
    this.done = done;
    this.isOpen = false;
    /** @type {LessonMoment[]} */
    this.asked = [];
    this.at = 0;
    this.turn = 0;
    this.future = /** @type {FutureName} */ ("best");
    this.step = 0;
    /** The question that was asked. @type {import("../play/game_module.js").Ask | null} */
    this.asking = null;
    this.line = h("div", { class: "future", "aria-live": "polite" });
    /** The sheet shows a question or an answer: closing it ends the lesson. */
    this.isShown = false;
    parts.choices.addEventListener("close", () => {
      if (this.isShown) this.close();
    });
    parts.replay.element.addEventListener("moment", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      if (this.isOpen && detail !== this.#moment.version - 1) this.close(); // the person looks elsewhere
    });
  }

  /** The moments of this person; of who has only watched, those of the seat with the most. */
  get own() {
    const { moments } = this.run;
    const of = (/** @type {number} */ seat) => moments.filter((one) => one.seat === seat);
    const mine = this.table.mine.flatMap(of);
    if (mine.length || this.table.mine.length) return mine;
    const lists = this.table.game.seats.map(({ seat }) => of(seat));
    return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
  }

  /** @param {LessonMoment[]} moments */
  async start(moments) {
    this.isOpen = true;
    this.asked = moments;
    this.parts.element.classList.add("asks-moment");
    this.parts.over.close();
    await this.#ask(0);
  }

  close() {
    this.isOpen = false;
    this.isShown = false;
    this.turn += 1;
    this.parts.element.classList.remove("asks-moment");
    this.parts.board.touch([]);
    this.parts.board.focusOn(null);
    this.parts.choices.close();
    show(this.parts.choices.foot);
  }

  get #moment() {
    return this.asked[this.at];
  }

  /** @param {number} at */
  async #ask(at) {
    this.at = at;
    this.turn += 1;
    const { turn, parts, table } = this;
    const { version, moves } = this.#moment;
    this.isShown = false;
    parts.choices.close();
    await parts.replay.seek(version - 1);
    const { view, decision } = await api.state(table.id, version - 1);
    if (turn !== this.turn || !view || !decision) return;
    const name = (/** @type {number} */ seat) => seatName(table.game, seat);
    const position = { game: table.game.game, view, decision, version, moves, name };
    const asking = new BoardQuestion(parts.board, parts.choices, position, (move, ask) =>
      this.#judge(move, ask).catch(explain),
    );
    const reveal = button(t("ui.moments.reveal"), "moment-reveal", () => this.#tell(null, null, asking.ask));
    this.isShown = true;
    asking.open(t("ui.moments.ask", { n: at + 1, of: this.asked.length }), { buttons: reveal });
  }

  /** @param {Move} move @param {import("../play/game_module.js").Ask} ask */
  async #judge(move, ask) {
    const { turn } = this;
    const path = `/games/${this.table.id}/analysis/moments/${this.#moment.version}/attempts`;
    /** @type {Judged | null} */
    let judged = null;
    await withPlayer(async () => {
      judged = await call(path, "POST", { move });
    });
    inbox.countAgain().catch(explain);
    if (turn === this.turn) await this.#tell(move, judged, ask);
  }

  /** The answer. @param {Move | null} move null: it was not tried @param {Judged | null} judged @param {import("../play/game_module.js").Ask} ask */
  async #tell(move, judged, ask) {
    this.turn += 1;
    this.asking = ask;
    const { board, choices } = this.parts;
    const { game, events } = this.table;
    const decided = /** @type {Decided} */ (this.run.at(this.#moment.version));
    board.touch([]);
    board.focusOn(null);
    const isLast = this.at + 1 === this.asked.length;
    const next = () => (isLast ? this.#end() : this.#ask(this.at + 1));
    const go = button(t(`ui.moments.${isLast ? "done" : "next"}`), "moment-next", next, "confirm");
    choices.open(
      h(
        "div",
        { class: "moment-answer" },
        move && judged ? this.#verdict(move, judged, ask, decided.best) : null,
        this.#better(decided, ask),
        explorerLink(game.game, positionOf(game, events, this.#moment.version - 1)),
        h("h2", {}, t("ui.moments.futures")),
        this.#tabs(),
        this.line,
      ),
      { at: "half", closes: true },
    );
    choices.say(t("ui.moments.ask", { n: this.at + 1, of: this.asked.length }));
    show(choices.foot, h("div", { class: "buttons" }, go));
    go.focus();
    await this.#show("best", 1);
  }

  /** @param {Move} move @param {Judged} judged @param {import("../play/game_module.js").Ask} ask @param {Move} best */
  #verdict(move, { right, made, loss }, ask, best) {
    const { game } = this.table;
    const name = nameMoves(game.game, [move], ask);
    const isTold = name !== nameMoves(game.game, [best], ask); // else the board alone tells them apart
    const said = right ? "right" : isTold ? "wrong" : "not_best";
    const cost = loss ? sentence(t("ui.analysis.loss", { n: amount(loss) })) : "";
    const isOwn = this.table.isMine(this.#moment.seat);
    return h(
      "p",
      { class: `verdict ${right ? "right" : "wrong"}`, role: "status" },
      h("b", {}, `${right ? "✓" : "✗"} ${t(`ui.moments.${said}`, { move: name })}`),
      ` ${[made ? t("ui.moments.made") : "", cost, !right && isOwn ? t("ui.moments.again") : ""].filter(Boolean).join(" ")}`,
    );
  }

  /** What was better, and why. @param {Decided} decided @param {import("../play/game_module.js").Ask} ask */
  #better({ move, best, why }, ask) {
    const { game } = this.table;
    const better = nameMoves(game.game, [best], ask);
    const made = nameMoves(game.game, [move], ask);
    const name = made === better ? [] : [`${made}.`];
    return [
      h("p", {}, h("b", {}, t("ui.analysis.better", { move: better })), ` ${sentence(sayReasons(game, why.best))}`),
      h("p", { class: "soft" }, [t("ui.analysis.instead"), ...name, sentence(sayReasons(game, why.move))].join(" ")),
    ];
  }

  #tabs() {
    const tab = (/** @type {FutureName} */ name) => {
      const words = t(`ui.moments.${name === "best" ? "best" : "played"}`);
      const made = button(words, `future-${name}`, () => this.#show(name, 1));
      made.setAttribute("aria-pressed", "false");
      return made;
    };
    this.tabs = { best: tab("best"), made: tab("made") };
    return h("div", { class: "buttons" }, this.tabs.best, this.tabs.made);
  }

  /** Show a future after some of its moves. @param {FutureName} name @param {number} step */
  async #show(name, step) {
    this.future = name;
    this.step = step;
    const { turn, parts, table } = this;
    const { version } = this.#moment;
    const { moves, scores } = this.#moment[name];
    for (const [key, tab] of Object.entries(this.tabs ?? {})) tab.setAttribute("aria-pressed", String(key === name));
    const to = (/** @type {"back" | "forward"} */ way, /** @type {number} */ by) => {
      const made = button(t(`ui.replay.${way}`), `future-${way}`, () => this.#show(name, step + by));
      made.disabled = step + by < 0 || step + by > moves.length;
      return made;
    };
    const told = table.game.seats.map(({ seat }) => `${seatName(table.game, seat)} ${scores[seat]}`).join(", ");
    show(
      this.line,
      h(
        "div",
        { class: "buttons" },
        to("back", -1),
        h("span", { class: "count" }, t("ui.moments.step", { n: step, of: moves.length })),
        to("forward", 1),
      ),
      h("p", { class: "soft" }, t("ui.moments.after", { n: moves.length, scores: told })),
    );
    const wish = new URLSearchParams({ ...parts.board.wish, future: name, step: String(step) });
    const path = `/games/${table.id}/analysis/moments/${version}/board.svg?${wish}`;
    const picture = await text(path, "image/svg+xml");
    if (turn !== this.turn || this.future !== name || this.step !== step) return;
    await parts.board.set(picture);
    if (step && this.asking) bringMove(parts.board, table.game.game, moves[step - 1].move, this.asking);
  }

  #end() {
    const { version } = this.#moment;
    this.close();
    this.parts.replay.seek(version).catch(explain);
    this.done();
  }
}
