/**
 * The parts of a table and where they stand: `bar`, `rail`, `news`, `board`, `actions`, `aside`. On a
 * phone they are rows, and sheets cover the lower part of the board; on a desktop they are three
 * columns (`css/table.css`).
 */

import { Hint } from "../analysis/hint.js";
import { h } from "../dom.js";
import { explain } from "../explain.js";
import { t, titleOf } from "../i18n.js";
import { tableKeys } from "../keys/table.js";
import { Happened } from "../motion/happened.js";
import { helpLink } from "../learn/address.js";
import { Aside } from "./aside.js";
import { Board } from "./board.js";
import { Chat } from "./chat.js";
import { Clocks } from "./clocks.js";
import { Ending } from "./ending.js";
import { Menu } from "./menu.js";
import { Panel } from "./panel.js";
import { Presence } from "./presence.js";
import { Rail } from "./rail.js";
import { Replay } from "./replay.js";
import { Graph } from "./scores.js";
import { Since } from "./since.js";
import { Sheet } from "./sheet.js";
import { Standing } from "./standing.js";
import { Story } from "./story.js";
import { Takeback } from "./takeback.js";
import { Talk } from "./talk.js";
import { Unsent } from "./unsent.js";

/**
 * @typedef {object} Acts what the page does for its parts
 * @property {(version: number) => Promise<void>} showMoment
 * @property {() => void} replay open or close the replay
 * @property {() => void} leaveReplay close the replay and show the present
 */

export class Parts {
  /** @param {import("./model.js").Table} table @param {Acts} acts */
  constructor(table, acts) {
    this.board = new Board();
    this.clocks = new Clocks(table);
    this.presence = new Presence(table);
    this.standing = new Standing(table);
    /** The choices of a decision. */
    this.choices = new Sheet("answers");
    /** Over everything: the comparison of the seats, the end. */
    this.over = new Sheet("over");
    this.rail = new Rail(table, this.over);
    this.takeback = new Takeback(table);
    this.hint = new Hint(table, this.board);
    this.panel = new Panel({
      table,
      board: this.board,
      sheet: this.choices,
      rail: this.rail,
      clock: this.clocks.line,
      standing: this.standing,
      beside: [this.takeback.element, this.hint.button],
    });
    this.table = table;
    /** Loaded when somebody asks for it. @type {import("../analysis/index.js").Analysis | null} */
    this.analysis = null;
    const analyse = () => this.#analyse();
    this.replay = new Replay(table, acts.showMoment, acts.leaveReplay, () => analyse().catch(explain));
    this.menu = new Menu(table, acts.replay);
    this.talk = new Talk(table);
    /** A move that waits for the line. */
    this.unsent = new Unsent(table);
    this.chat = new Chat(table);
    this.story = new Story(table.game, acts.showMoment);
    this.aside = new Aside(this.story.element, table.game);
    /** What happened since the last own move: a line over the action bar. */
    this.since = new Since(table, (version) => this.replay.playFrom(version));
    this.happened = new Happened(table, this.board, () => this.element);
    const seeking = {
      first: 1,
      seek: (/** @type {number} */ version) => this.replay.seek(version),
      words: (/** @type {number} */ version) => this.replay.words(version),
    };
    /** What makes a chart of the scores a slider. */
    this.seeking = seeking;
    this.graph = new Graph();
    this.aside.showScores(this.graph.element);
    this.ending = new Ending(table, this.over, { seeking, review: () => this.replay.open(true), analyse });
    /** Says which moment of the past is shown. */
    this.now = h("div", { class: "moment", hidden: true });
    this.notices = h("div", { class: "notices" });
    this.line = h("p", { class: "line-down", role: "status", hidden: true }, t("ui.live.down"));
    /** Round and phase. */
    this.head = h("p", { class: "phase" });
    /** Before the start: who sits there. */
    this.room = h("div", { class: "room" });
    /** The rules about what is asked now. */
    this.help = helpLink(table.game.game);
    this.element = this.#layout(table.game.game);
    this.#cover();
    this.unbindKeys = tableKeys(this);
  }

  /** @param {string} game */
  #layout(game) {
    const home = { class: "button plain home-link", href: "/", "aria-label": t("ui.lobby.title"), title: t("ui.lobby.title") };
    const bar = h(
      "div",
      { class: "bar" },
      h("a", home, "‹"),
      h("div", { class: "what" }, h("h1", {}, titleOf(game)), this.head),
      this.help,
      this.aside.toggle,
      this.chat.button,
      this.menu.element,
    );
    const news = h("div", { class: "news" }, this.line, this.hint.box, this.unsent.element, this.talk.element, this.standing.element, this.notices);
    this.aside.swipeFrom(bar, this.rail.element, this.panel.element, this.since.element);
    const middle = h("div", { class: "middle" }, this.board.element, this.now, this.replay.element);
    return h(
      "div",
      { class: `table game-${game}` },
      h("div", { class: "left" }, bar, this.rail.element),
      middle,
      h("div", { class: "right" }, this.panel.element, this.choices.element, news, this.since.element, this.aside.element),
      this.over.element,
      this.chat.element,
      this.room,
    );
  }

  /** Tell the board how much of it the sheet of the choices covers. */
  #cover() {
    const { board, choices } = this;
    const measure = () => {
      const window = board.scroller.getBoundingClientRect();
      const sheet = choices.element.getBoundingClientRect();
      const isOver = sheet.height > 0 && sheet.left < window.right && sheet.right > window.left;
      const covered = isOver ? Math.max(0, window.bottom - sheet.top) : 0;
      board.view.cover(covered);
      this.since.element.style.setProperty("--covered", `${covered}px`);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(choices.element);
    observer.observe(board.scroller);
  }

  async #analyse() {
    const { Analysis } = await import("../analysis/index.js");
    this.analysis ??= new Analysis(this, this.table);
    await this.analysis.open();
  }

  close() {
    this.analysis?.close();
    this.unbindKeys();
    this.replay.stop();
    this.happened.end();
    this.clocks.close();
    this.chat.close();
  }
}
