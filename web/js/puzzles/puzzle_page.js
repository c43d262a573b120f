/** The page of one puzzle, `/puzzles/<id>`: the question at a board as in a game, hints, what follows from the answer. */

import { Board } from "../board/board.js";
import { Pictures } from "../board/pictures.js";
import { announce, lodgeNotes, note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Sheet } from "../elements/sheet.js";
import { Panel } from "../panel/panel.js";
import { PlannedAnswer } from "../panel/planned_answer.js";
import { StandingAnswers } from "../panel/standing_answers.js";
import { withPlayer } from "../people/guest_name.js";
import { SeatRail } from "../people/seat_rail.js";
import { seatName } from "../people/seats.js";
import { Problem } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { go, reload } from "../platform/router.js";
import { describe, findPlace, shade } from "../play/controls.js";
import { loadTable } from "../play/game_module.js";
import { takeTurn } from "../play/pieces.js";
import { Table } from "../table/table.js";
import { OutcomeView } from "./outcome.js";
import { PuzzleDesk } from "./puzzle_desk.js";
import { openPuzzle } from "./source.js";
import { themeName } from "./themes.js";

/** On such a screen the buttons of the board stand in a row over the sheet (`css/table.css`). */
const FINGERS = matchMedia("(width < 900px)");
const GAP = 4; // px around the buttons
const STEPS = /** @type {const} */ ([1, 2]);

class PuzzlePage {
  /** @param {import("./calls.js").Puzzle} puzzle @param {Table} table @param {Board} board @param {PuzzleDesk} desk */
  constructor(puzzle, table, board, desk) {
    this.puzzle = puzzle;
    this.table = table;
    this.board = board;
    this.desk = desk;
    this.source = desk.source;
    this.choices = new Sheet("answers");
    this.over = new Sheet("over");
    this.rail = new SeatRail(table, this.over);
    this.planned = new PlannedAnswer(table);
    this.restart = button(t("ui.puzzles.restart"), "puzzle-restart", () => this.#restart(), "plain");
    this.hintButton = button(t("ui.puzzles.hint"), "puzzle-hint", () => this.#hint(), "plain");
    this.panel = new Panel({
      table,
      board,
      sheet: this.choices,
      rail: this.rail,
      clock: h("span", {}),
      standing: new StandingAnswers(table),
      planned: this.planned,
      buttons: [this.restart, this.hintButton],
    });
    this.hints = h("div", { class: "puzzle-hints", role: "status" });
    this.pictures = new Pictures(table, board, {
      moment: () => null,
      redrawn: () => {
        this.panel.again();
        this.#markCandidates();
      },
      late: () => this.update().catch(explain),
      without: () => {},
    });
    /** @type {OutcomeView | null} */
    this.outcome = null;
    /** The line begins again once no move is on its way. */
    this.isRestarting = false;
    this.element = this.#layout();
    this.#cover();
    table.addEventListener("change", () => this.update().catch(explain));
    board.host.addEventListener("resized", () => {
      if (this.outcome) this.outcome.again().catch(explain);
      else this.pictures.draw();
    });
  }

  #layout() {
    const { puzzle } = this;
    const label = t("ui.puzzles.title");
    const away = { class: "button plain home-link", href: "/puzzles", "aria-label": label, title: label };
    const bar = h(
      "div",
      { class: "bar" },
      h("a", away, "‹"),
      h("div", { class: "what" }, h("h1", {}, titleOf(puzzle.game)), h("p", { class: "phase" }, t("ui.puzzles.task"))),
    );
    const middle = h("div", { class: "middle" }, this.board.element);
    const news = h("div", { class: "news" }, this.hints);
    return h(
      "div",
      { class: `table puzzle game-${puzzle.game}` },
      h("div", { class: "left" }, bar, this.rail.element),
      middle,
      h("div", { class: "right" }, this.panel.element, this.choices.element, news),
      this.over.element,
    );
  }

  /** Tell the board what lies over it. */
  #cover() {
    const { viewport, scroller, buttons } = this.board;
    viewport.covers = () => {
      const window = scroller.getBoundingClientRect();
      const isOver = (/** @type {DOMRect} */ { left, right, height }) =>
        height > 0 && left < window.right && right > window.left;
      const sheet = this.choices.element.getBoundingClientRect();
      const hints = this.hints.getBoundingClientRect();
      const low = isOver(sheet) ? Math.max(0, window.bottom - sheet.top) : 0;
      const inRow = FINGERS.matches ? buttons.offsetHeight && buttons.offsetHeight + GAP : 0;
      return {
        above: isOver(hints) ? Math.max(0, hints.bottom - window.top) : 0,
        below: low + inRow,
        always: inRow,
      };
    };
    const observer = new ResizeObserver(() => viewport.follow());
    for (const part of [this.choices.element, this.hints, scroller, buttons]) observer.observe(part);
  }

  /** Show the position, and what is asked. */
  async update() {
    const { game } = this.table;
    this.element.dataset.version = String(game.version);
    if (this.outcome || this.table.isClosed) return;
    this.rail.render(game.view, game.decision, false);
    this.restart.hidden = this.desk.line.length === 0;
    this.panel.hold();
    await this.pictures.draw();
    if (this.table.isClosed || game !== this.table.game || this.outcome) return;
    this.panel.render();
    this.#markCandidates();
  }

  /** Begin the line again. No move of before, kept or on its way, may become a part of it. */
  async #restart() {
    this.isRestarting = true;
    this.table.withdraw();
    await this.table.delivering;
    this.isRestarting = false;
    this.desk.begin();
    this.table.game = /** @type {any} */ (this.desk.game);
    await this.table.refresh();
  }

  async #hint() {
    const step = STEPS[this.puzzle.hint?.step ?? 0];
    if (!step) return;
    try {
      this.puzzle.hint = await this.source.takeHint(this.puzzle.id, step);
      if (!this.table.isClosed) this.showHint();
    } catch (error) {
      explain(error);
    }
  }

  showHint() {
    const { puzzle } = this;
    const { hint } = puzzle;
    this.hintButton.hidden = Boolean(puzzle.answer) || hint?.step === STEPS.length;
    if (!hint || puzzle.answer) {
      show(this.hints);
      return;
    }
    const themes = hint.themes.map((theme) => themeName(puzzle.game, theme)).join(", ");
    const lines = hint.candidates?.map(({ moves }, at) => h("li", {}, this.#candidate(moves, at)));
    this.#markCandidates();
    show(
      this.hints,
      h("p", {}, t("ui.puzzles.about", { themes })),
      lines ? [h("p", {}, t("ui.puzzles.one_of")), h("ol", {}, lines)] : null,
    );
  }

  /** What the first question of the puzzle asks, for words and places. @returns {import("../play/game_module.js").Ask} */
  get #asked() {
    const { view, decision, moves } = this.puzzle;
    const name = (/** @type {number} */ seat) => seatName(this.table.game, seat);
    return /** @type {any} */ ({ view, decision, moves, name, board: this.board });
  }

  /** A line in words. @param {Move[]} moves */
  #say([first, ...rest]) {
    const { title, lines } = describe(this.puzzle.game, first, this.#asked, rest.length ? rest : null);
    return [title, lines.filter((line) => typeof line === "string").map((line) => ` · ${line}`)];
  }

  /** A touch shows the line as it would be. @param {Move[]} moves @param {number} at */
  #candidate(moves, at) {
    const onclick = () => {
      if (this.desk.line.length) return;
      this.board.touch(this.board.targets);
      shade(this.puzzle.game, moves, this.#asked);
    };
    return h("button", { class: "plain", "data-key": `candidate-${at}`, onclick }, `${at + 1}. `, this.#say(moves));
  }

  /** The two lines of the second hint, by their numbers on the board; while nothing of an answer is laid. */
  #markCandidates() {
    const { puzzle, board, desk } = this;
    if (!puzzle.hint?.candidates || puzzle.answer || desk.line.length) return;
    /** @type {Map<string, string>} */
    const marks = new Map();
    puzzle.hint.candidates.forEach(({ moves }, at) => {
      const place = findPlace(puzzle.game, moves[0], this.#asked);
      if (place) marks.set(place, [marks.get(place), at + 1].filter(Boolean).join(", "));
    });
    board.values([...marks].map(([place, text]) => ({ place, text, isBest: false })));
  }

  /** The line is whole: let the service judge it, or the pack. @param {Move[]} moves */
  async judge(moves) {
    if (this.isRestarting) return;
    try {
      this.puzzle.answer = await this.source.answer(this.puzzle.id, moves);
    } catch (error) {
      await this.#unjudged(error);
      return;
    }
    await this.explain().catch(explain);
  }

  /** @param {unknown} error */
  async #unjudged(error) {
    explain(error);
    if (this.table.isClosed) return;
    // The attempt that counts was made elsewhere, or its answer was lost on the way here: the page shows it.
    if (error instanceof Problem && error.code === "puzzle_answered") await reload();
    else await this.#restart().catch(explain);
  }

  /** Show what became of the answer. */
  async explain() {
    const { answer: outcome } = this.puzzle;
    if (!outcome || this.table.isClosed) return;
    this.showHint();
    this.restart.hidden = true;
    this.panel.rest();
    this.panel.inert = false; // it was held for the next question, which does not come
    const name = (/** @type {number} */ seat) => seatName(this.table.game, seat);
    this.outcome = new OutcomeView(this.puzzle, outcome, this.source, this.board, name);
    const next = button(t("ui.puzzles.next"), "puzzle-next", () => this.#next(), "confirm");
    show(this.panel.other, next);
    show(this.choices.foot);
    const label = t("ui.puzzles.answer");
    this.choices.open(this.outcome.element, { label, at: "half" });
    announce(this.outcome.element.querySelector("h2")?.textContent ?? "");
    await this.outcome.begin();
  }

  async #next() {
    try {
      const next = await this.source.findNext();
      if (this.table.isClosed) return; // the person went elsewhere
      if (!next) note(t("ui.puzzles.pack_done"));
      await go(next ? `/puzzles/${next.id}` : "/puzzles");
    } catch (error) {
      explain(error);
    }
  }

  close() {
    if (this.element.isConnected) lodgeNotes(null);
    this.pictures.close();
    this.planned.close();
    this.table.close();
    this.desk.close();
  }
}

/** @param {string} id @returns {Promise<import("../platform/router.js").Page>} */
export async function puzzlePage(id) {
  const turn = takeTurn();
  if (!me() && navigator.onLine) await withPlayer(async () => {});
  const { puzzle, source } = await openPuzzle(id);
  const board = new Board();
  /** @type {PuzzlePage | null} */
  let page = null;
  const desk = new PuzzleDesk(puzzle, source, (line) => page?.judge(line).catch(reportError));
  const table = await Table.load(
    desk.id,
    () => board.wish,
    (game) => loadTable(game, turn),
  ).catch((error) => {
    desk.close(); // else it would answer for the next page of this puzzle
    throw error;
  });
  page = new PuzzlePage(puzzle, table, board, desk);
  const opened = page;
  queueMicrotask(async () => {
    // The element is in the document by now, so the picture is asked for in the right arrangement.
    await new Promise(requestAnimationFrame);
    if (table.isClosed) return;
    opened.showHint();
    if (puzzle.answer) {
      opened.rail.render(puzzle.view, puzzle.decision, false);
      await opened.explain().catch(explain);
    } else await opened.update();
  });
  return {
    element: page.element,
    title: t("ui.puzzles.title"),
    shown: () => lodgeNotes(opened.element),
    close: () => opened.close(),
  };
}
