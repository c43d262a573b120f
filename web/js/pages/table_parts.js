/**
 * The parts of a table and where they stand: `bar`, `rail`, `news`, `board`, `actions`, `aside`. On a
 * phone they are rows, and sheets cover the lower part of the board; on a desktop they are three
 * columns (`css/table.css`).
 */

import { FreeBoard } from "../analysis/free_board.js";
import { Hint } from "../analysis/hint.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Sheet } from "../elements/sheet.js";
import { tableKeys } from "../keys/table_keys.js";
import { helpLink } from "../learn/help_link.js";
import { Playback } from "../motion/playback.js";
import { Panel } from "../panel/panel.js";
import { PlannedAnswer } from "../panel/planned_answer.js";
import { StandingAnswers } from "../panel/standing_answers.js";
import { UnsentMove } from "../panel/unsent_move.js";
import { Chat } from "../people/chat.js";
import { Menu } from "../people/menu.js";
import { Presence } from "../people/presence.js";
import { Proposals } from "../people/proposals.js";
import { SeatClocks } from "../people/seat_clocks.js";
import { SeatRail } from "../people/seat_rail.js";
import { Takeback } from "../people/takeback.js";
import { t, titleOf } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { frameChoice } from "../play/choice_frame.js";
import { Ending } from "../story/ending.js";
import { Replay } from "../story/replay.js";
import { Graph } from "../story/score_chart.js";
import { SinceLastMove } from "../story/since_last_move.js";
import { Story } from "../story/story.js";
import { StoryPanel } from "../story/story_panel.js";

/** On such a screen the buttons of the board stand in the row of what happened (`css/table.css`). */
const FINGERS = matchMedia("(width < 900px)");
const GAP = 4; // px around the buttons

/**
 * @typedef {object} TableActs what the page does for its parts
 * @property {(version: number) => Promise<void>} showMoment
 * @property {() => void} replay open or close the replay
 * @property {() => void} leaveReplay close the replay and show the present
 */

export class TableParts {
  /** @param {import("../table/table.js").Table} table @param {import("../board/board.js").Board} board @param {TableActs} acts */
  constructor(table, board, acts) {
    this.board = board;
    this.clocks = new SeatClocks(table);
    this.presence = new Presence(table);
    this.standing = new StandingAnswers(table);
    this.choices = new Sheet("answers");
    /** Over everything: the comparison of the seats, the end. */
    this.over = new Sheet("over");
    this.rail = new SeatRail(table, this.over);
    this.takeback = new Takeback(table);
    this.hint = new Hint(table, this.board);
    this.planned = new PlannedAnswer(table);
    /** What an analysis board has besides; a game has none. */
    this.lab = "is_board" in table.game && table.game.is_board ? new FreeBoard(table, board, this.over) : null;
    this.panel = new Panel({
      table,
      board: this.board,
      sheet: this.choices,
      rail: this.rail,
      clock: this.clocks.line,
      standing: this.standing,
      planned: this.planned,
      buttons: [this.takeback.element, this.hint.button, this.planned.button, ...(this.lab ? [this.lab.button] : [])],
    });
    this.table = table;
    /** Loaded when it is opened. @type {import("../analysis/analysis.js").Analysis | null} */
    this.analysis = null;
    const analyse = () => this.#analyse();
    this.replay = new Replay(table, acts.showMoment, acts.leaveReplay, () => analyse().catch(explain));
    this.menu = new Menu(table, acts.replay);
    this.talk = new Proposals(table);
    this.unsent = new UnsentMove(table);
    this.chat = new Chat(table);
    this.story = new Story(table.game, acts.showMoment);
    this.aside = new StoryPanel(this.story.element, table.game);
    /** What happened since the last own move: a line over the action bar. */
    this.since = new SinceLastMove(table, (version) => this.replay.playFrom(version));
    this.happened = new Playback(table, this.board, () => this.element);
    const seeking = {
      first: 1,
      seek: (/** @type {number} */ version) => this.replay.seek(version),
      words: (/** @type {number} */ version) => this.replay.words(version),
    };
    this.seeking = seeking;
    this.graph = new Graph();
    this.aside.showScores(this.graph.element);
    this.ending = new Ending(table, this.over, { seeking, review: () => this.replay.open(true), analyse });
    this.now = h("div", { class: "moment", hidden: true });
    this.notices = h("div", { class: "notices" });
    this.news = h("div", { class: "news" });
    this.line = h("p", { class: "line-down", role: "status", hidden: true }, t("ui.live.down"));
    this.head = h("p", { class: "phase" });
    /** Before the start: who sits there. */
    this.room = h("div", { class: "room" });
    this.help = helpLink(table.game.game, this.over);
    this.element = this.#layout(table.game);
    this.#cover();
    this.unbindKeys = tableKeys(this);
  }

  /** @param {Game} game */
  #layout({ game, tournament }) {
    const label = t(tournament ? "ui.tournaments.back" : "ui.lobby.title");
    const home = {
      class: "button plain home-link",
      href: tournament ? `/tournaments/${tournament.id}` : "/",
      "aria-label": label,
      title: label,
    };
    const bar = h(
      "div",
      { class: "bar" },
      h("a", home, "‹"),
      h("div", { class: "what" }, h("h1", {}, titleOf(game)), this.head),
      this.help,
      this.aside.toggle,
      isLocal(this.table.id) ? null : this.chat.button,
      this.menu.element,
    );
    this.news.append(
      this.line,
      this.hint.box,
      this.unsent.element,
      this.planned.element,
      this.talk.element,
      this.standing.element,
      this.notices,
    );
    this.aside.swipeFrom(bar, this.rail.element, this.panel.element, this.since.element);
    const middle = h("div", { class: "middle" }, this.board.element, this.now, this.replay.element);
    return h(
      "div",
      { class: `table game-${game}` },
      h("div", { class: "left" }, bar, this.rail.element),
      middle,
      h(
        "div",
        { class: "right" },
        this.panel.element,
        this.choices.element,
        this.news,
        this.since.element,
        this.aside.element,
      ),
      this.over.element,
      this.chat.element,
      this.room,
    );
  }

  /** Tell the board what lies over it, whenever that changes. */
  #cover() {
    const { viewport, scroller, buttons } = this.board;
    viewport.covers = () => this.#covers();
    const observer = new ResizeObserver(() => viewport.follow());
    for (const part of [this.choices.element, this.since.element, this.news, scroller, buttons]) observer.observe(part);
  }

  /**
   * What lies over the window of the board: the news above; below the sheet of the choices and, on a phone, a
   * row with the line of what happened and the buttons of the board.
   */
  #covers() {
    const { scroller, buttons } = this.board;
    const window = scroller.getBoundingClientRect();
    const isOver = (/** @type {DOMRect} */ { left, right, height }) =>
      height > 0 && left < window.right && right > window.left;
    const sheet = this.choices.element.getBoundingClientRect();
    const news = this.news.getBoundingClientRect();
    const line = this.since.element.getBoundingClientRect();
    const low = isOver(sheet) ? Math.max(0, window.bottom - sheet.top) : 0;
    const inRow = FINGERS.matches ? buttons.offsetHeight && buttons.offsetHeight + GAP : 0;
    this.since.element.style.setProperty("--covered", `${low}px`);
    this.since.element.style.setProperty("--beside", `${FINGERS.matches ? buttons.offsetWidth + 4 * GAP : 0}px`);
    return {
      above: isOver(news) ? Math.max(0, news.bottom - window.top) : 0,
      below: low + Math.max(inRow, isOver(line) ? line.height : 0),
      always: inRow,
    };
  }

  /** Ask a moment of the finished game that has come back. @param {number} version of its move */
  async ask(version) {
    await (await this.#loadAnalysis()).ask(version);
  }

  async #analyse() {
    await (await this.#loadAnalysis()).open();
  }

  async #loadAnalysis() {
    const { Analysis } = await import("../analysis/analysis.js");
    this.analysis ??= new Analysis(this, this.table);
    return this.analysis;
  }

  close() {
    if (this.element.isConnected) frameChoice(null); // of a guide or a hint: the next table may have the same choices
    this.analysis?.close();
    this.unbindKeys();
    this.replay.stop();
    this.happened.end();
    this.clocks.close();
    this.chat.close();
    this.planned.close();
  }
}
