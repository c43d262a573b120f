/** What the analysis says of the move that the replay shows; the better move is drawn on the board. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { explorerLink, positionOf } from "../explorer/explorer_link.js";
import { seatName } from "../people/seats.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { shade } from "../play/controls.js";
import { gameModule } from "../play/game_module.js";
import { sayReasons } from "../story/teller.js";
import { gradeBadge, isLoud } from "./grades.js";
import { amount, askOf, lossOf, nameMoves, percent, sentence, withSign } from "./wording.js";

/** @typedef {import("./analysis_run.js").Decided} Decided */

/** A move and what it would lead to. @typedef {{moves: any[], value: number, win: number}} ConsideredMove */

export class MoveNotes {
  /**
   * @param {{replay: import("../story/replay.js").Replay, board: import("../board/board.js").Board}} shown
   * @param {import("../table/table.js").Table} table
   * @param {import("./analysis_run.js").AnalysisRun} run
   */
  constructor({ replay, board }, table, run) {
    this.replay = replay;
    this.board = board;
    this.table = table;
    this.run = run;
    /** The states before the moves, by version. @type {Map<number, Promise<any>>} */
    this.states = new Map();
    /** @type {{version: number, moves: any[], ask: any} | null} */
    this.drawn = null;
    this.shown = 0;
    this.isOpen = false;
    /** Whether nothing is said: a moment is asked. */
    this.isQuiet = () => false;
    board.host.addEventListener("pictured", () => this.#draw());
    replay.element.addEventListener("moment", (event) => {
      if (this.isOpen) this.#show(/** @type {CustomEvent} */ (event).detail).catch(explain);
    });
  }

  /** Say it at each move from now on. */
  open() {
    this.isOpen = true;
    this.#show(this.replay.at).catch(explain);
  }

  /** The next move that cost something. @param {number} from a version @param {1 | -1} by @returns {number | null} */
  next(from, by) {
    const loud = this.run.decisions.filter(isLoud).map(({ version }) => version);
    const found = by > 0 ? loud.find((version) => version > from) : loud.findLast((version) => version < from);
    return found ?? null;
  }

  /** @param {number} version */
  async #show(version) {
    if (this.shown === version && this.replay.notes.childElementCount) return;
    this.shown = version;
    this.drawn = null;
    if (this.isQuiet()) {
      show(this.replay.notes); // the answer is asked for
      return;
    }
    const decided = this.run.at(version);
    if (!decided) {
      show(this.replay.notes, this.#steps(version));
      return;
    }
    show(this.replay.notes, this.#head(decided)); // not the words of another move while the state is loaded
    const state = await this.#before(version);
    if (this.shown !== version) return; // another moment is shown by now
    const ask = askOf(state, (seat) => seatName(this.table.game, seat), this.board);
    show(
      this.replay.notes,
      this.#head(decided),
      this.#better(decided, ask),
      this.#others(decided, ask),
      this.#played(version),
    );
    if (isLoud(decided)) this.#choose(version, decided.line, ask);
  }

  /** The way to what others played in the position before a move. @param {number} version */
  #played(version) {
    const { events, game } = this.table;
    return explorerLink(game.game, positionOf(game, events, version - 1), t("ui.explorer.instead"));
  }

  /** The state before a move; when it cannot be loaded, the next visit tries again. @param {number} version */
  async #before(version) {
    const known = this.states.get(version) ?? api.state(this.table.id, version - 1);
    this.states.set(version, known);
    try {
      return await known;
    } catch (error) {
      this.states.delete(version);
      if (this.shown === version) this.shown = 0;
      throw error;
    }
  }

  /** @param {Decided} decided */
  #head(decided) {
    const loss = isLoud(decided) ? h("span", { class: "soft" }, lossOf(decided)) : null;
    return h("div", { class: "note-head" }, gradeBadge(decided.mark), loss, this.#steps(decided.version));
  }

  /** The ways to the other moves that cost something. @param {number} version */
  #steps(version) {
    const step = (/** @type {"before" | "after"} */ name, /** @type {1 | -1} */ by) => {
      const target = this.next(version, by);
      const label = t(`ui.analysis.${name}`);
      const onclick = () => target && this.replay.seek(target).catch(explain);
      const face = by < 0 ? "‹ ?" : "? ›";
      return h(
        "button",
        {
          class: "plain",
          "aria-label": label,
          title: label,
          "aria-disabled": target === null ? "true" : null,
          "data-key": `mistake-${name}`,
          onclick,
        },
        face,
      );
    };
    return h("span", { class: "note-steps" }, step("before", -1), step("after", 1));
  }

  /** @param {Decided} decided @param {any} ask */
  #better(decided, ask) {
    const { game } = this.table;
    const { why } = decided;
    if (!isLoud(decided)) return h("p", {}, sentence(sayReasons(game, why.move)));
    const name = nameMoves(game.game, this.#turn(decided.line), ask);
    return h(
      "p",
      {},
      h("b", {}, t("ui.analysis.better", { move: name })),
      ` ${sentence(sayReasons(game, why.best))} `,
      h("span", { class: "soft" }, `${t("ui.analysis.instead")} ${sentence(sayReasons(game, why.move))}`),
    );
  }

  /** Of a line the moves of the turn, as far as the game draws them together. @param {any[]} line */
  #turn(line) {
    return gameModule(this.table.game.game).shade ? line : line.slice(0, 1);
  }

  /** The other moves that were considered; a touch draws one on the board. @param {Decided} decided @param {any} ask */
  #others(decided, ask) {
    const { version, best, best_value, best_win, line, alternatives } = decided;
    const isBest = (/** @type {Move} */ move) => JSON.stringify(move) === JSON.stringify(best);
    const first = { moves: line, value: best_value, win: best_win };
    const rest = alternatives
      .filter(({ move }) => !isBest(move))
      .map(({ move, ...more }) => ({ moves: [move], ...more }));
    if (!rest.length) return null;
    const items = [first, ...rest].map((choice, at) => h("li", {}, this.#choice(choice, at, version, ask)));
    const ontoggle = (/** @type {Event} */ { target }) =>
      /** @type {Element} */ (target).scrollIntoView({ block: "nearest" });
    return h("details", { class: "others", ontoggle }, h("summary", {}, t("ui.analysis.others")), h("ol", {}, items));
  }

  /** @param {ConsideredMove} choice @param {number} at @param {number} version @param {any} ask */
  #choice({ moves, value, win }, at, version, ask) {
    const { game } = this.table.game;
    const name = nameMoves(game, this.#turn(moves), ask);
    const worth = t("ui.analysis.worth", { value: amount(value, withSign), win: percent(win) });
    const onclick = () => this.#choose(version, moves, ask);
    return h(
      "button",
      { class: "plain", "data-key": `choice-${at}`, onclick },
      `${name} `,
      h("span", { class: "soft" }, worth),
    );
  }

  /** @param {number} version @param {Move[]} moves @param {any} ask */
  #choose(version, moves, ask) {
    this.drawn = { version, moves, ask };
    this.#draw();
  }

  /** Draw the choice over the picture of its moment. */
  #draw() {
    const { board, drawn, replay } = this;
    if (!drawn || !replay.isOpen || replay.at !== drawn.version) return;
    board.touch([]);
    shade(this.table.game.game, drawn.moves, drawn.ask);
  }
}
